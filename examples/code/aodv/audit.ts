/** Properties of single routers and of the network. */
import { Pooled, type Pool, type RouteEntry } from "./pool.js";
import { INFINITY, type Address, type Packet } from "./packets.js";
import type { Router } from "./router.js";

/** Counts a router's records after each event: records in use must be reachable. */
export function leaksOf(router: Router): string {
  const reached = new Map<string, number>();
  const { pools, environment, settings, ...parts } = router;
  for (const record of pooledIn(parts, new Set([router, pools, environment, settings])))
    reached.set(record.constructor.name, (reached.get(record.constructor.name) ?? 0) + 1);
  const lost: string[] = [];
  for (const pool of Object.values(pools) as Pool<Pooled>[]) {
    const kind = (pool as unknown as { kind: { name: string } }).kind.name;
    const missing = pool.inUse - (reached.get(kind) ?? 0);
    if (missing !== 0) lost.push(`${missing} ${kind}`);
  }
  return lost.join(", ");
}

/** Everything from a pool that the object leads to. */
function* pooledIn(root: object, seen: Set<object>): Generator<Pooled> {
  const pending = [root];
  for (let object = pending.pop(); object; object = pending.pop()) {
    if (seen.has(object)) continue;
    seen.add(object);
    if (object instanceof Pooled) yield object;
    for (const value of Object.values(object))
      if (typeof value === "object" && value !== null) pending.push(value as object);
  }
}

/** A cycle of valid routes to one destination, in words; undefined without one. */
export function loopIn(routers: Readonly<Record<Address, Router>>): string | undefined {
  for (const to of Object.keys(routers))
    for (const start of Object.keys(routers)) {
      const way = [start];
      for (let at = start; at !== to && routers[at];) {
        const route = routeOf(routers[at]!, to);
        if (!route || route.hop >= INFINITY) break;
        at = route.nextHop;
        way.push(at);
        if (at === start) return `the route to ${to} is a loop: ${way.join(" → ")}`;
        if (way.length > Object.keys(routers).length) break;
      }
    }
  return undefined;
}

const routeOf = ({ table }: Router, to: Address): RouteEntry | undefined =>
  table.entries.find(({ destination }) => destination === to);

/** Errors of a single routing table. */
export function wrongIn({ self, table, hosts }: Router): string | undefined {
  const destinations = table.entries.map(({ destination }) => destination);
  if (destinations.includes(self)) return `${self} has a route to itself`;
  if (new Set(destinations).size < destinations.length) return `${self} has two routes to one destination`;
  const far = table.entries.find(({ hop }) => hop < INFINITY && hop >= hosts.length);
  return far && `the route of ${self} to ${far.destination} has ${far.hop} hops`;
}

/** Errors of a single packet. */
export function wrongWith(packet: Packet, from: Address): string | undefined {
  if (packet.reserved !== 0) return "the reserved field is not zero";
  switch (packet.type) {
    case "RREQ":
      if ((packet.hop === 0) !== (packet.orig === from)) return `${packet.hop} hops from ${packet.orig}`;
      break;
    case "RREP":
      if (packet.hop === INFINITY) return "a reply with an infinite hop count";
      if (typeof packet.lifetimeMs !== "number") return "a reply without a lifetime";
      break;
    case "RERR":
      if (packet.count !== packet.items.length) return "a route error says another number of destinations";
      if (packet.items.some(({ hop }) => hop === INFINITY)) return "a route ends that had ended before";
      break;
    case "MACT":
  }
  return undefined;
}
