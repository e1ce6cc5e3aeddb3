/** Diagnoses systems and specifications that cannot be compared. */
import type { Diagnostic } from "../../model/index.js";

export const problem = (file: string, code: string, message: string, hint?: string): Diagnostic => ({
  code: `session/${code}`,
  severity: "error",
  message,
  span: { file, start: 0, end: 0 },
  ...(hint === undefined ? {} : { hint }),
});
