/** What went wrong in a world, as plain data: it is read from outside as text. */

export interface Failure {
  readonly kind: "assertion" | "exception" | "rejection" | "deadlock" | "livelock" | "unsupported";
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The turn it happened in. */
  readonly turn: number;
}

export function describeFailure(kind: Failure["kind"], error: unknown, turn: number): Failure {
  const { name, message, stack } = read(error);
  if (name === "UnsupportedError") return { kind: "unsupported", name, message, stack, turn };
  return { kind: /assert/i.test(name) ? "assertion" : kind, name, message, stack, turn };
}

/** Getters of the user's may throw, and a thrown thing may be anything. */
function read(error: unknown): { name: string; message: string; stack: string } {
  try {
    if (typeof error !== "object" || error === null) return { name: "", message: String(error), stack: "" };
    const { name, message, stack } = error as Error;
    return { name: String(name ?? ""), message: String(message ?? ""), stack: String(stack ?? "") };
  } catch {
    return { name: "", message: "an error that cannot be read", stack: "" };
  }
}

/** What was refused, and where. */
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

/** An assertion fails: if nothing else does, the code under test has caught it. */
export function noteAssertion({ message, stack = "" }: Error): void {
  const world = hearing();
  if (world) world.assertion ??= { message, stack, turn: world.turns }; // sound: test/code/given-up.test.ts test/code/conditions.test.ts
}

/** Something that is not under control, named: never silently the real thing. The world hears of it, whoever catches it. */
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
