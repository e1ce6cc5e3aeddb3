/** Received requests: each is handled once, despite copies. */
import { has, type Core } from "./core.js";
import type { Address } from "./packets.js";
import type { RequestRecord } from "./pool.js";

/** Maximum transit time of a copy of a request, in milliseconds. */
const PATH_DISCOVERY_MS = 5600;

interface Slot {
  readonly key: string;
  readonly record: RequestRecord | null;
}

export class RequestCache {
  /** By key. */
  readonly slots: Slot[] = [];
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  /** Was it received before? Then it is remembered for longer. */
  recognises(orig: Address, bid: number): boolean {
    const key = keyOf(orig, bid);
    const slot = this.slots.find((other) => other.key === key);
    if (!slot) return false;
    slot.record!.lifetimeMs = PATH_DISCOVERY_MS;
    return true;
  }

  /** Allocates a record for the request, to be entered if the rest succeeds. */
  reserve(orig: Address, bid: number): RequestRecord | null {
    const record = this.core.pools.requests.acquire();
    if (record === null) return null;
    record.orig = orig;
    record.bid = bid;
    record.lifetimeMs = PATH_DISCOVERY_MS;
    return record;
  }

  enter(orig: Address, bid: number, record: RequestRecord | null): void {
    // AF6: the request counts as received without a record.
    if (record === null && !has(this.core, "AF6")) return;
    const key = keyOf(orig, bid);
    const place = this.slots.findIndex((other) => other.key > key);
    this.slots.splice(place < 0 ? this.slots.length : place, 0, { key, record });
  }
}

const keyOf = (orig: Address, bid: number): string => `${orig} ${bid}`;
