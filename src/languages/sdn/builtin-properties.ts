/** Properties of events and built-in properties, shared by `.sdn` texts and TypeScript descriptions. */
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import {
  firstWaypoint,
  samePlace,
  visitedWord,
  type NetworkProperty,
  type Observation,
  type PacketEvent,
  type PacketShape,
  type Place,
  type PropertyCheck,
} from "../../model/network.js";

export interface Named {
  readonly name: string;
  readonly span: Span;
}

type IsBad = Extract<PropertyCheck, { form: "event" }>["isBad"];

export interface EventClaim {
  readonly events: readonly PacketEvent[];
  readonly readsControl: boolean;
  readonly moment: "decision" | "execution";
  readonly isBad: IsBad;
}

export const PACKETS_ALONE: Observation = {
  tables: false,
  control: false,
  switchPackets: false,
  clientPackets: false,
  isUpwardClosed: true,
  relatesPackets: false,
};

export const eventProperty = (
  { name, span }: Named,
  { events, readsControl, moment, isBad }: EventClaim,
): NetworkProperty => ({
  name,
  kind: "event",
  span,
  check: { form: "event", events, moment, isBad },
  observes: { ...PACKETS_ALONE, control: readsControl },
});

const anyTime = (named: Named, events: readonly PacketEvent[], isBad: IsBad): NetworkProperty =>
  eventProperty(named, { events, readsControl: false, moment: "decision", isBad });

export const noBlackHole = (named: Named): NetworkProperty => anyTime(named, ["dropped", "lost"], () => true);

export const noAmbiguousMatch = (named: Named): NetworkProperty => anyTime(named, ["ambiguous"], () => true);

export const noErrors = ({ name, span }: Named): NetworkProperty => ({
  name,
  kind: "event",
  span,
  check: { form: "errors" },
  observes: PACKETS_ALONE,
});

/** Undefined if packets do not track visits. */
export function noForwardingLoop({ name, span }: Named, shape: PacketShape): NetworkProperty | undefined {
  const word = visitedWord(shape);
  if (word < 0) return undefined;
  return {
    name,
    kind: "invariant",
    span,
    check: {
      form: "packets",
      region: "switches",
      holds: (data, at) => ((data[word]! >> at.index) & 1) === 0,
    },
    observes: { ...PACKETS_ALONE, switchPackets: true },
  };
}

/** `chain` must be a chain that packets of this shape count. */
export function waypoint(
  named: Named,
  shape: PacketShape,
  to: Place,
  chain: readonly Place[],
): NetworkProperty {
  const counter = firstWaypoint(shape) + shape.waypoints.findIndex((c) => isSameChain(c, chain));
  return anyTime(named, ["received"], (data, at) => samePlace(at, to) && data[counter]! < chain.length);
}

/** `source`: index of the field with the sender; `from`: its values; `to`: clients. */
export const isolated = (
  named: Named,
  source: number,
  from: readonly number[],
  to: readonly number[],
): NetworkProperty =>
  anyTime(named, ["received"], (data, at) => from.includes(data[source]!) && to.includes(at.index));

export const isSameChain = (a: readonly Place[], b: readonly Place[]): boolean =>
  a.length === b.length && a.every((place, i) => samePlace(place, nth(b, i)));

/** `error(…)` must be unreachable, even without a property. */
export function withErrors(
  stated: readonly NetworkProperty[],
  hasErrors: boolean,
  span: Span,
): readonly NetworkProperty[] {
  if (!hasErrors || stated.some(({ check }) => check.form === "errors")) return stated;
  return [...stated, noErrors({ name: "no errors", span })];
}
