/**
 * Executes instructions of one path.
 *
 * Always true: an instruction that forks has had no effect yet, and the frame still points at it (`machine.ts`).
 */
import type {
  Block,
  Instruction,
  IrFunction,
  IrType,
  Operand,
  Terminator,
  TypedOperand,
} from "../../model/module.js";
import type { Term } from "../../model/terms.js";
import { Access, bitsOfFloat } from "./access.js";
import { Calls } from "./calls.js";
import { castFloat, compareFloats, floatOperation } from "./floats.js";
import { Ended, type Machine } from "./machine.js";
import type { Frame, PathEnd, PathState } from "./state.js";
import { Aggregate, integer, isTerm, NULL, ones, Partial, Pointer, type Value } from "./values.js";

type Integer = number | bigint | Term | Partial;

export class Executor {
  readonly machine: Machine;
  readonly access: Access;
  readonly #calls: Calls;

  constructor(machine: Machine) {
    this.machine = machine;
    this.access = new Access(machine);
    this.#calls = new Calls(this);
  }

  /**
   * Executes up to `steps` instructions, or up to the next decision, whose queries may take long. Undefined: the path
   * continues.
   */
  run(state: PathState, steps: number, onStep?: (state: PathState) => void): PathEnd | undefined {
    const { decisions } = state;
    for (let i = 0; i < steps; i++) {
      state.steps++;
      onStep?.(state);
      const end = this.#stepEnd(state);
      if (end && !this.machine.host.recovers?.(state, end, this.machine)) return end;
      if (state.decisions !== decisions) break;
    }
    return undefined;
  }

  #stepEnd(state: PathState): PathEnd | undefined {
    try {
      this.#step(state);
      return undefined;
    } catch (ended) {
      if (ended instanceof Ended) return ended.end;
      throw ended;
    }
  }

  /** Executes up to `steps` instructions, until the next one ends a block. Undefined: the path continues. */
  runToBlockEnd(state: PathState, steps: number): PathEnd | undefined {
    try {
      for (let i = 0; i < steps && !isAtEnd(state); i++) {
        state.steps++;
        this.#step(state);
      }
      return undefined;
    } catch (ended) {
      if (ended instanceof Ended) return ended.end;
      throw ended;
    }
  }

  #step(state: PathState): void {
    const { frame } = state;
    const block = frame.fn.blocks[frame.block] as Block;
    const instruction = block.instructions[frame.at];
    if (instruction) this.#instruction(state, frame, instruction);
    else this.#end(state, frame, block.end);
  }

  #instruction(state: PathState, frame: Frame, instruction: Instruction): void {
    if (instruction.kind === "call") {
      this.#calls.call(state, instruction);
      return;
    }
    if (instruction.kind === "store") {
      const { value, pointer, align } = instruction;
      this.access.store(
        state,
        this.operand(state, pointer),
        value.type,
        this.value(state, value.type, value.value),
        align,
      );
    } else if (instruction.kind === "unsupported") throw this.machine.unsupported(state, instruction.text);
    else if (instruction.kind !== "nothing")
      frame.registers[instruction.into] = this.#result(state, frame, instruction);
    frame.at++;
  }

  #result(
    state: PathState,
    frame: Frame,
    instruction: Exclude<Instruction, { kind: "call" | "store" | "nothing" | "unsupported" }>,
  ): Value {
    const operand = (each: Operand): Value => this.operand(state, each);
    switch (instruction.kind) {
      case "binary":
        return this.#binary(state, instruction);
      case "compare":
        return this.#compare(state, instruction);
      case "cast":
        return this.#cast(state, instruction);
      case "load":
        return this.access.load(state, operand(instruction.pointer), instruction.type, instruction.align);
      case "offset":
        return this.#offset(state, instruction);
      case "allocate": {
        const count = Number(this.#count(state, instruction.count));
        const size = count * instruction.size;
        if (size > MOST_BYTES) throw this.machine.unsupported(state, "a variable of more than 256 MiB");
        const id = state.allocate("stack", size, instruction.align, instruction.name, false);
        frame.locals.push(id);
        return new Pointer(id, 0);
      }
      case "select":
        return this.#select(state, instruction);
      case "extract":
        return this.#extract(
          this.value(state, instruction.aggregate.type, instruction.aggregate.value),
          instruction.path,
        );
      case "insert":
        return inserted(
          this.value(state, instruction.aggregate.type, instruction.aggregate.value),
          instruction.path,
          this.value(state, instruction.part.type, instruction.part.value),
        );
      case "freeze":
        return this.value(state, instruction.value.type, instruction.value.value);
      case "float": {
        const { operator, bits, left, right } = instruction;
        return floatOperation(
          operator,
          bits,
          this.#number(state, operand(left)),
          this.#number(state, operand(right)),
        );
      }
      case "compareFloats": {
        const { predicate, left, right } = instruction;
        return compareFloats(
          predicate,
          this.#number(state, operand(left)),
          this.#number(state, operand(right)),
        )
          ? 1
          : 0;
      }
    }
  }

  #count(state: PathState, { type, value }: TypedOperand): bigint {
    return this.machine.concretise(
      state,
      this.value(state, type, value),
      type.kind === "int" ? type.bits : 64,
    );
  }

  #number(state: PathState, value: Value): number {
    if (typeof value === "number") return value;
    throw value instanceof Partial
      ? this.machine.violation(state, "uninitialised", "uses a floating-point number that is not initialised")
      : new Error("a floating-point value is a number");
  }

  operand(state: PathState, operand: Operand): Value {
    switch (operand.kind) {
      case "register": {
        const value = state.frame.registers[operand.index];
        if (value === undefined) throw this.machine.unsupported(state, "a register without a value");
        return value;
      }
      case "null":
        return NULL;
      case "address": {
        const id = this.machine.symbols.get(operand.symbol);
        if (id === undefined)
          throw this.machine.unsupported(state, `'${operand.symbol}', which is declared but not defined`);
        return new Pointer(id, operand.offset);
      }
      case "integer":
        return operand.value; // `value` fits it to its type
      case "float":
        return operand.value;
      case "zero":
      case "undefined":
      case "bytes":
      case "aggregate":
        return 0;
      case "unsupported":
        throw this.machine.unsupported(state, operand.text);
    }
  }

  /** An operand in the form for its type. */
  value(state: PathState, type: IrType, operand: Operand): Value {
    switch (operand.kind) {
      case "integer":
        return type.kind === "pointer"
          ? new Pointer(0, Number(BigInt.asIntN(64, operand.value)))
          : integer(type.kind === "int" ? type.bits : 64, operand.value);
      case "zero":
      case "undefined":
        return emptyValue(type, operand.kind === "undefined");
      case "aggregate":
        return new Aggregate(operand.parts.map((part) => this.value(state, part.type, part.value)));
      case "bytes":
        return new Aggregate([...operand.bytes]);
      default:
        return this.operand(state, operand);
    }
  }

  integer(state: PathState, bits: number, operand: Operand): Value {
    return this.value(state, { kind: "int", bits }, operand);
  }

  #binary(
    state: PathState,
    { operator, bits, left, right }: Extract<Instruction, { kind: "binary" }>,
  ): Value {
    const a = this.integer(state, bits, left);
    const b = this.integer(state, bits, right);
    if (a instanceof Pointer || b instanceof Pointer) return this.#addresses(state, operator, bits, a, b);
    if (operator === "udiv" || operator === "sdiv" || operator === "urem" || operator === "srem")
      this.#checkDivisor(state, operator, bits, a as Integer, b as Integer);
    return this.machine.arithmetic.binary(operator, bits, a as Integer, b as Integer);
  }

  #checkDivisor(state: PathState, operator: string, bits: number, a: Integer, b: Integer): void {
    const { machine } = this;
    const { arithmetic } = machine;
    const what = operator.endsWith("rem") ? "a remainder" : "a division";
    if (b instanceof Partial || a instanceof Partial)
      throw machine.violation(state, "uninitialised", `${what} uses a value that is not initialised`);
    // sound: test/engines/programs/checks.test.ts
    if (machine.decide(state, arithmetic.compare("eq", bits, b, integer(bits, 0n))))
      throw machine.violation(state, "division by zero", `${what} by zero`);
    if (!operator.startsWith("s")) return;
    const isLeast = arithmetic.compare("eq", bits, a, integer(bits, 1n << BigInt(bits - 1)));
    const isMinusOne = arithmetic.compare("eq", bits, b, integer(bits, ones(bits)));
    if (machine.decide(state, arithmetic.binary("and", 1, isLeast, isMinusOne)))
      throw machine.violation(state, "overflow", `${what} of the least number by -1 overflows`);
  }

  /** Integers that are addresses keep their object where the result does not depend on its place. */
  #addresses(state: PathState, operator: string, bits: number, a: Value, b: Value): Value {
    const { machine } = this;
    if (
      bits === 64 &&
      operator === "sub" &&
      a instanceof Pointer &&
      b instanceof Pointer &&
      a.object === b.object
    )
      return this.#difference(a, b);
    if (
      bits === 64 &&
      (operator === "add" || operator === "sub") &&
      a instanceof Pointer &&
      !(b instanceof Pointer)
    )
      return this.#moved(
        a,
        operator === "add" ? b : machine.arithmetic.binary("sub", 64, 0n, b as Integer),
        1,
      );
    if (bits === 64 && operator === "add" && b instanceof Pointer && !(a instanceof Pointer))
      return this.#moved(b, a, 1);
    if (operator === "and" && a instanceof Pointer && typeof b === "bigint") {
      const align = a.object === 0 ? 2 ** 30 : (state.objects.get(a.object)?.align ?? 16);
      // sound: test/engines/programs/gaps.test.ts
      if (b < BigInt(align)) return this.#lowBits(a, b);
    }
    const plain = (value: Value): Integer =>
      value instanceof Pointer ? integer(bits, machine.expose(state, value)) : (value as Integer);
    const [x, y] = [plain(a), plain(b)];
    return machine.arithmetic.binary(operator as "add", bits, x, y);
  }

  /** Low bits of an address whose object is aligned so that its place does not matter. */
  #lowBits({ offset, stride, phase }: Pointer, mask: bigint): Value {
    if (!isTerm(offset)) return BigInt.asUintN(64, BigInt(offset)) & mask;
    if (mask < BigInt(stride)) return BigInt(phase) & mask;
    return this.machine.arithmetic.binary("and", 64, offset, mask);
  }

  #difference(a: Pointer, b: Pointer): Value {
    const { arithmetic } = this.machine;
    const offset = ({ offset: at }: Pointer): bigint | Term =>
      isTerm(at) ? at : BigInt.asUintN(64, BigInt(at));
    return arithmetic.binary("sub", 64, offset(a), offset(b));
  }

  #compare(
    state: PathState,
    { predicate, type, left, right }: Extract<Instruction, { kind: "compare" }>,
  ): Value {
    const a = this.value(state, type, left);
    const b = this.value(state, type, right);
    const bits = type.kind === "int" ? type.bits : 64;
    if (a instanceof Pointer || b instanceof Pointer) return this.comparePointers(state, predicate, a, b);
    return this.machine.arithmetic.compare(predicate, bits, a as Integer, b as Integer);
  }

  comparePointers(
    state: PathState,
    predicate: Extract<Instruction, { kind: "compare" }>["predicate"],
    a: Value,
    b: Value,
  ): Value {
    if (a instanceof Partial || b instanceof Partial) return new Partial(0, 1n);
    const { machine } = this;
    const left = a instanceof Pointer ? a : new Pointer(0, Number(machine.concretise(state, a, 64)));
    const right = b instanceof Pointer ? b : new Pointer(0, Number(machine.concretise(state, b, 64)));
    const offset = ({ offset: at }: Pointer): bigint | Term =>
      isTerm(at) ? at : BigInt.asUintN(64, BigInt(at));
    if (left.object === right.object) {
      // Offsets are signed, so that a pointer before its object is below it.
      const signed = predicate.startsWith("u") && left.object !== 0 ? predicate.replace("u", "s") : predicate;
      return machine.arithmetic.compare(signed as typeof predicate, 64, offset(left), offset(right));
    }
    const isLive = (pointer: Pointer): boolean => pointer.object === 0 || state.objects.has(pointer.object);
    const isNull = [left, right].some(({ object, offset: at }) => object === 0 && at === 0);
    const isPlace = (pointer: Pointer): boolean => {
      const size = state.objects.get(pointer.object)?.size ?? 0;
      return !isTerm(pointer.offset) && pointer.offset >= 0 && pointer.offset < Math.max(size, 1);
    };
    if (
      (predicate === "eq" || predicate === "ne") &&
      (isNull || (isLive(left) && isLive(right) && isPlace(left) && isPlace(right)))
    )
      return predicate === "ne" ? 1 : 0;
    return machine.arithmetic.compare(
      predicate,
      64,
      machine.expose(state, left),
      machine.expose(state, right),
    );
  }

  #cast(
    state: PathState,
    { operator, from, to, value: operand }: Extract<Instruction, { kind: "cast" }>,
  ): Value {
    const value = this.value(state, from, operand);
    const { machine } = this;
    const { arithmetic } = machine;
    const bitsOf = (type: IrType): number => (type.kind === "int" || type.kind === "float" ? type.bits : 64);
    switch (operator) {
      case "trunc":
      case "zext":
      case "sext": {
        const plain = (value instanceof Pointer ? machine.expose(state, value) : value) as Integer;
        return operator === "trunc"
          ? arithmetic.truncate(bitsOf(from), bitsOf(to), plain)
          : arithmetic.extend(bitsOf(from), bitsOf(to), plain, operator === "sext");
      }
      case "ptrtoint":
        if (bitsOf(to) === 64)
          return value instanceof Pointer && value.object === 0 && !isTerm(value.offset)
            ? BigInt.asUintN(64, BigInt(value.offset))
            : value;
        return value instanceof Pointer ? integer(bitsOf(to), machine.expose(state, value)) : value;
      case "inttoptr":
        return this.access.pointer(state, value);
      case "bitcast":
        if (from.kind === "float" && to.kind === "int")
          return bitsOfFloat(this.#number(state, value), from.bits);
        if (from.kind === "int" && to.kind === "float") return this.access.float(state, value, to.bits);
        return value;
      default:
        return castFloat(machine, state, operator, bitsOf(from), bitsOf(to), value);
    }
  }

  #offset(state: PathState, { pointer, bytes, scaled }: Extract<Instruction, { kind: "offset" }>): Value {
    const base = this.value(state, { kind: "pointer" }, pointer);
    if (base instanceof Partial)
      throw this.machine.violation(state, "uninitialised", "computes with a pointer that is not initialised");
    let result = this.access.pointer(state, base) as Pointer;
    const isNull = result.object === 0 && result.offset === 0;
    if (bytes !== 0) result = this.#moved(result, BigInt.asUintN(64, BigInt(bytes)), 1);
    for (const { index, by } of scaled) {
      const bits = index.type.kind === "int" ? index.type.bits : 64;
      const value = this.value(state, index.type, index.value);
      if (value instanceof Partial)
        throw this.machine.violation(state, "uninitialised", "an index is not initialised");
      const plain = (value instanceof Pointer ? this.machine.expose(state, value) : value) as Integer;
      const wide =
        bits === 64
          ? plain
          : bits > 64
            ? this.machine.arithmetic.truncate(bits, 64, plain)
            : this.machine.arithmetic.extend(bits, 64, plain, true);
      result = this.#moved(result, wide, by);
    }
    if (isNull) this.#checkNull(state, result);
    return result;
  }

  #checkNull(state: PathState, { offset }: Pointer): void {
    const { bits } = this.machine;
    const isStill = isTerm(offset) ? bits.equal(offset, bits.constant(64, 0n)) : Number(offset === 0);
    // sound: test/engines/programs/checks.test.ts
    if (!this.machine.decide(state, isStill))
      throw this.machine.violation(state, "null pointer", "computes an address from a null pointer");
  }

  /** An address plus a number of bytes. */
  movedBy(address: Value, bytes: number): Value {
    return address instanceof Pointer ? this.#moved(address, BigInt(bytes), 1) : address;
  }

  /** A pointer plus `by` times an integer of 64 bits. */
  #moved({ object, offset, stride, phase }: Pointer, index: Value, by: number): Pointer {
    const { arithmetic } = this.machine;
    if (!isTerm(offset) && typeof index === "bigint")
      return new Pointer(object, offset + Number(BigInt.asIntN(64, index)) * by);
    if (typeof index === "number") throw new Error("an index has 64 bits");
    const at = isTerm(offset) ? offset : BigInt.asUintN(64, BigInt(offset));
    const step = arithmetic.binary("mul", 64, index as Integer, BigInt(by));
    const sum = arithmetic.binary("add", 64, at, step);
    if (sum instanceof Partial) throw new Error("an index is initialised");
    if (!isTerm(sum)) return new Pointer(object, Number(BigInt.asIntN(64, BigInt(sum))));
    // A multiple of `by` may wrap around: only powers of two keep their remainders.
    const known = typeof index === "bigint" ? Number(BigInt.asIntN(64, index)) * by : 0;
    const unit = typeof index === "bigint" ? 2 ** 30 : lowestPower(by);
    const before = isTerm(offset) ? stride : 2 ** 30;
    const joint = Math.min(before, unit);
    const from = isTerm(offset) ? phase : offset;
    return new Pointer(object, sum, joint, (((from + known) % joint) + joint) % joint);
  }

  #select(state: PathState, { condition, type, yes, no }: Extract<Instruction, { kind: "select" }>): Value {
    const chosen = this.integer(state, 1, condition);
    const a = this.value(state, type, yes);
    const b = this.value(state, type, no);
    if (isTerm(chosen) && type.kind === "int" && isInteger(a) && isInteger(b)) {
      const { arithmetic, bits } = this.machine;
      return arithmetic.value(
        bits.ite(chosen, arithmetic.term(a, type.bits), arithmetic.term(b, type.bits)),
        type.bits,
      );
    }
    return this.machine.decide(state, chosen) ? a : b;
  }

  #extract(value: Value, path: readonly number[]): Value {
    let found = value;
    for (const index of path) found = (found as Aggregate).parts[index] ?? 0;
    return found;
  }

  #end(state: PathState, frame: Frame, end: Terminator): void {
    switch (end.kind) {
      case "jump":
        this.#enter(state, frame, end.to);
        return;
      case "branch":
        this.#enter(
          state,
          frame,
          this.machine.decide(state, this.integer(state, 1, end.condition)) ? end.yes : end.no,
        );
        return;
      case "switch":
        this.#switch(state, frame, end);
        return;
      case "return": {
        const value = end.value && this.value(state, end.value.type, end.value.value);
        this.return(state, value);
        return;
      }
      case "unreachable":
        throw this.machine.violation(
          state,
          "undefined behaviour",
          "reaches a place that the compiler takes for unreachable",
        );
      case "unsupported":
        throw this.machine.unsupported(state, end.text);
    }
  }

  #switch(
    state: PathState,
    frame: Frame,
    { value, cases, otherwise }: Extract<Terminator, { kind: "switch" }>,
  ): void {
    const bits = value.type.kind === "int" ? value.type.bits : 64;
    const found = this.value(state, value.type, value.value) as Integer;
    const { arithmetic } = this.machine;
    for (const each of cases)
      if (this.machine.decide(state, arithmetic.compare("eq", bits, found, integer(bits, each.value)))) {
        this.#enter(state, frame, each.to);
        return;
      }
    this.#enter(state, frame, otherwise);
  }

  /** Values of a block's phis are read together, before any is written. */
  #enter(state: PathState, frame: Frame, to: number): void {
    const { phis } = frame.fn.blocks[to] as Block;
    if (phis.length > 0) {
      const values = phis.map(({ type, from }) => {
        const operand = from.get(frame.block);
        if (!operand)
          throw this.machine.unsupported(state, "a block that is entered from an undeclared place");
        return this.value(state, type, operand);
      });
      phis.forEach(({ into }, index) => (frame.registers[into] = values[index]));
    }
    frame.block = to;
    frame.at = 0;
  }

  enter(
    state: PathState,
    fn: IrFunction,
    args: readonly Value[],
    variadic: number,
    locals: readonly number[],
    into: number,
  ): void {
    if (state.frames.length >= MOST_FRAMES)
      throw this.machine.unsupported(state, `more than ${MOST_FRAMES} nested calls`);
    const registers = new Array<Value | undefined>(fn.registers);
    args.forEach((arg, index) => (registers[index] = arg));
    state.frames.push({ fn, block: 0, at: 0, registers, locals: [...locals], variadic, into });
  }

  return(state: PathState, value: Value | undefined): void {
    const frame = state.frames.pop() as Frame;
    for (const id of frame.locals) state.objects.delete(id); // sound: test/engines/programs/checks.test.ts
    const caller = state.frames.at(-1);
    if (!caller) {
      if (value instanceof Partial) {
        state.frames.push(frame); // for the position of the error
        throw this.machine.violation(state, "uninitialised", "the exit status is not initialised");
      }
      // Functions that are to be called at the end of the program belong to it.
      const exit = this.machine.host.module.functions.get("exit");
      if (frame.fn.name === "main" && exit?.isLibrary && value !== undefined) {
        this.enter(state, exit, [value], 0, [], -1); // sound: test/engines/programs/checks.test.ts
        return;
      }
      const code = typeof value === "number" ? value & 0xff : undefined;
      throw new Ended({ kind: "exit", code });
    }
    if (frame.into >= 0) caller.registers[frame.into] = value;
    caller.at++;
  }
}

/** The next instruction ends a block. */
export const isAtEnd = ({ frame: { fn, block, at } }: PathState): boolean =>
  at >= (fn.blocks[block] as Block).instructions.length;

const MOST_FRAMES = 20_000;
const MOST_BYTES = 2 ** 28;

const isInteger = (value: Value): value is number | bigint | Term =>
  typeof value === "number" || typeof value === "bigint" || isTerm(value);

/** The largest power of two that divides a number. */
const lowestPower = (value: number): number => {
  if (value === 0) return 2 ** 30;
  let power = 1;
  while (value % (power * 2) === 0 && power < 2 ** 30) power *= 2;
  return power;
};

function inserted(value: Value, [index, ...rest]: readonly number[], part: Value): Value {
  if (index === undefined) return part;
  const parts = value instanceof Aggregate ? [...value.parts] : [];
  parts[index] = inserted(parts[index] ?? 0, rest, part);
  return new Aggregate(parts);
}

/** All zero, or not initialised. */
function emptyValue(type: IrType, isUndefined: boolean): Value {
  switch (type.kind) {
    case "struct":
      return new Aggregate(type.fields.map((field) => emptyValue(field, isUndefined)));
    case "array":
      return new Aggregate(Array.from({ length: type.count }, () => emptyValue(type.of, isUndefined)));
    case "pointer":
      return isUndefined ? new Partial(0n, ones(64)) : NULL;
    case "int":
      return isUndefined ? new Partial(integer(type.bits, 0n), ones(type.bits)) : integer(type.bits, 0n);
    default:
      return 0;
  }
}
