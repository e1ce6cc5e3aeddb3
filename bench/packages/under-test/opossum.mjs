import CircuitBreaker from "opossum";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("an open breaker calls nothing before its time is over", async (world) => {
  let calls = 0;
  const breaker = new CircuitBreaker(
    async () => {
      calls++;
      await world.pause(`call ${calls}`);
      throw new Error("no");
    },
    {
      timeout: false,
      errorThresholdPercentage: 1,
      resetTimeout: 1000,
      rollingCountTimeout: 100,
      rollingCountBuckets: 1,
    },
  );
  await outcome(breaker.fire());
  check(breaker.opened, "it is closed after a failure");
  const before = calls;
  const answer = await outcome(breaker.fire());
  if (breaker.opened && answer === "rejected Breaker is open")
    check(calls === before, "an open breaker called");
  breaker.shutdown();
});
