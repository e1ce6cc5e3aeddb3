/**
 * A Petri net as a `Model`: one word per place, one step per transition. For simulation, replay, the explorer and the
 * explicit search of bounded nets.
 *
 * Optional initial tokens are steps. Additional tokens disable nothing, so they may arrive at any time, unless a
 * transition empties places: later tokens would survive it. Such nets have an extra word, which records whether another
 * step has happened.
 *
 * Invariant: a count that overflows its word is a fault of the step and ends the search; it never wraps around.
 */
import {
  FOREIGN_AGENT,
  MOST_TOKENS,
  NOWHERE,
  Status,
  TokenOverflow,
  faultSite,
  isCoverProperty,
  observing,
  sourceIn,
  transferIn,
  type CoverProperty,
  type Explainer,
  type Model,
  type Net,
  type NetFormula,
  type NetProperty,
  type NetTransition,
  type Property,
  type Recipe,
  type Site,
  type System,
  type Temporal,
  type Transfer,
  type Words,
} from "../model/index.js";
import { markingJudge, type MarkingJudge } from "./markings.js";

export const NET_COMPILER = "net";

export const compileNetRecipe = ({ data }: Recipe): Model => netModel(data as Net);

export function netModel(net: Net): Model {
  const judged = net.properties.flatMap((property) => {
    const judge = judgeOf(property);
    return judge ? [{ property, judge }] : [];
  });
  const formulas = net.properties.filter((property) => property.kind === "ltl");
  const { transitions } = net;
  const reached = new Uint8Array(transitions.length);
  const firing = new Firing(net);
  const steps = netSystem(net, firing, reached);
  const system = withinWords(net, steps);
  const overflow: Property = { name: "token counts", kind: "runtime", span: undefined };
  return {
    system,
    steps,
    properties: [...net.properties, overflow],
    sites: net.transitions.map((transition): Site => overflowSite(transition)),
    invariants: judged.map(({ property }) => property),
    holds: (index, state, at) => judged[index]!.judge(state, at),
    stuck: "no transition is enabled",
    actions: {
      system: withinWords(net, netSystem(net, new Firing(net), undefined, true)),
      nameOf: (t) => transitions[t].name,
      sourcesOf: (t) => [transitions[t].span],
    },
    recipe: { maker: NET_COMPILER, data: net },
    ...(formulas.length === 0 ? {} : { temporal: temporalFacet(net, formulas, { system, steps }) }),
    growsAgain(state, at, choice) {
      const { isSource = false, transfers = [] } = firing.enabledAt(state, at)[choice]!;
      return !isSource && transfers.length === 0; // sound: test/compile/net.test.ts
    },
    coverage: {
      parts: net.transitions.map(({ name, span }) => ({ owner: net.name, text: name, span })),
      reached,
    },
  };
}

/** Evaluates the property in a marking; undefined if it does not concern single markings. */
function judgeOf(property: NetProperty): MarkingJudge | undefined {
  if (isCoverProperty(property)) return (state, at) => !coversSome(property, state, at);
  return property.kind === "invariant" ? markingJudge(property.condition) : undefined;
}

/** The system to search: an overflowing marking ends the search. */
const withinWords = (net: Net, steps: System): System => ({
  ...steps,
  successors(state, at, out) {
    const before = out.count;
    steps.successors(state, at, out);
    for (let entry = before; out.isFlagged && entry < out.count; entry++)
      if (out.flags[entry] !== 0)
        throw new TokenOverflow(net.transitions[faultSite(out.flags[entry]!)]!.name); // sound: test/compile/net.test.ts
  },
});

/** Agents are transitions: fairness concerns transitions that stay enabled. */
function temporalFacet(
  net: Net,
  formulas: readonly NetFormula[],
  { system, steps }: { readonly system: System; readonly steps: System },
): Temporal {
  const judges = formulas.map(({ conditions }) => conditions.map(markingJudge));
  const labelled = (): System =>
    withinWords(net, { ...netSystem(net, new Firing(net), undefined), labels: "agents" });
  return observing(
    { system, steps, labelled, agents: net.transitions.length },
    formulas,
    (index, p, state, at) => judges[index]![p]!(state, at),
  );
}

/** `isNumbered`: labels are numbers of transitions; otherwise agents. */
function netSystem(
  net: Net,
  firing: Firing,
  reached: Uint8Array | undefined,
  isNumbered = false,
): System & Explainer {
  const { width } = firing;
  const { transitions } = net;
  const isDeadlockAsked = net.properties.some(({ kind }) => kind === "deadlock");
  return {
    width,
    compareFrom: 0,
    initial(out) {
      out.words.fill(0, 0, width);
      out.words.set(net.initial, 0);
      out.flags[out.count++] = 0;
    },
    successors(state, at, out) {
      for (let t = 0; t < transitions.length; t++) {
        const transition = transitions[t]!;
        if (!firing.isEnabled(transition, state, at)) continue;
        if (reached) reached[t] = 1;
        if (out.count === out.capacity) out.grow();
        const to = out.count * out.stride;
        if (isNumbered) out.labels[out.count] = t;
        else out.labels[out.count] = t < MOST_AGENTS ? 1 << t : FOREIGN_AGENT; // sound: test/compile/net.test.ts
        if (firing.fire(transition, state, at, out.words, to)) out.flags[out.count++] = 0;
        else out.addFault(t);
      }
    },
    // Unless the deadlock property is checked, a dead marking is valid.
    status: () => (isDeadlockAsked ? 0 : Status.validEnd), // sound: test/compile/net.test.ts
    describe(state, at, choice) {
      const transition = firing.enabledAt(state, at)[choice];
      if (!transition) throw new RangeError(`no transition ${choice} is enabled`);
      return {
        participants: [net.name],
        action: transition.name,
        sources: [transition.span],
        messages: [],
        output: "",
      };
    },
    snapshot: (state, at) => net.places.map(({ name }, place) => ({ name, value: `${state[at + place]!}` })),
    processes: () => [],
  };
}

/** Agents with separate bits; the last bit represents all others. */
const MOST_AGENTS = 31;

/** Marking words and the effects of transitions. */
class Firing {
  /** One word per place, plus one if initial tokens must precede all other steps. */
  readonly width: number;
  readonly #net: Net;
  /** The index of that word; -1: absent. */
  readonly #begun: number;

  constructor(net: Net) {
    this.#net = net;
    const needsOrder = sourceIn(net) !== undefined && transferIn(net) !== undefined; // sound: test/compile/net.test.ts
    this.#begun = needsOrder ? net.places.length : -1;
    this.width = needsOrder ? net.places.length + 1 : Math.max(1, net.places.length);
  }

  /** The enabled transitions, in the system's order. */
  enabledAt(state: Words, at: number): NetTransition[] {
    return this.#net.transitions.filter((transition) => this.isEnabled(transition, state, at));
  }

  isEnabled({ guard, isSource }: NetTransition, state: Words, at: number): boolean {
    if (isSource && this.#begun >= 0 && state[at + this.#begun] !== 0) return false; // sound: test/compile/net.test.ts
    for (let i = 0; i < guard.length; i++) {
      if (state[at + guard[i]![0]]! < guard[i]![1]) return false; // sound: test/compile/net.test.ts
    }
    return true;
  }

  /** Writes the marking after the transition; false on overflow. */
  fire(transition: NetTransition, state: Words, at: number, words: Words, to: number): boolean {
    for (let i = 0; i < this.width; i++) words[to + i] = state[at + i]!;
    if (this.#begun >= 0 && !transition.isSource) words[to + this.#begun] = 1; // sound: test/compile/net.test.ts
    if (transition.transfers && !transfer(transition.transfers, state, at, words, to)) return false; // sound: test/compile/net.test.ts
    const { effect } = transition;
    for (let i = 0; i < effect.length; i++) {
      const count = words[to + effect[i]![0]]! + effect[i]![1];
      if (count > MOST_TOKENS) return false; // sound: test/compile/net.test.ts
      words[to + effect[i]![0]] = count;
    }
    return true;
  }
}

/** Empties all places at once, then fills. */
function transfer(
  transfers: readonly Transfer[],
  state: Words,
  at: number,
  words: Words,
  to: number,
): boolean {
  for (const [from] of transfers) words[to + from] = 0; // sound: test/compile/net.test.ts
  for (const [from, into] of transfers) {
    if (into === NOWHERE) continue;
    const sum = words[to + into]! + state[at + from]!;
    if (sum > MOST_TOKENS) return false; // sound: test/compile/net.test.ts
    words[to + into] = sum;
  }
  return true;
}

/** Converts transitions to choices of the net's model: indices among the enabled ones. */
export function choicesOf(net: Net, firing: readonly number[]): number[] {
  const steps = new Firing(net);
  let state = new Int32Array(steps.width);
  state.set(net.initial);
  return firing.map((number, index) => {
    const transition = net.transitions[number]!;
    const choice = steps.enabledAt(state, 0).indexOf(transition);
    const next = new Int32Array(state.length);
    if (choice < 0 || !steps.fire(transition, state, 0, next, 0))
      throw new Error(`step ${index + 1} of the run cannot be taken`);
    state = next;
    return choice;
  });
}

const coversSome = ({ alternatives }: CoverProperty, state: Words, at: number): boolean =>
  alternatives.some((tokens) => tokens.every(([place, count]) => state[at + place]! >= count));

const overflowSite = ({ name, span }: NetTransition): Site => ({
  fault: "out-of-range",
  message: `\`${name}\` makes more than ${MOST_TOKENS} tokens of a place`,
  span,
});
