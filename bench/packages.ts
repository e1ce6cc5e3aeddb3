/**
 * Unmodified npm packages under every schedule: `npm run bench:packages`.
 *
 * Installs them in bench/packages at the locked versions, and checks the invariants of `packages/plan.ts`, each by the
 * test of that name in `packages/under-test`. The exit code is 1 unless docs/findings lists exactly the violated
 * invariants. `-- --only NAME`: one package; `-- --story`: the failing schedule.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { explore, type Exploration } from "../src/session/schedules/explore.js";
import { plan, type Planned } from "./packages/plan.js";
import { renderColumns } from "./statistics.js";
import { argument } from "./arguments.js";

const root = process.cwd();
const folder = join(root, "bench/packages");
const only = argument("only");
const tellsStory = process.argv.includes("--story");
const rows: string[][] = [];
const lacking = new Set<string>();
let problems = 0;

install();
for (const planned of plan) {
  if (only !== undefined && planned.package !== only) continue;
  const version = installed(planned.package);
  if (version !== planned.version)
    throw new Error(`${planned.package} ${version} is installed, not ${planned.version}`);
  for (const invariant of planned.invariants) {
    const exploration = await check(planned, invariant);
    const isKnown = isWrittenUp(planned.package, version, invariant);
    const { verdict, message } = exploration;
    const isLacking = planned.lacks !== undefined && message.includes(`${planned.lacks} is not supported`);
    if (verdict === "unknown" ? !isLacking : isKnown !== (verdict === "violated")) problems++;
    if (verdict === "unknown" && isLacking) lacking.add(planned.package);
    rows.push([planned.package, version, planned.kind, invariant, ...told(exploration, isKnown)]);
    if (tellsStory && exploration.verdict !== "holds") console.log(`${invariant}\n${exploration.message}\n`);
  }
}

console.log(
  renderColumns([["package", "version", "kind", "invariant", "schedules", "explored", "verdict"], ...rows]),
);
const found = rows.filter((row) => row.at(-1)!.startsWith("violated")).length;
const names = new Set(rows.map(([name]) => name));
console.log(
  `\n${names.size} packages, ${names.size - lacking.size} run; ${rows.length} invariants, ${found} violated`,
);
console.log(
  problems === 0 ? "every finding is written up in docs/findings" : `not as written up: ${problems}`,
);
process.exitCode = problems === 0 ? 0 : 1;

function install(): void {
  if (plan.every(({ package: name, version }) => installed(name) === version)) return;
  const { status } = spawnSync("npm", ["ci", "--no-fund", "--no-audit"], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error("the packages cannot be installed");
}

function installed(name: string): string | undefined {
  const manifest = join(folder, "node_modules", name, "package.json");
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

function check({ package: name, late }: Planned, invariant: string): Promise<Exploration> {
  const file = join(folder, "under-test", `${name.replace("@", "").replace("/", "-")}.mjs`);
  const request = { file, framework: "code", names: [invariant], body: () => {} } as const;
  return explore(request, { schedules: 20_000, cpuMs: 60_000, ...(late === undefined ? {} : { late }) });
}

function told({ verdict, result, failing, message }: Exploration, isKnown: boolean): string[] {
  const schedules = `${result?.schedules ?? "-"}`;
  const explored = result?.isExhausted ? "exhausted" : (result?.spent.join(", ") ?? "");
  if (verdict === "holds") return [schedules, explored, "holds"];
  const why = failing?.report.failure?.message ?? message;
  return [schedules, explored, `${verdict}${isKnown ? ", written up" : ""}: ${why.split("\n")[0]}`];
}

/** A finding names the package, its version and the invariant. */
function isWrittenUp(name: string, version: string, invariant: string): boolean {
  const findings = join(root, "docs/findings");
  if (!existsSync(findings)) return false;
  const pages = readdirSync(findings).filter((file) => file !== "README.md");
  return pages.some((file) => {
    const text = readFileSync(join(findings, file), "utf8").replaceAll(/\s+/g, " ");
    return text.includes(`\`${name}\` ${version}`) && text.includes(invariant);
  });
}
