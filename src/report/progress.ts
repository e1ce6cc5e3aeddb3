/**
 * Tells on standard error where a long search is: one line that is rewritten on a terminal, plain lines now
 * and then elsewhere. Quiet in the first moments, so that short runs print nothing.
 */
import type { Progress } from "../model/index.js";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "./figures.js";
import { clip } from "./wrap.js";

export type ProgressStyle = "line" | "plain" | "none";

export interface ProgressSink {
  write(text: string): void;
  readonly columns?: number | undefined;
}

export class ProgressReporter {
  readonly #sink: ProgressSink;
  readonly #style: ProgressStyle;
  readonly #now: () => number;
  #due: number;
  #lastStates = 0;
  #lastSeconds = 0;
  #lineLength = 0;

  constructor(sink: ProgressSink, style: ProgressStyle, now: () => number = () => performance.now()) {
    this.#sink = sink;
    this.#style = style;
    this.#now = now;
    this.#due = now() + firstMs[style];
  }

  update(progress: Progress): void {
    if (this.#style === "none" || this.#now() < this.#due) return;
    this.#due = this.#now() + everyMs[this.#style];
    const text = this.#describe(progress);
    if (this.#style === "plain") this.#sink.write(`${text}\n`);
    else this.#rewrite(clip(text, (this.#sink.columns || 80) - 1));
  }

  /** Removes the line before other output. */
  finish(): void {
    if (this.#lineLength > 0) this.#rewrite("");
    this.#lineLength = 0;
  }

  #describe({ states, depth, frontier, bytes, seconds, schedules, steps }: Progress): string {
    if (schedules !== undefined && steps !== undefined)
      return `${counted(schedules, "run")}, ${counted(steps, "step")}, ${formatSeconds(seconds)}`;
    if (schedules !== undefined) return `${counted(schedules, "schedule")}, ${formatSeconds(seconds)}`;
    // A search may start over with wider states; then its figures restart.
    const isNew = states < this.#lastStates || seconds <= this.#lastSeconds;
    const rate = isNew ? states / seconds : (states - this.#lastStates) / (seconds - this.#lastSeconds);
    this.#lastStates = states;
    this.#lastSeconds = seconds;
    const waiting = `${formatCount(frontier)} waiting`;
    const parts = [counted(states, "state"), formatRate(rate), `depth ${formatCount(depth)}`, waiting];
    return [...parts, formatBytes(bytes), formatSeconds(seconds)].join(", ");
  }

  #rewrite(text: string): void {
    this.#sink.write(`\r${text.padEnd(this.#lineLength)}${text === "" ? "\r" : ""}`);
    this.#lineLength = text.length;
  }
}

const firstMs: Record<ProgressStyle, number> = { line: 400, plain: 5000, none: Infinity };
const everyMs: Record<ProgressStyle, number> = { line: 100, plain: 5000, none: Infinity };
