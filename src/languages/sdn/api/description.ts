/**
 * Networks described in TypeScript: the contents of `.sdn` files as data and functions.
 *
 * Functions must be pure: they are called once per combination of packet and state, in any order, and the results are
 * cached. States of the controller are plain data; states with the same JSON are equal.
 */

/** Packet fields, each with all its values. */
export type PacketFields = Readonly<Record<string, readonly (string | number | boolean)[]>>;

export type PacketOf<F extends PacketFields> = { readonly [K in keyof F]: F[K][number] };

/** A port of a switch or client: `s1:2`. */
export type EndName = `${string}:${number}`;

export type LinkEnds = readonly [EndName, EndName];

export interface NetworkDescription<F extends PacketFields, S, E extends string> {
  readonly name?: string;
  /** Number of ports of each switch; ports are numbered from 1. */
  readonly switches: Readonly<Record<string, number>>;
  readonly clients: Readonly<Record<string, ClientDescription<F>>>;
  readonly links: readonly LinkEnds[];
  /** Additional links, which may fail. */
  readonly failingLinks?: readonly LinkEnds[];
  readonly packet: F;
  /** Packets record the switches they have passed; required by `noForwardingLoop`. */
  readonly tracksVisited?: boolean;
  readonly controller: ControllerDescription<F, S, E>;
  readonly events?: readonly EventDescription<F, S, E>[];
  /** Errors that handlers can report; none may be reachable. */
  readonly errors?: readonly E[];
  readonly properties: readonly PropertyDescription<F, S>[];
  /** Most times that a client sends each of its packets; absent: unbounded. */
  readonly sendLimit?: number;
}

export interface ClientDescription<F extends PacketFields> {
  /** Packets that the client may send, from every port it is attached to. */
  readonly sends?: readonly PacketOf<F>[];
  /**
   * Returns one list of packets to send per alternative; with no alternatives the packet stays. Absent: received
   * packets vanish.
   */
  receive?(packet: PacketOf<F>, port: number): readonly (readonly PacketOf<F>[])[];
}

export interface ControllerDescription<F extends PacketFields, S, E extends string> {
  /** Most requests pending at the controller at once; default: one. */
  readonly kappa?: number;
  readonly initial: S;
  packetIn(request: Request<F, S>): Reply<F, S, E>;
  /** Handles the failure of the link at this port. */
  portDown?(event: { readonly at: string; readonly port: number; readonly state: S }): Change<F, S, E>;
  /** Handles the completion of a barrier; returns one outcome per alternative. */
  barrierReply?(event: { readonly at: string; readonly state: S }): readonly EventOutcome<F, S, E>[];
  /**
   * Semantics of barriers: `openflow` (the default) orders messages; `published` blocks the switch until the barrier
   * completes.
   */
  readonly barriers?: "openflow" | "published";
  /** No handler sends barriers, which permits more reductions. */
  readonly sendsNoBarriers?: boolean;
}

export interface Request<F extends PacketFields, S> {
  readonly packet: PacketOf<F>;
  /** The requesting switch, and the packet's ingress port. */
  readonly at: string;
  readonly port: number;
  readonly state: S;
}

export interface Change<F extends PacketFields, S, E extends string> {
  /** By switch, in order of sending. */
  readonly commands?: Readonly<Record<string, readonly SwitchCommand<F>[]>>;
  /** Absent: unchanged. */
  readonly state?: S;
  readonly error?: E;
}

export interface Reply<F extends PacketFields, S, E extends string> extends Change<F, S, E> {
  /** Egress ports; `flood`: all connected ports except the ingress port; absent or empty: the packet is dropped. */
  readonly ports?: readonly number[] | "flood";
}

export type SwitchCommand<F extends PacketFields> =
  { readonly add: RuleDescription<F> } | { readonly remove: RuleDescription<F> } | "barrier";

export interface RuleDescription<F extends PacketFields> {
  readonly priority: number;
  /** Omitted fields match every value. */
  readonly match?: Partial<PacketOf<F>>;
  /** The packet's ingress port. */
  readonly port?: number;
  /** Empty: drop. */
  readonly ports: readonly number[];
  /** The rule may expire at any time. */
  readonly expires?: boolean;
}

/** An event of the environment, possible at any time. */
export interface EventDescription<F extends PacketFields, S, E extends string> {
  readonly name: string;
  /** Returns one outcome per alternative; empty: the event is not enabled. */
  run(state: S): readonly EventOutcome<F, S, E>[];
  /** The event sends no barriers, which permits more reductions. */
  readonly sendsNoBarriers?: boolean;
}

export interface EventOutcome<F extends PacketFields, S, E extends string> extends Change<F, S, E> {
  /** For display. */
  readonly label?: string;
  readonly emits?: readonly { readonly packet: PacketOf<F>; readonly at: EndName }[];
}

/** A packet and its position. */
export interface Seen<F extends PacketFields> {
  readonly packet: PacketOf<F>;
  /** Its node, and the port through which it came. */
  readonly node: string;
  readonly port: number;
  /** The switches it has passed, if packets track visits. */
  readonly visited: readonly string[];
}

/**
 * A property. Conditions that read the controller's state have separate names (`…WithState`): the others permit more
 * reductions.
 */
export type PropertyDescription<F extends PacketFields, S> = { readonly name: string } & PropertyClaim<F, S>;

export type PropertyClaim<F extends PacketFields, S> =
  | { everyPacket(seen: Seen<F>): boolean; readonly at?: Where }
  | { everyPacketWithState(seen: Seen<F>, state: S): boolean; readonly at?: Where }
  | { everyState(state: S): boolean }
  | { readonly never: EventName; when?(seen: Seen<F>): boolean }
  | {
      readonly never: EventName;
      whenWithState(seen: Seen<F>, state: S): boolean;
      /** Judges a decision of the controller when the switch executes it, not when the controller makes it. */
      readonly atExecution?: boolean;
    }
  | { readonly builtin: "noForwardingLoop" | "noBlackHole" | "noAmbiguousMatch" | "noErrors" }
  | { readonly waypoint: { readonly to: string; readonly via: readonly string[] } }
  /** All executions satisfy the formula: `G (asked -> F answered)`. */
  | {
      readonly ltl: string;
      readonly propositions: Readonly<Record<string, (moment: NetworkMoment<F, S>) => boolean>>;
    }
  /** Identifies senders by the packet field `src`. */
  | { readonly isolated: { readonly from: readonly string[]; readonly to: readonly string[] } };

/** A state as propositions of a formula see it. */
export interface NetworkMoment<F extends PacketFields, S> {
  /** The controller's state. */
  readonly state: S;
  /** Packets in the queues of switches and clients. */
  readonly packets: readonly Seen<F>[];
}

/** `switches`, `clients`, or the name of a node; absent: any node. */
export type Where = "switches" | "clients" | (string & {});

export type EventName = "dropped" | "forwarded" | "received" | "packetIn" | "ambiguous" | "lost";

/** Returns the description unchanged; checks its types. */
export const defineNetwork = <const F extends PacketFields, S, const E extends string = never>(
  description: NetworkDescription<F, S, E>,
): NetworkDescription<F, S, E> => description;

/** All packets with these values; other fields range over all values. */
export function allPackets<const F extends PacketFields>(
  fields: F,
  given: Partial<PacketOf<F>> = {},
): readonly PacketOf<F>[] {
  const wanted = new Map<string, F[string][number] | undefined>(Object.entries(given));
  return Object.entries(fields).reduce<PacketOf<F>[]>(
    (packets, [name, values]) =>
      packets.flatMap((packet) =>
        (wanted.has(name) ? [wanted.get(name)] : values).map((value) => ({ ...packet, [name]: value })),
      ),
    [{} as PacketOf<F>],
  );
}
