/**
 * A network described in TypeScript: what `.sdn` files say, as data and functions.
 *
 * Functions must be pure: they are called once for each combination of packet and state, in any order, and their results are
 * kept. States of the controller are plain data; two with the same JSON are the same state.
 */

/** The fields of packets, each with all its values. */
export type PacketFields = Readonly<Record<string, readonly (string | number | boolean)[]>>;

export type PacketOf<F extends PacketFields> = { readonly [K in keyof F]: F[K][number] };

/** A port of a switch or a client: `s1:2`. */
export type EndName = `${string}:${number}`;

export type LinkEnds = readonly [EndName, EndName];

export interface NetworkDescription<F extends PacketFields, S, E extends string> {
  readonly name?: string;
  /** How many ports each switch has; they are numbered from 1. */
  readonly switches: Readonly<Record<string, number>>;
  readonly clients: Readonly<Record<string, ClientDescription<F>>>;
  readonly links: readonly LinkEnds[];
  /** More links, which may fail. */
  readonly failingLinks?: readonly LinkEnds[];
  readonly packet: F;
  /** Packets remember which switches they have passed; `noForwardingLoop` needs it. */
  readonly tracksVisited?: boolean;
  readonly controller: ControllerDescription<F, S, E>;
  readonly events?: readonly EventDescription<F, S, E>[];
  /** Everything that handlers can report as an error; none must be reached. */
  readonly errors?: readonly E[];
  readonly properties: readonly PropertyDescription<F, S>[];
  /** Each client sends each of its packets at most so often; absent: any number of times. */
  readonly sendLimit?: number;
}

export interface ClientDescription<F extends PacketFields> {
  /** What it may send, wherever it is attached. */
  readonly sends?: readonly PacketOf<F>[];
  /** One list of packets to send for each way it can go; no way: the packet stays. Absent: what it receives is gone. */
  receive?(packet: PacketOf<F>, port: number): readonly (readonly PacketOf<F>[])[];
}

export interface ControllerDescription<F extends PacketFields, S, E extends string> {
  /** At most so many requests are with the controller at once; absent: one. */
  readonly kappa?: number;
  readonly initial: S;
  packetIn(request: Request<F, S>): Reply<F, S, E>;
  /** A link at that port has failed. */
  portDown?(told: { readonly at: string; readonly port: number; readonly state: S }): Change<F, S, E>;
  /** The switch has obeyed a barrier. One outcome for each way it can go. */
  barrierReply?(told: { readonly at: string; readonly state: S }): readonly EventOutcome<F, S, E>[];
  /** What a barrier does: `openflow` (the default) orders messages, `published` stops the switch until it is obeyed. */
  readonly barriers?: "openflow" | "published";
  /** Neither handler ever sends barriers: more can be reduced then. */
  readonly sendsNoBarriers?: boolean;
}

export interface Request<F extends PacketFields, S> {
  readonly packet: PacketOf<F>;
  /** The switch that asks, and the port the packet came through. */
  readonly at: string;
  readonly port: number;
  readonly state: S;
}

export interface Change<F extends PacketFields, S, E extends string> {
  /** By switch, in the order in which they are sent. */
  readonly commands?: Readonly<Record<string, readonly SwitchCommand<F>[]>>;
  /** Absent: it stays as it is. */
  readonly state?: S;
  readonly error?: E;
}

export interface Reply<F extends PacketFields, S, E extends string> extends Change<F, S, E> {
  /** Where the packet goes; `flood`: out of all other ports that lead somewhere; absent or none: it is dropped. */
  readonly ports?: readonly number[] | "flood";
}

export type SwitchCommand<F extends PacketFields> =
  { readonly add: RuleDescription<F> } | { readonly remove: RuleDescription<F> } | "barrier";

export interface RuleDescription<F extends PacketFields> {
  readonly priority: number;
  /** What is left out matches everything. */
  readonly match?: Partial<PacketOf<F>>;
  /** The port the packet came through. */
  readonly port?: number;
  /** None: drop. */
  readonly ports: readonly number[];
  /** It may vanish at any moment. */
  readonly expires?: boolean;
}

/** Something of the environment, at any time. */
export interface EventDescription<F extends PacketFields, S, E extends string> {
  readonly name: string;
  /** One outcome for each way it can go; none: it cannot happen now. */
  run(state: S): readonly EventOutcome<F, S, E>[];
  /** It never sends barriers: more can be reduced then. */
  readonly sendsNoBarriers?: boolean;
}

export interface EventOutcome<F extends PacketFields, S, E extends string> extends Change<F, S, E> {
  /** For people. */
  readonly label?: string;
  readonly emits?: readonly { readonly packet: PacketOf<F>; readonly at: EndName }[];
}

/** A packet somewhere. */
export interface Seen<F extends PacketFields> {
  readonly packet: PacketOf<F>;
  /** Where it is, and the port it came through. */
  readonly node: string;
  readonly port: number;
  /** The switches it has passed, if packets track that. */
  readonly visited: readonly string[];
}

/**
 * What must be so. Conditions that look at the controller's state have names of their own (`…WithState`): those that do not
 * allow more reductions.
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
      /** A decision of the controller is judged when the switch carries it out, not when it is made. */
      readonly atExecution?: boolean;
    }
  | { readonly builtin: "noForwardingLoop" | "noBlackHole" | "noAmbiguousMatch" | "noErrors" }
  | { readonly waypoint: { readonly to: string; readonly via: readonly string[] } }
  /** All executions satisfy the formula: `G (asked -> F answered)`. */
  | {
      readonly ltl: string;
      readonly propositions: Readonly<Record<string, (moment: NetworkMoment<F, S>) => boolean>>;
    }
  /** By the packet field `src`. */
  | { readonly isolated: { readonly from: readonly string[]; readonly to: readonly string[] } };

/** What a proposition of a formula sees. */
export interface NetworkMoment<F extends PacketFields, S> {
  /** The controller's state. */
  readonly state: S;
  /** Packets in the queues of switches and clients. */
  readonly packets: readonly Seen<F>[];
}

/** `switches`, `clients`, or the name of a node; absent: everywhere. */
export type Where = "switches" | "clients" | (string & {});

export type EventName = "dropped" | "forwarded" | "received" | "packetIn" | "ambiguous" | "lost";

/** Checks the types of a description, and gives it back. */
export const defineNetwork = <const F extends PacketFields, S, const E extends string = never>(
  description: NetworkDescription<F, S, E>,
): NetworkDescription<F, S, E> => description;

/** Every packet with these values; fields that are not given take all values. */
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
