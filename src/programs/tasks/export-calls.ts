/** Calls in the exported sequential program: functions of the program, primitives, intrinsics, inputs and checks. */
import type { Instruction, IrType, Operand } from "../../model/module.js";
import { PRIMITIVE } from "../../model/tasks.js";

/** The program cannot be printed in C. */
export class NoEquivalent extends Error {}

export interface Printer {
  operand(type: IrType, operand: Operand): string;
  /** Name in C of a function of the program. */
  function(name: string): string | undefined;
  /** A statement that returns. */
  readonly leave: string;
  /** The function goes on after a call whose phase is over. */
  readonly continues: boolean;
}

type Call = Extract<Instruction, { kind: "call" }>;

const PRIMITIVES: Readonly<Record<string, string>> = {
  [PRIMITIVE.start]: "ep_start",
  [PRIMITIVE.leave]: "ep_leave",
  [PRIMITIVE.finish]: "ep_finish",
  [PRIMITIVE.post]: "ep_post",
  [PRIMITIVE.interrupt]: "ep_interrupt",
  [PRIMITIVE.interruptEnd]: "ep_interrupt_end",
  [PRIMITIVE.atomicBegin]: "ep_atomic_begin",
  [PRIMITIVE.atomicEnd]: "ep_atomic_end",
  [PRIMITIVE.enable]: "ep_enable",
  [PRIMITIVE.turns]: "ep_turns",
  [PRIMITIVE.drain]: "ep_drain",
};

const SILENT = /^(?:llvm\.(?:dbg|lifetime|donothing|expect)|__asan_handle_no_return$)/;
const NONDET = /^__VERIFIER_nondet_/;
const ASSUMES = new Set(["assume", "__VERIFIER_assume", "__CPROVER_assume", "klee_assume"]);
const CHECKS = new Set(["check", "__VERIFIER_assert"]);
const ERRORS = new Set(["__VERIFIER_error", "reach_error", "__assert_fail"]);
const EXITS = new Set(["exit", "_exit", "_Exit"]);
const OVERFLOW = /^llvm\.([su])(add|sub|mul)\.with\.overflow\.i(8|16|32|64)$/;
const HANDLERS: readonly (readonly [string, string])[] = [
  ["divrem_overflow", "division by zero"],
  ["overflow", "overflow"],
  ["shift_out_of_bounds", "shift"],
  ["out_of_bounds", "out of bounds"],
  ["nonnull_arg", "null pointer"],
];

export function callText(call: Call, printer: Printer): string {
  const { callee, args, into, hasResult, span } = call;
  const line = span?.line ?? 0;
  const texts = args.map(({ type, value }) => (type.kind === "void" ? "0" : printer.operand(type, value)));
  const assign = hasResult ? `r${into} = ` : "";
  const over = printer.continues ? "" : ` if (ep_status[ep_phase]) ${printer.leave}`;
  if (callee.kind !== "address") throw new NoEquivalent("a call through a pointer");
  const { symbol } = callee;
  const own = printer.function(symbol);
  if (own !== undefined && !EXITS.has(symbol)) return `${assign}${own}(${texts.join(", ")});${over}`;
  if (symbol === PRIMITIVE.next) return `${assign}0xfffffffeu;`;
  if (symbol === PRIMITIVE.argument)
    return `${assign}${texts[0]?.includes("4294967295") ? "ep_input()" : "0"};`;
  const primitive = PRIMITIVES[symbol];
  if (primitive !== undefined) {
    const wanted = symbol === PRIMITIVE.post ? texts.slice(0, 1) : texts;
    const isTest = symbol === PRIMITIVE.turns || symbol === PRIMITIVE.drain;
    return `${assign}${primitive}(${wanted.join(", ")});${isTest ? over : ""}`;
  }
  const fails = (kind: string): string => `ep_fail(${JSON.stringify(kind)}, ${line}); ${printer.leave}`;
  if (SILENT.test(symbol)) return symbol.startsWith("llvm.expect") ? `${assign}${texts[0] ?? "0"};` : ";";
  if (NONDET.test(symbol)) return `${assign}ep_input()${isBool(symbol) ? " & 1" : ""};${over}`;
  if (ASSUMES.has(symbol)) return `if (!${texts[0] ?? "0"}) { ep_stop(); ${printer.leave} }`;
  if (CHECKS.has(symbol)) return `if (!${texts[0] ?? "0"}) { ${fails("assertion")} }`;
  if (ERRORS.has(symbol)) return fails("assertion");
  if (symbol === "abort") return fails("abort");
  if (EXITS.has(symbol)) return `ep_stop(); ${printer.leave}`;
  if (symbol.startsWith("__ubsan_handle_"))
    return fails(HANDLERS.find(([name]) => symbol.includes(name))?.[1] ?? "undefined behaviour");
  const [, sign, operation, bits] = OVERFLOW.exec(symbol) ?? [];
  if (sign !== undefined && operation !== undefined && bits !== undefined)
    return overflowText(into, sign, operation, bits, texts);
  if (/^(?:llvm\.)?mem(?:cpy|move|set)(?:\.|$)/.test(symbol))
    return memoryText(symbol, texts, assign, line, printer);
  if (symbol === "symbolic" || symbol === "klee_make_symbolic") return inputText(texts, line, printer);
  throw new NoEquivalent(`a call of '${symbol}'`);
}

const isBool = (symbol: string): boolean => /_(?:_Bool|bool)$/.test(symbol);

function overflowText(
  into: number,
  sign: string,
  operation: string,
  bits: string,
  [a = "0", b = "0"]: readonly string[],
): string {
  const type = `${sign === "s" ? "int" : "uint"}${bits}_t`;
  return `{ ${type} v; r${into}_1 = __builtin_${operation}_overflow((${type})${a}, (${type})${b}, &v); r${into}_0 = (uint${bits}_t)v; }`;
}

function memoryText(
  symbol: string,
  [to = "0", from = "0", size = "0"]: readonly string[],
  assign: string,
  line: number,
  { leave }: Printer,
): string {
  const name = symbol.includes("memset") ? "memset" : "memmove";
  const check = (pointer: string): string =>
    `{ const char *e = ${size} ? ep_check(${pointer}, ${size}) : 0; if (e) { ep_fail(e, ${line}); ${leave} } }`;
  return `${check(to)} ${name === "memset" ? "" : check(from)} ${name}(${to}, ${from}, ${size});${assign === "" ? "" : ` ${assign}${to};`}`;
}

/** One input for the size of an integer, otherwise one for each byte. */
const inputText = ([to = "0", size = "0"]: readonly string[], line: number, { leave }: Printer): string =>
  `{ uint64_t v, i, n = ${size}; const char *e = ep_check(${to}, n); if (e) { ep_fail(e, ${line}); ${leave} } if (n == 1 || n == 2 || n == 4 || n == 8) { v = ep_input(); memcpy(${to}, &v, n); } else for (i = 0; i < n; i++) (${to})[i] = (uint8_t)ep_input(); }`;
