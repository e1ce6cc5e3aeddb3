/** p-memoize 8.0.0: a value that was asked for before a clear is in the cache after it. */
import { setTimeout } from "node:timers/promises";
import pMemoize, { pMemoizeClear } from "p-memoize";

let stored = "old";
const get = pMemoize(
  async () => {
    const value = stored;
    await setTimeout(20);
    return value;
  },
  { cache: new Map() },
);
const before = get("k");
await setTimeout(5);
stored = "new";
pMemoizeClear(get);
const after = await get("k");
await before;
console.log(`called after the clear: ${after}; called later: ${await get("k")}; stored: ${stored}`);
