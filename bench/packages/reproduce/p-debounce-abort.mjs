/** p-debounce 5.1.1, `signal`: a call made during a run cannot be aborted any more. */
import { setTimeout as delay } from "node:timers/promises";
import pDebounce from "p-debounce";

const controller = new AbortController();
const get = pDebounce(
  async (value) => {
    if (controller.signal.aborted) console.log(`called with ${value} after the abortion`);
    return delay(20, value);
  },
  50,
  { signal: controller.signal },
);
const first = get(1);
await delay(60);
const second = get(2);
await first;
controller.abort();
console.log(await second.catch(() => "rejected"));
