/** Our symbolic search of a Boolean program beside Spin's verifier of its exported Promela. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promelaOf } from "../src/languages/bp/index.js";
import type { BooleanProgram, BooleanProperty } from "../src/model/index.js";
import { DEFAULT, run } from "../test/engines/boolean-agreement.js";

/** Spin's verifier gets ten times our time and memory. */
export function besidePan(program: BooleanProgram, property: BooleanProperty): string {
  if (!["spin", "gcc"].every((tool) => spawnSync(tool, ["--version"]).error === undefined))
    return "SKIPPED: spin or gcc is not installed";
  const started = performance.now();
  const { kind } = run(program, property, DEFAULT);
  const seconds = (performance.now() - started) / 1000;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const [mostSeconds, mostMegabytes] = [Math.ceil(10 * seconds), Math.ceil(10 * megabytes)];
  const folder = mkdtempSync(join(tmpdir(), "pan-"));
  try {
    const text = promelaOf(program);
    if (text === undefined) return "the program has no Promela";
    writeFileSync(join(folder, "m.pml"), text);
    const limits = [`-DMEMLIM=${mostMegabytes}`, "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=4096"];
    for (const [tool, args] of [
      ["spin", ["-a", "m.pml"]],
      ["gcc", ["-O2", "-w", ...limits, "-o", "pan", "pan.c"]],
    ] as const) {
      const made = spawnSync(tool, args, { cwd: folder, encoding: "utf8" });
      if (made.status !== 0) return `${tool} fails: ${made.stderr.slice(0, 200)}`;
    }
    const pan = spawnSync("./pan", ["-E", "-n", "-m1000000"], {
      cwd: folder,
      timeout: 1000 * mostSeconds,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    const isOver =
      pan.error !== undefined || /reached -DMEMLIM|out of memory|max search depth too small/.test(pan.stdout);
    console.log(
      `     ours ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB; pan ${isOver ? "stopped" : "ended"} within ${mostSeconds} s, ${mostMegabytes} MB` +
        `: ${/\d\S* states, stored/.exec(pan.stdout)?.[0] ?? (pan.error ? "time is up" : "no figures")}`,
    );
    return `ours ${kind}, pan ${isOver ? "unfinished" : "finished"}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
