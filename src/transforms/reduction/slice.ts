/**
 * Slicing: drops computations that cannot affect the checked properties.
 *
 * A variable is needed when a guard, a message, a checked assertion or a property reads it, or when a needed variable is
 * computed from it. Assignments to other variables are dropped, and received values for them are ignored. No step disappears,
 * so deadlocks and the order of steps are unchanged. Operations that could fail at run time are kept, whether or not run-time
 * errors are checked: a failing step has no successor.
 */
import type { Edge, Effect, Expr, Pattern, Place, Program } from "../../model/index.js";
import { canFailAt, mayStop } from "./failing.js";
import type { Rewriting } from "./rewriting.js";
import {
  edgesOf,
  expressionsAround,
  loadsOf,
  startingExpressions,
  topExpressions,
} from "../../model/program-walk.js";

export interface SliceOptions {
  readonly checksAssertions: boolean;
  /** Expressions that the properties read. Invariants need not be given. */
  readonly observed?: readonly Expr[];
}

export function slice(program: Program, options: SliceOptions): Rewriting {
  const needed = neededVariables(program, options);
  const origins = new Map<Edge, readonly Edge[]>();
  const templates = program.templates.map((template, t) => {
    const isNeeded = (place: Place): boolean => needed.has(keyOf(place, t));
    const locations = template.locations.map((location) => ({
      ...location,
      edges: location.edges.map((edge) => {
        const cut = sliceEdge(edge, isNeeded, options);
        if (cut !== edge) origins.set(cut, [edge]);
        return cut;
      }),
    }));
    return { ...template, locations };
  });
  return { program: { ...program, templates }, origins };
}

function sliceEdge(edge: Edge, isNeeded: (place: Place) => boolean, options: SliceOptions): Edge {
  const effects = edge.effects.filter((e) => isKept(e, isNeeded, options));
  const { communication } = edge;
  const isIgnorable = (p: Pattern): boolean =>
    p.kind === "store" && !isNeeded(p.target) && !canFailAt(p.target); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  if (communication?.kind === "receive" && communication.pattern.some(isIgnorable)) {
    const pattern = communication.pattern.map((p): Pattern => (isIgnorable(p) ? { kind: "ignore" } : p));
    return { ...edge, effects, communication: { ...communication, pattern } };
  }
  return effects.length === edge.effects.length ? edge : { ...edge, effects };
}

function isKept(e: Effect, isNeeded: (place: Place) => boolean, options: SliceOptions): boolean {
  switch (e.kind) {
    case "assign":
      return isNeeded(e.target) || mayStop(e); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    case "assert":
      return options.checksAssertions || mayStop(e); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    case "print":
    case "run":
    case "set-priority":
    case "die":
      return true;
  }
}

/** `g3`: a global; `l2.5`: a local of template 2. */
function neededVariables(program: Program, options: SliceOptions): Set<string> {
  const needed = new Set<string>();
  let size = -1;
  const need = (e: Expr, template: number): void => {
    for (const read of loadsOf(e, template)) needed.add(keyOf(read.place, read.template));
  };
  for (const e of [...expressionsAround(program), ...(options.observed ?? [])]) need(e, -1);
  program.templates.forEach((template, t) => {
    for (const e of startingExpressions(template)) need(e, t);
    if (template.provided) need(template.provided, t);
  });
  while (needed.size !== size) {
    size = needed.size;
    program.templates.forEach((template, t) => {
      const isNeeded = (place: Place): boolean => needed.has(keyOf(place, t));
      for (const edge of edgesOf(template))
        for (const e of readBy(sliceEdge(edge, isNeeded, options))) need(e, t);
    });
  }
  return needed;
}

/** Output is printed when a trace is replayed in the original program: only operations that could fail are needed. */
const readBy = (edge: Edge): Iterable<Expr> =>
  topExpressions({ ...edge, effects: edge.effects.filter((e) => e.kind !== "print" || mayStop(e)) }); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts

const keyOf = (place: Place, template: number): string =>
  place.scope === "global" ? `g${place.variable}` : `l${template}.${place.variable}`;
