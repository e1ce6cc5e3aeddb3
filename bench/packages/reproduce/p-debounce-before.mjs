/** p-debounce 5.1.1, `before`: the second call of a burst gets `undefined` if the leading call takes longer than the wait. */
import { setTimeout as delay } from "node:timers/promises";
import pDebounce from "p-debounce";

const get = pDebounce(async (value) => delay(100, value), 50, { before: true });
const [first, second] = await Promise.all([get(1), get(2)]);
console.log(`first: ${first}; second: ${second}`);
