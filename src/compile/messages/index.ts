/**
 * Message-passing programs as models: `concrete.ts` has the states (bags of messages, `bags.ts`), `text.ts` renders them. A
 * property is an invariant here, decided on the policy text.
 */
import {
  isInPolicy,
  type MessageProgram,
  type MessageSystem,
  type Model,
  type ProvenanceProperty,
  type Words,
} from "../../model/index.js";
import { ConcreteSystem } from "./concrete.js";
import { provenanceText } from "./text.js";

export interface ConcreteModel extends Model {
  readonly system: MessageSystem;
  readonly steps: MessageSystem;
  explain(property: ProvenanceProperty, state: Words, at: number): string;
}

export function concreteModel(program: MessageProgram): ConcreteModel {
  const system = new ConcreteSystem(program);
  const offending = (property: ProvenanceProperty, state: Words, at: number): string | undefined => {
    const { principal, variable, when, policy, isAllowed } = property;
    const bad = system.valuesOf(principal, state, at).find((values) => {
      const conditions =
        when?.principal === principal ? [values] : when && system.valuesOf(when.principal, state, at); // sound: test/compile/messages/conditions.test.ts
      const isAsked = !when || conditions!.some((held) => held[when.variable]!.message === when.message); // sound: test/compile/messages/conditions.test.ts
      return isAsked && isInPolicy(policy, values[variable]!.provenance) !== isAllowed; // sound: test/compile/messages/conditions.test.ts
    });
    return bad && provenanceText(program, bad[variable]!.provenance);
  };
  const explain: ConcreteModel["explain"] = (property, state, at) => {
    const { name, variables } = program.principals[property.principal]!;
    const provenance = offending(property, state, at) ?? "allowed";
    const rule = `${property.isAllowed ? "not in" : "in"} ${property.text}`;
    return `the provenance of ${name}.${variables[property.variable]!} is ${provenance}, which is ${rule}`;
  };
  return {
    system,
    steps: system,
    properties: program.properties,
    sites: [],
    invariants: program.properties,
    holds: (index, state, at) => offending(program.properties[index]!, state, at) === undefined, // sound: test/compile/messages/conditions.test.ts
    coverage: { parts: [], reached: new Uint8Array(0) },
    violationReason: (index, state, at) => explain(program.properties[index]!, state, at),
    explain,
  };
}
