import type { Span } from "../../model/index.js";

/** A feature of the IR that the code generator lacks. */
export class Unsupported extends Error {
  /** The statement that needs it. */
  readonly span: Span | undefined;

  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}
