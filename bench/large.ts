/**
 * A search of more than 4 GiB by one thread, which begins as WebAssembly and continues as JavaScript: `npm run bench:large -- [--side N] [--search ORDER] [--node PROGRAM]`.
 *
 * Three processes count to `side - 1`, and each step writes 40 words: N^3 states and 3 (N - 1) N^2 transitions of 122 words. The default needs about
 * 5 GiB. A search of side 20 comes first, and must end as WebAssembly.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inRepository } from "../test/repository.js";
import { inTemporaryDirectory, runProcess } from "../test/peers/process.js";

const { values } = parseArgs({
  options: {
    side: { type: "string", default: "215" },
    search: { type: "string", default: "bfs" },
    store: { type: "string", default: "exact" },
    node: { type: "string", default: process.execPath },
  },
});
const WORDS = 40;
const limitBytes = 4 * 2 ** 30;

const isSmallRight = await count(20, "webassembly");
const isLargeRight = await count(Number(values.side), "javascript");
process.exitCode = isSmallRight && isLargeRight ? 0 : 1;

async function count(side: number, backend: string): Promise<boolean> {
  const { seconds, userSeconds, systemSeconds, peakBytes, stdout } = await inTemporaryDirectory(
    (directory) => {
      const file = join(directory, "counters.pml");
      writeFileSync(file, counters(side));
      const options = [
        "--plain",
        "--search",
        values.search,
        "--store",
        values.store,
        "--memory",
        "8G",
        "--json",
      ];
      return runProcess({
        command: values.node,
        arguments: [inRepository("dist/cli/index.js"), "check", file, ...options],
        timeoutMs: 3_600_000,
        measureMemory: true,
      });
    },
  );
  const { verdict, stats } = JSON.parse(stdout) as Report;
  console.log(
    `side ${side}, ${values.search}, ${values.store}: ${verdict}, ${stats.states} states, ${stats.transitions} transitions, ended as ${stats.backend}; ` +
      `${gib(stats.peakBytes)} GiB of arrays, ${gib(peakBytes)} GiB resident, ${seconds.toFixed(0)} s, of processor time ${(userSeconds + systemSeconds).toFixed(0)} s`,
  );
  const isWhole = stats.states === side ** 3 && stats.transitions === 3 * (side - 1) * side ** 2;
  const isLarge = backend === "webassembly" || stats.peakBytes > limitBytes;
  return verdict === "holds" && isWhole && isLarge && stats.backend === backend;
}

interface Report {
  readonly verdict: string;
  readonly stats: {
    readonly states: number;
    readonly transitions: number;
    readonly backend: string;
    readonly peakBytes: number;
  };
}

function counters(side: number): string {
  const process = (name: string): string => {
    const writes = Array.from({ length: WORDS }, (_, i) => `${name}[${i}] = x * ${7919 * i + 104_729}`);
    return `active proctype count_${name}() {
  int x;
end:
  do
  :: d_step { x < ${side - 1} -> x++; ${writes.join("; ")} }
  od
}`;
  };
  return `int ${["a", "b", "c"].map((name) => `${name}[${WORDS}]`).join(", ")};\n${["a", "b", "c"].map(process).join("\n")}\n`;
}

function gib(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(2);
}
