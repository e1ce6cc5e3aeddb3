/**
 * Marks the processes that may be explored alone.
 *
 * A process may be explored alone where each of its statements commutes with all steps of others, which can neither enable
 * nor disable it. Stronger than Spin's marking where more can be proved (globals that are never written or used by one
 * process only, channels with one sender or receiver), weaker where Spin's is not sound (`bench/reduction/spin-marking.ts`).
 */
import type {
  Candidacy,
  Edge,
  Expr,
  Location,
  LocationCandidacy,
  Place,
  Program,
  Template,
} from "../../model/index.js";
import { Exclusivity, type Access } from "./exclusivity.js";
import { Readiness } from "./readiness.js";
import {
  childrenOf,
  creatorsOf,
  dies,
  edgesIn,
  edgesOf,
  expressionsAround,
  expressionsIn,
  expressionsOf,
  goesOn,
  sameVariable,
  startingExpressions,
  targetsOf,
  within,
} from "../../model/program-walk.js";
import { nth } from "../../model/known.js";

export interface MarkingOptions {
  /** An access against an `xr` or `xs` is checked for, so that they can be relied on. */
  readonly trustsClaims: boolean;
  /** Expressions that the properties read, in the global scope. Invariants need not be given. */
  readonly observed?: readonly Expr[];
}

export function marking(program: Program, options: MarkingOptions): Candidacy {
  const marker = new Marker(program, options);
  return {
    locations: program.templates.map((template, t) => template.locations.map((l) => marker.location(t, l))),
    creators: program.templates.map(creatorsOf),
    needsCompany: true,
  };
}

/** Whether anything can move changes with every step, so an invariant that asks for it sees all of them. */
export const whyInvariantsSee = ({ invariants }: Program): string | undefined =>
  invariants.some(({ condition }) => [...within(condition)].some((e) => e.kind === "timeout")) // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    ? "an invariant refers to `timeout`"
    : undefined;

/** Why no process of this program can be explored alone, if so. */
export function whyNotReducible(program: Program): string | undefined {
  if (program.rules.usesPriorities) return "processes have priorities"; // sound: test/session/reduction.test.ts
  if (program.templates.some((t) => t.provided)) return "a process has a 'provided' clause"; // sound: test/session/reduction.test.ts
  const all = [...edgesIn(program)].flatMap((e) => [...expressionsOf(e)]);
  for (const e of [...all, ...expressionsAround(program)]) {
    const why = obstacles[e.kind];
    if (why) return why; // sound: test/session/reduction.test.ts
  }
  return whyInvariantsSee(program);
}

const obstacles: Partial<Record<Expr["kind"], string>> = {
  last: "it refers to '_last'",
  "no-progress": "it refers to 'np_'",
  accepting: "it refers to another process's location",
  enabled: "it refers to enabled processes",
  "control-point": "it refers to another process's location",
  at: "it refers to another process's location",
  remote: "it looks at the variables of another process",
  priority: "processes have priorities",
};

class Marker {
  readonly #program: Program;
  readonly #exclusivity: Exclusivity;
  readonly #readiness: Readiness;
  /** The template of the one process that uses a global; `constant` if no step writes it, `shared` otherwise. */
  readonly #ownerOf: readonly (number | "constant" | "shared")[];
  /** Globals that properties look at. */
  readonly #visible: ReadonlySet<number>;
  readonly #countsProcesses: boolean;
  readonly #isReducible: boolean;

  constructor(program: Program, { trustsClaims, observed = [] }: MarkingOptions) {
    this.#program = program;
    const all = [...observed, ...program.invariants.map((i) => i.condition)];
    const inner = all.flatMap((e) => [...within(e)]);
    this.#exclusivity = new Exclusivity(program, all, trustsClaims);
    this.#readiness = new Readiness(program);
    this.#ownerOf = program.globals.map((_, g) => this.#owner(g));
    this.#visible = new Set(inner.flatMap((e) => (e.kind === "load" ? [e.place.variable] : [])));
    // The first values of a process need a process that creates it, beside which none is explored alone in ending.
    this.#countsProcesses = [...expressionsIn(program), ...inner].some((e) => e.kind === "process-count"); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    this.#isReducible = whyNotReducible(program) === undefined && !inner.some((e) => obstacles[e.kind]);
  }

  location(t: number, location: Location): LocationCandidacy {
    if (!this.#isReducible || location.edges.length === 0 || location.inside === "step") return undefined;
    const conditions: Expr[] = [];
    for (const edge of location.edges) {
      const own = this.#transition(t, edge);
      if (!own) return undefined;
      conditions.push(...own);
    }
    const isLast = location.edges.some(dies);
    if (isLast && !this.#mayVanish(t)) return undefined; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return { conditions: isLast ? [...conditions, youngest] : conditions, needsNoCreators: isLast }; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  /** The conditions on which the edge, with all steps that follow at once, is safe; undefined if it never is. */
  #transition(t: number, edge: Edge): Expr[] | undefined {
    const template = nth(this.#program.templates, t);
    const block = reach(template, edge);
    for (const e of block) if (!this.#isSafe(t, e, e === edge)) return undefined;
    if (block.some((e) => this.#readiness.isSeen(t, e.to))) return undefined; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (block.length > 1) {
      const inner = block.filter((e) => e !== edge);
      // Conditions are looked at before the first statement.
      const written = block.flatMap((e) => [...targetsOf(e)]);
      const isWritten = (e: Expr): boolean =>
        e.kind === "load" && written.some((p) => sameVariable(p, e.place));
      if (inner.flatMap((e) => conditionsOf(e)).some((c) => [...within(c)].some(isWritten))) return undefined; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      if (inner.some(dies)) return undefined;
      for (const access of ["send", "receive"] as const) {
        // A second message could find the channel full, or empty, or not, depending on others.
        const talking = block.filter((e) => e.communication?.kind === access);
        if (talking.length > 1 || talking.some((e) => returns(template, e))) return undefined; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      }
    }
    return block.flatMap((e) => conditionsOf(e));
  }

  #isSafe(t: number, edge: Edge, isFirst: boolean): boolean {
    const { guard, communication, effects } = edge;
    if (guard.kind === "condition" && !this.#isStable(t, guard.condition, isFirst)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (communication && !this.#maySpeak(t, edge)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if ([...targetsOf(edge)].some((p) => !this.#mayWrite(t, p))) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return effects.every((e) => {
      switch (e.kind) {
        case "assign":
          return this.#isStable(t, e.value, false); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
        case "assert":
          return this.#isStable(t, e.condition, false); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
        case "print":
          return e.arguments.every((a) => this.#isStable(t, a.value, false)); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
        case "run":
        case "set-priority":
          return false;
        case "die":
          return true;
      }
    });
  }

  /** No step of another process changes the value. `mayAsk`: as long as the channel tests in it hold. */
  #isStable(t: number, e: Expr, mayAsk: boolean): boolean {
    switch (e.kind) {
      case "constant":
      case "self":
        return true;
      case "load":
        return this.#mayRead(t, e.place);
      case "unary":
      case "binary":
      case "conditional":
        return childrenOf(e).every((child) => this.#isStable(t, child, mayAsk));
      case "channel-test": {
        if (!this.#isStable(t, e.channel, false)) return false;
        if (this.#isPrivate(t, e.channel)) return true;
        const access: Access = e.test === "nempty" || e.test === "full" ? "receive" : "send";
        return mayAsk && this.#exclusivity.holds(t, e.channel, access); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      }
      case "length":
      case "poll":
        return childrenOf(e).every((c) => this.#isStable(t, c, false)) && this.#isPrivate(t, e.channel); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      default:
        return false;
    }
  }

  #isPrivate(t: number, channel: Expr): boolean {
    return this.#exclusivity.holds(t, channel, "send") && this.#exclusivity.holds(t, channel, "receive"); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  #maySpeak(t: number, { communication: c }: Edge): boolean {
    if (!c || this.#program.rules.loseWhenFull || !this.#isStable(t, c.channel, false)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (c.kind === "send") {
      if (c.sorted || !this.#isBuffered(c.channel)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      return (
        c.message.every((m) => this.#isStable(t, m, false)) && this.#exclusivity.holds(t, c.channel, "send")
      );
    }
    if (c.random) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    const isStable = c.pattern.every((p) => p.kind !== "match" || this.#isStable(t, p.value, false));
    return isStable && this.#exclusivity.holds(t, c.channel, "receive"); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  /** Certainly no rendezvous. */
  #isBuffered(channel: Expr): boolean {
    const { channelTypes, initialisers } = this.#program;
    if (channelTypes.every((c) => c.capacity > 0)) return true;
    if (channel.kind !== "load" || channel.place.scope !== "global") return false;
    if (this.#ownerOf[channel.place.variable] !== "constant") return false;
    return initialisers.every(
      (i) =>
        i.target.variable !== channel.place.variable ||
        (i.kind === "channel" && nth(channelTypes, i.channelType).capacity > 0),
    );
  }

  #mayRead(t: number, place: Place): boolean {
    const areIndicesStable = place.path.every((s) => s.kind === "field" || this.#isStable(t, s.index, false));
    if (place.scope === "local") return areIndicesStable;
    const owner = nth(this.#ownerOf, place.variable);
    return areIndicesStable && (owner === "constant" || owner === t); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  #mayWrite(t: number, place: Place): boolean {
    if (!this.#mayRead(t, place)) return false;
    return place.scope === "local" || !this.#visible.has(place.variable); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  #owner(g: number): number | "constant" | "shared" {
    const users = new Set<number>();
    let isWritten = false;
    this.#program.templates.forEach((template, t) => {
      for (const edge of edgesOf(template)) {
        for (const p of targetsOf(edge))
          if (p.scope === "global" && p.variable === g) {
            isWritten = true;
            users.add(t);
          }
        for (const e of expressionsOf(edge))
          if (e.kind === "load" && e.place.scope === "global" && e.place.variable === g) users.add(t);
      }
      // The creating process reads the initial values of a new one.
      for (const e of initialLoads(template)) if (e.scope === "global" && e.variable === g) users.add(-1); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    });
    if (!isWritten) return "constant"; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    const [only] = users;
    return only !== undefined && users.size === 1 && only >= 0 && this.#exclusivity.isSingle(only)
      ? only
      : "shared"; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  /** May a process of this template be removed at any time, as far as others can tell? */
  #mayVanish(t: number): boolean {
    const { initialisers, claims } = nth(this.#program.templates, t);
    if (this.#countsProcesses || initialisers.some((i) => i.kind === "channel")) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return claims.every((c) => this.#exclusivity.allClaim(c.access)); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }
}

/** The edge and the edges that the process may take at once after it. */
function reach(template: Template, first: Edge): Edge[] {
  const found = new Set([first]);
  for (const edge of found)
    if (goesOn(template, edge)) for (const next of nth(template.locations, edge.to).edges) found.add(next);
  return [...found];
}

/** Can the process come back to the edge without letting others move? */
function returns(template: Template, edge: Edge): boolean {
  if (!goesOn(template, edge)) return false;
  return nth(template.locations, edge.to).edges.some((next) => reach(template, next).includes(edge));
}

/** Conditions that the channels are neither full nor empty, and that the tests relied on hold. */
function conditionsOf({ guard, communication: c }: Edge): Expr[] {
  const conditions: Expr[] = [];
  if (c)
    conditions.push({
      kind: "channel-test",
      test: c.kind === "send" ? "nfull" : "nempty",
      channel: c.channel,
      site: c.site,
    });
  if (guard.kind === "condition")
    for (const e of within(guard.condition)) if (e.kind === "channel-test") conditions.push(e);
  return conditions;
}

function* initialLoads(template: Template): Generator<Place> {
  for (const start of startingExpressions(template))
    for (const e of within(start)) if (e.kind === "load") yield e.place;
}

const youngest: Expr = {
  kind: "binary",
  op: "==",
  left: { kind: "binary", op: "+", left: { kind: "self" }, right: { kind: "constant", value: 1 }, site: -1 },
  right: { kind: "process-count" },
  site: -1,
};
