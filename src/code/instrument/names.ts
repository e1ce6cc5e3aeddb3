/** Names that the transformation introduces: the runtime, activations, temporary variables. */
import ts from "typescript";
import { CannotInstrument } from "./refusal.js";
import { functionOf, type Shared } from "./scopes.js";
import { hasBusyParameters, isFunctionNode } from "./syntax.js";

/** The runtime in the realm (`../tracking`). */
export const T = "everypath$";

export class Names {
  readonly #frames = new Map<ts.Node, string>();
  readonly #spare = new Map<ts.Node, string[]>();
  #count = 0;

  fresh(kind: string): string {
    return `${T}${kind}${++this.#count}`;
  }

  /** The activation and the number of a variable. */
  place({ owner, number }: Shared): string {
    return `${this.#frame(owner)},${number}`;
  }

  #frame(owner: ts.Node): string {
    // Parameters are evaluated before the body.
    if (!isFunctionNode(owner) || hasBusyParameters(owner)) return "0";
    let name = this.#frames.get(owner);
    if (name === undefined) this.#frames.set(owner, (name = this.fresh("f")));
    return name;
  }

  /** A variable of the function for a value that is used twice. */
  temporary(node: ts.Node): string {
    const owner = functionOf(node);
    if (!isFunctionNode(owner) && !ts.isSourceFile(owner))
      throw new CannotInstrument("a field's initialiser uses `?.` or assigns after an `await`");
    const name = this.fresh("t");
    const names = this.#spare.get(owner);
    if (names) names.push(name);
    else this.#spare.set(owner, [name]);
    if (isFunctionNode(owner) && node.pos < (owner.body?.pos ?? 0))
      throw new CannotInstrument("a parameter's initialiser uses `?.`");
    return name;
  }

  /** Declarations at the start of a function or script whose text is complete. */
  declared(owner: ts.Node): string {
    const frame = this.#frames.get(owner);
    const spare = this.#spare.get(owner);
    return (frame === undefined ? "" : `const ${frame}=${T}.n();`) + (spare ? `let ${spare.join()};` : "");
  }
}
