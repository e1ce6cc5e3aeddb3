/**
 * Runs test files as one bundle, in this process: a mutant costs a fraction of what a worker of Vitest costs.
 *
 * Every run evaluates all modules anew, so nothing of one mutant is left for the next. `expect` is Vitest's own; of the rest there is what most tests
 * use. Tests that need more fail when nothing is changed, and are then run by Vitest.
 */
import { context, transform } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import * as chai from "chai";
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from "@vitest/expect";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
setState({ assertionCalls: 0, expectedAssertionsNumber: null }, chai.expect);

const folder = join(process.cwd(), ".bundled");
mkdirSync(folder, { recursive: true });
const shim = join(folder, "vitest.mjs");
writeFileSync(
  shim,
  "export const { describe, test, it, expect, beforeAll, afterAll, beforeEach, afterEach } = globalThis.bundledTests;",
);

/** Modules keep their own addresses, and find Vitest's stand-in. */
const places = {
  name: "places",
  setup(build) {
    build.onResolve({ filter: /^vitest$/ }, () => ({ path: shim }));
    // Only these: whatever a plugin loads is loaded again every time.
    const asking = ["src", "test", "bench"].flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .map((name) => join(folder, name))
        .filter((path) => /\.(ts|mjs)$/.test(path) && readFileSync(path, "utf8").includes("import.meta.url")),
    );
    const filter = new RegExp(`/(${asking.map((path) => path.replace(/\W/g, "\\$&")).join("|")})$`);
    build.onLoad({ filter }, ({ path }) => ({
      contents: `const ownUrl = ${JSON.stringify(pathToFileURL(path).href)}; ${readFileSync(path, "utf8")}`,
      loader: "ts",
    }));
  },
};

const contexts = new Map();
/** Bundles by their tests, with nothing changed. */
const originals = new Map();
let runs = 0;

/** How many tests passed; throws what the first failure threw. `original`: the text of the file at `path` before it was changed. */
export async function runBundled(tests, path, original) {
  const outfile = join(folder, `run-${++runs}.mjs`);
  writeFileSync(outfile, (await patched(tests, path, original)) ?? (await bundle(tests)));
  const root = new Group(undefined);
  globalThis.bundledTests = interfaceOf(root);
  try {
    await import(pathToFileURL(outfile).href);
    return await root.run([], []);
  } finally {
    rmSync(outfile);
  }
}

async function bundle(tests) {
  const key = tests.join();
  if (!contexts.has(key))
    contexts.set(
      key,
      await context({
        stdin: {
          contents: tests.map((test) => `import ${JSON.stringify(join(process.cwd(), test))};`).join("\n"),
          resolveDir: process.cwd(),
        },
        outfile: join(folder, "bundle.mjs"),
        write: false,
        bundle: true,
        format: "esm",
        platform: "node",
        target: "node20",
        packages: "external",
        define: { "import.meta.url": "ownUrl" },
        logLevel: "silent",
        plugins: [places],
      }),
    );
  const { outputFiles } = await contexts.get(key).rebuild();
  return outputFiles[0].text;
}

/** Bundling takes longer than most tests. Undefined where the changed lines are not found, once, among those of their module. */
async function patched(tests, path, original) {
  const changed = readFileSync(path, "utf8");
  if (!originals.has(tests.join())) {
    writeFileSync(path, original);
    originals.set(tests.join(), await bundle(tests));
    writeFileSync(path, changed);
  }
  const whole = originals.get(tests.join());
  if (changed === original) return whole;
  const options = { loader: "ts", target: "node20" };
  const [before, after] = await Promise.all(
    [original, changed].map(async (text) => (await transform(text, options)).code.split("\n")),
  );
  let first = 0;
  while (before[first] === after[first] && first < before.length) first++;
  let last = 0;
  const rest = Math.min(before.length, after.length) - first;
  while (last < rest && before.at(-1 - last) === after.at(-1 - last)) last++;
  if (first + last >= before.length) return undefined;
  const lines = (of) => `\n${of.slice(first, of.length - last).join("\n")}`;
  const start = whole.indexOf(`\n// ${relative(process.cwd(), path)}\n`);
  if (start < 0) return undefined;
  const next = /\n\/\/ \S+\.(ts|mjs)\n/g;
  next.lastIndex = start + 1;
  const end = next.exec(whole)?.index ?? whole.length;
  const exchanged = exchange(whole.slice(start, end), lines(before), lines(after));
  return exchanged && whole.slice(0, start) + exchanged + whole.slice(end);
}

const NAME = /[A-Za-z_$][\w$]*/g;

/** Bundling appends numbers to names that several modules have: those of `before` in `text` are given to `after`. */
function exchange(text, before, after) {
  const pattern = before
    .split(new RegExp(`(${NAME.source})`))
    .map((part, i) => (i % 2 === 1 ? `(${part.replaceAll("$", "\\$")}\\d*)` : part.replace(/\W/g, "\\$&")));
  const [found, second] = text.matchAll(new RegExp(`${pattern.join("")}(?=\n)`, "g"));
  if (!found || second) return undefined;
  const names = new Map();
  for (const [i, [name]] of [...before.matchAll(NAME)].entries())
    if ((names.get(name) ?? found[i + 1]) === found[i + 1]) names.set(name, found[i + 1]);
    else return undefined;
  const renamed = after.replace(NAME, (name) => names.get(name) ?? name);
  return text.slice(0, found.index) + renamed + text.slice(found.index + found[0].length);
}

class Group {
  parts = [];
  hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };

  async run(before, after) {
    const { beforeAll, afterAll, beforeEach, afterEach } = this.hooks;
    const [first, last] = [
      [...before, ...beforeEach],
      [...afterEach, ...after],
    ];
    let passed = 0;
    try {
      for (const hook of beforeAll) await hook();
      for (const part of this.parts)
        if (part instanceof Group) passed += await part.run(first, last);
        else {
          for (const hook of first) await hook();
          await part();
          for (const hook of last) await hook();
          passed++;
        }
    } finally {
      for (const hook of afterAll) await hook();
    }
    return passed;
  }
}

function interfaceOf(root) {
  let current = root;
  const test = (name, ...rest) => {
    const body = rest.pop();
    // Mutants have a limit of their own.
    if (rest.some((options) => Object.keys(options).join() !== "timeout"))
      throw new Error(`'${name}' has options`);
    if (body.length > 0) throw new Error(`'${name}' asks for its context`);
    current.parts.push(body);
  };
  const describe = (name, body) => {
    const outer = current;
    outer.parts.push((current = new Group()));
    const result = body();
    current = outer;
    if (result instanceof Promise) throw new Error(`'${name}' is asynchronous`);
  };
  /** Rows that are lists are arguments. */
  const each = (declare) => (rows) => (name, body) => {
    if (rows.raw) throw new Error(`'${name}' is a table as text`);
    for (const row of rows) declare(name, () => body(...(Array.isArray(row) ? row : [row])));
  };
  test.each = each(test);
  test.for = (rows) => (name, body) => rows.forEach((row) => test(name, () => body(row)));
  test.skip = () => {};
  test.skipIf = (isSkipped) => (isSkipped ? test.skip : test);
  test.runIf = (isRun) => (isRun ? test : test.skip);
  describe.each = each(describe);
  describe.for = (rows) => (name, body) => rows.forEach((row) => describe(name, () => body(row)));
  describe.skip = () => {};
  describe.skipIf = (isSkipped) => (isSkipped ? describe.skip : describe);
  const hook = (name) => (body) => void current.hooks[name].push(body);
  return {
    describe,
    test,
    it: test,
    expect: chai.expect,
    beforeAll: hook("beforeAll"),
    afterAll: hook("afterAll"),
    beforeEach: hook("beforeEach"),
    afterEach: hook("afterEach"),
  };
}
