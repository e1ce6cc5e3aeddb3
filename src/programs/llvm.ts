/**
 * Reads LLVM's intermediate representation, as clang 15 and later writes it, into functions and globals.
 *
 * Debug intrinsics and debug records give positions and names. An instruction outside the supported part becomes `unsupported`;
 * a text that is not well-formed is an `IrProblem`, never another exception.
 */
import {
  alignOf,
  sizeOf,
  type Block,
  type Instruction,
  type IrFunction,
  type IrGlobal,
  type IrType,
  type Phi,
  type Terminator,
} from "../model/module.js";
import { DebugInfo, type SourceText } from "./debug.js";
import { readStatement, type FunctionContext } from "./instructions.js";
import { OperandReader, skipAttributes } from "./operands.js";
import { IrProblem, plainName, TokenReader, tokensOf } from "./tokens.js";
import { TypeReader } from "./types.js";

/** The content of one file of intermediate representation. */
export interface Unit {
  readonly functions: readonly IrFunction[];
  readonly globals: readonly IrGlobal[];
}

export interface UnitOptions {
  /** Name of the compiled file. */
  readonly file: string;
  readonly source: SourceText;
  readonly isLibrary: boolean;
}

export function readUnit(text: string, options: UnitOptions): Unit {
  const lines = text.split("\n");
  const metadata = lines.filter((line) => line.startsWith("!"));
  const code = lines.map((line) =>
    /^(?:!|attributes #|source_filename|target |module asm)/.test(line) ? "" : line,
  );
  if (lines.some((line) => line.startsWith("module asm")))
    throw new IrProblem("assembly outside of functions is not supported", 1);
  try {
    return new UnitReader(
      code,
      new DebugInfo(metadata, options.source, options.file),
      options.isLibrary,
    ).read();
  } catch (problem) {
    if (problem instanceof RangeError) throw new IrProblem("the types or values are nested too deeply", 1);
    throw problem;
  }
}

class UnitReader {
  readonly #lines: readonly string[];
  readonly #debug: DebugInfo;
  readonly #isLibrary: boolean;
  readonly #types = new TypeReader();
  readonly #reader: TokenReader;
  readonly #functions: IrFunction[] = [];
  readonly #globals: IrGlobal[] = [];

  constructor(lines: readonly string[], debug: DebugInfo, isLibrary: boolean) {
    this.#lines = lines;
    this.#debug = debug;
    this.#isLibrary = isLibrary;
    this.#reader = new TokenReader(tokensOf(lines.join("\n")));
    for (const line of lines) {
      const [, name, body] = /^%("[^"]*"|[-\w$.]+) = type (.*)$/.exec(line) ?? [];
      if (name === undefined || body === undefined) continue;
      const reader = new TokenReader(tokensOf(body));
      this.#types.declare(plainName(`%${name}`), () => this.#types.read(reader));
    }
  }

  read(): Unit {
    const reader = this.#reader;
    while (!reader.isAtEnd) {
      const text = reader.next();
      if (text === "define") this.#function();
      else if (text.startsWith("@")) this.#global(plainName(text));
      else if (text === "declare" || text.startsWith("%") || text.startsWith("$")) {
        if (reader.line === reader.lineOfLast) reader.restOfLine();
      } else throw reader.problem(`'${text.slice(0, 40)}' is not expected here`);
    }
    return { functions: this.#functions, globals: this.#globals };
  }

  #global(name: string): void {
    const reader = this.#reader;
    reader.expect("=");
    let isExternal = false;
    while (!["global", "constant", "alias", "ifunc"].includes(reader.peek())) {
      const word = reader.next();
      if (word === "external" || word === "extern_weak") isExternal = true;
      reader.skipGroup();
    }
    const kind = reader.next();
    if (kind === "alias" || kind === "ifunc" || isExternal) {
      reader.restOfLine();
      return;
    }
    const type = this.#types.read(reader);
    const operands = new OperandReader(this.#types, () => {
      throw reader.problem("a constant has no registers");
    });
    const initial = operands.read(reader, type);
    const rest = !reader.isAtEnd && reader.line === reader.lineOfLast ? reader.restOfLine() : "";
    const align = Number(/align (\d+)/.exec(rest)?.[1] ?? alignOf(type));
    this.#globals.push({
      name,
      type,
      size: sizeOf(type),
      align,
      isConstant: kind === "constant",
      initial,
      label: /^[A-Za-z_][\w.]*$/.test(name) ? name.replace(/^.*\./, "") : undefined,
    });
  }

  #function(): void {
    const reader = this.#reader;
    while (FUNCTION_WORDS.has(reader.peek())) {
      reader.next();
      if (reader.peek() === "(") reader.skipGroup();
    }
    skipAttributes(reader);
    const result = this.#types.read(reader);
    const name = plainName(reader.next());
    const registers = new Map<string, number>();
    const register = (register_: string): number => {
      const known = registers.get(register_);
      if (known !== undefined) return known;
      registers.set(register_, registers.size);
      return registers.size - 1;
    };
    const { parameters, isVariadic } = this.#parameters(register);
    const firstLine = reader.lineOfLast;
    const rest: string[] = [];
    while (!reader.take("{")) rest.push(reader.next());
    const debug = / !dbg ! (\d+)/.exec(` ${rest.join(" ")}`)?.[1];
    const context = this.#context(register, firstLine, parameters.length);
    const blocks = this.#blocks(register, context);
    this.#functions.push({
      name,
      result,
      parameters,
      isVariadic,
      registers: registers.size,
      blocks,
      span: this.#debug.span(debug),
      isLibrary: this.#isLibrary,
    });
  }

  #parameters(register: (name: string) => number): { parameters: IrType[]; isVariadic: boolean } {
    const reader = this.#reader;
    const parameters: IrType[] = [];
    reader.expect("(");
    let isVariadic = false;
    if (reader.take(")")) return { parameters, isVariadic };
    do {
      if (reader.take("...")) {
        isVariadic = true;
        break;
      }
      parameters.push(this.#types.read(reader));
      skipAttributes(reader);
      register(reader.peek().startsWith("%") ? plainName(reader.next()) : `${parameters.length - 1}`);
    } while (reader.take(","));
    reader.expect(")");
    return { parameters, isVariadic };
  }

  /** Labels and names of variables are collected before the instructions that use them. */
  #context(register: (name: string) => number, firstLine: number, parameters: number): FunctionContext {
    const labels = new Map<string, number>();
    const names = new Map<string, string>();
    for (let line = firstLine; line < this.#lines.length && this.#lines[line] !== "}"; line++) {
      const text = this.#lines[line] ?? "";
      const label = /^("[^"]*"|[-a-zA-Z$._0-9]+):/.exec(text)?.[1];
      if (label !== undefined) {
        if (labels.size === 0 && !this.#isFirst(firstLine, line)) labels.set(`${parameters}`, 0);
        labels.set(label.replaceAll('"', ""), labels.size);
      }
      const [, variable, id] =
        /dbg[._]declare\((?:metadata )?ptr %([-\w$."]+), (?:metadata )?!(\d+)/.exec(text) ?? [];
      const name = this.#debug.variable(id);
      if (variable !== undefined && name !== undefined) names.set(variable, name);
    }
    return {
      types: this.#types,
      operands: new OperandReader(this.#types, register),
      block: (label, reader) => {
        const found = labels.get(label);
        if (found === undefined) throw reader.problem(`there is no block '${label.slice(0, 40)}'`);
        return found;
      },
      span: (rest) => this.#debug.span(/!dbg ! (\d+)/.exec(rest)?.[1]),
      variable: (name) => (name === undefined ? undefined : names.get(name)),
    };
  }

  /** The first block may omit its label. */
  #isFirst(firstLine: number, line: number): boolean {
    return this.#lines.slice(firstLine, line).every((text) => text.trim() === "");
  }

  #blocks(register: (name: string) => number, context: FunctionContext): Block[] {
    const reader = this.#reader;
    const blocks: Block[] = [];
    let current: { phis: Phi[]; instructions: Instruction[]; end: Terminator | undefined } | undefined;
    const close = (): void => {
      if (current) blocks.push({ ...current, end: current.end ?? UNENDED });
      current = undefined;
    };
    while (!reader.take("}")) {
      if (reader.peek().endsWith(":")) {
        close();
        reader.next();
        current = { phis: [], instructions: [], end: undefined };
        continue;
      }
      current ??= { phis: [], instructions: [], end: undefined };
      if (current.end) throw reader.problem("an instruction follows the end of its block");
      let result: string | undefined;
      if (reader.peek().startsWith("%") && reader.peek(1) === "=") {
        result = plainName(reader.next());
        reader.next();
      }
      const statement = readStatement(reader, result === undefined ? -1 : register(result), result, context);
      if (statement.kind === "phi") current.phis.push(statement.phi);
      else if (statement.kind === "instruction") current.instructions.push(statement.instruction);
      else current.end = statement.end;
    }
    close();
    if (blocks.length === 0) throw reader.problem("a function without blocks");
    return blocks;
  }
}

const UNENDED: Terminator = { kind: "unsupported", text: "a block without an end", span: undefined };

const FUNCTION_WORDS = new Set([
  "dso_local",
  "dso_preemptable",
  "internal",
  "private",
  "linkonce",
  "linkonce_odr",
  "weak",
  "weak_odr",
  "available_externally",
  "common",
  "external",
  "extern_weak",
  "hidden",
  "protected",
  "default",
  "ccc",
  "fastcc",
  "coldcc",
  "unnamed_addr",
  "local_unnamed_addr",
]);
