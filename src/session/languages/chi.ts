/** Adapts χ to the registry: terms become products by vectors over shared words. */
import { ChiTooLarge, chiModel, type ChiFormula } from "../../compile/chi/index.js";
import { loadChi, type LoadedChi, type WrittenChi } from "../../languages/chi/index.js";
import {
  PropertyNames,
  hasErrors,
  type ChiExpr,
  type ChiProgram,
  type ChiSubject,
  type Diagnostic,
  type Formula,
  type Property,
  type Span,
} from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { parseDefine } from "../defines.js";
import { readFormulas, readWritten, type ReadFormula } from "../formulas.js";
import type { Input } from "../request.js";

export function load({ file, text }: Input, options: LoadOptions): Promise<Loaded> {
  const { defines = [], invariants = [], ltl = [], sources } = options;
  const asked = invariants.map((condition, i) => {
    const name = i === 0 ? "--invariant" : `--invariant ${i + 1}`;
    sources.add(name, condition);
    return { text: condition, file: name };
  });
  const loaded = loadChi(file, text, { constants: defines.map(parseDefine), invariants: asked });
  const { program } = loaded;
  const wrong = (diagnostics: readonly Diagnostic[]): Loaded => ({
    model: undefined,
    unsupported: [],
    diagnostics,
  });
  if (!program) return Promise.resolve(wrong(loaded.diagnostics));
  const { whole, formulas, diagnostics: found } = withFormulas(program, loaded, ltl, options);
  const diagnostics = [...loaded.diagnostics, ...found];
  if (hasErrors(diagnostics)) return Promise.resolve(wrong(diagnostics));
  try {
    const model = chiModel(whole, formulas);
    const subject: ChiSubject = { kind: "chi", program: whole, properties: model.properties };
    return Promise.resolve({ model, subject, unsupported: [], diagnostics, code: () => model.code() });
  } catch (error) {
    if (!(error instanceof ChiTooLarge)) throw error;
    const span = error.span ?? { file, start: 0, end: 0 };
    const large: Diagnostic = { code: "chi/too-large", severity: "error", message: error.message, span };
    return Promise.resolve(wrong([...diagnostics, large]));
  }
}

interface WithFormulas {
  readonly whole: ChiProgram;
  readonly formulas: readonly ChiFormula[];
  readonly diagnostics: readonly Diagnostic[];
}

function withFormulas(
  program: ChiProgram,
  { formulas: written, conditionOf }: LoadedChi,
  ltl: readonly string[],
  { sources }: LoadOptions,
): WithFormulas {
  const diagnostics: Diagnostic[] = [];
  const total = (text: string, span: Span): ChiExpr | readonly Diagnostic[] => {
    const condition = conditionOf(text, span);
    return "kind" in condition && isPartial(condition) ? [partial(span)] : condition;
  };
  const names = new PropertyNames();
  for (const { name } of program.invariants) names.take(name);
  const branching = written.filter(({ kind }) => kind === "ctl").map(readCtl);
  const goals = branching.flatMap((each) => {
    if (each.kind !== "goal") return [];
    const condition = total(each.text, each.span);
    if ("kind" in condition) return [{ name: names.take(each.name), condition, span: each.span }];
    diagnostics.push(...condition);
    return [];
  });
  diagnostics.push(...branching.flatMap((each) => (each.kind === "refused" ? [each.diagnostic] : [])));
  const linear = [
    ...written.filter(({ kind }) => kind === "ltl"),
    ...branching.flatMap((each) => (each.kind === "ltl" ? [each] : [])),
  ];
  const inFile = readWritten(
    linear.map(({ text, span }) => ({ name: names.take(text.trim()), text: quoted(text), span })),
    total,
  );
  const declared = [...program.invariants, ...goals].map(({ name, span }): Property => ({
    name,
    kind: "invariant",
    span,
  }));
  const inOptions = readFormulas(ltl.map(quoted), total, [...declared, ...inFile.formulas], sources);
  const formulas = [...inFile.formulas, ...inOptions.formulas];
  diagnostics.push(...inFile.diagnostics, ...inOptions.diagnostics, ...formulas.flatMap(nextIn));
  return { whole: { ...program, goals }, formulas, diagnostics };
}

/** A comparison in parentheses or single quotes is a proposition: `G F (y = 1)`. Keeps all positions. */
const quoted = (text: string): string =>
  text
    .replaceAll(/'([^'"]*)'/g, '"$1"')
    .replaceAll(/\(([^()"]*[=<>][^()"]*)\)/g, (all, inner: string) =>
      /->|=>|<>|\[\]|\b(?:[GFUWRXV]|true|false)\b|&&|\|\|/.test(inner) ? all : `"${inner}"`,
    );

/** Next does not survive stuttering, so neither laws nor translations keep it. */
function nextIn({ requirement, span, name }: ReadFormula<ChiExpr>): Diagnostic[] {
  // sound: test/languages/chi/traps.test.ts
  if (requirement.kind !== "satisfies" || !hasNext(requirement.formula)) return [];
  return [
    {
      code: "chi/next",
      severity: "error",
      message: `'${name}' has a next-time operator, which stuttering does not preserve`,
      span: span ?? { file: "--ltl", start: 0, end: 0 },
      hint: "state the property with F, G and U",
    },
  ];
}

function hasNext(formula: Formula): boolean {
  if (formula.kind === "next") return true;
  if ("operand" in formula) return hasNext(formula.operand);
  return "left" in formula && (hasNext(formula.left) || hasNext(formula.right));
}

type ReadCtl =
  | ({ readonly kind: "ltl" | "goal"; readonly name: string } & Omit<WrittenChi, "kind">)
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic };

const TEMPORAL = /\b[GFUWRXV]\b|<>|\[\]/;
const QUANTIFIER = /\b[AE](?:[GFX]|\s*\[)/;

/** Formulas of CTL that the searches decide: those that say the same without their quantifiers, and `AG EF`. */
function readCtl({ text, span }: WrittenChi): ReadCtl {
  const goal = /^\s*AG\s*(?:\(\s*)?EF\s*(.*?)\)?\s*$/s.exec(text);
  const name = text.trim();
  if (goal?.[1] !== undefined && !QUANTIFIER.test(goal[1])) {
    const condition = goal[1].replace(/^\(/, "").replace(/\)$/, "");
    const start = span.start + text.indexOf(condition);
    return { kind: "goal", name, text: condition, span: { ...span, start, end: start + condition.length } };
  }
  const response = /^\s*AG\s*\((.*)->\s*AF\s(.*)\)\s*$/s.exec(text);
  const simple = /^\s*A[GF]\s*(!?\s*(?:\w+|"[^"]*"|'[^']*'|\(.*\)))\s*$/s.exec(text);
  const parts = (response ?? simple)?.slice(1);
  // The quantifier ranges over all that follows: `AG (p) -> AF (q)` and `AG (p -> AF q -> r)` are other formulas.
  // sound: test/languages/chi/traps.test.ts
  const isWhole = parts?.every(isEnclosed) === true && !response?.[2]?.includes("->");
  // sound: test/languages/chi/traps.test.ts
  if (isWhole && parts?.every((part) => !QUANTIFIER.test(part) && !TEMPORAL.test(part)))
    return { kind: "ltl", name, text: text.replaceAll(/\bA([GF])/g, " $1"), span };
  return {
    kind: "refused",
    diagnostic: {
      code: "chi/ctl",
      severity: "error",
      message: "of CTL, AG p, AF p, AG (p -> AF q) and AG EF p are checked",
      span,
      hint: "state the property as `check ltl`",
    },
  };
}

/** Do all parentheses close, none before it opens, and is there nothing behind a group at the start? */
function isEnclosed(text: string): boolean {
  let depth = 0;
  const isGroup = /^!?\s*\(/.test(text);
  for (const [i, sign] of [...text].entries()) {
    if (sign === "(") depth++;
    if (sign === ")" && --depth < 0) return false;
    if (sign === ")" && depth === 0 && isGroup && text.slice(i + 1).includes("->")) return false;
  }
  return depth === 0;
}

const partial = (span: Span): Diagnostic => ({
  code: "chi/partial-condition",
  severity: "error",
  message: "a condition of a formula must have a value in every state",
  span,
  hint: "compare variables without division, multiplication, variable indices and functions of lists",
});

/** May its evaluation fail in some state? */
function isPartial(expr: ChiExpr): boolean {
  switch (expr.kind) {
    case "value":
      return false;
    case "place":
      return expr.path.some(
        (step) =>
          step.kind === "index" &&
          (step.isList || step.at.kind !== "value" || (step.at.value[0] ?? 0) >= step.length),
      );
    case "unary":
      return isPartial(expr.of);
    case "binary": {
      const isDivision = expr.operator === "/" || expr.operator === "%";
      const byConstant = expr.right.kind === "value" && expr.right.value[0] !== 0;
      if (expr.operator === "*" || (isDivision && !byConstant)) return true;
      return isPartial(expr.left) || isPartial(expr.right);
    }
    case "compose":
      return expr.parts.some(isPartial);
    case "call":
      return expr.name !== "len" || expr.of.some(isPartial);
  }
}
