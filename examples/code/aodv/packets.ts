/**
 * What routers say to each other: the three messages of the protocol, and what makes one acceptable.
 *
 * A packet that was read from the network is a stranger's: `parsePacket` looks at its shape before any handler does. What
 * it cannot know is whether the packet is true.
 */
export type Address = string;

/** A hop count is eight bits; the largest stands for a route that is not valid. */
export const INFINITY = 255;

/** How long a route lives without being used, as a reply announces it. */
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
  /** The freshest number that is known for the destination; an answer has to be as fresh. 0: none. */
  readonly dseq: number;
  readonly reserved: number;
};

/** Goes back along the way that the request came. */
export type RouteReply = {
  readonly type: "RREP";
  readonly hop: number;
  readonly dst: Address;
  readonly seq: number;
  readonly orig: Address;
  readonly lifetimeMs: number;
  readonly reserved: number;
};

/** Says which destinations cannot be reached any more. */
export type RouteError = {
  readonly type: "RERR";
  readonly count: number;
  readonly items: readonly LostRoute[];
  readonly reserved: number;
};

export type LostRoute = {
  readonly dst: Address;
  readonly seq: number;
  /** How far away it was. */
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

/** Null for what is no packet at all. */
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
