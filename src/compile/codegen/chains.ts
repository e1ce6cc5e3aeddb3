/** Steps that continue inside the current entry: indivisible ones, and atomic sequences until they branch. */
import type { Edge, Location } from "../../model/index.js";
import { MOST_STEPS_INSIDE } from "../limits.js";
import type { Attempts } from "./attempts.js";
import type { Emitter } from "./expressions.js";
import type { Rendezvous } from "./rendezvous.js";
import { sum, type Scope } from "./scope.js";
import type { Taking } from "./taking.js";
import { block, entryOf, type Unit } from "./unit.js";

/** Longer atomic sequences are left to the search, which detects cycles. */
const MOST_STEPS_IN_ENTRY = 1_000;

export class Chains {
  readonly #em: Emitter;
  readonly #taking: Taking;
  readonly #rendezvous: Rendezvous;
  readonly #attempts: Attempts;

  constructor(em: Emitter, taking: Taking, rendezvous: Rendezvous, attempts: Attempts) {
    this.#em = em;
    this.#taking = taking;
    this.#rendezvous = rendezvous;
    this.#attempts = attempts;
  }

  /** Locations at which chains continue: targets of edges that continue, unless the code there is part of the edge's. */
  locations(unit: Unit): number[] {
    const { locations } = this.#taking.template(unit);
    const targets = new Set<number>();
    for (const location of locations)
      for (const edge of location.edges) if (this.#taking.goesOn(unit, edge)) targets.add(edge.to);
    const between = this.#taking.straight(unit).locations;
    return [...targets].filter((l) => !between.has(l)).sort((a, b) => a - b);
  }

  link(unit: Unit, l: number): string {
    const location = this.#taking.template(unit).locations[l]!;
    return location.inside === "step" ? this.#stepLink(unit, location) : this.#atomicLink(unit, location);
  }

  /** Inside an indivisible step: executes the first executable edge. */
  #stepLink(outer: Unit, location: Location): string {
    const unit = { ...outer, isInStep: true };
    const lines = location.edges.map((e) => `${this.#taking.comment(e)}${this.#linkEdge(unit, location, e)}`);
    const blocked = `${this.#em.bad(location.blockedSite)}; return;`;
    return `${this.#counted(unit, MOST_STEPS_INSIDE, blocked)}${lines.join("\n")}\n${blocked}`;
  }

  /** Ends chains that may not end by themselves. */
  #counted(unit: Unit, most: number, leave: string): string {
    return this.#taking.straight(unit).isCyclic ? `if (++steps > ${most}) { ${leave} }\n` : "";
  }

  #linkEdge(unit: Unit, location: Location, edge: Edge): string {
    const scope = entryOf(unit);
    const body = (communicate: string): string => this.#take(unit, location, edge, communicate);
    if (edge.guard.kind === "else") return `{\n${body("")}\n}`;
    return this.#taking.placed(edge, () => this.#attempts.attempt(unit, edge, scope, body, location));
  }

  /** Executes an edge inside a chain, then continues or returns. */
  #take(unit: Unit, location: Location, edge: Edge, communicate: string): string {
    return [
      communicate,
      this.#taking.effects(unit, edge),
      this.#taking.coverage(unit, location, edge),
      this.#taking.follow(unit, edge, (to) => `{ at = ${to}; continue; }`),
      "return;",
    ].join("\n");
  }

  /** Inside an atomic sequence: continues while exactly one edge is executable; loses control when none is. */
  #atomicLink(unit: Unit, location: Location): string {
    const leave = this.#leaveIntermediate(unit);
    // sound: test/compile/cases/control.test.ts
    if (!this.#isSimple(unit, location)) return leave;
    return `${this.#counted(unit, MOST_STEPS_IN_ENTRY, leave)}${this.#onlyEdge(unit, location, leave)}`;
  }

  #onlyEdge(unit: Unit, location: Location, leave: string): string {
    if (location.edges.length === 0) return "return;";
    if (location.edges.length === 1) return `${this.#linkEdge(unit, location, location.edges[0]!)}\nreturn;`;
    const scope = entryOf(unit);
    const names = location.edges.map(() => this.#em.temporary());
    const tests = location.edges.map(
      (edge, i) => `${names[i]} = ${this.#conditionOf(edge, scope, names, i)} ? 1 : 0;`,
    );
    // sound: test/compile/cases/control.test.ts
    const fault = this.#em.takeFaultFlag() ? `if (fault !== 0) { fault = 0; ${leave} }` : "";
    const total = `${names.join(" + ")}`;
    const taken = location.edges.map((edge, i) =>
      block(`if (${names[i]} !== 0)`, this.#take(unit, location, edge, "")),
    );
    // sound: test/compile/cases/control.test.ts
    return `${tests.join("\n")}\n${fault}\nif (${total} > 1) { ${leave} }\n${taken.join("\n")}\nreturn;`;
  }

  #conditionOf(edge: Edge, scope: Scope, names: readonly string[], i: number): string {
    if (edge.guard.kind === "condition") return this.#em.test(edge.guard.condition, scope);
    // sound: test/compile/cases/control.test.ts
    if (edge.guard.kind === "else") return `(${names.slice(0, i).join(" + ")} === 0)`;
    return "true";
  }

  /** Can the chain decide which edge runs? */
  #isSimple(unit: Unit, location: Location): boolean {
    const { edges } = location;
    // sound: test/compile/cases/control.test.ts
    if (this.#em.program.rules.usesPriorities || this.#taking.template(unit).provided) return false;
    // Leaves escapes to the search, though a chain would choose likewise: the escape or the interrupted edge, whichever
    // is executable.
    if (edges.some((e) => e.escapeGroup !== 0 || e.effects.some((f) => f.kind === "die"))) return false;
    if (edges.length === 1) {
      const { communication, guard } = edges[0]!;
      return (
        // sound: test/compile/cases/handshakes.test.ts test/compile/cases/control.test.ts
        !this.#rendezvous.mayMeet(communication, "send") &&
        !this.#rendezvous.mayMeet(communication, "receive") &&
        !asksOthers(guard)
      );
    }
    // sound: test/compile/cases/control.test.ts
    return edges.every((e) => e.communication === undefined && !asksOthers(e.guard));
  }

  #leaveIntermediate(unit: Unit): string {
    const slot = this.#em.layout.exclusive!;
    const scope = entryOf(unit);
    return `${this.#em.places.setScalar(slot, scope, 0, sum(unit.pid, 1))} intermediate = true; return;`;
  }
}

const asksOthers = (guard: Edge["guard"]): boolean =>
  guard.kind === "condition" && JSON.stringify(guard.condition).includes('"kind":"enabled"');
