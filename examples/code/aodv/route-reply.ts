/** Handles a reply: adopts the route if it is better, and forwards the reply towards the originator. */
import { bufferFor, has, transmit, type Core } from "./core.js";
import { INFINITY, type Address, type RouteReply } from "./packets.js";
import type { PacketBuffer, Precursor, RouteEntry } from "./pool.js";
import { isValid } from "./route-table.js";

/** The handler releases the buffer. */
export function onRouteReply(core: Core, from: Address, buffer: PacketBuffer): void {
  process(core, from, buffer.packet as RouteReply);
  core.pools.buffers.release(buffer);
}

function process(core: Core, from: Address, packet: RouteReply): void {
  const { dst, seq, orig } = packet;
  // RT1: a gratuitous reply can reach its own subject.
  if (dst === core.self && !has(core, "RT1")) return;
  if (!core.hosts.includes(orig) && !has(core, "UM2")) return;
  // PA1: the largest hop count is not treated specially.
  if (packet.hop === INFINITY && !has(core, "PA1")) return;
  const hop = (packet.hop + 1) & 255;
  if (!isAcceptable(core, packet, hop)) return;
  const route = core.table.install(dst, from, seq, hop);
  if (route === null && !has(core, "AF4")) return;
  // AF4: there may be no entry.
  if (core.self === orig) return core.discoveries.complete(route!.destination);
  const reverse = core.table.find(orig);
  if (reverse === null && !isTakenForGranted(core, orig)) return;
  if (reverse !== null && !isValid(reverse) && !has(core, "IP1")) return;
  // UM1, UM2: there may be no reverse route.
  forward(core, { ...packet, hop }, route!, reverse!.nextHop);
}

const isTakenForGranted = (core: Core, orig: Address): boolean =>
  has(core, core.hosts.includes(orig) ? "UM1" : "UM2");

function isAcceptable(core: Core, { dst, seq, hop }: RouteReply, hops: number): boolean {
  const own = core.table.find(dst);
  // RL2: the hop count decides even for an older number; an invalid route has the largest hop count.
  if (has(core, "RL2")) return own === null || own.seq < seq || hop < own.hop;
  // RL2E: compares hop counts before incrementing ours.
  if (has(core, "RL2E")) return own === null || own.seq < seq || (own.seq === seq && hop < own.hop);
  return core.table.isBetter(dst, seq, hops);
}

/** The receiver of the reply will use the route, so it must be notified of its end. */
function forward(core: Core, packet: RouteReply, route: RouteEntry, to: Address): void {
  const isKnown = core.table.hasPrecursor(route, to);
  const precursor = isKnown ? null : core.pools.precursors.acquire();
  if (!isKnown && precursor === null && !has(core, "AF5")) return;
  const buffer = bufferFor(core, packet);
  if (buffer === null) {
    // ML2: two records are needed; without the second, the first leaks.
    if (precursor !== null && !has(core, "ML2")) core.pools.precursors.release(precursor);
    return;
  }
  // AF5: there may be no record.
  if (!isKnown) core.table.addPrecursor(route, precursor as Precursor, to);
  transmit(core, buffer, to);
}
