/** A failure of a world, as plain data that the host reads as JSON. */

export interface Failure {
  readonly kind: "assertion" | "exception" | "rejection" | "deadlock" | "livelock" | "unsupported";
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly turn: number;
}

export function describeFailure(kind: Failure["kind"], error: unknown, turn: number): Failure {
  const { name, message: text, stack } = read(error);
  const isEval = name === "EvalError" && /^Code generation from strings/.test(text);
  const message = isEval ? `${text}; { allowEval: true } permits it` : text;
  if (name === "UnsupportedError") return { kind: "unsupported", name, message, stack, turn };
  return { kind: /assert/i.test(name) ? "assertion" : kind, name, message, stack, turn };
}

/** Reads defensively: getters of user code may throw, and any value may be thrown. */
function read(error: unknown): { name: string; message: string; stack: string } {
  try {
    if (typeof error !== "object" || error === null) return { name: "", message: String(error), stack: "" };
    const { name, message, stack } = error as Error;
    return { name: String(name ?? ""), message: String(message ?? ""), stack: String(stack ?? "") };
  } catch {
    return { name: "", message: "an error that cannot be read", stack: "" };
  }
}

/** Use of an unsupported feature, with its position. */
export interface Refusal {
  readonly message: string;
  readonly stack: string;
  readonly turn: number;
}

interface Hearing {
  refusal: Refusal | undefined;
  assertion: Refusal | undefined;
  readonly turns: number;
}

const hearing = (): Hearing | undefined =>
  (globalThis as unknown as Record<symbol, Hearing | undefined>)[worldKey];

/** Records a failed assertion; if the run passes nevertheless, the code under test caught it. */
export function noteAssertion({ message, stack = "" }: Error): void {
  const world = hearing();
  if (world) world.assertion ??= { message, stack, turn: world.turns }; // sound: test/code/given-up.test.ts test/code/conditions.test.ts
}

/** Use of an unsupported feature. The constructor informs the world, so catching the error does not hide it. */
export class UnsupportedError extends Error {
  override readonly name = "UnsupportedError";

  constructor(message: string) {
    super(message);
    const world = hearing();
    if (world) world.refusal ??= { message, stack: this.stack ?? "", turn: world.turns }; // sound: test/code/given-up.test.ts test/code/conditions.test.ts
  }
}

const worldKey = Symbol.for("everypath.world");

export const refuse = (what: string, why = "it is not under the control of the world"): never => {
  throw new UnsupportedError(`${what} is not supported: ${why}`);
};
