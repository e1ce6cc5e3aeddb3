/**
 * Provenance of messages: the principals that they have passed, and policies about it.
 *
 * A `Provenance` is a list of numbers: in the domain `language` the principals that have sent the message, in order; in
 * `set` the same without order or repetition; in a declared domain one number, a class of the domain's own.
 *
 * Membership is decided here directly on the policy as written (partial derivatives of expressions, sets of automaton states):
 * slow and obvious. Engines make automata of policies by other means, so that the two check each other.
 */
export type ProvenanceDomain =
  | { readonly kind: "language" }
  | { readonly kind: "set" }
  | {
      readonly kind: "declared";
      readonly name: string;
      /** Names of the classes; class 0 belongs to new messages. */
      readonly classes: readonly string[];
      readonly steps: readonly DomainStep[];
    };

/** Effects of events on classes; events without a step do not change a class. */
export interface DomainStep {
  readonly from: number;
  readonly event: DomainEvent;
  readonly to: number;
}

/** The principal, or -1 for any; likewise the operation. */
export type DomainEvent =
  | { readonly kind: "send" | "receive"; readonly principal: number }
  | { readonly kind: "operation"; readonly operation: number; readonly principal: number };

/** Sets of provenances. Letters are principals. */
export type Policy =
  | { readonly kind: "words"; readonly expression: WordExpression }
  | { readonly kind: "automaton"; readonly automaton: WordAutomaton }
  /** No other principal has sent it. */
  | { readonly kind: "subset"; readonly principals: readonly number[] }
  /** All of one of these have sent it. */
  | { readonly kind: "contains"; readonly sets: readonly (readonly number[])[] }
  | { readonly kind: "classes"; readonly classes: readonly number[] };

export type WordExpression =
  | { readonly kind: "empty" }
  | { readonly kind: "letters"; readonly principals: readonly number[] }
  | { readonly kind: "sequence"; readonly first: WordExpression; readonly second: WordExpression }
  | { readonly kind: "choice"; readonly options: readonly WordExpression[] }
  | { readonly kind: "repeat"; readonly body: WordExpression };

/** Nondeterministic; missing steps reject. */
export interface WordAutomaton {
  readonly states: number;
  readonly initial: number;
  readonly accepting: readonly number[];
  readonly steps: readonly { readonly from: number; readonly letter: number; readonly to: number }[];
}

export type Provenance = readonly number[];

export const nowhere: Provenance = [];

export function provenanceAfter(
  domain: ProvenanceDomain,
  event: DomainEvent,
  provenance: Provenance,
): Provenance {
  if (domain.kind === "declared") {
    const next = classAfter(domain.steps, event, provenance[0] ?? 0);
    return next === 0 ? nowhere : [next];
  }
  if (event.kind !== "send") return provenance;
  if (domain.kind === "language") return [...provenance, event.principal];
  return provenance.includes(event.principal)
    ? provenance
    : [...provenance, event.principal].sort((a, b) => a - b);
}

/** A step for that principal or that operation goes before one for any. */
export function classAfter(steps: readonly DomainStep[], event: DomainEvent, from: number): number {
  const fitting = steps.filter((step) => step.from === from && isSameEvent(step.event, event));
  return (fitting.find((step) => isParticular(step.event)) ?? fitting[0])?.to ?? from; // sound: test/model/provenance.test.ts
}

const isSameEvent = (step: DomainEvent, event: DomainEvent): boolean => {
  if (step.kind === "operation")
    return event.kind === "operation" && (step.operation < 0 || step.operation === event.operation); // sound: test/model/provenance.test.ts
  return step.kind === event.kind && (step.principal < 0 || step.principal === event.principal); // sound: test/model/provenance.test.ts
};

const isParticular = (step: DomainEvent): boolean =>
  (step.kind === "operation" ? step.operation : step.principal) >= 0; // sound: test/model/provenance.test.ts

export function isInPolicy(policy: Policy, provenance: Provenance): boolean {
  const reader = policyReader(policy);
  return reader.accepts(provenance.reduce((state, letter) => reader.read(state, letter), reader.start));
}

/** Reads a provenance letter by letter. Texts identify states. */
export interface PolicyReader {
  readonly start: string;
  read(state: string, letter: number): string;
  accepts(state: string): boolean;
}

export function policyReader(policy: Policy): PolicyReader {
  switch (policy.kind) {
    case "words":
      return expressionReader(policy.expression);
    case "automaton":
      return automatonReader(policy.automaton);
    case "subset":
      return {
        start: "",
        read: (state, letter) => (policy.principals.includes(letter) ? state : "other"),
        accepts: (state) => state === "",
      };
    case "contains":
      return {
        start: "",
        read: (state, letter) => [...new Set([...numbersIn(state), letter])].sort((a, b) => a - b).join(),
        accepts: (state) => {
          const seen = numbersIn(state);
          return policy.sets.some((set) => set.every((principal) => seen.includes(principal)));
        },
      };
    case "classes":
      return {
        start: "0",
        read: (_, letter) => `${letter}`,
        accepts: (state) => policy.classes.includes(Number(state)),
      };
  }
}

const numbersIn = (list: string): number[] => (list === "" ? [] : list.split(",").map(Number));

function automatonReader({ initial, accepting, steps }: WordAutomaton): PolicyReader {
  return {
    start: `${initial}`,
    read: (state, letter) => {
      const from = numbersIn(state);
      const next = steps.filter((step) => step.letter === letter && from.includes(step.from));
      return [...new Set(next.map(({ to }) => to))].sort((a, b) => a - b).join();
    },
    accepts: (state) => numbersIn(state).some((each) => accepting.includes(each)),
  };
}

/** A state is a set of expressions, one of which the rest of the word must match (Antimirov's partial derivatives). */
function expressionReader(expression: WordExpression): PolicyReader {
  const texts = (all: readonly WordExpression[]): string =>
    [...new Set(all.map((each) => JSON.stringify(each)))].sort().join("\n");
  const parts = (state: string): WordExpression[] =>
    state === "" ? [] : state.split("\n").map((text) => JSON.parse(text) as WordExpression);
  return {
    start: texts([expression]),
    read: (state, letter) => texts(parts(state).flatMap((part) => derivatives(part, letter))),
    accepts: (state) => parts(state).some(matchesEmpty),
  };
}

function matchesEmpty(expression: WordExpression): boolean {
  switch (expression.kind) {
    case "empty":
    case "repeat":
      return true;
    case "letters":
      return false;
    case "sequence":
      return matchesEmpty(expression.first) && matchesEmpty(expression.second);
    case "choice":
      return expression.options.some(matchesEmpty);
  }
}

function derivatives(expression: WordExpression, letter: number): WordExpression[] {
  const then = (rest: WordExpression) => (first: WordExpression) => sequence(first, rest);
  switch (expression.kind) {
    case "empty":
      return [];
    case "letters":
      return expression.principals.includes(letter) ? [{ kind: "empty" }] : [];
    case "sequence": {
      const { first, second } = expression;
      const inFirst = derivatives(first, letter).map(then(second));
      return matchesEmpty(first) ? [...inFirst, ...derivatives(second, letter)] : inFirst;
    }
    case "choice":
      return expression.options.flatMap((option) => derivatives(option, letter));
    case "repeat":
      return derivatives(expression.body, letter).map(then(expression));
  }
}

const sequence = (first: WordExpression, second: WordExpression): WordExpression =>
  first.kind === "empty" ? second : { kind: "sequence", first, second };
