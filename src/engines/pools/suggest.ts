/**
 * Repairs suggested by a counterexample: network constraints and conditions of the property, by template, under each of which alone the
 * property is proved, not vacuously.
 *
 * Templates: two attributes of one base tuple that are equal in the counterexample differ; base tuples of one predicate that agree on one
 * attribute and differ on another agree on both; equal attributes of two base predicates differ; an attribute on the left of the property
 * has a value that some rule compares with.
 */
import type { NdlogEvent } from "../../model/ndlog-run.js";
import {
  sumOfVariable,
  variableOfSum,
  type NdlogAtom,
  type NdlogCondition,
  type NdlogProgram,
  type NdlogProperty,
  type NdlogSum,
} from "../../model/ndlog.js";
import { Encoder } from "./encode.js";
import type { Counterexample } from "./counterexample.js";
import { Pool } from "./pool.js";
import { Queries } from "./query.js";
import { verify } from "./verify.js";
import type { Solver } from "../../model/solver.js";

export interface Suggestion {
  /** As it can be written in a specification. */
  readonly text: string;
  readonly kind: "constraint" | "condition";
}

/** Yields between queries. Weaker ones first: a constraint on more tuples excludes fewer networks. */
export function* suggestions(
  program: NdlogProgram,
  property: NdlogProperty,
  { events }: Pick<Counterexample, "events">,
  solver: Solver,
): Generator<undefined, readonly Suggestion[]> {
  const found: Suggestion[] = [];
  let taken = 0;
  for (const { suggestion, repaired, asked } of candidates(program, property, events)) {
    const steps = verify(new Queries(new Pool(repaired, new Encoder(solver.terms)), solver), asked, [], {
      maxUnfoldings: UNFOLDINGS,
      infers: false,
    });
    let step = steps.next();
    while (!step.done) {
      if (++taken > MOST_STEPS) return found;
      yield undefined;
      step = steps.next();
    }
    const { answer } = step.value;
    if (answer.kind === "holds" && !answer.isVacuous) found.push(suggestion); // sound: test/engines/pools/suggest.test.ts
  }
  return found;
}

const UNFOLDINGS = 4;
/** Queries, about: more would take longer than the check. */
const MOST_STEPS = 300;
const MOST_CANDIDATES = 40;

interface Candidate {
  readonly suggestion: Suggestion;
  readonly repaired: NdlogProgram;
  readonly asked: NdlogProperty;
}

function candidates(
  program: NdlogProgram,
  property: NdlogProperty,
  events: readonly NdlogEvent[],
): Candidate[] {
  // The lemmas and annotations of the program may need its constraints alone, which stay.
  const base = events.filter(({ rule }) => rule === undefined);
  const made = new Map<string, Candidate>();
  const add = (atoms: readonly [number, ...number[]], then: Relation): void => {
    const candidate = constrained(program, property, atoms, then);
    made.set(candidate.suggestion.text, candidate);
  };
  base.forEach((one, first) =>
    base.slice(first + 1).forEach((two) => {
      if (one.predicate !== two.predicate) return;
      const [same, other] = partition(one, two);
      for (const i of same)
        for (const j of other) add([one.predicate, two.predicate], { agree: i, equal: j });
    }),
  );
  base.forEach((one) =>
    base.forEach((two) => {
      if (one.predicate >= two.predicate) return;
      one.values.forEach((value, i) =>
        two.values.forEach((other, j) => {
          if (value === other) add([one.predicate, two.predicate], { differ: [i, j] });
        }),
      );
    }),
  );
  for (const { predicate, values } of base)
    values.forEach((value, i) =>
      values.forEach((other, j) => {
        if (i < j && value === other) add([predicate], { differ: [i, j] });
      }),
    );
  for (const candidate of restricted(program, property)) made.set(candidate.suggestion.text, candidate);
  return [...made.values()].slice(0, MOST_CANDIDATES);
}

/** Attributes on which two tuples agree, and others. */
function partition(one: NdlogEvent, two: NdlogEvent): [number[], number[]] {
  const all = one.values.map((_, index) => index);
  return [
    all.filter((index) => one.values[index] === two.values[index]),
    all.filter((index) => one.values[index] !== two.values[index]),
  ];
}

type Relation =
  { readonly differ: readonly [number, number] } | { readonly agree: number; readonly equal: number };

function constrained(
  program: NdlogProgram,
  property: NdlogProperty,
  predicates: readonly [number, ...number[]],
  relation: Relation,
): Candidate {
  const sizes = predicates.map((predicate) => program.predicates[predicate]?.arity ?? 0);
  const first = (tuple: number): number => sizes.slice(0, tuple).reduce((sum, size) => sum + size, 0);
  const last = predicates.length - 1;
  const [left, right] =
    "differ" in relation
      ? [relation.differ[0], first(last) + relation.differ[1]]
      : [relation.equal, first(last) + relation.equal];
  const names = Array.from({ length: first(predicates.length) }, (_, variable) => letter(variable));
  const shared = "agree" in relation ? first(last) + relation.agree : -1;
  const variable = (index: number): number =>
    index === shared && "agree" in relation ? relation.agree : index;
  const atoms = predicates.map((predicate, tuple): NdlogAtom => ({
    predicate,
    args: Array.from({ length: sizes[tuple] ?? 0 }, (_, k) => sumOfVariable(variable(first(tuple) + k))),
  }));
  const equal: NdlogCondition = { kind: "zero", sum: difference(left, right) };
  const then: NdlogCondition = "differ" in relation ? { kind: "not", of: equal } : equal;
  const texts = atoms.map(({ predicate, args }) => {
    const shown = args.map((arg) => names[variableOfSum(arg) ?? 0] ?? "");
    return `${program.predicates[predicate]?.name ?? ""}(${shown.join(",")})`;
  });
  const sign = "differ" in relation ? "!=" : "==";
  const text = `constraint repair { ${texts.join(", ")} => ${names[left] ?? ""} ${sign} ${names[right] ?? ""} }`;
  const when = { atoms, definitions: [], condition: { kind: "constant", value: true } as const };
  const constraint = { name: "repair", variables: names, when, then, span: property.span };
  const repaired = { ...program, constraints: [...program.constraints, constraint] };
  return { suggestion: { kind: "constraint", text }, repaired, asked: property };
}

const letter = (index: number): string =>
  `${String.fromCharCode(65 + (index % 26))}${index < 26 ? "" : Math.floor(index / 26)}`;

const difference = (left: number, right: number): NdlogSum => ({
  parts: [
    { coefficient: 1n, of: { kind: "variable", variable: left } },
    { coefficient: -1n, of: { kind: "variable", variable: right } },
  ],
  constant: 0n,
});

/** The property with `X == c` on its left, for constants of rules. */
function restricted(program: NdlogProgram, property: NdlogProperty): Candidate[] {
  const constants = new Set(program.rules.flatMap(({ body }) => constantsIn(body.condition)));
  const variables = new Set(
    property.when.atoms.flatMap(({ args }) => args.flatMap((arg) => variableOfSum(arg) ?? [])),
  );
  return [...variables].flatMap((variable) =>
    [...constants].map((constant): Candidate => {
      const sum = { parts: sumOfVariable(variable).parts, constant: -constant };
      const condition: NdlogCondition = {
        kind: "and",
        all: [property.when.condition, { kind: "zero", sum }],
      };
      const shown = program.strings.get(constant);
      const text = `${property.variables[variable] ?? ""} == ${shown === undefined ? constant : `"${shown}"`}`;
      return {
        suggestion: { kind: "condition", text },
        repaired: program,
        asked: { ...property, when: { ...property.when, condition } },
      };
    }),
  );
}

/** Values with which a condition compares a variable for equality. */
function constantsIn(condition: NdlogCondition): bigint[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.all.flatMap(constantsIn);
    case "not":
      return constantsIn(condition.of);
    case "zero": {
      const [only, more] = condition.sum.parts;
      if (!only || more || only.of.kind !== "variable") return [];
      return only.coefficient === 1n
        ? [-condition.sum.constant]
        : only.coefficient === -1n
          ? [condition.sum.constant]
          : [];
    }
    default:
      return [];
  }
}
