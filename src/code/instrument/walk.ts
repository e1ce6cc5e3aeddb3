/** Services of the whole transformation for its parts: the text of other nodes, and scopes. */
import type ts from "typescript";
import type { Names } from "./names.js";
import type { Scopes } from "./scopes.js";

export interface Walk {
  readonly source: string;
  readonly scopes: Scopes;
  readonly names: Names;
  /** False in code of the checker, which reports to the world. */
  readonly isInstrumented: boolean;
  /** The node's text with leading comments and spaces. */
  emit(node: ts.Node): string;
  lead(node: ts.Node): string;
  /** The text without leading trivia. */
  core(node: ts.Node): string;
  /** Uninstrumented, apart from its children. */
  plainCore(node: ts.Node): string;
}
