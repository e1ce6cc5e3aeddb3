/**
 * Finds tasks, handlers, posts and atomic sections in a module, by the annotations of the header or by the names that the nesC compiler
 * gives to its scheduler, and replaces their calls by those of primitives.
 */
import type {
  Block,
  CallArgument,
  Instruction,
  IrFunction,
  IrGlobal,
  Module,
  Operand,
} from "../../model/module.js";
import { PRIMITIVE } from "../../model/tasks.js";
import { callOf, POST, USER_MAIN } from "./generate.js";

export interface Recognised {
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly globals: ReadonlyMap<string, IrGlobal>;
  readonly tasks: readonly IrFunction[];
  readonly handlers: readonly { readonly name: string; readonly vector: number }[];
  /** Tasks that the environment posts. */
  readonly environment: readonly string[];
}

/** The program cannot be analysed as a task program. */
export class TaskProblem extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly span: IrFunction["span"],
    readonly hint?: string,
  ) {
    super(message);
  }
}

const REGISTER = /^(?:\\01)?0x[0-9a-fA-F]+$/;
const NESC_RUN = /(?:^|\$)runTask$/;
const NESC_POST = /TaskBasic\$postTask$/;
const NESC_NEXT = /(?:^|\$)runNextTask$/;
const NESC_LOOP = /(?:^|\$)taskLoop$/;

export function recognise(module: Module, isNesc: boolean): Recognised {
  const marks = annotations(module);
  const named = (kind: string): string[] => marks.flatMap((mark) => (mark.kind === kind ? [mark.name] : []));
  const environment = named("environment");
  const dispatched = isNesc ? nescTasks(module) : new Map<bigint, string>();
  const names = new Set([...named("task"), ...environment, ...dispatched.values()]);
  const tasks = [...names].map((name) => definedTask(module, name));
  const handlers = marks.flatMap(({ kind, name, value }) =>
    kind === "interrupt" ? [{ name, vector: value }] : [],
  );
  if (handlers.length > 30)
    throw new TaskProblem("c/handlers", "there are more than 30 interrupt handlers", undefined);
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    const replaced = fn.isLibrary ? fn : withPrimitives(module, fn, names, isNesc ? dispatched : undefined);
    functions.set(
      name === "main" ? USER_MAIN : name,
      name === "main" ? { ...replaced, name: USER_MAIN } : replaced,
    );
  }
  const globals = new Map(module.globals);
  globals.delete("llvm.global.annotations");
  globals.delete("llvm.compiler.used");
  return { functions, globals: withRegisters(module, globals), tasks, handlers, environment };
}

function definedTask(module: Module, name: string): IrFunction {
  const fn = module.functions.get(name);
  if (!fn) throw new TaskProblem("c/task", `the task '${name}' has no definition`, undefined);
  if (fn.result.kind !== "void")
    throw new TaskProblem("c/task", `the task '${name}' has a result: tasks are void functions`, fn.span);
  if (fn.isVariadic || fn.parameters.some(({ kind }) => kind === "opaque" || kind === "float"))
    throw new TaskProblem("c/task", `the task '${name}' has parameters that a post cannot carry`, fn.span);
  return fn;
}

/** The table that clang writes of functions with `annotate`. */
function annotations({
  globals,
}: Module): { readonly kind: string; readonly name: string; readonly value: number }[] {
  const table = globals.get("llvm.global.annotations")?.initial;
  if (table?.kind !== "aggregate") return [];
  const marks = new Map<string, { readonly kind: string; readonly name: string; readonly value: number }>();
  for (const { value: row } of table.parts) {
    if (row.kind !== "aggregate") continue;
    const [fn, text, , , args] = row.parts.map(({ value }) => value);
    if (fn?.kind !== "address" || text?.kind !== "address") continue;
    const label = textOf(globals.get(text.symbol)?.initial);
    const [, kind] = /^everypath\.(task|interrupt|environment)$/.exec(label) ?? [];
    if (kind === undefined) continue;
    const first = args?.kind === "address" ? globals.get(args.symbol)?.initial : undefined;
    const value = first?.kind === "aggregate" ? first.parts[0]?.value : first;
    const vector = value?.kind === "integer" ? Number(BigInt.asIntN(32, value.value)) : 0;
    marks.set(`${kind} ${fn.symbol}`, { kind, name: fn.symbol, value: vector });
  }
  return [...marks.values()];
}

const textOf = (operand: Operand | undefined): string =>
  operand?.kind === "bytes" ? new TextDecoder().decode(operand.bytes).replaceAll("\0", "") : "";

/** Task numbers of the dispatcher: its cases call the bodies. */
function nescTasks({ functions }: Module): Map<bigint, string> {
  const found = new Map<bigint, string>();
  for (const fn of functions.values()) {
    if (!NESC_RUN.test(fn.name) || fn.parameters.length !== 1) continue;
    for (const { end } of fn.blocks)
      if (end.kind === "switch")
        for (const { value, to } of end.cases) {
          const body = fn.blocks[to]?.instructions.find((each) => calleeOf(each) !== undefined);
          const name = body && calleeOf(body);
          if (name !== undefined && to !== end.otherwise) found.set(value, name);
        }
  }
  return found;
}

const calleeOf = (instruction: Instruction): string | undefined =>
  instruction.kind === "call" &&
  instruction.callee.kind === "address" &&
  !instruction.callee.symbol.startsWith("llvm.")
    ? instruction.callee.symbol
    : undefined;

/** Names of variables at fixed addresses are these addresses: hardware registers, also those that only a declaration mentions. */
function withRegisters(module: Module, globals: Map<string, IrGlobal>): Map<string, IrGlobal> {
  for (const name of module.undefinedSymbols)
    if (REGISTER.test(name))
      globals.set(name, {
        name,
        type: { kind: "int", bits: 16 },
        size: 2,
        align: 2,
        isConstant: false,
        initial: { kind: "zero" },
        label: name,
      });
  return globals;
}

function withPrimitives(
  module: Module,
  fn: IrFunction,
  tasks: ReadonlySet<string>,
  nesc: ReadonlyMap<bigint, string> | undefined,
): IrFunction {
  let { registers } = fn;
  const fresh = (): number => registers++;
  const blocks = fn.blocks.map((block): Block => {
    const instructions: Instruction[] = [];
    for (const each of block.instructions) {
      const name = calleeOf(each);
      if (each.kind === "load") instructions.push(readRegister(module, fn, each));
      else if (each.kind !== "call" || name === undefined) instructions.push(each);
      else if (name === "everypath_posted") postBefore(instructions, each, tasks);
      else if (nesc && NESC_LOOP.test(name))
        return {
          phis: block.phis,
          instructions: [...instructions, callOf(PRIMITIVE.sleep, [], undefined, each.span)],
          end: { kind: "return", value: returned(fn), span: each.span },
        };
      else if (nesc && NESC_POST.test(name)) instructions.push(...nescPost(fn, each, nesc, fresh));
      else instructions.push(primitiveOf(each, name, nesc !== undefined));
    }
    return { ...block, instructions };
  });
  return { ...fn, registers, blocks };
}

const returned = ({ result }: IrFunction): CallArgument | undefined =>
  result.kind === "void" ? undefined : { type: result, value: { kind: "zero" } };

/** The call before the mark is that of the task. */
function postBefore(
  instructions: Instruction[],
  mark: Extract<Instruction, { kind: "call" }>,
  tasks: ReadonlySet<string>,
): void {
  for (let index = instructions.length - 1; index >= 0; index--) {
    const each = instructions[index];
    const name = each && calleeOf(each);
    if (each?.kind !== "call" || name === undefined) continue;
    if (!tasks.has(name))
      throw new TaskProblem(
        "c/post",
        `'${name}' is posted, but it is no task`,
        mark.span,
        "declare it as '__task void' before the first post",
      );
    if (each.args.some(({ byValue }) => byValue))
      throw new TaskProblem(
        "c/post",
        "a structure of more than 16 bytes is posted",
        mark.span,
        "post a pointer or its index",
      );
    instructions.splice(
      index,
      1,
      callOf(`${POST}${name}`, each.args, { register: mark.into, type: mark.result }, mark.span),
    );
    return;
  }
  throw new TaskProblem(
    "c/post",
    "a post of something that is no function",
    mark.span,
    "post a task by its name",
  );
}

function nescPost(
  fn: IrFunction,
  call: Extract<Instruction, { kind: "call" }>,
  tasks: ReadonlyMap<bigint, string>,
  fresh: () => number,
): Instruction[] {
  const [id] = call.args;
  const name = id?.value.kind === "integer" ? tasks.get(id.value.value) : undefined;
  if (name === undefined)
    throw new TaskProblem("c/post", "a post of a task whose number is no constant", call.span ?? fn.span);
  const register = fresh();
  const posted = callOf(`${POST}${name}`, [], { register, type: { kind: "int", bits: 32 } }, call.span);
  if (!call.hasResult || call.result.kind !== "int") return [posted];
  if (call.result.bits === 32) return [{ ...posted, into: call.into }];
  return [
    posted,
    {
      kind: "cast",
      operator: "trunc",
      from: { kind: "int", bits: 32 },
      to: call.result,
      value: { kind: "register", index: register },
      into: call.into,
      span: call.span,
    },
  ];
}

function primitiveOf(
  call: Extract<Instruction, { kind: "call" }>,
  name: string,
  isNesc: boolean,
): Instruction {
  const as = (primitive: string, args = call.args): Instruction => ({
    ...call,
    callee: { kind: "address", symbol: primitive, offset: 0 },
    args,
  });
  if (name === "everypath_atomic_begin" || (isNesc && name === "__nesc_atomic_start"))
    return as(PRIMITIVE.atomicBegin, []);
  if (name === "everypath_atomic_end" || (isNesc && name === "__nesc_atomic_end"))
    return as(PRIMITIVE.atomicEnd, []);
  if (name === "everypath_enable") return as(PRIMITIVE.enable);
  if (name === "everypath_sleep") return as(PRIMITIVE.sleep);
  if (isNesc && NESC_NEXT.test(name)) return as(PRIMITIVE.drain, []);
  if (name === "main") return as(USER_MAIN);
  return call;
}

/** A register that the program never writes has any value, each time it is read. */
function readRegister(
  module: Module,
  fn: IrFunction,
  load: Extract<Instruction, { kind: "load" }>,
): Instruction {
  const { pointer, type } = load;
  if (pointer.kind !== "address" || !REGISTER.test(pointer.symbol) || type.kind !== "int") return load;
  if (isWritten(module, pointer.symbol)) return load;
  return callOf(
    `__VERIFIER_nondet_${type.bits <= 8 ? "uchar" : type.bits <= 16 ? "ushort" : "uint"}`,
    [],
    { register: load.into, type },
    load.span ?? fn.span,
  );
}

const isWritten = ({ functions }: Module, symbol: string): boolean =>
  [...functions.values()].some(({ blocks }) =>
    blocks.some(({ instructions }) =>
      instructions.some(
        (each) =>
          (each.kind === "store" && each.pointer.kind === "address" && each.pointer.symbol === symbol) ||
          (each.kind !== "store" && each.kind !== "load" && mentions(each, symbol)),
      ),
    ),
  );

const mentions = (part: object, symbol: string): boolean =>
  (Object.values(part) as unknown[]).some(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      ((value as { symbol?: string }).symbol === symbol || mentions(value, symbol)),
  );
