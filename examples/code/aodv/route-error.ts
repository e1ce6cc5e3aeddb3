/** What a router does when a route ends: by a link that fails, or because a neighbour says so. */
import { bufferFor, has, transmit, type Core } from "./core.js";
import { INFINITY, type Address, type LostRoute, type RouteError } from "./packets.js";
import type { ErrorItem, PacketBuffer, RouteEntry } from "./pool.js";
import { isValid } from "./route-table.js";

/** The buffer is the handler's to release. */
export function onRouteError(core: Core, from: Address, buffer: PacketBuffer): void {
  process(core, from, buffer.packet as RouteError);
  core.pools.buffers.release(buffer);
}

/** The link to a neighbour does not work any more. */
export function onLinkFailure(core: Core, neighbour: Address): void {
  core.neighbours.lose(neighbour);
  // IP4: routes that ended before are announced once more, as far away as it gets.
  const lost = core.table.through(neighbour).filter((route) => isValid(route) || has(core, "IP4"));
  announce(
    core,
    // RL3: the number is not raised, so old news passes for fresh.
    lost.map((route) => ({ route, seq: has(core, "RL3") ? route.seq : route.seq + 1 })),
  );
}

interface Ending {
  readonly route: RouteEntry;
  /** The number that the route has from now on. */
  readonly seq: number;
}

function process(core: Core, from: Address, packet: RouteError): void {
  const { items: pool } = core.pools;
  const list: ErrorItem[] = [];
  for (const { dst, seq, hop } of packet.items) {
    const item = pool.acquire();
    if (item === null) {
      // ML3: the items so far stay behind.
      if (has(core, "ML3")) return;
      break;
    }
    item.dst = dst;
    item.seq = seq;
    item.hop = hop;
    list.push(item);
  }
  // AF2: the list may be shorter than the packet says.
  const count = has(core, "AF2") ? packet.count : list.length;
  const endings: Ending[] = [];
  for (let i = 0; i < count; i++) {
    const ending = endingOf(core, from, list[i]!);
    if (ending) endings.push(ending);
  }
  if (packet.count > core.hosts.length * INFINITY) dropExcess(core, list);
  // AF1: the list may be shorter than the packet says.
  const releases = has(core, "AF1") ? packet.count : list.length;
  for (let i = 0; i < releases; i++) pool.release(list[i]!);
  announce(core, endings);
}

/** What the sender says of a destination, if it is of any concern. */
function endingOf(core: Core, from: Address, { dst, seq }: ErrorItem): Ending | undefined {
  const route = core.table.find(dst);
  if (dst === core.self || !isValid(route) || route.nextHop !== from) return undefined;
  // A number that is not newer than ours is news of a route that we have replaced.
  // RL0: the specification takes it over without a test.
  if (route.seq >= seq && !has(core, "RL0")) return undefined;
  // RL1: the route ends with the number it had.
  return { route, seq: has(core, "RL1") ? route.seq : seq };
}

/** Ends the routes and tells those who use them. */
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
  // Neighbours may have routes through us that we do not know of; one that we know of is enough to be told alone.
  if (buffer !== null) transmit(core, buffer, addresses.length === 1 ? addresses[0] : undefined);
}

const addressesOf = (users: readonly { readonly address: Address }[]): Address[] => [
  ...new Set(users.map(({ address }) => address)),
];

/** A packet with as many destinations as there are records for; null without any. */
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
  // AF8: the packet says how many there were to be.
  return { type: "RERR", count: has(core, "AF8") ? lost.length : items.length, items, reserved: 0 };
}

/** No packet has room for so many destinations: this is here because the wire format does not say so. */
function dropExcess(core: Core, list: ErrorItem[]): void {
  const excess = list.splice(core.hosts.length);
  for (const item of excess) core.pools.items.release(item);
  // EX4: there is nothing behind the end of the list.
  if (has(core, "EX4")) list[core.hosts.length]!.seq = 0;
}
