/**
 * Do the fuzzers detect errors? `npm run fuzz:undone -- [--count N] [--only NAME]… [--by FUZZER] [--missing]` undoes one
 * soundness condition after the other, in a copy of the repository, and runs its fuzzer until it fails on a case that
 * passes with nothing undone.
 *
 * The table `undone.md`, written after each condition, has the first such case, or the number of unsuccessful ones. Cases
 * of the table are tried first; `--missing` skips conditions with a case, and resumes the others.
 *
 * Fails if an undone condition stays undetected for N cases (20,000), and if one is no longer in the source.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { copyOfRepository } from "../copy.js";
import { textOf } from "./case-texts.js";
import { Fuzzer } from "./fuzzer.js";
import { readUndone, writeUndone, type Seen } from "./undone-table.js";
import { undo, undoings, type Undoing } from "./undoings.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20000" },
    only: { type: "string", multiple: true },
    by: { type: "string" },
    missing: { type: "boolean", default: false },
  },
});
const root = process.env["EVERYPATH_ROOT"] ?? process.cwd();
const last = Number(values.count);
/** Cases between two entries in the table. */
const SLICE = 1000;
const table = readUndone(root);
const chosen = undoings.filter(
  ({ name, by }) =>
    (values.only?.includes(name) ?? true) &&
    (values.by === undefined || by.startsWith(values.by)) &&
    !(values.missing && table.get(name)?.case !== undefined),
);
if (chosen.length === 0) throw new Error("no condition has that name, or all are in the table");

const copy = copyOfRepository(root);
/** With nothing undone, since the working tree may change meanwhile. */
const whole = copyOfRepository(root);
let unseen = 0;
try {
  // Texts missing from the source are an error before anything runs.
  for (const undoing of chosen) undo(undoing, copy)();
  for (const by of new Set(chosen.map((undoing) => undoing.by)))
    await see(
      by,
      chosen.filter((undoing) => undoing.by === by),
    );
} finally {
  for (const folder of [copy, whole]) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = unseen > 0 ? 1 : 0;

/** Undoes conditions that one fuzzer must detect; skips cases that differ with nothing undone. */
async function see(by: string, wanted: readonly Undoing[]): Promise<void> {
  const tried = new Map(wanted.map(({ name }) => [name, values.missing ? (table.get(name)?.tried ?? 0) : 0]));
  const fuzzer = await Fuzzer.begin(copy, by);
  for (let left = wanted; left.length > 0;) {
    const found: { readonly undoing: Undoing; readonly seen: Seen }[] = [];
    for (const undoing of left)
      found.push({ undoing, seen: await seenBehind(tried.get(undoing.name)!, undoing, fuzzer) });
    const wrong = await differsAnyway(by, [...new Set(found.flatMap(({ seen }) => seen.case ?? []))]);
    for (const { undoing, seen } of found) {
      tried.set(undoing.name, seen.tried);
      if (seen.case === undefined || !wrong.includes(seen.case)) end(undoing, seen);
    }
    left = found.flatMap(({ undoing, seen: { case: number } }) =>
      number !== undefined && wrong.includes(number) ? [undoing] : [],
    );
  }
  await fuzzer.end();
}

/** The first case after `tried` on which the fuzzer fails; before that, the one in the table. */
async function seenBehind(tried: number, undoing: Undoing, fuzzer: Fuzzer): Promise<Seen> {
  const restore = undo(undoing, copy);
  try {
    await fuzzer.bundle();
    const known = tried === 0 ? table.get(undoing.name)?.case : undefined;
    if (known !== undefined && fuzzer.differing([known], 1).length > 0) return { case: known, tried: known };
    let until = tried;
    while (until < last) {
      const from = until + 1;
      until = Math.min(until + SLICE, last);
      const cases = casesOf(undoing, from, until);
      const [found] = cases.length === 0 ? [] : fuzzer.differing(cases, 1);
      if (found !== undefined) {
        console.log(`${undoing.name}: case ${found} differs`);
        return { case: found, tried: found };
      }
      record(undoing, { case: undefined, tried: until });
    }
    return { case: undefined, tried: until };
  } finally {
    restore();
  }
}

/** The cases that differ with nothing undone. */
async function differsAnyway(by: string, cases: readonly number[]): Promise<number[]> {
  if (cases.length === 0) return [];
  const fuzzer = await Fuzzer.begin(whole, by);
  await fuzzer.bundle();
  const differing = fuzzer.differing(
    [...cases].sort((a, b) => a - b),
    cases.length,
  );
  await fuzzer.end();
  return differing;
}

function end(undoing: Undoing, seen: Seen): void {
  record(undoing, seen);
  if (seen.case === undefined) unseen++;
  const what = seen.case === undefined ? `NOT SEEN in ${seen.tried} cases` : `seen by case ${seen.case}`;
  console.log(`${undoing.name}, ${undoing.by}: ${what}`);
}

function record({ name }: Undoing, seen: Seen): void {
  // Another run may have written meanwhile.
  for (const [other, known] of readUndone(root)) table.set(other, known);
  table.set(name, seen);
  writeUndone(root, table);
}

/** The numbers of cases that can show it. */
function casesOf({ by, matching }: Undoing, from: number, to: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return matching === undefined ? all : all.filter((n) => new RegExp(matching, "s").test(textOf(by, n)));
}
