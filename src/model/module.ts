/**
 * Programs in the form of LLVM's intermediate representation: functions of basic blocks over typed registers and byte memory.
 *
 * Front ends (`src/programs`) construct a `Module`; engines execute it. Registers are numbered within their function, parameters
 * first. Sizes and offsets are in bytes, already for the target.
 *
 * Always true: every register, block and field index is in range. An instruction that engines need not support is
 * `unsupported`: reaching it ends the analysis of the path, never silently.
 */
import type { Span } from "./diagnostic.js";
import type { Subject } from "./subject.js";

export type IrType =
  | { readonly kind: "void" }
  | { readonly kind: "int"; readonly bits: number }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  | { readonly kind: "pointer" }
  | { readonly kind: "array"; readonly count: number; readonly of: IrType }
  | {
      readonly kind: "struct";
      readonly fields: readonly IrType[];
      /** Offsets of the fields; last, the size. */
      readonly offsets: readonly number[];
      readonly align: number;
    }
  | { readonly kind: "opaque"; readonly text: string };

export interface TypedOperand {
  readonly type: IrType;
  readonly value: Operand;
}

export type Operand =
  | { readonly kind: "register"; readonly index: number }
  /** Unsigned, modulo the width of its type. */
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "null" }
  | { readonly kind: "zero" }
  | { readonly kind: "undefined" }
  /** The address of a global or function, plus an offset. */
  | { readonly kind: "address"; readonly symbol: string; readonly offset: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "aggregate"; readonly parts: readonly TypedOperand[] }
  | { readonly kind: "unsupported"; readonly text: string };

export type BinaryOperator =
  "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "shl" | "lshr" | "ashr" | "and" | "or" | "xor";
export type FloatOperator = "fadd" | "fsub" | "fmul" | "fdiv" | "frem";
export type IntegerPredicate = "eq" | "ne" | "ugt" | "uge" | "ult" | "ule" | "sgt" | "sge" | "slt" | "sle";
export type CastOperator =
  | "trunc"
  | "zext"
  | "sext"
  | "fptrunc"
  | "fpext"
  | "fptoui"
  | "fptosi"
  | "uitofp"
  | "sitofp"
  | "ptrtoint"
  | "inttoptr"
  | "bitcast";

/** A position in the source, with its line from 1. */
export interface Place extends Span {
  readonly line: number;
}

interface Located {
  readonly span: Place | undefined;
}
interface Defining extends Located {
  readonly into: number;
}

export type Instruction =
  | (Defining & {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly bits: number;
      readonly left: Operand;
      readonly right: Operand;
    })
  | (Defining & {
      readonly kind: "float";
      readonly operator: FloatOperator | "fneg";
      readonly bits: 32 | 64;
      readonly left: Operand;
      readonly right: Operand;
    })
  | (Defining & {
      readonly kind: "compare";
      readonly predicate: IntegerPredicate;
      readonly type: IrType;
      readonly left: Operand;
      readonly right: Operand;
    })
  | (Defining & {
      readonly kind: "compareFloats";
      readonly predicate: string;
      readonly left: Operand;
      readonly right: Operand;
    })
  | (Defining & {
      readonly kind: "cast";
      readonly operator: CastOperator;
      readonly from: IrType;
      readonly to: IrType;
      readonly value: Operand;
    })
  | (Defining & {
      readonly kind: "allocate";
      readonly size: number;
      readonly count: TypedOperand;
      readonly align: number;
      /** In the source; absent: made by the compiler. */
      readonly name: string | undefined;
    })
  | (Defining & {
      readonly kind: "load";
      readonly type: IrType;
      readonly pointer: Operand;
      readonly align: number;
    })
  | (Located & {
      readonly kind: "store";
      readonly value: TypedOperand;
      readonly pointer: Operand;
      readonly align: number;
    })
  | (Defining & {
      readonly kind: "offset";
      readonly pointer: Operand;
      readonly bytes: number;
      readonly scaled: readonly { readonly index: TypedOperand; readonly by: number }[];
    })
  | (Defining & {
      readonly kind: "call";
      readonly callee: Operand;
      readonly result: IrType;
      readonly args: readonly CallArgument[];
      /** Registers are written only by calls with a result. */
      readonly hasResult: boolean;
    })
  | (Defining & {
      readonly kind: "select";
      readonly condition: Operand;
      readonly type: IrType;
      readonly yes: Operand;
      readonly no: Operand;
    })
  | (Defining & {
      readonly kind: "extract";
      readonly aggregate: TypedOperand;
      readonly path: readonly number[];
    })
  | (Defining & {
      readonly kind: "insert";
      readonly aggregate: TypedOperand;
      readonly part: TypedOperand;
      readonly path: readonly number[];
    })
  | (Defining & { readonly kind: "freeze"; readonly value: TypedOperand })
  | (Located & { readonly kind: "nothing" })
  | (Located & { readonly kind: "unsupported"; readonly text: string });

export interface CallArgument extends TypedOperand {
  /** The callee gets a copy of this size, not the pointer itself. */
  readonly byValue?: { readonly size: number; readonly align: number };
}

export type Terminator =
  | (Located & { readonly kind: "return"; readonly value: TypedOperand | undefined })
  | (Located & { readonly kind: "jump"; readonly to: number })
  | (Located & {
      readonly kind: "branch";
      readonly condition: Operand;
      readonly yes: number;
      readonly no: number;
      /** Inserted by a check, so not a branch of the source. */
      readonly isCheck: boolean;
    })
  | (Located & {
      readonly kind: "switch";
      readonly value: TypedOperand;
      readonly cases: readonly { readonly value: bigint; readonly to: number }[];
      readonly otherwise: number;
    })
  | (Located & { readonly kind: "unreachable" })
  | (Located & { readonly kind: "unsupported"; readonly text: string });

export interface Phi {
  readonly into: number;
  readonly type: IrType;
  readonly from: ReadonlyMap<number, Operand>;
}

export interface Block {
  readonly phis: readonly Phi[];
  readonly instructions: readonly Instruction[];
  readonly end: Terminator;
}

export interface IrFunction {
  readonly name: string;
  readonly result: IrType;
  readonly parameters: readonly IrType[];
  readonly isVariadic: boolean;
  readonly registers: number;
  readonly blocks: readonly Block[];
  readonly span: Place | undefined;
  /** A model of a library function, not the user's code. */
  readonly isLibrary: boolean;
}

export interface IrGlobal {
  readonly name: string;
  readonly type: IrType;
  readonly size: number;
  readonly align: number;
  readonly isConstant: boolean;
  readonly initial: Operand;
  /** In the source. */
  readonly label: string | undefined;
}

export interface Module {
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly globals: ReadonlyMap<string, IrGlobal>;
  /** Declared and used, but neither defined nor modelled. */
  readonly undefinedSymbols: readonly string[];
}

/** Inputs of a program in addition to inputs that it requests itself. */
export interface ProgramInputs {
  /** Largest length of each symbolic argument, by its position from 1. */
  readonly args: ReadonlyMap<number, number>;
  /** Largest length of a symbolic standard input; absent: the input is empty. */
  readonly stdin: number | undefined;
}

/** A program to execute with symbolic inputs. */
export interface ProgramSubject extends Subject {
  readonly kind: "program";
  readonly module: Module;
  readonly inputs: ProgramInputs;
}

export const isProgram = (subject: Subject | undefined): subject is ProgramSubject =>
  subject?.kind === "program";

/** Bytes that a value occupies in memory, without padding after it. */
export function storeSize(type: IrType): number {
  switch (type.kind) {
    case "int":
      return Math.ceil(type.bits / 8);
    case "float":
      return type.bits / 8;
    default:
      return sizeOf(type);
  }
}

export function sizeOf(type: IrType): number {
  switch (type.kind) {
    case "void":
    case "opaque":
      return 0;
    case "int":
    case "float":
      return roundUp(storeSize(type), alignOf(type));
    case "pointer":
      return 8;
    case "array":
      return type.count * sizeOf(type.of);
    case "struct":
      return type.offsets.at(-1) ?? 0;
  }
}

export function alignOf(type: IrType): number {
  switch (type.kind) {
    case "int":
      return type.bits <= 8 ? 1 : type.bits <= 16 ? 2 : type.bits <= 32 ? 4 : 8;
    case "float":
      return type.bits / 8;
    case "pointer":
      return 8;
    case "array":
      return alignOf(type.of);
    case "struct":
      return type.align;
    default:
      return 1;
  }
}

export const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;
