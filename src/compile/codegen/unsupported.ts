import type { Span } from "../../model/index.js";

/** Something the IR can say that the code generator cannot do. */
export class Unsupported extends Error {
  /** The statement that needs it. */
  readonly span: Span | undefined;

  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}
