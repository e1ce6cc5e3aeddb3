/**
 * Replaces esbuild's helper for lowered async generators, which has no queue: it answered concurrent requests out of
 * order, and skipped code after an `await` in `finally`.
 */

/** Replaces the helpers by conforming ones with the same number of lines. */
export function withQueues(code: string): string {
  let result = code;
  for (const { helper, pattern, text } of replacements) {
    if (!code.includes(`var ${helper} =`)) continue;
    const found = pattern.exec(result)?.[0];
    if (found === undefined) throw new Error(`esbuild's ${helper} has changed`);
    const instead = found.replace(pattern, text);
    const missing = found.split("\n").length - instead.split("\n").length;
    result = result.replace(pattern, () => instead + "\n".repeat(missing));
  }
  return result;
}

/** Handles requests in sequence. `await` and `yield` take one promise job each; the end of the function takes none. */
const ours = `var __asyncGenerator = (__this, __arguments, generator) => {
  var queue = [], isBusy = false, it = {};
  var answer = (settle, value) => { isBusy = false; settle(value); next(); };
  var next = () => { if (!isBusy && queue.length > 0) { isBusy = true; resume(...queue.shift()); } };
  var resume = (k, v, yes, no) => { try { var { value, done } = generator[k](v); } catch (e) { return answer(no, e); } if (value instanceof __await && value[1] === 2) return answer(yes, { value: value[0], done }); if (done && value === undefined) return answer(yes, { value, done }); var isAwait = value instanceof __await; Promise.resolve(isAwait ? value[0] : value).then((y) => !isAwait ? answer(yes, { value: y, done }) : value[1] ? resume(k === "return" ? k : "next", { done: y.done, value: y.value }, yes, no) : resume("next", y, yes, no), (e) => resume("throw", e, yes, no)); };
  var method = (k) => it[k] = (x) => new Promise((yes, no) => { queue.push([k, x, yes, no]); next(); });
  return generator = generator.apply(__this, __arguments), it[Symbol.asyncIterator] = () => it, method("next"), method("throw"), method("return"), it;
};
`;

/** The bundler renames local names of the helpers that a module also has at top level. */
const replacements = [
  {
    helper: "__asyncGenerator",
    pattern: /^var __asyncGenerator = \(\w+, \w+, \w+\) => \{\n[^]*?\n\};\n/m,
    text: ours,
  },
  // Results of `yield*` take one promise job, like `await`, and are not awaited again.
  {
    helper: "__yieldStar",
    pattern: /new __await\(new Promise\(\(\w+\) => \{\s*var \w+ = (\w+\[\w+\]\(\w+\));[^]*?\}\), 1\)/,
    text: "new __await($1, 1)",
  },
  {
    helper: "__yieldStar",
    pattern: /if \((\w+) === "throw"\) throw (\w+);\s*return \2;/,
    text: 'if ($1 === "throw") throw $2; return $2.done ? $2 : { done: false, value: new __await($2.value, 2) };',
  },
];
