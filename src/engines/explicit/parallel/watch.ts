/** Checks the clock and Ctrl-C while the workers are busy, reports progress, and stops them. */
import { isTimeUp, type Progress } from "../../../model/index.js";
import type { Stop } from "../order.js";
import type { SearchOptions } from "../search.js";
import { Control } from "./protocol.js";

export class Watch {
  /** Why the workers must stop. */
  stop: Stop | undefined;
  readonly #options: SearchOptions;
  readonly #deadline: number;
  readonly #control: Int32Array;
  readonly #progress: () => Progress;
  #timer: NodeJS.Timeout | undefined;
  #lastReport: number;

  constructor(options: SearchOptions, started: number, control: Int32Array, progress: () => Progress) {
    this.#options = options;
    this.#deadline = started + (options.budget.timeMs ?? Infinity);
    this.#control = control;
    this.#progress = progress;
    this.#lastReport = started;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#look();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const { control, budget } = this.#options;
    if (control.isStopped?.()) this.stop ??= "interrupted";
    else if (isTimeUp(budget, now, this.#deadline)) this.stop ??= "time";
    if (this.stop) Atomics.store(this.#control, Control.stop, 1);
    if (now - this.#lastReport < REPORT_MS) return;
    this.#lastReport = now;
    control.onProgress?.(this.#progress());
  }
}

const LOOK_MS = 25;
const REPORT_MS = 200;
