/**
 * The three messages of the protocol, and their validation.
 *
 * Packets from the network are untrusted: `parsePacket` checks their shape before any handler, but cannot
 * check their truth.
 */
export type Address = string;

/** A hop count has eight bits; the largest value marks an invalid route. */
export const INFINITY = 255;

/** Lifetime of an unused route, as announced by a reply. */
export const ACTIVE_ROUTE_MS = 3000;

/** Flooded by a node that needs a route. */
export type RouteRequest = {
  readonly type: "RREQ";
  readonly hop: number;
  /** With `orig`, names the request. */
  readonly bid: number;
  readonly orig: Address;
  readonly oseq: number;
  readonly dst: Address;
  /** The freshest known sequence number of the destination; an answer must be at least that fresh. 0: none. */
  readonly dseq: number;
  readonly reserved: number;
};

/** Travels back along the path of the request. */
export type RouteReply = {
  readonly type: "RREP";
  readonly hop: number;
  readonly dst: Address;
  readonly seq: number;
  readonly orig: Address;
  readonly lifetimeMs: number;
  readonly reserved: number;
};

/** Announces unreachable destinations. */
export type RouteError = {
  readonly type: "RERR";
  readonly count: number;
  readonly items: readonly LostRoute[];
  readonly reserved: number;
};

export type LostRoute = {
  readonly dst: Address;
  readonly seq: number;
  /** Former distance. */
  readonly hop: number;
};

/** Joins the tree of a multicast group, or leaves it. */
export type GroupActivation = {
  readonly type: "MACT";
  readonly group: Address;
  readonly joins: boolean;
  readonly reserved: number;
};

export type Packet = RouteRequest | RouteReply | RouteError | GroupActivation;

/** Null for invalid packets. */
export function parsePacket(data: unknown): Packet | null {
  if (typeof data !== "object" || data === null) return null;
  const packet = data as Partial<Packet>;
  switch (packet.type) {
    case "RREQ":
      return isByte(packet.hop) && isCount(packet.bid) && isCount(packet.oseq) && isCount(packet.dseq)
        ? (packet as RouteRequest)
        : null;
    case "RREP":
      return isByte(packet.hop) && isCount(packet.seq) ? (packet as RouteReply) : null;
    case "RERR":
      return Array.isArray(packet.items) && isCount(packet.count) ? (packet as RouteError) : null;
    case "MACT":
      return typeof packet.joins === "boolean" ? (packet as GroupActivation) : null;
    default:
      return null;
  }
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isByte = (value: unknown): boolean => isCount(value) && (value as number) <= INFINITY;
