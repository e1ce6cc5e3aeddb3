/** Walks over a `Program`: edges, their reads and writes, and nested expressions. */
import type { Edge, Effect, Expr, Initialiser, Pattern, Place, Program, Template } from "./program.js";
import { nth } from "./known.js";

/** The expression and everything inside it. */
export function* within(e: Expr): Generator<Expr> {
  yield e;
  for (const child of childrenOf(e)) yield* within(child);
}

/** Every expression of an edge, including nested ones and indices of written places. */
export function* expressionsOf(edge: Edge): Generator<Expr> {
  for (const e of topExpressions(edge)) yield* within(e);
}

/** The places an edge writes. */
export function* targetsOf(edge: Edge): Generator<Place> {
  const { communication, effects } = edge;
  if (communication?.kind === "receive")
    for (const p of communication.pattern) if (p.kind === "store") yield p.target;
  for (const e of effects) {
    const target = targetOf(e);
    if (target) yield target;
  }
}

export const targetOf = (e: Effect): Place | undefined =>
  e.kind === "assign" || e.kind === "run" ? e.target : undefined;

/** Every expression that is part of the program outside of its edges: initialisers, arguments, clauses, conditions. */
export function* expressionsAround(program: Program): Generator<Expr> {
  for (const i of program.initialisers) yield* initialiserExpressions(i);
  for (const { arguments: values } of program.instances) for (const a of values) yield* within(a);
  for (const { condition } of program.invariants) yield* within(condition);
  // sound: test/languages/promela/trace-ends.test.ts
  if (program.endCondition) yield* within(program.endCondition);
  for (const t of program.templates) {
    for (const e of startingExpressions(t)) yield* within(e);
    if (t.provided) yield* within(t.provided);
  }
}

/** Expressions evaluated at the creation of a process: initialisers and claims. */
export function* startingExpressions({ initialisers, claims }: Template): Generator<Expr> {
  for (const i of initialisers) {
    yield* indices(i.target);
    if (i.kind === "value") yield i.value;
  }
  for (const { channel } of claims) yield channel;
}

export function* edgesOf(template: Template): Generator<Edge> {
  for (const location of template.locations) yield* location.edges;
}

export function* edgesIn(program: Program): Generator<Edge> {
  for (const template of program.templates) yield* edgesOf(template);
}

function* initialiserExpressions(i: Initialiser): Generator<Expr> {
  yield* placeExpressions(i.target);
  if (i.kind === "value") yield* within(i.value);
}

/** Goes the process on after this edge without letting others move? */
export const goesOn = (template: Template, edge: Edge): boolean =>
  edge.keepsControl || nth(template.locations, edge.to).inside === "step";

export const dies = (edge: Edge): boolean => edge.effects.some((e) => e.kind === "die");

export const creates = (edge: Edge): boolean => edge.effects.some((e) => e.kind === "run");

export const sameVariable = (a: Place, b: Place): boolean => a.scope === b.scope && a.variable === b.variable;

/** Every expression of an edge, without those inside others. */
export function* topExpressions(edge: Edge): Generator<Expr> {
  const { guard, communication, effects } = edge;
  if (guard.kind === "condition") yield guard.condition;
  if (communication) {
    yield communication.channel;
    if (communication.kind === "send") yield* communication.message;
    else yield* patternExpressions(communication.pattern);
  }
  for (const effect of effects) yield* effectExpressions(effect);
}

export function* effectExpressions(e: Effect): Generator<Expr> {
  const target = targetOf(e);
  if (target) yield* indices(target);
  switch (e.kind) {
    case "assign":
      yield e.value;
      return;
    case "assert":
      yield e.condition;
      return;
    case "print":
      for (const a of e.arguments) yield a.value;
      return;
    case "run":
      yield* e.arguments;
      if (e.priority) yield e.priority;
      return;
    case "set-priority":
      yield e.process;
      yield e.value;
      return;
    case "die":
  }
}

function* patternExpressions(pattern: readonly Pattern[]): Generator<Expr> {
  for (const p of pattern) {
    if (p.kind === "match") yield p.value;
    if (p.kind === "store") yield* indices(p.target);
  }
}

function* placeExpressions(place: Place): Generator<Expr> {
  for (const index of indices(place)) yield* within(index);
}

function* indices(place: Place): Generator<Expr> {
  for (const step of place.path) if (step.kind === "index") yield step.index;
}

export function childrenOf(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "load":
      return [...indices(e.place)];
    case "unary":
      return [e.operand];
    case "binary":
      return [e.left, e.right];
    case "conditional":
      return [e.test, e.then, e.otherwise];
    case "length":
    case "channel-test":
      return [e.channel];
    case "poll":
      return [e.channel, ...patternExpressions(e.pattern)];
    case "enabled":
    case "control-point":
    case "priority":
      return [e.process];
    case "at":
      return e.process ? [e.process] : [];
    case "remote":
      return [...(e.process ? [e.process] : []), ...indices(e.place)];
    case "constant":
    case "self":
    case "process-count":
    case "last":
    case "timeout":
    case "no-progress":
    case "accepting":
      return [];
  }
}

/** By location: can a process at this location still create another? */
export function creatorsOf(template: Template): boolean[] {
  const can = template.locations.map((l) => l.edges.some(creates));
  for (let changed = true; changed;) {
    changed = false;
    template.locations.forEach((l, i) => {
      if (can[i] || !l.edges.some((e) => can[e.to])) return;
      can[i] = changed = true;
    });
  }
  return can;
}

/** Every expression in the code of the processes. */
export function* expressionsIn(program: Program): Generator<Expr> {
  for (const edge of edgesIn(program)) yield* expressionsOf(edge);
}

/** Loads of an expression of template `t`, with the template of a local variable. */
export function* loadsOf(
  e: Expr,
  t: number,
): Generator<{ readonly place: Place; readonly template: number }> {
  if (e.kind === "load") yield { place: e.place, template: t };
  if (e.kind !== "remote") {
    for (const child of childrenOf(e)) yield* loadsOf(child, t);
    return;
  }
  yield { place: e.place, template: e.template };
  if (e.process) yield* loadsOf(e.process, t);
  // They belong to the process that is looked at.
  for (const index of indices(e.place)) yield* loadsOf(index, e.template);
}

/** `template.slot` of every local that one of the expressions looks at from outside of its process. */
export function remoteReads(all: Iterable<Expr>): Set<string> {
  const found = new Set<string>();
  for (const e of all)
    if (e.kind === "remote")
      for (const { place, template } of loadsOf(e, -1))
        if (place.scope === "local") found.add(`${template}.${place.variable}`);
  return found;
}

/** `template.location` of every location that the expressions refer to. */
export function watchedPlaces(all: Iterable<Expr>): Set<string> {
  const found = new Set<string>();
  for (const e of all) if (e.kind === "at") for (const l of e.locations) found.add(`${e.template}.${l}`);
  return found;
}
