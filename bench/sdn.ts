/**
 * The published benchmarks of software-defined networks: `npm run bench:sdn`.
 *
 * Checks each row through the library as a user would, and prints verdict and number of states beside the expected ones;
 * a difference makes the command fail. Rows with only a published tool's figure run for `--seconds N` each (20) and are
 * not judged. `--only KB-2` runs some.
 */
import { check, overallVerdict, type CheckOptions } from "../src/index.js";
import * as models from "./sdn/models.js";
import { argument } from "./arguments.js";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly options?: CheckOptions;
  readonly verdict: "holds" | "violated" | "unknown";
  readonly states?: number;
  /** Only published, never recomputed: not judged. */
  readonly published?: number;
}

const sound = ["barrier", "client", "counter", "one-shot", "controller", "eager", "preload"] as const;
const published: CheckOptions = { compat: "published" };
const sets: CheckOptions = { compat: "published-sets" };
const bounded = (concrete: number): CheckOptions => ({ concrete, reductions: [] });

const chains = [77, 494, 3037, 18_081, 105_001].map((states, i): Row => ({
  id: "KB-7",
  name: `ML chain, ${i + 2} switches, published encoding`,
  text: models.mlChain(i + 2),
  options: published,
  verdict: "unknown",
  states,
}));

const rows: readonly Row[] = [
  { id: "KB-1", name: "SSH without barrier", text: models.ssh(false), verdict: "violated" },
  {
    id: "KB-1",
    name: "SSH without barrier, published encoding",
    text: models.ssh(false),
    options: published,
    verdict: "violated",
  },
  {
    id: "KB-2",
    name: "SSH, published encoding",
    text: models.ssh(true),
    options: published,
    verdict: "unknown",
    states: 13,
  },
  { id: "KB-2", name: "SSH", text: models.ssh(true), verdict: "holds", states: 35 },
  {
    id: "KB-2",
    name: "SSH without arrival",
    text: models.ssh(true),
    options: { reductions: sound },
    verdict: "holds",
    states: 61,
  },
  {
    id: "KB-2",
    name: "SSH, one send each",
    text: models.ssh(true),
    options: bounded(1),
    verdict: "unknown",
    states: 13_035,
  },
  {
    id: "KB-2",
    name: "SSH, two sends each",
    text: models.ssh(true),
    options: bounded(2),
    verdict: "unknown",
    states: 433_593,
  },
  { id: "KB-3", name: "ML cyclic", text: models.mlCyclic, verdict: "violated" },
  {
    id: "KB-4",
    name: "ML tree, published encoding",
    text: models.mlTree(),
    options: published,
    verdict: "unknown",
    states: 5308,
  },
  { id: "KB-4", name: "ML tree", text: models.mlTree(), verdict: "holds", states: 6280 },
  {
    id: "KB-5",
    name: "ML 6×3, published encoding",
    text: models.ml6x3,
    options: published,
    verdict: "unknown",
    published: 23_926_202,
  },
  {
    id: "KB-6",
    name: "ML 9×2, published encoding",
    text: models.mlChain(9),
    options: published,
    verdict: "unknown",
    published: 18_615_767,
  },
  ...chains,
  {
    id: "KB-8",
    name: "FW(S), equal priorities",
    text: models.firewall({ switches: 1, priorities: "equal" }),
    verdict: "violated",
  },
  {
    id: "KB-9",
    name: "FW(S), published encoding",
    text: models.firewall({ switches: 1 }),
    options: published,
    verdict: "unknown",
    states: 3645,
  },
  {
    id: "KB-9",
    name: "FW(S), exact control queue",
    text: models.firewall({ switches: 1 }),
    options: { reductions: [...sound, "exact-control"] },
    verdict: "holds",
    states: 3645,
  },
  { id: "KB-9", name: "FW(S)", text: models.firewall({ switches: 1 }), verdict: "holds", states: 10_379 },
  {
    id: "KB-10",
    name: "FW(M) 2, one barrier",
    text: models.firewall({ switches: 2, barrier: "requester" }),
    verdict: "violated",
  },
  {
    id: "KB-11",
    name: "FW(M) 2, published encoding",
    text: models.firewall({ switches: 2 }),
    options: published,
    verdict: "unknown",
    states: 45_507,
  },
  {
    id: "KB-11",
    name: "FW(M) 2, exact control queue",
    text: models.firewall({ switches: 2 }),
    options: { reductions: [...sound, "exact-control"] },
    verdict: "holds",
    states: 109_375,
  },
  {
    id: "KB-11",
    name: "FW(M) 3, published encoding",
    text: models.firewall({ switches: 3 }),
    options: published,
    verdict: "unknown",
    states: 512_439,
  },
  {
    id: "KB-11",
    name: "FW(M) 4, published encoding",
    text: models.firewall({ switches: 4 }),
    options: published,
    verdict: "unknown",
    published: 5_360_871,
  },
  {
    id: "KB-12",
    name: "RS 4×4, published encoding",
    text: models.resonance(2),
    options: published,
    verdict: "unknown",
    states: 4998,
  },
  {
    id: "KB-12",
    name: "RS 4×4, mailboxes as sets",
    text: models.resonance(2),
    options: sets,
    verdict: "unknown",
    states: 8307,
  },
  {
    id: "KB-12",
    name: "RS 4×5, published encoding",
    text: models.resonance(3),
    options: published,
    verdict: "unknown",
    states: 590_570,
  },
  {
    id: "KB-12",
    name: "RS 4×6, published encoding",
    text: models.resonance(4),
    options: published,
    verdict: "unknown",
    published: 5_112_013,
  },
  ...[6, 8, 12].map((n): Row => ({
    id: "KB-13",
    name: `SIM 5×${n}, published encoding`,
    text: models.simple(n),
    options: published,
    verdict: "unknown",
    states: 167,
  })),
  { id: "KB-14", name: "stale request, kappa 1", text: models.stale(1), verdict: "holds" },
  { id: "KB-14", name: "stale request, kappa 2", text: models.stale(2), verdict: "violated" },
  { id: "KB-15", name: "SSH packets alone", text: models.ssh(false, "c1", "SSH"), verdict: "violated" },
  {
    id: "KB-15",
    name: "SSH packets alone, published encoding",
    text: models.ssh(false, "c1", "SSH"),
    options: published,
    verdict: "unknown",
    states: 3,
  },
  {
    id: "KB-16",
    name: "add and delete: not there",
    text: models.clash,
    options: { concrete: 1, properties: ["neverThere"] },
    verdict: "violated",
  },
  {
    id: "KB-16",
    name: "add and delete: there",
    text: models.clash,
    options: { concrete: 1, properties: ["alwaysThere"] },
    verdict: "violated",
  },
];

const only = argument("only");
const seconds = Number(argument("seconds") ?? 20);

const number = (n: number): string => n.toLocaleString("en");
const columns = (...cells: readonly string[]): string =>
  [
    cells[0]!.padEnd(6),
    cells[1]!.padEnd(40),
    cells[2]!.padStart(22),
    cells[3]!.padStart(22),
    cells[4]!.padStart(9),
    cells[5] ?? "",
  ].join(" ");

console.log(columns("id", "model", "expected", "obtained", "seconds"));
let differences = 0;
for (const row of rows.filter(({ id }) => only === undefined || id === only)) {
  const budget = row.published === undefined ? {} : { budget: { timeMs: seconds * 1000 } };
  const report = await check({ file: "bench.sdn", text: row.text }, { ...row.options, ...budget });
  const errors = report.diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((d) => d.message).join("; "));
  const verdict = overallVerdict(report);
  const { states } = report.stats;
  const isFinished = report.scope.kind === "complete";
  const expected = row.published ?? row.states;
  const isRight =
    row.published !== undefined ||
    (verdict === row.verdict && (row.states === undefined || states === row.states));
  if (!isRight) differences++;
  const remark =
    row.published === undefined
      ? isRight
        ? ""
        : "DIFFERS"
      : isFinished
        ? "published only"
        : "published only; stopped by time";
  const told = verdict === "unknown" && row.options?.compat !== undefined ? "unsound-compat" : verdict;
  const wanted =
    row.verdict === "unknown" && row.options?.compat !== undefined ? "unsound-compat" : row.verdict;
  console.log(
    columns(
      row.id,
      row.name,
      `${wanted} ${expected === undefined ? "" : number(expected)}`.trim(),
      `${told} ${expected === undefined ? "" : number(states)}`.trim(),
      report.stats.seconds.toFixed(2),
      remark,
    ),
  );
}
console.log(differences === 0 ? "all as expected" : `${differences} rows differ`);
process.exitCode = differences === 0 ? 0 : 1;
