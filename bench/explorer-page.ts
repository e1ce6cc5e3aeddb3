/** A page of the explorer in Chromium, and the tasks of its main thread. */
import { spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { known } from "../src/model/known.js";
import { startExplorer } from "./explorer-server.js";

export interface Viewed {
  readonly page: Page;
  /** The server. */
  readonly child: ChildProcess;
}

export async function withPage<T>(file: string, use: (viewed: Viewed) => Promise<T>): Promise<T> {
  const { child, url } = await startExplorer([file], join(file, ".."));
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(url);
    return await use({ page, child });
  } finally {
    await browser.close();
    child.kill("SIGINT");
  }
}

export function written(directory: string, name: string, text: string): string {
  const file = join(directory, name);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return file;
}

export interface Tasks {
  /** Longest task of the page's main thread. */
  readonly longestMs: number;
  /** Most processor time of one task: on a busy machine tasks take longer than they work. */
  readonly busiestMs: number;
}

/** Records every task of the page while `use` works with it. */
export async function tasksDuring(page: Page, use: () => Promise<unknown>): Promise<Tasks> {
  const browser = known(page.context().browser() ?? undefined, "browser");
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  await use();
  return tasksOf(await browser.stopTracing());
}

function tasksOf(trace: Buffer): Tasks {
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const drawing = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ ph, pid, tid }) => ph === "X" && drawing.has(`${pid} ${tid}`));
  const most = (of: (task: TraceEvent) => number): number =>
    Math.round(tasks.reduce((longest, task) => Math.max(longest, of(task)), 0) / 100) / 10;
  return { longestMs: most(({ dur = 0 }) => dur), busiestMs: most(({ tdur = 0 }) => tdur) };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

function chromiumPath(): string {
  const { stdout } = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" });
  if (stdout.trim() === "") throw new Error("chromium is not on PATH");
  return stdout.trim();
}
