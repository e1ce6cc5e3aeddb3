/**
 * Prints the sequential program in C: a posted task runs at once, on the variables of its phase, which are copied in and out.
 *
 * Every check that clang has inserted, and every access to memory, becomes a test that ends the phase; every call is followed by a test
 * whether its phase is over. Code without an equivalent in C is refused, with its reason.
 */
import {
  sizeOf,
  type Instruction,
  type IrFunction,
  type IrGlobal,
  type IrType,
  type Module,
  type Operand,
  type Terminator,
} from "../../model/module.js";
import { PRIMITIVE, type TaskProgram } from "../../model/tasks.js";
import { callText, NoEquivalent, type Printer } from "./export-calls.js";
import { RUNTIME_HEAD, runtimeBody } from "./export-runtime.js";
import type { Flavour } from "./settings.js";

export function sequentialC(program: TaskProgram, flavour: Flavour): string | { readonly why: string } {
  try {
    return new ProgramPrinter(program).print(flavour);
  } catch (problem) {
    if (problem instanceof NoEquivalent) return { why: problem.message };
    throw problem;
  }
}

class ProgramPrinter {
  readonly #program: TaskProgram;
  readonly #module: Module;
  readonly #names = new Map<string, string>();
  readonly #functions: string[];

  constructor(program: TaskProgram) {
    this.#program = program;
    this.#module = program.module;
    this.#functions = reachable(this.#module);
    for (const what of program.notSequential) throw new NoEquivalent(`the program has ${what}`);
  }

  print(flavour: Flavour): string {
    const globals = [...this.#module.globals.values()];
    const functions = this.#functions.flatMap((name) => this.#module.functions.get(name) ?? []);
    const { bounds, slots, tasks, handlers } = this.#program;
    const written = [...new Set(slots.map(({ global }) => global))].flatMap(
      (name) => this.#module.globals.get(name) ?? [],
    );
    const bytes = written.reduce((sum, { size }) => sum + size, 0);
    const usesSwitches = functions.some(({ blocks }) =>
      blocks.some(({ instructions }) => instructions.some((each) => calls(each, PRIMITIVE.enable))),
    );
    const isOnce = bounds.queue === "tinyos";
    const bits = tasks.length + handlers.length + 1;
    const defines: Readonly<Record<string, number>> = {
      EP_L: bounds.phases,
      EP_SLOTS: slots.length,
      EP_BITS: bits,
      EP_USED_BITS: usesSwitches ? bits : isOnce ? tasks.length : 0,
      EP_TASKS: tasks.length,
      EP_HANDLERS: handlers.length,
      EP_GLOBALS: globals.length,
      EP_WRITTEN: written.length,
      EP_BYTES: bytes,
      EP_UNWIND: bounds.unwind,
      EP_ONCE: isOnce ? 1 : 0,
    };
    return [
      `/* A program of ${tasks.length} tasks and ${handlers.length} interrupt handlers, up to phase ${bounds.phases}, as a sequential program. */`,
      ...Object.entries(defines).map(([name, value]) => `#define ${name} ${value}`),
      RUNTIME_HEAD,
      ...functions.map((fn) => `${this.#signature(fn)};`),
      ...globals.map((global) => this.#global(global)),
      "static uint8_t ep_dangling[1];",
      `static const struct { const uint8_t *base; uint64_t size; } ep_globals[EP_GLOBALS + 1] = {${globals.map(({ name, size }) => `{${this.#name("g", name)}, ${size}}`).join(", ")}${globals.length > 0 ? ", " : ""}{0, 0}};`,
      `static const struct { uint8_t *base; uint64_t size; } ep_written[EP_WRITTEN + 1] = {${[...written.map(({ name, size }) => `{${this.#name("g", name)}, ${size}}`), "{0, 0}"].join(", ")}};`,
      this.#slots(written),
      `static const int32_t ep_vectors[EP_HANDLERS + 1] = {${[...handlers.map(({ vector }) => (vector < 0 ? -2 : vector)), -2].join(", ")}};`,
      this.#reset(globals),
      runtimeBody(flavour),
      ...functions.map((fn) => this.#function(fn)),
      `static int ep_run(void) { ${this.#name("f", "main")}(${
        this.#module.functions
          .get("main")
          ?.parameters.map(({ kind }) => (kind === "pointer" ? "(uint8_t *)0" : "0"))
          .join(", ") ?? ""
      }); return 0; }`,
      "",
    ].join("\n");
  }

  /** Where each guessed value lies in a saved environment, and the places to which pointers may point. */
  #slots(written: readonly IrGlobal[]): string {
    const at = new Map<string, number>();
    let sum = 0;
    for (const { name, size } of written) {
      at.set(name, sum);
      sum += size;
    }
    const targets: string[] = [];
    const rows = this.#program.slots.map((slot) => {
      const first = targets.length;
      for (const { symbol, offset } of slot.targets)
        targets.push(
          symbol === undefined
            ? "{ep_dangling, 0}"
            : `{${this.#module.globals.has(symbol) ? this.#name("g", symbol) : `(uint8_t *)${this.#name("f", symbol)}`}${(offset ?? 0) === 0 ? "" : ` + ${offset}`}, ${offset === undefined ? 1 : 0}}`,
        );
      const count = slot.isPointer ? Math.max(1, slot.targets.length) : 0;
      if (slot.isPointer && slot.targets.length === 0) targets.push("{0, 0}");
      return `{${(at.get(slot.global) ?? 0) + slot.at}, ${slot.size}, ${first}, ${count}}`;
    });
    return [
      `static const struct { uint64_t at, size; int first, targets; } ep_slots[EP_SLOTS + 1] = {${[...rows, "{0, 0, 0, 0}"].join(", ")}};`,
      `static const struct { uint8_t *base; int isAny; } ep_targets[] = {${[...targets, "{0, 0}"].join(", ")}};`,
    ].join("\n");
  }

  #name(kind: "g" | "f", name: string): string {
    const key = `${kind} ${name}`;
    let found = this.#names.get(key);
    if (found === undefined) {
      found = `${kind}${this.#names.size}_${name.replaceAll(/[^A-Za-z0-9_]/g, "_")}`;
      this.#names.set(key, found);
    }
    return found;
  }

  /** Bytes follow each variable, so that an access beyond it does not reach another one. */
  #global({ name, size }: IrGlobal): string {
    return `static _Alignas(16) uint8_t ${this.#name("g", name)}[${size + 64}];`;
  }

  #reset(globals: readonly IrGlobal[]): string {
    const lines = globals.flatMap((global) => {
      const c = this.#name("g", global.name);
      return [`  memset(${c}, 0, sizeof ${c});`, ...this.#initial(c, 0, global.type, global.initial)];
    });
    return `static void ep_reset(void) {\n${lines.join("\n")}\n}`;
  }

  #initial(c: string, at: number, type: IrType, operand: Operand): string[] {
    switch (operand.kind) {
      case "zero":
      case "null":
      case "undefined":
        return [];
      case "bytes":
        return [...operand.bytes].flatMap((byte, index) =>
          byte === 0 ? [] : [`  ${c}[${at + index}] = ${byte};`],
        );
      case "integer": {
        const size = sizeOf(type);
        return size <= 8
          ? [`  ep_st${size}(${c} + ${at}, ${this.operand(type, operand)});`]
          : noEquivalent("integers of more than 64 bits");
      }
      case "aggregate":
        return operand.parts.flatMap((part, index) =>
          this.#initial(
            c,
            at + (type.kind === "struct" ? (type.offsets[index] ?? 0) : index * sizeOf(part.type)),
            part.type,
            part.value,
          ),
        );
      case "address":
        return this.#isKnown(operand.symbol)
          ? [`  ep_stp(${c} + ${at}, ${this.operand(type, operand)});`]
          : [];
      default:
        return noEquivalent("an initial value of an unsupported kind");
    }
  }

  #isKnown(symbol: string): boolean {
    return this.#module.globals.has(symbol) || this.#functions.includes(symbol);
  }

  /** An operand as an expression of C. */
  operand(type: IrType, operand: Operand): string {
    switch (operand.kind) {
      case "register":
        return `r${operand.index}`;
      case "integer":
        return type.kind === "pointer"
          ? `(uint8_t *)(uintptr_t)${operand.value}u`
          : `(${typeText(type)})${operand.value}${operand.value > 0xffff_ffffn ? "ull" : "u"}`;
      case "null":
        return "(uint8_t *)0";
      case "zero":
      case "undefined":
        return type.kind === "pointer" ? "(uint8_t *)0" : `(${typeText(type)})0`;
      case "address": {
        const { symbol, offset } = operand;
        if (this.#module.globals.has(symbol)) {
          const c = this.#name("g", symbol);
          return offset === 0 ? c : `(${c} + ${offset})`;
        }
        if (this.#functions.includes(symbol)) return `(uint8_t *)(uintptr_t)${this.#name("f", symbol)}`;
        return noEquivalent(`the address of '${symbol}'`);
      }
      default:
        return noEquivalent(`an operand of the kind ${operand.kind}`);
    }
  }

  #signature(fn: IrFunction): string {
    if (fn.isVariadic) noEquivalent(`the variadic function '${fn.name}'`);
    const parameters = fn.parameters.map((type, index) => `${typeText(type)} r${index}`).join(", ");
    return `static ${typeText(fn.result)} ${this.#name("f", fn.name)}(${parameters || "void"})`;
  }

  #function(fn: IrFunction): string {
    const registers = registerTypes(fn);
    const locals: string[] = [];
    for (const { instructions } of fn.blocks)
      for (const each of instructions)
        if (each.kind === "allocate") {
          if (each.count.value.kind !== "integer") noEquivalent("an array of variable length");
          locals.push(`  _Alignas(16) uint8_t a${each.into}[${Math.max(1, localSize(each)) + 64}];`);
        }
    const declared = [...registers].map(([index, type]) =>
      typeof type === "string"
        ? `  ${type} r${index}_0 = 0; uint8_t r${index}_1 = 0;`
        : `  ${typeText(type)} r${index} = 0;`,
    );
    const pushes = fn.blocks.flatMap(({ instructions }) =>
      instructions.flatMap((each) =>
        each.kind === "allocate"
          ? [`  memset(a${each.into}, 0, sizeof a${each.into}); ep_push(a${each.into}, ${localSize(each)});`]
          : [],
      ),
    );
    const printer: Printer = {
      operand: (type, operand) => this.operand(type, operand),
      function: (name) => (this.#functions.includes(name) ? this.#name("f", name) : undefined),
      leave:
        fn.result.kind === "void" ? "{ ep_count = ep_mark; return; }" : "{ ep_count = ep_mark; return 0; }",
      continues: fn.name.startsWith("post ") || fn.name === "main",
    };
    const blocks = fn.blocks.map(({ instructions, end }, index) =>
      [
        `b${index}:;`,
        ...instructions.map((each) => `  ${this.#instruction(each, printer)}`),
        `  ${this.#end(fn, index, end, printer)}`,
      ].join("\n"),
    );
    return `${this.#signature(fn)} {\n${["  int ep_mark = ep_count;", ...declared, ...locals, ...pushes, ...blocks].join("\n")}\n}`;
  }

  #instruction(each: Instruction, printer: Printer): string {
    const line = each.span?.line ?? 0;
    const of = (type: IrType, operand: Operand): string => this.operand(type, operand);
    const check = (pointer: string, size: number): string =>
      `{ const char *e = ep_check(${pointer}, ${size}); if (e) { ep_fail(e, ${line}); ${printer.leave} } }`;
    switch (each.kind) {
      case "nothing":
        return ";";
      case "allocate":
        return `r${each.into} = a${each.into};`;
      case "load": {
        const pointer = of({ kind: "pointer" }, each.pointer);
        return `${check(pointer, accessSize(each.type))} r${each.into} = ${loadText(each.type, pointer)};`;
      }
      case "store": {
        const pointer = of({ kind: "pointer" }, each.pointer);
        const { type, value } = each.value;
        const size = type.kind === "pointer" ? "p" : accessSize(type);
        return `${check(pointer, accessSize(type))} ep_st${size}(${pointer}, ${of(type, value)});`;
      }
      case "offset":
        return this.#offset(each, line, printer);
      case "binary":
        return `r${each.into} = ${binaryText(each.operator, each.bits, of({ kind: "int", bits: each.bits }, each.left), of({ kind: "int", bits: each.bits }, each.right))};`;
      case "compare":
        return `r${each.into} = ${compareText(each, of(each.type, each.left), of(each.type, each.right))};`;
      case "cast":
        return `r${each.into} = ${castText(each, of(each.from, each.value))};`;
      case "select":
        return `r${each.into} = ${of({ kind: "int", bits: 1 }, each.condition)} ? ${of(each.type, each.yes)} : ${of(each.type, each.no)};`;
      case "freeze":
        return `r${each.into} = ${of(each.value.type, each.value.value)};`;
      case "extract":
        return each.aggregate.value.kind === "register" && each.path.length === 1
          ? `r${each.into} = r${each.aggregate.value.index}_${each.path[0] ?? 0};`
          : noEquivalent("a structure in a register");
      case "call":
        return callText(each, printer);
      default:
        return noEquivalent(
          each.kind === "unsupported" ? each.text : `an instruction of the kind ${each.kind}`,
        );
    }
  }

  #offset(each: Extract<Instruction, { kind: "offset" }>, line: number, printer: Printer): string {
    const base = this.operand({ kind: "pointer" }, each.pointer);
    const terms = each.scaled.map(({ index, by }) => {
      const bits = index.type.kind === "int" ? index.type.bits : 64;
      return ` + (uintptr_t)((int64_t)(int${bits}_t)${this.operand(index.type, index.value)} * ${by})`;
    });
    const sum = `(uint8_t *)((uintptr_t)${base} + (uintptr_t)${each.bytes}${terms.join("")})`;
    const moved = `r${each.into} = ${sum};`;
    if (each.pointer.kind === "address") return moved;
    return `${moved} if (!${base} && r${each.into}) { ep_fail("null pointer", ${line}); ${printer.leave} }`;
  }

  /** Values of phis are read together, before any is written. */
  #end(fn: IrFunction, from: number, end: Terminator, printer: Printer): string {
    const go = (to: number): string => {
      const phis = fn.blocks[to]?.phis ?? [];
      const reads = phis.map(({ type, from: values }, index) => {
        const value = values.get(from);
        return value ? `${typeText(type)} t${index} = ${this.operand(type, value)};` : "";
      });
      const writes = phis.map(({ into, from: values }, index) =>
        values.has(from) ? `r${into} = t${index};` : "",
      );
      return `{ ${[...reads, ...writes, `goto b${to};`].filter((text) => text !== "").join(" ")} }`;
    };
    switch (end.kind) {
      case "jump":
        return go(end.to);
      case "branch":
        return `if (${this.operand({ kind: "int", bits: 1 }, end.condition)}) ${go(end.yes)} else ${go(end.no)}`;
      case "switch":
        return `switch (${this.operand(end.value.type, end.value.value)}) { ${end.cases.map(({ value, to }) => `case ${value}u: ${go(to)}`).join(" ")} default: ${go(end.otherwise)} }`;
      case "return":
        return end.value
          ? `ep_count = ep_mark; return ${this.operand(end.value.type, end.value.value)};`
          : "ep_count = ep_mark; return;";
      case "unreachable":
        return `ep_fail("undefined behaviour", ${end.span?.line ?? 0}); ${printer.leave}`;
      case "unsupported":
        return noEquivalent(end.text);
    }
  }
}

const noEquivalent = (what: string): never => {
  throw new NoEquivalent(what);
};

const calls = (each: Instruction, name: string): boolean =>
  each.kind === "call" && each.callee.kind === "address" && each.callee.symbol === name;

const localSize = ({ size, count }: Extract<Instruction, { kind: "allocate" }>): number =>
  size * (count.value.kind === "integer" ? Number(count.value.value) : 1);

/** Functions that `main` may enter, by calls or through their addresses. */
function reachable({ functions }: Module): string[] {
  const found = new Set(["main"]);
  const visit = (part: object): void => {
    for (const value of Object.values(part) as unknown[])
      if (typeof value === "object" && value !== null) {
        const { kind, symbol } = value as { kind?: string; symbol?: string };
        if (kind === "address" && symbol !== undefined && functions.has(symbol)) found.add(symbol);
        else visit(value instanceof Map ? [...value.values()] : value);
      }
  };
  for (const name of found) for (const block of functions.get(name)?.blocks ?? []) visit(block);
  return [...found];
}

const WIDTHS = new Set([1, 8, 16, 32, 64]);

/** Integers of one bit have a byte. */
export function typeText(type: IrType): string {
  if (type.kind === "void") return "void";
  if (type.kind === "pointer") return "uint8_t *";
  if (type.kind === "int" && WIDTHS.has(type.bits)) return `uint${type.bits === 1 ? 8 : type.bits}_t`;
  return noEquivalent(
    type.kind === "int" ? `integers of ${type.bits} bits` : `values of the kind ${type.kind}`,
  );
}

function accessSize(type: IrType): number {
  typeText(type);
  return type.kind === "pointer" ? 8 : type.kind === "int" ? Math.ceil(type.bits / 8) : 0;
}

const loadText = (type: IrType, pointer: string): string =>
  type.kind === "pointer"
    ? `ep_ldp(${pointer})`
    : `${type.kind === "int" && type.bits === 1 ? "1 & " : ""}ep_ld${accessSize(type)}(${pointer})`;

const OPERATORS: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  udiv: "/",
  urem: "%",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  lshr: ">>",
};

function binaryText(operator: string, bits: number, left: string, right: string): string {
  const mask = bits === 1 ? " & 1" : "";
  const plain = OPERATORS[operator];
  if (plain !== undefined)
    return `(${typeText({ kind: "int", bits })})(((uint64_t)${left} ${plain} (uint64_t)${right})${mask})`;
  const signed = (text: string): string => `(int64_t)(int${bits}_t)${text}`;
  const sign = operator === "sdiv" ? "/" : operator === "srem" ? "%" : ">>";
  return `(${typeText({ kind: "int", bits })})(${signed(left)} ${sign} ${sign === ">>" ? right : signed(right)})`;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "==",
  ne: "!=",
  gt: ">",
  ge: ">=",
  lt: "<",
  le: "<=",
};

function compareText(
  { predicate, type }: Extract<Instruction, { kind: "compare" }>,
  left: string,
  right: string,
): string {
  const isSigned = predicate.startsWith("s");
  const sign = COMPARISONS[predicate.length === 3 ? predicate.slice(1) : predicate] ?? "==";
  const bits = type.kind === "int" ? type.bits : 64;
  const cast = type.kind === "pointer" ? "(uintptr_t)" : isSigned && bits > 1 ? `(int${bits}_t)` : "";
  return `${cast}${left} ${sign} ${cast}${right}`;
}

function castText({ operator, from, to }: Extract<Instruction, { kind: "cast" }>, value: string): string {
  switch (operator) {
    case "trunc":
      return to.kind === "int" && to.bits === 1 ? `${value} & 1` : `(${typeText(to)})${value}`;
    case "zext":
      return `(${typeText(to)})${value}`;
    case "sext": {
      const bits = from.kind === "int" ? from.bits : 64;
      return bits === 1
        ? `(${typeText(to)})(0 - (int64_t)${value})`
        : `(${typeText(to)})(int64_t)(int${bits}_t)${value}`;
    }
    case "ptrtoint":
      return `(${typeText(to)})(uintptr_t)${value}`;
    case "inttoptr":
      return `(uint8_t *)(uintptr_t)${value}`;
    case "bitcast":
      return from.kind === to.kind ? value : noEquivalent("a conversion of the bits of a number");
    default:
      return noEquivalent("floating-point numbers");
  }
}

/** Types of the registers that instructions write; a text: the first part of a pair. */
function registerTypes(fn: IrFunction): Map<number, IrType | string> {
  const types = new Map<number, IrType | string>();
  for (const { phis, instructions } of fn.blocks) {
    for (const { into, type } of phis) types.set(into, type);
    for (const each of instructions) {
      if (!("into" in each) || each.into < fn.parameters.length) continue;
      const type = resultType(each);
      if (type !== undefined) types.set(each.into, type);
    }
  }
  return types;
}

function resultType(each: Instruction): IrType | string | undefined {
  switch (each.kind) {
    case "binary":
      return { kind: "int", bits: each.bits };
    case "compare":
      return { kind: "int", bits: 1 };
    case "cast":
      return each.to;
    case "allocate":
    case "offset":
      return { kind: "pointer" };
    case "load":
    case "select":
      return each.type;
    case "freeze":
      return each.value.type;
    case "extract": {
      const { type } = each.aggregate;
      return type.kind === "struct" ? type.fields[each.path[0] ?? 0] : undefined;
    }
    case "call":
      if (!each.hasResult) return undefined;
      return each.result.kind === "struct"
        ? typeText(each.result.fields[0] ?? { kind: "void" })
        : each.result;
    default:
      return undefined;
  }
}
