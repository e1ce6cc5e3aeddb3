/** Largest size that each procedure decides in a family of nets within a time limit per net, and the growth of the time. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spent, Work, procedures, runAtOnce, type Procedure } from "../../src/engines/coverability/index.js";
import { renderSpec } from "../../src/languages/mist/index.js";
import { TokenOverflow, type CoverProperty, type Net } from "../../src/model/index.js";
import { families } from "../../test/engines/coverability/classical.js";
import { growthPlot } from "./plot.js";

const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

export interface Curve {
  readonly family: string;
  readonly procedure: string;
  readonly points: readonly Point[];
  /** The last size was decided, and no larger one was tried. */
  readonly isOpen: boolean;
}

export interface Point {
  readonly n: number;
  readonly seconds: number;
}

type Decide = (net: Net, seconds: number) => "covered" | "uncovered" | "unknown";

export async function measureFamilies(
  names: readonly string[] | undefined,
  seconds: number,
  svgFile: string | undefined,
): Promise<void> {
  const peers = hasMist() ? [{ name: "mist", decide: byMist }] : [];
  if (peers.length === 0) console.log("\nmist: not on the PATH, not measured beside us");
  const all = [...procedures.map((p) => ({ name: p.name, decide: byOurs(p) })), ...peers];
  const curves: Curve[] = [];
  for (const family of families.filter(({ name }) => names?.includes(name) ?? true)) {
    console.log(`\n${family.name}: largest n within ${seconds} s a net, up to ${sizes.at(-1)}`);
    for (const { name, decide } of all) {
      const curve = measure(family, name, decide, seconds);
      curves.push(curve);
      const last = curve.points.at(-1);
      const most = last ? `n = ${last.n}${curve.isOpen ? " and more" : ""}` : "none";
      console.log(
        `  ${name.padEnd(12)} ${most.padEnd(18)} ${curve.points.map(bar).join("")}  ${times(curve)}`,
      );
    }
  }
  console.log("\nbars: the time of each size, a step for each factor of ten from a millisecond on");
  if (svgFile === undefined) return;
  writeFileSync(svgFile, growthPlot(curves, seconds));
  console.log(`growth as a chart: ${svgFile}`);
}

function measure(
  family: (typeof families)[number],
  procedure: string,
  decide: Decide,
  seconds: number,
): Curve {
  const points: Point[] = [];
  for (const n of sizes) {
    const net = family.make(n);
    const started = performance.now();
    const answer = decide(net, seconds);
    if (answer === "unknown") return { family: family.name, procedure, points, isOpen: false };
    if (answer !== family.answer)
      throw new Error(`${procedure} says ${answer} of ${net.name}, which is ${family.answer}`);
    const spent = (performance.now() - started) / 1000;
    if (spent > seconds) return { family: family.name, procedure, points, isOpen: false };
    points.push({ n, seconds: spent });
  }
  return { family: family.name, procedure, points, isOpen: true };
}

const byOurs =
  ({ decide }: Procedure): Decide =>
  (net, seconds) => {
    const { alternatives } = net.properties[0] as CoverProperty;
    try {
      return runAtOnce(decide(net, alternatives, new Work({ timeMs: seconds * 1000 }))).kind;
    } catch (error) {
      if (error instanceof Spent || error instanceof TokenOverflow) return "unknown";
      throw error;
    }
  };

const hasMist = (): boolean => spawnSync("mist", ["--help"], { stdio: "ignore" }).error === undefined;

const byMist: Decide = (net, seconds) => {
  const folder = mkdtempSync(join(tmpdir(), "everypath-mist-"));
  const file = join(folder, "net.spec");
  writeFileSync(file, renderSpec(net));
  const { stdout, error } = spawnSync("mist", ["--backward", file], {
    encoding: "utf8",
    timeout: seconds * 1000,
  });
  rmSync(folder, { recursive: true });
  if (error) return "unknown";
  return /unsafe/i.test(stdout) ? "covered" : /safe/i.test(stdout) ? "uncovered" : "unknown";
};

const blocks = "▁▂▃▄▅▆▇█";

const bar = ({ seconds }: Point): string =>
  blocks[Math.min(7, Math.max(0, Math.floor(1.6 * Math.log10(Math.max(seconds, 1e-3) * 1e3))))]!;

const times = ({ points }: Curve): string =>
  points.length === 0 ? "" : `last: ${points.at(-1)!.seconds.toFixed(3)} s`;
