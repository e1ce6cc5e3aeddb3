/**
 * A second, naive implementation of networks: states are plain records, queues are sorted lists of texts, everything is
 * recomputed in every state. `explore` uses the concrete semantics with a budget of sends, `exploreReduced` the default
 * pipeline of reductions.
 */
import {
  firstWaypoint,
  isInRegion,
  visitedWord,
  type Arrival,
  type Command,
  type Endpoint,
  type Network,
  type NetworkProperty,
  type NetworkView,
  type PacketData,
  type PacketEvent,
  type Rule,
} from "../../../src/model/network.js";

interface Packet {
  readonly port: number;
  readonly data: PacketData;
}

interface SwitchState {
  packets: Packet[];
  /** Lists of messages with barriers between them. */
  control: (Message[] | "barrier")[];
  table: Rule[];
  /** `behind`: barriers before the answer. */
  waiting: undefined | { packet: Packet; ports?: readonly number[]; bad?: string[]; behind?: number };
}

interface Message {
  readonly kind: "add" | "del";
  readonly rule: Rule;
}

interface State {
  control: unknown;
  failed: number[];
  switches: SwitchState[];
  clients: Packet[][];
  sent: Record<string, number>;
  /** Switches that have processed a barrier before the controller was notified. */
  replies: number[];
}

export interface Explored {
  readonly states: number;
  /** Names of the properties that some execution violates. */
  readonly violated: ReadonlySet<string>;
  readonly isComplete: boolean;
}

const text = (value: unknown): string => JSON.stringify(value);
const copy = (state: State): State => structuredClone(state);
const ruleText = (rule: Rule): string =>
  text([
    rule.priority,
    rule.port ?? null,
    rule.fields.map((f) => f ?? null),
    [...rule.ports].sort(),
    rule.expires,
  ]);
const sameRule = (a: Rule, b: Rule): boolean => ruleText(a) === ruleText(b);
const isMatch = (rule: Rule, { port, data }: Packet): boolean =>
  (rule.port === undefined || rule.port === port) &&
  rule.fields.every((value, i) => value === undefined || value === data[i]);

function keyOf(state: State, network: Network): string {
  return text([
    network.controller.key(state.control),
    [...state.failed].sort(),
    state.switches.map((s) => [
      s.packets.map(text).sort(),
      s.control.map((part) =>
        part === "barrier" ? part : part.map((m) => m.kind + ruleText(m.rule)).sort(),
      ),
      s.table.map(ruleText).sort(),
      s.waiting ?? null,
    ]),
    state.clients.map((queue) => queue.map(text).sort()),
    Object.entries(state.sent).sort(),
    [...state.replies].sort(),
  ]);
}

/** Computes successors by changing copies of a state. */
export class Naive {
  readonly violated = new Set<string>();

  constructor(
    readonly network: Network,
    readonly budget: number,
    /** The default pipeline instead of the concrete semantics. */
    readonly isReduced = false,
  ) {}

  /** Every state as conditions see it, and its successors; undefined: there are too many. */
  graph(maxStates: number): { readonly views: NetworkView[]; readonly next: number[][] } | undefined {
    const start = this.#start();
    const numbers = new Map([[keyOf(start, this.network), 0]]);
    const states = [start];
    const next: number[][] = [];
    for (const state of states) {
      if (states.length > maxStates) return undefined;
      const successors = this.#successors(state).map((one) => {
        const key = keyOf(one, this.network);
        if (!numbers.has(key)) numbers.set(key, states.push(one) - 1);
        return numbers.get(key)!;
      });
      next.push([...new Set(successors)]);
    }
    return { views: states.map((state) => this.#view(state)), next };
  }

  #start(): State {
    const start: State = {
      control: this.network.controller.initial,
      failed: [],
      switches: this.network.switches.map(() => ({
        packets: [],
        control: [[]],
        table: [],
        waiting: undefined,
      })),
      clients: this.network.clients.map(() => []),
      sent: {},
      replies: [],
    };
    if (this.isReduced)
      for (const { sends } of this.network.clients) for (const arrival of sends) this.#enter(start, arrival);
    return start;
  }

  explore(maxStates: number): Explored {
    const start = this.#start();
    const seen = new Set([keyOf(start, this.network)]);
    const queue = [start];
    for (const state of queue) {
      this.#judge(state);
      if (seen.size > maxStates) return { states: seen.size, violated: this.violated, isComplete: false };
      for (const next of this.#successors(state)) {
        const key = keyOf(next, this.network);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push(next);
      }
    }
    return { states: seen.size, violated: this.violated, isComplete: true };
  }

  #packets(state: State): { readonly data: PacketData; readonly at: Endpoint }[] {
    return [
      ...state.switches.flatMap((s, index) => s.packets.map((p) => at("switch", index, p))),
      ...state.clients.flatMap((queue, index) => queue.map((p) => at("client", index, p))),
    ];
  }

  #view(state: State): NetworkView {
    return {
      control: state.control,
      packets: (region) => this.#packets(state).filter((p) => isInRegion(p.at, region)),
      isInstalled: (index, rule) => state.switches[index]!.table.some((r) => sameRule(r, rule)),
    };
  }

  #judge(state: State): void {
    const packets = this.#packets(state);
    for (const { name, check } of this.network.properties) {
      if (check.form === "packets") {
        const own = packets.filter((p) => isInRegion(p.at, check.region));
        if (!own.every((p) => check.holds(p.data, p.at, state.control))) this.violated.add(name);
      }
      if (check.form === "state") {
        const view = this.#view(state);
        if (!check.holds(view)) this.violated.add(name);
      }
    }
  }

  #bad(event: PacketEvent, p: Packet, place: Endpoint, control: unknown, moment?: string): string[] {
    return this.network.properties
      .filter(
        ({ check }) =>
          check.form === "event" &&
          check.events.includes(event) &&
          (moment === undefined || check.moment === moment) &&
          check.isBad(p.data, place, control),
      )
      .map(({ name }) => name);
  }

  #report(names: readonly string[]): void {
    for (const name of names) this.violated.add(name);
  }

  #error(): State[] {
    const property = this.network.properties.find(({ check }: NetworkProperty) => check.form === "errors");
    if (property) this.violated.add(property.name);
    return [];
  }

  #successors(state: State): State[] {
    const all: State[] = [];
    const { network } = this;
    network.switches.forEach((_, index) => all.push(...this.#switchSteps(state, index)));
    for (const index of distinct(state.replies))
      for (const outcome of network.controller.barrierReply!.run(index, state.control)) {
        const next = copy(state);
        next.replies.splice(next.replies.indexOf(index), 1);
        next.control = outcome.state;
        for (const emit of outcome.emits) this.#enter(next, emit);
        all.push(...this.#command(next, outcome.commands));
      }
    network.clients.forEach(({ receive, sends }, client) => {
      for (const p of distinct(state.clients[client]!))
        for (const outcome of receive ? receive.run(p.data, p.port, state.control) : [undefined]) {
          if (outcome?.error !== undefined) all.push(...this.#error());
          else {
            const next = copy(state);
            if (!this.isReduced) removeOne(next.clients[client]!, p);
            if (outcome) {
              next.control = outcome.state;
              for (const emit of outcome.emits)
                this.#enter(next, { ...emit, data: this.#inherit(p.data, emit.data) });
            }
            all.push(...this.#command(next, outcome?.commands ?? []));
          }
        }
      if (this.isReduced) return;
      sends.forEach((arrival, i) => {
        const key = `${client}:${i}`;
        if ((state.sent[key] ?? 0) >= this.budget) return;
        const next = copy(state);
        next.sent[key] = (state.sent[key] ?? 0) + 1;
        this.#enter(next, arrival);
        all.push(next);
      });
    });
    for (const event of network.events)
      for (const outcome of event.run(state.control)) {
        if (outcome.error !== undefined) all.push(...this.#error());
        else {
          const next = copy(state);
          next.control = outcome.state;
          for (const emit of outcome.emits) this.#enter(next, emit);
          all.push(...this.#command(next, outcome.commands));
        }
      }
    network.links.forEach(({ mayFail, ends }, link) => {
      if (!mayFail || state.failed.includes(link)) return;
      const next = copy(state);
      next.failed.push(link);
      const commands: Command[] = [];
      for (const end of ends)
        if (end.kind === "switch" && network.controller.portDown) {
          const told = network.controller.portDown(end.index, end.port, next.control);
          next.control = told.state;
          commands.push(...told.commands);
        }
      all.push(...this.#command(next, commands));
    });
    return all;
  }

  #switchSteps(state: State, index: number): State[] {
    const now = state.switches[index]!;
    const hasBarrier = now.control.includes("barrier");
    const all: State[] = [];
    const isOpen = this.network.controller.barriers === "openflow";
    const isReady = now.waiting?.ports !== undefined && (!isOpen || now.waiting.behind === 0);
    if (hasBarrier && !(isOpen && isReady)) all.push(...this.#flush(state, index));
    if (now.waiting && now.waiting.ports === undefined) all.push(...this.#control(state, index));
    if (hasBarrier && !isOpen) return all;
    if (now.waiting?.ports && isReady) {
      const { packet, ports, bad = [] } = now.waiting;
      const next = copy(state);
      next.switches[index]!.waiting = undefined;
      this.#report(bad);
      this.#send(next, index, packet, ports, "execution");
      all.push(next);
    }
    if (now.waiting) return all;
    const head = now.control[0] === "barrier" ? [] : now.control[0]!;
    const concerns = (rule: Rule): boolean => !this.isReduced || now.packets.some((p) => isMatch(rule, p));
    for (const message of distinct(head)) {
      if (!concerns(message.rule)) continue;
      const next = copy(state);
      const target = next.switches[index]!;
      if (!this.isReduced) removeOne(target.control[0] as Message[], message);
      if (target.control[0]!.length === 0 && target.control.length > 1) target.control.shift();
      target.table = apply(target.table, message);
      all.push(next);
    }
    for (const rule of now.table.filter((r) => r.expires && concerns(r))) {
      const next = copy(state);
      next.switches[index]!.table = now.table.filter((r) => !sameRule(r, rule));
      all.push(next);
    }
    if (this.isReduced) all.push(...this.#oneShot(state, index));
    for (const p of distinct(now.packets)) {
      const best = bestRules(now.table, p);
      if (best.length > 1) this.#report(this.#bad("ambiguous", p, place(index, p), state.control));
      if (best.length === 0) all.push(...this.#ask(state, index, p));
      else if (!this.isReduced)
        for (const rule of best) {
          const next = copy(state);
          removeOne(next.switches[index]!.packets, p);
          this.#send(next, index, p, rule.ports);
          all.push(next);
        }
    }
    return all;
  }

  #ask(state: State, index: number, p: Packet): State[] {
    const requests = state.switches.filter((s) => s.waiting && s.waiting.ports === undefined).length;
    if (requests >= this.network.controller.kappa) return [];
    this.#report(this.#bad("packetIn", p, place(index, p), state.control));
    const next = copy(state);
    if (!this.isReduced) removeOne(next.switches[index]!.packets, p);
    next.switches[index]!.waiting = { packet: p };
    if (!this.isReduced) return [next];
    return this.#control(next, index).map((after) => {
      const { packet, ports, bad = [] } = after.switches[index]!.waiting!;
      after.switches[index]!.waiting = undefined;
      this.#report(bad);
      this.#send(after, index, packet, ports!, "execution", state.control);
      return after;
    });
  }

  #control(state: State, index: number): State[] {
    const { packet } = state.switches[index]!.waiting!;
    const reaction = this.network.controller.packetIn(packet.data, index, packet.port, state.control);
    if (reaction.error !== undefined) return this.#error();
    const next = copy(state);
    const event = reaction.ports.length === 0 ? "dropped" : "forwarded";
    const bad = this.#bad(event, packet, place(index, packet), state.control, "decision");
    next.control = reaction.state;
    next.switches[index]!.waiting = { packet, ports: reaction.ports, bad };
    const isBarrier = (part: unknown): boolean => part === "barrier";
    const { commands, repliesAfter = commands.length } = reaction;
    if (this.network.controller.barriers !== "openflow") return this.#command(next, commands);
    return this.#command(next, commands.slice(0, repliesAfter)).flatMap((then) => {
      const { waiting, control } = then.switches[index]!;
      waiting!.behind = control.filter(isBarrier).length;
      return this.#command(then, commands.slice(repliesAfter));
    });
  }

  /** Keeps the order of each switch; reduced, barriers are processed immediately. */
  #command(state: State, commands: readonly Command[]): State[] {
    for (const command of commands) {
      const { control } = state.switches[command.switch]!;
      const last = control.at(-1)!;
      if (command.kind === "barrier") control.push("barrier");
      else if (last === "barrier") control.push([{ kind: command.kind, rule: command.rule }]);
      else if (
        !this.isReduced ||
        !last.some((m) => m.kind === command.kind && sameRule(m.rule, command.rule))
      )
        last.push({ kind: command.kind, rule: command.rule });
      if (control.length > 1 && control[0] !== "barrier" && control[0]!.length === 0) control.shift();
    }
    if (!this.isReduced) return [state];
    let all = [state];
    this.network.switches.forEach((_, index) => {
      while (all.some((s) => s.switches[index]!.control.includes("barrier")))
        all = all.flatMap((s) =>
          s.switches[index]!.control.includes("barrier") ? this.#flush(s, index) : [s],
        );
    });
    return all;
  }

  /** All orders at once: only rules that are both added and deleted leave a choice. */
  #flush(state: State, index: number): State[] {
    const { control } = state.switches[index]!;
    const messages = control[0] === "barrier" ? [] : (control[0] as Message[]);
    const rest = control.slice(control.indexOf("barrier") + 1);
    const orders = messages.length <= 6 ? permutations(messages) : [messages, [...messages].reverse()];
    const tables = new Map(
      orders
        .map((order) => order.reduce(apply, state.switches[index]!.table))
        .map((t) => [t.map(ruleText).sort().join(), t]),
    );
    return [...tables.values()].map((table) => {
      const next = copy(state);
      next.switches[index]!.table = table;
      next.switches[index]!.control = rest.length === 0 ? [[]] : structuredClone(rest);
      const { waiting } = next.switches[index]!;
      if (waiting?.behind) waiting.behind--;
      if (this.network.controller.barrierReply) next.replies.push(index);
      return next;
    });
  }

  /** Every packet with a rule, each by each of its best rules. */
  #oneShot(state: State, index: number): State[] {
    const { packets, table } = state.switches[index]!;
    const matched = packets.filter((p) => bestRules(table, p).length > 0);
    if (matched.length === 0) return [];
    let all = [copy(state)];
    for (const p of matched)
      all = all.flatMap((s) =>
        bestRules(table, p).map((rule) => {
          const next = copy(s);
          this.#send(next, index, p, rule.ports);
          return next;
        }),
      );
    return all;
  }

  #send(
    next: State,
    index: number,
    p: Packet,
    ports: readonly number[],
    moment?: string,
    control: unknown = next.control,
  ): void {
    const { network } = this;
    const event = ports.length === 0 ? "dropped" : "forwarded";
    this.#report(this.#bad(event, p, place(index, p), control, moment));
    const data = this.#pass("switch", index, p.data);
    for (const port of ports) {
      const found = network.switches[index]!.ports.find(({ number }) => number === port);
      const to = found && !next.failed.includes(found.link) ? found.peer : undefined;
      if (!to) this.#report(this.#bad("lost", { port, data }, { kind: "switch", index, port }, control));
      else if (to.kind === "switch") this.#enter(next, { switch: to.index, port: to.port, data });
      else this.#give(next, to, this.#pass("client", to.index, data), control);
    }
  }

  #give(next: State, to: Endpoint, data: PacketData, control: unknown): void {
    const p = { port: to.port, data };
    this.#report(this.#bad("received", p, to, control));
    const { receive } = this.network.clients[to.index]!;
    if (!this.isReduced || receive?.touchesController) {
      const queue = next.clients[to.index]!;
      if (!this.isReduced || !queue.some((q) => text(q) === text(p))) queue.push(p);
      return;
    }
    for (const { name, check } of this.network.properties)
      if (check.form === "packets" && isInRegion(to, check.region) && !check.holds(data, to, control))
        this.violated.add(name);
    const outcomes = receive?.run(data, to.port, control) ?? [];
    if (outcomes.length > 1) throw new Error("the naive reduced semantics has clients without choices");
    for (const emit of outcomes[0]?.emits ?? [])
      this.#enter(next, { ...emit, data: this.#inherit(data, emit.data) });
  }

  #enter(state: State, { switch: index, port, data }: Arrival): void {
    const { packets } = state.switches[index]!;
    const p = { port, data };
    if (!this.isReduced || !packets.some((q) => text(q) === text(p))) packets.push(p);
  }

  #pass(kind: "switch" | "client", index: number, data: PacketData): PacketData {
    const { packet: shape } = this.network;
    const passed = [...data];
    const word = visitedWord(shape);
    if (word >= 0 && kind === "switch") passed[word]! |= 1 << index;
    shape.waypoints.forEach((chain, i) => {
      const next = chain[data[firstWaypoint(shape) + i]!];
      if (next?.kind === kind && next.index === index) passed[firstWaypoint(shape) + i]!++;
    });
    return passed;
  }

  #inherit(received: PacketData, data: PacketData): PacketData {
    const from = firstWaypoint(this.network.packet);
    return [...data.slice(0, from), ...received.slice(from)];
  }
}

const at = (kind: "switch" | "client", index: number, { port, data }: Packet) => ({
  data,
  at: { kind, index, port },
});
const place = (index: number, { port }: Packet): Endpoint => ({ kind: "switch", index, port });

function bestRules(table: readonly Rule[], p: Packet): Rule[] {
  const matching = table.filter((rule) => isMatch(rule, p));
  return matching.filter((rule) => matching.every((other) => other.priority <= rule.priority));
}

const apply = (table: Rule[], { kind, rule }: Message): Rule[] => {
  const rest = table.filter((other) => !sameRule(other, rule));
  return kind === "add" ? [...rest, rule] : rest;
};

const distinct = <T>(items: readonly T[]): T[] =>
  items.filter((item, i) => items.findIndex((other) => text(other) === text(item)) === i);

function removeOne<T>(items: T[], item: T): void {
  items.splice(
    items.findIndex((other) => text(other) === text(item)),
    1,
  );
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}
