/** The state in which a program starts: globals, functions, and the arguments of `main`. */
import { sizeOf, type IrType, type Operand } from "../../model/module.js";
import { bitsOfFloat } from "./access.js";
import { isProvided } from "./calls.js";
import type { Executor } from "./execute.js";
import { requestBytes } from "./inputs.js";
import { Ended, type Machine } from "./machine.js";
import type { MemoryObject } from "./memory.js";
import { PathState } from "./state.js";
import { isTerm, NULL, Pointer, type Value } from "./values.js";

/** The first address of a run with mirrored addresses. */
const HIGHEST = 0x7fff_0000_0000;

export function startOf(executor: Executor, isMirrored = false): PathState {
  const { machine } = executor;
  const { functions, globals } = machine.host.module;
  const state = new PathState();
  if (isMirrored) Object.assign(state, { isMirrored, nextAddress: HIGHEST });
  for (const name of new Set([
    ...functions.keys(),
    ...machine.host.module.undefinedSymbols.filter(isProvided),
  ]))
    machine.symbols.set(name, state.allocate("function", 1, 16, name, true, true));
  for (const { name, size, align, isConstant, label } of globals.values())
    machine.symbols.set(name, state.allocate("global", size, align, label, true, isConstant));
  for (const { name, type, initial } of globals.values()) {
    const id = machine.symbols.get(name);
    if (id !== undefined) initialise(machine, state.own(id), 0, type, initial);
  }
  enterMain(executor, state);
  return state;
}

function initialise(
  machine: Machine,
  object: MemoryObject,
  at: number,
  type: IrType,
  operand: Operand,
): void {
  switch (operand.kind) {
    case "zero":
    case "null":
    case "undefined":
      return;
    case "integer":
      object.writeNumber(at, sizeOf(type), operand.value);
      return;
    case "float":
      if (type.kind === "float") object.writeNumber(at, sizeOf(type), bitsOfFloat(operand.value, type.bits));
      return;
    case "bytes":
      object.bytes.set(operand.bytes, at);
      return;
    case "aggregate":
      operand.parts.forEach((part, index) => {
        const offset = type.kind === "struct" ? (type.offsets[index] ?? 0) : index * sizeOf(part.type);
        initialise(machine, object, at + offset, part.type, part.value);
      });
      return;
    case "address": {
      const id = machine.symbols.get(operand.symbol);
      if (id === undefined) markUnusable(object, at);
      else object.writePiecewise(at, 8, new Pointer(id, operand.offset));
      return;
    }
    default:
      markUnusable(object, at);
  }
}

/** An initial value that is not supported: using it is an error that names it, never a wrong number. */
function markUnusable(object: MemoryObject, at: number): void {
  object.missing ??= new Uint8Array(object.size);
  object.missing.fill(0xff, at, at + 8);
}

function enterMain(executor: Executor, state: PathState): void {
  const { host } = executor.machine;
  const main = host.module.functions.get("main");
  if (!main) throw new Ended({ kind: "unsupported", what: "a program without 'main'", span: undefined });
  const last = Math.max(0, ...host.inputs.args.keys());
  const strings = Array.from({ length: last + 1 }, (_, index) => argument(executor, state, index));
  const list = state.allocate("global", 8 * (strings.length + 1), 16, "argv", true);
  strings.forEach((id, index) => {
    state.own(list).writePiecewise(8 * index, 8, new Pointer(id, 0));
  });
  const environment = state.allocate("global", 8, 16, "envp", true);
  const args: Value[] = [strings.length, new Pointer(list, 0), new Pointer(environment, 0), NULL];
  executor.enter(state, main, args.slice(0, main.parameters.length), 0, [], -1);
}

/** The name of the program, an empty string, or symbolic characters followed by a null. */
function argument(executor: Executor, state: PathState, index: number): number {
  const length = executor.machine.host.inputs.args.get(index) ?? 0;
  const bytes =
    index === 0
      ? [...new TextEncoder().encode("program")]
      : length === 0
        ? []
        : requestBytes(executor, state, `argument ${index}`, length, index);
  const id = state.allocate("global", bytes.length + 1, 16, `argv[${index}]`, true);
  const object = state.own(id);
  bytes.forEach((byte, at) => {
    if (isTerm(byte)) object.writePiecewise(at, 1, byte);
    else object.writeNumber(at, 1, byte as number);
  });
  return id;
}
