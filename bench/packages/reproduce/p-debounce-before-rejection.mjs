/** p-debounce 5.1.1, `before`: the second call of a burst is fulfilled although the leading call failed. */
import pDebounce from "p-debounce";

const get = pDebounce(() => Promise.reject(new Error("no answer")), 50, { before: true });
const [first, second] = await Promise.allSettled([get(1), get(2)]);
console.log(`first: ${first.status}; second: ${second.status} with ${second.value}`);
