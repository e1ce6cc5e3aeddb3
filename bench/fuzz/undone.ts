/**
 * Are the fuzzers nets? `npm run fuzz:undone -- [--count N] [--only NAME]… [--by FUZZER]` undoes one soundness condition after the other, in a
 * copy of the repository, and runs the fuzzer that has to see it until it fails on a case that it passes with nothing undone.
 *
 * Fails if an undone condition goes unseen for N cases (20,000), and if one is no longer in the source.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfRepository } from "../copy.js";
import { undo, undoings, type Undoing } from "./undoings.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20000" },
    only: { type: "string", multiple: true },
    by: { type: "string" },
  },
});
const root = process.env["EVERYPATH_ROOT"] ?? process.cwd();
const chosen = undoings.filter(
  ({ name, by }) => (values.only?.includes(name) ?? true) && (values.by === undefined || values.by === by),
);
if (chosen.length === 0) throw new Error("no condition has that name");

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const copy = copyOfRepository(root);
let unseen = 0;
try {
  // What is no longer in the source is an error before anything runs.
  for (const undoing of chosen) undo(undoing, copy)();
  for (const undoing of chosen) {
    const restore = undo(undoing, copy);
    const found = seenAfter(undoing);
    restore();
    if (found === undefined) unseen++;
    const what = found === undefined ? `NOT SEEN in ${values.count} cases` : `seen after ${found}`;
    console.log(`${undoing.name}, ${undoing.by}: ${what}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = unseen > 0 ? 1 : 0;

/** Cases until the fuzzer fails on one that it passes with nothing undone; undefined if there is none. */
function seenAfter(undoing: Undoing): number | undefined {
  const last = Number(values.count);
  for (let from = 1; from <= last;) {
    const seed = firstDifference(copy, undoing, from, last - from + 1);
    if (seed === undefined || firstDifference(root, undoing, seed, 1) === undefined) return seed;
    from = seed + 1;
  }
  return undefined;
}

/** The number of the first case that differs. */
function firstDifference(
  folder: string,
  { by, matching }: Undoing,
  from: number,
  count: number,
): number | undefined {
  const [script, ...more] = by.split(" ");
  const [program, ...args] = scripts[script!]!.split(" ");
  const range = ["--from", `${from}`, "--count", `${count}`, "--stop-at", "1"];
  if (matching !== undefined) range.push("--matching", matching);
  const { EVERYPATH_ROOT: _, ...env } = process.env;
  const ran = spawnSync(program!, [...args, ...more, ...range], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const seed = /^(?:.*, )?(?:seed|DIFFERS --from) (\d+)\b/m.exec(ran.stdout)?.[1];
  if (seed !== undefined) return Number(seed);
  // Of a few cases too few are violated or reduced.
  const isOver = ran.status === 0 || (ran.status === 1 && ran.stdout.includes("FAILED: "));
  if (!isOver) throw new Error(`${script} ended with ${ran.status}\n${ran.stdout}${ran.stderr}`);
  return undefined;
}
