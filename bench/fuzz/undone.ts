/**
 * Is `fuzz:tiny` a net? `npm run fuzz:undone -- [--count N] [--only NAME]` undoes one soundness condition after the other and
 * runs the fuzzer until it fails. Fails if an undone condition goes unseen for N programs (20,000), or is no longer in the source.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { asOneFile } from "../bundle.js";

interface Undoing {
  readonly name: string;
  /** Below `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly isTemporal?: boolean;
}

const undoings: readonly Undoing[] = [
  {
    name: "sorted-send",
    file: "transforms/reduction/exclusivity.ts",
    from: 'if (access === "receive" && this.#isSorted(template, channel)) return false;',
    to: "",
  },
  {
    name: "readiness-in-partial-order",
    file: "transforms/reduction/marking.ts",
    from: "if (block.some((e) => this.#readiness.isSeen(t, e.to))) return undefined;",
    to: "",
  },
  {
    name: "readiness-in-merging",
    file: "transforms/reduction/merge.ts",
    from: "if (this.#facts.isReadinessSeen(edge.to)) return false;",
    to: "",
  },
  {
    name: "observed-in-index",
    file: "transforms/reduction/exclusivity.ts",
    from: 'const others = [...topExpressions({ ...edge, guard: { kind: "always" } })];',
    to: 'const others = [...topExpressions({ ...edge, guard: { kind: "always" }, communication: undefined })];',
  },
  {
    name: "observed-in-initialiser",
    file: "transforms/reduction/exclusivity.ts",
    from: "...program.templates.flatMap((t, i) => initialQuestions(t, i)),",
    to: "",
  },
  {
    name: "false-claim",
    file: "transforms/reduction/exclusivity.ts",
    from: "this.isClaimed(i, c.channel, access) ||",
    to: "true ||",
  },
  {
    name: "dying-channel",
    file: "transforms/reduction/exclusivity.ts",
    from: "if (!this.#isKeptAlive(template, channel)) return false;",
    to: "",
  },
  {
    name: "fault-in-chain",
    file: "transforms/reduction/merge.ts",
    from: "if (this.#facts.isOurs && isFallible(next) && this.#isSeen(at, chain)) return chain;",
    to: "",
  },
  {
    name: "constant-index",
    file: "transforms/reduction/failing.ts",
    from: '!(step.index.kind === "constant" && step.index.value >= 0 && step.index.value < step.length)',
    to: 'step.index.kind !== "constant"',
  },
  {
    name: "sliced-fault",
    file: "transforms/reduction/slice.ts",
    from: "return isNeeded(e.target) || mayStop(e);",
    to: "return isNeeded(e.target);",
  },
  {
    name: "print-argument",
    file: "compile/codegen/taking.ts",
    from: '.filter((text) => text.includes("bad("))',
    to: '.filter((text) => text === "")',
  },
  {
    name: "failure-behind-fault",
    file: "compile/codegen/entries.ts",
    from: "if (fault !== 0) return; //",
    to: "//",
  },
  {
    name: "invariant-that-fails",
    file: "compile/codegen/observing.ts",
    from: "if (fault !== 0) holds = false; // sound: test/compile/faults.test.ts\n  fault = 0;",
    to: "",
  },
  {
    name: "fault-in-atomic",
    file: "engines/explicit/trace.ts",
    from: 'return this.#wayTo({ kind: "any" }) === undefined;',
    to: 'this.#expand(this.#state);\n    return this.#choiceFor({ kind: "any" }) < 0;',
    isTemporal: true,
  },
];

const { values } = parseArgs({
  options: { count: { type: "string", default: "20000" }, only: { type: "string" } },
});
const root = process.env["EVERYPATH_ROOT"]!;
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
  await bundleWithout(undoing, undone);
  await bundleWithout({ ...undoing, to: undoing.from }, whole);
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

async function bundleWithout({ name, file, from, to }: Undoing, outfile: string): Promise<void> {
  const path = resolve(root, "src", file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${name}: the condition is not once in src/${file}`);
  await build({
    entryPoints: [join(root, "bench/fuzz/tiny.ts")],
    outfile,
    ...asOneFile,
    plugins: [
      {
        name: "undone",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path: loaded }) =>
            loaded === path ? { contents: text.replace(from, () => to), loader: "ts" } : undefined,
          ),
      },
    ],
  });
}
