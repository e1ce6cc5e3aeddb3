/**
 * Is `fuzz:tiny` a net? `npm run fuzz:undone -- [--count N] [--only NAME]` undoes one soundness condition after the other and
 * runs the fuzzer until it fails. Fails if an undone condition goes unseen for N programs (20,000), or is no longer in the source.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleWithout, undoings, type Undoing } from "./undoings.js";

const { values } = parseArgs({
  options: { count: { type: "string", default: "20000" }, only: { type: "string" } },
});
const root = process.env["EVERYPATH_ROOT"]!;
const FUZZER = "bench/fuzz/tiny.ts";
let unseen = 0;
for (const undoing of undoings) {
  if (values.only !== undefined && values.only !== undoing.name) continue;
  const found = await seenAfter(undoing);
  if (found === undefined) unseen++;
  console.log(
    `${undoing.name}: ${found === undefined ? `NOT SEEN in ${values.count} programs` : `seen after ${found}`}`,
  );
}
process.exitCode = unseen > 0 ? 1 : 0;

/** Programs until the fuzzer fails on one that it passes with nothing undone; undefined if there is none. */
async function seenAfter(undoing: Undoing): Promise<number | undefined> {
  const [undone, whole] = ["undone", "whole"].map((what) =>
    join(root, `node_modules/.cache/run-ts/${what}-${undoing.name}-${process.pid}.mjs`),
  ) as [string, string];
  await bundleWithout(undoing, root, FUZZER, undone);
  await bundleWithout({ ...undoing, to: undoing.from }, root, FUZZER, whole);
  const last = Number(values.count);
  try {
    for (let from = 1; from <= last;) {
      const seed = firstDifference(undone, from, last - from + 1, undoing);
      if (seed === undefined) return undefined;
      if (firstDifference(whole, seed, 1, undoing) === undefined) return seed;
      from = seed + 1;
    }
    return undefined;
  } finally {
    for (const bundle of [undone, whole]) rmSync(bundle, { force: true });
  }
}

/** The seed of the first program that differs. */
function firstDifference(
  bundle: string,
  from: number,
  count: number,
  { isTemporal }: Undoing,
): number | undefined {
  const range = ["--from", String(from), "--count", String(count), "--stop-at", "1", "--no-minimise"];
  const keep = ["--keep", join(root, "node_modules/.cache/undone")];
  const args = [bundle, ...range, ...keep, ...(isTemporal ? ["--ltl"] : [])];
  const ran = spawnSync(process.execPath, args, { encoding: "utf8", env: process.env });
  const seed = /^seed (\d+):/m.exec(ran.stdout)?.[1];
  if (seed === undefined && !/ programs, /.test(ran.stdout)) throw new Error(ran.stderr);
  return seed === undefined ? undefined : Number(seed);
}
