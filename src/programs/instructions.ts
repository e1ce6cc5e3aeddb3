/** Instructions of LLVM's intermediate representation. */
import {
  alignOf,
  sizeOf,
  type BinaryOperator,
  type CallArgument,
  type CastOperator,
  type FloatOperator,
  type Instruction,
  type IntegerPredicate,
  type IrType,
  type Operand,
  type Phi,
  type Place,
  type Terminator,
} from "../model/module.js";
import { offsetOf, skipAttributes, skipOffsetFlags, type OperandReader } from "./operands.js";
import { IrProblem, plainName, type TokenReader } from "./tokens.js";
import type { TypeReader } from "./types.js";

/** Names and positions of the function that is read. */
export interface FunctionContext {
  readonly types: TypeReader;
  readonly operands: OperandReader;
  /** Number of the block with this label. */
  block(label: string, reader: TokenReader): number;
  span(rest: string): Place | undefined;
  variable(register: string | undefined): string | undefined;
}

export type Statement =
  | { readonly kind: "phi"; readonly phi: Phi }
  | { readonly kind: "instruction"; readonly instruction: Instruction }
  | { readonly kind: "end"; readonly end: Terminator };

/** One statement, with everything up to the end of its line. */
export function readStatement(
  reader: TokenReader,
  into: number,
  result: string | undefined,
  context: FunctionContext,
): Statement {
  const opcode = reader.next();
  const line = reader.lineOfLast;
  try {
    const read = statement(opcode, reader, into, result, context);
    // A read that ended with its line has no debug information.
    const rest = !reader.isAtEnd && reader.line === reader.lineOfLast ? reader.restOfLine() : "";
    const span = context.span(rest);
    if (read.kind === "phi") return read;
    if (read.kind === "instruction")
      return { kind: "instruction", instruction: { ...read.instruction, span } };
    const isCheck = rest.includes("!nosanitize");
    return {
      kind: "end",
      end: { ...read.end, span, ...(read.end.kind === "branch" ? { isCheck } : {}) } as Terminator,
    };
  } catch (problem) {
    if (!(problem instanceof IrProblem) || TERMINATORS.has(opcode)) throw problem;
    if (!reader.isAtEnd && reader.line === line) reader.restOfLine();
    return unsupported(`the instruction '${opcode}': ${problem.message}`);
  }
}

const TERMINATORS = new Set(["ret", "br", "switch", "unreachable"]);

function statement(
  opcode: string,
  reader: TokenReader,
  into: number,
  result: string | undefined,
  context: FunctionContext,
): Statement {
  if (opcode in BINARY) return instruction(binary(opcode as BinaryOperator, reader, into, context));
  if (opcode in FLOATS) return instruction(float(opcode as FloatOperator, reader, into, context));
  if (CASTS.has(opcode)) return instruction(cast(opcode as CastOperator, reader, into, context));
  const { types, operands } = context;
  switch (opcode) {
    case "phi":
      return phi(reader, into, context);
    case "alloca":
      return instruction(allocate(reader, into, context.variable(result), context));
    case "load": {
      skipWords(reader, ["atomic", "volatile"]);
      const type = types.read(reader);
      reader.expect(",");
      const { value: pointer } = operands.typed(reader);
      return instruction({
        kind: "load",
        into,
        type,
        pointer,
        align: alignment(reader, type),
        span: undefined,
      });
    }
    case "store": {
      skipWords(reader, ["atomic", "volatile"]);
      const value = operands.typed(reader);
      reader.expect(",");
      const { value: pointer } = operands.typed(reader);
      return instruction({
        kind: "store",
        value,
        pointer,
        align: alignment(reader, value.type),
        span: undefined,
      });
    }
    case "getelementptr":
      return instruction(offset(reader, into, context));
    case "icmp": {
      skipWords(reader, ["samesign"]);
      const predicate = reader.next() as IntegerPredicate;
      const { type, left, right } = pair(reader, context);
      if (type.kind !== "int" && type.kind !== "pointer") throw reader.problem("a comparison of vectors");
      return instruction({ kind: "compare", into, predicate, type, left, right, span: undefined });
    }
    case "fcmp": {
      skipWords(reader, FAST);
      const predicate = reader.next();
      const { type, left, right } = pair(reader, context);
      if (type.kind !== "float") throw reader.problem("this type of floating-point number");
      return instruction({ kind: "compareFloats", into, predicate, left, right, span: undefined });
    }
    case "fneg": {
      skipWords(reader, FAST);
      const { type, value: left } = operands.typed(reader);
      if (type.kind !== "float") throw reader.problem("this type of floating-point number");
      return instruction({
        kind: "float",
        into,
        operator: "fneg",
        bits: type.bits,
        left,
        right: left,
        span: undefined,
      });
    }
    case "select": {
      skipWords(reader, FAST);
      const condition = operands.typed(reader);
      if (condition.type.kind !== "int") throw reader.problem("a selection by vectors");
      reader.expect(",");
      const { type, value: yes } = operands.typed(reader);
      reader.expect(",");
      const { value: no } = operands.typed(reader);
      return instruction({
        kind: "select",
        into,
        condition: condition.value,
        type,
        yes,
        no,
        span: undefined,
      });
    }
    case "extractvalue": {
      const aggregate = operands.typed(reader);
      return instruction({ kind: "extract", into, aggregate, path: path(reader), span: undefined });
    }
    case "insertvalue": {
      const aggregate = operands.typed(reader);
      reader.expect(",");
      const part = operands.typed(reader);
      return instruction({ kind: "insert", into, aggregate, part, path: path(reader), span: undefined });
    }
    case "freeze":
      return instruction({ kind: "freeze", into, value: operands.typed(reader), span: undefined });
    case "tail":
    case "musttail":
    case "notail":
      return statement(reader.next(), reader, into, result, context);
    case "call":
      return instruction(call(reader, into, result !== undefined, context));
    case "fence":
      return instruction({ kind: "nothing", span: undefined });
    case "#dbg_declare":
    case "#dbg_value":
    case "#dbg_assign":
    case "#dbg_label":
      return instruction({ kind: "nothing", span: undefined });
    case "ret": {
      if (reader.take("void")) return end({ kind: "return", value: undefined, span: undefined });
      return end({ kind: "return", value: operands.typed(reader), span: undefined });
    }
    case "br":
      return end(branch(reader, context));
    case "switch":
      return end(choice(reader, context));
    case "unreachable":
      return end({ kind: "unreachable", span: undefined });
    case "indirectbr":
    case "invoke":
    case "callbr":
    case "resume":
      return end({ kind: "unsupported", text: `the instruction '${opcode}'`, span: undefined });
    default:
      return unsupported(`the instruction '${opcode.slice(0, 40)}'`);
  }
}

const instruction = (found: Instruction): Statement => ({ kind: "instruction", instruction: found });
const end = (found: Terminator): Statement => ({ kind: "end", end: found });
const unsupported = (text: string): Statement => instruction({ kind: "unsupported", text, span: undefined });

const BINARY: Readonly<Record<BinaryOperator, true>> = {
  add: true,
  sub: true,
  mul: true,
  udiv: true,
  sdiv: true,
  urem: true,
  srem: true,
  shl: true,
  lshr: true,
  ashr: true,
  and: true,
  or: true,
  xor: true,
};
const FLOATS: Readonly<Record<FloatOperator, true>> = {
  fadd: true,
  fsub: true,
  fmul: true,
  fdiv: true,
  frem: true,
};
const CASTS: ReadonlySet<string> = new Set<CastOperator>([
  "trunc",
  "zext",
  "sext",
  "fptrunc",
  "fpext",
  "fptoui",
  "fptosi",
  "uitofp",
  "sitofp",
  "ptrtoint",
  "inttoptr",
  "bitcast",
]);
const FAST = ["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];

function skipWords(reader: TokenReader, words: readonly string[]): void {
  while (words.includes(reader.peek())) reader.next();
}

function pair(
  reader: TokenReader,
  { operands }: FunctionContext,
): { readonly type: IrType; readonly left: Operand; readonly right: Operand } {
  const { type, value: left } = operands.typed(reader);
  reader.expect(",");
  return { type, left, right: operands.read(reader, type) };
}

function binary(
  operator: BinaryOperator,
  reader: TokenReader,
  into: number,
  context: FunctionContext,
): Instruction {
  skipWords(reader, ["nuw", "nsw", "exact", "disjoint"]);
  const { type, left, right } = pair(reader, context);
  if (type.kind !== "int") throw reader.problem("arithmetic on vectors");
  return { kind: "binary", into, operator, bits: type.bits, left, right, span: undefined };
}

function float(
  operator: FloatOperator,
  reader: TokenReader,
  into: number,
  context: FunctionContext,
): Instruction {
  skipWords(reader, FAST);
  const { type, left, right } = pair(reader, context);
  if (type.kind !== "float") throw reader.problem("this type of floating-point number");
  return { kind: "float", into, operator, bits: type.bits, left, right, span: undefined };
}

function cast(
  operator: CastOperator,
  reader: TokenReader,
  into: number,
  context: FunctionContext,
): Instruction {
  skipWords(reader, ["nuw", "nsw", "nneg", ...FAST]);
  const { type: from, value } = context.operands.typed(reader);
  reader.expect("to");
  const to = context.types.read(reader);
  if (from.kind === "opaque" || to.kind === "opaque")
    throw reader.problem(
      `the type ${from.kind === "opaque" ? from.text : to.kind === "opaque" ? to.text : ""}`,
    );
  return { kind: "cast", into, operator, from, to, value, span: undefined };
}

function phi(reader: TokenReader, into: number, context: FunctionContext): Statement {
  skipWords(reader, FAST);
  const type = context.types.read(reader);
  const from = new Map<number, Operand>();
  do {
    reader.expect("[");
    const value = context.operands.read(reader, type);
    reader.expect(",");
    from.set(context.block(plainName(reader.next()), reader), value);
    reader.expect("]");
  } while (reader.peek() === "," && reader.peek(1) === "[" && reader.take(","));
  return { kind: "phi", phi: { into, type, from } };
}

function allocate(
  reader: TokenReader,
  into: number,
  name: string | undefined,
  { types, operands }: FunctionContext,
): Instruction {
  skipWords(reader, ["inalloca"]);
  const type = types.read(reader);
  // A variable may have a type that only its accesses need.
  const size =
    type.kind !== "opaque" ? sizeOf(type) : type.text === "x86_fp80" || type.text === "fp128" ? 16 : 0;
  if (size === 0 && type.kind === "opaque") throw reader.problem(`the type ${type.text}`);
  let count: CallArgument = { type: { kind: "int", bits: 32 }, value: { kind: "integer", value: 1n } };
  let align = alignOf(type);
  while (reader.peek() === "," && !reader.peek(1).startsWith("!")) {
    reader.take(",");
    if (reader.take("align")) align = reader.number();
    else count = operands.typed(reader);
  }
  return { kind: "allocate", into, size, count, align, name, span: undefined };
}

function alignment(reader: TokenReader, type: IrType): number {
  if (type.kind === "opaque") throw reader.problem(`the type ${type.text}`);
  while (["unordered", "monotonic", "acquire", "release", "seq_cst"].includes(reader.peek())) reader.next();
  if (reader.peek() !== "," || reader.peek(1) !== "align") return alignOf(type);
  reader.take(",");
  reader.take("align");
  return reader.number();
}

function offset(reader: TokenReader, into: number, { types, operands }: FunctionContext): Instruction {
  skipOffsetFlags(reader);
  const type = types.read(reader);
  reader.expect(",");
  const base = operands.typed(reader);
  if (base.type.kind !== "pointer" || type.kind === "opaque") throw reader.problem("an address in this type");
  const indices = [];
  while (reader.peek() === "," && !reader.peek(1).startsWith("!")) {
    reader.take(",");
    indices.push(operands.typed(reader));
  }
  const { bytes, scaled } = offsetOf(type, indices);
  return { kind: "offset", into, pointer: base.value, bytes, scaled, span: undefined };
}

function path(reader: TokenReader): number[] {
  const found: number[] = [];
  while (reader.peek() === "," && /^\d+$/.test(reader.peek(1))) {
    reader.take(",");
    found.push(reader.number());
  }
  return found;
}

function call(reader: TokenReader, into: number, hasResult: boolean, context: FunctionContext): Instruction {
  const { types, operands } = context;
  skipWords(reader, FAST);
  skipWords(reader, ["ccc", "fastcc", "coldcc"]);
  skipAttributes(reader);
  const result = types.read(reader);
  if (reader.peek() === "(") reader.skipGroup(); // the type of the function
  if (reader.peek() === "asm") {
    const rest = reader.peek(1);
    const isBarrier = ["asm", "sideeffect", "alignstack", "inteldialect"].includes(rest)
      ? reader.peek(2) === '""'
      : rest === '""';
    if (isBarrier && !hasResult) return { kind: "nothing", span: undefined };
    throw reader.problem("inline assembly");
  }
  const callee = operands.read(reader, { kind: "pointer" });
  const args: CallArgument[] = [];
  reader.expect("(");
  if (!reader.take(")")) {
    do args.push(argument(reader, context));
    while (reader.take(","));
    reader.expect(")");
  }
  if (result.kind === "opaque") throw reader.problem(`a call with a result of the type ${result.text}`);
  return { kind: "call", into, callee, result, args, hasResult, span: undefined };
}

function argument(reader: TokenReader, { types, operands }: FunctionContext): CallArgument {
  if (reader.take("metadata")) {
    while (![",", ")"].includes(reader.peek())) {
      reader.next();
      reader.skipGroup();
    }
    return { type: { kind: "void" }, value: { kind: "undefined" } };
  }
  const type = types.read(reader);
  let byValue: CallArgument["byValue"];
  skipAttributes(reader, (name) => {
    if (name !== "byval") return false;
    reader.expect("(");
    const copied = types.read(reader);
    reader.expect(")");
    byValue = { size: sizeOf(copied), align: alignOf(copied) };
    return true;
  });
  return { type, value: operands.read(reader, type), ...(byValue ? { byValue } : {}) };
}

function branch(reader: TokenReader, { operands, block }: FunctionContext): Terminator {
  if (reader.take("label"))
    return { kind: "jump", to: block(plainName(reader.next()), reader), span: undefined };
  const { value: condition } = operands.typed(reader);
  reader.expect(",");
  reader.expect("label");
  const yes = block(plainName(reader.next()), reader);
  reader.expect(",");
  reader.expect("label");
  const no = block(plainName(reader.next()), reader);
  return { kind: "branch", condition, yes, no, isCheck: false, span: undefined };
}

function choice(reader: TokenReader, { operands, block }: FunctionContext): Terminator {
  const value = operands.typed(reader);
  reader.expect(",");
  reader.expect("label");
  const otherwise = block(plainName(reader.next()), reader);
  reader.expect("[");
  const cases: { value: bigint; to: number }[] = [];
  while (!reader.take("]")) {
    const label = operands.typed(reader);
    reader.expect(",");
    reader.expect("label");
    const to = block(plainName(reader.next()), reader);
    if (label.value.kind !== "integer") throw reader.problem("a case that is not a number");
    cases.push({ value: label.value.value, to });
  }
  return { kind: "switch", value, cases, otherwise, span: undefined };
}
