/** Shared parts of a router. */
import type { Environment } from "everypath/system";
import type { DiscoveryList } from "./discovery.js";
import type { RouterError } from "./errors.js";
import type { Neighbours } from "./neighbours.js";
import type { Address, Packet } from "./packets.js";
import type { PacketBuffer, Pools } from "./pool.js";
import type { RequestCache } from "./request-cache.js";
import type { RouteTable } from "./route-table.js";
import type { DatagramSocket } from "./socket.js";
import type { TimerQueue } from "./timers.js";

export interface Settings {
  /** Switched on; none in a correct router. */
  readonly errors: readonly RouterError[];
  /** Send gratuitous replies: a node that answers for another also notifies that node. */
  readonly isGratuitous: boolean;
  /** Number of repetitions before a search is abandoned. */
  readonly retries: number;
  /** Keep the data that must survive a restart. */
  readonly isDurable: boolean;
  /** Compare every change of the routing table with the specification. */
  readonly isStrict: boolean;
}

export interface Core {
  readonly self: Address;
  /** All addresses. */
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
  /** The node's sequence number and the number of its requests. */
  seq: number;
  bid: number;
}

export const has = ({ settings }: Core, error: RouterError): boolean => settings.errors.includes(error);

/** Sends a buffer and gives up its ownership; to all neighbours without an address. */
export function transmit(core: Core, buffer: PacketBuffer, to?: Address): boolean {
  const { packet } = buffer;
  const isSent = to === undefined ? core.socket.broadcast(packet) : core.socket.send(packet, to);
  if (!isSent) {
    // EX1: invisible while sending never fails.
    if (!has(core, "EX1")) core.pools.buffers.release(buffer);
    return false;
  }
  core.pools.buffers.release(buffer);
  // UF2: sending has released the buffer.
  log(core, "sent", has(core, "UF2") ? buffer.packet : packet);
  return true;
}

/** A buffer with the packet in it, or null. */
export function bufferFor(core: Core, packet: Packet): PacketBuffer | null {
  const buffer = core.pools.buffers.acquire();
  if (buffer !== null) buffer.packet = packet;
  return buffer;
}

/** Kept for each step and shown in traces. */
export function log({ self }: Core, what: string, packet: Packet): void {
  // eslint-disable-next-line no-console -- this is where a router says what it does
  console.debug(`${self}: ${what} ${packet.type}`);
}
