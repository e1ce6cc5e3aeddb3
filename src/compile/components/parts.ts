/** The small automata of a controller: life-cycle, binding of an interface, behaviour, plan of operations. Labels in parentheses are conditions. */
import {
  LtsBuilder,
  TAU,
  TAU_NAME,
  type ComponentVersion,
  type Lts,
  type NetworkPart,
  type Origins,
  type Span,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

export const IS_STARTED = "(started)";
export const IS_STOPPED = "(stopped)";
/** Of components that are added or removed. */
export const IS_PRESENT = "(present)";
export const IS_UNBOUND = "(unbound)";
export const IS_DONE = "(done)";
export const to = (target: string): string => `(to ${target})`;
export const bindTo = (target: string): string => `bind ${target}`;
/** The behaviour could take the step. */
export const able = (label: string): string => `(able ${label})`;
export const has = (name: string): string => `(has ${name})`;
/** τ of a behaviour is a step of the controller, since a stopped component takes none. */
export const SILENT = "(silent)";

/** A part that is built while vectors are. */
export interface Draft {
  readonly name: string;
  readonly owner: string;
  readonly states: readonly string[];
  readonly builder: LtsBuilder;
  readonly initial: number;
  readonly origins?: (order: Int32Array) => Origins;
}

export function finished({ name, owner, states, builder, initial, origins }: Draft): NetworkPart {
  const { lts, order } = builder.finishWithOrder(states.length, [initial]);
  return { name, lts: origins ? { ...lts, origins: origins(order) } : lts, owner, states };
}

const draft = (name: string, owner: string, states: readonly string[], initial = 0): Draft => ({
  name,
  owner,
  states,
  builder: new LtsBuilder(),
  initial,
});

const edge = ({ builder }: Draft, from: number, label: string, target: number): void =>
  builder.add(from, builder.labels.of(label), target);

const [STOPPED, STARTED, ABSENT] = [0, 1, 2];

export interface Presence {
  /** Absent at first. */
  readonly isAdded: boolean;
  readonly isRemoved: boolean;
}

export function lifeCycle(name: string, owner: string, { isAdded, isRemoved }: Presence): Draft {
  const states = ["stopped", "started", ...(isAdded || isRemoved ? ["absent"] : [])];
  const life = draft(name, owner, states, isAdded ? ABSENT : STOPPED);
  for (const from of [STOPPED, STARTED]) {
    edge(life, from, "start", STARTED);
    edge(life, from, "stop", STOPPED);
  }
  edge(life, STOPPED, IS_STOPPED, STOPPED);
  edge(life, STARTED, IS_STARTED, STARTED);
  if (!isAdded && !isRemoved) return life;
  for (const present of [STOPPED, STARTED]) edge(life, present, IS_PRESENT, present);
  // What is absent does not hinder the others.
  for (const label of ["start", "stop"]) edge(life, ABSENT, label, ABSENT);
  if (isAdded) edge(life, ABSENT, "add", STOPPED);
  if (isRemoved) edge(life, STOPPED, "remove", ABSENT);
  return life;
}

export interface BindingDraft extends Draft {
  readonly targets: readonly string[];
}

/** `comes`: whether updates bring or take the interface; `later`: it is absent at first. */
export function binding(
  name: string,
  owner: string,
  targets: readonly string[],
  comes: "always" | "sometimes" | "later" = "always",
): BindingDraft {
  const states = ["unbound", ...targets, ...(comes === "always" ? [] : ["absent"])];
  const absent = states.length - 1;
  const made = draft(name, owner, states, comes === "later" ? absent : 0);
  edge(made, 0, IS_UNBOUND, 0);
  for (const [i, target] of targets.entries()) {
    edge(made, 0, bindTo(target), i + 1);
    edge(made, i + 1, "unbind", 0);
    edge(made, i + 1, to(target), i + 1);
  }
  if (comes !== "always") {
    edge(made, 0, "vanish", absent);
    edge(made, absent, "appear", 0);
  }
  return { ...made, targets };
}

/** Adds the condition that it is bound to none of them; its label. */
export function notTo(made: BindingDraft, excluded: ReadonlySet<string>): string {
  const label = `(not ${[...excluded].join(", ")})`;
  if (made.builder.labels.find(label) !== undefined) return label;
  for (const [state, target] of made.states.entries())
    if (!excluded.has(target)) edge(made, state, label, state);
  return label;
}

/** All versions of a behaviour, one after the other. */
export function behaviour(name: string, owner: string, versions: readonly ComponentVersion[]): Draft {
  const firsts: number[] = [];
  const states: string[] = [];
  for (const [i, { behaviour: lts }] of versions.entries()) {
    firsts.push(states.length);
    for (let s = 0; s < lts.states; s++) states.push(i === 0 ? `${s}` : `${s} of ${nth(versions, i).name}`);
  }
  const made = draft(name, owner, states, nth(nth(versions, 0).behaviour.initial, 0));
  const spans: (readonly Span[])[] = [];
  const add = (from: number, label: string, target: number, span: readonly Span[] = []): void => {
    edge(made, from, label, target);
    spans.push(span);
  };
  for (const [i, { behaviour: lts, interfaces }] of versions.entries()) {
    const first = nth(firsts, i);
    const seen = new Set<string>();
    eachTransition(lts, (from, label, target, span) => {
      add(first + from, label === TAU_NAME ? SILENT : label, first + target, span);
      const key = `${from} ${label}`;
      if (!label.startsWith("!") || seen.has(key)) return;
      seen.add(key);
      add(first + from, able(label), first + from, span);
    });
    for (let s = 0; s < lts.states; s++) for (const own of interfaces) add(first + s, has(own), first + s);
  }
  return { ...made, origins: (order) => originsOf(spans, order) };
}

/** Adds the steps by which a version replaces the one before. */
export function updating(
  made: Draft,
  versions: readonly ComponentVersion[],
  version: number,
  map: readonly number[] | undefined,
): string {
  const label = `update ${version}`;
  const firstOf = (v: number): number =>
    versions.slice(0, v).reduce((sum, { behaviour: lts }) => sum + lts.states, 0);
  for (const [from, target] of (map ?? []).entries())
    if (target >= 0) edge(made, firstOf(version - 1) + from, label, firstOf(version) + target);
  return label;
}

/**
 * Operations in order. The system is deployed after `deployed` of them; the others need not happen, so that what is wrong before them
 * is not hidden by them.
 */
export function plan(
  operations: readonly { readonly label: string; readonly span: Span }[],
  deployed: number,
): Draft {
  const count = operations.length;
  const isOpen = deployed < count;
  const states = Array.from({ length: count + 1 }, (_, i) =>
    i === deployed ? "deployed" : `${i} of ${count}`,
  );
  const made = draft("plan", "plan", isOpen ? [...states, "nothing more"] : states);
  const spans: (readonly Span[])[] = [];
  const add = (from: number, label: string, target: number, span: readonly Span[] = []): void => {
    edge(made, from, label, target);
    spans.push(span);
  };
  for (const [i, { label, span }] of operations.entries()) add(i, label, i + 1, [span]);
  add(count, IS_DONE, count);
  if (isOpen) {
    // sound: test/compile/components.test.ts
    made.builder.add(deployed, TAU, count + 1);
    spans.push([]);
    add(count + 1, IS_DONE, count + 1);
  }
  return { ...made, origins: (order) => originsOf(spans, order) };
}

function originsOf(spans: readonly (readonly Span[])[], order: Int32Array): Origins {
  const numbers = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) numbers[order[i]] = i;
  return { numbers, spansOf: (number) => spans[number] ?? [] };
}

function eachTransition(
  { states, firsts, actions, targets, labels, origins }: Lts,
  visit: (from: number, label: string, target: number, span: readonly Span[]) => void,
): void {
  for (let from = 0; from < states; from++)
    for (let t = nth(firsts, from); t < nth(firsts, from + 1); t++)
      visit(
        from,
        nth(labels, nth(actions, t)),
        nth(targets, t),
        origins ? origins.spansOf(nth(origins.numbers, t)) : [],
      );
}
