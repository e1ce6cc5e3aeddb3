import type {
  Endpoint,
  NetworkProperty,
  PacketData,
  Place,
  Region,
  StateCondition,
} from "../../../model/network.js";
import * as builtin from "../builtin-properties.js";
import type {
  NetworkMoment,
  PacketFields,
  PropertyClaim,
  PropertyDescription,
  Where,
} from "./description.js";
import type { Vocabulary } from "./vocabulary.js";

type Report = (message: string) => void;

export function lowerClaim<F extends PacketFields, S>(
  claim: PropertyDescription<F, S>,
  named: builtin.Named,
  words: Vocabulary<F>,
  report: Report,
): NetworkProperty | undefined {
  if ("everyPacket" in claim)
    return packets(named, regionOf(claim.at, words, report), false, (data, at) =>
      claim.everyPacket(words.seen(data, at)),
    );
  if ("everyPacketWithState" in claim)
    return packets(named, regionOf(claim.at, words, report), true, (data, at, state) =>
      claim.everyPacketWithState(words.seen(data, at), state as S),
    );
  if ("everyState" in claim)
    return {
      ...named,
      kind: "invariant",
      check: { form: "state", holds: ({ control }) => claim.everyState(control as S) },
      observes: { ...builtin.PACKETS_ALONE, control: true },
    };
  if ("never" in claim) return never(claim, named, words);
  if ("builtin" in claim) {
    if (claim.builtin !== "noForwardingLoop") return builtin[claim.builtin](named);
    const loops = builtin.noForwardingLoop(named, words.shape);
    if (!loops) report("forwarding loops are detected only if packets track visits: set `tracksVisited`");
    return loops;
  }
  if ("waypoint" in claim) {
    const [to, ...via] = [claim.waypoint.to, ...claim.waypoint.via].map((node) =>
      placeOf(node, words, report),
    );
    if (!to || !via.every((place) => place !== undefined)) return undefined;
    return builtin.waypoint(named, words.shape, to, via);
  }
  if ("ltl" in claim) return undefined; // a formula: `formulasOf`
  const source = Object.keys(words.fields).indexOf("src");
  if (source < 0) report("`isolated` needs a packet field `src`");
  const values = words.fields["src"] ?? [];
  const from = claim.isolated.from.map((client) => values.indexOf(client));
  if (from.includes(-1)) report("`isolated` names a sender that `src` never is");
  const to = claim.isolated.to.flatMap((client) => placeOf(client, words, report)?.index ?? []);
  return builtin.isolated(named, source, from, to);
}

/** A temporal formula with its propositions by name. */
export interface DescribedFormula {
  readonly name: string;
  readonly text: string;
  readonly propositions: ReadonlyMap<string, StateCondition>;
}

export const formulasOf = <F extends PacketFields, S>(
  properties: readonly PropertyDescription<F, S>[],
  words: Vocabulary<F>,
): readonly DescribedFormula[] =>
  properties.flatMap((claim) =>
    "ltl" in claim
      ? [{ name: claim.name, text: claim.ltl, propositions: propositionsOf(claim.propositions, words) }]
      : [],
  );

const propositionsOf = <F extends PacketFields, S>(
  propositions: Readonly<Record<string, (moment: NetworkMoment<F, S>) => boolean>>,
  words: Vocabulary<F>,
): ReadonlyMap<string, StateCondition> =>
  new Map(
    Object.entries(propositions).map(([name, holds]) => [
      name,
      ({ control, packets: queued }) =>
        holds({
          state: control as S,
          packets: queued("all").map(({ data, at }) => words.seen(data, at)),
        }),
    ]),
  );

/** Chains of the `waypoint` properties; packets count their progress in each. */
export const chainsOf = <F extends PacketFields, S>(
  properties: readonly PropertyDescription<F, S>[],
  place: (name: string) => Place | undefined,
): readonly (readonly Place[])[] =>
  properties
    .flatMap((claim) =>
      "waypoint" in claim ? [claim.waypoint.via.flatMap((node) => place(node) ?? [])] : [],
    )
    .filter((chain, i, all) => all.findIndex((other) => builtin.isSameChain(other, chain)) === i);

function never<F extends PacketFields, S>(
  claim: Extract<PropertyClaim<F, S>, { never: unknown }>,
  named: builtin.Named,
  words: Vocabulary<F>,
): NetworkProperty {
  const readsControl = "whenWithState" in claim;
  return builtin.eventProperty(named, {
    events: [claim.never],
    readsControl,
    moment: readsControl && claim.atExecution ? "execution" : "decision",
    isBad: (data, at, state) =>
      readsControl
        ? claim.whenWithState(words.seen(data, at), state as S)
        : (claim.when?.(words.seen(data, at)) ?? true),
  });
}

const packets = (
  named: builtin.Named,
  region: Region,
  control: boolean,
  holds: (data: PacketData, at: Endpoint, state: unknown) => boolean,
): NetworkProperty => ({
  ...named,
  kind: "invariant",
  check: { form: "packets", region, holds },
  observes: {
    ...builtin.PACKETS_ALONE,
    control,
    switchPackets: isAbout("switch", region),
    clientPackets: isAbout("client", region),
  },
});

const isAbout = (kind: Place["kind"], region: Region): boolean =>
  typeof region === "string" ? region === "all" || region.startsWith(kind) : region.kind === kind;

function regionOf<F extends PacketFields>(
  where: Where | undefined,
  words: Vocabulary<F>,
  report: Report,
): Region {
  if (where === undefined) return "all";
  if (where === "switches") return "switches";
  if (where === "clients") return "clients";
  return placeOf(where, words, report) ?? "all";
}

function placeOf<F extends PacketFields>(
  name: string,
  words: Vocabulary<F>,
  report: Report,
): Place | undefined {
  const place = words.place(name);
  if (!place) report(`there is no switch or client '${name}'`);
  return place;
}
