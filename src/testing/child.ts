/**
 * The process in which the code under test runs. It may read the job and its own code, and nothing else of the file
 * system; it can start no process, worker or add-on. See `parent.ts`.
 */
import { readFileSync, writeSync } from "node:fs";
import { beginMark, channel, outcomeMark, type Job } from "./job.js";
import { work } from "./work.js";

const job = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Job;
// The last received line identifies the schedule that did not end.
const outcome = work(job, (plan) => void write(`${beginMark}${JSON.stringify(plan)}\n`));
write(`${outcomeMark}${JSON.stringify(outcome)}\n`);

/** A full pipe takes a part at a time. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(channel, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
