/** Messages and hints for common syntax errors. */
import type { IRecognitionException } from "chevrotain";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isA } from "./grammar-expressions.js";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";

/** Returns undefined if the lexer has reported the token. */
export function describeSyntaxError(
  base: Diagnostic,
  found: Token | undefined,
  error: IRecognitionException,
): Diagnostic | undefined {
  if (!found) {
    const hint = "an `end` is missing, or something before it is not complete";
    return { ...base, code: "murphi/unexpected-end", hint };
  }
  if (found.tokenType === v.Unknown || found.tokenType === v.Probabilistic) return undefined;
  const refused = REFUSED.get(found.image.toLowerCase());
  if (refused && (found.tokenType === v.Identifier || found.tokenType === v.Refused))
    return { ...base, ...refused };
  const hint = hintFor(found, error);
  return { ...base, code: "murphi/syntax", ...(hint === undefined ? {} : { hint }) };
}

/** Words of CMurphi's extensions that are not supported. */
const REFUSED: ReadonlyMap<string, Pick<Diagnostic, "code" | "message" | "hint">> = new Map([
  [
    "externfun",
    {
      code: "murphi/extern",
      message: "external C functions are not supported",
      hint: "write the function in Murphi",
    },
  ],
  [
    "externproc",
    {
      code: "murphi/extern",
      message: "external C procedures are not supported",
      hint: "write the procedure in Murphi",
    },
  ],
  [
    "pctl",
    {
      code: "murphi/pctl",
      message: "PCTL properties are not supported",
      hint: "state an invariant, a cover or liveness",
    },
  ],
  [
    "traceuntil",
    {
      code: "murphi/pctl",
      message: "`traceuntil` is not supported",
      hint: "state an invariant, a cover or liveness",
    },
  ],
  [
    "process",
    {
      code: "murphi/process",
      message: "processes are not supported",
      hint: "write a rule for each step of the process",
    },
  ],
  [
    "program",
    {
      code: "murphi/process",
      message: "programs are not supported",
      hint: "write a rule for each step of the program",
    },
  ],
]);

function hintFor(found: Token, error: IRecognitionException): string | undefined {
  const before = "previousToken" in error ? (error.previousToken as Token | undefined) : undefined;
  if (found.image === "=" && before) return "assignments are written `:=`";
  if (found.tokenType === v.Query || before?.image === "?") return "parenthesise a `? :` inside another one";
  if (isA(found, v.TemporalPrefix) || isA(found, v.TemporalOperator)) return TEMPORAL;
  if (/^end/i.test(found.image)) return `\`${found.image}\` does not match the open construct`;
  return undefined;
}

const TEMPORAL =
  "temporal operators are allowed only in `ltl` and `--ltl`, outside quantifiers, indices and arguments";
