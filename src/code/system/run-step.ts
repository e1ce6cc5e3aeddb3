/** Runs one call of a node's handler: passed as text, evaluated with all its promise jobs, reported as text. */
import { Script } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { isOutOfTime, takeRejections, type Realm } from "../realm/index.js";
import type { RealmRules } from "../heap/index.js";
import type { Mailbox, Order, StepReport } from "./node-runtime.js";
import { NotSupported, OpaqueNode } from "./node-process.js";

/**
 * Each limited evaluation costs more than most handlers, so a step without `process.nextTick` callbacks uses only one.
 */
export function runStep(realm: Realm, mailbox: Mailbox, order: Order): StepReport {
  listener?.();
  mailbox.put(JSON.stringify(order));
  const used = process.cpuUsage();
  const began = performance.now();
  try {
    realm.run(goScript);
    if (mailbox.hasTicks()) realm.settle();
    else for (const reason of takeRejections()) mailbox.reject(reason);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    const message = "the handler does not terminate";
    // The limit measures wall-clock time: on a busy machine, a handler may not have run at all. Beside other threads
    // its CPU time is unknown, so the step is repeated.
    const isStarved = !isMainThread || process.cpuUsage(used).user / 1000 < (performance.now() - began) / 2;
    const failure = { kind: "livelock", name: "", message, stack: "", turn: 0 } as const;
    const report = { ...read(mailbox), failure, isStarved };
    abandon(realm);
    return report;
  }
  const unsupported = mailbox.unsupported();
  if (unsupported !== undefined) throw new NotSupported(unsupported);
  return read(mailbox);
}

/** Explains an internal failure by a change that the node made to the language. */
export function explained(error: unknown, node: string, rules: Pick<RealmRules, "patched">): unknown {
  if (error instanceof NotSupported) return error;
  const patched = rules.patched();
  return patched === undefined ? error : new OpaqueNode(node, "a changed object of the language", patched);
}

/** Drops promise jobs and rejections of an interrupted step, which would reach the next one. */
function abandon(realm: Realm): void {
  try {
    realm.run(nothingScript);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
  }
  takeRejections();
}

/** Repeats a starved step a few times. */
export function retryStarved<T extends { readonly report: Pick<StepReport, "isStarved"> }>(
  attempt: () => T,
): T {
  let made = attempt();
  for (let again = 0; made.report.isStarved && again < PATIENCE; again++) made = attempt();
  return made;
}

const PATIENCE = 4;

/** Called before every step, so that the monitoring process detects progress. */
export function onEachStep(listen: () => void): void {
  listener = listen;
}

let listener: (() => void) | undefined;

const read = (mailbox: Mailbox): StepReport => JSON.parse(mailbox.take()) as StepReport;

const nothingScript = new Script("undefined");
const goScript = new Script('globalThis[Symbol.for("everypath.node")].go()');
