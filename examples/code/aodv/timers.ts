/** Timers by key, as a list of records: `onTimer` reports due timers to the router. */
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

  /** Null if no record is available: the timer then never fires. */
  schedule(key: string): TimerRecord | null {
    const record = this.core.pools.timers.acquire();
    // AF9: assumes that the expiry of a route always gets a record.
    if (record === null && !(has(this.core, "AF9") && key.startsWith("route "))) return null;
    record!.key = key;
    const place = this.records.findIndex((other) => other.key > key);
    this.records.splice(place < 0 ? this.records.length : place, 0, record!);
    return record;
  }

  /** Restarts a timer. The environment controls time, so nothing is recorded. */
  restart(record: TimerRecord): string {
    return record.key;
  }

  cancel(record: TimerRecord): void {
    this.records.splice(this.records.indexOf(record), 1);
    this.core.pools.timers.release(record);
  }
}
