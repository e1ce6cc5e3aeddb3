/** One call of a node's handler: given as text, run as one evaluation with all its promise jobs, reported as text. */
import { Script } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { isOutOfTime, takeRejections, type Realm } from "../realm/index.js";
import type { RealmRules } from "../heap/index.js";
import type { Mailbox, Order, StepReport } from "./inside.js";
import { NotSupported, OpaqueNode } from "./node-process.js";

/** The watch over an evaluation takes longer than most handlers: where nothing waits for `process.nextTick`, there is only one. */
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
    const message = "the handler does not come to an end";
    // The watch goes by the clock: on a machine with much else to do, a handler may have had no time to run.
    // Beside other threads nobody knows how much of the time was its own: then it is tried again.
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

/** Of a step that the world's own code could not make: where the node changed the language that this code uses, too, that is why. */
export function blamed(error: unknown, node: string, rules: Pick<RealmRules, "patched">): unknown {
  if (error instanceof NotSupported) return error;
  const patched = rules.patched();
  return patched === undefined ? error : new OpaqueNode(node, "a changed object of the language", patched);
}

/** Promise jobs that the step has left behind, and what they reject with, are not those of the next step. */
function abandon(realm: Realm): void {
  try {
    realm.run(nothingScript);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
  }
  takeRejections();
}

/** What was given up for want of time is tried again, a few times. */
export function insist<T extends { readonly report: Pick<StepReport, "isStarved"> }>(attempt: () => T): T {
  let made = attempt();
  for (let again = 0; made.report.isStarved && again < PATIENCE; again++) made = attempt();
  return made;
}

const PATIENCE = 4;

/** Told of every step before it is made: who watches from outside learns that the one before has ended. */
export function onEachStep(listen: () => void): void {
  listener = listen;
}

let listener: (() => void) | undefined;

const read = (mailbox: Mailbox): StepReport => JSON.parse(mailbox.take()) as StepReport;

const nothingScript = new Script("undefined");
const goScript = new Script('globalThis[Symbol.for("everypath.node")].go()');
