/** Handles the end of a route: a failed link, or a route error of a neighbour. */
import { bufferFor, has, transmit, type Core } from "./core.js";
import { INFINITY, type Address, type LostRoute, type RouteError } from "./packets.js";
import type { ErrorItem, PacketBuffer, RouteEntry } from "./pool.js";
import { isValid } from "./route-table.js";

/** The handler releases the buffer. */
export function onRouteError(core: Core, from: Address, buffer: PacketBuffer): void {
  process(core, from, buffer.packet as RouteError);
  core.pools.buffers.release(buffer);
}

/** A link to a neighbour has failed. */
export function onLinkFailure(core: Core, neighbour: Address): void {
  core.neighbours.lose(neighbour);
  // IP4: announces routes that ended before, with the largest hop count.
  const lost = core.table.through(neighbour).filter((route) => isValid(route) || has(core, "IP4"));
  announce(
    core,
    // RL3: the number is not advanced, so stale information passes for fresh.
    lost.map((route) => ({ route, seq: has(core, "RL3") ? route.seq : route.seq + 1 })),
  );
}

interface Ending {
  readonly route: RouteEntry;
  /** The new sequence number of the route. */
  readonly seq: number;
}

function process(core: Core, from: Address, packet: RouteError): void {
  const { items: pool } = core.pools;
  const list: ErrorItem[] = [];
  for (const { dst, seq, hop } of packet.items) {
    const item = pool.acquire();
    if (item === null) {
      // ML3: leaks the items so far.
      if (has(core, "ML3")) return;
      break;
    }
    item.dst = dst;
    item.seq = seq;
    item.hop = hop;
    list.push(item);
  }
  // AF2: the list may be shorter than announced.
  const count = has(core, "AF2") ? packet.count : list.length;
  const endings: Ending[] = [];
  for (let i = 0; i < count; i++) {
    const ending = endingOf(core, from, list[i]!);
    if (ending) endings.push(ending);
  }
  if (packet.count > core.hosts.length * INFINITY) dropExcess(core, list);
  // AF1: the list may be shorter than announced.
  const releases = has(core, "AF1") ? packet.count : list.length;
  for (let i = 0; i < releases; i++) pool.release(list[i]!);
  announce(core, endings);
}

/** The sender's entry for a destination, if relevant. */
function endingOf(core: Core, from: Address, { dst, seq }: ErrorItem): Ending | undefined {
  const route = core.table.find(dst);
  if (dst === core.self || !isValid(route) || route.nextHop !== from) return undefined;
  // A number that is not newer than ours concerns a route that we have replaced.
  // RL0: the specification adopts it without a test.
  if (route.seq >= seq && !has(core, "RL0")) return undefined;
  // RL1: the route ends with its old number.
  return { route, seq: has(core, "RL1") ? route.seq : seq };
}

/** Ends the routes and notifies their users. */
function announce(core: Core, endings: readonly Ending[]): void {
  if (endings.length === 0) return;
  const lost = endings.map(({ route, seq }) => ({ dst: route.destination, seq, hop: route.hop }));
  const users = endings.flatMap(({ route }) => [...route.precursors]);
  // UF1: precursors are released with their routes.
  const early = has(core, "UF1") ? undefined : addressesOf(users);
  for (const { route, seq } of endings) core.table.invalidate(route, seq);
  const addresses = early ?? addressesOf(users);
  const packet = errorOf(core, lost);
  if (packet === null) return;
  const buffer = bufferFor(core, packet);
  // Neighbours may have unknown routes through us; a single known precursor is notified directly.
  if (buffer !== null) transmit(core, buffer, addresses.length === 1 ? addresses[0] : undefined);
}

const addressesOf = (users: readonly { readonly address: Address }[]): Address[] => [
  ...new Set(users.map(({ address }) => address)),
];

/** A packet with one destination per record; null without records. */
function errorOf(core: Core, lost: readonly LostRoute[]): RouteError | null {
  const list: ErrorItem[] = [];
  for (const { dst, seq, hop } of lost) {
    const item = core.pools.items.acquire();
    if (item === null) break;
    item.dst = dst;
    item.seq = seq;
    item.hop = hop;
    list.push(item);
  }
  const items = list.map(({ dst, seq, hop }) => ({ dst, seq, hop }));
  for (const item of list) core.pools.items.release(item);
  if (items.length === 0) return null;
  // AF8: announces the intended number of destinations.
  return { type: "RERR", count: has(core, "AF8") ? lost.length : items.length, items, reserved: 0 };
}

/** Packets never have this number of destinations; the wire format does not exclude it. */
function dropExcess(core: Core, list: ErrorItem[]): void {
  const excess = list.splice(core.hosts.length);
  for (const item of excess) core.pools.items.release(item);
  // EX4: reads beyond the end of the list.
  if (has(core, "EX4")) list[core.hosts.length]!.seq = 0;
}
