/** Timers by key, as a list of records: what is due is told to the router by `onTimer`. */
import { has, type Core } from "./core.js";
import type { TimerRecord } from "./pool.js";

export class TimerQueue {
  /** By key. */
  readonly records: TimerRecord[] = [];
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  has(key: string): boolean {
    return this.records.some((record) => record.key === key);
  }

  /** Null when there is no record for it: then nothing is going to happen. */
  schedule(key: string): TimerRecord | null {
    const record = this.core.pools.timers.acquire();
    // AF9: whoever schedules the expiry of a route gets a record, or so it was thought.
    if (record === null && !(has(this.core, "AF9") && key.startsWith("route "))) return null;
    record!.key = key;
    const place = this.records.findIndex((other) => other.key > key);
    this.records.splice(place < 0 ? this.records.length : place, 0, record!);
    return record;
  }

  /** Begins anew. Time is what the environment makes of it, so there is nothing to write down. */
  restart(record: TimerRecord): string {
    return record.key;
  }

  cancel(record: TimerRecord): void {
    this.records.splice(this.records.indexOf(record), 1);
    this.core.pools.timers.release(record);
  }
}
