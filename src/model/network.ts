/**
 * The `Network`: switches, clients and links, a controller, and properties. Languages and the library
 * create it; `compile/network` defines its semantics, `transforms/network` its reductions.
 *
 * Names are resolved: switches, clients and links are numbers, values of packet fields are positions in the field's
 * domain. Behaviour is functions, which must be pure: callers cache their results.
 *
 * A packet's data are its fields, then (if the network tracks them) one word with a bit for each visited switch, then one
 * counter for each chain of waypoints. Its location and input port are not part of the data.
 */
import type { Span } from "./diagnostic.js";
import type { Subject } from "./subject.js";
import type { TemporalProperty } from "./temporal.js";
import type { Property } from "./verdict.js";

export interface Network extends Subject {
  readonly kind: "network";
  readonly name: string;
  readonly switches: readonly NetworkSwitch[];
  readonly clients: readonly NetworkClient[];
  readonly links: readonly NetworkLink[];
  readonly packet: PacketShape;
  readonly controller: NetworkController;
  readonly events: readonly NetworkEvent[];
  readonly properties: readonly NetworkProperty[];
  /** Everything that `error(…)` can report, by number. */
  readonly errors: readonly { readonly message: string; readonly span: Span }[];
  /** For diagnostics without a position. */
  readonly span: Span;
}

export interface NetworkSwitch {
  readonly name: string;
  readonly ports: readonly NetworkPort[];
  readonly span: Span;
}

export interface NetworkPort {
  readonly number: number;
  /** The other end; absent: packets sent there are lost. */
  readonly peer: Endpoint | undefined;
  readonly link: number;
}

export interface Endpoint extends Place {
  readonly port: number;
}

export interface Place {
  readonly kind: "switch" | "client";
  readonly index: number;
}

export interface NetworkLink {
  readonly name: string;
  readonly ends: readonly [Endpoint, Endpoint];
  readonly mayFail: boolean;
}

export interface NetworkClient {
  readonly name: string;
  /** Packets that it may send, any number of times, and their entry points. */
  readonly sends: readonly Arrival[];
  /** Absent: received packets disappear. */
  readonly receive: ReceiveHandler | undefined;
  readonly span: Span;
}

/** A packet that enters a switch. */
export interface Arrival {
  readonly switch: number;
  readonly port: number;
  readonly data: PacketData;
}

export type PacketData = readonly number[];

export interface ReceiveHandler {
  /** One outcome for each way it can go; none: the packet is not taken now. */
  run(packet: PacketData, port: number, state: ControlState): readonly Outcome[];
  /** It reads or changes the controller's state, or gives commands: receiving is then a step that others can see. */
  readonly touchesController: boolean;
  /** Some of its commands are barriers. */
  readonly usesBarriers: boolean;
  readonly span: Span;
}

export interface PacketShape {
  readonly fields: readonly PacketField[];
  readonly tracksVisited: boolean;
  readonly waypoints: readonly (readonly Place[])[];
}

export interface PacketField {
  readonly name: string;
  /** Texts of its values, by position. */
  readonly values: readonly string[];
}

/** The controller's memory; equal states have equal keys. */
export type ControlState = unknown;

export interface NetworkController {
  /** Maximum number of pending requests. */
  readonly kappa: number;
  readonly initial: ControlState;
  key(state: ControlState): string;
  /** The state of a key; absent: states are values of a program. */
  stateOf?(key: string): ControlState;
  /** For people: name and value. */
  show(state: ControlState): readonly { readonly name: string; readonly value: string }[];
  packetIn(packet: PacketData, at: number, port: number, state: ControlState): Reaction;
  /** Called immediately for each switch port whose link fails. */
  readonly portDown:
    | ((at: number, port: number, state: ControlState) => Pick<Reaction, "commands" | "state" | "error">)
    | undefined;
  /** Some commands of `portDown` are barriers. */
  readonly portDownUsesBarriers: boolean;
  /** Some commands of `packetIn` may be barriers. */
  readonly usesBarriers: boolean;
  /**
   * `openflow`: a barrier orders the messages to a switch before and after it; packets proceed. `published`: a
   * switch with a pending barrier does nothing else.
   */
  readonly barriers: BarrierMeaning;
  /** Called some time after a switch has processed a barrier; returns all possible outcomes. */
  readonly barrierReply: BarrierReplyHandler | undefined;
  readonly span: Span;
}

export type BarrierMeaning = "openflow" | "published";

export interface BarrierReplyHandler {
  run(at: number, state: ControlState): readonly Outcome[];
  readonly usesBarriers: boolean;
}

/** Does anything in the network send barriers? */
export const usesBarriers = ({ controller, events, clients }: Network): boolean =>
  controller.usesBarriers ||
  controller.portDownUsesBarriers ||
  controller.barrierReply?.usesBarriers === true ||
  events.some((event) => event.usesBarriers) ||
  clients.some(({ receive }) => receive?.usesBarriers);

/** The controller's response to a packet without a matching rule. */
export interface Reaction {
  readonly commands: readonly Command[];
  /** Ports to which the switch sends the packet; none: it drops the packet. */
  readonly ports: readonly number[];
  /** Number of commands sent before the reply; undefined: all. */
  readonly repliesAfter?: number | undefined;
  readonly state: ControlState;
  /** An `error(…)` was reached: its number. */
  readonly error: number | undefined;
}

export type Command =
  | { readonly kind: "add" | "del"; readonly switch: number; readonly rule: Rule }
  | { readonly kind: "barrier"; readonly switch: number };

export interface Rule {
  readonly priority: number;
  /** By position; undefined matches everything. */
  readonly fields: readonly (number | undefined)[];
  /** The input port of the packet. */
  readonly port: number | undefined;
  /** A port may occur several times; empty: drop. */
  readonly ports: readonly number[];
  /** It may vanish at any moment. */
  readonly expires: boolean;
}

export interface NetworkEvent {
  readonly name: string;
  /** One outcome for each way it can go now; none: it is not enabled. */
  run(state: ControlState): readonly Outcome[];
  readonly usesBarriers: boolean;
  readonly span: Span;
}

export interface Outcome {
  /** Description of the choice; may be empty. */
  readonly label: string;
  readonly emits: readonly Arrival[];
  readonly commands: readonly Command[];
  readonly state: ControlState;
  readonly error: number | undefined;
}

export interface NetworkProperty extends Property {
  readonly check: PropertyCheck;
  readonly observes: Observation;
}

export type PropertyCheck =
  /** Each packet separately. */
  | {
      readonly form: "packets";
      readonly region: Region;
      holds(packet: PacketData, at: Endpoint, state: ControlState): boolean;
    }
  | { readonly form: "state"; holds(view: NetworkView): boolean }
  /** No such event while the condition is true. */
  | {
      readonly form: "event";
      readonly events: readonly PacketEvent[];
      /** The controller's decision to forward or drop is judged when it is made, or when the switch carries it out. */
      readonly moment: "decision" | "execution";
      isBad(packet: PacketData, at: Endpoint, state: ControlState): boolean;
    }
  /** No `error(…)` is reached. */
  | { readonly form: "errors" }
  /** Packets or messages wait forever: no step is possible. */
  | { readonly form: "stuck" }
  /** A temporal formula; its propositions, by index. */
  | { readonly form: "executions"; readonly conditions: readonly StateCondition[] };

export type StateCondition = (view: NetworkView) => boolean;

/** A property of infinite executions. */
export type NetworkFormula = NetworkProperty &
  TemporalProperty & { readonly check: Extract<PropertyCheck, { form: "executions" }> };

export const isNetworkFormula = (property: NetworkProperty): property is NetworkFormula =>
  property.check.form === "executions";

/** The reductions of networks preserve violations in single states and steps; these properties are about more. */
export const needsWholeNetwork = ({ check }: NetworkProperty): boolean =>
  check.form === "executions" || check.form === "stuck"; // sound: test/session/network-questions.test.ts

/** The condition of a property that holds in every state. */
export function conditionOf({ check }: NetworkProperty): StateCondition {
  if (check.form === "state") return (view) => check.holds(view);
  if (check.form !== "packets") throw new Error("not a condition on states");
  return (view) => view.packets(check.region).every(({ data, at }) => check.holds(data, at, view.control));
}

/** `lost`: forwarded to an unconnected port or a failed link. */
export type PacketEvent = "dropped" | "forwarded" | "received" | "packetIn" | "ambiguous" | "lost";

export type Region = "all" | "switches" | "clients" | Place;

/** Data that a property reads: determines the allowed reductions. */
export interface Observation {
  readonly tables: boolean;
  readonly control: boolean;
  readonly switchPackets: boolean;
  readonly clientPackets: boolean;
  /** More packets never repair a violation. */
  readonly isUpwardClosed: boolean;
  /** Several packets at once, or packets and something else that a formula ties together in one state. */
  readonly relatesPackets: boolean;
}

/** Reads everything, and more packets may repair a violation: allows no reduction. */
export const EVERYTHING: Observation = {
  tables: true,
  control: true,
  switchPackets: true,
  clientPackets: true,
  isUpwardClosed: false,
  relatesPackets: true,
};

export interface NetworkView {
  readonly control: ControlState;
  packets(region: Region): readonly { readonly data: PacketData; readonly at: Endpoint }[];
  isInstalled(at: number, rule: Rule): boolean;
}

/** One step of the concrete semantics, with everything it is about. */
export type NetworkAction =
  | { readonly kind: "send"; readonly client: number; readonly arrival: Arrival }
  | {
      readonly kind: "receive";
      readonly client: number;
      readonly port: number;
      readonly packet: PacketData;
      readonly outcome: number;
      readonly label: string;
      readonly emits: readonly Arrival[];
    }
  | (SwitchAction & { readonly kind: "match"; readonly rule: Rule; readonly copies: readonly Copy[] })
  | (SwitchAction & { readonly kind: "nomatch" })
  | { readonly kind: "add" | "del" | "expire"; readonly switch: number; readonly rule: Rule }
  | (SwitchAction & {
      readonly kind: "forward";
      readonly ports: readonly number[];
      readonly copies: readonly Copy[];
    })
  /** `table`: the resulting table. */
  | { readonly kind: "barrier"; readonly switch: number; readonly table: readonly Rule[] }
  | (SwitchAction & {
      readonly kind: "control";
      readonly commands: readonly Command[];
      readonly ports: readonly number[];
    })
  | {
      readonly kind: "event";
      readonly event: number;
      readonly outcome: number;
      readonly label: string;
      readonly commands: readonly Command[];
      readonly emits: readonly Arrival[];
    }
  | {
      readonly kind: "barrierReply";
      readonly switch: number;
      readonly outcome: number;
      readonly label: string;
      readonly commands: readonly Command[];
      readonly emits: readonly Arrival[];
    }
  | { readonly kind: "fail"; readonly link: number };

interface SwitchAction {
  readonly switch: number;
  readonly packet: PacketData;
  readonly port: number;
}

/** Destination of a copy of a packet. */
export interface Copy {
  readonly port: number;
  /** Nothing: it was lost. */
  readonly to: Endpoint | undefined;
  readonly data: PacketData;
}

export const isNetwork = (subject: Subject | undefined): subject is Network => subject?.kind === "network";

/** The position of the word with the visited bits, or -1. */
export const visitedWord = ({ fields, tracksVisited }: PacketShape): number =>
  tracksVisited ? fields.length : -1;

/** The position of the first waypoint counter. */
export const firstWaypoint = ({ fields, tracksVisited }: PacketShape): number =>
  fields.length + (tracksVisited ? 1 : 0);

/** A packet as it enters the network: nothing visited, no waypoint passed. */
export const freshPacket = (shape: PacketShape, fields: readonly number[]): PacketData => [
  ...fields,
  ...(shape.tracksVisited ? [0] : []),
  ...shape.waypoints.map(() => 0),
];

export const samePlace = (a: Place, b: Place): boolean => a.kind === b.kind && a.index === b.index;

export const isInRegion = (place: Place, region: Region): boolean => {
  if (region === "all") return true;
  if (region === "switches") return place.kind === "switch";
  if (region === "clients") return place.kind === "client";
  return samePlace(place, region);
};
