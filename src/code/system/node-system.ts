/**
 * A system of nodes as a `System`: a state consists of the numbers of its parts (`state-words.ts`).
 *
 * Parts are numbered once per run, and a node's steps are executed once per local state and call (`local-steps.ts`):
 * most successors are computed without running code.
 *
 * Always true: the order of successors depends on the state, not on the order of discovery.
 */
import { Entry, Status, type Successors, type System, type Words } from "../../model/index.js";
import type { Budgets } from "./budgets.js";
import type { Event, Running, Start } from "./events.js";
import type { Side } from "./node-runtime.js";
import type { Growth } from "./growth.js";
import type { LocalSteps, Outcome } from "./local-steps.js";
import type { Network } from "./network.js";
import type { NodeProcess } from "./node-process.js";
import { withState } from "./properties.js";
import { corruptionsOf, type Remains } from "./remains.js";
import type { StateWords } from "./state-words.js";
import type { SystemSummary } from "./summary.js";
import { nth } from "../../model/known.js";

export interface NodeSystemParts {
  readonly summary: SystemSummary;
  readonly nodes: readonly NodeProcess[];
  readonly steps: LocalSteps;
  readonly network: Network;
  readonly budgets: Budgets;
  readonly words: StateWords;
  /** Whether the environment's action is enabled in that state of the node. */
  isEnabled(action: number, value: number, node: number, state: number): boolean;
  /** Possible disks after a crash. */
  remainsOf(side: Side): readonly Remains[];
  /** Records that a timer waits for an earlier one. */
  noteOrder(): void;
  isFinished(state: Words, at: number): boolean;
  readonly growth: Growth;
}

export class NodeSystem implements System {
  readonly width: number;
  readonly compareFrom = 0;
  readonly labels = "agents";
  /** Number of successors beyond the declared bound. */
  discarded = 0;
  readonly #parts: NodeSystemParts;
  readonly #count: number;
  readonly #network: number;
  readonly #state: Int32Array;
  readonly #starts: readonly number[];
  readonly #actionCalls: readonly (readonly number[])[];
  /** Sites of the properties that messages of the last step violate. */
  #badMessages: number[] = [];
  #begun: Beginning | undefined;
  readonly #onDiscard: () => void;

  /** `onDiscard`: called at the first step beyond the bound. */
  constructor(parts: NodeSystemParts, onDiscard: () => void = () => undefined) {
    this.#parts = parts;
    this.#onDiscard = onDiscard;
    this.#count = parts.nodes.length;
    this.#network = parts.words.network;
    this.width = parts.words.width;
    this.#state = new Int32Array(this.width);
    this.#starts = parts.nodes.map(() => parts.steps.callNumber({ kind: "start" }));
    this.#actionCalls = parts.summary.actions.map(({ name, values }) =>
      values.map((_, value) => parts.steps.callNumber({ kind: "action", name, value })),
    );
  }

  /** Starts all nodes, in order; in the root none has started. */
  initial(out: Successors): void {
    const { site, root, starts } = this.#beginning;
    if (site >= 0) return out.addFault(site);
    if (this.hasRoot) return append(out, root, -1, 0);
    const [{ words, sites }] = starts;
    append(out, words, sites[0] ?? -1, 0); // sound: test/code/system/crashes.test.ts
  }

  /** Whether there are several starts. A start is also one entry of `initial`, which has room for one fault. */
  get hasRoot(): boolean {
    const { site, starts } = this.#beginning;
    return site < 0 && (starts.length > 1 || starts[0].sites.length > 1); // sound: test/code/system/starts.test.ts test/code/system/several-errors.test.ts
  }

  /**
   * Precedes every start; no condition applies to it. No other state equals it: a crashed node has consumed a crash.
   */
  isRoot(state: Words, at: number): boolean {
    return this.hasRoot && isSame(this.#beginning.root, state, at); // sound: test/code/system/starts.test.ts
  }

  /** Whether some node fails at the start, so that there is no initial state. */
  get isStillborn(): boolean {
    return this.#beginning.site >= 0;
  }

  /** Nodes whose state differs from the start. */
  changedSinceStart(state: Words, at: number): number[] {
    return this.#parts.nodes.flatMap((_, node) => (state[at + node] === this.startOf(node) ? [] : [node]));
  }

  startOf = (node: number): number => nth(this.#beginning.starts[0].words, node);

  get #beginning(): Beginning {
    return (this.#begun ??= this.#begin());
  }

  successors(state: Words, at: number, out: Successors): void {
    this.#parts.growth.check(state, at);
    const before = out.count;
    const isMoved = this.#append(state, at, out, () => true);
    // If all steps are self-loops, the state has no successors: it is a deadlock or a valid end.
    const { hasFinished, loopsProgress } = this.#parts.summary;
    if (!isMoved && hasFinished && !loopsProgress && !this.#leadsBeyond(state, at)) truncate(out, before);
  }

  /** Successors by steps of, or deliveries to, these nodes alone (bit i for node i); none if all are self-loops. */
  successorsOf(nodes: number, state: Words, at: number, out: Successors): void {
    const before = out.count;
    const isMoved = this.#append(state, at, out, (event) => (this.movers(event) & ~nodes) === 0);
    const isLive = out.flags.subarray(before, out.count).some((flags) => (flags & Entry.dead) === 0);
    if (!isMoved || !isLive) truncate(out, before);
  }

  /** The nodes of a step: bit i for node i. A loss belongs to all remaining receivers of the packet. */
  movers(event: Event): number {
    if ("node" in event) return 1 << event.node;
    if (event.kind !== "lose") return -1;
    return this.#parts.network.packet(event.packet).to.reduce((mask, node) => mask | (1 << node), 0);
  }

  /** States after a crash, one per possible disk. */
  crashesOf(node: number, local: number): number[] {
    return this.#remains(node, local).map(({ disk }) => nth(this.#parts.nodes, node).down(disk));
  }

  readonly #remainsKnown: Map<number, readonly Remains[]>[] = [];

  #remains(node: number, local: number): readonly Remains[] {
    const ofNode = (this.#remainsKnown[node] ??= new Map<number, readonly Remains[]>());
    let known = ofNode.get(local);
    if (!known)
      ofNode.set(local, (known = this.#parts.remainsOf(nth(this.#parts.nodes, node).state(local).side)));
    return known;
  }

  /** Appends the selected successors; returns whether one leads to another state or to a fault. */
  #append(state: Words, at: number, out: Successors, isAsked: (event: Event) => boolean): boolean {
    let isMoved = false;
    this.eachFollower(state, at, (event, outcome, fault) => {
      if (!isAsked(event)) return;
      if (fault !== undefined) {
        isMoved ||= outcome?.next === 0;
        return out.addFault(fault);
      }
      const next = this.#apply(state, at, event, outcome);
      isMoved ||= !isSame(next, state, at);
      append(out, next, this.#badMessages[0] ?? -1, 1 << agentOf(event, this.#count));
    });
    return isMoved;
  }

  /** Does not report a deadlock if all successors were discarded: the continuation is unknown. */
  status(state: Words, at: number): number {
    const { summary } = this.#parts;
    if (!summary.hasFinished || this.isRoot(state, at) || this.#parts.isFinished(state, at))
      return Status.validEnd;
    return this.#leadsBeyond(state, at) ? Status.validEnd : 0;
  }

  #leadsBeyond(state: Words, at: number): boolean {
    if (!this.#parts.summary.hasDiscard) return false;
    const before = this.discarded;
    this.eachFollower(state, at, () => undefined);
    const isBeyond = this.discarded > before;
    this.discarded = before;
    return isBeyond;
  }

  /** Sites of the properties violated by messages that enter the network. */
  #badlySent(state: Words, at: number, event: Event, outcome: Outcome | undefined): readonly number[] {
    if (event.kind === "start") return event.start.sites;
    if (!outcome || outcome.sends.every(({ sites }) => sites.length === 0)) return [];
    this.#apply(state, at, event, outcome);
    return this.#badMessages;
  }

  /** The state after an event, with the site of a property that one of its messages violates, or -1. */
  after(state: Words, at: number, event: Event, outcome: Outcome | undefined): Followed {
    const words = this.#apply(state, at, event, outcome).slice();
    return { words, site: this.#badMessages[0] ?? -1 };
  }

  /** The state after an event. The next call reuses the words. */
  #apply(state: Words, at: number, event: Event, outcome: Outcome | undefined): Int32Array {
    const words = this.#state;
    for (let k = 0; k < this.width; k++) words[k] = nth(state, at + k);
    const { network, budgets } = this.#parts;
    const use = (budget: number): void => this.#parts.words.use(words, budget, 1);
    switch (event.kind) {
      case "action":
        nth(budgets.actions, event.action).forEach(use);
        break;
      case "deliver":
        if (event.keeps) use(budgets.duplicates);
        words[this.#network] = event.keeps
          ? network.repeated(nth(words, this.#network), event.packet)
          : network.delivered(nth(words, this.#network), event.packet, event.node);
        break;
      case "miss":
        words[this.#network] = network.delivered(nth(words, this.#network), event.packet, event.node);
        break;
      case "lose":
        if (budgets.losses !== undefined && !event.isCut) use(budgets.losses); // sound: test/code/system/conditions.test.ts
        words[this.#network] = event.left;
        break;
      case "crash":
        use(budgets.crashes);
        if (event.torn !== undefined) use(budgets.torn); // sound: test/code/system/disk-faults.test.ts
        words[event.node] = event.next;
        break;
      case "corrupt":
        use(budgets.corruptions); // sound: test/code/system/disk-faults.test.ts
        words[event.node] = event.next;
        break;
      case "start":
        words.set(event.start.words);
        break;
      case "partition":
        use(budgets.partitions);
        words[this.#parts.words.partition] = event.mask;
        break;
      case "heal":
        words[this.#parts.words.partition] = 0;
        break;
      case "timer":
      case "pending":
      case "restart":
    }
    this.#badMessages = event.kind === "start" ? [...event.start.sites] : [];
    if (outcome) this.#enter(words, event as Running, outcome);
    return words;
  }

  #enter(words: Int32Array, event: Running, outcome: Outcome): void {
    const { network, budgets } = this.#parts;
    words[event.node] = outcome.next;
    this.#badMessages = [];
    this.#parts.words.use(words, budgets.failures, outcome.failed);
    if (outcome.crash) this.#parts.words.use(words, budgets.crashes, 1); // sound: test/code/system/crashes.test.ts
    if (outcome.crash?.torn !== undefined) this.#parts.words.use(words, budgets.torn, 1); // sound: test/code/system/disk-faults.test.ts
    const mask = this.#parts.words.partitionOf(words, 0);
    for (const { to, message, sites } of outcome.sends) {
      const content = nth(words, this.#network);
      const after = network.sent(content, event.node, to, message, (a, b) => isApart(mask, a, b));
      if (after !== content)
        for (const site of sites) if (!this.#badMessages.includes(site)) this.#badMessages.push(site);
      words[this.#network] = after;
    }
  }

  /**
   * Visits every enabled event with every outcome of its code, in order. `fault`: the site of a fault without
   * successor, or of a further fault besides the successor's.
   */
  eachFollower(state: Words, at: number, visit: Visit): void {
    this.eachEvent(state, at, (event) => this.eachOutcome(state, at, event, visit));
  }

  /** Visits every enabled event, in order, without running its code. */
  eachEvent(state: Words, at: number, visit: (event: Event) => void): void {
    try {
      if (this.isRoot(state, at)) {
        for (const start of this.#beginning.starts) visit({ kind: "start", start });
        return;
      }
      this.#actions(state, at, visit);
      this.#deliveries(state, at, visit);
      for (let node = 0; node < this.#count; node++) this.#ofNode(state, at, node, visit);
      this.#partitions(state, at, visit);
    } catch (error) {
      throw withState(error, state, at, this.width);
    }
  }

  /** Runs the code of one event, if it has any, and visits the outcomes as `eachFollower` does. */
  eachOutcome(
    state: Words,
    at: number,
    event: Event,
    visit: Visit,
    mayFail = this.failuresLeft(state, at),
  ): void {
    const { steps, budgets } = this.#parts;
    const follow = (outcome: Outcome | undefined): void => {
      const bad = [...this.#badlySent(state, at, event, outcome)];
      const isFailedStart = event.kind === "start" && event.start.site >= 0;
      if (isFailedStart) visit(event, outcome, event.start.site);
      else if (outcome?.next === 0) visit(event, outcome, outcome.site);
      else if (!outcome?.isDiscarded) {
        visit(event, outcome);
        bad.shift();
      }
      // Violations before a failure or beyond a bound are still errors, and each is reported.
      for (const site of bad) visit(event, outcome, site); // sound: test/code/system/several-errors.test.ts
    };
    if (!("call" in event)) return follow(undefined);
    const mayCrash = this.#isLeft(state, at, budgets.crashes);
    const mayTear = this.#isLeft(state, at, budgets.torn);
    try {
      for (const outcome of steps.outcomes(event.node, nth(state, at + event.node), event.call, mayFail)) {
        if (outcome.crash && !mayCrash) continue;
        if (outcome.crash?.torn !== undefined && !mayTear) continue; // sound: test/code/system/disk-faults.test.ts
        if (outcome.isDiscarded && this.discarded++ === 0) this.#onDiscard();
        follow(outcome);
      }
    } catch (error) {
      throw withState(error, state, at, this.width);
    }
  }

  #actions(state: Words, at: number, run: (event: Running) => void): void {
    const { summary, budgets } = this.#parts;
    for (const [action, { on, values }] of summary.actions.entries()) {
      if (!nth(budgets.actions, action).every((budget) => this.#isLeft(state, at, budget))) continue;
      for (const name of on) {
        const node = summary.nodes.indexOf(name);
        const local = nth(state, at + node);
        if (!nth(this.#parts.nodes, node).state(local).isUp) continue;
        for (let value = 0; value < values.length; value++)
          if (this.#parts.isEnabled(action, value, node, local))
            run({
              kind: "action",
              action,
              value,
              node,
              call: nth(nth(this.#actionCalls, action), value),
            });
      }
    }
  }

  #deliveries(state: Words, at: number, visit: (event: Event) => void): void {
    const { network, nodes, summary, budgets } = this.#parts;
    const mask = this.#parts.words.partitionOf(state, at);
    const mayRepeat = this.#isLeft(state, at, budgets.duplicates);
    const mayLose =
      budgets.losses === undefined ? summary.network.loss === true : this.#isLeft(state, at, budgets.losses);
    const packets = network.deliverable(nth(state, at + this.#network));
    for (const packet of packets) {
      const { from, to } = network.packet(packet);
      for (const node of to) {
        if (isApart(mask, from, node)) continue;
        if (!nth(nodes, node).state(nth(state, at + node)).isUp) {
          visit({ kind: "miss", packet, node });
          continue;
        }
        const call = this.#messageCall(packet);
        visit({ kind: "deliver", packet, node, call, keeps: false });
        if (mayRepeat) visit({ kind: "deliver", packet, node, call, keeps: true });
      }
    }
    if (mayLose)
      // sound: test/code/system/conditions.test.ts
      for (const loss of network.losses(nth(state, at + this.#network)))
        visit({ kind: "lose", ...loss, isCut: false });
    for (const loss of network.cuts(nth(state, at + this.#network), (a, b) => isApart(mask, a, b)))
      visit({ kind: "lose", ...loss, isCut: true }); // sound: test/code/system/conditions.test.ts
  }

  readonly #messageCalls: number[] = [];

  #messageCall(packet: number): number {
    const { network, steps, summary } = this.#parts;
    const known = this.#messageCalls[packet];
    if (known !== undefined) return known;
    const { from, message } = network.packet(packet);
    return (this.#messageCalls[packet] = steps.callNumber({
      kind: "message",
      from: nth(summary.nodes, from),
      message,
    }));
  }

  #ofNode(state: Words, at: number, node: number, visit: (event: Event) => void): void {
    const { nodes, steps, summary, budgets } = this.#parts;
    const { isUp, side, pending } = nth(nodes, node).state(nth(state, at + node));
    if (!isUp) {
      visit({ kind: "restart", node, call: nth(this.#starts, node) });
      if (this.#isLeft(state, at, budgets.corruptions)) this.#corruptions(node, side.disk, visit); // sound: test/code/system/disk-faults.test.ts
      return;
    }
    const timers = summary.timers === "any" ? side.timers : earliest(side.timers);
    // sound: test/code/system/conditions.test.ts
    if (timers.length < side.timers.length || (pending.length > 0 && summary.timers === "in-order"))
      this.#parts.noteOrder();
    for (const { name } of timers)
      visit({ kind: "timer", name, node, call: steps.callNumber({ kind: "timer", name }) });
    for (const [index, label] of pending.entries())
      visit({ kind: "pending", label, node, call: steps.callNumber({ kind: "pending", index }) });
    const { crashing = summary.nodes } = summary.faults;
    if (!crashing.includes(nth(summary.nodes, node)) || !this.#isLeft(state, at, budgets.crashes)) return;
    const unsynced = side.unsynced.length;
    const mayTear = this.#isLeft(state, at, budgets.torn);
    for (const { disk, kept, torn } of this.#remains(node, nth(state, at + node)))
      if (torn === undefined || mayTear)
        // sound: test/code/system/disk-faults.test.ts
        visit({ kind: "crash", node, kept, torn, unsynced, next: nth(nodes, node).down(disk) });
  }

  /** Entries change only while their node is down: a running node would not notice before its next read. */
  #corruptions(node: number, disk: Side["disk"], visit: (event: Event) => void): void {
    for (const [key, text] of Object.entries(disk))
      for (const { how, value } of corruptionsOf(text))
        visit({
          kind: "corrupt",
          node,
          key,
          how,
          next: nth(this.#parts.nodes, node).down({ ...disk, [key]: value }),
        });
  }

  #partitions(state: Words, at: number, visit: (event: Event) => void): void {
    if (this.#parts.words.partitionOf(state, at) !== 0) return visit({ kind: "heal" });
    if (!this.#isLeft(state, at, this.#parts.budgets.partitions)) return;
    // The first node always belongs to part 0: a partition equals its complement.
    for (let mask = 2; mask < 1 << this.#count; mask += 2) visit({ kind: "partition", mask });
  }

  failuresLeft(state: Words, at: number): number {
    const { budgets, words } = this.#parts;
    return nth(budgets.limits, budgets.failures) - words.used(state, at, budgets.failures); // sound: test/code/system/conditions.test.ts
  }

  #isLeft(state: Words, at: number, budget: number): boolean {
    return this.#parts.words.used(state, at, budget) < nth(this.#parts.budgets.limits, budget);
  }

  #begin(): Beginning {
    const { nodes, steps, budgets } = this.#parts;
    const root = new Int32Array(this.width);
    nodes.forEach((node, index) => (root[index] = node.down({})));
    root[this.#network] = 1;
    let starts: [Start, ...Start[]] = [{ words: root, sites: [], site: -1, incidents: [] }];
    for (let node = 0; node < nodes.length; node++) {
      const call = nth(this.#starts, node);
      const outcomesOf = (mayFail: number): readonly Outcome[] =>
        steps.outcomes(node, nth(root, node), call, mayFail);
      const [whole, choice] = outcomesOf(0).filter(({ crash }) => !crash);
      if (choice) throw new ChoiceAtStart(nth(this.#parts.summary.nodes, node));
      if (whole!.site >= 0) return { root, starts, site: whole!.site };
      starts = starts.flatMap((start) =>
        start.site >= 0
          ? [start]
          : outcomesOf(this.failuresLeft(start.words, 0)) // sound: test/code/system/starts.test.ts
              .filter(({ crash }) => !crash || this.#isLeft(start.words, 0, budgets.crashes)) // sound: test/code/system/starts.test.ts
              .filter((outcome) => !this.#isBeyondStart(outcome))
              .map((outcome) => this.#started(start, node, outcome)),
      ) as typeof starts;
    }
    return { root, starts, site: -1 };
  }

  /** The start without failures is the one state that must exist. */
  #isBeyondStart({ isDiscarded, failed }: Outcome): boolean {
    if (!isDiscarded || failed === 0) return false;
    if (this.discarded++ === 0) this.#onDiscard();
    return true;
  }

  #started(start: Start, node: number, outcome: Outcome): Start {
    const words = start.words.slice();
    this.#enter(words, { kind: "restart", node, call: nth(this.#starts, node) }, outcome);
    const isIncident = outcome.crash !== undefined || outcome.failed > 0;
    const incidents = isIncident ? [...start.incidents, { node, outcome }] : start.incidents;
    const sites = [...new Set([...start.sites, ...this.#badMessages])];
    return { words, sites, site: outcome.crash ? -1 : outcome.site, incidents };
  }
}

export interface Followed {
  readonly words: Int32Array;
  readonly site: number;
}

type Visit = (event: Event, outcome: Outcome | undefined, fault?: number) => void;

interface Beginning {
  /** All nodes are down, and no budget is used. */
  readonly root: Int32Array;
  /** The first has no failures or crashes. */
  readonly starts: readonly [Start, ...Start[]];
  /** Site of a fault in the first start, or -1. */
  readonly site: number;
}

/** A node makes a choice at its start. */
export class ChoiceAtStart extends Error {
  readonly node: string;

  constructor(node: string) {
    super(`${node} makes a choice when it starts`);
    this.node = node;
  }
}

const isApart = (mask: number, a: number, b: number): boolean =>
  mask !== 0 && ((mask >> a) & 1) !== ((mask >> b) & 1);

function earliest<T extends { readonly leftMs: number }>(timers: readonly T[]): readonly T[] {
  const first = timers.reduce<T | undefined>(
    (best, timer) => (best && best.leftMs <= timer.leftMs ? best : timer),
    undefined,
  );
  return first ? [first] : [];
}

/** The node of an event; events of the network belong to an additional agent. */
const agentOf = (event: Event, count: number): number => Math.min(30, "node" in event ? event.node : count);

function append(out: Successors, words: Int32Array, site: number, label: number): void {
  if (out.count === out.capacity) out.grow();
  out.words.set(words, out.count * out.stride);
  out.labels[out.count] = label;
  if (site >= 0) {
    out.flags[out.count] = (site + 1) << Entry.faultShift;
    out.isFlagged = true;
  }
  out.count++;
}

function isSame(words: Int32Array, state: Words, at: number): boolean {
  for (let k = 0; k < words.length; k++) if (words[k] !== state[at + k]) return false;
  return true;
}

function truncate(out: Successors, count: number): void {
  out.flags.fill(0, count, out.count);
  out.count = count;
}
