/** Soundness conditions that can be undone, one at a time, to see whether a net notices: `undone.ts`, and the tests of sampled states. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

export interface Undoing {
  readonly name: string;
  /** Below `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly isTemporal?: boolean;
}

export const undoings: readonly Undoing[] = [
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
    from: '!(step.index.kind === "constant" && step.index.value >>> 0 < step.length)',
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

/** Bundles the script at `entry`, below `root`, with the condition undone. */
export async function bundleWithout(
  { name, file, from, to }: Undoing,
  root: string,
  entry: string,
  outfile: string,
): Promise<void> {
  const path = resolve(root, "src", file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${name}: the condition is not once in src/${file}`);
  await build({
    entryPoints: [resolve(root, entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
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
