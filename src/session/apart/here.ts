/** Checks and replays of systems of nodes, in the process in which their code runs. */
import {
  areThreadsStill,
  diagnosticOf,
  limitConditions,
  onEachStep,
  unpacked,
} from "../../code/system/index.js";
import type { Diagnostic, Progress } from "../../model/index.js";
import type { Parent, Worker } from "../../sandbox/index.js";
import { checkInput } from "../check/check.js";
import { exploreInput } from "../lts/index.js";
import { isNodesSubject, loadSource } from "../nodes/load.js";
import type { Loaded, Registry } from "../contracts.js";
import { registry } from "../registry.js";
import { replayInput } from "../replay/replay.js";
import type { Input } from "../request.js";
import {
  packReport,
  type CheckJob,
  type CheckNews,
  type NodesJob,
  type ReplayJob,
  type ReplayNews,
} from "./job.js";
import { packResult, type LtsJob, type LtsNews } from "./lts.js";
import { exploreSpecification } from "../refinement/specification.js";
import type { SpecificationJob } from "./specification.js";
import { withSourceMap } from "./source-map.js";

export const checkHere: Worker<CheckJob> = {
  prepare: ({ options }) => (options.measuresCoverage ? import("typescript") : undefined),
  work: async (job, parent) => {
    watch(job, parent);
    const send = (news: CheckNews): void => parent.send(news);
    const onProgress = (progress: Progress): void => {
      if (!areThreadsStill()) send({ kind: "progress", progress });
    };
    const control = { onProgress, isStopped: () => parent.isStopped() };
    const known = reportingBegin(registryFor(job), send);
    return packReport((await checkInput(inputOf(job), { ...job.options, control }, known)).report);
  },
};

export const replayHere: Worker<ReplayJob> = {
  problemOf: problemInRun,
  work: async (job, parent) => {
    watch(job, parent);
    const { inspectPort, request, options } = job;
    const isDebugged = inspectPort !== undefined;
    const source = isDebugged ? withSourceMap(job.source) : job.source;
    const opened: { loaded: Loaded | undefined } = { loaded: undefined };
    const known = registryFor({ ...job, source }, (loaded) => (opened.loaded = loaded));
    const report = await replayInput(inputOf(job), request, options, known);
    if (isDebugged) {
      const { runWithDebugger } = await import("./debugger.js");
      const send = (news: ReplayNews): void => parent.send(news);
      runWithDebugger(opened.loaded, report, inspectPort, (url) => send({ url }));
    }
    return packReport(report);
  },
};

/** Explores the transition system; at the end, nodes report changes to objects that belong to no state. */
export const ltsHere: Worker<LtsJob> = {
  problemOf: problemInRun,
  work: async (job, parent) => {
    watch(job, parent);
    const opened: { loaded: Loaded | undefined } = { loaded: undefined };
    const known = registryFor(job, (loaded) => (opened.loaded = loaded));
    const onProgress = (progress: Progress): void => parent.send({ progress } satisfies LtsNews);
    const control = { onProgress, isStopped: () => parent.isStopped() };
    const found = await exploreInput(inputOf(job), { ...job.options, control }, known);
    const subject = opened.loaded?.subject;
    // sound: test/session/machines.test.ts
    if (isNodesSubject(subject)) for (const node of subject.model.nodes) node.verify();
    return packResult(found);
  },
};

/** Explores a specification; at the end, its nodes report changes to objects that belong to no state. */
export const specificationHere: Worker<SpecificationJob> = {
  problemOf: problemInRun,
  work: async (job, parent) => {
    watch(job, parent);
    const opened: { loaded: Loaded | undefined } = { loaded: undefined };
    const known = registryFor(job, (loaded) => (opened.loaded = loaded));
    const found = await exploreSpecification(inputOf(job), known);
    const subject = opened.loaded?.subject;
    // sound: test/session/refinement.test.ts
    if (isNodesSubject(subject)) for (const node of subject.model.nodes) node.verify();
    return found;
  },
};

export const inputOf = ({ source, text }: NodesJob): Input => ({ file: source.file, text });

/** Diagnoses errors of the system under test; undefined: an internal error. */
export function problemInRun(error: unknown, { source }: NodesJob): Diagnostic | undefined {
  try {
    return diagnosticOf(error, source.file);
  } catch {
    return undefined;
  }
}

/** Sends signs of life to the parent, also between steps of nodes, since a busy search blocks timers. */
export function watch({ conditionMs }: NodesJob, parent: Parent): void {
  if (conditionMs !== undefined) limitConditions(conditionMs);
  let last = performance.now();
  const signal = (): void => {
    const now = performance.now();
    if (now - last < ALIVE_MS) return;
    last = now;
    parent.beAlive();
  };
  onEachStep(signal);
  // A waiting thread sends no signs of life on behalf of others.
  setInterval(() => {
    if (!areThreadsStill()) signal();
  }, ALIVE_MS);
}

const ALIVE_MS = 100;

/** The registry, with the bundled file in place of the text. */
export function registryFor(job: NodesJob, onLoaded?: (loaded: Loaded) => void): Registry {
  const source = unpacked(job.source);
  const languages = registry.languages.map((language) =>
    language.runsCode
      ? {
          ...language,
          load: (...[, options]: Parameters<typeof language.load>) => {
            const loaded = loadSource(source, options);
            onLoaded?.(loaded);
            return Promise.resolve(loaded);
          },
        }
      : language,
  );
  return { ...registry, languages };
}

function reportingBegin({ languages, engines }: Registry, send: (news: CheckNews) => void): Registry {
  return {
    languages,
    engines: engines.map((engine) => ({
      ...engine,
      check: (loaded, request) => {
        const properties = request.properties.map(({ name, kind, span }) => ({ name, kind, span }));
        if (isNodesSubject(loaded.subject)) send({ kind: "begun", properties });
        return engine.check(loaded, request);
      },
    })),
  };
}
