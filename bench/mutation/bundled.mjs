/**
 * Runs test files as one bundle, in this process: a mutant costs a fraction of what a worker of Vitest costs.
 *
 * Every run evaluates all modules anew, so nothing of one mutant is left for the next. `expect` is Vitest's own; of the rest there is what most tests
 * use. Tests that need more fail when nothing is changed, and are then run by Vitest.
 */
import { context } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
let runs = 0;

/** How many tests passed; throws what the first failure threw. */
export async function runBundled(tests) {
  const key = tests.join();
  const outfile = join(folder, `run-${++runs}.mjs`);
  if (!contexts.has(key))
    contexts.set(
      key,
      await context({
        stdin: {
          contents: tests.map((test) => `import ${JSON.stringify(join(process.cwd(), test))};`).join("\n"),
          resolveDir: process.cwd(),
        },
        outfile,
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
  writeFileSync(outfile, outputFiles[0].contents);
  const root = new Group(undefined);
  globalThis.bundledTests = interfaceOf(root);
  try {
    await import(pathToFileURL(outfile).href);
    return await root.run([], []);
  } finally {
    rmSync(outfile);
  }
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
  const test = (name, body) => {
    if (typeof body !== "function") throw new Error(`'${name}' has options`);
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
