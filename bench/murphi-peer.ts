/** One run of Rumur on one model: translated, compiled for this machine, run with one thread. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTemporaryDirectory, runProcess } from "../test/peers/process.js";

export type RumurSymmetry = "off" | "heuristic" | "exhaustive";

export interface RumurRun {
  readonly states: number;
  readonly rulesFired: number;
  /** The verifier alone. */
  readonly searchSeconds: number;
  /** With translation and compilation. */
  readonly totalSeconds: number;
}

/** Undefined when it does not end in time. */
export async function runRumur(
  text: string,
  { symmetry, packs, timeoutMs }: { symmetry: RumurSymmetry; packs: boolean; timeoutMs: number },
): Promise<RumurRun | undefined> {
  return inTemporaryDirectory(async (directory) => {
    const [model, code, verifier] = ["model.m", "model.c", "model"].map((name) => join(directory, name));
    writeFileSync(model!, text);
    const translated = await required("rumur", [
      ...["--threads", "1", "--symmetry-reduction", symmetry, "--pack-state", packs ? "on" : "off"],
      ...["--output-format", "machine-readable", "--output", code!, model!],
    ]);
    const options = ["-std=c11", "-O3", "-march=native", "-o", verifier!, code!, "-lpthread"];
    const compiled = await required("gcc", options);
    const run = await runProcess({ command: verifier!, arguments: [], timeoutMs });
    if (run.timedOut) return undefined;
    const summary = /<summary\b[^>]*>/.exec(run.stdout)?.[0] ?? "";
    const figure = (name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(summary)?.[1]);
    if (figure("errors") !== 0) throw new Error(`Rumur found an error, or gave no summary:\n${run.stdout}`);
    return {
      states: figure("states"),
      rulesFired: figure("rules_fired"),
      searchSeconds: run.seconds,
      totalSeconds: translated + compiled + run.seconds,
    };
  });
}

/** Seconds that it took. */
async function required(command: string, options: readonly string[]): Promise<number> {
  const run = await runProcess({ command, arguments: [...options], timeoutMs: 120_000 });
  if (run.exitCode !== 0) throw new Error(`${command} failed:\n${run.stderr}`);
  return run.seconds;
}
