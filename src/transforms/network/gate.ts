/** Which reductions a network and its properties allow, and why not. */
import type { Acceptance, Refusal as ReductionRefusal } from "../../model/index.js";
import { usesBarriers, type Network, type NetworkProperty } from "../../model/network.js";

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
  readonly properties: readonly NetworkProperty[];
  /** Limit on how often each client sends each packet; Infinity: none. */
  readonly sendLimit: number;
}

export interface Gated extends Acceptance {
  readonly names: readonly NetworkReduction[];
  readonly refused: readonly Refused[];
}

export interface Refused extends ReductionRefusal {
  readonly name: NetworkReduction;
  readonly reason: RefusalReason;
}

/** Ordered so that each follows its prerequisites. */
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
  const refused: Refused[] = [];
  for (const name of ORDER.filter((each) => request.wanted.includes(each))) {
    const refusal = firstRefusal(name, { network, ...request, names });
    if (refusal) refused.push(refusal);
    else names.push(name);
  }
  return { names, refused };
}

function firstRefusal(name: NetworkReduction, situation: Situation): Refused | undefined {
  for (const { reduction, reason } of refusals) {
    if (reduction !== name) continue; // sound: test/transforms/network/conditions.test.ts
    const why = REASONS[reason](situation); // sound: test/transforms/network/conditions.test.ts
    if (why !== undefined) return { name, reason, why }; // sound: test/transforms/network/conditions.test.ts
  }
  return undefined;
}

interface Situation extends GateRequest {
  readonly network: Network;
  readonly names: readonly NetworkReduction[];
}

type WhyNot = (situation: Situation) => string | undefined;

/** Some property is of a kind that the reduction cannot keep. */
const property =
  (what: string, isOfKind: (p: NetworkProperty, network: Network) => boolean): WhyNot =>
  ({ properties, network }) => {
    const found = properties.find((p) => isOfKind(p, network)); // sound: test/transforms/network/conditions.test.ts
    return found && `property '${found.name}' ${what}`;
  };

const needs =
  (name: NetworkReduction): WhyNot =>
  ({ names }) =>
    names.includes(name) ? undefined : `it needs the reduction '${name}'`; // sound: test/transforms/network/conditions.test.ts

const isPacketEvent = ({ check }: NetworkProperty, events: readonly string[]): boolean =>
  check.form === "event" && check.events.some((event) => events.includes(event)); // sound: test/transforms/network/conditions.test.ts

const CARRIED_OUT = "compares the switch's action with the controller's state at that moment";
const AT_CLIENTS = "relates packets at clients to something else in the same state";
const BETWEEN = "which may come between a request and its answer";

/** All reasons against a reduction. */
const REASONS = {
  tables: property("looks at flow tables", ({ observes }) => observes.tables), // sound: test/transforms/network/conditions.test.ts
  packets: property("can be repaired by more packets", ({ observes }) => !observes.isUpwardClosed), // sound: test/transforms/network/conditions.test.ts
  "clients and control": property(AT_CLIENTS, ({ observes }) => observes.clientPackets && observes.control), // sound: test/transforms/network/conditions.test.ts
  "clients and packets": property(
    AT_CLIENTS,
    ({ observes }) => observes.clientPackets && observes.relatesPackets, // sound: test/transforms/network/conditions.test.ts
  ),
  "send limit": ({ sendLimit }) =>
    sendLimit === Infinity // sound: test/transforms/network/conditions.test.ts
      ? undefined
      : `each packet is to be sent at most ${sendLimit === 1 ? "once" : `${sendLimit} times`}, so copies are counted`,
  "no counter": needs("counter"),
  "no barrier": needs("barrier"),
  "barriers of OpenFlow": ({ network }) =>
    network.controller.barriers === "openflow" && usesBarriers(network) // sound: test/transforms/network/conditions.test.ts
      ? "barriers follow OpenFlow: packets move on while one is in transit"
      : undefined,
  kappa: ({ network: { controller } }) =>
    controller.kappa === 1 ? undefined : `it needs kappa = 1, and kappa is ${controller.kappa}`, // sound: test/transforms/network/conditions.test.ts
  "barriers of events": ({ network }) => {
    const event = network.events.find(({ usesBarriers }) => usesBarriers); // sound: test/transforms/network/conditions.test.ts
    return event && `the event '${event.name}' sends barriers, ${BETWEEN}`;
  },
  "barriers of clients": ({ network }) => {
    const client = network.clients.find(({ receive }) => receive?.usesBarriers); // sound: test/transforms/network/conditions.test.ts
    return client && `packets that '${client.name}' receives lead to barriers, ${BETWEEN}`;
  },
  "barriers of portDown": ({ network }) =>
    network.controller.portDownUsesBarriers ? `\`portDown\` sends barriers, ${BETWEEN}` : undefined, // sound: test/transforms/network/conditions.test.ts
  "received with control": property(CARRIED_OUT, (p) => p.observes.control && isPacketEvent(p, ["received"])), // sound: test/transforms/network/conditions.test.ts
  "executed with control": property(
    CARRIED_OUT,
    (p) =>
      p.observes.control && // sound: test/transforms/network/conditions.test.ts
      p.check.form === "event" && // sound: test/transforms/network/conditions.test.ts
      p.check.moment === "execution" && // sound: test/transforms/network/conditions.test.ts
      isPacketEvent(p, ["dropped", "forwarded"]), // sound: test/transforms/network/conditions.test.ts
  ),
  "lost on links that fail": property(
    "sees packets that are lost, and links may fail while an answer is on its way",
    (p, { links }) => isPacketEvent(p, ["lost"]) && links.some(({ mayFail }) => mayFail), // sound: test/transforms/network/conditions.test.ts
  ),
} satisfies Readonly<Record<string, WhyNot>>;

export type RefusalReason = keyof typeof REASONS;

export interface Refusal {
  readonly reduction: NetworkReduction;
  readonly reason: RefusalReason;
}

const because = (reduction: NetworkReduction, ...reasons: readonly RefusalReason[]): readonly Refusal[] =>
  reasons.map((reason) => ({ reduction, reason }));

/** All refusals of the gate, in the order of its checks. The tests justify each by an example. */
export const refusals: readonly Refusal[] = [
  ...because("barrier", "barriers of OpenFlow", "tables"), // sound: test/transforms/network/conditions.test.ts
  ...because("client", "packets", "clients and control", "clients and packets"), // sound: test/transforms/network/conditions.test.ts
  ...because("counter", "send limit", "packets"), // sound: test/transforms/network/conditions.test.ts
  ...because("one-shot", "no counter"), // sound: test/transforms/network/conditions.test.ts
  ...because("transitive", "no counter"), // sound: test/transforms/network/conditions.test.ts
  // sound: test/transforms/network/conditions.test.ts
  ...because(
    "controller",
    "kappa",
    "barriers of OpenFlow",
    "barriers of events",
    "barriers of clients",
    "barriers of portDown",
    "packets",
  ),
  // sound: test/transforms/network/conditions.test.ts
  ...because(
    "eager",
    "barriers of OpenFlow",
    "packets",
    "received with control",
    "executed with control",
    "lost on links that fail",
  ),
  ...because("preload", "no counter"), // sound: test/transforms/network/conditions.test.ts
  ...because("exact-control", "no barrier"), // sound: test/transforms/network/conditions.test.ts
  ...because("arrival", "tables"), // sound: test/transforms/network/conditions.test.ts
];
