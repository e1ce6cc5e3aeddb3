// A register kept on two replicas. Reading the first replica that answers shows old values after new ones; reading with a lock does not.
// expected "reads any replica": violated (assertion), 4 turns
// expected "one at a time": holds
import { everySchedule, History, type ScheduleWorld, type SequentialModel } from "everypath/vitest";

type Input = { readonly write: number } | "read";

/** Sequential specification of a register. */
const register: SequentialModel<number, Input, number> = {
  initial: 0,
  apply: (state, input) =>
    input === "read" ? { state, output: state } : { state: input.write, output: input.write },
};

class Replicated {
  readonly #replicas: { value: number }[] = [{ value: 0 }, { value: 0 }];
  readonly #world: ScheduleWorld;
  #last: Promise<unknown> = Promise.resolve();

  constructor(world: ScheduleWorld) {
    this.#world = world;
  }

  async write(value: number): Promise<number> {
    for (const replica of this.#replicas) {
      await this.#world.pause("network");
      replica.value = value;
    }
    return value;
  }

  async read(replica: number): Promise<number> {
    await this.#world.pause("network");
    return this.#replicas[replica]!.value;
  }

  /** One operation at a time. */
  async locked<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(run);
    this.#last = mine;
    return mine;
  }
}

async function readersAndWriter(world: ScheduleWorld, isLocked: boolean): Promise<void> {
  const shared = new Replicated(world);
  const history = new History<Input, number>();
  const run = <T>(operation: () => Promise<T>): Promise<T> =>
    isLocked ? shared.locked(operation) : operation();
  const reader = async (): Promise<void> => {
    await history.record("reader", "read", () => run(() => shared.read(0)));
    await history.record("reader", "read", () => run(() => shared.read(1)));
  };
  await Promise.all([history.record("writer", { write: 1 }, () => run(() => shared.write(1))), reader()]);
  history.assertLinearizable(register);
}

everySchedule("reads any replica", (world) => readersAndWriter(world, false));
everySchedule("one at a time", (world) => readersAndWriter(world, true));
