/** Which reductions a network and its properties allow, and why not. */
import type { Network, NetworkProperty } from "../../model/network.js";

export type NetworkReduction =
  | "barrier"
  | "client"
  | "counter"
  | "one-shot"
  | "controller"
  | "eager"
  | "preload"
  | "arrival"
  | "transitive"
  | "exact-control";

export interface GateRequest {
  readonly wanted: readonly NetworkReduction[];
  /** The properties of one run. */
  readonly properties: readonly NetworkProperty[];
  /** Each client sends each packet at most so often; Infinity: there is no such limit. */
  readonly sendLimit: number;
}

export interface Gated {
  readonly names: readonly NetworkReduction[];
  readonly refused: readonly { readonly name: NetworkReduction; readonly why: string }[];
}

/** In an order in which each comes after what it needs. */
const ORDER: readonly NetworkReduction[] = [
  "barrier",
  "client",
  "counter",
  "one-shot",
  "transitive",
  "controller",
  "eager",
  "preload",
  "exact-control",
  "arrival",
];

export function gate(network: Network, request: GateRequest): Gated {
  const names: NetworkReduction[] = [];
  const refused: { name: NetworkReduction; why: string }[] = [];
  for (const name of ORDER.filter((each) => request.wanted.includes(each))) {
    const why = WHY_NOT[name]({ network, ...request, names });
    if (why === undefined) names.push(name);
    else refused.push({ name, why });
  }
  return { names, refused };
}

interface Situation extends GateRequest {
  readonly network: Network;
  /** What was let pass so far. */
  readonly names: readonly NetworkReduction[];
}

type WhyNot = (situation: Situation) => string | undefined;

const firstOf =
  (...reasons: readonly WhyNot[]): WhyNot =>
  (situation) => {
    for (const reason of reasons) {
      const why = reason(situation);
      if (why !== undefined) return why;
    }
    return undefined;
  };

/** Some property is of a kind that the reduction cannot keep. */
const property =
  (what: string, isOfKind: (p: NetworkProperty, network: Network) => boolean): WhyNot =>
  ({ properties, network }) => {
    const found = properties.find((p) => isOfKind(p, network));
    return found && `property '${found.name}' ${what}`;
  };

const needs =
  (name: NetworkReduction): WhyNot =>
  ({ names }) =>
    names.includes(name) ? undefined : `it needs the reduction '${name}'`;

const seesTables = property("looks at flow tables", ({ observes }) => observes.tables);

const wantsPackets = property("can be repaired by more packets", ({ observes }) => !observes.isUpwardClosed);

const isPacketEvent = ({ check }: NetworkProperty, events: readonly string[]): boolean =>
  check.form === "event" && check.events.some((event) => events.includes(event));

/** Barriers of the environment can change a table between a request and its answer. */
const foreignBarriers: WhyNot = ({ network: { events, clients, controller } }) => {
  const event = events.find(({ usesBarriers }) => usesBarriers);
  if (event)
    return `the event '${event.name}' sends barriers, which may come between a request and its answer`;
  const client = clients.find(({ receive }) => receive?.usesBarriers);
  if (client)
    return `what '${client.name}' receives leads to barriers, which may come between a request and its answer`;
  return controller.portDownUsesBarriers
    ? "`portDown` sends barriers, which may come between a request and its answer"
    : undefined;
};

const WHY_NOT: Readonly<Record<NetworkReduction, WhyNot>> = {
  barrier: seesTables,
  client: firstOf(
    wantsPackets,
    property(
      "relates packets at clients to something else in the same state",
      ({ observes }) => observes.clientPackets && (observes.control || observes.relatesPackets),
    ),
  ),
  counter: firstOf(
    ({ sendLimit }) =>
      sendLimit === Infinity
        ? undefined
        : `each packet is to be sent at most ${sendLimit === 1 ? "once" : `${sendLimit} times`}, so copies are counted`,
    wantsPackets,
  ),
  "one-shot": needs("counter"),
  transitive: needs("counter"),
  controller: firstOf(
    ({ network: { controller } }) =>
      controller.kappa === 1 ? undefined : `it needs kappa = 1, and kappa is ${controller.kappa}`,
    foreignBarriers,
    wantsPackets,
  ),
  eager: firstOf(
    wantsPackets,
    property(
      "compares what the switch carries out with the controller's state at that moment",
      (p) =>
        p.observes.control &&
        (isPacketEvent(p, ["received"]) ||
          (p.check.form === "event" &&
            p.check.moment === "execution" &&
            isPacketEvent(p, ["dropped", "forwarded"]))),
    ),
    property(
      "sees packets that are lost, and links may fail while an answer is on its way",
      (p, { links }) => isPacketEvent(p, ["lost"]) && links.some(({ mayFail }) => mayFail),
    ),
  ),
  preload: needs("counter"),
  "exact-control": needs("barrier"),
  arrival: seesTables,
};
