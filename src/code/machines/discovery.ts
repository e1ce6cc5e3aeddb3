/** Finds the machines of a file, their events and the promises that they invoke. Runs inside realms. */
import type { Data } from "../system/define.js";
import type { MachinesDefinition, MachinesFile, OutsideEvent, Outcomes } from "./define.js";
import { undeclared } from "./data.js";

export interface Plan {
  readonly machines: Readonly<Record<string, Machine>>;
  readonly events: Readonly<Record<string, readonly Input[]>>;
  readonly settling: Readonly<Record<string, readonly Settling[]>>;
  readonly input: Readonly<Record<string, Data>>;
  readonly delays: "any" | "in-order";
  readonly fieldValues: number;
  readonly mayStop: Readonly<Record<string, readonly string[]>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the nodes' type is the runtime's
  readonly conditions: any;
}

/** An event from outside. */
export interface Input {
  readonly key: string;
  readonly type: string;
  /** Without the type; null: none. */
  readonly payload: Data;
  /** A new object for each step. */
  event(): { readonly type: string };
}

/** A promise that a machine invokes or spawns. */
export interface Settling {
  readonly key: string;
  /** As XState names its logic. */
  readonly src: string;
  readonly label: string;
  readonly results: Readonly<Record<"done" | "error", readonly Result[]>>;
}

export interface Result {
  /** In traces; null: nothing to show. */
  readonly shown: Data;
  event(): object;
  /** Of a result that the file does not declare: what to do if code reads it. */
  readonly advice: string | undefined;
}

export interface Machine {
  readonly id: string;
  readonly events: readonly string[];
  readonly root: StateNode;
  readonly implementations: { readonly actors: Record<string, unknown> };
}

interface StateNode {
  readonly id: string;
  readonly states: Readonly<Record<string, StateNode>>;
  readonly invoke: readonly { readonly id: string; readonly src: string }[];
  readonly config: { readonly invoke?: Invoke | Invoke[] };
}

interface Invoke {
  src: unknown;
}

interface Logic {
  transition(
    state: object,
    event: object,
    scope: object,
  ): { readonly status?: unknown; readonly output?: unknown };
  start?: unknown;
  root?: unknown;
}

type ProblemCode =
  | "not-a-machine"
  | "unknown-machine"
  | "events-needed"
  | "unknown-outcome"
  | "event-pattern"
  | "unknown-event"
  | "open-actor";

/** A mistake in the declaration, or a kind of actor that is not supported; `about` occurs in the user's text. The host reads the message. */
export class MachineProblem extends Error {
  override readonly name = "MachineProblem";

  constructor(code: ProblemCode, about: string, message: string) {
    super(JSON.stringify({ code, about, message }));
  }
}

export function findMachines(file: Readonly<Record<string, unknown>>): Plan | undefined {
  const declared = file["default"];
  if (isDeclaration(declared)) return planOf(declared);
  const found = Object.entries(file).filter((entry): entry is [string, Machine] => isMachine(entry[1]));
  const machines: Record<string, Machine> = {};
  for (const [name, machine] of found)
    if (!Object.values(machines).includes(machine))
      machines[name === "default" ? machine.id : name] = machine;
  if (found.length === 0) return undefined;
  return planOf({ machines } as unknown as MachinesDefinition);
}

function planOf(definition: MachinesDefinition): Plan {
  const machines = definition.machines as unknown as Record<string, Machine>;
  const names = Object.keys(machines);
  for (const [name, machine] of Object.entries(machines))
    if (!isMachine(machine))
      throw new MachineProblem("not-a-machine", name, `'${name}' is not a machine of XState 5`);
  const { events, outcomes = {}, input = {}, delays = "any", mayStop = {}, fieldValues = 256 } = definition;
  for (const [field, record] of Object.entries({ events: events ?? {}, input, mayStop }))
    for (const name of Object.keys(record))
      if (!names.includes(name))
        throw new MachineProblem("unknown-machine", name, `${field} names '${name}', which is not a machine`);
  // sound: test/code/machines/runtime.test.ts
  if (names.length > 1 && !events)
    throw new MachineProblem(
      "events-needed",
      names[1]!,
      `the file exports several machines: name one by defineMachines({ machines: { … } }), or declare which events come from outside (events: { ${names.join(": […], ")}: […] })`,
    );
  const settling = Object.fromEntries(names.map((name) => [name, settlingOf(machines[name]!, outcomes)]));
  const known = Object.values(settling).flatMap((all) => all.map(({ label }) => label));
  for (const label of Object.keys(outcomes))
    if (!known.includes(label))
      throw new MachineProblem(
        "unknown-outcome",
        label,
        `outcomes names '${label}', which no machine invokes${known.length > 0 ? `; promises: ${known.join(", ")}` : ""}`,
      );
  return {
    machines,
    events: Object.fromEntries(
      names.map((name) => [name, inputsOf(machines[name]!, events?.[name], events !== undefined)]),
    ),
    settling,
    input,
    delays,
    fieldValues,
    mayStop,
    conditions: definition,
  };
}

/** Functions in the configurations and implementations of machines: guards, actions, delays, inputs, actors. */
export function functionsIn(machines: readonly Machine[]): object[] {
  const seen = new Set<object>();
  const walk = (value: unknown): void => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value))
      return;
    seen.add(value);
    if (isMachine(value)) {
      walk((value as unknown as { readonly config: unknown }).config);
      walk(value.implementations);
    } else for (const key of Object.keys(value)) walk((value as Record<string, unknown>)[key]);
  };
  machines.forEach(walk);
  return [...seen].filter((value) => typeof value === "function");
}

const isDeclaration = (value: unknown): value is MachinesFile =>
  typeof value === "object" && value !== null && "everypath" in value && value.everypath === "machines";

const isMachine = (value: unknown): value is Machine =>
  typeof value === "object" &&
  value !== null &&
  "root" in value &&
  "implementations" in value &&
  "getInitialSnapshot" in value;

function inputsOf(
  machine: Machine,
  declared: readonly OutsideEvent[] | undefined,
  hasDeclaration: boolean,
): Input[] {
  const mentioned = machine.events.filter((type) => !type.startsWith("xstate."));
  const given = declared ?? (hasDeclaration ? [] : mentioned);
  return given.map((each): Input => {
    const type = typeof each === "string" ? each : each.type;
    // sound: test/code/machines/runtime.test.ts
    if (type.includes("*"))
      throw new MachineProblem(
        "event-pattern",
        type,
        `'${machine.id}' takes events by the pattern '${type}': list the events under 'events'`,
      );
    if (!mentioned.some((pattern) => matches(type, pattern)))
      throw new MachineProblem(
        "unknown-event",
        type,
        `'${machine.id}' has no event '${type}'; events: ${mentioned.join(", ")}`,
      );
    if (typeof each === "string")
      return {
        key: type,
        type,
        payload: null,
        event: () => undeclared({ type }, `give the event with its payload under 'events'`),
      };
    const { type: _, ...payload } = each;
    return {
      key: `${type} ${JSON.stringify(payload)}`,
      type,
      payload,
      event: () => JSON.parse(JSON.stringify(each)) as { type: string },
    };
  });
}

const matches = (type: string, pattern: string): boolean =>
  pattern === type || pattern === "*" || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)));

/** The promises of a machine and of the machines that it invokes. Replaces their logic: the checker decides how they end. */
function settlingOf(machine: Machine, outcomes: Readonly<Record<string, Outcomes>>): Settling[] {
  const found = new Map<string, string>();
  visit(machine, found, new Set());
  return [...found].map(([src, label]): Settling => {
    const { done = [undefined], error = [undefined] } = outcomes[label] ?? {};
    const isDeclared = (how: "done" | "error"): boolean => outcomes[label]?.[how] !== undefined;
    return {
      key: `settles ${src}`,
      src,
      label,
      results: {
        done: done.map((data) => result("resolve", data as Data, isDeclared("done"), label)),
        error: error.map((data) => result("reject", data as Data, isDeclared("error"), label)),
      },
    };
  });
}

function result(
  how: "resolve" | "reject",
  data: Data | undefined,
  isDeclared: boolean,
  label: string,
): Result {
  return {
    shown: isDeclared ? (data ?? null) : null,
    event: () => ({
      type: `xstate.promise.${how}`,
      data: data === undefined ? undefined : (JSON.parse(JSON.stringify(data)) as Data),
    }),
    advice: isDeclared ? undefined : `declare the results of '${label}' under 'outcomes'`,
  };
}

function visit(machine: Machine, found: Map<string, string>, seen: Set<Machine>): void {
  if (seen.has(machine)) return;
  seen.add(machine);
  const { actors } = machine.implementations;
  for (const [name, logic] of Object.entries(actors)) {
    const tamed = tame(logic, name, found, name, seen);
    if (tamed !== logic) actors[name] = tamed;
  }
  visitNode(machine.root, found, seen);
}

function visitNode(node: StateNode, found: Map<string, string>, seen: Set<Machine>): void {
  const configured = node.config.invoke === undefined ? [] : [node.config.invoke].flat();
  configured.forEach((invoke, index) => {
    const { id, src } = node.invoke[index]!;
    if (typeof invoke.src === "string") return;
    invoke.src = tame(invoke.src, src, found, id, seen);
  });
  for (const child of Object.values(node.states)) visitNode(child, found, seen);
}

/** The logic of an actor without its connection to the outside. */
function tame(
  logic: unknown,
  src: string,
  found: Map<string, string>,
  label: string,
  seen: Set<Machine>,
): unknown {
  if (isMachine(logic)) {
    visit(logic, found, seen);
    return logic;
  }
  const { start } = logic as Logic;
  if (typeof start !== "function") return logic;
  // sound: test/code/machines/runtime.test.ts
  if (!isPromiseLogic(logic as Logic))
    throw new MachineProblem(
      "open-actor",
      label,
      `the actor '${label}' is a callback or an observable, whose events are not known: replace it by a machine, or by a promise`,
    );
  found.set(src, label);
  return { ...(logic as Logic), start: () => undefined };
}

/** XState does not name kinds of logic: only promises end by this event. */
function isPromiseLogic(logic: Logic): boolean {
  try {
    const before = { status: "active", output: undefined, error: undefined, input: undefined };
    const after = logic.transition(before, { type: "xstate.promise.resolve", data: 1 }, { self: {} });
    return after.status === "done" && after.output === 1;
  } catch {
    return false;
  }
}
