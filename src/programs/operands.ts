/** Constants and registers of LLVM's intermediate representation. */
import { sizeOf, type IrType, type Operand, type TypedOperand } from "../model/module.js";
import { plainName, type TokenReader } from "./tokens.js";
import type { TypeReader } from "./types.js";

/** Reads operands; `register` numbers the function's registers. Constants of globals have none. */
export class OperandReader {
  readonly #types: TypeReader;
  readonly #register: (name: string) => number;

  constructor(types: TypeReader, register: (name: string) => number) {
    this.#types = types;
    this.#register = register;
  }

  typed(reader: TokenReader): TypedOperand {
    const type = this.#types.read(reader);
    skipAttributes(reader);
    return { type, value: this.read(reader, type) };
  }

  read(reader: TokenReader, type: IrType): Operand {
    const text = reader.next();
    if (text.startsWith("%")) return { kind: "register", index: this.#register(plainName(text)) };
    if (text.startsWith("@")) return { kind: "address", symbol: plainName(text), offset: 0 };
    if (text.startsWith('c"')) return { kind: "bytes", bytes: unescaped(text.slice(2, -1)) };
    if (type.kind === "float") return floatOf(text, reader);
    if (/^-?\d+$/.test(text)) return integerOf(BigInt(text), type);
    switch (text) {
      case "true":
        return { kind: "integer", value: 1n };
      case "false":
        return { kind: "integer", value: 0n };
      case "null":
        return { kind: "null" };
      case "zeroinitializer":
        return { kind: "zero" };
      case "undef":
      case "poison":
        return { kind: "undefined" };
      case "[":
        return this.#aggregate(reader, "]");
      case "{":
        return this.#aggregate(reader, "}");
      case "<": {
        if (reader.take("{")) {
          const found = this.#aggregate(reader, "}");
          reader.expect(">");
          return found;
        }
        this.#aggregate(reader, ">");
        return { kind: "unsupported", text: "a vector" };
      }
      case "getelementptr":
        return this.#offset(reader);
    }
    if (/^0x/.test(text)) return { kind: "unsupported", text };
    return this.#expression(text, reader, type);
  }

  #aggregate(reader: TokenReader, close: string): Operand {
    const parts: TypedOperand[] = [];
    if (!reader.take(close)) {
      do parts.push(this.typed(reader));
      while (reader.take(","));
      reader.expect(close);
    }
    return { kind: "aggregate", parts };
  }

  /** A constant `getelementptr`: a symbol plus an offset. */
  #offset(reader: TokenReader): Operand {
    skipOffsetFlags(reader);
    reader.expect("(");
    const type = this.#types.read(reader);
    reader.expect(",");
    const { value: base } = this.typed(reader);
    const indices: TypedOperand[] = [];
    while (reader.take(",")) {
      reader.take("inrange");
      indices.push(this.typed(reader));
    }
    reader.expect(")");
    const { bytes, scaled } = offsetOf(type, indices);
    if (base.kind === "address" && scaled.length === 0) return { ...base, offset: base.offset + bytes };
    if (base.kind === "null" && scaled.length === 0)
      return { kind: "integer", value: BigInt.asUintN(64, BigInt(bytes)) };
    return { kind: "unsupported", text: "a constant expression" };
  }

  #expression(operator: string, reader: TokenReader, to: IrType): Operand {
    if (!EXPRESSIONS.has(operator))
      throw reader.problem(`a value expected instead of '${operator.slice(0, 40)}'`);
    if (operator === "icmp") return this.#comparison(reader);
    if (operator === "zext" || operator === "sext" || operator === "trunc") {
      reader.expect("(");
      const { type, value } = this.typed(reader);
      reader.expect("to");
      this.#types.read(reader);
      reader.expect(")");
      if (value.kind !== "integer" || type.kind !== "int")
        return { kind: "unsupported", text: `a constant ${operator}` };
      return integerOf(operator === "sext" ? BigInt.asIntN(type.bits, value.value) : value.value, to);
    }
    if (operator === "inttoptr" || operator === "ptrtoint" || operator === "bitcast") {
      reader.expect("(");
      const { value } = this.typed(reader);
      reader.expect("to");
      this.#types.read(reader);
      reader.expect(")");
      const isWhole = to.kind === "pointer" || (to.kind === "int" && to.bits === 64);
      // Also `offsetof` by hand: an integer from a null pointer.
      if (operator === "ptrtoint" && (value.kind === "integer" || value.kind === "null"))
        return integerOf(value.kind === "integer" ? value.value : 0n, to);
      return isWhole ? value : { kind: "unsupported", text: `a constant ${operator}` };
    }
    while (reader.peek() !== "(") reader.next();
    reader.skipGroup();
    return { kind: "unsupported", text: `the constant expression '${operator}'` };
  }

  /** Of addresses: different symbols have different ones, none of them null. */
  #comparison(reader: TokenReader): Operand {
    const predicate = reader.next();
    reader.expect("(");
    const { value: left } = this.typed(reader);
    reader.expect(",");
    const { value: right } = this.typed(reader);
    reader.expect(")");
    const isAddress = left.kind === "address" || right.kind === "address";
    const isKnown = [left, right].every(({ kind }) => kind === "address" || kind === "null");
    if (!isAddress || !isKnown || (predicate !== "eq" && predicate !== "ne"))
      return { kind: "unsupported", text: "a comparison of constants" };
    const isSame =
      left.kind === "address" &&
      right.kind === "address" &&
      left.symbol === right.symbol &&
      left.offset === right.offset;
    return { kind: "integer", value: isSame === (predicate === "eq") ? 1n : 0n };
  }
}

const EXPRESSIONS = new Set([
  "inttoptr",
  "ptrtoint",
  "bitcast",
  "trunc",
  "zext",
  "sext",
  "add",
  "sub",
  "mul",
  "xor",
  "and",
  "or",
  "shl",
  "icmp",
  "select",
  "blockaddress",
  "dso_local_equivalent",
  "no_cfi",
  "addrspacecast",
  "asm",
  "none",
]);

export const skipOffsetFlags = (reader: TokenReader): void => {
  while (["inbounds", "nuw", "nusw", "inrange"].includes(reader.peek())) {
    reader.next();
    if (reader.peek() === "(" && reader.peek(1).startsWith("-")) reader.skipGroup();
  }
};

/** Offset of a path into a type: the constant part, and indices times sizes. */
export function offsetOf(
  type: IrType,
  indices: readonly TypedOperand[],
): { readonly bytes: number; readonly scaled: { index: TypedOperand; by: number }[] } {
  let bytes = 0;
  const scaled: { index: TypedOperand; by: number }[] = [];
  let inside: IrType | undefined;
  for (const index of indices) {
    if (inside?.kind === "struct") {
      const field =
        index.value.kind === "integer" ? Number(index.value.value) : index.value.kind === "zero" ? 0 : -1;
      bytes += inside.offsets[field] ?? 0;
      inside = inside.fields[field];
      continue;
    }
    inside = inside === undefined ? type : inside.kind === "array" ? inside.of : undefined;
    const by = inside === undefined ? 0 : sizeOf(inside);
    if (index.value.kind === "integer" && index.type.kind === "int")
      bytes += Number(BigInt.asIntN(index.type.bits, index.value.value)) * by;
    else if (index.value.kind !== "zero") scaled.push({ index, by });
  }
  return { bytes, scaled };
}

function integerOf(value: bigint, type: IrType): Operand {
  const bits = type.kind === "int" ? type.bits : 64;
  return { kind: "integer", value: BigInt.asUintN(bits, value) };
}

/** Decimal, or the bits of a double. */
function floatOf(text: string, reader: TokenReader): Operand {
  if (text === "undef" || text === "poison") return { kind: "undefined" };
  if (text === "zeroinitializer") return { kind: "float", value: 0 };
  if (/^0x[0-9A-Fa-f]{1,16}$/.test(text)) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(text));
    return { kind: "float", value: view.getFloat64(0) };
  }
  const value = Number(text);
  if (Number.isNaN(value)) throw reader.problem(`a number expected instead of '${text.slice(0, 40)}'`);
  return { kind: "float", value };
}

function unescaped(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 92) bytes.push(...(code < 128 ? [code] : new TextEncoder().encode(text[i])));
    else if (text[i + 1] === "\\") {
      bytes.push(92);
      i++;
    } else {
      bytes.push(Number.parseInt(text.slice(i + 1, i + 3), 16));
      i += 2;
    }
  }
  return Uint8Array.from(bytes);
}

/** Attributes of parameters, arguments and results; `found` handles attributes with a meaning for execution. */
export function skipAttributes(
  reader: TokenReader,
  found?: (name: string, reader: TokenReader) => boolean,
): void {
  for (;;) {
    const text = reader.peek();
    if (text.startsWith('"') || /^#\d+$/.test(text)) {
      reader.next();
      if (reader.take("=")) reader.next();
    } else if (ATTRIBUTES.has(text)) {
      reader.next();
      if (found?.(text, reader)) continue;
      if (text === "align" && /^\d+$/.test(reader.peek())) reader.next();
      if (reader.peek() === "(") reader.skipGroup();
    } else return;
  }
}

const ATTRIBUTES = new Set([
  "align",
  "allocalign",
  "allocptr",
  "byref",
  "byval",
  "captures",
  "dead_on_return",
  "dead_on_unwind",
  "dereferenceable",
  "dereferenceable_or_null",
  "elementtype",
  "immarg",
  "inalloca",
  "initializes",
  "inreg",
  "nest",
  "noalias",
  "nocapture",
  "noext",
  "nofpclass",
  "nofree",
  "nonnull",
  "noundef",
  "preallocated",
  "range",
  "readnone",
  "readonly",
  "returned",
  "signext",
  "sret",
  "swiftasync",
  "swifterror",
  "swiftself",
  "writable",
  "writeonly",
  "zeroext",
]);
