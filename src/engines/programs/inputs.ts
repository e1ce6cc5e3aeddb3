/** Inputs that programs request, assumptions, assertions, and the end of programs. */
import type { Term } from "../../model/terms.js";
import type { Provided, ProvidedCall } from "./calls.js";
import type { Executor } from "./execute.js";
import { Ended } from "./machine.js";
import type { InputSource, PathState, Violation } from "./state.js";
import { integer, isTerm, NULL, Partial, Pointer, type Value } from "./values.js";

/** A fresh input of `bits` bits. */
export function requestInteger(
  { machine }: Executor,
  state: PathState,
  name: string,
  bits: number,
  isSigned: boolean,
  source: InputSource = "call",
): Value {
  const { given } = machine.host;
  const variable = machine.bits.terms.variable(`${state.inputs.length}`, bits === 1 ? "bool" : bits);
  const bytes = Math.ceil(bits / 8);
  state.inputs.push({ name, bytes, isSigned, isText: false, source, variables: [variable] });
  machine.host.onRequest?.(state, [variable]);
  return given ? integer(bits, taken(given(bits))) : variable;
}

/** Fresh bytes. */
export function requestBytes(
  { machine }: Executor,
  state: PathState,
  name: string,
  size: number,
  source: InputSource = "call",
): Value[] {
  const { given } = machine.host;
  const { terms } = machine.bits;
  const number = state.inputs.length;
  const variables = Array.from({ length: size }, (_, index) => terms.variable(`${number}.${index}`, 8));
  state.inputs.push({ name, bytes: size, isSigned: false, isText: true, source, variables });
  machine.host.onRequest?.(state, variables);
  return given ? variables.map(() => integer(8, taken(given(8)))) : variables;
}

const taken = (value: bigint | undefined): bigint => {
  if (value === undefined) throw new Ended({ kind: "dropped" });
  return value;
};

/** A string of the program, for messages; at most 200 bytes. */
export function textAt({ machine }: Executor, state: PathState, address: Value | undefined): string {
  if (!(address instanceof Pointer) || isTerm(address.offset)) return "";
  const object = state.objects.get(address.object);
  let text = "";
  for (let at = address.offset; object && at >= 0 && at < object.size && text.length < 200; at++) {
    const byte = object.byte(at, machine.bits, () => 0n);
    const value = Number(machine.valueOf(state, byte));
    if (value === 0) break;
    text += String.fromCharCode(value);
  }
  return text;
}

/** `symbolic(pointer, size, name)`. */
const makeSymbolic: Provided = ({ executor, state, args }) => {
  const { access, machine } = executor;
  const size = Number(machine.concretise(state, args[1] ?? 0, 64));
  if (size > MOST_INPUT) throw machine.unsupported(state, `an input of more than ${MOST_INPUT} bytes`);
  if (size === 0) return undefined;
  const { id, offset, object } = access.place(state, args[0] ?? NULL, size, 1, "writes");
  if (object.isConstant) throw machine.violation(state, "read-only memory", "makes a constant symbolic");
  const at = isTerm(offset) ? Number(machine.concretise(state, offset, 64)) : offset;
  const name = textAt(executor, state, args[2]) || object.label || "input";
  const isNumber = [1, 2, 4, 8].includes(size);
  const values = isNumber
    ? [requestInteger(executor, state, name, size * 8, size > 1)]
    : requestBytes(executor, state, name, size);
  const target = state.own(id);
  const unit = isNumber ? size : 1;
  values.forEach((value, index) => {
    if (isTerm(value)) target.writePiecewise(at + index * unit, unit, value);
    else target.writeNumber(at + index * unit, unit, value as number | bigint);
  });
  return undefined;
};

const MOST_INPUT = 65_536;

const nondeterministic = (type: string, isSigned: boolean): readonly [string, Provided] => [
  `__VERIFIER_nondet_${type}`,
  ({ executor, state, call }) =>
    requestInteger(executor, state, type, call.result.kind === "int" ? call.result.bits : 32, isSigned),
];

const isTrue = ({ executor, state, args, call }: ProvidedCall): Value => {
  const { machine } = executor;
  const [value = 0] = args;
  const type = call.args[0]?.type;
  const bits = type?.kind === "int" ? type.bits : 64;
  if (value instanceof Pointer) return executor.comparePointers(state, "ne", value, NULL);
  if (value instanceof Partial)
    throw machine.violation(state, "uninitialised", "a condition is not initialised");
  return machine.arithmetic.compare("ne", bits, value as number | bigint | Term, integer(bits, 0n));
};

const assume: Provided = (context) => {
  context.executor.machine.assume(context.state, isTrue(context));
  return undefined;
};

const check: Provided = (context) => {
  const { executor, state, name } = context;
  if (!executor.machine.decide(state, isTrue(context)))
    throw executor.machine.violation(state, "assertion", `${name} fails`);
  return undefined;
};

const fails =
  (kind: Violation, message: (context: ProvidedCall) => string): Provided =>
  (context) => {
    throw context.executor.machine.violation(context.state, kind, message(context));
  };

const exit: Provided = ({ executor, state, args }) => {
  const [code] = args;
  // sound: test/engines/programs/checks.test.ts
  if (code instanceof Partial)
    throw executor.machine.violation(state, "uninitialised", "the exit status is not initialised");
  const value = isTerm(code)
    ? executor.machine.valueOf(state, code)
    : typeof code === "number"
      ? BigInt(code)
      : 0n;
  throw new Ended({ kind: "exit", code: Number(value & 0xffn) });
};

/** One byte of standard input, or -1. */
const readByte: Provided = ({ executor, state }) => {
  const { machine } = executor;
  const most = machine.host.inputs.stdin;
  machine.host.onInput();
  if (most === undefined) return 0xffffffff;
  if (state.stdin === undefined) {
    const length = requestInteger(executor, state, "length of standard input", 32, false, "length");
    const bytes = requestBytes(executor, state, "standard input", most, "stdin");
    state.stdin = { length, bytes };
  }
  const { length, bytes } = state.stdin;
  machine.assume(state, machine.arithmetic.compare("ule", 32, length as number | Term, most));
  const isMore = machine.arithmetic.compare("ult", 32, state.stdinAt, length as number | Term);
  if (!machine.decide(state, isMore)) return 0xffffffff;
  const byte = bytes[state.stdinAt] ?? 0;
  state.stdinAt++;
  return machine.arithmetic.extend(8, 32, byte as number | Term, false);
};

/** `everypath_write(stream, pointer, size)`: inputs in the output take their values from the model of the path. */
const write: Provided = ({ executor, state, args }) => {
  const { access, machine } = executor;
  const stream = Number(machine.concretise(state, args[0] ?? 0, 32));
  const size = Number(machine.concretise(state, args[2] ?? 0, 64));
  if (size === 0) return undefined;
  const { object, offset } = access.place(state, args[1] ?? NULL, size, 1, "reads");
  const at = isTerm(offset) ? Number(machine.concretise(state, offset, 64)) : offset;
  // sound: test/engines/programs/checks.test.ts
  if (object.missing?.subarray(at, at + size).some((bits) => bits !== 0))
    throw machine.violation(state, "uninitialised", "writes bytes that are not initialised");
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++)
    bytes[i] = Number(
      machine.valueOf(
        state,
        object.byte(at + i, machine.bits, (pointer) => machine.expose(state, pointer)),
      ),
    );
  if (stream === 1) state.output.push(bytes);
  return undefined;
};

export const inputs: readonly (readonly [string, Provided])[] = [
  ["symbolic", makeSymbolic],
  ["klee_make_symbolic", makeSymbolic],
  nondeterministic("bool", false),
  nondeterministic("_Bool", false),
  nondeterministic("char", true),
  nondeterministic("uchar", false),
  nondeterministic("short", true),
  nondeterministic("ushort", false),
  nondeterministic("int", true),
  nondeterministic("uint", false),
  nondeterministic("unsigned", false),
  nondeterministic("long", true),
  nondeterministic("ulong", false),
  nondeterministic("longlong", true),
  nondeterministic("ulonglong", false),
  ["assume", assume],
  ["__VERIFIER_assume", assume],
  ["__CPROVER_assume", assume],
  ["klee_assume", assume],
  ["check", check],
  ["__VERIFIER_assert", check],
  ["__VERIFIER_error", fails("assertion", () => "an error location is reached")],
  ["reach_error", fails("assertion", () => "an error location is reached")],
  ["abort", fails("abort", () => "the program aborts")],
  [
    "__assert_fail",
    fails(
      "assertion",
      ({ executor, state, args }) => `the assertion '${textAt(executor, state, args[0])}' fails`,
    ),
  ],
  ["_exit", exit],
  ["_Exit", exit],
  ["everypath_read_byte", readByte],
  ["everypath_write", write],
  ["everypath_is_symbolic", ({ args }) => (isTerm(args[0]) ? 1 : 0)],
];
