/** Captures use no write barriers: every object is compared with its last image, and that comparison is audited. */
import { readFileSync, readdirSync } from "node:fs";
import {
  CaptureAudit,
  CaptureDiffers,
  LiveHeap,
  sameImage,
  type HeapRules,
} from "../../src/code/heap/index.js";
import { auditTests } from "./audited-tests.js";
import { benchmarkSystems, systemIn, visit, type BenchmarkSystem } from "./benchmark-systems.js";
import type { Results } from "./table.js";

export async function auditedCaptures(results: Results, rules: HeapRules): Promise<void> {
  results.heading("AC-H8: every capture beside one from nothing");
  const audit = (LiveHeap.audit = new CaptureAudit());
  for (const system of [...(await benchmarkSystems()), ...(await fixtures())])
    await auditSystem(results, audit, system);
  results.row(
    "a change that is not looked for is found at",
    'root.table.get("10.0.0.2")',
    await differing(() => captureWithBlindSpot(rules)),
  );
  LiveHeap.audit = undefined;
  auditOfTests(results);
}

/** A test that fails for another reason, as some do on a busy machine, has not shown all its captures. */
function auditOfTests(results: Results): void {
  const { captures, differing: paths, files, passed, failed } = auditTests();
  const told = paths.length === 0 ? "none" : paths.join(", ");
  results.row("the tests of systems: captures that differ", "none", told, paths.length === 0 && captures > 0);
  results.figure(`${passed} tests in ${files} files`, `${captures} captures compared`);
  for (const test of failed) results.open("a test that fails while it is audited", test);
}

async function auditSystem(results: Results, audit: CaptureAudit, system: BenchmarkSystem): Promise<void> {
  const before = audit.captures;
  let replayed: string[] = [];
  const found = await differing(async () => {
    replayed = [...(await visit(system)).replayed.keys()];
  });
  results.row(`${system.name}: captures that differ`, "none", found);
  results.figure(
    system.name,
    `${audit.captures - before} captures compared${replayed.length > 0 ? `; replayed: ${replayed.join(", ")}` : ""}`,
  );
}

/** Fixtures that hold without diagnostics. */
async function fixtures(): Promise<BenchmarkSystem[]> {
  const folder = `${process.cwd()}/test/fixtures/code`;
  const contained = readdirSync(`${folder}/system-escapes`)
    .map((name) => `${folder}/system-escapes/${name}`)
    .filter((file) => readFileSync(file, "utf8").includes("// expect: contained"));
  const found: BenchmarkSystem[] = [];
  for (const file of [`${folder}/covering/stock-system.ts`, ...contained]) found.push(await systemIn(file));
  return found;
}

/** Treats one object as unchanged in all cases. */
function captureWithBlindSpot(rules: HeapRules): void {
  const entry = { hops: 1 };
  const root = { table: new Map([["10.0.0.2", entry]]) };
  const heap = new LiveHeap(
    { read: () => ({ names: ["root"], values: [root] }), write: () => undefined },
    rules,
    { isSame: (known, image, object) => object === entry || sameImage(known, image) },
  );
  heap.capture();
  entry.hops = 2;
  heap.capture();
}

/** "none", or the path of a missed change. */
async function differing(run: () => void | Promise<void>): Promise<string> {
  try {
    await run();
    return "none";
  } catch (error) {
    if (!(error instanceof CaptureDiffers)) throw error;
    return error.path;
  }
}
