/** What each part of the transformation needs of the whole: the text of other nodes, and whose variables there are. */
import type ts from "typescript";
import type { Names } from "./names.js";
import type { Scopes } from "./scopes.js";

export interface Walk {
  readonly source: string;
  readonly scopes: Scopes;
  readonly names: Names;
  /** False in code of ours that tells what it does in its own way. */
  readonly tells: boolean;
  /** The node's text with the leading comments and spaces. */
  emit(node: ts.Node): string;
  lead(node: ts.Node): string;
  /** The text without what leads. */
  core(node: ts.Node): string;
  /** As it is, but for its parts. */
  plainCore(node: ts.Node): string;
}
