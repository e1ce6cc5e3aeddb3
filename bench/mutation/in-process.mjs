/**
 * Runs test files in this process: a mutant costs a fraction of a Vitest worker.
 *
 * Every run evaluates all modules again, so mutants do not affect each other; a file is recompiled only when it has
 * changed and is imported. Tests that detected earlier mutants run first. `expect` is Vitest's; of the rest it implements
 * the common parts. Tests that need more fail without a mutant, in their order or in reverse, and are then run by Vitest.
 */
import { transformSync } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import * as chai from "chai";
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from "@vitest/expect";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
setState({ assertionCalls: 0, expectedAssertionsNumber: null }, chai.expect);

/** Number of tests passed; throws the first failure. `isReversed`: the last test first. */
export async function runInProcess(tests, isReversed = false) {
  for (;;) {
    const root = new Group(tests.join(" "));
    const load = loader(interfaceOf(root));
    try {
      for (const test of tests) load(resolve(test));
      return await root.run([], [], isReversed);
    } catch (error) {
      if (!(error instanceof NeedsImport)) throw error;
      imported.set(error.name, await import(error.name));
    }
  }
}

/** Packages that cannot be required. */
const imported = new Map();

class NeedsImport extends Error {
  constructor(name) {
    super(`${name} must be imported`);
    this.name = name;
  }
}

/** Modules of one run. */
function loader(vitest) {
  const modules = new Map();
  const load = (path) => {
    if (modules.has(path)) return modules.get(path).exports;
    const module = { exports: {} };
    modules.set(path, module);
    const required = (name) => {
      if (name === "vitest") return vitest;
      if (name.startsWith(".")) return load(sourceOf(join(dirname(path), name)));
      return packaged(path, name);
    };
    compiled(path)(module, module.exports, required, pathToFileURL(path).href, dirname(path));
    return module.exports;
  };
  return load;
}

function packaged(path, name) {
  if (imported.has(name)) return imported.get(name);
  try {
    return createRequire(path)(name);
  } catch (error) {
    throw error.code === "ERR_REQUIRE_ESM" ? new NeedsImport(name) : error;
  }
}

/** Maps imported paths to their sources. */
const sourceOf = (path) => {
  const source = path.replace(/\.(m?)js$/, ".$1ts");
  return existsSync(source) ? source : path;
};

const scripts = new Map();

function compiled(path) {
  const text = readFileSync(path, "utf8");
  if (scripts.get(path)?.text !== text) scripts.set(path, { text, script: scriptOf(path, text) });
  return scripts.get(path).script.runInThisContext();
}

function scriptOf(path, text) {
  const { code } = transformSync(text, {
    sourcefile: path,
    loader: path.endsWith(".json") ? "json" : "ts",
    format: "cjs",
    platform: "node",
    target: "node20",
    // Modules that are imported late belong to the same run.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "ownUrl", "import.meta.dirname": "ownFolder" },
  });
  return new Script(`(function (module, exports, require, ownUrl, ownFolder) {${code}\n})`, {
    filename: path,
  });
}

/** Recency of a test's or group's last failure: larger is more recent. */
const failures = new Map();
let failed = 0;

class Group {
  parts = [];
  hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };

  constructor(name) {
    this.name = name;
  }

  /** The number distinguishes tests of one name. */
  add(part, name) {
    this.parts.push({ part, name: `${this.name} > ${this.parts.length} ${name}` });
  }

  #inOrder(isReversed) {
    if (isReversed) return this.parts.toReversed();
    const recency = ({ name }) => failures.get(name) ?? 0;
    return this.parts.toSorted((a, b) => recency(b) - recency(a));
  }

  async run(before, after, isReversed) {
    const { beforeAll, afterAll, beforeEach, afterEach } = this.hooks;
    const [first, last] = [
      [...before, ...beforeEach],
      [...afterEach, ...after],
    ];
    let passed = 0;
    try {
      for (const hook of beforeAll) await hook();
      for (const { part, name } of this.#inOrder(isReversed))
        try {
          if (part instanceof Group) passed += await part.run(first, last, isReversed);
          else {
            for (const hook of first) await hook();
            await part();
            for (const hook of last) await hook();
            passed++;
          }
        } catch (error) {
          failures.set(name, ++failed);
          throw error;
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
    current.add(body, name);
  };
  const describe = (name, body) => {
    const outer = current;
    current = new Group(`${outer.name} > ${outer.parts.length} ${name}`);
    outer.add(current, name);
    const result = body();
    current = outer;
    if (result instanceof Promise) throw new Error(`'${name}' is asynchronous`);
  };
  /** List rows are arguments. */
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
