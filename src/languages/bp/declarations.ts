/** State shared by the lowering of all threads: declared functions, and variables as they are declared. */
import type { BooleanVariable } from "../../model/boolean.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import type { FunctionTree, Initial, VariableTree } from "./ast.js";
import type { Scope } from "./scope.js";

export interface Declarations {
  readonly error: ReportError;
  readonly text: string;
  readonly functions: ReadonlyMap<string, FunctionTree>;
  readonly variables: BooleanVariable[];
  /** Number of variables by name: locals of several call sites are numbered. */
  readonly taken: Map<string, number>;
  readonly called: Set<string>;
  readonly defaultInitial: Initial;
}

/** Declares the variables and returns their numbers with their initial values. */
export function declareAll(
  { names, values, span }: VariableTree,
  scope: Scope,
  { variables, taken, error, defaultInitial }: Declarations,
  thread: number | undefined,
  prefix: string,
): { readonly variable: number; readonly initial: Initial }[] {
  if (values && values.length !== names.length)
    error("bp/initial-values", span, `${names.length} variables have ${values.length} initial values`);
  return names.map((each, index) => {
    const initial = values?.[index] ?? defaultInitial;
    const variable = variables.length;
    const name = `${prefix}${each.name}`;
    const copies = (taken.get(name) ?? 0) + 1;
    taken.set(name, copies);
    variables.push({
      name: copies === 1 ? name : `${name}#${copies}`,
      thread,
      initial: initial === "*" ? undefined : initial,
      span: each.span,
    });
    scope.declare(each, variable);
    return { variable, initial };
  });
}
