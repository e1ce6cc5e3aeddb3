/**
 * Lowers a never claim to an automaton: its locations are the states, its guards become propositions.
 *
 * The claim moves in every nominal state, before the system. An atomic sequence of the claim is one move. A failed
 * assertion in it leads to a separate error state, as does the end of the claim: both accept every continuation. Edges
 * from an accept location have the single acceptance condition, as do all edges while a process of the model is at an
 * accept label, as in Spin.
 */
import type { AutomatonEdge, Cube } from "../../../model/automaton.js";
import type { Span } from "../../../model/diagnostic.js";
import type { Edge, Location, Template } from "../../../model/program.js";
import type { Claim, ClaimError } from "../../../model/temporal.js";
import type { Context } from "./context.js";
import type { Propositions } from "./propositions.js";
import { nth } from "../../../model/known.js";

export function lowerClaim(
  template: Template,
  propositions: Propositions,
  isAcceptedByProcesses: boolean,
  context: Context,
): Claim {
  return new ClaimBuilder(template, propositions, isAcceptedByProcesses, context).build();
}

class ClaimBuilder {
  readonly #errors: ClaimError[] = [];
  /** Bit of the proposition that some process is at an accept label; 0 if none exists. */
  readonly #accepting: number;

  constructor(
    readonly template: Template,
    readonly propositions: Propositions,
    isAcceptedByProcesses: boolean,
    readonly context: Context,
  ) {
    this.#accepting = isAcceptedByProcesses ? 1 << propositions.index({ kind: "accepting" }, "accept") : 0;
  }

  build(): Claim {
    const { locals, locations, initial, span } = this.template;
    const [variable] = locals;
    if (variable) this.#refuse("declares a variable", variable.span);
    const states = locations.map((location, l) =>
      location.isEnd ? this.#end(l, span) : this.#state(location),
    );
    const failures = this.#errors.filter((e) => e.state >= locations.length);
    const all = [...states, ...failures.map(({ state }) => forever(state))];
    const names = this.propositions.list.map((p) => p.name);
    return {
      automaton: { propositions: names, conditions: 1, initial, states: all },
      errors: this.#errors,
    };
  }

  #end(location: number, span: Span): readonly AutomatonEdge[] {
    this.#errors.push({ state: location, message: `${this.template.name} claim completed`, span });
    return forever(location);
  }

  #state(location: Location): AutomatonEdge[] {
    const moves = this.#moves(location, [always], new Set());
    if (location.isAccept) return moves.map((move) => ({ ...move, marks: 1 }));
    if (this.#accepting === 0) return moves;
    const bit = this.#accepting;
    return moves.flatMap((move) => [
      { ...move, guard: both(move.guard, [{ care: bit, value: bit }]), marks: 1 },
      { ...move, guard: both(move.guard, [{ care: bit, value: 0 }]) },
    ]);
  }

  /** Moves from a location in states that satisfy `condition`, through atomic sequences. */
  #moves(location: Location, condition: readonly Cube[], passed: ReadonlySet<Location>): AutomatonEdge[] {
    if (passed.has(location)) return []; // an infinite atomic sequence
    const before: (readonly Cube[])[] = [];
    return location.edges.flatMap((edge) => {
      const own = this.#guard(edge, before);
      const isFirstOnly = location.inside === "step";
      const guard = isFirstOnly ? both(own, allFalse(before)) : own;
      before.push(own);
      return this.#take(edge, both(condition, guard), new Set([...passed, location]));
    });
  }

  #take(edge: Edge, condition: readonly Cube[], passed: ReadonlySet<Location>): AutomatonEdge[] {
    if (condition.length === 0) return [];
    this.#checkObserves(edge);
    const failures = edge.effects.flatMap((effect): AutomatonEdge[] => {
      if (effect.kind !== "assert") return [];
      const holds = this.#literal(this.propositions.index(effect.condition, edge.text), 0);
      const { message, span } = nth(this.context.sites, effect.site);
      this.context.sites[effect.site] = { fault: "never", message, span };
      const guard = both(condition, [holds]);
      return guard.length === 0 ? [] : [{ guard, marks: 0, to: this.#failure(message, span) }];
    });
    const target = nth(this.template.locations, edge.to);
    const goesOn = (edge.keepsControl || target.inside === "step") && !target.isEnd;
    const rest = goesOn
      ? this.#moves(target, condition, passed)
      : [{ guard: condition, marks: 0, to: edge.to }];
    return [...failures, ...rest];
  }

  #guard(edge: Edge, before: readonly (readonly Cube[])[]): readonly Cube[] {
    switch (edge.guard.kind) {
      case "always":
        return [always];
      case "else":
        return allFalse(before);
      case "condition": {
        const { condition } = edge.guard;
        if (condition.kind === "constant") return condition.value === 0 ? [] : [always];
        return [this.#literal(this.propositions.index(condition, edge.text), 1)];
      }
    }
  }

  #literal(index: number, value: 0 | 1): Cube {
    return { care: 1 << index, value: value << index };
  }

  #failure(message: string, span: Span): number {
    const first = this.template.locations.length;
    const state = first + this.#errors.filter((e) => e.state >= first).length;
    this.#errors.push({ state, message, span });
    return state;
  }

  /** Refuses claims that change the system. */
  #checkObserves(edge: Edge): void {
    if (edge.communication) this.#refuse("sends or receives", edge.span);
    if (edge.escapeGroup !== 0) this.#refuse("has an escape", edge.span);
    if (edge.effects.some((e) => e.kind !== "assert" && e.kind !== "print" && e.kind !== "die"))
      this.#refuse("has an effect", edge.span);
  }

  #refuse(what: string, span: Span): void {
    const { diagnostics } = this.context;
    const message = `this claim ${what}, which is not supported`;
    if (diagnostics.some((d) => d.message === message && d.span === span)) return;
    diagnostics.push({
      code: "promela/claim-not-supported",
      severity: "error",
      message,
      span,
      hint: "a claim observes: conditions, else, goto and assert are enough for any property",
    });
  }
}

const always: Cube = { care: 0, value: 0 };

const forever = (state: number): AutomatonEdge[] => [{ guard: [always], marks: 1, to: state }];

function both(a: readonly Cube[], b: readonly Cube[]): Cube[] {
  return a.flatMap((x) =>
    b.flatMap((y) => {
      const isClash = ((x.value ^ y.value) & x.care & y.care) !== 0;
      return isClash ? [] : [{ care: x.care | y.care, value: x.value | y.value }];
    }),
  );
}

/** States in which no guard holds. Each guard is a single literal, true or false. */
function allFalse(guards: readonly (readonly Cube[])[]): Cube[] {
  return guards.reduce<Cube[]>(
    (rest, guard) => both(rest, guard.length === 0 ? [always] : negated(guard)),
    [always],
  );
}

/** Negation: in each cube one literal is false. */
function negated(guard: readonly Cube[]): Cube[] {
  return guard.reduce<Cube[]>((rest, { care, value }) => both(rest, falsified(care, value)), [always]);
}

function falsified(care: number, value: number): Cube[] {
  const cubes: Cube[] = [];
  for (let bit = 1; bit > 0; bit <<= 1)
    if ((care & bit) !== 0) cubes.push({ care: bit, value: ~value & bit });
  return cubes;
}
