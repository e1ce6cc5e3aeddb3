/** Tests with nearly independent turns, to measure partial-order reduction. */
import { everySchedule } from "../../src/testing/code.js";

everySchedule("five downloads into records of their own", async (world) => {
  const download = world.service("download", (k: number) => k * k, { effect: "call" });
  const records = await Promise.all([1, 2, 3, 4, 5].map(async (k) => ({ k, size: await download(k) })));
  if (records.some(({ k, size }) => size !== k * k)) throw new Error("mixed up");
});

everySchedule("three accounts, three steps each", async (world) => {
  const work = async (): Promise<number> => {
    const account = { balance: 0 };
    for (let i = 0; i < 3; i++) {
      await world.pause();
      account.balance += i;
    }
    return account.balance;
  };
  if ((await Promise.all([work(), work(), work()])).join() !== "3,3,3") throw new Error("mixed up");
});

everySchedule("one writer, four readers", async (world) => {
  let value = 0;
  const seen: { value: number }[] = [];
  const read = async (slot: { value: number }): Promise<void> => {
    await world.pause();
    slot.value = value;
  };
  for (let i = 0; i < 4; i++) seen.push({ value: -1 });
  const write = async (): Promise<void> => {
    await world.pause();
    value = 1;
  };
  await Promise.all([write(), ...seen.map(read)]);
  if (seen.some((slot) => slot.value < 0)) throw new Error("not read");
});

everySchedule("two pairs of turns that race", async (world) => {
  const race = async (shared: { n: number }): Promise<void> => {
    const add = async (by: number): Promise<void> => {
      await world.pause();
      shared.n = shared.n * 2 + by;
      await world.pause();
    };
    await Promise.all([add(1), add(2)]);
  };
  await Promise.all([race({ n: 0 }), race({ n: 0 })]);
});
