/** Functions that the instrumentation adds to a module. Their names contain a space, so that they differ from those of C. */
import type { Block, CallArgument, Instruction, IrFunction, IrType, Operand } from "../../model/module.js";
import { PRIMITIVE, RUN_NOW, type Task } from "../../model/tasks.js";

export const POST = "post ";
export const RUN = "run ";
/** The user's `main`. */
export const USER_MAIN = "user main";

const I32: IrType = { kind: "int", bits: 32 };
const VOID: IrType = { kind: "void" };

const number = (value: number): CallArgument => ({
  type: I32,
  value: { kind: "integer", value: BigInt(value) },
});

export function callOf(
  name: string,
  args: readonly CallArgument[],
  into?: { readonly register: number; readonly type: IrType },
  span?: Instruction["span"],
): Extract<Instruction, { kind: "call" }> {
  const callee: Operand = { kind: "address", symbol: name, offset: 0 };
  return {
    kind: "call",
    callee,
    args,
    into: into?.register ?? -1,
    result: into?.type ?? VOID,
    hasResult: into !== undefined,
    span,
  };
}

const block = (instructions: readonly Instruction[], end: Block["end"]): Block => ({
  phis: [],
  instructions,
  end,
});
const jump = (to: number): Block["end"] => ({ kind: "jump", to, span: undefined });
const done = (value?: number): Block["end"] => ({
  kind: "return",
  value: value === undefined ? undefined : number(value),
  span: undefined,
});
const choice = (
  register: number,
  cases: readonly (readonly [number, number])[],
  otherwise: number,
): Block["end"] => ({
  kind: "switch",
  value: { type: I32, value: { kind: "register", index: register } },
  cases: cases.map(([value, to]) => ({ value: BigInt(value), to })),
  otherwise,
  span: undefined,
});

function functionOf(
  name: string,
  result: IrType,
  parameters: readonly IrType[],
  registers: number,
  blocks: readonly Block[],
): IrFunction {
  return { name, result, parameters, isVariadic: false, registers, blocks, span: undefined, isLibrary: true };
}

const parametersOf = ({ parameters }: IrFunction): CallArgument[] =>
  parameters.map((type, index) => ({ type, value: { kind: "register", index } }));

/** Appends to the queue, or runs the task at once if the engine wants that. */
export function postFunction(task: IrFunction, index: number): IrFunction {
  const args = parametersOf(task);
  const result = args.length;
  return functionOf(`${POST}${task.name}`, I32, task.parameters, result + 1, [
    block(
      [callOf(PRIMITIVE.post, [number(index), ...args], { register: result, type: I32 })],
      choice(result, [[RUN_NOW, 1]], 2),
    ),
    block([callOf(`${RUN}${task.name}`, args), callOf(PRIMITIVE.leave, [])], done(0)),
    block([], {
      kind: "return",
      value: { type: I32, value: { kind: "register", index: result } },
      span: undefined,
    }),
  ]);
}

/** The task, and then the interrupts that arrive before the next one. */
export function runFunction(task: IrFunction, atEnd: string | undefined): IrFunction {
  const args = parametersOf(task);
  return functionOf(`${RUN}${task.name}`, VOID, task.parameters, args.length, [
    block([callOf(task.name, args), ...(atEnd === undefined ? [] : [callOf(atEnd, [])])], done()),
  ]);
}

/** Up to `times` interrupts of these handlers, by their indices. */
export function interruptFunction(
  name: string,
  handlers: readonly { readonly index: number; readonly name: string }[],
  times: number,
): IrFunction {
  const width = handlers.length + 1;
  const last = times * width;
  const set = handlers.reduce((bits, { index }) => bits + 2 ** index, 0);
  const blocks = Array.from({ length: times }, (_, turn) => {
    const first = turn * width;
    return [
      block(
        [callOf(PRIMITIVE.interrupt, [number(set)], { register: turn, type: I32 })],
        choice(
          turn,
          handlers.map(({ index }, at) => [index + 1, first + 1 + at]),
          last,
        ),
      ),
      ...handlers.map((handler) =>
        block([callOf(handler.name, []), callOf(PRIMITIVE.interruptEnd, [])], jump(first + width)),
      ),
    ];
  }).flat();
  return functionOf(name, VOID, [], times, [...blocks, block([], done())]);
}

/** The environment posts a task at an interrupt point; the engine chooses the arguments. */
export function environmentFunction(task: IrFunction): IrFunction {
  const args = parametersOf(task);
  return functionOf(`environment ${task.name}`, VOID, [], args.length + 1, [
    block(
      [
        ...args.map(({ type }, register) => callOf(PRIMITIVE.argument, [number(-1)], { register, type })),
        callOf(`${POST}${task.name}`, args, { register: args.length, type: I32 }),
      ],
      done(),
    ),
  ]);
}

/** The scheduler: `main`, and then the tasks in the order of the queue. */
export function schedulerFunction(
  main: IrFunction,
  tasks: readonly IrFunction[],
  atEnd: string | undefined,
): IrFunction {
  const args = parametersOf(main);
  let registers = args.length;
  const next = registers++;
  const finish = tasks.length + 2;
  const bodies = tasks.map((task) => {
    const values = task.parameters.map((type): { readonly register: number; readonly type: IrType } => ({
      register: registers++,
      type,
    }));
    return block(
      [
        ...values.map((into, at) => callOf(PRIMITIVE.argument, [number(at)], into)),
        callOf(
          `${RUN}${task.name}`,
          values.map(({ register, type }) => ({ type, value: { kind: "register", index: register } })),
        ),
      ],
      jump(1),
    );
  });
  const result = registers++;
  const isVoid = main.result.kind === "void";
  return functionOf("main", I32, main.parameters, registers, [
    block(
      [
        callOf(PRIMITIVE.start, []),
        isVoid ? callOf(USER_MAIN, args) : callOf(USER_MAIN, args, { register: result, type: main.result }),
        ...(atEnd === undefined ? [] : [callOf(atEnd, [])]),
      ],
      jump(1),
    ),
    block(
      [callOf(PRIMITIVE.next, [], { register: next, type: I32 })],
      choice(
        next,
        tasks.map((_, index) => [index, index + 2]),
        finish,
      ),
    ),
    ...bodies,
    block([callOf(PRIMITIVE.finish, [])], done(0)),
  ]);
}

/** For reports. */
export const taskOf = ({ name, span }: IrFunction): Task => ({ name, span });
