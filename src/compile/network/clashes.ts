/**
 * Rules that may be added and deleted without a barrier between: their messages must stay in the abstract queue when others
 * are taken out (R8), because an executed message may still be in transit a second time, and a message without effect now may
 * be executed after its opposite. A rule that expires is deleted at any moment.
 *
 * Found by combining every packet that can come to a switch with every possible state of the controller. That
 * over-approximates the behaviour, so no rule is missed.
 */
import type { Command, Network } from "../../model/network.js";
import { concreteConfig } from "./config.js";
import { Deliveries } from "./delivery.js";
import { Symbols, ruleKey } from "./symbols.js";

/** Keys of rules; undefined: there is too much to look at, so any rule may be one. */
export function clashingRules(network: Network): ReadonlySet<string> | undefined {
  const collector = new Collector(network);
  return collector.collect() ? collector.clashing() : undefined;
}

const MOST_MEETINGS = 200_000;

class Collector {
  readonly #network: Network;
  readonly #symbols: Symbols;
  readonly #deliveries: Deliveries;
  readonly #sent = new Set<string>();
  /** May be on its way together with its opposite: no barrier is behind it in its list, or its opposite is before that. */
  readonly #open = new Set<string>();
  readonly #rulePorts = new Map<string, readonly number[]>();
  readonly #places = new Map<string, readonly [kind: "switch" | "client", index: number, packet: number]>();
  readonly #met = new Set<string>();

  constructor(network: Network) {
    this.#network = network;
    this.#symbols = new Symbols(network);
    this.#deliveries = new Deliveries(network, concreteConfig, this.#symbols);
  }

  /** False when it was too much. */
  collect(): boolean {
    for (const { sends } of this.#network.clients)
      for (const { switch: at, port, data } of sends)
        this.#come("switch", at, this.#symbols.packet(port, data));
    for (let before = -1; before !== this.#size();) {
      before = this.#size();
      for (let control = 0; control < this.#symbols.controls.length; control++) {
        this.#happen(control);
        for (const [kind, index, packet] of [...this.#places.values()])
          this.#meet(kind, index, packet, control);
        if (this.#met.size > MOST_MEETINGS) return false;
      }
    }
    return true;
  }

  clashing(): ReadonlySet<string> {
    const opposite = (key: string): string =>
      key.startsWith("add") ? `del${key.slice(3)}` : `add${key.slice(3)}`;
    const found = [...this.#open].filter((key) => this.#sent.has(opposite(key))); // sound: test/compile/network/queues.test.ts
    return new Set(found.map((key) => key.slice(key.indexOf(":") + 1)));
  }

  #size(): number {
    return this.#places.size + this.#symbols.controls.length + this.#rulePorts.size;
  }

  #come(kind: "switch" | "client", index: number, packet: number): void {
    this.#places.set(`${kind}${index},${packet}`, [kind, index, packet]);
  }

  #meet(kind: "switch" | "client", index: number, packet: number, control: number): void {
    const { port, data } = this.#symbols.packets[packet]!;
    const key = `${kind}${index},${packet},${control},${kind === "switch" ? this.#rulePorts.size : 0}`;
    if (this.#met.has(key)) return;
    this.#met.add(key);
    const state = this.#symbols.controls[control];
    if (kind === "client") {
      for (const outcome of this.#network.clients[index]!.receive?.run(data, port, state) ?? []) {
        this.#do(outcome.commands, outcome.state);
        for (const emit of outcome.emits) {
          const emitted = this.#deliveries.emitted(data, emit.data);
          this.#come("switch", emit.switch, this.#symbols.packet(emit.port, emitted));
        }
      }
      return;
    }
    const { commands, ports, state: next } = this.#network.controller.packetIn(data, index, port, state);
    this.#do(commands, next);
    for (const out of [ports, ...this.#rulePorts.values()]) this.#forward(index, packet, out, control);
  }

  #forward(index: number, packet: number, ports: readonly number[], control: number): void {
    for (const { arrivals, received } of this.#deliveries.send(index, packet, ports, 0, control, false)) {
      for (const [to, bag] of arrivals)
        for (const each of this.#deliveries.packets.symbols(bag)) this.#come("switch", to, each);
      for (const [client, each] of received) this.#come("client", client, each);
    }
  }

  #happen(control: number): void {
    const { events, links, controller } = this.#network;
    const state = this.#symbols.controls[control];
    for (const { run } of events)
      for (const { commands, state: next, emits } of run(state)) {
        this.#do(commands, next);
        for (const { switch: at, port, data } of emits)
          this.#come("switch", at, this.#symbols.packet(port, data));
      }
    for (const { mayFail, ends } of links)
      for (const { kind, index, port } of mayFail ? ends : [])
        if (kind === "switch" && controller.portDown) {
          const told = controller.portDown(index, port, state);
          this.#do(told.commands, told.state);
        }
  }

  #do(commands: readonly Command[], next: unknown): void {
    this.#symbols.control(next);
    commands.forEach((command, i) => {
      if (command.kind === "barrier") return;
      const [key, opposite] = keysOf(command);
      this.#sent.add(key);
      const behind = commands.slice(i + 1).filter((later) => later.switch === command.switch);
      const barrier = behind.findIndex(({ kind }) => kind === "barrier");
      const races = (later: Command): boolean => later.kind !== "barrier" && keysOf(later)[0] === opposite;
      if (barrier < 0 || behind.slice(0, barrier).some(races)) this.#open.add(key); // sound: test/compile/network/queues.test.ts
      if (command.rule.expires) this.#open.add(keysOf({ ...command, kind: "del" })[0]); // sound: test/compile/network/queues.test.ts
      this.#rulePorts.set(command.rule.ports.join(), command.rule.ports);
    });
  }
}

type Message = Exclude<Command, { kind: "barrier" }>;

/** The message's key, and its opposite's. */
function keysOf({ kind, switch: at, rule }: Message): readonly [string, string] {
  const [added, deleted] = [`add${at}:${ruleKey(rule)}`, `del${at}:${ruleKey(rule)}`];
  return kind === "add" ? [added, deleted] : [deleted, added];
}
