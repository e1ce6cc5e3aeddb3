/**
 * Runs a task program as a sequential one: a posted task runs at once, on variables of its own phase. Their values at the start of a
 * phase are guesses; at the end, each guess must be what the variables of the phase before have become.
 *
 * An error, or the end of a run, stops its phase alone: code of earlier phases that follows in this order happens before.
 *
 * Always true: while a phase runs, the objects of `PathState.objects` are those of its own variables, and the variables of functions of
 * other tasks are hidden.
 */
import type { Module, ProgramInputs } from "../../../model/module.js";
import { EBUSY, PRIMITIVE, RUN_NOW, type Slot, type TaskProgram } from "../../../model/tasks.js";
import type { Term } from "../../../model/terms.js";
import type { Provided, ProvidedCall } from "../calls.js";
import { requestInteger } from "../inputs.js";
import { Ended, type Machine, type Runnable } from "../machine.js";
import type { MemoryObject } from "../memory.js";
import type { PathEnd, PathState } from "../state.js";
import { isTerm, NULL, Partial, Pointer, type Value } from "../values.js";
import { choose, chooseFirst } from "./choosing.js";
import { argumentOf, checkTurns, NO_TASK, type Cut } from "./direct.js";

/** A phase, as far as it was run. */
interface PhaseState {
  /** Why it is over: undefined if it is not. */
  readonly end: PathEnd | undefined;
  readonly isStarted: boolean;
  /** Variables, while another phase runs. */
  readonly saved: ReadonlyMap<number, MemoryObject>;
  readonly guessed: ReadonlyMap<number, MemoryObject>;
  /** Queued tasks (`q3`) and switched-off interrupts (`d3`, `off`), as far as they were looked at. */
  readonly bits: ReadonlyMap<string, boolean>;
  readonly guessedBits: ReadonlyMap<string, boolean>;
}

interface Poster {
  readonly frames: number;
  readonly handler: number | undefined;
  readonly atomic: number;
  readonly hidden: readonly (readonly [number, MemoryObject])[];
}

interface SequentialScheduling {
  readonly phase: number;
  readonly phases: readonly PhaseState[];
  readonly posters: readonly Poster[];
  readonly handler: number | undefined;
  readonly atomic: number;
  /** Pointers guessed so far for a phase that is about to start. */
  readonly guesses: readonly number[];
  /** Inputs from `from` on belong to a phase; 0: they are guesses. Newest first. */
  readonly marks: Mark | undefined;
}

interface Mark {
  readonly from: number;
  readonly phase: number;
  readonly before: Mark | undefined;
}

const of = (state: PathState): SequentialScheduling => state.scheduling as SequentialScheduling;
const update = (
  state: PathState,
  change: { readonly [K in keyof SequentialScheduling]?: SequentialScheduling[K] },
): void => {
  state.scheduling = { ...of(state), ...change };
};

const FRESH: PhaseState = {
  end: undefined,
  isStarted: false,
  saved: new Map(),
  guessed: new Map(),
  bits: new Map(),
  guessedBits: new Map(),
};
/** Points to some variable of a function that has ended. */
const DANGLING = new Pointer(-1, 0);
const OFF = "off";

export class SequentialProgram implements Runnable {
  readonly module: Module;
  readonly inputs: ProgramInputs = { args: new Map(), stdin: undefined };
  readonly cuts = new Set<Cut>();
  readonly #program: TaskProgram;
  readonly #provided: ReadonlyMap<string, Provided>;
  readonly #slots: ReadonlyMap<string, readonly Slot[]>;
  /** The program switches interrupts on or off. */
  readonly #usesSwitches: boolean;
  #last: { readonly marks: Mark | undefined; readonly phase: number } | undefined;

  constructor(program: TaskProgram) {
    this.#program = program;
    this.module = program.module;
    this.#usesSwitches = usesSwitches(program.module);
    const slots = new Map<string, Slot[]>();
    for (const slot of program.slots) slots.set(slot.global, [...(slots.get(slot.global) ?? []), slot]);
    this.#slots = slots;
    this.#provided = new Map<string, Provided>([
      [PRIMITIVE.start, (context) => this.#start(context)],
      [PRIMITIVE.post, (context) => this.#post(context)],
      [PRIMITIVE.leave, ({ state, executor }) => this.#leave(state, executor.machine)],
      [PRIMITIVE.next, () => NO_TASK],
      [PRIMITIVE.argument, (context) => argumentOf(context, [])],
      [PRIMITIVE.interrupt, (context) => this.#interrupt(context)],
      [PRIMITIVE.interruptEnd, ({ state }) => (update(state, { handler: undefined }), undefined)],
      [PRIMITIVE.atomicBegin, ({ state }) => (update(state, { atomic: of(state).atomic + 1 }), 1)],
      [
        PRIMITIVE.atomicEnd,
        ({ state }) => (update(state, { atomic: Math.max(0, of(state).atomic - 1) }), undefined),
      ],
      [PRIMITIVE.enable, (context) => this.#enable(context)],
      [PRIMITIVE.turns, (context) => checkTurns(context, program.bounds.unwind, this.cuts)],
      [PRIMITIVE.drain, (context) => drain(context)],
      [PRIMITIVE.finish, (context) => this.#finish(context)],
    ]);
    this.provides = (name) => this.#provided.get(name);
    this.recovers = (state, end, machine) => this.#recovers(state, end, machine);
  }

  readonly provides: (name: string) => Provided | undefined;
  readonly recovers: (state: PathState, end: PathEnd, machine: Machine) => boolean;

  /** After a concrete run: its inputs, without guesses, in the order of a real queue. */
  inOrder(inputs: readonly { readonly values: readonly bigint[] }[]): bigint[] {
    const { marks, phase: last } = this.#last ?? { marks: undefined, phase: 1 };
    const tagged = inputs.map(({ values }, index) => ({ values, phase: phaseAt(marks, index) }));
    return tagged
      .filter(({ phase }) => phase > 0 && phase <= last)
      .sort((a, b) => a.phase - b.phase)
      .flatMap(({ values }) => values);
  }

  #start({ state, executor }: ProvidedCall): undefined {
    const { phases } = this.#program.bounds;
    state.scheduling = {
      phase: 1,
      phases: Array.from({ length: phases }, (_, index) =>
        index === 0 ? { ...FRESH, isStarted: true } : FRESH,
      ),
      posters: [],
      handler: undefined,
      atomic: 0,
      guesses: [],
      marks: { from: 0, phase: 1, before: undefined },
    } satisfies SequentialScheduling;
    for (const what of this.#program.notSequential)
      executor.machine.host.onGap("limit", `${what} in the sequential program`); // sound: test/session/bbs.test.ts
    return undefined;
  }

  #globals({ symbols }: Machine): number[] {
    return [...this.#slots.keys()].flatMap((name) => symbols.get(name) ?? []);
  }

  /** A switch of the scheduler in the running phase; not known yet: a guess. */
  #bit(context: ProvidedCall, key: string): boolean {
    const { state } = context;
    const { phase, phases } = of(state);
    const known = phases[phase - 1]?.bits.get(key);
    if (known !== undefined) return known;
    if (phase === 1) return false;
    mark(state, 0);
    chooseFirst(context, `guess of ${key}`, 2, (own, choice) => {
      const { bits = NO_BITS, guessedBits = NO_BITS } = of(own).phases[phase - 1] ?? {};
      changePhase(own, phase, {
        bits: new Map(bits).set(key, choice === 1),
        guessedBits: new Map(guessedBits).set(key, choice === 1),
      });
      mark(own, phase);
    });
    return of(state).phases[phase - 1]?.bits.get(key) ?? false;
  }

  #set(state: PathState, key: string, value: boolean): void {
    const { phase, phases } = of(state);
    changePhase(state, phase, { bits: new Map(phases[phase - 1]?.bits).set(key, value) });
  }

  #post(context: ProvidedCall): Value {
    const { state, executor, args } = context;
    const { bounds } = this.#program;
    const task = Number(args[0]);
    const isOnce = bounds.queue === "tinyos";
    if (isOnce && this.#bit(context, `q${task}`)) return EBUSY;
    const { phase, phases } = of(state);
    const isBeyond = phase >= bounds.phases;
    const next = phases[phase];
    const runs = !isBeyond && next?.end === undefined;
    const fresh = runs && next?.isStarted === false ? this.#guess(context, phase + 1) : undefined;
    if (isOnce) this.#set(state, `q${task}`, true); // sound: test/programs/tasks/traps.test.ts
    if (isBeyond) this.cuts.add("phases"); // sound: test/session/bbs.test.ts
    if (!runs) return 0;
    if (fresh) {
      const copies = new Map([...fresh].map(([id, object]) => [id, object.copyFor(-1)]));
      changePhase(state, phase + 1, { isStarted: true, saved: fresh, guessed: copies });
    }
    this.#enter(state, executor.machine, phase + 1);
    if (isOnce) this.#set(state, `q${task}`, false);
    return RUN_NOW;
  }

  /** Exchanges the variables, and hides those of functions. */
  #enter(state: PathState, machine: Machine, phase: number): void {
    const { posters, handler, atomic } = of(state);
    const hidden: (readonly [number, MemoryObject])[] = [];
    for (const { locals } of state.frames)
      for (const id of locals) {
        const object = state.objects.get(id);
        if (!object) continue;
        hidden.push([id, object]);
        state.objects.delete(id); // sound: test/programs/tasks/traps.test.ts
      }
    this.#exchange(state, machine, phase - 1, phase);
    mark(state, phase);
    const poster = { frames: state.frames.length, handler, atomic, hidden };
    update(state, { phase, posters: [...posters, poster], handler: undefined, atomic: 0, guesses: [] });
  }

  #exchange(state: PathState, machine: Machine, from: number, to: number): void {
    const saved = new Map<number, MemoryObject>();
    const loaded = of(state).phases[to - 1]?.saved;
    for (const id of this.#globals(machine)) {
      const [now, next] = [state.objects.get(id), loaded?.get(id)];
      if (now) saved.set(id, now);
      if (next) state.objects.set(id, next);
    }
    changePhase(state, from, { saved });
  }

  #leave(state: PathState, machine: Machine): undefined {
    const { phase, posters } = of(state);
    const poster = posters.at(-1);
    if (!poster) throw new Error("no task was posted");
    this.#exchange(state, machine, phase, phase - 1);
    for (const [id, object] of poster.hidden) state.objects.set(id, object);
    const { handler, atomic } = poster;
    update(state, { phase: phase - 1, posters: posters.slice(0, -1), handler, atomic });
    mark(state, phase - 1);
    return undefined;
  }

  /** Variables of a phase that starts: any integers, and for each pointer one of the places to which it may point. */
  #guess(context: ProvidedCall, phase: number): Map<number, MemoryObject> {
    const { state, executor } = context;
    const { machine } = executor;
    const pointers = this.#program.slots.filter(({ isPointer }) => isPointer);
    mark(state, 0);
    for (let index = of(state).guesses.length; index < pointers.length; index++) {
      const { targets = [], global = "" } = pointers[index] ?? {};
      chooseFirst(context, `guess of ${global} in phase ${phase}`, targets.length + 1, (own, choice) =>
        update(own, { guesses: [...of(own).guesses, choice] }),
      );
    }
    const { guesses } = of(state);
    const objects = new Map<number, MemoryObject>();
    for (const id of this.#globals(machine)) {
      const object = state.objects.get(id);
      if (object) objects.set(id, object.copyFor(-1));
    }
    for (const slot of this.#program.slots) {
      const object = objects.get(machine.symbols.get(slot.global) ?? 0);
      if (!object) continue;
      const name = `${slot.global}${slot.at === 0 ? "" : `+${slot.at}`} in phase ${phase}`;
      if (!slot.isPointer)
        writeValue(object, slot, requestInteger(executor, state, name, slot.size * 8, false));
      else {
        const target = slot.targets[(guesses[pointers.indexOf(slot)] ?? 0) - 1];
        if (!target) object.writeNumber(slot.at, 8, 0n);
        else if (target.symbol === undefined) object.writePiecewise(slot.at, 8, DANGLING);
        else object.writePiecewise(slot.at, 8, placeOf(context, target, name));
      }
    }
    mark(state, phase - 1);
    return objects;
  }

  #interrupt(context: ProvidedCall): Value {
    const { state, args } = context;
    const { handler, atomic, phase, phases } = of(state);
    if (handler !== undefined || atomic > 0 || phases[phase - 1]?.end) return 0;
    if (this.#usesSwitches && this.#bit(context, OFF)) return 0;
    const set = Number(args[0]);
    this.cuts.add("interrupts");
    const enabled = this.#program.handlers
      .map((_, index) => index)
      .filter(
        (index) => ((set >> index) & 1) === 1 && !(this.#usesSwitches && this.#bit(context, `d${index}`)),
      );
    return choose(context, "interrupt", enabled.length + 1, (own, choice) => {
      const index = choice === 0 ? undefined : enabled[choice - 1];
      if (index === undefined) return 0;
      update(own, { handler: index });
      return index + 1;
    });
  }

  #enable({ state, args }: ProvidedCall): undefined {
    const vector = Number(args[0]) | 0;
    const isOff = Number(args[1]) === 0;
    if (vector === -1) this.#set(state, OFF, isOff);
    this.#program.handlers.forEach((each, index) => {
      if (each.vector === vector) this.#set(state, `d${index}`, isOff);
    });
    return undefined;
  }

  /** The path continues with the poster of the task that has ended in this way. */
  #recovers(state: PathState, end: PathEnd, { host }: Machine): boolean {
    const scheduling = state.scheduling as SequentialScheduling | undefined;
    const { phase = 1, posters = [], marks } = scheduling ?? {};
    const poster = posters.at(-1);
    if (phase === 1 || !poster || end.kind === "cut") {
      // The scheduler itself ends the path when it has compared the guesses.
      if (host.given && state.frames.length > 1) this.#last = { marks, phase };
      return false;
    }
    changePhase(state, phase, { end }); // sound: test/programs/tasks/traps.test.ts
    while (state.frames.length > poster.frames)
      for (const id of state.frames.pop()?.locals ?? []) state.objects.delete(id);
    state.frame.at++;
    update(state, { handler: undefined, atomic: 0, guesses: [] });
    return true;
  }

  /** The first phase that is over decides, if the guesses up to it are right. */
  #finish({ state, executor }: ProvidedCall): undefined {
    const { machine } = executor;
    const { phases, marks } = of(state);
    const last = phases.findIndex(({ end }) => end !== undefined);
    const end = phases[last]?.end;
    if (machine.host.given) this.#last = { marks, phase: last + 1 };
    if (!end) return undefined;
    if (end.kind !== "error" && end.kind !== "unsupported") throw new Ended({ kind: "dropped" });
    const conditions: Term[] = [];
    for (let index = 1; index <= last; index++)
      if (!this.#isRight(state, machine, index, conditions)) throw new Ended({ kind: "dropped" });
    machine.assume(state, machine.bits.terms.and(conditions)); // sound: test/programs/tasks/traps.test.ts
    throw new Ended(end);
  }

  /** Is the guess for the phase with this index what the one before has become? Adds conditions on the inputs. */
  #isRight(state: PathState, machine: Machine, index: number, conditions: Term[]): boolean {
    const { phases } = of(state);
    const [before, phase] = [phases[index - 1] ?? FRESH, phases[index] ?? FRESH];
    for (const [key, value] of phase.guessedBits)
      if (finalBit(phases, index - 1, key) !== value) return false;
    for (const slot of this.#program.slots) {
      const id = machine.symbols.get(slot.global) ?? 0;
      const guess = phase.guessed.get(id);
      const found = index === 1 ? state.objects.get(id) : before.saved.get(id);
      if (!guess || !found) continue;
      const answer = sameValue(state, machine, slot, guess, found);
      if (answer === false) return false;
      if (answer !== true) conditions.push(answer);
    }
    return true;
  }
}

const usesSwitches = ({ functions }: Module): boolean =>
  [...functions.values()].some(({ blocks }) =>
    blocks.some(({ instructions }) =>
      instructions.some(
        (each) =>
          each.kind === "call" && each.callee.kind === "address" && each.callee.symbol === PRIMITIVE.enable,
      ),
    ),
  );

const NO_BITS: ReadonlyMap<string, boolean> = new Map();

function changePhase(
  state: PathState,
  phase: number,
  change: { readonly [K in keyof PhaseState]?: PhaseState[K] },
): void {
  update(state, {
    phases: of(state).phases.map((each, index) => (index === phase - 1 ? { ...each, ...change } : each)),
  });
}

function mark(state: PathState, phase: number): void {
  const { marks } = of(state);
  if (marks?.phase !== phase) update(state, { marks: { from: state.inputs.length, phase, before: marks } });
}

function phaseAt(marks: Mark | undefined, index: number): number {
  for (let each = marks; each; each = each.before) if (each.from <= index) return each.phase;
  return 1;
}

/** A switch at the end of a phase; one that nothing looked at is as at its start. */
function finalBit(phases: readonly PhaseState[], index: number, key: string): boolean {
  for (let at = index; at >= 0; at--) {
    const known = phases[at]?.bits.get(key);
    if (known !== undefined) return known;
  }
  return false;
}

function writeValue(object: MemoryObject, { at, size }: Slot, value: Value): void {
  if (isTerm(value)) object.writePiecewise(at, size, value);
  else object.writeNumber(at, size, value as number | bigint);
}

function placeOf(
  { executor, state }: ProvidedCall,
  { symbol = "", offset }: Slot["targets"][number],
  name: string,
): Pointer {
  const id = executor.machine.symbols.get(symbol) ?? 0;
  if (offset !== undefined) return new Pointer(id, offset);
  const any = requestInteger(executor, state, `offset of ${name}`, 64, false);
  return new Pointer(id, isTerm(any) ? any : Number(BigInt.asIntN(64, BigInt(any as bigint))));
}

/** True, false, or the condition under which two objects have the same value in a slot. */
function sameValue(
  state: PathState,
  machine: Machine,
  { at, size, isPointer, global }: Slot,
  guess: MemoryObject,
  found: MemoryObject,
): boolean | Term {
  const { bits } = machine;
  const read = (object: MemoryObject): Value =>
    object.read(at, size, bits, (pointer) => machine.expose(state, pointer));
  const [a, b] = [read(guess), read(found)];
  if (a instanceof Partial || b instanceof Partial || (!isPointer && b instanceof Pointer)) {
    machine.host.onGap("limit", `'${global}' has a value that the sequential program does not guess`); // sound: test/session/bbs.test.ts
    return false;
  }
  if (a instanceof Pointer || b instanceof Pointer) return samePlace(state, machine, a, b);
  const term = (value: Value): Term => machine.arithmetic.term(value as number | bigint | Term, size * 8);
  return settled(bits.equal(term(a), term(b)));
}

function samePlace(state: PathState, machine: Machine, a: Value, b: Value): boolean | Term {
  const [left, right] = [a, b].map((value) => (value instanceof Pointer ? value : NULL)) as [
    Pointer,
    Pointer,
  ];
  if (left.object === DANGLING.object) return right.object > 0 && !state.objects.has(right.object);
  if (left.object !== right.object) return false;
  const term = ({ offset }: Pointer): Term =>
    isTerm(offset) ? offset : machine.bits.constant(64, BigInt.asUintN(64, BigInt(offset)));
  return settled(machine.bits.equal(term(left), term(right)));
}

const settled = (term: Term): boolean | Term => (term.kind === "constant" ? term.value === 1n : term);

/** The loop that empties the queue while the system starts: only before the first post. */
function drain({ executor, state }: ProvidedCall): Value {
  const { phases, phase } = of(state);
  if (phases[phase]?.isStarted)
    throw executor.machine.unsupported(state, "a loop that empties the queue after a post (boot-drain)");
  return 0;
}
