/**
 * Adds the scheduler, the bounds of loops, and the points at which interrupts may arrive.
 *
 * A statement needs no point if it commutes with the handlers: one that arrives before it could as well arrive at the next point, and the
 * end of every task is one.
 */
import type { Block, Instruction, IrFunction, Phi } from "../../model/module.js";
import { PRIMITIVE, type Handler, type TaskBounds, type TaskProgram } from "../../model/tasks.js";
import { commute, Effects, INTERRUPTS, noEffect, type Effect } from "./effects.js";
import {
  callOf,
  environmentFunction,
  interruptFunction,
  postFunction,
  runFunction,
  schedulerFunction,
  taskOf,
  USER_MAIN,
} from "./generate.js";
import { TaskProblem, type Recognised } from "./recognise.js";
import { slotsOf } from "./slots.js";
import { isSilent, loopsOf, statementStarts, successorsOf } from "./statements.js";

interface Preempting extends Handler {
  readonly index: number;
  readonly effect: Effect;
}

export function instrument(recognised: Recognised, bounds: TaskBounds): TaskProgram {
  const { tasks, handlers, environment } = recognised;
  const functions = new Map(recognised.functions);
  const main = functions.get(USER_MAIN);
  if (!main) throw new TaskProblem("c/no-main", "there is no function 'main'", undefined);
  tasks.forEach((task, index) => functions.set(`post ${task.name}`, postFunction(task, index)));
  const own = environment.flatMap((name) => functions.get(name) ?? []).map(environmentFunction);
  for (const fn of own) functions.set(fn.name, fn);
  for (const task of tasks) functions.set(`run ${task.name}`, runFunction(task, undefined));
  const module = { functions, globals: recognised.globals, undefinedSymbols: [] };
  const effects = new Effects(module, bounds.queue === "tinyos");
  const named = [...handlers, ...own.map(({ name }) => ({ name, vector: -1 }))];
  const all = named.map(({ name, vector }, index): Preempting => {
    const effect = noEffect();
    const whole = effects.ofFunction(name);
    effect.reads.addAll(whole.reads);
    effect.writes.addAll(whole.writes);
    effect.reads.add({ object: INTERRUPTS, at: undefined, size: 0 });
    return { name, vector, index, effect, span: functions.get(name)?.span };
  });
  const reached = effects.reached([USER_MAIN, ...tasks.map(({ name }) => name)]);
  const inTasks = [...reached]
    .flatMap((name) => functions.get(name) ?? [])
    .filter(({ isLibrary }) => !isLibrary);
  const total = [USER_MAIN, ...tasks.map(({ name }) => name)].map((name) => effects.ofFunction(name));
  const raced = racedObjects(total, all);
  const inserter = new Inserter(effects, bounds, all, raced, functions);
  for (const name of [...functions.keys()]) {
    const fn = functions.get(name);
    if (!fn || fn.isLibrary) continue;
    functions.set(name, inserter.instrumented(fn, inTasks.includes(fn)));
  }
  const atEnd = inserter.pointFor(all, bounds.atTaskEnd); // sound: test/programs/tasks/traps.test.ts
  for (const task of tasks) functions.set(`run ${task.name}`, runFunction(task, atEnd));
  functions.set("main", schedulerFunction(main, tasks, atEnd));
  const roots = [USER_MAIN, ...tasks.map(({ name }) => name), ...all.map(({ name }) => name)];
  const { slots, notSequential } = slotsOf(module, effects, roots);
  const variables = [...recognised.globals.values()].filter(
    ({ isConstant, name }) => !isConstant && /^[A-Za-z_]/.test(name) && isOwn(name),
  );
  return {
    module: { functions, globals: recognised.globals, undefinedSymbols: [] },
    tasks: tasks.map(taskOf),
    handlers: all.map(({ name, vector, span }) => ({ name, vector, span })),
    bounds,
    slots,
    notSequential,
    statistics: {
      tasks: tasks.map(({ name }) => name),
      handlers: handlers.map(({ name }) => name),
      variables: variables.map(({ name }) => name),
      raced: variables.map(({ name }) => name).filter((name) => raced.has(`g:${name}`)),
      points: inserter.points,
      pointsWithout: inserter.pointsWithout,
    },
  };
}

const isOwn = (name: string): boolean =>
  !/^(?:everypath|llvm\.)/.test(name) && !["stdin", "stdout", "stderr"].includes(name);

/** Accessed by tasks and by handlers, and written by one of the two. */
function racedObjects(tasks: readonly Effect[], handlers: readonly Preempting[]): ReadonlySet<string> {
  const raced = new Set<string>();
  for (const { reads, writes } of tasks)
    for (const { effect } of handlers) {
      for (const object of reads.objects) if (reads.within(object).meets(effect.writes)) raced.add(object); // sound: test/programs/tasks/traps.test.ts
      for (const object of writes.objects) {
        const part = writes.within(object);
        if (part.meets(effect.reads) || part.meets(effect.writes)) raced.add(object);
      }
    }
  return raced;
}

class Inserter {
  points = 0;
  pointsWithout = 0;
  readonly #effects: Effects;
  readonly #bounds: TaskBounds;
  readonly #handlers: readonly Preempting[];
  readonly #raced: ReadonlySet<string>;
  readonly #functions: Map<string, IrFunction>;

  constructor(
    effects: Effects,
    bounds: TaskBounds,
    handlers: readonly Preempting[],
    raced: ReadonlySet<string>,
    functions: Map<string, IrFunction>,
  ) {
    this.#effects = effects;
    this.#bounds = bounds;
    this.#handlers = handlers;
    this.#raced = raced;
    this.#functions = functions;
  }

  /** The function with bounded loops and, if tasks run it, interrupt points. */
  instrumented(fn: IrFunction, isInTasks: boolean): IrFunction {
    const loops = loopsOf(fn);
    const points =
      isInTasks && this.#handlers.length > 0 ? this.#pointsOf(fn, loops) : new Map<string, string>();
    let { registers } = fn;
    const blocks = fn.blocks.map(({ phis, instructions, end }, index): Block => {
      const turns = loops.get(index);
      const result: Instruction[] = [];
      const counted: Phi[] = [];
      if (turns) {
        const [before, after] = [registers++, registers++];
        counted.push(counter(fn, index, turns, before, after));
        result.push(
          {
            kind: "binary",
            operator: "add",
            bits: 32,
            left: { kind: "register", index: before },
            right: { kind: "integer", value: 1n },
            into: after,
            span: undefined,
          },
          callOf(PRIMITIVE.turns, [
            { type: { kind: "int", bits: 32 }, value: { kind: "register", index: after } },
          ]),
        );
      }
      instructions.forEach((each, at) => {
        const point = points.get(`${index} ${at}`);
        if (point !== undefined) result.push(callOf(point, [], undefined, each.span));
        if (
          each.kind === "call" &&
          each.callee.kind === "address" &&
          each.callee.symbol === PRIMITIVE.sleep
        ) {
          const sleep = this.pointFor(this.#handlers, this.#bounds.atTaskEnd);
          if (sleep !== undefined) result.push(callOf(sleep, [], undefined, each.span));
        } else result.push(each);
      });
      const last = points.get(`${index} ${instructions.length}`);
      if (last !== undefined) result.push(callOf(last, [], undefined, end.span));
      return { phis: [...phis, ...counted], instructions: result, end };
    });
    return { ...fn, registers, blocks };
  }

  /** The function that lets up to `times` of these handlers run. */
  pointFor(handlers: readonly Preempting[], times: number): string | undefined {
    if (handlers.length === 0 || times === 0) return undefined;
    const name = `interrupts ${times} ${handlers.map(({ index }) => index).join(" ")}`;
    if (!this.#functions.has(name)) this.#functions.set(name, interruptFunction(name, handlers, times));
    return name;
  }

  /** Names of functions to call, by the places before which they are called. */
  #pointsOf(fn: IrFunction, loops: ReturnType<typeof loopsOf>): Map<string, string> {
    const starts = statementStarts(fn).map((each) => new Set(each));
    const atomic = this.#atomicRegions(fn);
    if (this.#bounds.granularity === "access") this.#addAccesses(fn, starts);
    const found = new Map<string, string>();
    fn.blocks.forEach(({ instructions }, block) => {
      for (const at of [...(starts[block] ?? [])].sort((a, b) => a - b)) {
        const place = `${block} ${at}`;
        if (atomic.inside.has(place)) continue;
        this.pointsWithout++;
        const effect = atomic.begins.get(place) ?? this.#statement(fn, starts, block, at);
        this.#add(found, place, effect, loops.has(block) && isFirst(instructions, at));
      }
    });
    return found;
  }

  #add(found: Map<string, string>, place: string, effect: Effect, isLoopHead: boolean): void {
    const name = this.pointFor(this.#preempting(effect, isLoopHead), this.#bounds.perPoint);
    if (name === undefined) return;
    found.set(place, name);
    this.points++;
  }

  #preempting(effect: Effect, isLoopHead: boolean): readonly Preempting[] {
    if (this.#bounds.reduction === "none" || effect.mayStop || isLoopHead) return this.#handlers; // sound: test/programs/tasks/traps.test.ts
    const conflicting = this.#handlers.filter((handler) => !commute(effect, handler.effect));
    if (this.#bounds.reduction === "per-handler") return conflicting;
    const isRaced = [...effect.reads.objects, ...effect.writes.objects].some((object) =>
      this.#raced.has(object),
    );
    return isRaced ? this.#handlers : [];
  }

  /** Of a statement: up to where the next one begins. */
  #statement(fn: IrFunction, starts: readonly ReadonlySet<number>[], block: number, at: number): Effect {
    const effect = noEffect();
    const visited = new Set<number>();
    const walk = (index: number, from: number): void => {
      const { instructions, end } = fn.blocks[index] as Block;
      for (let i = from; i < instructions.length; i++) {
        if ((index !== block || i !== at) && starts[index]?.has(i)) return;
        this.#effects.add(effect, fn, instructions[i] as Instruction, false);
        this.#addLibrary(effect, fn, instructions[i] as Instruction);
      }
      for (const next of successorsOf(end))
        if (!visited.has(next)) {
          visited.add(next);
          walk(next, 0);
        }
    };
    walk(block, at);
    return effect;
  }

  /** Functions of the library have no points of their own. */
  #addLibrary(effect: ReturnType<typeof noEffect>, fn: IrFunction, instruction: Instruction): void {
    if (instruction.kind !== "call") return;
    for (const name of this.#effects.pointsTo.callees(fn, instruction.callee)) {
      const callee = this.#functions.get(name);
      if (!callee?.isLibrary || name.includes(" ")) continue;
      const whole = this.#effects.ofFunction(name);
      effect.reads.addAll(whole.reads);
      effect.writes.addAll(whole.writes);
      if (whole.mayStop) effect.mayStop = true;
    }
  }

  /** An outermost atomic section counts as one statement, at its begin. */
  #atomicRegions(fn: IrFunction): {
    readonly inside: ReadonlySet<string>;
    readonly begins: ReadonlyMap<string, Effect>;
  } {
    const inside = new Set<string>();
    const begins = new Map<string, Effect>();
    fn.blocks.forEach(({ instructions }, block) => {
      instructions.forEach((each, at) => {
        if (!isPrimitive(each, PRIMITIVE.atomicBegin)) return;
        const effect = noEffect();
        this.#atomic(fn, effect, inside, block, at);
        begins.set(`${block} ${at}`, effect);
      });
    });
    return { inside, begins };
  }

  #atomic(
    fn: IrFunction,
    effect: ReturnType<typeof noEffect>,
    inside: Set<string>,
    block: number,
    at: number,
  ): void {
    const waiting = [{ block, at, depth: 0 }];
    const visited = new Set<string>();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { instructions, end } = fn.blocks[next.block] as Block;
      let { depth } = next;
      let isOpen = true;
      for (let i = next.at; i < instructions.length && isOpen; i++) {
        const each = instructions[i] as Instruction;
        if (next.block !== block || i !== at) inside.add(`${next.block} ${i}`);
        if (isPrimitive(each, PRIMITIVE.atomicBegin)) depth++;
        if (isPrimitive(each, PRIMITIVE.atomicEnd)) depth--;
        this.#effects.add(effect, fn, each, true);
        isOpen = depth > 0;
      }
      if (!isOpen) continue;
      for (const to of successorsOf(end)) {
        const key = `${to} ${depth}`;
        if (visited.has(key)) continue;
        visited.add(key);
        waiting.push({ block: to, at: 0, depth });
      }
    }
  }

  /** Of the accesses to memory that handlers may reach, each begins a statement. */
  #addAccesses(fn: IrFunction, starts: readonly Set<number>[]): void {
    fn.blocks.forEach(({ instructions }, block) => {
      instructions.forEach((each, at) => {
        if (each.kind !== "load" && each.kind !== "store") return;
        const effect = noEffect();
        this.#effects.add(effect, fn, each, false);
        if (![...effect.reads.objects, ...effect.writes.objects].some((object) => this.#raced.has(object)))
          return;
        starts[block]?.add(at);
      });
    });
  }
}

const isPrimitive = (instruction: Instruction, name: string): boolean =>
  instruction.kind === "call" && instruction.callee.kind === "address" && instruction.callee.symbol === name;

/** Nothing happens in the block before this instruction. */
const isFirst = (instructions: readonly Instruction[], at: number): boolean =>
  instructions.slice(0, at).every(isSilent);

/** Counts the turns: from 0 where the loop is entered. */
function counter(
  { blocks }: IrFunction,
  header: number,
  turns: ReadonlySet<number>,
  before: number,
  after: number,
): Phi {
  const from = new Map<number, Phi["from"] extends ReadonlyMap<number, infer O> ? O : never>();
  blocks.forEach(({ end }, index) => {
    if (!successorsOf(end).includes(header)) return;
    from.set(index, turns.has(index) ? { kind: "register", index: after } : { kind: "integer", value: 0n });
  });
  return { into: before, type: { kind: "int", bits: 32 }, from };
}
