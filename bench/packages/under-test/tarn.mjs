import { Pool } from "tarn";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("no resource is lent to two, at most max exist, and everyone gets one", async (world) => {
  const lent = new Set();
  let [made, exist] = [0, 0];
  const pool = new Pool({
    create: async () => {
      check(++exist <= 1, `${exist} resources`);
      await world.pause("create");
      return { id: ++made };
    },
    destroy: () => exist--,
    min: 0,
    max: 1,
    propagateCreateError: false,
  });
  let [passed, timedOut] = [0, 0];
  const visit = async (name) => {
    // Creation may take longer than the time of a request, which then gets nothing.
    const resource = await pool.acquire().promise.catch(() => undefined);
    if (!resource) return timedOut++;
    check(!lent.has(resource), "lent to two");
    lent.add(resource);
    await world.pause(`${name} inside`);
    lent.delete(resource);
    passed++;
    pool.release(resource);
  };
  await Promise.all(["a", "b"].map(visit));
  check(passed + timedOut === 2, `${passed} got one`);
  await pool.destroy();
});
