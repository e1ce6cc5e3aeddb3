/** What the parts of a router share. */
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
  /** A node that answers for another tells that one, too. */
  readonly isGratuitous: boolean;
  /** How often a search is repeated before it is given up. */
  readonly retries: number;
  /** Keep what has to survive a restart. */
  readonly isDurable: boolean;
  /** Hold every change of the routing table against the specification. */
  readonly isStrict: boolean;
}

export interface Core {
  readonly self: Address;
  /** All addresses that there are. */
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
  /** The node's own sequence number, and how many requests it has sent. */
  seq: number;
  bid: number;
}

export const has = ({ settings }: Core, error: RouterError): boolean => settings.errors.includes(error);

/** Sends a buffer, which is given away by that; to all neighbours without an address. */
export function transmit(core: Core, buffer: PacketBuffer, to?: Address): boolean {
  const { packet } = buffer;
  const isSent = to === undefined ? core.socket.broadcast(packet) : core.socket.send(packet, to);
  if (!isSent) {
    // EX1: who only ever sees sending succeed does not miss this.
    if (!has(core, "EX1")) core.pools.buffers.release(buffer);
    return false;
  }
  core.pools.buffers.release(buffer);
  // UF2: the buffer is no longer ours.
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
