/** The thread of one check: reports its progress, then its result, the traces and the page to share. */
import type { MessagePort } from "node:worker_threads";
import type { AbstractGraph, Evidence, Progress } from "../model/index.js";
import {
  checkJson,
  overallVerdict,
  verdictSentence,
  type CheckReport,
  type PropertyReport,
} from "../report/index.js";
import { abstractMarks, abstractName, edgeKind, renderAbstractSvg } from "../report/abstract-drawing.js";
import { renderDerivation } from "../report/derivation-drawing.js";
import { renderConclusion } from "../report/derivation-text.js";
import { renderHtml } from "../report/html.js";
import { propertyReason, propertyTitle, verdictWord } from "../report/sentences.js";
import { checkApart } from "../session/apart/index.js";
import { registry, type CheckOptions } from "../session/index.js";
import { Project } from "./project.js";
import type { AbstractionView, DerivationView, RunRequest, RunSummary, TraceView } from "./protocol.js";
import type { ThreadTask } from "./threads.js";
import { Places, diagnosticView, traceView } from "./views.js";
import { nth } from "../model/known.js";

export type CheckMessage =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "report"; readonly result: CheckResult }
  | { readonly kind: "broken"; readonly message: string };

export interface CheckResult {
  readonly summary: RunSummary;
  /** By position of the property; for traces without a model. */
  readonly traces: readonly (TraceView | null)[];
  readonly html: string;
}

export async function serveCheck(
  port: MessagePort,
  task: ThreadTask & { readonly task: "check" },
): Promise<void> {
  const say = (message: CheckMessage): void => port.postMessage(message);
  try {
    const input = new Project(task.source.file, task.source.startedIn).input();
    if ("error" in input) return say({ kind: "broken", message: input.error });
    const options = checkOptions(task, say);
    const { report, model } = await checkApart(input, options, registry);
    const html = renderHtml(report, model);
    say({ kind: "report", result: { summary: summaryOf(report), traces: tracesOf(report), html } });
  } catch (error) {
    say({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
  }
}

function checkOptions(
  { source, request, stop }: ThreadTask & { readonly task: "check" },
  say: (message: CheckMessage) => void,
): CheckOptions {
  const flag = new Int32Array(stop);
  let due = 0;
  const onProgress = (progress: Progress): void => {
    const now = performance.now();
    if (now < due) return;
    due = now + EVERY_MS;
    say({ kind: "progress", progress });
  };
  return {
    ...source.options,
    ...askedFor(request),
    draws: "page",
    control: { onProgress, isStopped: () => Atomics.load(flag, 0) !== 0 },
  };
}

/** Frequent enough to look alive, rare enough to be cheap. */
const EVERY_MS = 250;

/** The request was validated on arrival: all names exist. */
const askedFor = (request: RunRequest): CheckOptions =>
  ({
    ...(request.properties ? { properties: request.properties } : {}),
    ...(request.engine === undefined ? {} : { engine: request.engine }),
    ...(request.search === undefined ? {} : { search: request.search }),
    ...(request.store === undefined ? {} : { store: request.store }),
    ...(request.reductions?.includes("all")
      ? { reducesAtOnce: true }
      : request.reductions
        ? { reductions: request.reductions }
        : {}),
    ...(request.fairness === undefined ? {} : { fairness: request.fairness }),
    ...(request.workers === undefined ? {} : { workers: request.workers }),
    maxErrors: request.goesOn ? Infinity : 1,
    budget: {
      ...(request.maxStates === undefined ? {} : { maxStates: request.maxStates }),
      ...(request.timeMs === undefined ? {} : { timeMs: request.timeMs }),
    },
  }) as CheckOptions;

function summaryOf(report: CheckReport): RunSummary {
  const { scope, engine, properties, stats, runs, unreached } = checkJson(report);
  return {
    verdict: overallVerdict(report),
    sentence: verdictSentence(report),
    scope,
    engine,
    properties: report.properties.map((property, index) => ({
      title: propertyTitle(property),
      name: property.property.name,
      kind: property.property.kind,
      verdict: property.verdict,
      word: verdictWord(property),
      reason: reasonOf(property),
      advice: property.advice,
      trace: traceSummary(nth(properties, index).trace, property.trace?.test !== undefined),
      derivation: property.derivation
        ? derivationView(property.derivation, new Places(report.sources))
        : null,
      abstraction: property.abstraction ? abstractionView(property.abstraction) : null,
    })),
    stats,
    runs,
    unreached,
    diagnostics: report.diagnostics.map((diagnostic) => diagnosticView(diagnostic, report.sources)),
  };
}

/** A search that goes on after it has met the state says only that it explored every execution. */
const reasonOf = (property: PropertyReport): string =>
  property.property.kind === "cover" && property.verdict === "holds"
    ? "a state that satisfies it is reachable"
    : propertyReason(property);

const traceSummary = (
  trace: ReturnType<typeof checkJson>["trace"],
  isKept: boolean,
): RunSummary["properties"][number]["trace"] =>
  trace && { schedule: trace.schedule, length: trace.length, loopStart: trace.loopStart, isKept };

function derivationView(derivation: Evidence, places: Places): DerivationView {
  const leftOut = Math.max(0, derivation.steps.length - MOST_DERIVED);
  return {
    steps: derivation.steps.slice(leftOut).map(({ rule, premises }, index) => ({
      rule: rule.name,
      place: places.of(rule.span),
      from: premises.map((premise) => premise + 1),
      vector: renderConclusion(derivation, leftOut + index),
    })),
    leftOut,
    svg: renderDerivation(derivation, "the derivation") ?? null,
  };
}

const abstractionView = (graph: AbstractGraph): AbstractionView => ({
  states: graph.states.map((state, number) => ({
    name: abstractName(state, number),
    formulas: state.formulas,
    marks: abstractMarks(state),
  })),
  edges: graph.edges.map((edge) => ({
    from: edge.from,
    to: edge.to,
    label: edge.label,
    kind: edgeKind(edge),
  })),
  svg: renderAbstractSvg(graph, "the abstract states") ?? null,
});

const MOST_DERIVED = 500;

function tracesOf(report: CheckReport): (TraceView | null)[] {
  const places = new Places(report.sources);
  return report.properties.map(({ trace, reason }) =>
    trace
      ? traceView(undefined, trace, places, undefined, { mark: "", ending: { kind: "failed", text: reason } })
      : null,
  );
}
