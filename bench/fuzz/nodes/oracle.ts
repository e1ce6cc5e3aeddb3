/** Naive semantics of tiny systems of nodes: plain data, compared as text. Shares no code with the product. */
import type { Case, Condition, Op, Term, Who } from "./case.js";

interface Message {
  readonly k: string;
  readonly v?: number;
  readonly who?: string;
}

interface Packet {
  readonly from: number;
  readonly to: readonly number[];
  readonly message: Message;
  /** Delivered before, and no longer ordered. */
  readonly isCopy?: true;
}

type Disk = Readonly<Record<string, number>>;

interface Local {
  readonly isUp: boolean;
  readonly mode: number;
  readonly x: number;
  readonly y: number;
  readonly peer: string;
  readonly fuel: number;
  /** In order of expiry; equal delays in order of setting. */
  readonly timers: readonly { readonly name: string; readonly left: number }[];
  readonly synced: Disk;
  readonly unsynced: readonly (readonly [string, number])[];
}

interface State {
  readonly nodes: readonly Local[];
  readonly packets: readonly Packet[];
  readonly lost: number;
  readonly repeated: number;
  readonly crashes: number;
  readonly failures: number;
  readonly went: number;
  readonly partitions: number;
  /** The nodes on one side, as bits; 0: no partition. */
  readonly side: number;
}

/** One execution of a handler: to its end, or to a crash. */
interface Way {
  readonly end: "whole" | "throws" | "asserts" | "crash";
  readonly local: Local;
  readonly sends: readonly {
    readonly to: Who;
    readonly sender: string;
    readonly peer: string;
    readonly message: Message;
  }[];
  readonly failed: number;
}

export interface Found {
  /** By property: depth of its first violation, or `undefined` if it holds. */
  readonly violated: ReadonlyMap<string, number | undefined>;
  readonly states: number;
  /** Number of states up to renaming of like nodes. */
  readonly orbits: number;
  /** Are the states closed under renaming of like nodes? Not if limited room goes to the first of them. */
  readonly areAlike: boolean;
  /** A node fails at the start: there is no state. */
  readonly isStillborn: boolean;
}

/** Undefined: more than `mostStates` states. */
export function decide(c: Case, mostStates: number): Found | undefined {
  return new Oracle(c).decide(mostStates);
}

interface Step {
  /** Undefined: no continuation. */
  readonly next?: State;
  readonly breaks: readonly string[];
  readonly isBeyond?: boolean;
}

class Oracle {
  readonly #c: Case;

  constructor(c: Case) {
    this.#c = c;
  }

  decide(mostStates: number): Found | undefined {
    const violated = new Map<string, number | undefined>(this.#properties().map((name) => [name, undefined]));
    const breaks = (name: string, depth: number): void => {
      if (violated.has(name) && violated.get(name) === undefined) violated.set(name, depth);
    };
    const all = this.#starts();
    const start = all[0]!.next;
    const starts = start ? all : all.slice(0, 1);
    // With several starts, or several violations in one, the start is a step.
    const first = starts.length > 1 || new Set(starts[0]!.breaks).size > 1 ? 1 : 0;
    for (const step of starts) for (const name of step.breaks) breaks(name, start ? first : 0);
    const depths = new Map<string, number>();
    const states: State[] = [];
    const edges: number[][] = [];
    const number = new Map<string, number>();
    const add = (state: State, depth: number): number => {
      const key = this.#key(state);
      if (!number.has(key)) {
        number.set(key, states.push(state) - 1);
        depths.set(key, depth);
      }
      return number.get(key)!;
    };
    for (const { next } of starts) if (next) add(next, first);
    const begun = states.length;
    for (let i = 0; i < states.length; i++) {
      if (states.length > mostStates) return undefined;
      const state = states[i]!;
      const key = this.#key(state);
      const depth = depths.get(key)!;
      for (const name of this.#brokenIn(state, start!)) breaks(name, depth);
      const steps = this.#steps(state);
      for (const step of steps) for (const name of step.breaks) breaks(name, depth + 1);
      const nexts = steps.flatMap(({ next }) => (next ? [next] : []));
      edges.push(nexts.map((next) => add(next, depth + 1)));
      const isStuck =
        nexts.every((next) => this.#key(next) === key) &&
        !steps.some(({ next, isBeyond }) => isBeyond || next === undefined);
      if (isStuck && this.#c.finished && !this.#holds(this.#c.finished, state)) breaks("deadlock", depth);
    }
    this.#overall(states, edges, begun, breaks);
    const areAlike =
      (!start || new Set(this.#images(start)).size === 1) &&
      states.every((state) => this.#images(state).every((image) => number.has(image)));
    return { violated, states: states.length, orbits: this.#orbits(states), areAlike, isStillborn: !start };
  }

  #properties(): string[] {
    const { finished, always, sometimes, eventually, recoverable, returns, messages } = this.#c;
    const asked = { always, returns, sometimes, recoverable, eventually };
    return [
      "assertions",
      "exceptions",
      ...(finished ? ["deadlock"] : []),
      ...messages.map((_, i) => `message ${i}`),
      ...Object.entries(asked).flatMap(([name, it]) => (it ? [name] : [])),
    ];
  }

  /** Properties that are not decided state by state. */
  #overall(
    states: readonly State[],
    edges: readonly number[][],
    begun: number,
    breaks: (name: string, depth: number) => void,
  ): void {
    const { sometimes, eventually, recoverable } = this.#c;
    if (sometimes && !states.some((state) => this.#holds(sometimes, state))) breaks("sometimes", 0);
    if (recoverable) {
      const good = new Set(states.flatMap((state, i) => (this.#holds(recoverable, state) ? [i] : [])));
      for (let size = -1; size !== good.size;) {
        size = good.size;
        edges.forEach((to, i) => void (to.some((next) => good.has(next)) && good.add(i)));
      }
      if (good.size < states.length) breaks("recoverable", 0);
    }
    if (eventually && states.length > 0 && this.#mayAvoid(eventually, states, edges, begun))
      breaks("eventually", 0);
  }

  /** Is there a maximal execution in which the condition never holds? */
  #mayAvoid(
    condition: Condition,
    states: readonly State[],
    edges: readonly number[][],
    begun: number,
  ): boolean {
    const avoiding = new Set(states.flatMap((state, i) => (this.#holds(condition, state) ? [] : [i])));
    const reached = new Set([...avoiding].filter((i) => i < begun));
    for (const i of reached) for (const next of edges[i]!) if (avoiding.has(next)) reached.add(next);
    // States without an infinite or terminating path among the others.
    const doomed = new Set<number>();
    for (let size = -1; size !== doomed.size;) {
      size = doomed.size;
      for (const i of reached)
        if (edges[i]!.length > 0 && edges[i]!.every((next) => !reached.has(next) || doomed.has(next)))
          doomed.add(i);
    }
    return [...reached].some((i) => i < begun && !doomed.has(i));
  }

  #brokenIn(state: State, start: State): string[] {
    const { always, returns } = this.#c;
    const broken: string[] = [];
    if (always && !this.#holds(always, state)) broken.push("always");
    if (returns && this.#holds(returns, state)) {
      const isSame = state.nodes.every((node, i) => this.#localKey(node) === this.#localKey(start.nodes[i]!));
      if (!isSame) broken.push("returns");
    }
    return broken;
  }

  #holds = (condition: Condition, state: State): boolean =>
    !condition.every((term) => this.#isTrue(term, state));

  #isTrue(term: Term, { nodes, packets }: State): boolean {
    const of = (name: string): Local => nodes[this.#c.names.indexOf(name)]!;
    if ("underWay" in term) return packets.some(({ message }) => message.k === term.underWay);
    if ("down" in term) return !of(term.down).isUp;
    if ("node" in term) return of(term.node).isUp && of(term.node)[term.field] === term.is;
    if ("remembers" in term)
      return term.among.map(of).some(({ isUp, peer }) => isUp && (peer !== "") === term.remembers);
    const have = term.among.map(of).filter((node) => node.isUp && node[term.field] === term.is);
    return have.length > term.moreThan;
  }

  /** The start without crashes and failures, then the others. */
  #starts(): Step[] {
    const none: State = {
      nodes: this.#c.names.map(() => down({})),
      packets: [],
      lost: 0,
      repeated: 0,
      crashes: 0,
      failures: 0,
      went: 0,
      partitions: 0,
      side: 0,
    };
    let starts: Step[] = [{ next: none, breaks: [] }];
    for (let node = 0; node < this.#c.names.length; node++)
      starts = starts.flatMap((start) =>
        start.next === undefined
          ? [start]
          : this.#run(start.next, node, "start", undefined, this.#c.names[node]!).map((step) => ({
              ...step,
              breaks: [...start.breaks, ...step.breaks],
            })),
      );
    return starts;
  }

  #steps(state: State): Step[] {
    const { names, network, faults, go, timers } = this.#c;
    const steps: Step[] = [];
    const isLeft = (used: number, limit: number | undefined): boolean => used < (limit ?? 0);
    if (go && state.went < go.times)
      names.forEach((name, i) => {
        const local = state.nodes[i]!;
        if (!local.isUp || (go.on && !go.on.includes(name))) return;
        if (go.when === undefined || local.mode === go.when)
          steps.push(...this.#run({ ...state, went: state.went + 1 }, i, "go", undefined, name));
      });
    for (const [place, packet] of state.packets.entries()) {
      const mayLose = network.loss === true || isLeft(state.lost, network.loss as number | undefined);
      const rest = state.packets.filter((_, other) => other !== place);
      if (mayLose)
        steps.push({
          next: { ...state, packets: rest, lost: state.lost + (network.loss === true ? 0 : 1) },
          breaks: [],
        });
      const isBehind = state.packets
        .slice(0, place)
        .some(({ from, to, isCopy }) => !isCopy && from === packet.from && to[0] === packet.to[0]);
      if (network.order === "fifo" && isBehind && !packet.isCopy) {
        if (isApart(state.side, packet.from, packet.to[0]!))
          steps.push({ next: { ...state, packets: rest }, breaks: [] });
        continue;
      }
      for (const node of packet.to) {
        const left = packet.to.filter((other) => other !== node);
        const packets = left.length > 0 ? [...rest, { ...packet, to: left }] : rest;
        if (isApart(state.side, packet.from, node)) {
          steps.push({ next: { ...state, packets }, breaks: [] });
          continue;
        }
        if (!state.nodes[node]!.isUp) {
          steps.push({ next: { ...state, packets }, breaks: [] });
          continue;
        }
        const { k } = packet.message;
        const sender = names[packet.from]!;
        steps.push(...this.#run({ ...state, packets }, node, k, packet.message, sender));
        if (isLeft(state.repeated, network.duplicates)) {
          const copy: Packet = { ...packet, isCopy: true };
          const after = network.order === "fifo" ? [...rest, copy] : state.packets;
          const repeated = state.repeated + 1;
          steps.push(...this.#run({ ...state, packets: after, repeated }, node, k, packet.message, sender));
        }
      }
    }
    names.forEach((name, i) => {
      const local = state.nodes[i]!;
      if (!local.isUp) return void steps.push(...this.#run(state, i, "start", undefined, name));
      for (const timer of timers === "any" ? local.timers : local.timers.slice(0, 1)) {
        const due = local.timers
          .filter((other) => other !== timer)
          .map((other) => ({ name: other.name, left: Math.max(0, other.left - timer.left) }));
        const after = { ...state, nodes: state.nodes.with(i, { ...local, timers: due }) };
        steps.push(...this.#run(after, i, timer.name, undefined, name));
      }
      if (this.#mayCrash(state, name))
        for (const disk of this.#leftBy(local))
          steps.push({
            next: { ...state, nodes: state.nodes.with(i, down(disk)), crashes: state.crashes + 1 },
            breaks: [],
          });
    });
    if (state.side !== 0) steps.push({ next: { ...state, side: 0 }, breaks: [] });
    else if (isLeft(state.partitions, faults.partitions))
      for (let side = 2; side < 1 << names.length; side += 2)
        steps.push({ next: { ...state, side, partitions: state.partitions + 1 }, breaks: [] });
    return steps;
  }

  #mayCrash = ({ crashes }: State, name: string): boolean =>
    crashes < (this.#c.faults.crashes ?? 0) && (this.#c.faults.crashing?.includes(name) ?? true);

  /** Every execution of a handler in that state. */
  #run(state: State, node: number, what: string, message: Message | undefined, sender: string): Step[] {
    const before = state.nodes[node]!;
    const fresh = { ...down(before.synced), isUp: true, fuel: this.#c.fuel };
    const ways = this.#ways(what === "start" ? fresh : before, node, what, message, sender, {
      mayFail: (this.#c.faults.failures ?? 0) - state.failures,
      mayCrash: this.#mayCrash(state, this.#c.names[node]!) && this.#c.faults.crashesAt === undefined,
    });
    return ways.map((way) => this.#after(state, node, way));
  }

  #after(state: State, node: number, { end, local, sends, failed }: Way): Step {
    const breaks: string[] = [];
    let { packets } = state;
    for (const send of sends)
      for (const to of this.#receivers(node, send, state.side)) {
        if (packets.length >= (this.#c.network.capacity ?? Infinity)) continue;
        packets = [...packets, { from: node, to, message: send.message }];
        breaks.push(...this.#badFor(send.message));
      }
    if (end === "throws") return { breaks: [...breaks, "exceptions"] };
    if (end === "asserts") return { breaks: [...breaks, "assertions"] };
    if (end === "whole" && this.#isBeyond(local)) return { breaks, isBeyond: true };
    const next = {
      ...state,
      nodes: state.nodes.with(node, local),
      packets,
      crashes: state.crashes + (end === "crash" ? 1 : 0),
      failures: state.failures + failed,
    };
    return { next, breaks };
  }

  #isBeyond = ({ x, y }: Local): boolean => this.#c.discards && x === 2 && y === 2;

  #badFor = ({ k, v }: Message): string[] =>
    this.#c.messages.flatMap((bad, i) =>
      k === bad.kind && (bad.with === undefined || v === bad.with) ? [`message ${i}`] : [],
    );

  /** The nodes of each packet. */
  #receivers(
    from: number,
    { to, sender, peer }: Way["sends"][number],
    side: number,
  ): readonly (readonly number[])[] {
    const { names, network } = this.#c;
    const isLinked = (other: number): boolean =>
      !network.links ||
      network.links.some((link) => link.includes(names[from]!) && link.includes(names[other]!));
    const all = names.map((_, i) => i).filter((i) => !isApart(side, from, i));
    const others = all.filter((i) => i !== from && isLinked(i));
    const one = (name: string): number[] =>
      all.filter((i) => names[i] === name && (i === from || isLinked(i)));
    const met =
      to === "everyone" || to === "others"
        ? others
        : one(to === "sender" ? sender : to === "peer" ? peer : to.name);
    if (network.order === "fifo") return met.map((i) => [i]);
    return met.length > 0 ? [met] : [];
  }

  /** The handler: every sequence of answers, and a crash after each effect but the last. */
  #ways(
    local: Local,
    node: number,
    what: string,
    message: Message | undefined,
    sender: string,
    may: { readonly mayFail: number; readonly mayCrash: boolean },
  ): Way[] {
    const ops = this.#c.tables[this.#c.names[node]!]![`${what}${local.mode}`] ?? [];
    if (ops.length === 0 || local.fuel === 0) return [{ end: "whole", local, sends: [], failed: 0 }];
    const ways: Way[] = [];
    // Remaining and past operations: a choice of the environment splits a run.
    interface Run {
      readonly ops: readonly Op[];
      readonly local: Local;
      readonly sends: Way["sends"];
      readonly failed: number;
      /** Crashes after each of its effects. */
      readonly points: readonly (readonly Way[])[];
    }
    const go = ({ ops: [op, ...rest], local, sends, failed, points }: Run): void => {
      const on = (change: Partial<Run>): void => go({ ops: rest, local, sends, failed, points, ...change });
      const effect = (change: Partial<Pick<Run, "local" | "sends">>): void => {
        const now = { local, sends, ...change };
        const crashes = this.#leftBy(now.local).map((disk): Way => ({
          end: "crash",
          local: down(disk),
          sends: now.sends,
          failed,
        }));
        on({ ...now, points: [...points, crashes] });
      };
      if (op === undefined) {
        const way: Way = { end: "whole", local: due(local), sends, failed };
        return void ended(way, points);
      }
      switch (op.op) {
        case "set":
          return on({ local: { ...local, [op.field]: op.value } });
        case "next":
          return on({ local: { ...local, [op.field]: (local[op.field] + 1) % 3 } });
        case "remember":
          return on({ local: { ...local, peer: op.whom === "sender" ? sender : (message?.who ?? "") } });
        case "send": {
          if (op.to === "peer" && local.peer === "") return on({});
          const said: Message = {
            k: op.kind,
            ...(op.with === "x" ? { v: local.x } : {}),
            ...(op.with === "self" ? { who: this.#c.names[node]! } : {}),
            ...(op.with === "peer" ? { who: local.peer } : {}),
          };
          return effect({ sends: [...sends, { to: op.to, sender, peer: local.peer, message: said }] });
        }
        case "write": {
          const value = op.value === "x" ? local.x : op.value;
          return effect({ local: { ...local, unsynced: [...local.unsynced, [op.key, value]] } });
        }
        case "sync":
          return effect({ local: { ...local, synced: written(local), unsynced: [] } });
        case "read":
          return on({ local: { ...local, [op.field]: written(local)[op.key] ?? 0 } });
        case "timer":
          return on({
            local: { ...local, timers: [...without(local, op.name), { name: op.name, left: op.delay }] },
          });
        case "clear":
          return on({ local: { ...local, timers: without(local, op.name) } });
        case "choose":
          return op.ways.forEach((way) => on({ ops: [...way, ...rest] }));
        case "fails":
          on({});
          if (failed < may.mayFail) on({ ops: [...op.then, ...rest], failed: failed + 1 });
          return;
        case "if":
          return on({ ops: local[op.field] === op.is ? [...op.then, ...rest] : rest });
        case "throw":
          return void ended({ end: op.asserts ? "asserts" : "throws", local, sends, failed }, points);
        case "await":
          return on({});
      }
    };
    // Actions of the environment take effect even if the node crashes before it reacts.
    const atOnce =
      what === "go"
        ? [
            this.#leftBy(local).map((disk): Way => ({
              end: "crash",
              local: down(disk),
              sends: [],
              failed: 0,
            })),
          ]
        : [];
    const ended = (way: Way, points: readonly (readonly Way[])[]): void => {
      ways.push(way);
      const goesOn = way.end === "whole" && !this.#isBeyond(way.local);
      if (may.mayCrash) ways.push(...(goesOn ? points.slice(0, -1) : points).flat());
    };
    const start = { ...local, fuel: local.fuel > 0 ? local.fuel - 1 : local.fuel };
    go({ ops, local: start, sends: [], failed: 0, points: atOnce });
    return ways;
  }

  /** The disks that a crash may leave. */
  #leftBy({ synced, unsynced }: Pick<Local, "synced" | "unsynced">): Disk[] {
    const mode = this.#c.faults.unsynced;
    const isKept = (subset: number): boolean =>
      mode === undefined ||
      (mode === "kept" ? subset === (1 << unsynced.length) - 1 : ((subset + 1) & subset) === 0);
    const subsets = Array.from({ length: 1 << unsynced.length }, (_, subset) => subset).filter(isKept);
    const disks = subsets.map((subset) =>
      unsynced.reduce<Disk>(
        (disk, [key, value], i) => ((subset >> i) & 1 ? { ...disk, [key]: value } : disk),
        synced,
      ),
    );
    return [...new Map(disks.map((disk) => [keyOfDisk(disk), disk])).values()];
  }

  #key(state: State): string {
    return this.#keyAs(state, (name) => name);
  }

  /** The observable state, with multiplicities of possible events. `as`: renames nodes. */
  #keyAs({ nodes, packets, ...rest }: State, as: (name: string) => string): string {
    const { names, network } = this.#c;
    const place = (node: number): number => names.indexOf(as(names[node]!));
    const locals: string[] = [];
    nodes.forEach(
      (node, i) => (locals[place(i)] = this.#localKey({ ...node, peer: node.peer && as(node.peer) })),
    );
    const called = packets.map(({ from, to, isCopy, message: { k, v, who } }) => ({
      link: `${isCopy ? "again " : ""}${place(from)} ${to.map(place).sort().join()}`,
      said: JSON.stringify([k, v, who && as(who)]),
    }));
    const inOrder =
      network.order === "fifo"
        ? called
            .map(({ link, said }, i) => ({ link, said, i }))
            .sort(
              (a, b) =>
                order(a.link, b.link) || (a.link.startsWith("again") ? order(a.said, b.said) : a.i - b.i),
            )
        : called.sort((a, b) => order(a.link + a.said, b.link + b.said));
    const side = rest.side && nodes.reduce((mask, _, i) => mask | (((rest.side >> i) & 1) << place(i)), 0);
    // Sides are unnamed: the first node is on side 0.
    const named = side & 1 ? ~side & ((1 << nodes.length) - 1) : side;
    return JSON.stringify([locals, inOrder.map(({ link, said }) => [link, said]), { ...rest, side: named }]);
  }

  #localKey({ timers, synced, unsynced, ...rest }: Local): string {
    const set = this.#c.timers === "any" ? timers.map(({ name }) => name).sort() : timers;
    const writes =
      this.#c.faults.unsynced === "lost-in-order"
        ? unsynced
        : ["k", "l"].map((key) => {
            const values = unsynced.flatMap(([other, value]) => (other === key ? [value] : []));
            const left = [...new Set([synced[key] ?? null, ...values])].sort();
            return values.length === 0 || left.length === 1 ? [] : [left, values.at(-1)];
          });
    return JSON.stringify([rest, set, keyOfDisk(synced), writes]);
  }

  #orbits = (states: readonly State[]): number =>
    new Set(states.map((state) => this.#images(state).sort()[0])).size;

  /** The state under all renamings of like nodes. */
  #images(state: State): string[] {
    const group = this.#c.symmetric ?? [];
    return arrangements(group).map((image) =>
      this.#keyAs(state, (name) => image[group.indexOf(name)] ?? name),
    );
  }
}

function arrangements(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    arrangements(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

const down = (disk: Disk): Local => ({
  isUp: false,
  mode: 0,
  x: 0,
  y: 0,
  peer: "",
  fuel: 0,
  timers: [],
  synced: disk,
  unsynced: [],
});

const written = ({ synced, unsynced }: Local): Disk => ({ ...synced, ...Object.fromEntries(unsynced) });
const without = ({ timers }: Local, name: string): Local["timers"] =>
  timers.filter((timer) => timer.name !== name);
const due = (local: Local): Local => ({ ...local, timers: local.timers.toSorted((a, b) => a.left - b.left) });
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const keyOfDisk = (disk: Disk): string => JSON.stringify([disk["k"] ?? null, disk["l"] ?? null]);
const isApart = (side: number, a: number, b: number): boolean =>
  side !== 0 && ((side >> a) & 1) !== ((side >> b) & 1);
