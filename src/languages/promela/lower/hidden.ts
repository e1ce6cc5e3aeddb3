/**
 * Adds hidden variables that a step reads to the state.
 *
 * Spin excludes every `hidden` variable from the state vector, so the verdict on a model that reads one depends on the
 * search order: a state counts as visited although another value of the variable has other successors. Here a variable
 * stays hidden only if no value of it survives from one stored state to a read: it is never read, or every read follows
 * a write inside the same indivisible step.
 */
import type { Diagnostic } from "../../../model/diagnostic.js";
import type { Edge, Expr, Place, Program, Template, Variable } from "../../../model/program.js";
import {
  effectExpressions,
  expressionsAround,
  expressionsOf,
  targetOf,
  targetsOf,
  within,
} from "../../../model/program-walk.js";
import { nth } from "../../../model/known.js";

export interface Revealed {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds the hidden variables whose old values the program reads to its state. */
export function revealRead(program: Program): Revealed {
  const hidden = new Set([...program.globals.keys()].filter((g) => nth(program.globals, g).hidden));
  if (hidden.size === 0) return { program, diagnostics: [] };
  const read = readFromBefore(program, hidden);
  const globals = program.globals.map((v, g) => (read.has(g) ? { ...v, hidden: false } : v));
  return {
    program: { ...program, globals },
    diagnostics: [...read].map((g) => note(nth(program.globals, g))),
  };
}

const note = ({ name, span }: Variable): Diagnostic => ({
  code: "promela/hidden-read",
  severity: "warning",
  message: `'${name}' is read, so it is part of the state although it is declared hidden`,
  span,
  hint: "assign it before each read, inside one d_step, to keep it out of the state",
});

function readFromBefore(program: Program, hidden: ReadonlySet<number>): Set<number> {
  const read = new Set<number>();
  const noteReads = (e: Expr, known: ReadonlySet<number>): void => {
    // sound: test/languages/promela/hidden.test.ts
    for (const g of globalsIn(e)) if (hidden.has(g) && !known.has(g)) read.add(g);
  };
  // sound: test/languages/promela/hidden.test.ts
  for (const e of expressionsAround(program)) noteReads(e, NOTHING);
  // sound: test/languages/promela/hidden.test.ts
  for (const e of loadsAnywhere(program.temporal)) noteReads(e, NOTHING);
  for (const template of program.templates) readsOf(template, hidden, noteReads);
  return read;
}

const NOTHING: ReadonlySet<number> = new Set();

/** Reports every expression of the template, with the variables that its step has written before it. */
function readsOf(
  template: Template,
  hidden: ReadonlySet<number>,
  noteReads: (e: Expr, known: ReadonlySet<number>) => void,
): void {
  const written = writtenAt(template, hidden);
  template.locations.forEach(({ edges }, l) => {
    for (const edge of edges) {
      const { effects } = edge;
      // Only effects run in sequence: guards and communications read the values before the edge.
      for (const e of expressionsOf({ ...edge, effects: [] })) noteReads(e, nth(written, l));
      const known = new Set(nth(written, l));
      for (const place of targetsOf({ ...edge, effects: [] })) addWhole(known, place);
      for (const effect of effects) {
        for (const e of effectExpressions(effect)) noteReads(e, known);
        const target = targetOf(effect);
        if (target) addWhole(known, target);
      }
    }
  });
}

/** By location: the hidden variables that every path has written since the indivisible step began. */
function writtenAt({ locations }: Template, hidden: ReadonlySet<number>): ReadonlySet<number>[] {
  // A template begins outside steps, where nothing is written yet. sound: test/languages/promela/hidden.test.ts
  const written = locations.map(({ inside }): Set<number> => new Set(inside === "step" ? hidden : NOTHING));
  for (let changed = true; changed;) {
    changed = false;
    locations.forEach(({ edges }, l) => {
      for (const edge of edges) {
        const after = afterEdge(nth(written, l), edge);
        const target = nth(written, edge.to);
        // sound: test/languages/promela/hidden.test.ts
        for (const g of target) if (!after.has(g) && target.delete(g)) changed = true;
      }
    });
  }
  return written;
}

function afterEdge(before: ReadonlySet<number>, edge: Edge): Set<number> {
  const after = new Set(before);
  for (const place of targetsOf(edge)) addWhole(after, place);
  return after;
}

/** Only a scalar is written as a whole. */
function addWhole(known: Set<number>, { scope, variable, path }: Place): void {
  // sound: test/languages/promela/hidden.test.ts
  if (scope === "global" && path.length === 0) known.add(variable);
}

function* globalsIn(e: Expr): Generator<number> {
  for (const each of within(e))
    // sound: test/languages/promela/hidden.test.ts
    if (each.kind === "load" && each.place.scope === "global") yield each.place.variable;
}

/** All loads in a value of any shape: properties store conditions in several. */
function* loadsAnywhere(value: unknown): Generator<Expr> {
  if (typeof value !== "object" || value === null) return;
  if ((value as { kind?: unknown }).kind === "load") yield value as Expr;
  for (const part of value instanceof Map ? value.values() : Object.values(value)) yield* loadsAnywhere(part);
}
