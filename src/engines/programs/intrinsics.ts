/** Intrinsics of LLVM, handlers of the compiler's checks, and mathematical functions that are exact. */
import type { BinaryOperator } from "../../model/module.js";
import type { Term } from "../../model/terms.js";
import type { Provided, ProvidedCall } from "./calls.js";
import { format } from "./formatting.js";
import { textAt } from "./inputs.js";
import type { Violation } from "./state.js";
import { Aggregate, integer, isTerm, NULL, Partial, Pointer, type Value } from "./values.js";

type Integer = number | bigint | Term | Partial;

const bitsOf = ({ call }: ProvidedCall): number => {
  const type = call.args[0]?.type;
  return type?.kind === "int" ? type.bits : 64;
};

/** Arguments without the provenance of addresses. */
const integers = ({ executor, state, args }: ProvidedCall): Integer[] =>
  args.map((arg) => (arg instanceof Pointer ? executor.machine.expose(state, arg) : (arg as Integer)));

/** The result, and whether it overflows: computed with twice the width, or by comparison. */
const withOverflow =
  (operator: "add" | "sub" | "mul", isSigned: boolean): Provided =>
  (context) => {
    const { arithmetic } = context.executor.machine;
    const bits = bitsOf(context);
    const [a = 0, b = 0] = integers(context);
    if (a instanceof Partial || b instanceof Partial)
      throw context.executor.machine.violation(
        context.state,
        "uninitialised",
        "computes with a value that is not initialised",
      );
    const result = arithmetic.binary(operator, bits, a, b);
    if (bits > 64) {
      if (isTerm(a) || isTerm(b))
        throw context.executor.machine.unsupported(
          context.state,
          "arithmetic on 128 bits that depends on inputs",
        );
      const fit = (value: bigint): bigint =>
        isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
      const [x, y] = [fit(BigInt(a)), fit(BigInt(b))];
      const sum = operator === "add" ? x + y : operator === "sub" ? x - y : x * y;
      return new Aggregate([result, fit(sum) === sum ? 0 : 1]);
    }
    const double = 2 * bits;
    const exact = arithmetic.binary(
      operator,
      double,
      arithmetic.extend(bits, double, a, isSigned),
      arithmetic.extend(bits, double, b, isSigned),
    );
    const overflows = arithmetic.compare(
      "ne",
      double,
      exact,
      arithmetic.extend(bits, double, result, isSigned),
    );
    return new Aggregate([result, overflows]);
  };

const least =
  (predicate: "slt" | "sgt" | "ult" | "ugt"): Provided =>
  (context) => {
    const [a = 0, b = 0] = integers(context);
    const { arithmetic } = context.executor.machine;
    return choose(context, arithmetic.compare(predicate, bitsOf(context), a, b), a, b);
  };

function choose(context: ProvidedCall, condition: Integer, yes: Integer, no: Integer): Value {
  const { arithmetic, bits } = context.executor.machine;
  if (!isTerm(condition)) {
    if (condition instanceof Partial) return condition;
    return Number(condition) === 1 ? yes : no;
  }
  if (yes instanceof Partial || no instanceof Partial) return new Partial(integer(bitsOf(context), 0n), 1n);
  const width = bitsOf(context);
  return arithmetic.value(
    bits.ite(condition, arithmetic.term(yes, width), arithmetic.term(no, width)),
    width,
  );
}

const absolute: Provided = (context) => {
  const { arithmetic } = context.executor.machine;
  const bits = bitsOf(context);
  const [a = 0] = integers(context);
  const negated = arithmetic.binary("sub", bits, integer(bits, 0n), a);
  return choose(context, arithmetic.compare("slt", bits, a, integer(bits, 0n)), negated, a);
};

/** Folds the bits of an argument, which may be a term, one by one into a number. */
const counting =
  (order: "up" | "down" | "all"): Provided =>
  (context) => {
    const { arithmetic } = context.executor.machine;
    const bits = bitsOf(context);
    const [a = 0] = integers(context);
    const zero = integer(bits, 0n);
    const bit = (index: number): Integer =>
      arithmetic.binary(
        "and",
        bits,
        arithmetic.binary("lshr", bits, a, integer(bits, BigInt(index))),
        integer(bits, 1n),
      );
    if (order === "all") {
      let sum: Integer = zero;
      for (let i = 0; i < bits; i++) sum = arithmetic.binary("add", bits, sum, bit(i));
      return sum;
    }
    let result: Value = integer(bits, BigInt(bits));
    for (let n = bits - 1; n >= 0; n--) {
      const index = order === "up" ? n : bits - 1 - n;
      const isSet = arithmetic.compare("ne", bits, bit(index), zero);
      result = choose(context, isSet, integer(bits, BigInt(n)), result as Integer);
    }
    return result;
  };

const swapBytes: Provided = (context) => {
  const { arithmetic } = context.executor.machine;
  const bits = bitsOf(context);
  const [a = 0] = integers(context);
  let result: Integer = integer(bits, 0n);
  for (let at = 0; at < bits; at += 8) {
    const byte = arithmetic.binary(
      "and",
      bits,
      arithmetic.binary("lshr", bits, a, integer(bits, BigInt(at))),
      integer(bits, 255n),
    );
    result = arithmetic.binary(
      "or",
      bits,
      result,
      arithmetic.binary("shl", bits, byte, integer(bits, BigInt(bits - 8 - at))),
    );
  }
  return result;
};

const shiftPair =
  (isLeft: boolean): Provided =>
  (context) => {
    const { arithmetic } = context.executor.machine;
    const bits = bitsOf(context);
    const [high = 0, low = 0, by = 0] = integers(context);
    const amount = arithmetic.binary("urem", bits, by, integer(bits, BigInt(bits)));
    const rest = arithmetic.binary("sub", bits, integer(bits, BigInt(bits)), amount);
    const [up, down] = isLeft ? [amount, rest] : [rest, amount];
    return arithmetic.binary(
      "or",
      bits,
      arithmetic.binary("shl", bits, high, up),
      arithmetic.binary("lshr", bits, low, down),
    );
  };

const nothing: Provided = () => undefined;
const first: Provided = ({ args }) => args[0];

/** The list is set so that all arguments are taken from memory: 48 and 176 are the ends of the parts for registers. */
const startVariadic: Provided = ({ executor, state, args }) => {
  const [list = NULL] = args;
  const { access } = executor;
  access.place(state, list, 24, 8, "writes");
  const { variadic } = state.frame;
  const field = (at: number): Value => executor.movedBy(list, at);
  access.store(state, field(0), { kind: "int", bits: 32 }, 48, 4);
  access.store(state, field(4), { kind: "int", bits: 32 }, 176, 4);
  access.store(state, field(8), { kind: "pointer" }, new Pointer(variadic, 0), 8);
  access.store(state, field(16), { kind: "pointer" }, NULL, 8);
  return undefined;
};

const copyVariadic: Provided = ({ executor, state, args }) => {
  const { access } = executor;
  const [to = NULL, from = NULL] = args;
  const target = access.place(state, to, 24, 8, "writes");
  const source = access.place(state, from, 24, 8, "reads");
  if (isTerm(target.offset) || isTerm(source.offset))
    throw executor.machine.unsupported(state, "a symbolic list of arguments");
  state.own(target.id).copyFrom(source.object, source.offset, target.offset, 24);
  return undefined;
};

/** Functions of ctype.h look into a table: beyond -128 and 255, there is none. */
const character: Provided = ({ executor: { machine }, state, args }) => {
  const [code = 0] = args;
  if (isTerm(code) && isExtendedByte(code)) return 1;
  if (code instanceof Partial)
    throw machine.violation(state, "uninitialised", "a character is not initialised");
  const isByte = machine.arithmetic.compare(
    "ult",
    32,
    machine.arithmetic.binary("add", 32, code as Integer, 128),
    384,
  );
  // sound: test/engines/programs/checks.test.ts
  if (!machine.decide(state, isByte))
    throw machine.violation(state, "out of bounds", "a character is not in the range of unsigned char");
  return 1;
};

const isExtendedByte = (term: Term): boolean =>
  term.kind === "bits" &&
  (term.operation === "zero_extend" || term.operation === "sign_extend") &&
  typeof term.args[0]?.sort === "number" &&
  term.args[0].sort <= 8;

/** The scope of a variable begins or ends. */
const scope =
  (isEnd: boolean): Provided =>
  ({ state, args }) => {
    const variable = args.at(-1);
    if (variable instanceof Pointer && state.objects.has(variable.object))
      state.own(variable.object).scope(isEnd);
    return undefined;
  };

/** The number of local variables, as a pointer. */
const saveStack: Provided = ({ state }) => new Pointer(0, state.frame.locals.length);

const restoreStack: Provided = ({ state, args }) => {
  const [saved] = args;
  const keep =
    saved instanceof Pointer && typeof saved.offset === "number" ? saved.offset : state.frame.locals.length;
  for (const id of state.frame.locals.splice(keep)) state.objects.delete(id);
  return undefined;
};

/** Handlers of the compiler's checks, by the part of their name that describes the error. */
const HANDLERS: Readonly<Record<string, readonly [Violation, string]>> = {
  add_overflow: ["overflow", "an addition overflows"],
  sub_overflow: ["overflow", "a subtraction overflows"],
  mul_overflow: ["overflow", "a multiplication overflows"],
  negate_overflow: ["overflow", "a negation overflows"],
  shift_out_of_bounds: [
    "shift",
    "a shift by a negative or too large number, or of a negative number, or one that overflows",
  ],
  out_of_bounds: ["out of bounds", "an index is outside of its array"],
  builtin_unreachable: ["undefined behaviour", "reaches __builtin_unreachable"],
  missing_return: ["undefined behaviour", "a function ends without its value"],
  vla_bound_not_positive: ["undefined behaviour", "an array has a size that is not positive"],
  float_cast_overflow: ["undefined behaviour", "converts a number that does not fit into the integer type"],
  load_invalid_value: ["undefined behaviour", "reads a value that its type does not have"],
  nonnull_arg: ["null pointer", "passes a null pointer where none is allowed"],
  invalid_builtin: ["undefined behaviour", "passes 0 to a built-in function that does not take it"],
};

const handler: Provided = ({ executor, state, args, name }) => {
  if (name.includes("divrem_overflow")) {
    const { machine } = executor;
    const [, , divisor = 0] = args;
    throw machine.decide(state, machine.arithmetic.compare("eq", 64, divisor as Integer, 0n))
      ? machine.violation(state, "division by zero", "a division by zero")
      : machine.violation(state, "overflow", "a division of the least number by -1 overflows");
  }
  const found = HANDLERS[name.replace("__ubsan_handle_", "").replace(/_abort$/, "")];
  throw found
    ? executor.machine.violation(state, found[0], found[1])
    : executor.machine.unsupported(state, `the check '${name}'`);
};

const math =
  (operation: (a: number, b: number, c: number) => number): Provided =>
  ({ executor, state, args, call }) => {
    if (args.some((arg) => typeof arg !== "number"))
      throw executor.machine.violation(
        state,
        "uninitialised",
        "computes with a value that is not initialised",
      );
    const [a = 0, b = 0, c = 0] = args as number[];
    const result = operation(a, b, c);
    return call.result.kind === "float" && call.result.bits === 32 ? Math.fround(result) : result;
  };

const copySign = (a: number, b: number): number =>
  (b < 0 || Object.is(b, -0)) === (a < 0 || Object.is(a, -0)) ? a : -a;

const exactMath: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  fabs: Math.abs,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  copysign: copySign,
};

export const intrinsics: readonly (readonly [string, Provided])[] = [
  ...(["add", "sub", "mul"] as const satisfies readonly BinaryOperator[]).flatMap((operator) => [
    [`llvm.s${operator}.with.overflow.`, withOverflow(operator, true)] as const,
    [`llvm.u${operator}.with.overflow.`, withOverflow(operator, false)] as const,
  ]),
  ["llvm.smin.", least("slt")],
  ["llvm.smax.", least("sgt")],
  ["llvm.umin.", least("ult")],
  ["llvm.umax.", least("ugt")],
  ["llvm.abs.", absolute],
  ["llvm.ctpop.", counting("all")],
  ["llvm.cttz.", counting("up")],
  ["llvm.ctlz.", counting("down")],
  ["llvm.bswap.", swapBytes],
  ["llvm.fshl.", shiftPair(true)],
  ["llvm.fshr.", shiftPair(false)],
  ["llvm.expect.", first],
  ["llvm.dbg.", nothing],
  ["__asan_handle_no_return", nothing],
  ["llvm.lifetime.start.", scope(false)],
  ["llvm.lifetime.end.", scope(true)],
  ["llvm.donothing", nothing],
  ["llvm.va_start", startVariadic],
  ["llvm.va_start.", startVariadic],
  ["llvm.va_end", nothing],
  ["llvm.va_end.", nothing],
  ["llvm.va_copy", copyVariadic],
  ["llvm.va_copy.", copyVariadic],
  ["llvm.stacksave", saveStack],
  ["llvm.stacksave.", saveStack],
  ["llvm.stackrestore", restoreStack],
  ["llvm.stackrestore.", restoreStack],
  ["llvm.objectsize.", ({ args }) => (args[1] === 1 ? 0n : 2n ** 64n - 1n)],
  ["llvm.is.constant.", () => 0],
  [
    "llvm.trap",
    ({ executor, state }) => {
      throw executor.machine.violation(state, "abort", "the program traps");
    },
  ],
  ["__ubsan_handle_", handler],
  ...Object.entries(exactMath).flatMap(([name, operation]) => [
    [name, math(operation)] as const,
    [`${name}f`, math(operation)] as const,
    [`llvm.${name}.`, math(operation)] as const,
  ]),
  ["fmod", math((a, b) => a % b)],
  ["everypath_format", format],
  ["everypath_character", character],
  [
    "everypath_overflow",
    ({ executor, state, args }) => {
      throw executor.machine.violation(state, "overflow", textAt(executor, state, args[0]));
    },
  ],
  [
    "everypath_unsupported",
    ({ executor, state, args }) => {
      throw executor.machine.unsupported(state, textAt(executor, state, args[0]));
    },
  ],
];
