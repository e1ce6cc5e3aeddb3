/** The machine as a `Model`: a system to search and to step through, with the properties as invariants and faults. */
import {
  Entry,
  Status,
  Successors,
  observing,
  type Explainer,
  type Model,
  type Numbers,
  type Recipe,
  type Site,
  type System,
  type Temporal,
  type Words,
} from "../../model/index.js";
import {
  isInRegion,
  isNetworkFormula,
  type Endpoint,
  type Network,
  type NetworkAction,
  type NetworkProperty,
  type NetworkView,
  type PacketData,
  type Region,
} from "../../model/network.js";
import { agentOf, agentsOf } from "./agents.js";
import { concreteConfig, type NetworkConfig } from "./config.js";
import { describeActions, nodeViews, snapshot } from "./explain.js";
import { Machine } from "./machine.js";
import { CONTROL, CONTROL_QUEUE, MODE, QUEUE, TABLE, type Sink } from "./state-parts.js";
import { ruleKey } from "./symbols.js";

export interface NetworkModel extends Model {
  readonly config: NetworkConfig;
  /** Actions of each choice, in the order of the successors. */
  actionsAt(state: Words): readonly (readonly NetworkAction[])[];
  /** The packets that violate invariant `index` in that state, if it is about packets. */
  culprits(index: number, state: Words): readonly { readonly data: PacketData; readonly at: Endpoint }[];
  /** All packets in all queues. */
  packetsIn(state: Words): readonly { readonly data: PacketData; readonly at: Endpoint }[];
  /** The rules installed at a switch. */
  tableAt(state: Words, index: number): ReadonlySet<string>;
}

/** How other threads make the network; without a recipe, none can. */
export interface NetworkSharing {
  readonly memory?: SharedArrayBuffer;
  recipe?(config: NetworkConfig, numbers: Numbers): Recipe;
}

export function compileNetwork(
  network: Network,
  config: NetworkConfig = concreteConfig,
  { memory, recipe }: NetworkSharing = {},
): NetworkModel {
  const machine = new Machine(network, config, memory);
  const system = new NetworkSystem(machine);
  const invariants = network.properties.filter(isInvariant);
  const judges = invariants.map((property) => judge(machine, property));
  const temporal = temporalFacet(machine, system);
  return {
    config,
    system,
    steps: system,
    properties: network.properties,
    sites: sitesOf(network),
    invariants,
    holds: (index, state, at) => judges[index]!(state, at),
    stuck: "packets or messages wait, and no step is possible",
    ...(temporal ? { temporal } : {}),
    ...(recipe ? { recipe: recipe(config, machine.numbers), numbering: machine.numbers } : {}),
    coverage: { parts: [], reached: new Uint8Array(0) },
    actionsAt: (state) => system.actionsAt(state, 0),
    culprits: (index, state) => {
      const { check } = invariants[index]!;
      if (check.form !== "packets") return [];
      const view = viewOf(machine, state, 0);
      return view.packets(check.region).filter(({ data, at }) => !check.holds(data, at, view.control));
    },
    packetsIn: (state) => viewOf(machine, state, 0).packets("all"),
    tableAt: (state, index) =>
      new Set(machine.rulesOf(state[machine.switchAt(index) + TABLE]!).map((rule) => ruleKey(rule))),
  };
}

/** Agents are switches, clients that receive, and the controller; fairness asks nothing of the environment. */
function temporalFacet(machine: Machine, system: NetworkSystem): Temporal | undefined {
  const formulas = machine.network.properties.filter(isNetworkFormula);
  if (formulas.length === 0) return undefined;
  const labelled = new NetworkSystem(machine, "agents");
  const agents = agentsOf(machine.network);
  return observing(
    { system, steps: labelled, labelled: () => labelled, agents },
    formulas,
    (index, p, state, at) => formulas[index]!.check.conditions[p]!(viewOf(machine, state, at)), // sound: test/session/network-questions.test.ts
  );
}

const isInvariant = ({ check }: NetworkProperty): boolean =>
  check.form === "packets" || check.form === "state";

/** One for each property, by its position, then one for each `error(…)`. */
function sitesOf(network: Network): Site[] {
  const errors = network.properties.find(({ check }) => check.form === "errors");
  return [
    ...network.properties.map(({ name, span, check }) => ({
      fault: "event" as const,
      message:
        check.form === "event"
          ? `${check.events.join(" or ")}: ${name} is violated`
          : `invariant violated: ${name}`,
      span: span ?? network.span,
      owner: name,
    })),
    ...network.errors.map(({ message, span }) => ({
      fault: "event" as const,
      message: `error: ${message}`,
      span,
      ...(errors ? { owner: errors.name } : {}),
    })),
  ];
}

class NetworkSystem implements System, Explainer {
  readonly width: number;
  readonly compareFrom = 0;
  readonly labels?: "agents";
  readonly #machine: Machine;
  readonly #sink: SuccessorSink;
  readonly #described: Successors;
  readonly #asksStuck: boolean;

  constructor(machine: Machine, labels?: "agents") {
    this.#machine = machine;
    if (labels) this.labels = labels;
    this.width = machine.width;
    this.#asksStuck = machine.network.properties.some(({ check }) => check.form === "stuck");
    this.#sink = new SuccessorSink(machine.width, labels && ((action) => agentOf(action, machine.network)));
    this.#described = new Successors(machine.width);
  }

  initial(out: Successors): void {
    if (out.count === out.capacity) out.grow();
    const at = out.count * out.stride;
    out.words.fill(0, at, at + out.stride);
    this.#machine.initial(out.words, at);
    out.flags[out.count++] = 0;
  }

  successors(state: Words, at: number, out: Successors): void {
    this.#sink.start(state, at, out, undefined);
    this.#machine.expand(state, at, this.#sink);
  }

  /** A network in which nothing waits may stop. */
  status(state: Words, at: number): number {
    return this.#asksStuck && this.#isWaiting(state, at) ? 0 : Status.validEnd; // sound: test/session/network-questions.test.ts
  }

  #isWaiting(state: Words, at: number): boolean {
    const { network, repliesAt } = this.#machine;
    const isUsed = (word: number): boolean => state[at + word] !== 0;
    return (
      network.switches.some((_, index) =>
        [QUEUE, CONTROL_QUEUE, MODE].some((part) => isUsed(this.#machine.switchAt(index) + part)),
      ) ||
      network.clients.some((_, index) => isUsed(this.#machine.clientAt(index))) ||
      (repliesAt >= 0 && isUsed(repliesAt))
    );
  }

  actionsAt(state: Words, at: number): readonly (readonly NetworkAction[])[] {
    const actions: (readonly NetworkAction[])[] = [];
    this.#described.clear();
    this.#sink.start(state, at, this.#described, actions);
    this.#machine.expand(state, at, this.#sink);
    return actions;
  }

  describe(state: Words, at: number, choice: number): ReturnType<Explainer["describe"]> {
    return describeActions(this.#machine.network, this.actionsAt(state, at)[choice]!);
  }

  snapshot(state: Words, at: number): ReturnType<Explainer["snapshot"]> {
    this.#machine.numbers.catchUp();
    return snapshot(this.#machine, state, at);
  }

  processes(): ReturnType<Explainer["processes"]> {
    return nodeViews(this.#machine.network);
  }
}

class SuccessorSink implements Sink {
  readonly #width: number;
  readonly #agentOf: ((action: NetworkAction) => number) | undefined;
  #state: Words = new Int32Array(0);
  #from = 0;
  #out: Successors = new Successors(1, 1);
  #actions: (readonly NetworkAction[])[] | undefined;
  at = 0;

  /** `agentOf`: labels of steps, by their first action; absent: none are written. */
  constructor(width: number, agentOf?: (action: NetworkAction) => number) {
    this.#width = width;
    this.#agentOf = agentOf;
  }

  start(
    state: Words,
    from: number,
    out: Successors,
    actions: (readonly NetworkAction[])[] | undefined,
  ): void {
    this.#state = state;
    this.#from = from;
    this.#out = out;
    this.#actions = actions;
  }

  get words(): Words {
    return this.#out.words;
  }

  begin(): void {
    const out = this.#out;
    if (out.count === out.capacity) out.grow();
    this.at = out.count * out.stride;
    const words = out.words;
    for (let i = 0; i < this.#width; i++) words[this.at + i] = this.#state[this.#from + i]!;
  }

  /** An entry holds one fault: further ones get separate entries without a successor. */
  end(faults: readonly number[], actions: () => readonly NetworkAction[]): void {
    const out = this.#out;
    const [first, ...others] = faults;
    if (this.#agentOf) out.labels[out.count] = this.#agentOf(actions()[0]!);
    if (first === undefined) out.flags[out.count++] = 0;
    else {
      out.flags[out.count++] = (first + 1) << Entry.faultShift;
      out.isFlagged = true;
    }
    this.#actions?.push(actions());
    for (const site of new Set(others)) if (site !== first) this.fail(site, actions);
  }

  fail(site: number, actions: () => readonly NetworkAction[]): void {
    this.#out.addFault(site);
    this.#actions?.push(actions());
  }
}

type Judge = (state: Words, at: number) => boolean;

function judge(machine: Machine, { check, observes }: NetworkProperty): Judge {
  if (check.form === "state") return (state, at) => check.holds(viewOf(machine, state, at));
  if (check.form !== "packets") throw new Error("not an invariant");
  const places = placesIn(machine, check.region);
  const known = places.map((): Map<number, boolean>[] => []);
  return (state, at) => {
    machine.numbers.catchUp();
    const control = state[at + CONTROL]!;
    const key = observes.control ? control : 0;
    for (let i = 0; i < places.length; i++) {
      const { word, place } = places[i]!;
      const queue = state[at + word]!;
      if (queue === 0) continue;
      const answers = (known[i]![key] ??= new Map());
      let isGood = answers.get(queue);
      if (isGood === undefined) {
        isGood = packetsOf(machine, queue, place).every((packet) =>
          check.holds(packet.data, packet.at, machine.symbols.controls[control]),
        );
        answers.set(queue, isGood);
      }
      if (!isGood) return false;
    }
    return true;
  };
}

interface QueuePlace {
  readonly word: number;
  readonly place: { readonly kind: "switch" | "client"; readonly index: number };
}

function placesIn(machine: Machine, region: Region): readonly QueuePlace[] {
  const { switches, clients } = machine.network;
  const all: QueuePlace[] = [
    ...switches.map((_, index) => ({
      word: machine.switchAt(index) + QUEUE,
      place: { kind: "switch" as const, index },
    })),
    ...clients.map((_, index) => ({
      word: machine.clientAt(index),
      place: { kind: "client" as const, index },
    })),
  ];
  return all.filter(({ place }) => isInRegion(place, region));
}

function packetsOf(
  { symbols, deliveries, config }: Machine,
  queue: number,
  place: QueuePlace["place"],
): { readonly data: PacketData; readonly at: Endpoint }[] {
  const isSlot = config.keepsLastOnly && place.kind === "client";
  const held = isSlot ? (queue === 0 ? [] : [queue - 1]) : deliveries.packets.symbols(queue);
  return held.map((symbol) => {
    const { port, data } = symbols.packetAt(symbol);
    return { data, at: { ...place, port } };
  });
}

function viewOf(machine: Machine, state: Words, at: number): NetworkView {
  machine.numbers.catchUp();
  return {
    control: machine.symbols.controls[state[at + CONTROL]!],
    packets: (region) =>
      placesIn(machine, region).flatMap(({ word, place }) => packetsOf(machine, state[at + word]!, place)),
    isInstalled: (index, rule) =>
      machine.control.tables.has(state[at + machine.switchAt(index) + TABLE]!, machine.symbols.rule(rule)),
  };
}
