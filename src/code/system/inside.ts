/**
 * What runs in a node's realm beside the user's code: the environment that the node is given, and the mailbox by which the
 * checker calls handlers. Evaluated before the user's code, so that it belongs to the realm and not to the node's state.
 *
 * Always true: between two steps this keeps nothing that matters but `side` (timers and disk), which is given and taken
 * as text with every step; numbers and strings are all that the host gets.
 */
import { PlannedChooser } from "../../model/chooser.js";
import { describeFailure, UnsupportedError, type Failure } from "../world/failure.js";
import { worldKey } from "../world/current.js";
import { REFUSAL } from "../heap/refusal.js";
import { Relied, type World } from "../world/world.js";
import { JournaledStorage, storagePart, type Change } from "../devices/storage.js";
import { isLocalName, wirePart, type Frame, type Wire } from "../devices/wire.js";
import { Asking } from "./asking.js";
import { canonicalSide } from "./side.js";
import { forgetMatches, watchMatches } from "./matches.js";
import {
  addWeakEntry,
  clearWeakEntries,
  installWeakCollections,
  tellForeign,
  weakEntriesOf,
} from "./weak.js";
import { problemsIn } from "./declared.js";
import { unsayableIn } from "./sayable.js";
import { UNFINISHED } from "./unfinished.js";
import type { Data, Environment, Node, SystemDefinition, SystemFile } from "./define.js";

/** What a step is to do, as text from the host. */
export type Call =
  | { readonly kind: "start" }
  | { readonly kind: "message"; readonly from: string; readonly message: string }
  | { readonly kind: "timer"; readonly name: string }
  | { readonly kind: "action"; readonly name: string; readonly value: number }
  | { readonly kind: "pending"; readonly index: number };

export interface Side {
  /** In the order of their setting; what is left until they are due. */
  readonly timers: readonly { readonly name: string; readonly leftMs: number }[];
  readonly disk: Readonly<Record<string, string>>;
  /** Written and not synced; each happens as a whole. */
  readonly unsynced: readonly (readonly Change[])[];
}

export interface Order {
  readonly call: Call;
  readonly side: Side;
  readonly prefix: readonly number[];
  /** How often `fails` may still say yes. */
  readonly mayFail: number;
  /** Note where the user's code sends. */
  readonly tells: boolean;
}

export interface StepReport {
  readonly made: readonly { readonly options: number; readonly value: number }[];
  readonly sends: readonly Sent[];
  readonly side: Side;
  readonly failed: number;
  /** Where. */
  readonly failedAt: readonly string[];
  readonly asked: readonly string[];
  readonly failure: Failure | undefined;
  /** What was relied on up to now: bits of `Relied`. Loading the code counts, and looking at the node. */
  readonly relied: number;
  /** It was given up before it had the time that is every handler's due. */
  readonly isStarved?: boolean;
  readonly output: readonly string[];
  /** After each effect of the step, in order; none where the node never crashes. */
  readonly crashPoints: readonly CrashPoint[];
  /** What was on disk at these points. */
  readonly disks: readonly Pick<Side, "disk" | "unsynced">[];
  /** Timers of `setTimeout` and the like: code that waits. */
  readonly pending: readonly { readonly label: string }[];
}

/** What is left of a step if the node crashes in its middle. */
export interface CrashPoint {
  /** Effects until then. */
  readonly effects: number;
  /** Messages that went out. */
  readonly sends: number;
  /** Failures until then: what `fails` would have answered later uses up nothing. */
  readonly failed: number;
  /** Place of the disk among `disks`. */
  readonly disk: number;
}

export interface Sent {
  /** Absent: to whom the topology allows. */
  readonly to: readonly string[] | undefined;
  readonly message: string;
  readonly stack: string;
}

const world = (globalThis as unknown as Record<symbol, World>)[worldKey]!;

let systemFile: unknown;
let definition: SystemDefinition | undefined;
let asking: Asking | undefined;
let node: Node | undefined;
let order: Order | undefined;
/** Somebody looks at the node through its methods: nothing may be done. */
let isLookedAt = false;
let sends: Sent[] = [];
let timers: { name: string; leftMs: number }[] = [];
/** Notes what a crash would leave after each change. */
class NodeStorage extends JournaledStorage {
  override put(changes: readonly Change[]): void {
    act();
    super.put(changes);
    noteDisk();
  }

  override sync(isMeant: (key: string) => boolean): void {
    act();
    super.sync(isMeant);
    noteDisk();
  }
}
const storage = new NodeStorage();
let crashPoints: CrashPoint[] = [];
let disks: Pick<Side, "disk" | "unsynced">[] = [];
let failed = 0;
let failedAt: string[] = [];
/** The sites that asked whether they fail. */
let asked: string[] = [];
let environment: Environment | undefined;
/** Calls of `process.nextTick` in this step. */
let ticks = 0;
let unsupported: string | undefined;

const mailbox = {
  /** The names of all nodes, and which of them this is; "" is the realm of the properties. */
  identify(name: string, names: string): void {
    environment = Object.freeze(makeEnvironment(name, JSON.parse(names) as string[]));
    world.parts.set(wirePart, nodeWire);
  },
  /** The user's system, as its file exports it. */
  install(parameters: string): string {
    systemFile = (globalThis as unknown as Record<symbol, () => unknown>)[Symbol.for("everypath.file")]!();
    const { define, takesParameters = true } = (systemFile ?? {}) as Partial<SystemFile>;
    if (typeof define !== "function") return "";
    definition = define(JSON.parse(parameters) as Record<string, string>);
    const problems = problemsIn(definition);
    if (problems.length > 0) return JSON.stringify({ problems }); // sound: test/code/system/declared.test.ts
    asking = new Asking(definition);
    return JSON.stringify({ ...summary(definition), takesParameters });
  },
  /** For the conditions of the file. */
  asking: (): Asking => asking!,
  /** From now on the disk is that of a state which is looked at, until the next step. */
  look(text: string): void {
    isLookedAt = true;
    const { disk, unsynced } = JSON.parse(text) as Pick<Side, "disk" | "unsynced">;
    storage.disk = disk;
    storage.unsynced = [...unsynced];
    world.chooser = new NoChoices();
  },
  put(text: string): void {
    isLookedAt = false;
    order = JSON.parse(text) as Order;
    const { side } = order;
    timers = side.timers.map((timer) => ({ ...timer }));
    storage.disk = { ...side.disk };
    storage.unsynced = [...side.unsynced];
    sends = [];
    crashPoints = [];
    disks = mayCrash() ? [diskNow()] : [];
    failed = 0;
    failedAt = [];
    asked = [];
    ticks = 0;
    world.failure = undefined;
    world.refusal = undefined;
    world.output.length = 0;
    world.chooser = new PlannedChooser({ prefix: order.prefix, tail: { kind: "first" } });
  },
  go(): void {
    const { call } = order!;
    forgetMatches();
    if (call.kind === "pending") return world.fire(world.enabled()[call.index]!);
    world.attempt(() => watched(perform(call)));
    // As in Node, `process.nextTick` comes before the promise jobs of the callback.
    world.tick();
  },
  hasTicks: (): boolean => ticks > 0,
  reject: (reason: unknown): void => world.fail("rejection", reason),
  take(): string {
    const report: StepReport = {
      made: world.chooser.made.map(({ options, value }) => ({ options, value })),
      sends,
      side: canonicalSide(
        { timers, disk: storage.disk, unsynced: storage.unsynced },
        definition!.timers ?? "any",
        definition!.faults?.unsynced === "lost-in-order",
      ),
      failed,
      failedAt,
      asked,
      failure: world.failure,
      relied: world.relied,
      output: world.output.map(({ text }) => text),
      crashPoints,
      disks,
      pending: world.enabled().map(({ label }) => ({ label })),
    };
    return JSON.stringify(report);
  },
  /** The node itself, for the host to capture. */
  node: (): Node | undefined => node,
  setNode: (value: Node | undefined): void => {
    node = value;
  },
  file: (): unknown => systemFile,
  environment: (): Environment | undefined => environment,
  definition: (): SystemDefinition | undefined => definition,
  weak: { entriesOf: weakEntriesOf, clear: clearWeakEntries, add: addWeakEntry, tellForeign },
  /** Marks what is not supported and was used; nothing that follows counts. */
  unsupported: (): string | undefined => unsupported ?? world.refusal?.message ?? unfinished(),
  relied: (): number => world.relied,
};

export type Mailbox = typeof mailbox;

installWeakCollections(() => world.rely(Relied.uncollected)); // sound: test/code/system/conditions.test.ts
watchMatches((what) => (unsupported ??= what));
countTicks();
fixEnvironment();
world.parts.set(storagePart, storage);
Object.defineProperty(globalThis, Symbol.for("everypath.node"), { value: mailbox });

function countTicks(): void {
  const { process } = globalThis as unknown as { process: { nextTick(...args: unknown[]): void } };
  const { nextTick } = process;
  process.nextTick = (...args: unknown[]): void => {
    ticks++;
    nextTick(...args);
  };
}

/** As a field that is looked at, so that a node which changes it is noticed. */
function fixEnvironment(): void {
  const { process } = globalThis as unknown as { process: object & { env: object } };
  Object.defineProperty(process, "env", { value: process.env, enumerable: true, writable: true }); // sound: test/code/system/conditions.test.ts
}

/** A handler may be asynchronous: what it rejects with is a failure of the step. */
function watched(result: unknown): void {
  if (!(result instanceof Promise)) return;
  void result.then(undefined, (error: unknown) => {
    world.failure ??= describeFailure("rejection", error, 0);
  });
}

function perform(call: Exclude<Call, { kind: "pending" }>): unknown {
  switch (call.kind) {
    case "start":
      return start();
    case "message":
      return receive(call.from, JSON.parse(call.message) as Data);
    case "timer":
      fireTimer(call.name);
      return node!.onTimer?.(call.name);
    case "action": {
      const action = definition!.actions![call.name]!;
      return action.run(node!, structuredCopy(action.values?.[call.value]) as never);
    }
  }
}

/** A node may be a program that only starts something: then there is no object to look at. */
function start(): unknown {
  const made: unknown = definition!.nodes[environment!.name]!(environment!);
  const isObject = typeof made === "object" && made !== null && !(made instanceof Promise);
  node = isObject ? (made as Node) : {};
  return made instanceof Promise ? made.then(refuseLateNode) : node.onStart?.();
}

/** Its handlers would never be called. */
function refuseLateNode(made: Partial<Node> | null | undefined): void {
  // sound: test/code/system/conditions.test.ts
  if (made?.onStart ?? made?.onMessage ?? made?.onTimer)
    throw new UnsupportedError("a node with handlers that is made by a promise");
}

/** For the sockets of the node, or for itself. */
function receive(from: string, message: Data): unknown {
  if (!isFrame(message)) return node!.onMessage?.(from, message as never);
  return nodeWire.receive(from, message.frame);
}

const isFrame = (message: Data): message is Data & { readonly frame: Frame } =>
  typeof message === "object" && message !== null && "everypath" in message && message.everypath === "frame";

/** Time passes for the node until the timer is due: the others have that much less to wait. */
function fireTimer(name: string): void {
  const passed = timers.find((timer) => timer.name === name)?.leftMs ?? 0;
  timers = timers
    .filter((timer) => timer.name !== name)
    .map((timer) => ({ name: timer.name, leftMs: Math.max(0, timer.leftMs - passed) }));
}

/** Other nodes are hosts; what is sent to them is a message of the system's network. */
const nodeWire: Wire = {
  get host() {
    return environment!.name;
  },
  knows: (host) => isLocalName(host) || environment!.nodes.includes(host),
  send: (to, frame) =>
    post([isLocalName(to) ? environment!.name : to], { everypath: "frame", frame: { ...frame } }),
  receive: () => undefined,
};

const unfinished = (): string | undefined =>
  (node as { readonly [UNFINISHED]?: string } | undefined)?.[UNFINISHED];

/** Whoever looks at a node does nothing with it. */
function act(): void {
  if (isLookedAt) throw new TypeError(REFUSAL); // sound: test/code/system/looking.test.ts
}

class NoChoices extends PlannedChooser {
  constructor() {
    super({ prefix: [], tail: { kind: "first" } });
  }

  override choose(options: number): number {
    if (options > 1) act(); // sound: test/code/system/looking.test.ts
    return 0;
  }
}

/** Does a crash ever come to this node? */
function mayCrash(): boolean {
  const { crashes = 0, crashing } = definition?.faults ?? {};
  return crashes > 0 && (crashing?.includes(environment!.name) ?? true);
}

const diskNow = (): Pick<Side, "disk" | "unsynced"> => ({
  disk: { ...storage.disk },
  unsynced: [...storage.unsynced],
});

function noteDisk(): void {
  if (disks.length === 0) return;
  disks.push(diskNow());
  notePoint();
}

function notePoint(): void {
  if (disks.length === 0) return;
  const effects = crashPoints.length + 1;
  crashPoints.push({ effects, sends: sends.length, failed, disk: disks.length - 1 }); // sound: test/code/system/crashes.test.ts
}

function makeEnvironment(name: string, nodes: readonly string[]): Environment {
  return {
    name,
    nodes: Object.freeze(nodes),
    send: (to, message) => post(typeof to === "string" ? [to] : [...to], ownMessage(message)),
    broadcast: (message) => post(undefined, ownMessage(message)),
    setTimer: (timer, delayMs = 0) => {
      act();
      // sound: test/code/system/conditions.test.ts
      if (!Number.isFinite(delayMs) || delayMs < 0)
        throw new RangeError("the delay of a timer must be a number of at least 0");
      timers = [...timers.filter((other) => other.name !== timer), { name: timer, leftMs: delayMs }];
    },
    clearTimer: (timer) => {
      act();
      timers = timers.filter((other) => other.name !== timer);
    },
    choose: (options) => oneOf(options),
    chooseFrom: (values) => values[oneOf(values.length)]!,
    fails: (site) => {
      act();
      if (!asked.includes(site)) asked.push(site);
      const { failing } = definition?.faults ?? {};
      if (failed >= order!.mayFail || (failing && !failing.includes(site))) return false; // sound: test/code/system/conditions.test.ts
      if (world.choose(2) === 0) return false;
      failed++;
      failedAt.push(site);
      return true;
    },
    disk: Object.freeze({
      read: (key: string) => {
        const text = storage.get(String(key));
        return text === undefined ? undefined : (JSON.parse(text) as Data);
      },
      write: (key: string, value: Data) => {
        storage.put([{ key: String(key), value: textOf(sayable(value)) }]);
      },
      sync: () => storage.sync(() => true),
    }),
  };
}

function post(to: readonly string[] | undefined, message: Data): void {
  act();
  for (const name of to ?? [])
    if (!environment!.nodes.includes(name)) throw new RangeError(`there is no node '${name}' to send to`);
  sends.push({ to, message: textOf(message), stack: order?.tells ? (new Error().stack ?? "") : "" });
  notePoint();
}

/** What looks like a frame of the node's sockets would be taken for one. */
function ownMessage(message: Data): Data {
  if (isFrame(sayable(message))) throw new UnsupportedError("a message that looks like one of a socket"); // sound: test/code/system/conditions.test.ts
  return message;
}

function sayable(value: Data): Data {
  const what = unsayableIn(value);
  if (what === undefined) return value; // sound: test/code/system/conditions.test.ts
  throw new UnsupportedError(`${what} in a message or on disk: they hold what JSON can say`);
}

function oneOf(options: number): number {
  // sound: test/code/system/conditions.test.ts
  if (!Number.isSafeInteger(options) || options < 1)
    throw new RangeError(`there is nothing to choose from: the number of options is ${String(options)}`);
  return world.choose(options);
}

const textOf = (value: Data): string => JSON.stringify(value);

const structuredCopy = (value: Data | undefined): Data | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Data);

/** The system without its functions: what the host has to know. */
function summary(system: SystemDefinition): object {
  const names = (record: object | undefined): string[] => Object.keys(record ?? {});
  return {
    problems: [],
    nodes: names(system.nodes),
    network: system.network ?? {},
    faults: system.faults ?? {},
    budgets: system.budgets ?? {},
    timers: system.timers ?? "any",
    random: system.random ?? 1,
    capture: system.capture ?? "auto",
    ignore: system.ignore ?? [],
    symmetric: system.symmetric ?? [],
    hasDiscard: system.discard !== undefined,
    hasGuide: system.guide !== undefined,
    hasFinished: system.finished !== undefined,
    always: names(system.always),
    sometimes: names(system.sometimes),
    eventually: names(system.eventually),
    recoverable: names(system.recoverable),
    returns: names(system.returns),
    messages: names(system.messages),
    actions: Object.entries(system.actions ?? {}).map(([name, { on, values, times, budget, when }]) => ({
      name,
      on: on === undefined ? names(system.nodes) : typeof on === "string" ? [on] : on,
      values: values ?? [null],
      hasValues: values !== undefined,
      times,
      budget,
      hasWhen: when !== undefined,
    })),
  };
}
