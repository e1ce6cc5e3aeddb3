/* expected: holds */
/* expected with -D LINE4 -D RL1: violated (loop freedom) */
/**
 * The core of AODV, the routing protocol for ad-hoc networks, as ordinary handler code: small enough for its states to be counted.
 *
 * -D N=3 nodes, the last of them the destination; -D Q=2 messages in transit; -D MAXSEQ=4, -D MAXBID=1: bounds;
 * -D LF=1 link failures, -D TO=0 timeouts, -D RB=0 reboots in all; -D LINE4: four nodes in a line; -D GRAT: gratuitous replies.
 * -D REPLAY: nodes are replayed, not captured. -D ORDER: checks two stronger conditions.
 * -D RL0 … -D RT1 switch on errors, described at their places.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

type Message =
  | { type: "RREQ"; orig: number; oseq: number; bid: number; dst: number; dseq: number; hop: number }
  | { type: "RREP"; orig: number; dst: number; seq: number; hop: number }
  | { type: "RERR"; list: [destination: number, seq: number][] };

interface Route {
  nextHop: number;
  seq: number;
  hop: number;
}

const INFINITY = 255;

const isValid = (route: Route | null | undefined): route is Route => !!route && route.hop < INFINITY;

class Router {
  bid = 0;
  /** By destination. */
  readonly routes: (Route | null)[];
  /** Requests that were seen, by originator and broadcast id. */
  readonly seen: boolean[][];
  readonly #environment: Environment;
  readonly #self: number;
  readonly #destination: number;
  readonly #bugs: Parameters;

  constructor(environment: Environment, bugs: Parameters) {
    this.#environment = environment;
    this.#bugs = bugs;
    this.#self = environment.nodes.indexOf(environment.name);
    this.#destination = environment.nodes.length - 1;
    this.routes = environment.nodes.map(() => null);
    this.routes[this.#self] = { nextHop: this.#self, seq: 1, hop: 0 };
    this.seen = environment.nodes.map(() => []);
  }

  onMessage(sender: string, message: Message): void {
    const from = this.#environment.nodes.indexOf(sender);
    if (message.type === "RREQ") this.#onRequest(from, message);
    else if (message.type === "RREP") this.#onReply(from, message);
    else this.#onError(from, message.list);
  }

  needsRoute(maxBid: number): boolean {
    return this.#self < this.#destination && !isValid(this.routes[this.#destination]) && this.bid < maxBid;
  }

  request(): void {
    const own = this.routes[this.#self]!;
    this.bid++;
    own.seq++;
    const dseq = this.routes[this.#destination]?.seq ?? 0;
    const { bid } = this;
    const dst = this.#destination;
    this.#broadcast({ type: "RREQ", orig: this.#self, oseq: own.seq, bid, dst, dseq, hop: 0 });
  }

  uses(neighbour: number): boolean {
    return this.routes.some(
      (route, to) => to !== this.#self && isValid(route) && route.nextHop === neighbour,
    );
  }

  linkFails(neighbour: number): void {
    const list: [number, number][] = [];
    for (const [to, route] of this.routes.entries()) {
      if (to === this.#self || !isValid(route) || route.nextHop !== neighbour) continue;
      // RL3: the number is not advanced, so stale information passes for fresh.
      if (!this.#bugs["RL3"]) route.seq++;
      route.hop = INFINITY;
      list.push([to, route.seq]);
    }
    this.#broadcast({ type: "RERR", list });
  }

  mayTimeOut(): boolean {
    return this.#self < this.#destination && isValid(this.routes[this.#destination]);
  }

  timeOut(): void {
    const route = this.routes[this.#destination]!;
    if (!this.#bugs["RL3T"]) route.seq++;
    route.hop = INFINITY;
  }

  reboot(): void {
    this.routes.fill(null);
    this.routes[this.#self] = { nextHop: this.#self, seq: 1, hop: 0 };
    for (const ids of this.seen) ids.length = 0;
  }

  #onRequest(from: number, request: Message & { type: "RREQ" }): void {
    const { orig, oseq, bid, dst, hop } = request;
    if (orig === this.#self || this.seen[orig]![bid]) return;
    for (let id = 0; id < bid; id++) this.seen[orig]![id] ??= false;
    this.seen[orig]![bid] = true;
    if (this.#isBetter(orig, oseq, hop + 1)) this.routes[orig] = { nextHop: from, seq: oseq, hop: hop + 1 };
    const reverse = this.routes[orig]!;
    const back = isValid(reverse) ? reverse.nextHop : undefined;
    const own = this.routes[this.#self]!;
    if (this.#self === dst) {
      own.seq = Math.max(own.seq, request.dseq);
      this.#reply(back, { type: "RREP", orig, dst, seq: own.seq, hop: 0 });
      return;
    }
    const route = this.routes[dst];
    // IP1: answers from a route that is no longer valid.
    const canAnswer = this.#bugs["IP1"] ? !!route : isValid(route);
    if (canAnswer && route!.seq >= request.dseq) {
      this.#reply(back, { type: "RREP", orig, dst, seq: route!.seq, hop: route!.hop });
      if (this.#bugs["GRAT"])
        this.#reply(route!.nextHop, {
          type: "RREP",
          orig: dst,
          dst: orig,
          seq: reverse.seq,
          hop: reverse.hop,
        });
      return;
    }
    this.#broadcast({ ...request, dseq: Math.max(request.dseq, route?.seq ?? 0), hop: hop + 1 });
  }

  #onReply(from: number, reply: Message & { type: "RREP" }): void {
    const { orig, dst, seq, hop } = reply;
    if (dst === this.#self) {
      // RT1: does not check for a route to the node itself.
      if (this.#bugs["RT1"]) throw new Error("a route to itself by way of a neighbour");
      return;
    }
    // PA1: an infinite hop count is taken for a number, and wraps.
    if (hop === INFINITY && !this.#bugs["PA1"]) return;
    const hops = this.#bugs["PA1"] ? (hop + 1) % 256 : hop + 1;
    if (!this.#accepts(dst, seq, hop, hops)) return;
    this.routes[dst] = { nextHop: from, seq, hop: hops };
    if (this.#self === orig) return;
    const reverse = this.routes[orig];
    // UM1: assumes that the reverse route exists.
    if (!reverse && this.#bugs["UM1"]) throw new TypeError("the reverse route is missing");
    if (this.#bugs["IP1"] ? !!reverse : isValid(reverse))
      this.#reply(reverse!.nextHop, { ...reply, hop: hops });
  }

  #accepts(dst: number, seq: number, hop: number, hops: number): boolean {
    const own = this.routes[dst];
    // RL2: accepts an older number with a smaller hop count.
    if (this.#bugs["RL2"]) return !own || own.seq < seq || hop < own.hop;
    // RL2E: compares hop counts before the increment: routes of equal cost are replaced, without a loop.
    if (this.#bugs["RL2E"]) return !own || seq > own.seq || (seq === own.seq && hop < own.hop);
    return this.#isBetter(dst, seq, hops);
  }

  #onError(from: number, list: readonly [number, number][]): void {
    const out: [number, number][] = [];
    for (const [to, seq] of list) {
      const route = this.routes[to];
      if (to === this.#self || !isValid(route) || route.nextHop !== from) continue;
      // RL0: the specification's error: adopts the number without a test. RL0H: accepts an equal number.
      const isOld = this.#bugs["RL0H"] ? route.seq > seq : route.seq >= seq;
      if (!this.#bugs["RL0"] && isOld) continue;
      // RL1: the route is invalidated without advancing its number.
      if (!this.#bugs["RL1"]) route.seq = seq;
      route.hop = INFINITY;
      out.push([to, route.seq]);
    }
    if (out.length > 0) this.#broadcast({ type: "RERR", list: out });
  }

  #isBetter(to: number, seq: number, hop: number): boolean {
    const route = this.routes[to];
    return !route || seq > route.seq || (seq === route.seq && hop < route.hop);
  }

  #reply(to: number | undefined, message: Message): void {
    if (to !== undefined) this.#environment.send(this.#environment.nodes[to]!, message);
  }

  #broadcast(message: Message): void {
    this.#environment.broadcast(message);
  }
}

export default defineSystem<Router>((parameters) => {
  const number = (name: string, otherwise: number): number => Number(parameters[name] ?? otherwise);
  const count = parameters["LINE4"] ? 4 : number("N", 3);
  const names = ["A", "B", "X", "D"].slice(0, count - 1).concat("D");
  const maxSeq = number("MAXSEQ", 4);
  const maxBid = number("MAXBID", 1);
  const links = [
    ["D", "B"],
    ["B", "A"],
    ["A", "X"],
  ] as const;
  return {
    nodes: Object.fromEntries(
      names.map((name) => [name, (environment: Environment) => new Router(environment, parameters)]),
    ),
    capture: parameters["REPLAY"] ? "replay" : "auto",
    network: { capacity: number("Q", 2), loss: true, ...(parameters["LINE4"] ? { links } : {}) },
    budgets: { linkFailures: number("LF", 1), timeouts: number("TO", 0), reboots: number("RB", 0) },
    actions: {
      request: { when: (node) => node.needsRoute(maxBid), run: (node) => node.request() },
      linkFails: {
        values: names.map((_, index) => index),
        when: (node, neighbour: number) => node.uses(neighbour),
        run: (node, neighbour: number) => node.linkFails(neighbour),
        budget: "linkFailures",
      },
      timeOut: { when: (node) => node.mayTimeOut(), run: (node) => node.timeOut(), budget: "timeouts" },
      reboot: { run: (node) => node.reboot(), budget: "reboots" },
    },
    discard: (node) => node.routes.some((route) => route !== null && route.seq > maxSeq),
    // Routes to the destination; their distribution matters more than their owners.
    guide: ({ nodes }) =>
      names
        .map((name) => nodes[name]!.routes[count - 1])
        .map((route) => (route ? `${route.seq}/${route.hop}` : "-"))
        .sort()
        .join(" "),
    always: {
      "loop freedom": ({ nodes }) =>
        loopIn(
          names.map((name) => nodes[name]!.routes),
          names,
        ) ?? true,
      "hop 0 is the node itself": ({ nodes }) =>
        names.every((name, self) =>
          nodes[name]!.routes.every((route, to) => to === self || route?.hop !== 0),
        ),
      ...(parameters["ORDER"] && {
        "routes lead to fresher or nearer ones": ({ nodes }) => {
          const tables = names.map((name) => nodes[name]!.routes);
          return tables.every((table, self) =>
            table.every((_, to) => to === self || leadsOn(tables, self, to)),
          );
        },
        "hops are infinite or fewer than nodes": ({ nodes }) =>
          names.every((name) =>
            nodes[name]!.routes.every((route) => !isValid(route) || route.hop < names.length),
          ),
      }),
    },
    messages: {
      "no reply with an infinite hop count": (message: Message) =>
        message.type !== "RREP" || message.hop < INFINITY,
    },
  };
});

/** Does the next hop on a valid route have a fresher route, or an equally fresh and shorter one? This implies loop freedom. */
function leadsOn(tables: readonly (readonly (Route | null)[])[], self: number, to: number): boolean {
  const own = tables[self]![to];
  if (!isValid(own)) return true;
  const next = tables[own.nextHop]![to];
  return !!next && (own.seq < next.seq || (own.seq === next.seq && own.hop > next.hop));
}

/** A cycle of valid routes to one destination, in words. */
function loopIn(
  tables: readonly (readonly (Route | null)[])[],
  names: readonly string[],
): string | undefined {
  for (let to = 0; to < tables.length; to++)
    for (let start = 0; start < tables.length; start++) {
      let at = start;
      for (let steps = 0; at !== to && steps <= tables.length; steps++) {
        const route = tables[at]![to];
        if (!isValid(route)) break;
        at = route.nextHop;
        if (at === start) return `the route of ${names[start]} to ${names[to]} leads back to ${names[start]}`;
      }
    }
  return undefined;
}
