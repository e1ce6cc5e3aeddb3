/**
 * The parts of a χ system: the terms below its outermost scopes, encapsulations and parallel compositions, each as an automaton of residual
 * terms, and the vectors by which they move together.
 */
import {
  ChiControl,
  LtsBuilder,
  chiSize,
  chiValues,
  visitChi,
  type ChiChannel,
  type ChiMove,
  type ChiNode,
  type ChiTerm,
  type ChiValue,
  type ChiVariable,
  type Lts,
  type Span,
  type SyncVector,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

/** The system cannot be built: it is too large. */
export class ChiTooLarge extends Error {
  readonly span: Span | undefined;

  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}

/** A transition of a part: a move, with the value that an open receive gets. */
export interface PartStep {
  readonly move: ChiMove;
  readonly received: ChiValue | undefined;
}

export interface ChiPart {
  readonly name: string;
  /** Its own: equal terms of different parts have different positions. */
  readonly control: ChiControl;
  readonly lts: Lts;
  readonly nodes: readonly ChiNode[];
  /** By transition. */
  readonly steps: readonly PartStep[];
}

export interface ChiParts {
  readonly parts: readonly ChiPart[];
  readonly vectors: readonly SyncVector[];
  /** Variables of all scopes. */
  readonly locals: readonly ChiVariable[];
}

const MOST_NODES = 50_000;
const MOST_MOVES = 400_000;
const MOST_OPEN_VALUES = 4_096;

/** `system`: its variables have different names. */
export function partsOf(system: ChiTerm, channels: readonly ChiChannel[]): ChiParts {
  const leaves = leavesOf(system, [], { next: 0 });
  const types = new Map(channels.map((channel) => [channel.name, channel]));
  const parts = leaves.map(({ term, borders }, i) =>
    automatonOf(`P${i}`, term, (name) => (borders.length === 0 ? types.get(name) : undefined)),
  );
  const locals: ChiVariable[] = [];
  visitChi(system, (term) => term.kind === "scope" && locals.push(...term.variables));
  return { parts, vectors: vectorsOf(leaves, parts), locals };
}

interface Leaf {
  readonly term: ChiTerm;
  /** Encapsulations around it. */
  readonly borders: readonly number[];
}

function leavesOf(term: ChiTerm, borders: readonly number[], numbers: { next: number }): Leaf[] {
  switch (term.kind) {
    case "scope":
      return leavesOf(term.body, borders, numbers);
    case "encap":
      return leavesOf(term.body, [...borders, numbers.next++], numbers);
    case "par":
      return [...leavesOf(term.left, borders, numbers), ...leavesOf(term.right, borders, numbers)];
    default:
      return [{ term, borders }];
  }
}

const INTERNAL = "step";

/** `openChannel`: a channel whose messages may come from outside. */
function automatonOf(
  name: string,
  term: ChiTerm,
  openChannel: (name: string) => ChiChannel | undefined,
): ChiPart {
  const builder = new LtsBuilder();
  const control = new ChiControl();
  const start = control.of(term);
  const numbers = new Map([[start, 0]]);
  const steps: PartStep[] = [];
  const add = (from: number, label: string, step: PartStep): void => {
    const { target } = step.move;
    const to = numbers.get(target) ?? numbers.size;
    numbers.set(target, to);
    builder.add(from, builder.labels.of(label), to);
    steps.push(step);
  };
  for (const [node, from] of numbers) {
    if (numbers.size > MOST_NODES)
      throw new ChiTooLarge(`a component has more than ${MOST_NODES} residual terms`, spanIn(term));
    if (steps.length > MOST_MOVES)
      throw new ChiTooLarge(`a component has more than ${MOST_MOVES} transitions`, spanIn(term));
    for (const move of control.moves(node)) {
      const { action } = move;
      if (action.kind === "send") add(from, `${action.channel}!`, { move, received: undefined });
      else if (action.kind === "receive") {
        add(from, `${action.channel}?`, { move, received: undefined });
        const channel = openChannel(action.channel);
        if (channel)
          openValues(channel, move).forEach((received, i) =>
            add(from, `${channel.name}?${i}`, { move, received }),
          );
      } else add(from, INTERNAL, { move, received: undefined });
    }
  }
  const { lts, order } = builder.finishWithOrder(numbers.size, [0]);
  const sorted: PartStep[] = [];
  steps.forEach((step, i) => (sorted[nth(order as unknown as number[], i)] = step));
  return { name, control, lts, nodes: [...numbers.keys()], steps: sorted };
}

/** Of its first action. */
function spanIn(term: ChiTerm): Span | undefined {
  let found: Span | undefined;
  visitChi(term, (part) => {
    if ("span" in part) found ??= part.span;
  });
  return found;
}

function openValues({ name, type }: ChiChannel, { spans: [span] }: ChiMove): ChiValue[] {
  const size = chiSize(type);
  if (size <= MOST_OPEN_VALUES) return chiValues(type);
  throw new ChiTooLarge(
    `channel '${name}' is open, and its type has more than ${MOST_OPEN_VALUES} values`,
    span,
  );
}

/** Two parts communicate if no encapsulation is around one of them alone; a part alone, if none is around it. */
function vectorsOf(leaves: readonly Leaf[], parts: readonly ChiPart[]): SyncVector[] {
  const vectors: SyncVector[] = [];
  const none = parts.map((): string | undefined => undefined);
  for (const [i, { lts }] of parts.entries()) {
    const { borders } = nth(leaves, i);
    for (const label of lts.labels.slice(1)) {
      const isSync = label.endsWith("?");
      // sound: test/languages/chi/traps.test.ts
      if (label === INTERNAL || (borders.length === 0 && !isSync))
        vectors.push({ label, labels: none.with(i, label) });
      if (!label.endsWith("!")) continue;
      const received = `${label.slice(0, -1)}?`;
      for (const j of parts.keys())
        // sound: test/languages/chi/traps.test.ts
        if (j !== i && nth(leaves, j).borders.join() === borders.join())
          vectors.push({ label: received, labels: none.with(i, label).with(j, received) });
    }
  }
  return vectors;
}
