/** Shortcuts into the front end. */
import { hasErrors, Sources, type Diagnostic } from "../../../src/model/diagnostic.js";
import type { Expression, Formula, PromelaModel, Statement } from "../../../src/languages/promela/ast.js";
import { checkPromela, type ModelInfo } from "../../../src/languages/promela/check.js";
import { parsePromela, type PromelaInput } from "../../../src/languages/promela/front.js";

export interface Outcome {
  readonly model: PromelaModel;
  /** Undefined after syntax errors. */
  readonly info: ModelInfo | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

type Options = Partial<Omit<PromelaInput, "text" | "sources">>;

export function run(text: string, options: Options = {}): Outcome {
  const sources = new Sources();
  const parsed = parsePromela({
    file: "model.pml",
    defines: [],
    readFile: () => undefined,
    ...options,
    text,
    sources,
  });
  if (hasErrors(parsed.diagnostics)) return { ...parsed, info: undefined, sources };
  const checked = checkPromela(parsed.model);
  const diagnostics = [...parsed.diagnostics, ...checked.diagnostics];
  return { model: parsed.model, info: checked.info, diagnostics, sources };
}

/** `code line:column`, with the file if it is an included one. */
export function positions({ diagnostics, sources, model }: Outcome): string[] {
  return diagnostics.map(({ code, span }) => {
    const { line, column } = sources.position(span.file, span.start);
    const file = span.file === model.file ? "" : ` in ${span.file.split("/").at(-1)!}`;
    return `${code} ${line}:${column}${file}`;
  });
}

/** Parses a valid model; fails with its diagnostics otherwise. */
export function parsed(text: string, options: Options = {}): Outcome & { readonly info: ModelInfo } {
  const outcome = run(text, options);
  if (outcome.diagnostics.length > 0) throw new Error(positions(outcome).join("\n"));
  return { ...outcome, info: outcome.info! };
}

/** The statements of `init { … }`. */
export function steps(body: string, before = ""): readonly Statement[] {
  return stepsOf(parsed(`${before}\ninit { ${body} }`).model);
}

export function stepsOf(model: PromelaModel): readonly Statement[] {
  const init = model.units.find((unit) => unit.kind === "init");
  if (!init) throw new Error("there is no init");
  return init.body.steps;
}

/** Prints all parentheses, to show precedence. */
export function show(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return String(expression.value);
    case "mtypeConstant":
      return expression.name;
    case "variable": {
      const parts = [expression, ...expression.fields];
      return parts.map(({ name, index }) => name.text + (index ? `[${show(index)}]` : "")).join(".");
    }
    case "unary":
      return `${expression.operator}${show(expression.operand)}`;
    case "binary":
      return `(${show(expression.left)} ${expression.operator} ${show(expression.right)})`;
    case "conditional":
      return `(${show(expression.condition)} -> ${show(expression.then)} : ${show(expression.otherwise)})`;
    default:
      return expression.kind;
  }
}

export function showFormula(formula: Formula): string {
  if (formula.kind === "atom") return show(formula.expression);
  if ("operand" in formula) return `${formula.kind} ${showFormula(formula.operand)}`;
  return `(${showFormula(formula.left)} ${formula.kind} ${showFormula(formula.right)})`;
}
