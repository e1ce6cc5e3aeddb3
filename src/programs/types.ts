/** Types of LLVM's intermediate representation, with the layout of x86-64. */
import { alignOf, roundUp, sizeOf, type IrType } from "../model/module.js";
import { plainName, type TokenReader } from "./tokens.js";

/** Structures can contain themselves only behind pointers, which are opaque: resolution ends. */
export class TypeReader {
  readonly #bodies = new Map<string, () => IrType>();
  readonly #known = new Map<string, IrType>();

  declare(name: string, body: () => IrType): void {
    this.#bodies.set(name, body);
  }

  named(name: string): IrType {
    const known = this.#known.get(name);
    if (known) return known;
    const body = this.#bodies.get(name);
    this.#bodies.delete(name); // a structure that contains itself is opaque, not an endless recursion
    const type = body?.() ?? { kind: "opaque", text: `%${name}` };
    this.#known.set(name, type);
    return type;
  }

  /** A type, without the parameters of a function type. */
  read(reader: TokenReader): IrType {
    const first = this.#first(reader);
    if (reader.peek() === "*") throw reader.problem("typed pointers: clang 14 and older are not supported");
    return first;
  }

  #first(reader: TokenReader): IrType {
    const text = reader.next();
    const bits = /^i(\d{1,5})$/.exec(text)?.[1];
    if (bits !== undefined) return integer(Number(bits));
    switch (text) {
      case "void":
        return { kind: "void" };
      case "ptr":
        if (reader.take("addrspace")) {
          reader.skipGroup();
          return { kind: "opaque", text: "ptr addrspace" };
        }
        return { kind: "pointer" };
      case "float":
        return { kind: "float", bits: 32 };
      case "double":
        return { kind: "float", bits: 64 };
      case "[":
        return this.#array(reader);
      case "{":
        return structOf(this.#fields(reader, "}"), false);
      case "<":
        return this.#angle(reader);
    }
    if (text.startsWith("%")) return this.named(plainName(text));
    if (OPAQUE.has(text)) return { kind: "opaque", text };
    throw reader.problem(`a type expected instead of '${text.slice(0, 40)}'`);
  }

  #array(reader: TokenReader): IrType {
    const count = reader.number();
    reader.expect("x");
    const of = this.read(reader);
    reader.expect("]");
    return of.kind === "opaque"
      ? { kind: "opaque", text: `array of ${of.text}` }
      : { kind: "array", count, of };
  }

  #angle(reader: TokenReader): IrType {
    if (reader.take("{")) {
      const fields = this.#fields(reader, "}");
      reader.expect(">");
      return structOf(fields, true);
    }
    const count = reader.next();
    reader.expect("x");
    this.read(reader);
    reader.expect(">");
    return { kind: "opaque", text: `a vector of ${count}` };
  }

  #fields(reader: TokenReader, close: string): IrType[] {
    const fields: IrType[] = [];
    if (reader.take(close)) return fields;
    do fields.push(this.read(reader));
    while (reader.take(","));
    reader.expect(close);
    return fields;
  }
}

const OPAQUE = new Set([
  "half",
  "bfloat",
  "x86_fp80",
  "fp128",
  "ppc_fp128",
  "x86_mmx",
  "label",
  "metadata",
  "token",
  "opaque",
]);

/** Solvers take bit-vectors of up to 128 bits. */
const integer = (bits: number): IrType =>
  bits >= 1 && bits <= 128 ? { kind: "int", bits } : { kind: "opaque", text: `i${bits}` };

function structOf(fields: readonly IrType[], isPacked: boolean): IrType {
  const opaque = fields.find(({ kind }) => kind === "opaque");
  if (opaque) return opaque;
  const offsets: number[] = [];
  let at = 0;
  for (const field of fields) {
    at = isPacked ? at : roundUp(at, alignOf(field));
    offsets.push(at);
    at += sizeOf(field);
  }
  const align = isPacked ? 1 : fields.reduce((most, field) => Math.max(most, alignOf(field)), 1);
  offsets.push(roundUp(at, align));
  return { kind: "struct", fields, offsets, align };
}
