/**
 * Linearizability of recorded histories: is there an order of the operations, each between its call and its response,
 * in which a sequential model gives the same responses?
 *
 * After Wing and Gong (Testing and verifying concurrent objects, 1993) with Lowe's memoization: an operation may come next
 * if no other response precedes its call; each pair of a set of completed operations and a model state is tried once.
 * Also runs inside realms.
 */
import { copyOfData, dataText } from "./data-text.js";

export interface Operation<Input = unknown, Output = unknown> {
  /** Who called: for people. */
  readonly client: string;
  readonly input: Input;
  /** When it was called and answered, as numbers that grow; without an answer it may have happened or not. */
  readonly calledAt: number;
  readonly answeredAt: number | undefined;
  readonly output: Output | undefined;
}

/** Sequential semantics of the operations. States and outputs are JSON data, maps and sets. */
export interface SequentialModel<State, Input, Output> {
  readonly initial: State;
  /**
   * Must not change the state that it is given, which is tried again in other orders. Undefined: the operation cannot happen in this state,
   * such as taking a lock that is held.
   */
  apply(state: State, input: Input): { readonly state: State; readonly output: Output } | undefined;
}

/** The operations in an order that explains their answers; undefined: there is none. */
export function linearize<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  model: SequentialModel<State, Input, Output>,
): readonly Operation<Input, Output>[] | undefined {
  refuseMalformed(operations);
  const tried = new Set<string>();
  const visit = (done: ReadonlySet<number>, state: State): Operation<Input, Output>[] | undefined => {
    const left = operations.flatMap((operation, index) => (done.has(index) ? [] : [{ operation, index }]));
    const firstAnswer = Math.min(...left.map(({ operation }) => operation.answeredAt ?? Infinity));
    if (firstAnswer === Infinity) return [];
    const text = dataText(state, "seen"); // sound: test/model/linearizability.test.ts
    const key = `${left.map(({ index }) => index).join()} ${text}`;
    if (tried.has(key)) return undefined;
    tried.add(key);
    for (const { operation, index } of left) {
      if (operation.calledAt > firstAnswer) continue;
      const effect = model.apply(state, operation.input);
      // sound: test/model/linearizability.test.ts
      if (dataText(state, "seen") !== text)
        throw new TypeError("the model's 'apply' changes the state that it is given: let it make a new one");
      if (!effect) continue; // sound: test/model/sequential-models.test.ts
      const { state: next, output } = effect;
      if (operation.answeredAt !== undefined && answerText(output) !== answerText(operation.output)) continue;
      const rest = visit(new Set([...done, index]), next);
      if (rest) return [operation, ...rest];
    }
    return undefined;
  };
  return visit(new Set(), model.initial);
}

/** Refuses histories in which an operation has no interval: they would mean nothing. */
function refuseMalformed(operations: readonly Operation[]): void {
  for (const { client, calledAt, answeredAt } of operations) {
    const isInterval = Number.isFinite(calledAt) && (answeredAt === undefined || answeredAt > calledAt);
    // sound: test/model/sequential-models.test.ts
    if (!isInterval)
      throw new RangeError(
        `an operation of '${client}' is answered at ${answeredAt}, and called at ${calledAt}`,
      );
  }
}

/** Records operations as they are called and answered. */
export class History<Input = unknown, Output = unknown> {
  readonly #operations: { -readonly [K in keyof Operation<Input, Output>]: Operation<Input, Output>[K] }[] =
    [];
  #now = 0;

  get operations(): readonly Operation<Input, Output>[] {
    return this.#operations;
  }

  /** Records a call; the returned function records its output. */
  call(client: string, input: Input): (output: Output) => void {
    const call = this.begin(client, input);
    return (output) => this.end(call, output);
  }

  /** Records a call; its number is for `end`. Like `call`, for nodes of a system: a number is data, a function is not. */
  begin(client: string, input: Input): number {
    const calledAt = ++this.#now;
    return this.#operations.push({ client, input, calledAt, answeredAt: undefined, output: undefined }) - 1;
  }

  /** Records the response of the call with that number. */
  end(call: number, output?: Output): void {
    const operation = this.#operations[call];
    // sound: test/model/sequential-models.test.ts
    if (!operation) throw new RangeError(`there is no call number ${call}`);
    // sound: test/model/sequential-models.test.ts
    if (operation.answeredAt !== undefined) throw new RangeError(`call number ${call} is answered twice`);
    operation.answeredAt = ++this.#now;
    // Copies the output: later changes by the caller are not part of the response.
    operation.output = copyOfData(output);
  }

  /** For `always`: true, or the reason with the history. */
  judge<State>(model: SequentialModel<State, Input, Output>): true | string {
    if (linearize(this.#operations, model)) return true;
    const lines = this.#operations.map(
      ({ client, input, calledAt, answeredAt, output }) =>
        `  ${client}: ${JSON.stringify(input)} → ${answeredAt === undefined ? "no answer" : answerText(output)} [${calledAt}, ${answeredAt ?? "…"}]`,
    );
    return `no order of the operations explains their answers:\n${lines.join("\n")}`;
  }

  /** Records the call and the response of an asynchronous operation; a rejected one stays without a response. */
  async record(client: string, input: Input, run: () => Promise<Output>): Promise<Output> {
    const answer = this.call(client, input);
    const output = await run();
    answer(output);
    return output;
  }

  /** Throws, with the history, if no order explains it. */
  assertLinearizable<State>(model: SequentialModel<State, Input, Output>): void {
    const judgement = this.judge(model);
    if (judgement !== true) throw new NotLinearizable(judgement);
  }
}

export class NotLinearizable extends Error {
  override readonly name = "AssertionError";
}

const answerText = (output: unknown): string => dataText(output, "ignored");
