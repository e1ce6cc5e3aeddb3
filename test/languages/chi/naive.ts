/**
 * χ by the rules of its operational semantics, one clause a rule, on terms and maps: the obvious interpreter. It shares no code with the compiler:
 * scopes carry their values in the term, nothing is renamed, nothing is simplified.
 */
import { LtsBuilder, TAU, type ChiExpr, type ChiTerm, type Lts } from "../../../src/model/index.js";

export type State = Readonly<Record<string, number>>;

/** A term whose scopes carry their current values. */
export type Term =
  | { readonly kind: "eps" | "delta" | "skip" }
  | { readonly kind: "assign"; readonly to: string; readonly value: ChiExpr }
  | { readonly kind: "send"; readonly channel: string; readonly value: ChiExpr }
  | { readonly kind: "receive"; readonly channel: string; readonly to: string }
  | { readonly kind: "guard"; readonly when: ChiExpr; readonly then: Term }
  | { readonly kind: "seq" | "alt" | "par"; readonly left: Term; readonly right: Term }
  | { readonly kind: "star" | "encap"; readonly body: Term }
  | { readonly kind: "scope"; readonly values: State; readonly body: Term };

export type Action =
  | { readonly kind: "tau" }
  | { readonly kind: "aa"; readonly name: string; readonly value: number; readonly isLocal: boolean }
  | { readonly kind: "sa" | "ra" | "ca"; readonly channel: string; readonly value: number };

export interface Step {
  readonly action: Action;
  readonly term: Term;
  readonly state: State;
}

const EPS: Term = { kind: "eps" };
export const DOMAIN = [0, 1, 2];

/** The first argument wins. */
const override = (first: State, second: State): State => ({ ...second, ...first });
const restricted = (state: State, names: readonly string[]): State =>
  Object.fromEntries(Object.entries(state).filter(([name]) => names.includes(name)));

export function fromChi(term: ChiTerm): Term {
  switch (term.kind) {
    case "eps":
    case "delta":
    case "skip":
      return { kind: term.kind };
    case "assign":
      return { kind: "assign", to: term.to.name, value: term.value };
    case "send":
      if (!term.value) throw new Error("a send without data");
      return { kind: "send", channel: term.channel, value: term.value };
    case "receive":
      if (!term.to) throw new Error("a receive without data");
      return { kind: "receive", channel: term.channel, to: term.to.name };
    case "guard":
      return { kind: "guard", when: term.when, then: fromChi(term.then) };
    case "seq":
      return { kind: "seq", left: fromChi(term.first), right: fromChi(term.then) };
    case "alt":
    case "par":
      return { kind: term.kind, left: fromChi(term.left), right: fromChi(term.right) };
    case "star":
    case "encap":
      return { kind: term.kind, body: fromChi(term.body) };
    case "scope":
      return {
        kind: "scope",
        values: Object.fromEntries(term.variables.map(({ name, initial }) => [name, initial[0]])),
        body: fromChi(term.body),
      };
  }
}

function valueOf(expr: ChiExpr, state: State): number {
  switch (expr.kind) {
    case "value":
      return expr.value[0];
    case "place":
      return state[expr.name];
    case "unary":
      return expr.operator === "not" ? 1 - valueOf(expr.of, state) : -valueOf(expr.of, state);
    case "binary": {
      const [a, b] = [valueOf(expr.left, state), valueOf(expr.right, state)];
      const results: Readonly<Record<string, number>> = {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "%": a % b,
        "=": a === b ? 1 : 0,
        "!=": a === b ? 0 : 1,
        "<": a < b ? 1 : 0,
        ">": a > b ? 1 : 0,
        and: a & b,
        or: a | b,
      };
      if (!(expr.operator in results)) throw new Error(`no '${expr.operator}' here`);
      return results[expr.operator];
    }
    default:
      throw new Error(`no '${expr.kind}' here`);
  }
}

/** Rules 1, 6, 8, 11, 13, 15, 18, 20. */
export function ends(p: Term, state: State): boolean {
  switch (p.kind) {
    case "eps":
    case "star":
      return true;
    case "guard":
      return valueOf(p.when, state) === 1 && ends(p.then, state);
    case "seq":
    case "par":
      return ends(p.left, state) && ends(p.right, state);
    case "alt":
      return ends(p.left, state) || ends(p.right, state);
    case "scope":
      return ends(p.body, override(p.values, state));
    case "encap":
      return ends(p.body, state);
    default:
      return false;
  }
}

/** The other rules. */
export function steps(p: Term, state: State): Step[] {
  switch (p.kind) {
    case "eps":
    case "delta":
      return [];
    case "skip":
      return [{ action: { kind: "tau" }, term: EPS, state }]; // rule 2
    case "assign": {
      const value = valueOf(p.value, state); // rule 3
      const action: Action = { kind: "aa", name: p.to, value, isLocal: false };
      return [{ action, term: EPS, state: override({ [p.to]: value }, state) }];
    }
    case "send":
      return [
        { action: { kind: "sa", channel: p.channel, value: valueOf(p.value, state) }, term: EPS, state },
      ]; // rule 4
    case "receive":
      return DOMAIN.map((value) => ({
        action: { kind: "ra", channel: p.channel, value },
        term: EPS,
        state: override({ [p.to]: value }, state),
      })); // rule 5
    case "guard":
      return valueOf(p.when, state) === 1 ? steps(p.then, state) : []; // rule 7
    case "seq":
      return [
        ...(ends(p.left, state) ? steps(p.right, state) : []), // rule 9
        ...steps(p.left, state).map((step): Step => ({ ...step, term: { ...p, left: step.term } })), // rule 10
      ];
    case "alt":
      return [...steps(p.left, state), ...steps(p.right, state)]; // rule 12
    case "star":
      return steps(p.body, state).map((step): Step => ({
        ...step,
        term: { kind: "seq", left: step.term, right: p },
      })); // rule 14
    case "par":
      return parallel(p, state);
    case "scope": {
      const names = Object.keys(p.values);
      return steps(p.body, override(p.values, state)).map(({ action, term, state: after }): Step => ({
        action: action.kind === "aa" && names.includes(action.name) ? { ...action, isLocal: true } : action,
        term: { kind: "scope", values: restricted(after, names), body: term },
        state: override(
          restricted(
            after,
            Object.keys(state).filter((name) => !names.includes(name)),
          ),
          state,
        ),
      })); // rule 19, corrected
    }
    case "encap":
      return steps(p.body, state)
        .filter(({ action: { kind } }) => kind !== "sa" && kind !== "ra")
        .map((step): Step => ({ ...step, term: { kind: "encap", body: step.term } })); // rule 21
  }
}

function parallel(p: Extract<Term, { kind: "seq" | "alt" | "par" }>, state: State): Step[] {
  const left = steps(p.left, state);
  const right = steps(p.right, state);
  const together = (senders: readonly Step[], receivers: readonly Step[], isLeft: boolean): Step[] =>
    senders.flatMap(({ action: sent, term: sender }) =>
      receivers.flatMap(({ action: got, term: receiver, state: after }): Step[] => {
        if (sent.kind !== "sa" || got.kind !== "ra") return [];
        if (sent.channel !== got.channel || sent.value !== got.value) return [];
        const [a, b] = isLeft ? [sender, receiver] : [receiver, sender];
        return [{ action: { ...sent, kind: "ca" }, term: { ...p, left: a, right: b }, state: after }];
      }),
    );
  return [
    ...left.map((step): Step => ({ ...step, term: { ...p, left: step.term } })), // rule 16
    ...right.map((step): Step => ({ ...step, term: { ...p, right: step.term } })),
    ...together(left, right, true), // rule 17
    ...together(right, left, false),
  ];
}

export const LOCAL = "local";

const labelOf = (action: Action): string => {
  switch (action.kind) {
    case "tau":
      return "tau";
    case "aa":
      return `${action.isLocal ? LOCAL : action.name} := ${action.value}`;
    default:
      return `${action.channel}${{ sa: "!", ra: "?", ca: "!?" }[action.kind]}${action.value}`;
  }
};

export interface Configurations {
  readonly count: number;
  /** Different pairs of action and configuration. */
  readonly transitions: number;
  readonly hasDeadlock: boolean;
  /** Every label names the action and the state that it leads to; `√` where a configuration terminates. */
  readonly lts: Lts;
  readonly states: readonly State[];
}

/** All configurations; undefined: more than `most`. */
export function explore(term: Term, state: State, most: number): Configurations | undefined {
  const builder = new LtsBuilder();
  const numbers = new Map<string, number>();
  const all: { readonly term: Term; readonly state: State }[] = [];
  const numberOf = (next: { readonly term: Term; readonly state: State }): number => {
    const key = JSON.stringify([next.term, shown(next.state)]);
    const known = numbers.get(key) ?? all.push(next) - 1;
    numbers.set(key, known);
    return known;
  };
  numberOf({ term, state });
  let transitions = 0;
  let hasDeadlock = false;
  for (let at = 0; at < all.length; at++) {
    if (all.length > most) return undefined;
    const { term: p, state: own } = all[at];
    const seen = new Set<string>();
    for (const step of steps(p, own)) {
      const to = numberOf(step);
      const label = `${labelOf(step.action)} | ${shown(step.state)}`;
      if (seen.has(`${label} ${to}`)) continue;
      seen.add(`${label} ${to}`);
      transitions++;
      builder.add(at, builder.labels.of(label), to);
    }
    const isEnd = ends(p, own);
    if (isEnd) builder.add(at, builder.labels.of("√"), at);
    hasDeadlock ||= seen.size === 0 && !isEnd;
  }
  const lts = builder.finish(all.length, [0]);
  return { count: all.length, transitions, hasDeadlock, lts, states: all.map((each) => each.state) };
}

export const shown = (state: State): string =>
  Object.keys(state)
    .sort()
    .map((name) => `${name}=${state[name]}`)
    .join(" ");

/** The labels of a compiled system as `explore` writes them. */
export function asExplored(lts: Lts, globals: readonly string[]): Lts {
  const { observed } = lts;
  if (!observed) throw new Error("states are not observed");
  const builder = new LtsBuilder();
  for (let s = 0; s < lts.states; s++)
    for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++) {
      const name = lts.actions[t] === TAU ? "tau" : lts.labels[lts.actions[t]];
      const assigned = /^(\w+) := (.*)$/.exec(name);
      const plain = assigned && !globals.includes(assigned[1]) ? `${LOCAL} := ${assigned[2]}` : name;
      const label = plain === "√" ? plain : `${plain} | ${observed.names[observed.numbers[lts.targets[t]]]}`;
      builder.add(s, builder.labels.of(label), lts.targets[t]);
    }
  return builder.finish(lts.states, lts.initial);
}
