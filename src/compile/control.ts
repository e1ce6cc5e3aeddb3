/** The control of programs and of networks of transition systems, as automata to be drawn. */
import type {
  ControlEdge,
  Lts,
  LtsNetwork,
  ProcessAutomaton,
  ProcessControl,
  Program,
} from "../model/index.js";
import { nth } from "../model/known.js";

/** One automaton a template. */
export const automataOf = ({ templates }: Program): ProcessAutomaton[] =>
  templates.map(({ name, initial, locations }) => ({
    name,
    initial,
    locations: locations.map(({ labels, span, isEnd }) => ({ labels, span, isEnd, isError: false })),
    edges: locations.flatMap(({ edges }, from) => edges.map(({ to, text }) => ({ from, to, text }))),
  }));

/** Larger parts are no use as a drawing. */
const MOST_STATES = 2000;

export const isDrawn = ({ parts }: LtsNetwork): boolean =>
  parts.every(({ lts: { states, initial } }) => states <= MOST_STATES && initial.length === 1);

/** One automaton a part; its states have no names. `hasRoot`: words of zeros are before the first state. */
export const controlOf = (
  { parts }: LtsNetwork,
  { hasRoot }: { readonly hasRoot: boolean },
): ProcessControl => ({
  automata: parts.map(({ name, lts }) => ({
    name,
    initial: nth(lts.initial, 0),
    locations: Array.from({ length: lts.states }, (_, state) => ({
      labels: [],
      span: undefined,
      isEnd: false,
      isError: state === lts.error,
    })),
    edges: edgesOf(lts),
  })),
  standing: (state, at) =>
    hasRoot && state[at] === 0
      ? []
      : parts.map(({ name }, automaton) => ({
          process: name,
          automaton,
          location: nth(state, at + automaton) - 1,
        })),
});

function edgesOf({ states, firsts, actions, targets, labels }: Lts): ControlEdge[] {
  const edges: ControlEdge[] = [];
  for (let from = 0; from < states; from++)
    for (let edge = nth(firsts, from); edge < nth(firsts, from + 1); edge++)
      edges.push({ from, to: nth(targets, edge), text: nth(labels, nth(actions, edge)) });
  return edges;
}
