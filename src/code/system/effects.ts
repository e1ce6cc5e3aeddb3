/** Effects of the steps of a state that are relevant to commutation. */
import type { Words } from "../../model/index.js";
import type { Event } from "./events.js";
import type { Outcome } from "./local-steps.js";
import type { NodeSystem, NodeSystemParts } from "./node-system.js";
import type { Visible } from "./visible.js";
import { nth } from "../../model/known.js";

export interface Enabled {
  readonly state: Words;
  readonly at: number;
  /** By step: the set of its nodes, bit i for node i. */
  readonly movers: readonly number[];
  /** By node. */
  readonly steps: readonly Effects[];
  /** Bits of budgets that are not exhausted. */
  readonly left: number;
}

export interface Effects {
  /** Bits of budgets that they use. */
  budgets: number;
  /** Bits of conditions that may observe one of them. */
  seenBy: number;
  /** Whether a step changes the number of packets in transit. */
  isSizing: boolean;
  /** Whether a sent message exceeds the capacity. */
  isLosing: boolean;
}

export interface Sending {
  readonly to: readonly number[];
  readonly mask: number;
  readonly message: string;
  readonly call: number;
}

export class StepEffects {
  readonly #parts: NodeSystemParts;
  readonly #system: NodeSystem;
  readonly #visible: Visible;
  readonly #sendings = new WeakMap<Outcome, readonly Sending[]>();

  constructor(parts: NodeSystemParts, system: NodeSystem, visible: Visible) {
    this.#parts = parts;
    this.#system = system;
    this.#visible = visible;
  }

  /** Undefined: all steps are dependent, because the network may be partitioned or a disk may decay. */
  enabledIn(state: Words, at: number): Enabled | undefined {
    const { nodes, budgets, words } = this.#parts;
    const left = this.#left(state, at);
    const ofAll = bit(budgets.partitions) | bit(budgets.torn) | bit(budgets.corruptions); // sound: test/code/system/disk-faults.test.ts
    if (words.partitionOf(state, at) !== 0 || (left & ofAll) !== 0) return undefined;
    const steps = nodes.map(() => ({ budgets: 0, seenBy: 0, isSizing: false, isLosing: false }));
    const movers: number[] = [];
    this.#system.eachFollower(state, at, (event, outcome) => {
      const mask = this.#system.movers(event);
      movers.push(mask);
      for (let node = 0; node < nodes.length; node++)
        if ((mask >> node) & 1) this.#add(nth(steps, node), state, at, event, outcome);
    });
    return { state, at, movers, steps, left };
  }

  sendingsOf(node: number, outcome: Outcome): readonly Sending[] {
    let known = this.#sendings.get(outcome);
    if (!known) {
      known = outcome.sends.flatMap(({ to, message }) =>
        this.#parts.network
          .receivers(node, to, () => false)
          .map((receivers) => ({
            to: receivers,
            mask: receivers.reduce((mask, receiver) => mask | (1 << receiver), 0),
            message,
            call: this.callOf(node, message),
          })),
      );
      this.#sendings.set(outcome, known);
    }
    return known;
  }

  /** The call at a node that receives the message. */
  callOf(from: number, message: string): number {
    return this.#parts.steps.callNumber({
      kind: "message",
      from: nth(this.#parts.summary.nodes, from),
      message,
    });
  }

  #add(effects: Effects, state: Words, at: number, event: Event, outcome: Outcome | undefined): void {
    const { network, budgets, words } = this.#parts;
    effects.budgets |= this.#drawnBy(event);
    if (outcome && outcome.report.asked.length > 0) effects.budgets |= bit(budgets.failures);
    if (outcome?.crash) effects.budgets |= bit(budgets.crashes); // sound: test/code/system/crashes.test.ts
    if (event.kind === "crash") {
      const before = nth(state, at + event.node);
      for (const after of this.#system.crashesOf(event.node, before))
        effects.seenBy |= this.#visible.seenBy(event.node, before, after);
    }
    const frees = this.#freedBy(event);
    let sent = 0;
    if (outcome && outcome.next !== 0 && "node" in event) {
      effects.seenBy |= this.#visible.seenBy(event.node, nth(state, at + event.node), outcome.next);
      sent = this.sendingsOf(event.node, outcome).length;
    }
    effects.isSizing ||= sent !== frees;
    const room = network.capacity - network.packets(nth(state, at + words.network)).length;
    effects.isLosing ||= sent > room + frees;
  }

  #drawnBy(event: Event): number {
    const { budgets } = this.#parts;
    switch (event.kind) {
      case "action":
        return nth(budgets.actions, event.action).reduce((mask, budget) => mask | bit(budget), 0);
      case "deliver":
        return event.keeps ? bit(budgets.duplicates) : 0;
      case "lose":
        return bitOf(budgets.losses);
      case "crash":
      case "start":
        return bit(budgets.crashes);
      default:
        return 0;
    }
  }

  #freedBy(event: Event): number {
    if (event.kind === "lose") return 1;
    if ((event.kind !== "deliver" || event.keeps) && event.kind !== "miss") return 0;
    return this.#parts.network.packet(event.packet).to.length === 1 ? 1 : 0;
  }

  #left(state: Words, at: number): number {
    const { budgets, words } = this.#parts;
    return budgets.limits.reduce(
      (mask, limit, budget) => (words.used(state, at, budget) < limit ? mask | bit(budget) : mask),
      0,
    );
  }
}

/** Budgets with the same bit count as one, which is safe. */
export const bit = (budget: number): number => 1 << (budget % 31);
export const bitOf = (budget: number | undefined): number => (budget === undefined ? 0 : bit(budget));

/** Union over a group of nodes. */
export function united(steps: readonly Effects[], group: number): Effects {
  const all: Effects = { budgets: 0, seenBy: 0, isSizing: false, isLosing: false };
  for (const [node, { budgets, seenBy, isSizing, isLosing }] of steps.entries()) {
    if (((group >> node) & 1) === 0) continue;
    all.budgets |= budgets;
    all.seenBy |= seenBy;
    all.isSizing ||= isSizing;
    all.isLosing ||= isLosing;
  }
  return all;
}
