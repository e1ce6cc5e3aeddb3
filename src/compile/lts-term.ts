/**
 * Terms as a product by vectors: renaming, hiding and nested compositions become vectors of the innermost parts, so there is one
 * composition. A subterm whose own states matter (priorities, quotients, properties) is built first, and then is a part.
 */
import {
  END_NAME,
  ERROR_NAME,
  TAU_NAME,
  type Lts,
  type LtsNetwork,
  type LtsTerm,
  type NetworkPart,
  type Span,
} from "../model/index.js";
import { nth } from "../model/known.js";

export interface TermTools {
  /** The system of a product. */
  build(network: LtsNetwork): Promise<Lts>;
  /** The smallest system that no environment can tell from it. */
  minimise(lts: Lts): Promise<Lts>;
  determinise(lts: Lts): Lts | undefined;
  prioritise(lts: Lts, isHigh: boolean, has: (label: string) => boolean): Lts;
  whyNotDeterministic(lts: Lts): string | undefined;
  watching(lts: Lts, alphabet: Iterable<string>): { readonly lts: Lts; readonly violated: number };
}

/** The term has no meaning. */
export class TermProblem extends Error {
  constructor(
    readonly code: "deterministic" | "property" | "too-large",
    readonly span: Span,
    message: string,
  ) {
    super(message);
  }
}

export async function termNetwork(
  name: string,
  term: LtsTerm,
  span: Span,
  tools: TermTools,
): Promise<TermNetwork> {
  const flat = await flatten(term, tools, span);
  return { network: networkOf(name, flat, span), alphabet: flat.alphabet };
}

export interface TermNetwork {
  readonly network: LtsNetwork;
  readonly alphabet: ReadonlySet<string>;
}

/** A step of some parts: the label of each. */
type Moves = ReadonlyMap<number, string>;

interface Flat {
  readonly parts: readonly NetworkPart[];
  readonly steps: readonly { readonly label: string; readonly moves: Moves }[];
  readonly alphabet: ReadonlySet<string>;
}

const MOST_STEPS = 1_000_000;

async function flatten(term: LtsTerm, tools: TermTools, span: Span): Promise<Flat> {
  switch (term.kind) {
    case "part":
      return single({ name: term.name, lts: term.lts }, term.alphabet);
    case "parallel": {
      const flats: Flat[] = [];
      for (const part of term.parts) flats.push(await flatten(part, tools, span));
      return joined(flats, span);
    }
    case "rename": {
      const flat = await flatten(term.of, tools, span);
      return renamed(flat, term.names, term.prefix);
    }
    case "hide": {
      const flat = await flatten(term.of, tools, span);
      return hidden(flat, term.hides);
    }
    case "priority":
    case "simplify":
    case "property":
      return built(term, tools);
  }
}

async function built(
  term: Extract<LtsTerm, { kind: "priority" | "simplify" | "property" }>,
  tools: TermTools,
): Promise<Flat> {
  const { name, span } = term;
  const flat = await flatten(term.of, tools, span);
  const [only] = flat.parts;
  const isPlain = term.of.kind === "part" && only;
  const lts = isPlain ? only.lts : await tools.build(networkOf(name, flat, span));
  const { alphabet } = flat;
  if (term.kind === "priority")
    return single({ name, lts: tools.prioritise(lts, term.isHigh, term.has) }, alphabet);
  if (term.kind === "simplify") {
    const made = term.by === "minimal" ? await tools.minimise(lts) : tools.determinise(lts);
    if (!made)
      throw new TermProblem("deterministic", span, `'${name}' may end or go on after the same actions`);
    return single({ name, lts: made }, alphabet);
  }
  const why = tools.whyNotDeterministic(lts);
  if (why !== undefined)
    throw new TermProblem("property", span, `property '${name}' is not deterministic: ${why}`);
  const { lts: watch, violated } = tools.watching(lts, alphabet);
  return single({ name, lts: watch, watches: { state: violated, property: name, span } }, alphabet);
}

const single = (part: NetworkPart, alphabet: ReadonlySet<string>): Flat => ({
  parts: [part],
  steps: [...alphabet].map((label) => ({ label, moves: new Map([[0, label]]) })),
  alphabet,
});

/** Parts synchronise on shared labels, and interleave on all others. */
function joined(flats: readonly Flat[], span: Span): Flat {
  const firsts: number[] = [];
  const parts = flats.flatMap((flat, i) => {
    firsts.push(i === 0 ? 0 : nth(firsts, i - 1) + nth(flats, i - 1).parts.length);
    return flat.parts;
  });
  const shifted = flats.map(({ steps }, i) =>
    steps.map(({ label, moves }) => ({
      label,
      moves: new Map([...moves].map(([part, own]) => [part + nth(firsts, i), own])),
    })),
  );
  const byLabel = shifted.map(groupedByLabel);
  const steps: { label: string; moves: Moves }[] = byLabel.flatMap((of) => of.get(TAU_NAME) ?? []);
  const alphabet = new Set(flats.flatMap((flat) => [...flat.alphabet]));
  for (const label of alphabet) {
    // sound: test/session/fsp.test.ts
    const sharing = [...flats.keys()].filter((i) => nth(flats, i).alphabet.has(label));
    let moves: Moves[] = [new Map()];
    for (const i of sharing) {
      const own = nth(byLabel, i).get(label) ?? [];
      moves = moves.flatMap((before) => own.map((each) => new Map([...before, ...each.moves])));
    }
    for (const each of moves) steps.push({ label, moves: each });
    if (steps.length > MOST_STEPS)
      throw new TermProblem("too-large", span, `the composition has more than ${MOST_STEPS} vectors`);
  }
  return { parts, steps, alphabet };
}

function groupedByLabel(steps: Flat["steps"]): Map<string, Flat["steps"][number][]> {
  const found = new Map<string, Flat["steps"][number][]>();
  for (const step of steps) {
    const known = found.get(step.label);
    if (known) known.push(step);
    else found.set(step.label, [step]);
  }
  return found;
}

function renamed(
  { parts, steps, alphabet }: Flat,
  names: (label: string) => readonly string[],
  prefix: string | undefined,
): Flat {
  return {
    parts: prefix === undefined ? parts : parts.map((part) => prefixed(part, prefix)),
    steps: steps.flatMap(({ label, moves }) =>
      label === TAU_NAME ? [{ label, moves }] : names(label).map((name) => ({ label: name, moves })),
    ),
    alphabet: new Set([...alphabet].flatMap(names)),
  };
}

const prefixed = ({ name, lts, watches }: NetworkPart, prefix: string): NetworkPart => ({
  name: `${prefix}:${name}`,
  lts,
  ...(watches ? { watches: { ...watches, property: `${prefix}:${watches.property}` } } : {}),
});

const hidden = ({ parts, steps, alphabet }: Flat, hides: (label: string) => boolean): Flat => ({
  parts,
  steps: steps.map(({ label, moves }) => ({
    label: label !== TAU_NAME && hides(label) ? TAU_NAME : label,
    moves,
  })),
  alphabet: new Set([...alphabet].filter((label) => !hides(label))),
});

/** The whole ends when all parts that do not watch have ended. */
function networkOf(name: string, { parts, steps }: Flat, span: Span): LtsNetwork {
  const dense = (moves: Moves): (string | undefined)[] => parts.map((_, part) => moves.get(part));
  const ending = parts.map(({ watches }) => (watches ? undefined : END_NAME));
  const isEnding = ending.some((label) => label !== undefined);
  const failing = parts.flatMap(({ lts }, part) =>
    lts.labels.includes(ERROR_NAME)
      ? [{ label: ERROR_NAME, labels: dense(new Map([[part, ERROR_NAME]])) }]
      : [],
  );
  return {
    name,
    parts: distinctly(parts),
    vectors: [
      ...steps.map(({ label, moves }) => ({ label, labels: dense(moves) })),
      ...(isEnding ? [{ label: END_NAME, labels: ending }] : []),
      ...failing,
    ],
    span,
  };
}

function distinctly(parts: readonly NetworkPart[]): NetworkPart[] {
  const times = new Map<string, number>();
  return parts.map((part) => {
    const time = (times.get(part.name) ?? 0) + 1;
    times.set(part.name, time);
    return time === 1 ? part : { ...part, name: `${part.name} (${time})` };
  });
}
