/** The process in which code under test runs: waits for one job, performs it, reports the outcome, and exits. */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { insideFile } from "../code/bundle/inside-files.js";
import { lockDown } from "../code/isolation/index.js";
import { areThreadsStill, limitConditions, onEachStep, unpacked } from "../code/system/index.js";
import type { Diagnostic, Progress } from "../model/index.js";
import { isNodesSubject, loadSource } from "../session/code.js";
import { diagnosticOf } from "../session/code-problems.js";
import { checkInput, registry, replayInput, type Registry } from "../session/index.js";
import type { Loaded } from "../session/registry.js";
import { packReport, type Answer, type Job, type News, type ToChild } from "./job.js";
import { Questions } from "./questions.js";
import { withSourceMap } from "./source-map.js";
import { endWith } from "./watchdog.js";

let isStopped = false;
/** Questions may arrive before their handler exists. */
const questions = new Questions();

endWith(Number(process.argv[2]));

// The terminal signals both processes; the parent decides the meaning.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (message: ToChild) => {
  if (message.kind === "stop") isStopped = true;
  else if (message.kind === "ask") questions.push(message.asked);
  else void begin(message.job);
});

async function begin(job: Job): Promise<void> {
  try {
    await prepare(job);
    finish(await work(job));
  } catch (error) {
    const problem = job.kind === "simulate" || job.kind === "replay" ? knownProblem(error, job) : undefined;
    if (problem) return finish({ kind: "refused", problem });
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    finish({ kind: "broken", message, stack: stack ?? "" });
  }
}

/** Errors of the system under test; undefined: an internal error. */
function knownProblem(error: unknown, { source }: Job): Diagnostic | undefined {
  try {
    return diagnosticOf(error, source.file);
  } catch {
    return undefined;
  }
}

const finish = (answer: Answer): void => void process.send!(answer, () => process.exit());
const say = (news: News): void => void process.send!(news);

/** Loads all outside resources before the process is locked. */
async function prepare(job: Job): Promise<void> {
  const options = job.kind === "check" ? job.options : {};
  if (options.measuresCoverage) await import("typescript");
  if (job.kind === "simulate") void [process.stdout, process.stderr, process.stdin];
  const { source, reads } = job;
  lockDown({
    reads: [
      dirname(dirname(fileURLToPath(import.meta.url))),
      dirname(dirname(insideFile("world/index"))),
      ...source.files.map((file) => resolve(source.directory, file)),
      ...reads,
    ],
    writes: options.disk !== undefined,
    threads: (options.workers ?? 1) > 1,
  });
  if (job.conditionMs !== undefined) limitConditions(job.conditionMs);
  say({ kind: "alive" });
  tellOfLife();
}

/** Also between steps of nodes: a busy search does not run timers. A waiting thread does not report for the others. */
function tellOfLife(): void {
  let last = performance.now();
  const tell = (): void => {
    const now = performance.now();
    if (now - last < ALIVE_MS) return;
    last = now;
    say({ kind: "alive" });
  };
  onEachStep(tell);
  setInterval(() => {
    if (!areThreadsStill()) tell();
  }, ALIVE_MS);
}

const ALIVE_MS = 100;

async function work(job: Job): Promise<Answer> {
  const input = { file: job.source.file, text: job.text };
  const known = registryFor(job);
  switch (job.kind) {
    case "check": {
      const onProgress = (progress: Progress): void => {
        if (!areThreadsStill()) say({ kind: "progress", progress });
      };
      const control = { onProgress, isStopped: () => isStopped };
      const { report } = await checkInput(input, { ...job.options, control }, known);
      return { kind: "checked", report: packReport(report) };
    }
    case "replay": {
      const report = await replayInput(input, job.request, job.options, known);
      if (job.inspectPort !== undefined) {
        const { runWithDebugger } = await import("./debugger.js");
        runWithDebugger(opened.loaded, report, job.inspectPort, (url) => say({ kind: "waiting", url }));
      }
      return { kind: "replayed", report: packReport(report) };
    }
    case "simulate": {
      const { simulateHere } = await import("./simulate-here.js");
      return { kind: "simulated", exitCode: await simulateHere(job, known) };
    }
    case "desk": {
      const { deskHere } = await import("./desk-here.js");
      return deskHere(input, job, known, questions, (answered) => say({ kind: "answered", answered }));
    }
  }
}

/** The last loaded model. */
const opened: { loaded: Loaded | undefined } = { loaded: undefined };

/** Languages and engines, except that the file arrives bundled and the start of a search is reported. */
function registryFor(job: Job): Registry {
  const isDebugged = job.kind === "replay" && job.inspectPort !== undefined;
  const source = unpacked(isDebugged ? withSourceMap(job.source) : job.source);
  return {
    languages: registry.languages.map((language) =>
      language.runsCode
        ? {
            ...language,
            load: (_, options) => Promise.resolve((opened.loaded = loadSource(source, options))),
          }
        : language,
    ),
    engines: registry.engines.map((engine) => ({
      ...engine,
      check: (loaded, request) => {
        if (isNodesSubject(loaded.subject))
          say({
            kind: "begun",
            properties: request.properties.map(({ name, kind, span }) => ({ name, kind, span })),
          });
        return engine.check(loaded, request);
      },
    })),
  };
}
