/** memoizee 0.4.17: a call right after a rejection gets the old rejection. */
import memoize from "memoizee";

let calls = 0;
const get = memoize(
  async () => {
    if (++calls === 1) throw new Error("no");
    return calls;
  },
  { promise: true },
);
const first = await get("k").catch((error) => `rejected ${error.message}`);
const second = await get("k").catch((error) => `rejected ${error.message}`);
console.log(`first: ${first}; second: ${second}; ${calls} call`);
