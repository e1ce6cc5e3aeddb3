/** Diagnostics for errors of a system of nodes. */
import { UnknownBudget } from "./budgets.js";
import { BadDeclaration } from "./declared.js";
import type { SystemModel } from "./model.js";
import { ChangedByCondition, Nondeterminism, NotSupported, OpaqueNode } from "./node-process.js";
import { ChoiceAtStart } from "./node-system.js";
import { BadCondition } from "./properties.js";
import { NotSymmetric } from "./representatives.js";
import { CannotLoad } from "./source.js";
import type { Diagnostic } from "../../model/index.js";

export function diagnosticOf(error: unknown, file: string): Diagnostic {
  const span = { file, start: 0, end: 0 };
  const common = { severity: "error", span, message: error instanceof Error ? error.message : "" } as const;
  if (error instanceof CannotLoad || error instanceof BadCondition) return { ...common, code: error.code };
  if (error instanceof ChangedByCondition) return { ...common, code: "code/property-mutates" };
  if (error instanceof BadDeclaration) return { ...common, code: "code/bad-declaration" };
  if (error instanceof UnknownBudget) return { ...common, code: "code/unknown-budget" };
  if (error instanceof ChoiceAtStart)
    return { ...common, code: "code/choice-at-start", hint: "let a timer or an action make the choice" };
  if (error instanceof NotSupported) return { ...common, severity: "warning", code: "code/not-supported" };
  if (error instanceof Nondeterminism)
    return {
      ...common,
      severity: "warning",
      code: "code/nondeterminism",
      hint: "something outside the world decides: look for clocks, random numbers or counters that are not in the node",
    };
  if (error instanceof NotSymmetric)
    return {
      ...common,
      severity: "warning",
      code: "code/not-symmetric",
      hint: "take the nodes out of 'symmetric', or search all states with --reduction none",
    };
  if (error instanceof OpaqueNode)
    return {
      ...common,
      severity: "warning",
      code: "code/opaque-state",
      hint: "keep the data of a node in its fields or in module variables",
    };
  throw error;
}

export const replayNote = (opaque: OpaqueNode, model: SystemModel): Diagnostic => ({
  code: "code/opaque-state",
  severity: "note",
  message: `${opaque.node} is replayed, not captured: it keeps ${opaque.what} at ${opaque.path}`,
  span: model.placeOf(opaque.node),
  hint: "states of a replayed node are its histories, so equal states are not recognised; keep its data in fields or module variables",
});

/** The property distinguishes nodes, so a search of all states decides it. */
export const asymmetricProperty = ({ message }: NotSymmetric, file: string): Diagnostic => ({
  code: "session/reduction-off",
  severity: "note",
  message: `reduction 'symmetry' is off: ${message}`,
  span: { file, start: 0, end: 0 },
});
