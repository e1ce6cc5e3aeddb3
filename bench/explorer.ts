/**
 * Costs of the explorer: `npm run build && npm run bench:explorer -- [--runs N] [--size N] [--only page|search]`.
 *
 * Scrolls and steps through long traces in Chromium, moves large graphs, and measures rows in the document, the page's longest
 * task and the time to the first view. Then searches about five million states with one thread, alternately without and with
 * an open page, and compares the medians. Prints a line for each target; exits with 1 if one is missed.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "../test/repository.js";
import { argument } from "./arguments.js";
import { measureLarge } from "./explorer-large.js";
import { tasksDuring, withPage, written } from "./explorer-page.js";
import { startExplorer } from "./explorer-server.js";
import { median } from "./statistics.js";

const script = inRepository("dist/cli/index.js");
const directory = mkdtempSync(join(tmpdir(), "everypath-bench-explorer-"));
const runs = Number(argument("runs") ?? 5);
/** About the fourth root of the number of states. */
const size = Number(argument("size") ?? 47);
const only = argument("only");

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
  if (only !== "search") {
    await measureScrolling();
    await measureLarge(directory, judge);
  }
  if (only !== "page") await measureSearch();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const verdict of verdicts) console.log(verdict);
process.exitCode = isMissed ? 1 : 0;

async function measureScrolling(): Promise<void> {
  await withPage(written(directory, "long.pml", longTrace), async ({ page }) => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: /Show the trace/ }).click();
    await page.waitForSelector(".steps .is-current");
    await page.waitForTimeout(1000);
    let scrolled = { rows: 0, longest: 0, frames: 0 };
    const { busiestMs } = await tasksDuring(page, async () => {
      scrolled = await page.evaluate<typeof scrolled>(scrolling);
    });
    const { rows, longest, frames } = scrolled;
    console.log(
      `scrolling through 10,002 steps: ${frames} frames, at most ${rows} rows, longest task ${longest} ms; most processor time of a task ${busiestMs} ms`,
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
  const { child, url } = await startExplorer([written(directory, "many.pml", manyStates)], directory);
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
  return withPage(written(directory, "many.pml", manyStates), async ({ page, child }) => {
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
