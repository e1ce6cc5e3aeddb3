/**
 * A Petri net as a `Model`: a marking is a word a place, a transition of the net is a step. For simulation, replay, the explorer
 * and the explicit search of bounded nets.
 *
 * Always true: a count that does not fit its word is a fault of the step, and ends a search; it never wraps around.
 */
import {
  MOST_TOKENS,
  TokenOverflow,
  faultSite,
  isCoverProperty,
  type CoverProperty,
  type Explainer,
  type Model,
  type Net,
  type NetTransition,
  type Property,
  type Site,
  type Successors,
  type System,
  type Words,
} from "../model/index.js";

export function netModel(net: Net): Model {
  const targets = net.properties.filter((property): property is CoverProperty => isCoverProperty(property));
  const reached = new Uint8Array(net.transitions.length);
  const steps = netSystem(net, reached);
  const system: System = {
    ...steps,
    successors(state, at, out) {
      const before = out.count;
      steps.successors(state, at, out);
      for (let entry = before; out.isFlagged && entry < out.count; entry++)
        if (out.flags[entry] !== 0)
          throw new TokenOverflow(net.transitions[faultSite(out.flags[entry]!)]!.name);
    },
  };
  const overflow: Property = { name: "token counts", kind: "runtime", span: undefined };
  return {
    system,
    steps,
    properties: [...net.properties, overflow],
    sites: net.transitions.map((transition): Site => overflowSite(transition)),
    invariants: targets,
    holds: (index, state, at) => !coversSome(targets[index]!, state, at),
    whyBroken: (index) => `covered: ${targets[index]!.name}`,
    coverage: {
      parts: net.transitions.map(({ name, span }) => ({ owner: net.name, text: name, span })),
      reached,
    },
  };
}

function netSystem(net: Net, reached: Uint8Array): System & Explainer {
  const width = Math.max(1, net.places.length);
  const { transitions } = net;
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
        if (!isEnabled(transition, state, at)) continue;
        reached[t] = 1;
        if (overflows(transition, state, at)) out.addFault(t);
        else append(transition, state, at, width, out);
      }
    },
    // A net is no program: a marking in which nothing can happen any more is as good as any other.
    status: () => 1,
    describe(state, at, choice) {
      const transition = enabledAt(net, state, at)[choice];
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

/** The transitions that can happen there, in the order in which a system lists them. */
const enabledAt = (net: Net, state: Words, at: number): NetTransition[] =>
  net.transitions.filter((transition) => isEnabled(transition, state, at));

function isEnabled({ guard }: NetTransition, state: Words, at: number): boolean {
  for (let i = 0; i < guard.length; i++) if (state[at + guard[i]![0]]! < guard[i]![1]) return false;
  return true;
}

function overflows({ effect }: NetTransition, state: Words, at: number): boolean {
  for (let i = 0; i < effect.length; i++)
    if (state[at + effect[i]![0]]! + effect[i]![1] > MOST_TOKENS) return true;
  return false;
}

function append({ effect }: NetTransition, state: Words, at: number, width: number, out: Successors): void {
  if (out.count === out.capacity) out.grow();
  const to = out.count * out.stride;
  for (let place = 0; place < width; place++) out.words[to + place] = state[at + place]!;
  for (let i = 0; i < effect.length; i++) out.words[to + effect[i]![0]]! += effect[i]![1];
  out.flags[out.count++] = 0;
}

const coversSome = ({ alternatives }: CoverProperty, state: Words, at: number): boolean =>
  alternatives.some((tokens) => tokens.every(([place, count]) => state[at + place]! >= count));

const overflowSite = ({ name, span }: NetTransition): Site => ({
  fault: "out-of-range",
  message: `\`${name}\` makes more than ${MOST_TOKENS} tokens of a place`,
  span,
});
