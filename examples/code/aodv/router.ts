/**
 * A router of an ad-hoc network, after AODV: it searches for routes on demand, by flooding a request, and the sequence
 * number of each destination decides which of two routes is fresher.
 *
 * Read `route-request.ts`, `route-reply.ts` and `route-error.ts` for the protocol, `route-table.ts` for the order of routes,
 * `discovery.ts` for the start of a search. Records and buffers come from exhaustible pools (`pool.ts`).
 */
import type { Environment } from "everypath/system";
import type { Core, Settings } from "./core.js";
import { log } from "./core.js";
import { DiscoveryList } from "./discovery.js";
import { MulticastTree } from "./multicast.js";
import { Neighbours } from "./neighbours.js";
import { parsePacket, type Address } from "./packets.js";
import { Pools, type PacketBuffer } from "./pool.js";
import { RequestCache } from "./request-cache.js";
import { onLinkFailure, onRouteError } from "./route-error.js";
import { onRouteReply } from "./route-reply.js";
import { onRouteRequest } from "./route-request.js";
import { RouteTable } from "./route-table.js";
import { DatagramSocket } from "./socket.js";
import { TimerQueue } from "./timers.js";

export class Router implements Core {
  readonly self: Address;
  readonly hosts: readonly Address[];
  readonly settings: Settings;
  readonly environment: Environment;
  readonly socket: DatagramSocket;
  readonly pools: Pools;
  readonly timers: TimerQueue;
  readonly table: RouteTable;
  readonly neighbours: Neighbours;
  readonly requests: RequestCache;
  readonly discoveries: DiscoveryList;
  readonly multicast: MulticastTree;
  seq = 1;
  bid = 0;

  constructor(environment: Environment, settings: Settings) {
    this.self = environment.name;
    this.hosts = environment.nodes;
    this.settings = settings;
    this.environment = environment;
    this.socket = new DatagramSocket(environment);
    this.pools = new Pools(environment);
    this.timers = new TimerQueue(this);
    this.table = new RouteTable(this);
    this.neighbours = new Neighbours(this);
    this.requests = new RequestCache(this);
    this.discoveries = new DiscoveryList(this);
    this.multicast = new MulticastTree();
  }

  onStart(): void {
    if (this.settings.isDurable) this.bid = (this.environment.disk.read("bid") as number | undefined) ?? 0;
  }

  /** A datagram has arrived. */
  onMessage(from: Address, data: unknown): void {
    const packet = parsePacket(data);
    if (packet === null) return;
    const buffer = this.pools.buffers.acquire();
    if (buffer === null) return;
    buffer.packet = packet;
    log(this, "received", packet);
    if (this.neighbours.hear(from)) this.dispatch(from, buffer);
    else this.pools.buffers.release(buffer);
  }

  /** The user sends data. */
  send(destination: Address): void {
    this.discoveries.send(destination);
  }

  /** The link layer reports that a neighbour does not answer. */
  linkFails(neighbour: Address): void {
    onLinkFailure(this, neighbour);
  }

  /** A timer is due: `route D` or `request D`. */
  timeOut(key: string): void {
    const [what, destination] = key.split(" ") as [string, Address];
    if (what === "route") this.table.expire(destination);
    else this.discoveries.retry(destination);
  }

  private dispatch(from: Address, buffer: PacketBuffer): void {
    switch (buffer.packet.type) {
      case "RREQ":
        return onRouteRequest(this, from, buffer);
      case "RREP":
        return onRouteReply(this, from, buffer);
      case "RERR":
        return onRouteError(this, from, buffer);
      case "MACT":
        return this.multicast.onActivation(this, from, buffer);
    }
  }
}
