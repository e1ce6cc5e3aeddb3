import { bulkhead, circuitBreaker, ConsecutiveBreaker, handleAll } from "cockatiel";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule(
  "a bulkhead of 1 and a queue of 1 runs one, then another, and rejects the third",
  async (world) => {
    const gate = new Gate(1);
    const policy = bulkhead(1, 1);
    const visit = (name) => outcome(policy.execute(() => gate.pass(() => world.pause(`${name} inside`))));
    const answers = await Promise.all(["a", "b", "c"].map(visit));
    check(gate.passed === 2 && /^rejected/.test(answers[2]), answers.join());
  },
);

everySchedule("an open breaker calls nothing, and a half-open one lets one call through", async (world) => {
  let [calls, inside] = [0, 0];
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: 100, breaker: new ConsecutiveBreaker(1) });
  const call = () =>
    outcome(
      breaker.execute(async () => {
        calls++;
        check(++inside === 1, "two calls at once");
        await world.pause(`call ${calls}`);
        inside--;
        throw new Error("no");
      }),
    );
  await call();
  check((await call()).includes("open") || calls === 2, "an open breaker called");
  await world.sleep(100);
  await Promise.all([call(), call()]);
});
