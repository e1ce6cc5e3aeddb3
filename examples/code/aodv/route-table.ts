/**
 * Routes by destination. The replacement order keeps the network free of loops: along a route the
 * sequence number does not decrease, and at equal numbers the hop count decreases.
 */
import assert from "node:assert";
import { has, type Core } from "./core.js";
import { INFINITY, type Address } from "./packets.js";
import type { Precursor, RouteEntry } from "./pool.js";

export const isValid = (route: RouteEntry | null): route is RouteEntry =>
  route !== null && route.hop < INFINITY;

export class RouteTable {
  /** By destination. */
  readonly entries: RouteEntry[] = [];
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  find(destination: Address): RouteEntry | null {
    return this.entries.find((entry) => entry.destination === destination) ?? null;
  }

  /** Is the route better than the current one? */
  isBetter(destination: Address, seq: number, hop: number): boolean {
    const route = this.find(destination);
    return route === null || seq > route.seq || (seq === route.seq && hop < route.hop);
  }

  /** Replaces a route. Null: no room, and the old route stays. */
  install(destination: Address, nextHop: Address, seq: number, hop: number): RouteEntry | null {
    const { pools, timers, settings } = this.core;
    assert(hop > 0, "a route to another node has at least one hop");
    if (settings.isStrict)
      assert(this.isBetter(destination, seq, hop), "a route is only replaced by a better one");
    const old = this.find(destination);
    const entry = pools.routes.acquire();
    if (entry === null) return null;
    const expiry = old?.expiry ?? timers.schedule(`route ${destination}`);
    if (expiry === null) {
      pools.routes.release(entry);
      return null;
    }
    entry.destination = destination;
    entry.nextHop = nextHop;
    entry.seq = seq;
    entry.hop = hop;
    entry.expiry = expiry;
    if (old) this.replace(old, entry);
    else this.insert(entry);
    return entry;
  }

  /** Invalidates a route. Its number remains as a lower bound for newer routes. */
  invalidate(entry: RouteEntry, seq: number): void {
    entry.seq = seq;
    entry.hop = INFINITY;
    if (entry.expiry) this.core.timers.cancel(entry.expiry);
    entry.expiry = null;
    this.releasePrecursors(entry);
  }

  expire(destination: Address): void {
    const entry = this.find(destination);
    if (!isValid(entry)) return;
    // ML7: drops the list with its records.
    if (has(this.core, "ML7")) entry.precursors = [];
    this.invalidate(entry, entry.seq + 1);
  }

  /** Routes through a neighbour. */
  through(neighbour: Address): RouteEntry[] {
    return this.entries.filter((entry) => entry.nextHop === neighbour);
  }

  hasPrecursor(entry: RouteEntry, neighbour: Address): boolean {
    return entry.precursors.some(({ address }) => address === neighbour);
  }

  addPrecursor(entry: RouteEntry, precursor: Precursor, neighbour: Address): void {
    precursor.address = neighbour;
    const place = entry.precursors.findIndex(({ address }) => address > neighbour);
    entry.precursors.splice(place < 0 ? entry.precursors.length : place, 0, precursor);
  }

  private replace(old: RouteEntry, entry: RouteEntry): void {
    entry.precursors = old.precursors;
    old.precursors = [];
    old.expiry = null;
    this.entries[this.entries.indexOf(old)] = entry;
    // ML5: the old entry is unreachable but not released.
    if (!has(this.core, "ML5")) this.core.pools.routes.release(old);
  }

  private insert(entry: RouteEntry): void {
    const place = this.entries.findIndex((other) => other.destination > entry.destination);
    this.entries.splice(place < 0 ? this.entries.length : place, 0, entry);
  }

  private releasePrecursors(entry: RouteEntry): void {
    for (const precursor of entry.precursors) this.core.pools.precursors.release(precursor);
    entry.precursors = [];
  }
}
