/**
 * Costs of the explorer: `npm run build && npm run bench:explorer -- [--runs N] [--size N]`.
 *
 * Scrolls a trace of ten thousand steps in Chromium and measures rows in the document and the page's longest task. Then
 * searches about five million states with one thread, alternately without and with an open page, and compares the
 * medians. Prints a line for each target; exits with 1 if one is missed.
 */
import { spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { inRepository } from "../test/repository.js";
import { argument } from "./arguments.js";
import { startExplorer } from "./explorer-server.js";
import { median } from "./statistics.js";

const script = inRepository("dist/cli/index.js");
const directory = mkdtempSync(join(tmpdir(), "everypath-bench-explorer-"));
const runs = Number(argument("runs") ?? 5);
/** About the fourth root of the number of states. */
const size = Number(argument("size") ?? 47);

const targets = { rows: 200, longestTaskMs: 100, ratio: 1.1 };

const longTrace = `short n;
active proctype P() {
  do
  :: n < 5000 -> n++
  :: n == 5000 -> assert(false)
  od
}
`;

const manyStates = `byte c[4];
active [4] proctype Counter() {
  do
  :: atomic { assert(c[0] + c[1] + c[2] + c[3] < 2000); c[_pid] = (c[_pid] + 1) % ${size} }
  od
}
`;

/** Down and up again, a bit each frame; Chromium does not report tasks of less than 50 ms. */
const scrolling = `new Promise((done) => {
  const pane = document.querySelector(".steps");
  let longest = 0, rows = 0, frames = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, Math.round(duration));
  }).observe({ type: "longtask" });
  const step = () => {
    const way = frames < 100 ? frames : 200 - frames;
    pane.scrollTop = (way / 100) * (pane.scrollHeight - pane.clientHeight);
    rows = Math.max(rows, pane.querySelectorAll(".step").length);
    if (++frames <= 200) requestAnimationFrame(step);
    else setTimeout(() => done({ rows, longest, frames }), 300);
  };
  requestAnimationFrame(step);
})`;

/** The runs, requested with the page's secret. */
const runsOfPage = `fetch("api/runs", { headers: { "x-everypath-secret": sessionStorage.getItem("everypath-secret") } }).then((r) => r.json())`;

if (!existsSync(script)) {
  console.error("dist is missing: npm run build");
  process.exit(3);
}
const verdicts: string[] = [];
let isMissed = false;
function judge(what: string, measured: number, target: number, unit = ""): void {
  const isMet = measured <= target;
  isMissed ||= !isMet;
  verdicts.push(`${isMet ? "met" : "MISSED"}: ${what}: ${measured}${unit}, target at most ${target}${unit}`);
}
try {
  await measureScrolling();
  await measureSearch();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const verdict of verdicts) console.log(verdict);
process.exitCode = isMissed ? 1 : 0;

async function measureScrolling(): Promise<void> {
  await withPage("long.pml", longTrace, async (page) => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: /Show the trace/ }).click();
    await page.waitForSelector(".steps .is-current");
    await page.waitForTimeout(1000);
    const browser = page.context().browser()!;
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    const { rows, longest, frames } = await page.evaluate<{ rows: number; longest: number; frames: number }>(
      scrolling,
    );
    const busiest = busiestTaskMs(await browser.stopTracing());
    console.log(
      `scrolling through 10,002 steps: ${frames} frames, at most ${rows} rows, longest task ${longest} ms; most processor time of a task ${busiest.toFixed(0)} ms`,
    );
    judge("rows in the document, of a trace of 10,002 steps", rows, targets.rows);
    judge(
      "longest task while scrolling through it (0: none above 50)",
      longest,
      targets.longestTaskMs,
      " ms",
    );
  });
}

/** Processor time of the page's main thread; on a busy machine tasks take longer than they work. */
function busiestTaskMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const drawing = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ ph, pid, tid }) => ph === "X" && drawing.has(`${pid} ${tid}`));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

interface Cost {
  readonly seconds: number;
  readonly states: number;
  /** Processor time of the server and its threads, without the browser. */
  readonly cpuSeconds: number;
}

async function measureSearch(): Promise<void> {
  const alone: Cost[] = [];
  const withOpenPage: Cost[] = [];
  const told = ({ seconds, cpuSeconds }: Cost): string =>
    `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of processor)`;
  for (let run = 1; run <= runs; run++) {
    alone.push(await searchAlone());
    withOpenPage.push(await searchFromPage());
    console.log(`run ${run}: no page ${told(alone.at(-1)!)}, page open ${told(withOpenPage.at(-1)!)}`);
  }
  const ratio = (of: (cost: Cost) => number): number => median(withOpenPage.map(of)) / median(alone.map(of));
  const seconds = ratio((cost) => cost.seconds);
  const cpu = ratio((cost) => cost.cpuSeconds);
  console.log(
    `median of ${runs}, page open / no page: time ${seconds.toFixed(2)}, processor ${cpu.toFixed(2)}`,
  );
  const states = withOpenPage[0]!.states.toLocaleString("en");
  judge(
    `time of a search of ${states} states with the page open, to without (medians of ${runs}, 1 worker)`,
    Number(seconds.toFixed(3)),
    targets.ratio,
  );
}

/** The same server without a browser. */
async function searchAlone(): Promise<Cost> {
  const { child, url } = await startExplorer([model("many.pml", manyStates)], directory);
  const { origin, hash } = new URL(url);
  const ask = async <T>(path: string, secret: string, body?: object): Promise<T> => {
    const headers = { origin, "x-everypath-secret": secret };
    const init = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
    return (await (await fetch(`${origin}/api/${path}`, init)).json()) as T;
  };
  try {
    const { secret } = await ask<{ secret: string }>("session", "", { token: hash.slice("#token=".length) });
    const before = cpuSeconds(child);
    await ask("run", secret, { workers: 1 });
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const [run] = await ask<Runs>("runs", secret);
      if (run?.answer) return { ...run.answer.stats, cpuSeconds: cpuSeconds(child) - before };
    }
  } finally {
    child.kill("SIGINT");
  }
}

/** The fields used here. */
type Runs = readonly {
  readonly answer: { readonly stats: { readonly seconds: number; readonly states: number } } | null;
}[];

function searchFromPage(): Promise<Cost> {
  return withPage("many.pml", manyStates, async (page, child) => {
    const run = page.getByRole("button", { name: "Run", exact: true });
    await run.waitFor();
    const before = cpuSeconds(child);
    await run.click();
    await page.waitForSelector(".verdict", { timeout: 600_000 });
    const cpu = cpuSeconds(child) - before;
    const [answered] = await page.evaluate<Runs>(runsOfPage);
    return { ...answered!.answer!.stats, cpuSeconds: cpu };
  });
}

/** From Linux, in hundredths of a second; unavailable elsewhere. */
function cpuSeconds({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return NaN;
  const fields = readFileSync(file, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function withPage<T>(
  name: string,
  text: string,
  use: (page: Page, child: ChildProcess) => Promise<T>,
): Promise<T> {
  const { child, url } = await startExplorer([model(name, text)], directory);
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(url);
    return await use(page, child);
  } finally {
    await browser.close();
    child.kill("SIGINT");
  }
}

function model(name: string, text: string): string {
  const file = join(directory, name);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return file;
}

function chromiumPath(): string {
  const { stdout } = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" });
  if (stdout.trim() === "") throw new Error("chromium is not on PATH");
  return stdout.trim();
}
