/** Handles a request: records the reverse route, then answers or forwards it. */
import { bufferFor, has, transmit, type Core } from "./core.js";
import { ACTIVE_ROUTE_MS, INFINITY, type Address, type RouteReply, type RouteRequest } from "./packets.js";
import type { PacketBuffer, RouteEntry } from "./pool.js";
import { isValid } from "./route-table.js";

/** The handler releases the buffer. */
export function onRouteRequest(core: Core, from: Address, buffer: PacketBuffer): void {
  const packet = buffer.packet as RouteRequest;
  const isRepeated = packet.orig !== core.self && core.requests.recognises(packet.orig, packet.bid);
  if (packet.orig !== core.self && !isRepeated) process(core, from, packet);
  // ML6: drops a duplicate without releasing it.
  if (!isRepeated || !has(core, "ML6")) core.pools.buffers.release(buffer);
}

function process(core: Core, from: Address, packet: RouteRequest): void {
  const { orig, bid, dst } = packet;
  // PA2: the largest hop count is not treated specially.
  if (packet.hop === INFINITY && !has(core, "PA2")) return;
  const hop = (packet.hop + 1) & 255;
  if (!core.hosts.includes(orig) || !core.hosts.includes(dst)) return;
  const record = core.requests.reserve(orig, bid);
  if (record === null && !has(core, "AF6")) return;
  const reverse = reverseRoute(core, from, packet, hop);
  if (reverse === null && !has(core, "AF3")) {
    // ML1: two records are needed; without the second, the first leaks.
    if (record !== null && !has(core, "ML1")) core.pools.requests.release(record);
    return;
  }
  core.requests.enter(orig, bid, record);
  // AF3: there may be no reverse route.
  const back = reverse!.hop < INFINITY ? reverse!.nextHop : undefined;
  if (dst === core.self) return answerForSelf(core, back, packet);
  const route = core.table.find(dst);
  // IP1: treats an invalid route as valid.
  const canAnswer = has(core, "IP1") ? route !== null : isValid(route);
  if (canAnswer && route!.seq >= packet.dseq) return answer(core, back, packet, route!, reverse!);
  forward(core, packet, route, hop);
}

/** The route to the originator after a request: possibly an older one, possibly invalid. */
function reverseRoute(core: Core, from: Address, packet: RouteRequest, hop: number): RouteEntry | null {
  const { orig, oseq } = packet;
  if (!core.table.isBetter(orig, oseq, hop)) return core.table.find(orig);
  return core.table.install(orig, from, oseq, hop);
}

function answerForSelf(core: Core, back: Address | undefined, { orig, dseq }: RouteRequest): void {
  core.seq = Math.max(core.seq, dseq);
  if (back === undefined) return;
  const buffer = bufferFor(core, reply(core, { hop: 0, dst: core.self, seq: core.seq, orig }));
  if (buffer !== null) transmit(core, buffer, back);
}

function answer(
  core: Core,
  back: Address | undefined,
  { orig }: RouteRequest,
  route: RouteEntry,
  reverse: RouteEntry,
): void {
  const { destination: dst, hop, seq } = route;
  if (back !== undefined) {
    const buffer = bufferFor(core, reply(core, { hop, dst, seq, orig }));
    if (buffer === null) return;
    transmit(core, buffer, back);
  }
  if (core.settings.isGratuitous && (isValid(reverse) || has(core, "IP1"))) tell(core, route, reverse);
}

/** Sends the destination a route to the originator. */
function tell(core: Core, route: RouteEntry, { hop, destination: dst, seq }: RouteEntry): void {
  const buffer = core.pools.buffers.acquire();
  // AF10: the copy may have no buffer.
  if (buffer === null && !has(core, "AF10")) return;
  const packet = reply(core, { hop, dst, seq, orig: route.destination });
  const { reserved: _, ...rest } = packet;
  // IP3: does not set one field on this path.
  buffer!.packet = has(core, "IP3") ? (rest as RouteReply) : packet;
  transmit(core, buffer!, route.nextHop);
}

function reply(core: Core, fields: Pick<RouteReply, "hop" | "dst" | "seq" | "orig">): RouteReply {
  const packet = { type: "RREP", ...fields, reserved: 0 } as const;
  // IP2: the lifetime keeps the old content of the buffer.
  return (has(core, "IP2") ? packet : { ...packet, lifetimeMs: ACTIVE_ROUTE_MS }) as RouteReply;
}

function forward(core: Core, packet: RouteRequest, route: RouteEntry | null, hop: number): void {
  const buffer = core.pools.buffers.acquire();
  // AF7: there may be no buffer.
  if (buffer === null && !has(core, "AF7")) return;
  buffer!.packet = {
    ...packet,
    dseq: Math.max(packet.dseq, route?.seq ?? 0),
    // IP5: the next node takes our distance for our predecessor's.
    hop: has(core, "IP5") ? packet.hop : hop,
  };
  transmit(core, buffer!);
}
