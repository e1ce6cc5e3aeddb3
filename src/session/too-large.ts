/** Inputs that the machine cannot work with: the user's to mend, and no bug of ours. */
import { CIRCULAR_QUESTION, type Diagnostic } from "../model/index.js";

/** What JavaScript says when something does not fit; undefined for every other error. */
export function tooLarge(error: unknown, file: string): Diagnostic | undefined {
  if (error instanceof RangeError && error.message === CIRCULAR_QUESTION)
    return {
      code: "session/circular-question",
      severity: "error",
      message: CIRCULAR_QUESTION,
      span: { file, start: 0, end: 0 },
      hint: "let one of them ask for a condition on variables instead",
    };
  if (!(error instanceof RangeError) || !limits.test(error.message)) return undefined;
  return {
    code: "session/too-large",
    severity: "error",
    message: `this is too large to work with (${error.message})`,
    span: { file, start: 0, end: 0 },
    hint: "make the model smaller: fewer or less deeply nested statements, shorter arrays",
  };
}

const limits =
  /call stack|Invalid (string|array|typed array|array buffer) length|allocation failed|Set maximum size|Map maximum size/;
