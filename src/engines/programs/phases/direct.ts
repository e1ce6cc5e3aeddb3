/**
 * Runs a task program with a real queue: the reference semantics.
 *
 * Interrupts are choices; between two tasks, a path whose memory and queue are those of an earlier path is not continued.
 */
import type { Module, ProgramInputs } from "../../../model/module.js";
import { EBUSY, PRIMITIVE, type TaskProgram } from "../../../model/tasks.js";
import type { Provided, ProvidedCall } from "../calls.js";
import { requestInteger } from "../inputs.js";
import { Ended, type Machine, type Runnable } from "../machine.js";
import type { PathState } from "../state.js";
import { isTerm, Pointer, type Value } from "../values.js";
import { choose } from "./choosing.js";
import { eventsAfter, type Events, type TaskEvent } from "./events.js";

export interface Scheduling {
  readonly phase: number;
  /** Number of the running task; `main` is 0. */
  readonly instance: number;
  readonly started: number;
  /** The handler that runs. */
  readonly handler: number | undefined;
  readonly atomic: number;
  /** Handlers that are switched off, by bits; the last bit switches all off. */
  readonly disabled: number;
  readonly queue: readonly Posted[];
  /** Tasks in the queue, by bits. */
  readonly queued: readonly boolean[];
  readonly args: readonly Value[];
  readonly events: Events | undefined;
}

interface Posted {
  readonly task: number;
  readonly phase: number;
  readonly args: readonly Value[];
  readonly by: number;
  readonly span: ReturnType<ProvidedCall["executor"]["machine"]["position"]>["span"];
}

/** Bounds that cut some path. */
export type Cut = "phases" | "loops" | "interrupts";

export const schedulingOf = (state: PathState): Scheduling => state.scheduling as Scheduling;
const ALL_OFF = 2 ** 30;
const MOST_WAITING = 4096;

/** A program with its scheduler, for one exploration. */
export class DirectProgram implements Runnable {
  readonly module: Module;
  readonly inputs: ProgramInputs = { args: new Map(), stdin: undefined };
  readonly cuts = new Set<Cut>();
  /** Paths that met an earlier one. */
  merged = 0;
  /** Of a concrete run: the variables when each phase from the second on began. */
  readonly starts: PhaseStart[] = [];
  readonly #program: TaskProgram;
  readonly #provided: ReadonlyMap<string, Provided>;
  readonly #visited = new Set<string>();

  constructor(program: TaskProgram) {
    this.#program = program;
    this.module = program.module;
    this.#provided = new Map<string, Provided>([
      [PRIMITIVE.start, (context) => this.#start(context)],
      [PRIMITIVE.post, (context) => this.#post(context)],
      [PRIMITIVE.next, (context) => this.#next(context)],
      [PRIMITIVE.argument, (context) => argumentOf(context, schedulingOf(context.state).args)],
      [PRIMITIVE.interrupt, (context) => this.#interrupt(context)],
      [PRIMITIVE.interruptEnd, ({ state }) => endInterrupt(state)],
      [PRIMITIVE.atomicBegin, ({ state }) => changeAtomic(state, 1)],
      [PRIMITIVE.atomicEnd, ({ state }) => changeAtomic(state, -1)],
      [PRIMITIVE.enable, (context) => this.#enable(context)],
      [PRIMITIVE.turns, (context) => checkTurns(context, program.bounds.unwind, this.cuts)],
      [PRIMITIVE.drain, (context) => drain(context)],
      [PRIMITIVE.finish, () => undefined],
    ]);
    this.provides = (name) => this.#provided.get(name);
  }

  readonly provides: (name: string) => Provided | undefined;

  #start({ state }: ProvidedCall): undefined {
    const scheduling: Scheduling = {
      phase: 1,
      instance: 0,
      started: 0,
      handler: undefined,
      atomic: 0,
      disabled: 0,
      queue: [],
      queued: [],
      args: [],
      events: undefined,
    };
    state.scheduling = scheduling;
    record(state, { kind: "task", name: "main", instance: 0, phase: 1, by: undefined, span: undefined });
    return undefined;
  }

  #post(context: ProvidedCall): Value {
    const { state, args: all, executor } = context;
    const [task = 0, ...args] = all;
    const { phase, instance, queue, queued } = schedulingOf(state);
    const { bounds, tasks } = this.#program;
    const index = Number(task);
    const { span } = executor.machine.position(state);
    const name = tasks[index]?.name ?? "";
    const note = (result: Extract<TaskEvent, { kind: "post" }>["result"]): void =>
      record(state, { kind: "post", name, result, instance, phase, span });
    if (bounds.queue === "tinyos") {
      if (queued[index]) {
        note("already queued");
        return EBUSY;
      }
      update(state, { queued: withBit(queued, index, true) });
    }
    if (phase >= bounds.phases) {
      this.cuts.add("phases"); // sound: test/session/bbs.test.ts
      note("beyond the bound");
      return 0;
    }
    if (queue.length >= MOST_WAITING)
      throw executor.machine.unsupported(state, `more than ${MOST_WAITING} tasks in the queue`);
    note("queued");
    update(state, { queue: [...queue, { task: index, phase: phase + 1, args, by: instance, span }] });
    return 0;
  }

  #next(context: ProvidedCall): Value {
    const { state, executor } = context;
    const { queue, queued, started, phase: before } = schedulingOf(state);
    const [first, ...rest] = queue;
    if (!first) return NO_TASK;
    const { task, phase, args, by, span } = first;
    if (!executor.machine.host.given) this.#merge(state);
    else if (phase > before) this.starts.push(startOfPhase(this.#program, state, executor.machine, phase));
    update(state, {
      queue: rest,
      queued: withBit(queued, task, false),
      phase,
      args,
      instance: started + 1,
      started: started + 1,
      atomic: 0,
    });
    const name = this.#program.tasks[task]?.name ?? "";
    record(state, { kind: "task", name, instance: started + 1, phase, by, span });
    return task;
  }

  /** Drops a path whose future is that of an earlier one. */
  #merge(state: PathState): void {
    const key = keyOf(state);
    if (key === undefined) return;
    if (this.#visited.has(key)) {
      this.merged++;
      throw new Ended({ kind: "dropped" });
    }
    this.#visited.add(key);
  }

  #interrupt(context: ProvidedCall): Value {
    const { state, args, executor } = context;
    const { handler, atomic, disabled } = schedulingOf(state);
    if (handler !== undefined || atomic > 0 || (disabled & ALL_OFF) !== 0) return 0; // sound: test/programs/tasks/traps.test.ts
    const set = Number(args[0]);
    const enabled = this.#program.handlers
      .map((_, index) => index)
      .filter((index) => (set >> index) & (~disabled >> index) & 1);
    this.cuts.add("interrupts");
    const { span } = executor.machine.position(state);
    return choose(context, "interrupt", enabled.length + 1, (own, choice) => {
      const index = choice === 0 ? undefined : enabled[choice - 1];
      if (index === undefined) return 0;
      beginInterrupt(own, this.#program, index, span);
      return index + 1;
    });
  }

  #enable({ state, args }: ProvidedCall): undefined {
    const { disabled } = schedulingOf(state);
    const bits = bitsOfVector(this.#program, args[0]);
    update(state, { disabled: Number(args[1]) === 0 ? disabled | bits : disabled & ~bits });
    return undefined;
  }
}

export interface PhaseStart {
  readonly phase: number;
  /** In the order of the slots; an address has its symbol, or none if it is a variable of a function. */
  readonly values: readonly (bigint | { readonly symbol: string | undefined; readonly offset: number })[];
  readonly bits: readonly boolean[];
}

function startOfPhase(
  { slots, tasks, handlers }: TaskProgram,
  state: PathState,
  machine: Machine,
  phase: number,
): PhaseStart {
  const { queued, disabled } = schedulingOf(state);
  const names = new Map([...machine.symbols].map(([name, id]) => [id, name]));
  const values = slots.map(({ global, at, size }) => {
    const object = state.objects.get(machine.symbols.get(global) ?? 0);
    const value = object?.read(at, size, machine.bits, (pointer) => machine.expose(state, pointer));
    if (value instanceof Pointer)
      return { symbol: names.get(value.object), offset: isTerm(value.offset) ? 0 : value.offset };
    return typeof value === "number" || typeof value === "bigint" ? BigInt(value) : 0n;
  });
  const bits = [
    ...tasks.map((_, index) => queued[index] ?? false),
    ...handlers.map((_, index) => ((disabled >> index) & 1) === 1),
    (disabled & ALL_OFF) !== 0,
  ];
  return { phase, values, bits };
}

export const NO_TASK = 0xffff_fffe;

/** Bits of the handlers of a vector; -1 is the switch for all. */
export function bitsOfVector({ handlers }: TaskProgram, vector: Value | undefined): number {
  const wanted = Number(vector) | 0;
  if (wanted === -1) return ALL_OFF;
  return handlers.reduce((bits, each, index) => (each.vector === wanted ? bits | (1 << index) : bits), 0);
}

export function update(state: PathState, change: Partial<Scheduling>): void {
  state.scheduling = { ...schedulingOf(state), ...change };
}

export function record(state: PathState, event: TaskEvent): void {
  update(state, { events: eventsAfter(schedulingOf(state).events, event) });
}

export function beginInterrupt(
  state: PathState,
  { handlers }: TaskProgram,
  index: number,
  span: Extract<TaskEvent, { kind: "interrupt" }>["span"],
): void {
  const { instance, phase } = schedulingOf(state);
  const { name = "", vector = 0 } = handlers[index] ?? {};
  record(state, { kind: "interrupt", name, vector, instance, phase, span });
  update(state, { handler: index });
}

export function endInterrupt(state: PathState): undefined {
  const { instance, phase } = schedulingOf(state);
  record(state, { kind: "interrupt end", instance, phase });
  update(state, { handler: undefined });
  return undefined;
}

export function changeAtomic(state: PathState, by: number): Value {
  update(state, { atomic: Math.max(0, schedulingOf(state).atomic + by) });
  return 1;
}

/** An argument of the task that begins; index -1: any value. */
export function argumentOf(context: ProvidedCall, args: readonly Value[]): Value {
  const { executor, state, call } = context;
  const index = Number(context.args[0]) | 0;
  if (index >= 0) return args[index] ?? 0;
  if (call.result.kind !== "int")
    throw executor.machine.unsupported(state, "a task of the environment with an address");
  return requestInteger(executor, state, "argument", call.result.bits, false);
}

export function checkTurns({ args }: ProvidedCall, most: number, cuts: Set<Cut>): undefined {
  if (Number(args[0]) <= most) return undefined;
  cuts.add("loops"); // sound: test/session/bbs.test.ts
  throw new Ended({ kind: "dropped" });
}

/** The loop that empties the queue while the system starts. */
function drain({ executor, state }: ProvidedCall): Value {
  if (schedulingOf(state).queue.length > 0)
    throw executor.machine.unsupported(state, "a loop that empties the queue after a post (boot-drain)");
  return 0;
}

export const withBit = (bits: readonly boolean[], index: number, value: boolean): readonly boolean[] =>
  Array.from({ length: Math.max(bits.length, index + 1) }, (_, at) =>
    at === index ? value : (bits[at] ?? false),
  );

/** Memory, queue and switches, if no input shows in them. */
function keyOf(state: PathState): string | undefined {
  const { queue, queued, disabled } = schedulingOf(state);
  const parts: string[] = [`${disabled} ${queued.map(Number).join("")} ${state.stdinAt}`];
  for (const { task, phase, args } of queue) {
    if (!args.every((arg) => typeof arg === "number" || typeof arg === "bigint" || isPlace(arg)))
      return undefined;
    parts.push(`${task} ${phase} ${args.map(textOf).join(",")}`);
  }
  for (const [id, { kind, isConstant, bytes, missing, pieces, isEnded }] of state.objects) {
    if (kind === "function" || isConstant) continue;
    const held: string[] = [];
    for (const [at, { of, index }] of pieces ?? []) {
      if (!isPlace(of)) return undefined; // sound: test/session/bbs.test.ts
      held.push(`${at}:${textOf(of)}.${index}`);
    }
    parts.push(
      `${id} ${isEnded ? 1 : 0} ${Buffer.from(bytes).toString("latin1")} ${missing ? Buffer.from(missing).toString("latin1") : ""} ${held.sort().join(" ")}`,
    );
  }
  return parts.join("\n");
}

const isPlace = (value: unknown): value is Pointer => value instanceof Pointer && !isTerm(value.offset);
const textOf = (value: Value): string =>
  value instanceof Pointer ? `@${value.object}+${String(value.offset)}` : String(value as number);
