/** Guarantees of the world for code: the real order of promise jobs, and refusal of unsupported features by name. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explore } from "../../src/session/schedules/explore.js";
import { checkText, propertyOf } from "../../test/code/system/small.js";
import type { Results } from "./table.js";

/** Each records its order in `log`, by promise jobs and ticks alone. */
const orders: Readonly<Record<string, string>> = {
  "awaits, returned promises, thenables": `
    const p = (n) => () => void log.push(n);
    (async () => { await null; log.push("await null"); })();
    (async () => Promise.resolve())().then(p("returned promise"));
    Promise.resolve().then(p(1)).then(p(2)).then(p(3)).then(p(4)).then(p(5));
    Promise.resolve({ then: (f) => { log.push("thenable"); f(); } }).then(p("after thenable"));`,
  "ticks between jobs": `
    process.nextTick(() => { log.push("tick"); Promise.resolve().then(() => void log.push("job of tick")); });
    Promise.resolve().then(() => { log.push("job"); process.nextTick(() => void log.push("tick of job")); });
    queueMicrotask(() => void log.push("microtask"));`,
  "generators and finally": `
    (async () => { for await (const x of (async function* () { yield 1; yield Promise.resolve(2); })()) log.push("for await " + x); })();
    Promise.reject(0).finally(() => void log.push("finally")).catch(() => void log.push("catch"));
    Promise.all([1, Promise.resolve(2)]).then(() => void log.push("all"));
    Promise.race([new Promise(() => {}), 3]).then(() => void log.push("race"));
    Promise.allSettled([Promise.reject(1)]).then(() => void log.push("settled"));`,
};

export async function worldPoints(results: Results): Promise<void> {
  results.heading("AC15: promise jobs in the order of Node, AC14: what is not under control has a name");
  for (const [name, text] of Object.entries(orders)) await fidelity(results, name, text);
  await naming(results);
}

async function fidelity(results: Results, name: string, text: string): Promise<void> {
  const expected = JSON.stringify(await inNode(text));
  for (const capture of ["auto", "replay"] as const) {
    const report = await checkText(`
      const node = { log: [] as unknown[], begin() { const { log } = this; ${text} } };
      export default defineSystem<any>({
        nodes: { a: () => node },
        capture: "${capture}",
        actions: { begin: { times: 1, run: (node: any) => node.begin() } },
        always: { order: ({ nodes }) => nodes.a.log.length === 0 || JSON.stringify(nodes.a.log) === ${JSON.stringify(expected)} || JSON.stringify(nodes.a.log) },
        sometimes: { run: ({ nodes }) => nodes.a.log.length > 0 },
      });`);
    const verdicts = [propertyOf(report, "order").verdict, propertyOf(report, "run").verdict].join(", ");
    results.row(`AC15 ${name}, ${capture === "auto" ? "data" : "replay"}`, "holds, holds", verdicts);
  }
  results.row(`AC15 ${name}, schedules of a test`, "holds, 1", await asTest(text, expected));
}

/** In Node, from a callback of the event loop, like handlers. */
function inNode(text: string): Promise<unknown[]> {
  const log: unknown[] = [];
  const run = new Function("log", text) as (log: unknown[]) => void;
  return new Promise((resolve) =>
    setImmediate(() => {
      run(log);
      setImmediate(() => resolve(log));
    }),
  );
}

/** One schedule: the order is fixed. */
async function asTest(text: string, expected: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "everypath-order-"));
  try {
    const file = join(folder, "order.test.ts");
    writeFileSync(
      file,
      `import { everySchedule } from "everypath/code";
       everySchedule("order", async (world) => {
         const log: unknown[] = [];
         await world.pause();
         setTimeout(() => { ${text} }, 1);
         await world.sleep(2);
         if (JSON.stringify(log) !== ${JSON.stringify(expected)}) throw new Error(JSON.stringify(log));
       });`,
    );
    const { verdict, result } = await explore(
      { file, framework: "code", names: ["order"], body: () => {} },
      {},
    );
    return `${verdict}, ${result?.schedules}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function naming(results: Results): Promise<void> {
  const uses: readonly [string, string, string][] = [
    ["child_process.spawn", `import { spawn } from "node:child_process";`, `spawn("true")`],
    ["https.createServer", `import https from "node:https";`, `https.createServer()`],
    ["worker_threads.Worker", `import { Worker } from "node:worker_threads";`, `new Worker("x")`],
    ["fs.watch", `import fs from "node:fs";`, `fs.watch("/")`],
    ["process.binding", "", `(process as any).binding("fs")`],
    ["WebAssembly", "", `(globalThis as any).WebAssembly.compile`],
    ["fetch", "", `(globalThis as any).fetch("x")`],
  ];
  for (const [name, imports, use] of uses) {
    const report = await checkText(`
      ${imports}
      export default defineSystem<any>({
        nodes: { a: () => ({ use() { ${use}; } }) },
        actions: { use: { times: 1, run: (node: any) => node.use() } },
      });`);
    const text = JSON.stringify(report, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    const named = text.includes(`${name} is not supported`);
    results.row(`AC14 ${name} in a node`, "named", named ? "named" : "not named");
  }
}
