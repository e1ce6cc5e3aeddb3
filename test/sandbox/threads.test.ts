/**
 * Threads of a search are locked like the starting thread, before any code runs in them; a timeout there is no fault of
 * the code.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../repository.js";

// Beside the packages, so that the bundler is found.
const cache = inRepository("node_modules/.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "everypath-threads-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Both sides: one locks itself and starts the other, which builds its model like a thread of a search. */
const text = `
  import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
  import { Sources } from ${JSON.stringify(inRepository("src/model/index.ts"))};
  import { lockDown } from ${JSON.stringify(inRepository("src/code/isolation/index.ts"))};
  import { GivenUp, bundleSystem, nodesFromRecipe, packed, sharedModel } from ${JSON.stringify(inRepository("src/code/system/index.ts"))};

  const attempts = {
    exec: async () => (await import("node:child_process")).execSync("true"),
    read: async () => (await import("node:fs")).readFileSync("/etc/passwd"),
    worker: async () => new (await import("node:worker_threads")).Worker("1", { eval: true }),
    connect: async () => (await import("node:net")).connect(9, "127.0.0.1").on("error", () => {}),
    binding: async () => process.binding("fs"),
  };

  if (isMainThread) {
    const [, , system, mode] = process.argv;
    const source = await bundleSystem(system, process.cwd(), {});
    packed(source);
    if (mode === "locked") lockDown({ reads: [new URL(import.meta.url).pathname], writes: false, threads: true });
    const sources = new Sources();
    const shared = sharedModel(source, { sources, timeoutMs: 1000 });
    const { maker, data } = shared.model.recipe;
    const workerData = { maker, data: mode === "hurried" ? { ...data, timeoutMs: 30 } : data, mode };
    new Worker(new URL(import.meta.url), { workerData }).on("message", (found) => {
      if (mode === "hurried") found = { isGivenUp: String(shared.failure() instanceof GivenUp) };
      console.log(JSON.stringify(found));
      process.exit();
    });
  } else if (workerData.mode === "hurried") {
    try {
      nodesFromRecipe(workerData).system.initial({ count: 0, addFault: () => parentPort.postMessage("a fault") });
    } catch (error) {
      parentPort.postMessage(error.message);
    }
  } else {
    const { summary } = nodesFromRecipe(workerData);
    const found = { nodes: summary.nodes.join() };
    for (const [name, run] of Object.entries(attempts))
      try { await run(); found[name] = "done"; } catch (error) { found[name] = error.code ?? error.message; }
    parentPort.postMessage(found);
  }
`;

function tried(
  mode: string,
  system = inRepository("examples/code/systems/token-ring.ts"),
): Record<string, string> {
  const program = join(folder, "program.mjs");
  const stdin = { contents: text, loader: "js", resolveDir: inRepository("test") } as const;
  const banner =
    'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);';
  const common = { bundle: true, platform: "node", format: "esm", target: "node20" } as const;
  buildSync({ stdin, outfile: program, ...common, external: ["esbuild"], banner: { js: banner } });
  const env = { ...process.env, EVERYPATH_ROOT: inRepository(".") };
  const { stdout, stderr } = spawnSync(process.execPath, [program, system, mode], { encoding: "utf8", env });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}

test("what is taken away there", { timeout: 240_000 }, () => {
  const denied = "ERR_ACCESS_DENIED";
  const nodes = expect.stringContaining(",") as string;
  expect(tried("locked")).toEqual({
    nodes,
    exec: denied,
    read: denied,
    worker: denied,
    connect: denied,
    binding: denied,
  });
});

test("and only if the other is locked", { timeout: 240_000 }, () => {
  expect(tried("open")).toMatchObject({ exec: "done", read: "done", worker: "done" });
});

test(
  "a step that a thread gives up for want of time is no fault there: one thread is to tell",
  { timeout: 240_000 },
  () => {
    const system = join(folder, "endless.ts");
    const head = 'import { defineSystem } from "everypath/system";';
    writeFileSync(
      system,
      `${head} export default defineSystem<any>({ nodes: { a: () => ({ onStart() { for (;;); } }) } });`,
    );
    expect(tried("hurried", system)).toEqual({ isGivenUp: "true" });
  },
);
