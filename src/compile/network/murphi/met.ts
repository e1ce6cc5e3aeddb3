/**
 * Combinations in the reduced network: the packets at each switch, and the controller states in which they are requested. A
 * text needs all of them beforehand; found by visiting every state.
 */
import { Successors, type Words } from "../../../model/index.js";
import type { Network } from "../../../model/network.js";
import type { NetworkConfig } from "../config.js";
import { Machine } from "../machine.js";
import { CONTROL, QUEUE, TABLE, type Sink } from "../state-parts.js";
import type { Symbols } from "../symbols.js";

export interface Met {
  readonly symbols: Symbols;
  /** By switch. */
  readonly packets: readonly ReadonlySet<number>[];
  /** By switch: the packets requested there, with the controller states at that time. */
  readonly asked: readonly ReadonlyMap<number, ReadonlySet<number>>[];
  /** By client that is not served at once: the packets waiting there, likewise. */
  readonly waiting: readonly ReadonlyMap<number, ReadonlySet<number>>[];
}

/** Undefined: there are more states than that. */
export function meetings(network: Network, config: NetworkConfig, maxStates: number): Met | undefined {
  const machine = new Machine(network, config);
  const found = {
    symbols: machine.symbols,
    packets: network.switches.map(() => new Set<number>()),
    asked: network.switches.map(() => new Map<number, Set<number>>()),
    waiting: network.clients.map(() => new Map<number, Set<number>>()),
  };
  const out = new Successors(machine.width);
  const start = new Int32Array(machine.width);
  machine.initial(start, 0);
  const queue: Words[] = [start];
  const seen = new Set([start.join()]);
  for (const state of queue) {
    note(machine, state, found);
    if (queue.length > maxStates) return undefined;
    out.clear();
    machine.expand(state, 0, new CopyingSink(state, out));
    for (let i = 0; i < out.count; i++) {
      const next = out.words.slice(i * out.stride, i * out.stride + machine.width);
      const key = next.join();
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return found;
}

interface Found {
  readonly packets: readonly Set<number>[];
  readonly asked: readonly Map<number, Set<number>>[];
  readonly waiting: readonly Map<number, Set<number>>[];
}

function note(machine: Machine, state: Words, found: Found): void {
  const { network, deliveries, control } = machine;
  const now = state[CONTROL]!;
  network.switches.forEach((_, index) => {
    const base = machine.switchAt(index);
    for (const packet of deliveries.packets.symbols(state[base + QUEUE]!)) {
      found.packets[index]!.add(packet);
      if (control.best(state[base + TABLE]!, packet).length === 0) remember(found.asked[index]!, packet, now);
    }
  });
  network.clients.forEach((_, index) => {
    for (const packet of deliveries.packets.symbols(state[machine.clientAt(index)]!))
      remember(found.waiting[index]!, packet, now);
  });
}

function remember(where: Map<number, Set<number>>, packet: number, control: number): void {
  const known = where.get(packet);
  if (known) known.add(control);
  else where.set(packet, new Set([control]));
}

/** Copies successors; ignores faults, which are reported elsewhere. */
class CopyingSink implements Sink {
  at = 0;
  readonly #state: Words;
  readonly #out: Successors;

  constructor(state: Words, out: Successors) {
    this.#state = state;
    this.#out = out;
  }

  get words(): Words {
    return this.#out.words;
  }

  begin(): void {
    if (this.#out.count === this.#out.capacity) this.#out.grow();
    this.at = this.#out.count * this.#out.stride;
    this.#out.words.set(this.#state, this.at);
  }

  end(): void {
    this.#out.count++;
  }

  fail(): void {
    // There is no successor.
  }
}
