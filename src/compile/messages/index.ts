/**
 * Message-passing programs as models: `concrete.ts` has the states, `parts.ts` their parts by number (bags of messages,
 * `bags.ts`), `text.ts` renders them. A provenance property is an invariant here, decided on the policy text.
 */
import {
  countsOf,
  isInPolicy,
  observing,
  type MarkingCondition,
  type MessageProgram,
  type MessageQuestions,
  type MessageSystem,
  type Model,
  type Property,
  type ProvenanceProperty,
  type Recipe,
  type System,
  type Temporal,
  type Words,
} from "../../model/index.js";
import { markingJudge, type MarkingJudge } from "../markings.js";
import { ConcreteSystem } from "./concrete.js";
import { MessageParts } from "./parts.js";
import { provenanceText } from "./text.js";

export interface ConcreteModel extends Model {
  readonly system: MessageSystem;
  readonly steps: MessageSystem;
  explain(property: ProvenanceProperty, state: Words, at: number): string;
}

export const MESSAGE_COMPILER = "messages";

/** `memory`: of the model whose states this one visits. */
interface MessageData {
  readonly program: MessageProgram;
  readonly questions: MessageQuestions;
  readonly memory: SharedArrayBuffer;
}

export function compileMessageRecipe({ data }: Recipe): Model {
  const { program, questions, memory } = data as MessageData;
  return concreteModel(program, questions, memory);
}

const NO_QUESTIONS: MessageQuestions = { invariants: [], formulas: [], asksDeadlock: false };

export function concreteModel(
  program: MessageProgram,
  questions = NO_QUESTIONS,
  memory?: SharedArrayBuffer,
): ConcreteModel {
  const parts = new MessageParts(memory);
  const system = new ConcreteSystem(program, parts, questions.asksDeadlock);
  const offending = offendingIn(program, system);
  const explain: ConcreteModel["explain"] = (property, state, at) => {
    const principal = program.principals[property.principal];
    const provenance = offending(property, state, at) ?? "allowed";
    const rule = `${property.isAllowed ? "not in" : "in"} ${property.text}`;
    const variable = `${principal?.name}.${principal?.variables[property.variable]}`;
    return `the provenance of ${variable} is ${provenance}, which is ${rule}`;
  };
  const judged = [
    ...program.properties.map((property) => ({
      property,
      holds: (state: Words, at: number) => offending(property, state, at) === undefined, // sound: test/compile/messages/conditions.test.ts
      reason: (state: Words, at: number) => explain(property, state, at),
    })),
    ...questions.invariants.map((property) => ({
      property,
      holds: judgeOf(property.condition, program, system),
      reason: () => undefined,
    })),
  ];
  const at = (index: number): (typeof judged)[number] => {
    const found = judged[index];
    if (!found) throw new RangeError(`there is no condition ${index}`);
    return found;
  };
  const temporal = temporalFacet(program, questions, system);
  return {
    system,
    steps: system,
    properties: propertiesOf(program, questions),
    sites: [],
    invariants: judged.map(({ property }) => property),
    holds: (index, state, from) => at(index).holds(state, from),
    coverage: { parts: [], reached: new Uint8Array(0) },
    violationReason: (index, state, from) => at(index).reason(state, from),
    stuck: "no principal can move, and one is not at its end",
    explain,
    numbering: parts.numbers,
    // Memory is shared when the recipe crosses to another thread.
    recipe: {
      maker: MESSAGE_COMPILER,
      data: {
        program,
        questions,
        get memory() {
          return parts.numbers.memory;
        },
      } satisfies MessageData,
    },
    ...(temporal ? { temporal } : {}),
  };
}

/** The provenances of the program, then the questions, in the order of the model's properties. */
export const propertiesOf = (
  program: MessageProgram,
  { invariants, formulas, asksDeadlock }: MessageQuestions,
): readonly Property[] => [
  ...program.properties,
  ...invariants,
  ...formulas,
  ...(asksDeadlock ? [DEADLOCK] : []),
];

const DEADLOCK: Property = { name: "deadlock", kind: "deadlock", span: undefined };

/** The forbidden provenance in a state, as text; undefined: there is none. */
const offendingIn =
  (program: MessageProgram, system: MessageSystem) =>
  (property: ProvenanceProperty, state: Words, at: number): string | undefined => {
    const { principal, variable, when, policy, isAllowed } = property;
    const bad = system.valuesOf(principal, state, at).find((values) => {
      const conditions =
        when?.principal === principal ? [values] : when && system.valuesOf(when.principal, state, at); // sound: test/compile/messages/conditions.test.ts
      const isAsked = !when || conditions?.some((held) => held[when.variable]?.message === when.message); // sound: test/compile/messages/conditions.test.ts
      return isAsked && isInPolicy(policy, values[variable]?.provenance ?? []) !== isAllowed; // sound: test/compile/messages/conditions.test.ts
    });
    return bad && provenanceText(program, bad[variable]?.provenance ?? []);
  };

function judgeOf(condition: MarkingCondition, program: MessageProgram, system: ConcreteSystem): MarkingJudge {
  const judge = markingJudge(condition);
  const all = countsOf(program);
  const counts = new Int32Array(all.length);
  const mentioned = [...placesIn(condition)].flatMap((place) => {
    const count = all[place];
    return count ? [{ place, count }] : [];
  });
  return (state, at) => {
    for (const { place, count } of mentioned) counts[place] = system.countOf(count, state, at); // sound: test/session/message-questions.test.ts
    return judge(counts, 0);
  };
}

function placesIn(condition: MarkingCondition): ReadonlySet<number> {
  switch (condition.kind) {
    case "constant":
      return new Set();
    case "compare":
      return new Set(condition.terms.map(([place]) => place));
    case "not":
      return placesIn(condition.operand);
    case "and":
    case "or":
      return new Set([...placesIn(condition.left), ...placesIn(condition.right)]); // sound: test/session/message-questions.test.ts
  }
}

function temporalFacet(
  program: MessageProgram,
  { formulas }: MessageQuestions,
  system: ConcreteSystem,
): Temporal | undefined {
  if (formulas.length === 0) return undefined;
  const judges = formulas.map(({ conditions }) => conditions.map((each) => judgeOf(each, program, system)));
  const labelled: System = {
    width: system.width,
    compareFrom: system.compareFrom,
    labels: "agents",
    initial: (out) => system.initial(out),
    successors: (state, at, out) => system.successors(state, at, out),
    status: (state, at) => system.status(state, at),
  };
  return observing(
    { system, steps: system, labelled: () => labelled, agents: program.principals.length },
    formulas,
    (index, proposition, state, at) => judges[index]?.[proposition]?.(state, at) ?? false,
  );
}
