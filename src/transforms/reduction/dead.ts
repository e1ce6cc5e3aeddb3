/**
 * Sets dead variables to 0, so that states which differ only in values that are never read coincide.
 *
 * A local scalar is dead after a statement when no path reads it before writing it. As in Spin it is reset by the statements
 * that use it last: conditions and receives that read it, and every write. Arrays, records and channel variables are left
 * alone (the element is unknown), and so are variables that another process can read.
 */
import type { Edge, Effect, Expr, Place, Program, Template } from "../../model/index.js";
import {
  expressionsAround,
  expressionsIn,
  expressionsOf,
  remoteReads,
  targetsOf,
  within,
} from "../../model/program-walk.js";
import type { Rewriting } from "./rewriting.js";
import { nth } from "../../model/known.js";

/** `observed`: expressions of temporal properties. */
export function resetDead(program: Program, observed: readonly Expr[] = []): Rewriting {
  const remote = remotelyRead(program, observed);
  const origins = new Map<Edge, readonly Edge[]>();
  const templates = program.templates.map((template, t) => {
    const life = new Life(template, (slot) => remote.has(`${t}.${slot}`));
    const locations = template.locations.map((location) => ({
      ...location,
      edges: location.edges.map((edge) => {
        const dead = location.inside === "step" ? [] : life.deadAfter(edge);
        if (dead.length === 0) return edge;
        const changed = { ...edge, effects: [...edge.effects, ...dead.map(reset)] };
        origins.set(changed, [edge]);
        return changed;
      }),
    }));
    return { ...template, locations };
  });
  return { program: { ...program, templates }, origins };
}

class Life {
  readonly #template: Template;
  readonly #isKept: (slot: number) => boolean;
  /** By slot: the locations from which some path reads it before writing it. */
  readonly #readFrom = new Map<number, readonly boolean[]>();

  constructor(template: Template, isKept: (slot: number) => boolean) {
    this.#template = template;
    this.#isKept = isKept;
  }

  /** The scalars to reset after this edge. */
  deadAfter(edge: Edge): Place[] {
    if (nth(this.#template.locations, edge.to).inside === "step") return [];
    const isLastReader = edge.guard.kind === "condition" || edge.communication?.kind === "receive";
    const used = [
      ...(isLastReader ? readScalars(edge) : []),
      ...writtenScalars(edge).filter(isNotZeroed(edge)),
    ];
    const dead = new Map<number, Place>();
    for (const place of used)
      // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      if (this.#isResettable(place.variable) && !this.#isReadFrom(place.variable, edge.to))
        dead.set(place.variable, place);
    return [...dead.values()];
  }

  #isResettable(slot: number): boolean {
    const { type } = nth(this.#template.locals, slot);
    return type.kind === "scalar" && type.display.kind !== "channel" && !this.#isKept(slot); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  #isReadFrom(slot: number, location: number): boolean {
    const known = this.#readFrom.get(slot) ?? readers(this.#template, slot);
    this.#readFrom.set(slot, known);
    return nth(known, location);
  }
}

/** By location: can the value that the variable has there still be read? */
function readers(template: Template, slot: number): boolean[] {
  const isMine = (p: Place): boolean => p.scope === "local" && p.variable === slot;
  const reads = template.locations.map((l) => l.edges.map((e) => [...readPlaces(e)].some(isMine)));
  const writes = template.locations.map((l) => l.edges.map((e) => writtenScalars(e).some(isMine)));
  const found = reads.map((r) => r.includes(true));
  for (let changed = true; changed;) {
    changed = false;
    template.locations.forEach((location, l) => {
      if (found[l]) return;
      if (location.edges.some((e, i) => !nth(writes, l)[i] && found[e.to])) found[l] = changed = true; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    });
  }
  return found;
}

function* readPlaces(edge: Edge): Generator<Place> {
  for (const e of expressionsOf(edge)) if (e.kind === "load") yield e.place;
}

/** Without elements of arrays, of which it is not known which one is meant. */
const readScalars = (edge: Edge): Place[] => [...readPlaces(edge)].filter(isWholeLocal);

const writtenScalars = (edge: Edge): Place[] => [...targetsOf(edge)].filter(isWholeLocal);

const isWholeLocal = (place: Place): boolean => place.scope === "local" && place.path.length === 0;

/** Not set to 0 by the edge itself. */
const isNotZeroed =
  (edge: Edge) =>
  (place: Place): boolean =>
    !edge.effects.some(
      (e) =>
        e.kind === "assign" &&
        e.target.variable === place.variable &&
        isWholeLocal(e.target) &&
        e.value.kind === "constant" &&
        e.value.value === 0,
    );

const reset = (target: Place): Effect => ({ kind: "assign", target, value: { kind: "constant", value: 0 } });

/** `template.slot` of every local that is looked at from outside of its process, or whenever it might move. */
function remotelyRead(program: Program, observed: readonly Expr[]): Set<string> {
  const seen = observed.flatMap((e) => [...within(e)]);
  const found = remoteReads([...expressionsIn(program), ...expressionsAround(program), ...seen]);
  program.templates.forEach(({ provided }, t) => {
    for (const e of provided ? within(provided) : [])
      if (e.kind === "load" && e.place.scope === "local") found.add(`${t}.${e.place.variable}`);
  });
  return found;
}
