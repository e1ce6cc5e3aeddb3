/** Plain Node: stops a limiter at different times after it received jobs. Do jobs begin after `stop`? */
import { setTimeout as sleep } from "node:timers/promises";
import Bottleneck from "bottleneck";

for (let waits = 0; waits < 5; waits++) {
  const limiter = new Bottleneck({ maxConcurrent: 1 });
  let isStopped = false;
  const job = async (name) => {
    console.log(`stopped after ${waits} waits: ${name} began ${isStopped ? "AFTER" : "before"} the stop`);
    await sleep(5);
  };
  for (const name of ["a", "b", "c"]) limiter.schedule(() => job(name)).catch(() => {});
  for (let i = 0; i < waits; i++) await sleep(1);
  isStopped = true;
  await limiter.stop({ dropWaitingJobs: true });
}
