/** Watches functions that belong to no state: variables that they close over must not change. */
import type { CodeInspector } from "../heap/index.js";
import { NotSupported } from "./node-process.js";

export class Closures {
  readonly #inspector: CodeInspector;
  readonly #before: ReadonlyMap<object, string>;

  constructor(functions: readonly object[], inspector: CodeInspector) {
    this.#inspector = inspector;
    const closing = functions.filter((code) => inspector.factsOf(code).captured.length > 0);
    this.#before = new Map(closing.map((code) => [code, inspector.closureOf(code)]));
  }

  /** Throws if a variable has changed: the states that were found do not contain it. */
  verify(node: string): void {
    for (const [code, before] of this.#before)
      // sound: test/code/machines/runtime.test.ts
      if (this.#inspector.closureOf(code) !== before)
        throw new NotSupported(
          `a function of ${node} changes variables that it closes over (${this.#inspector.factsOf(code).captured.join(", ")}); keep them in the context, or as variables of the module`,
        );
  }
}
