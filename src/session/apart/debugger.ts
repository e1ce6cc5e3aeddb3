/** A replay under a debugger: waits for a connection, stops before the first step, and runs the steps of the trace. */
import { open, url, waitForDebugger } from "node:inspector";
import { Script } from "node:vm";
import { runAgain } from "../../code/system/index.js";
import { parseSchedule } from "../../model/index.js";
import { known } from "../../model/known.js";
import type { ExecutionReport } from "../../report/index.js";
import { isNodesSubject } from "../nodes/load.js";
import type { Loaded } from "../contracts.js";

/** `report`: a replay of the same trace without a debugger. */
export function runWithDebugger(
  loaded: Loaded | undefined,
  { trace, file }: ExecutionReport,
  port: number,
  onWaiting: (url: string | undefined) => void,
): void {
  if (!trace || !isNodesSubject(loaded?.subject)) return;
  open(port, "127.0.0.1");
  onWaiting(url());
  if (url() === undefined) return;
  waitForDebugger();
  stop(`${file}: before step 1 of ${trace.length}. Set breakpoints in your files, and continue.`);
  runAgain(loaded.subject.model, known(parseSchedule(trace.schedule), "the schedule").choices);
}

/** Prints the address of the debugger. */
function stop(text: string): void {
  new Script(`debugger; // ${text.replaceAll("\n", " ")}`, {
    filename: "everypath-replay.js",
  }).runInThisContext();
}
