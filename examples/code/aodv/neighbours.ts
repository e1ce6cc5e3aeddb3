/** Recently heard neighbours: only existing links can fail. */
import { has, type Core } from "./core.js";
import type { Address } from "./packets.js";
import type { NeighbourRecord } from "./pool.js";

export class Neighbours {
  /** By address. */
  readonly records: NeighbourRecord[] = [];
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  knows(address: Address): boolean {
    return this.records.some((record) => record.address === address);
  }

  /** A packet arrived from a neighbour. False: it cannot be recorded, so nothing may depend on that neighbour. */
  hear(address: Address): boolean {
    if (this.knows(address)) return true;
    const record = this.core.pools.neighbours.acquire();
    if (record === null) return false;
    record.address = address;
    const place = this.records.findIndex((other) => other.address > address);
    this.records.splice(place < 0 ? this.records.length : place, 0, record);
    return true;
  }

  lose(address: Address): void {
    const place = this.records.findIndex((record) => record.address === address);
    if (place < 0) return;
    const [record] = this.records.splice(place, 1);
    // ML4: assumes that a pending search holds the record, as in an earlier version.
    if (has(this.core, "ML4") && !this.core.discoveries.isEmpty()) return;
    this.core.pools.neighbours.release(record!);
  }
}
