import retry from "async-retry";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule(
  "attempts come one at a time, at most retries + 1, and it fulfils exactly if one does",
  async (world) => {
    let [attempts, inside] = [0, 0];
    const attempt = async () => {
      attempts++;
      check(++inside === 1, "two attempts at once");
      await world.pause(`attempt ${attempts}`);
      inside--;
      if (world.choose(2) === 1) throw new Error("no");
      return attempts;
    };
    const answer = await outcome(retry(attempt, { retries: 2, minTimeout: 10, factor: 1, randomize: false }));
    check(
      answer === `fulfilled ${attempts}` || (answer === "rejected no" && attempts === 3),
      `${answer} after ${attempts}`,
    );
  },
);

everySchedule("no attempt begins after bail", async (world) => {
  let attempts = 0;
  const answer = await outcome(
    retry(
      async (bail) => {
        attempts++;
        await world.pause("attempt");
        bail(new Error("enough"));
      },
      { retries: 2, minTimeout: 10 },
    ),
  );
  await world.sleep(100);
  check(answer === "rejected enough" && attempts === 1, `${answer} after ${attempts}`);
});
