/** Arrays, whose order and unused cells make states that sets and queues do not have. */
import type { Diagnostic } from "../../../model/diagnostic.js";
import type { PromelaModel } from "../ast.js";
import type { ModelInfo } from "../check.js";

export type ArrayPolicy = "allow" | "warn" | "forbid";

/** Arrays of values that the user declared. Without a policy, only models with sets or queues are warned. */
export function arraysIn(
  { globals, processes }: ModelInfo,
  { abstracts }: PromelaModel,
  policy: ArrayPolicy | undefined = abstracts ? "warn" : "allow",
): Diagnostic[] {
  if (policy === "allow") return [];
  const isSet = new Set(abstracts?.declarators);
  return [...globals, ...processes.flatMap(({ locals }) => locals)]
    .filter(
      ({ size, type, declarator }) =>
        size !== undefined && type.kind !== "chan" && !isSet.has(declarator.span),
    )
    .map(({ name, declarator }) => ({
      code: "promela/array",
      severity: policy === "forbid" ? "error" : "warning",
      message: `array \`${name}\` is used`,
      span: declarator.span,
      hint: "consider a `set` or a `queue`, which have no states that differ in order or unused cells",
    }));
}
