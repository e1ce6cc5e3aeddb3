/**
 * Confirms a violation of a reduced network in the original one. The reduced trace gives the actions; their multiplicities
 * are computed (`transforms/network/demand.ts`), then the original network executes them. If that fails, a short search of
 * the original network follows.
 */
import { compileNetwork, concreteConfig, ruleKey, type NetworkModel } from "../../compile/network/index.js";
import { checkExplicit } from "../../engines/explicit/index.js";
import { Successors, type Trace, type Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Network, NetworkAction, NetworkProperty } from "../../model/network.js";
import { demandedActions, type Goal } from "../../transforms/network/index.js";

export async function confirm(
  network: Network,
  concrete: NetworkModel,
  reduced: NetworkModel,
  trace: Trace,
  property: NetworkProperty,
): Promise<Trace | undefined> {
  const { steps, final } = actionsAlong(reduced, trace);
  const abilities = {
    canSend: (arrival: { switch: number; port: number; data: readonly number[] }) => {
      const key = JSON.stringify(arrival);
      const client = network.clients.findIndex(({ sends }) =>
        sends.some(({ switch: at, port, data }) => JSON.stringify({ switch: at, port, data }) === key),
      );
      return client < 0 ? undefined : client;
    },
    mustReceive: (client: number) => nth(network.clients, client).receive?.touchesController ?? false,
  };
  for (const goal of goalsOf(reduced, steps.at(-1)?.actions ?? [], final, property)) {
    const actions = demandedActions(steps, goal, abilities);
    const found = actions && new Follower(concrete, property, network).follow(actions);
    if (found) return found;
  }
  return searchConcretely(network, concrete, property);
}

/** Actions of each step of the trace, and its last state. */
function actionsAlong(model: NetworkModel, { choices }: Trace) {
  const out = new Successors(model.system.width);
  model.system.initial(out);
  let state = out.stateAt(0);
  const steps = choices.map((choice) => {
    const actions = nth(model.actionsAt(state), choice);
    out.clear();
    model.system.successors(state, 0, out);
    state = out.stateAt(choice);
    return { actions };
  });
  return { steps, final: state };
}

/** Possible goals of the trace, most likely first. */
function goalsOf(
  reduced: NetworkModel,
  last: readonly NetworkAction[],
  final: Words,
  property: NetworkProperty,
): Goal[] {
  const { check } = property;
  const byAction = last.map((_, action): Goal => ({ packets: [], action }));
  if (check.form === "event" || check.form === "errors") return byAction.reverse();
  const index = reduced.invariants.indexOf(property);
  const queued = reduced
    .culprits(index, final)
    .map((packet): Goal => ({ packets: [packet], action: undefined }));
  const delivered = last.flatMap((action) =>
    action.kind === "match" || action.kind === "forward"
      ? action.copies.flatMap(({ to, data }): Goal[] =>
          to?.kind === "client" ? [{ packets: [{ data, at: to }], action: undefined }] : [],
        )
      : [],
  );
  return [
    ...queued,
    ...delivered,
    { packets: reduced.packetsIn(final), action: undefined },
    { packets: [], action: undefined },
  ];
}

/** Executes a list of actions in the original network, as far as possible. */
class Follower {
  readonly #model: NetworkModel;
  readonly #property: NetworkProperty;
  readonly #isOpenFlow: boolean;
  readonly #out: Successors;
  readonly #choices: number[] = [];
  #state: Words;
  #trace: Trace | undefined;

  constructor(model: NetworkModel, property: NetworkProperty, { controller }: Network) {
    this.#isOpenFlow = controller.barriers === "openflow";
    this.#model = model;
    this.#property = property;
    this.#out = new Successors(model.system.width);
    model.system.initial(this.#out);
    this.#state = this.#out.stateAt(0);
  }

  /** The trace to the violation, if the actions lead to it. */
  follow(actions: readonly NetworkAction[]): Trace | undefined {
    if (this.#isBroken()) return { choices: [], fault: -1, loopStart: undefined };
    for (const action of actions) {
      if (!this.#perform(action)) return undefined;
      if (this.#trace) return this.#trace;
    }
    return undefined;
  }

  #perform(action: NetworkAction): boolean {
    if (action.kind === "barrier") return this.#settle(action.switch, action.table.map(ruleKey));
    const wanted = keyOf(action);
    const isWanted = ([offered]: readonly NetworkAction[]): boolean =>
      offered !== undefined && keyOf(offered) === wanted;
    if (this.#take(isWanted)) return true;
    // A present rule need not be installed again, nor an absent one removed.
    if (action.kind !== "add" && action.kind !== "del") return false;
    const isThere = this.#model.tableAt(this.#state, action.switch).has(ruleKey(action.rule));
    return isThere === (action.kind === "add");
  }

  /** Processes the barriers of a switch, preferring steps that result in the given table. */
  #settle(at: number, table: readonly string[]): boolean {
    const isBarrier = ([offered]: readonly NetworkAction[]): boolean =>
      offered?.kind === "barrier" && offered.switch === at;
    const isRight = (offered: readonly NetworkAction[]): boolean => {
      const [first] = offered;
      if (first?.kind !== "barrier" || first.switch !== at) return false;
      const keys = first.table.map(ruleKey);
      return keys.length === table.length && keys.every((key) => table.includes(key));
    };
    // With OpenFlow's semantics a step processes one barrier; with the published semantics, a reduced step processes all.
    if (this.#isOpenFlow) return this.#take(isRight) || this.#take(isBarrier);
    while (!this.#trace && (this.#take(isRight) || this.#take(isBarrier)));
    return true;
  }

  #take(isWanted: (offered: readonly NetworkAction[]) => boolean): boolean {
    const offered = this.#model.actionsAt(this.#state);
    const out = this.#out;
    out.clear();
    this.#model.system.successors(this.#state, 0, out);
    const choices = offered.flatMap((actions, choice) => (isWanted(actions) ? [choice] : []));
    const violating = choices.find((choice) => this.#violates(out.faultAt(choice)));
    const choice = violating ?? choices[0];
    if (choice === undefined) return false;
    this.#choices.push(choice);
    if (violating !== undefined) {
      const fault = out.faultAt(choice);
      this.#trace = { choices: this.#choices, fault, loopStart: undefined };
      return true;
    }
    this.#state = out.stateAt(choice);
    if (this.#isBroken()) this.#trace = { choices: this.#choices, fault: -1, loopStart: undefined };
    return true;
  }

  #violates(site: number): boolean {
    return site >= 0 && nth(this.#model.sites, site).owner === this.#property.name;
  }

  #isBroken(): boolean {
    const index = this.#model.invariants.indexOf(this.#property);
    return index >= 0 && !this.#model.holds(index, this.#state, 0);
  }
}

/** Identifies an action across two models. */
function keyOf(action: NetworkAction): string {
  switch (action.kind) {
    case "send":
      return JSON.stringify([
        action.kind,
        action.client,
        action.arrival.switch,
        action.arrival.port,
        action.arrival.data,
      ]);
    case "receive":
      return JSON.stringify([action.kind, action.client, action.port, action.packet, action.outcome]);
    case "match":
      return JSON.stringify([action.kind, action.switch, action.port, action.packet, ruleKey(action.rule)]);
    case "nomatch":
    case "control":
    case "forward":
      return JSON.stringify([action.kind, action.switch, action.port, action.packet]);
    case "add":
    case "del":
    case "expire":
      return JSON.stringify([action.kind, action.switch, ruleKey(action.rule)]);
    case "barrier":
      return JSON.stringify([action.kind, action.switch, action.table.map(ruleKey)]);
    case "event":
      return JSON.stringify([action.kind, action.event, action.outcome]);
    case "barrierReply":
      return JSON.stringify([action.kind, action.switch, action.outcome]);
    case "fail":
      return JSON.stringify([action.kind, action.link]);
  }
}

const MOST_STATES = 30_000;

/** Tries one, two and three sends of each packet, up to `MOST_STATES` states each. */
async function searchConcretely(
  network: Network,
  concrete: NetworkModel,
  property: NetworkProperty,
): Promise<Trace | undefined> {
  for (const sendLimit of [1, 2, 3]) {
    const model = compileNetwork(network, { ...concreteConfig, sendLimit });
    const { findings } = await checkExplicit(model, {
      order: "bfs",
      checkDeadlock: false,
      errors: 1,
      budget: { maxStates: MOST_STATES },
      control: {},
      isChecked: (each) => each === property,
    });
    const verdict = findings[0]?.verdict;
    if (verdict?.kind !== "violated" || !verdict.trace) continue;
    const { steps } = actionsAlong(model, verdict.trace);
    return new Follower(concrete, property, network).follow(steps.flatMap(({ actions }) => actions));
  }
  return undefined;
}
