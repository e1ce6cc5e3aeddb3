/**
 * The checker's code in a node's realm: the environment of the node, and the mailbox through which the host calls
 * handlers. Evaluated before the user's code, so that it belongs to the realm and not to the node's state.
 *
 * Always true: between two steps, the only relevant state here is `side` (timers and disk), which every step receives
 * and returns as text; the host receives only numbers and strings.
 */
import { PlannedChooser } from "../../model/chooser.js";
import { describeFailure, UnsupportedError, type Failure } from "../world/failure.js";
import { worldKey } from "../world/current.js";
import { REFUSAL } from "../heap/refusal.js";
import { Relied, type World } from "../world/world.js";
import { JournaledStorage, storagePart, type Change } from "../devices/storage.js";
import { isLocalName, wirePart, type Frame, type Wire } from "../devices/wire.js";
import { ConditionEvaluator } from "./condition-evaluator.js";
import { canonicalSide } from "./side.js";
import { forgetMatches, watchMatches } from "./matches.js";
import { addWeakEntry, clearWeakEntries, installWeakCollections, setForeign, weakEntriesOf } from "./weak.js";
import { problemsIn, problemsOfParameters } from "./declared.js";
import { withLimits, type Limits } from "./limits.js";
import { nonJsonIn } from "./json-values.js";
import { UNFINISHED } from "./unfinished.js";
import type { Data, Environment, Node, SystemDefinition, SystemFile } from "./define.js";
import { known, nth } from "../../model/known.js";

/** The call of a step, as text from the host. */
export type Call =
  | { readonly kind: "start" }
  | { readonly kind: "message"; readonly from: string; readonly message: string }
  | { readonly kind: "timer"; readonly name: string }
  | { readonly kind: "action"; readonly name: string; readonly value: number }
  | { readonly kind: "pending"; readonly index: number };

export interface Side {
  /** In order of creation, with the remaining delays. */
  readonly timers: readonly { readonly name: string; readonly leftMs: number }[];
  readonly disk: Readonly<Record<string, string>>;
  /** Unsynced writes; each group is atomic. */
  readonly unsynced: readonly (readonly Change[])[];
}

export interface Order {
  readonly call: Call;
  readonly side: Side;
  readonly prefix: readonly number[];
  readonly mayFail: number;
  /** Record stacks of sends. */
  readonly isRecorded: boolean;
}

export interface StepReport {
  readonly made: readonly { readonly options: number; readonly value: number }[];
  readonly sends: readonly Sent[];
  readonly side: Side;
  readonly failed: number;
  /** Sites of the failures. */
  readonly failedAt: readonly string[];
  readonly asked: readonly string[];
  readonly failure: Failure | undefined;
  /** Bits of `Relied` so far, including the loading of code and accesses by conditions. */
  readonly relied: number;
  /** The step was interrupted before its guaranteed time had passed. */
  readonly isStarved?: boolean;
  readonly output: readonly string[];
  /** One after each effect of the step; none if the node never crashes. */
  readonly crashPoints: readonly CrashPoint[];
  readonly disks: readonly Pick<Side, "disk" | "unsynced">[];
  /** Pending timers of `setTimeout` and similar functions. */
  readonly pending: readonly { readonly label: string }[];
}

/** Effects of a step interrupted by a crash. */
export interface CrashPoint {
  /** Number of effects before the crash. */
  readonly effects: number;
  readonly sends: number;
  /** Failures before the crash; later ones consume nothing. */
  readonly failed: number;
  /** Index into `disks`. */
  readonly disk: number;
}

export interface Sent {
  /** Absent: broadcast. */
  readonly to: readonly string[] | undefined;
  readonly message: string;
  readonly stack: string;
}

const world = (globalThis as unknown as Record<symbol, World>)[worldKey]!;

let systemFile: unknown;
let definition: SystemDefinition | undefined;
let evaluator: ConditionEvaluator | undefined;
let node: Node | undefined;
let order: Order | undefined;
/** Whether a condition accesses the node: then effects are refused. */
let isLookedAt = false;
let sends: Sent[] = [];
let timers: { name: string; leftMs: number }[] = [];
/** Records crash points after each change. */
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
/** Sites that called `fails`. */
let asked: string[] = [];
let environment: Environment | undefined;
const self = (): Environment => known(environment, "the environment");
/** Calls of `process.nextTick` in this step. */
let ticks = 0;
let unsupported: string | undefined;

const mailbox = {
  /** Sets the names of all nodes and of this one; "" is the realm of the properties. */
  identify(name: string, names: string): void {
    environment = Object.freeze(makeEnvironment(name, JSON.parse(names) as string[]));
    world.parts.set(wirePart, nodeWire);
  },
  install(parameters: string): string {
    systemFile = (globalThis as unknown as Record<symbol, () => unknown>)[Symbol.for("everypath.file")]!();
    const { define, takesParameters = true, declared } = (systemFile ?? {}) as Partial<SystemFile>;
    if (typeof define !== "function") return "";
    const { given, limits } = JSON.parse(parameters) as { given: Record<string, string>; limits: Limits };
    const badly = declared && problemsOfParameters(declared, given);
    if (badly && badly.length > 0) return JSON.stringify({ problems: badly }); // sound: test/code/system/parameters.test.ts
    const written = define(given);
    const problems = problemsIn(written);
    if (problems.length > 0) return JSON.stringify({ problems }); // sound: test/code/system/declared.test.ts
    const limited = withLimits(written, limits);
    if (Array.isArray(limited)) return JSON.stringify({ problems: limited });
    definition = limited as SystemDefinition;
    evaluator = new ConditionEvaluator(definition);
    return JSON.stringify({
      ...summary(definition),
      takesParameters,
      declaresParameters: declared !== undefined,
    });
  },
  evaluator: (): ConditionEvaluator => known(evaluator, "the evaluator"),
  /** Shows the disk of a given state until the next step. */
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
    const { call } = known(order, "the order");
    forgetMatches();
    if (call.kind === "pending") return world.fire(nth(world.enabled(), call.index));
    world.attempt(() => watched(perform(call)));
    // As in Node, `process.nextTick` callbacks precede the callback's promise jobs.
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
        definition?.timers ?? "any",
        definition?.faults?.unsynced === "lost-in-order",
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
  /** The node, for capture by the host. */
  node: (): Node | undefined => node,
  setNode: (value: Node | undefined): void => {
    node = value;
  },
  file: (): unknown => systemFile,
  environment: (): Environment | undefined => environment,
  definition: (): SystemDefinition | undefined => definition,
  weak: { entriesOf: weakEntriesOf, clear: clearWeakEntries, add: addWeakEntry, setForeign },
  /** Use of an unsupported feature, which invalidates all later results. */
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

/** Turns `process.env` into a data property, so that changes to it are detected. */
function fixEnvironment(): void {
  const { process } = globalThis as unknown as { process: object & { env: object } };
  Object.defineProperty(process, "env", { value: process.env, enumerable: true, writable: true }); // sound: test/code/system/conditions.test.ts
}

/** Handlers may be asynchronous: a rejection is a failure of the step. */
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
      return node?.onTimer?.(call.name);
    case "action": {
      const action = known(definition?.actions?.[call.name], call.name);
      return action.run(known(node, "the node"), structuredCopy(action.values?.[call.value]) as never);
    }
  }
}

/** Starts the node. A program that creates no object becomes an empty node. */
function start(): unknown {
  const here = self();
  const made: unknown = definition?.nodes[here.name]?.(here);
  const isObject = typeof made === "object" && made !== null && !(made instanceof Promise);
  node = isObject ? (made as Node) : {};
  return made instanceof Promise ? made.then(refuseLateNode) : node.onStart?.();
}

/** The handlers of a node created by a promise would never be called. */
function refuseLateNode(made: Partial<Node> | null | undefined): void {
  // sound: test/code/system/conditions.test.ts
  if (made?.onStart ?? made?.onMessage ?? made?.onTimer)
    throw new UnsupportedError("a node with handlers that is made by a promise");
}

/** Dispatches frames to sockets and other messages to the node. */
function receive(from: string, message: Data): unknown {
  if (!isFrame(message)) return node?.onMessage?.(from, message as never);
  return nodeWire.receive(from, message.frame);
}

const isFrame = (message: Data): message is Data & { readonly frame: Frame } =>
  typeof message === "object" && message !== null && "everypath" in message && message.everypath === "frame";

/** Advances the node's time to the deadline of the timer. */
function fireTimer(name: string): void {
  const passed = timers.find((timer) => timer.name === name)?.leftMs ?? 0;
  timers = timers
    .filter((timer) => timer.name !== name)
    .map((timer) => ({ name: timer.name, leftMs: Math.max(0, timer.leftMs - passed) }));
}

/** Other nodes are hosts; frames are messages of the system's network. */
const nodeWire: Wire = {
  get host() {
    return self().name;
  },
  knows: (host) => isLocalName(host) || self().nodes.includes(host),
  send: (to, frame) =>
    post([isLocalName(to) ? self().name : to], { everypath: "frame", frame: { ...frame } }),
  receive: () => undefined,
};

const unfinished = (): string | undefined =>
  (node as { readonly [UNFINISHED]?: string } | undefined)?.[UNFINISHED];

/** Refuses effects while a condition accesses the node. */
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

function mayCrash(): boolean {
  const { crashes = 0, crashing } = definition?.faults ?? {};
  return crashes > 0 && (crashing?.includes(self().name) ?? true);
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
      if (failed >= known(order, "the order").mayFail || (failing && !failing.includes(site))) return false; // sound: test/code/system/conditions.test.ts
      if (world.choose(2) === 0) return false;
      failed++;
      failedAt.push(site);
      return true;
    },
    disk: Object.freeze({
      read: (key: string) => {
        const text = storage.get(String(key));
        return text === undefined ? undefined : readable(String(key), text);
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
    if (!self().nodes.includes(name)) throw new RangeError(`there is no node '${name}' to send to`);
  sends.push({ to, message: textOf(message), stack: order?.isRecorded ? (new Error().stack ?? "") : "" });
  notePoint();
}

/** Refuses a message that would be mistaken for a frame. */
function ownMessage(message: Data): Data {
  if (isFrame(sayable(message))) throw new UnsupportedError("a message that looks like one of a socket"); // sound: test/code/system/conditions.test.ts
  return message;
}

function sayable(value: Data): Data {
  const what = nonJsonIn(value);
  if (what === undefined) return value; // sound: test/code/system/conditions.test.ts
  throw new UnsupportedError(`${what} in a message or on disk, which can contain only JSON data`);
}

/** A torn or corrupted entry may not be JSON any more. */
function readable(key: string, text: string): Data {
  try {
    return JSON.parse(text) as Data;
  } catch {
    throw new Error(`the entry '${key}' on the disk cannot be read`);
  }
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

/** The system without its functions, for the host. */
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
    hasPicture: system.picture !== undefined,
    hasObserve: system.observe !== undefined,
    hasFinished: system.finished !== undefined,
    fieldValues: system.fieldValues,
    loopsProgress: system.loopsProgress ?? false,
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
