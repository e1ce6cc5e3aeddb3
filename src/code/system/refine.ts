/**
 * Runs a node in lockstep with a reference: both receive the same inputs, and after each one their outputs and
 * observable states must agree. Runs inside realms. The reference's state is stored in the node, so it is part of the
 * system's state, and a difference is a failed assertion with a trace.
 */
import { dataText } from "../../model/data-text.js";
import { UnsupportedError } from "../world/failure.js";
import type { Data, Disk, Environment, Node } from "./define.js";
import { UNFINISHED } from "./unfinished.js";

export type ReferenceInput =
  | { readonly kind: "start" }
  | { readonly kind: "message"; readonly from: string; readonly message: Data }
  | { readonly kind: "timer"; readonly name: string }
  /** Performed by `Refining.act`. */
  | { readonly kind: "action"; readonly name: string; readonly value: Data };

export interface ReferenceOutput {
  /** "*": broadcast. */
  readonly to: string;
  readonly message: Data;
}

export interface Difference {
  readonly input: ReferenceInput;
  readonly expected: { readonly outputs: readonly ReferenceOutput[]; readonly view: Data };
  readonly obtained: { readonly outputs: readonly ReferenceOutput[]; readonly view: Data };
}

export interface Reference<N extends Node, State extends Data> {
  readonly initial: State;
  step(
    state: State,
    input: ReferenceInput,
  ): { readonly state: State; readonly outputs: readonly ReferenceOutput[] };
  /** Compared data of the node and of the reference. */
  view(node: N): Data;
  viewOf(state: State): Data;
  /** Permitted differences, each with the clause that permits it. The reference continues from its own state. */
  readonly allowed?: readonly { readonly clause: string; matches(difference: Difference): boolean }[];
}

/**
 * Creates nodes that are compared with the reference:
 * `nodes: { a: refining((environment) => new Node(environment), reference) }`.
 */
export const refining =
  <N extends Node, State extends Data>(
    make: (environment: Environment) => N,
    reference: Reference<N, State>,
  ): ((environment: Environment) => Refining<N, State>) =>
  (environment) =>
    new Refining(make, reference, environment);

export class Refining<N extends Node, State extends Data> implements Node {
  readonly node: N;
  state: State;
  readonly #reference: Reference<N, State>;
  readonly #environment: Recording;
  /** Number of suspended handlers. */
  #waiting = 0;

  constructor(
    make: (environment: Environment) => N,
    reference: Reference<N, State>,
    environment: Environment,
  ) {
    this.#environment = new Recording(environment);
    this.#reference = reference;
    this.state = reference.initial;
    this.node = make(this.#environment);
  }

  onStart(): unknown {
    return this.#step({ kind: "start" }, () => this.node.onStart?.());
  }

  onMessage(from: string, message: Data): unknown {
    return this.#step({ kind: "message", from, message }, () =>
      this.node.onMessage?.(from, message as never),
    );
  }

  onTimer(name: string): unknown {
    return this.#step({ kind: "timer", name }, () => this.node.onTimer?.(name));
  }

  /** For actions: `run: (node) => node.act("open", null, (inner) => inner.open())`. */
  act(name: string, value: Data, run: (node: N) => unknown): unknown {
    return this.#step({ kind: "action", name, value }, () => run(this.node));
  }

  #step(input: ReferenceInput, run: () => unknown): unknown {
    const result = run();
    if (!(result instanceof Promise)) return this.#compare(input);
    this.#waiting++;
    return result.then(() => {
      this.#waiting--;
      this.#compare(input);
    });
  }

  /** Describes a suspended handler, which cannot be compared. */
  get [UNFINISHED](): string | undefined {
    if (this.#waiting === 0) return undefined; // sound: test/code/system/properties.test.ts
    return "a handler beside a reference ('refining') that waits for a later step";
  }

  #compare(input: ReferenceInput): void {
    const { state, outputs } = this.#reference.step(this.state, input);
    this.state = state;
    const difference: Difference = {
      input,
      expected: { outputs, view: this.#reference.viewOf(state) },
      obtained: { outputs: this.#environment.outputs, view: this.#reference.view(this.node) },
    };
    this.#environment.outputs = [];
    if (comparable(difference.expected) === comparable(difference.obtained)) return; // sound: test/code/system/properties.test.ts
    if (this.#reference.allowed?.some(({ matches }) => matches(difference))) return;
    const [expected, obtained] = [JSON.stringify(difference.expected), JSON.stringify(difference.obtained)];
    throw new NotRefined(
      `after ${JSON.stringify(input)} the reference has ${expected}, the node ${obtained}`,
    );
  }
}

/** Refuses views that cannot be compared. */
function comparable(value: Difference["expected"]): string {
  try {
    return dataText(value, "ignored");
  } catch (error) {
    throw new UnsupportedError(`a view beside a reference: ${(error as Error).message}`);
  }
}

class NotRefined extends Error {
  override readonly name = "AssertionError";
}

/** A class rather than an object of closures, so that it is data of the node. */
class Recording implements Environment {
  outputs: ReferenceOutput[] = [];
  readonly #inner: Environment;

  constructor(inner: Environment) {
    this.#inner = inner;
  }

  get name(): string {
    return this.#inner.name;
  }

  get nodes(): readonly string[] {
    return this.#inner.nodes;
  }

  get disk(): Disk {
    return this.#inner.disk;
  }

  send(to: string | readonly string[], message: Data): void {
    this.#inner.send(to, message);
    for (const name of typeof to === "string" ? [to] : to)
      this.outputs.push({ to: name, message: copyOf(message) });
  }

  broadcast(message: Data): void {
    this.#inner.broadcast(message);
    this.outputs.push({ to: "*", message: copyOf(message) });
  }

  setTimer(name: string, delayMs?: number): void {
    this.#inner.setTimer(name, delayMs);
  }

  clearTimer(name: string): void {
    this.#inner.clearTimer(name);
  }

  choose(options: number): number {
    return this.#inner.choose(options);
  }

  chooseFrom<T>(values: readonly T[]): T {
    return this.#inner.chooseFrom(values);
  }

  fails(site: string): boolean {
    return this.#inner.fails(site);
  }
}

/** A copy, since the node may change the message later. */
const copyOf = (message: Data): Data => JSON.parse(JSON.stringify(message)) as Data; // sound: test/code/system/properties.test.ts
