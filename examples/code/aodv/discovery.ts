/** Searches for routes, and the data waiting for them. */
import { bufferFor, has, transmit, type Core } from "./core.js";
import type { Address, RouteRequest } from "./packets.js";
import type { Discovery, WaitingPacket } from "./pool.js";
import { isValid } from "./route-table.js";

/** Maximum number of packets that wait for one route; further ones are dropped. */
const MAX_WAITING = 1;

export class DiscoveryList {
  readonly searches: Discovery[] = [];
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  isEmpty(): boolean {
    return this.searches.length === 0;
  }

  /** Sends data if there is a route, and looks for one otherwise. */
  send(destination: Address): void {
    const { table, timers } = this.core;
    if (isValid(table.find(destination))) return;
    const pending = this.find(destination);
    if (pending) {
      // AF12: the search must not continue without a timer.
      timers.restart(pending.retry!);
      this.queue(pending);
      return;
    }
    const search = this.begin(destination);
    if (!search) return;
    this.queue(search);
    if (!this.request(search)) this.end(search);
  }

  /** A search timed out. */
  retry(destination: Address): void {
    const search = this.find(destination);
    if (!search) return;
    if (search.retries < this.core.settings.retries && this.request(search)) {
      search.retries++;
      return;
    }
    // ML8: drops waiting data without releasing it.
    if (has(this.core, "ML8")) search.packets = [];
    this.end(search);
  }

  /** A route is available. */
  complete(destination: Address): void {
    const search = this.find(destination);
    if (search) this.end(search);
  }

  private find(destination: Address): Discovery | undefined {
    return this.searches.find((search) => search.destination === destination);
  }

  private begin(destination: Address): Discovery | null {
    const { pools, timers } = this.core;
    const search = pools.discoveries.acquire();
    if (search === null) return null;
    search.destination = destination;
    this.searches.push(search);
    search.retry = timers.schedule(`request ${destination}`);
    if (search.retry !== null) return search;
    if (!has(this.core, "AF12")) this.end(search);
    return null;
  }

  private queue(search: Discovery): void {
    if (search.packets.length >= MAX_WAITING) return;
    const packet = this.core.pools.waiting.acquire();
    // AF11: links a missing packet to the others.
    if (packet === null && !has(this.core, "AF11")) return;
    this.append(search, packet!);
  }

  private append(search: Discovery, packet: WaitingPacket): void {
    packet.destination = search.destination;
    search.packets.push(packet);
  }

  /** Floods the network with a request; false if it cannot start. */
  private request({ destination }: Discovery): boolean {
    const { core } = this;
    const packet: RouteRequest = {
      type: "RREQ",
      hop: 0,
      bid: core.bid + 1,
      orig: core.self,
      oseq: core.seq + 1,
      dst: destination,
      dseq: core.table.find(destination)?.seq ?? 0,
      reserved: 0,
    };
    const buffer = bufferFor(core, packet);
    if (buffer === null) return false;
    core.bid++;
    core.seq++;
    if (core.settings.isDurable) this.remember();
    transmit(core, buffer);
    return true;
  }

  /** Distinguishes requests from requests before a restart. */
  private remember(): void {
    const { disk } = this.core.environment;
    disk.write("bid", this.core.bid);
    disk.sync();
  }

  private end(search: Discovery): void {
    const { pools, timers } = this.core;
    this.searches.splice(this.searches.indexOf(search), 1);
    for (const packet of search.packets) pools.waiting.release(packet);
    if (search.retry) timers.cancel(search.retry);
    search.packets = [];
    search.retry = null;
    pools.discoveries.release(search);
  }
}
