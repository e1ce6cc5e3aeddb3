/** Models written down as a function from a state to its steps: small, slow, and obviously right. */
import type { Successors } from "../../../src/model/index.js";
import {
  Entry,
  Status,
  type FaultKind,
  type Model,
  type Property,
  type Span,
  type System,
  type Words,
} from "../../../src/model/index.js";

/** A state as its words, with or without trailing zeros. */
export type ToyState = readonly number[];

export interface ToyStep {
  /** Absent: the step fails and leads nowhere. */
  readonly to?: ToyState;
  readonly fault?: number;
  readonly intermediate?: boolean;
}

export interface Toy {
  readonly initial: ToyState;
  readonly next: (state: ToyState) => readonly ToyStep[];
  /** One step a statement, where `next` takes several at once. */
  readonly fineNext?: (state: ToyState) => readonly ToyStep[];
  readonly width?: number;
  readonly compareFrom?: number;
  readonly isValidEnd?: (state: ToyState) => boolean;
  readonly sites?: readonly FaultKind[];
  readonly invariants?: readonly ((state: ToyState) => boolean)[];
  /** Kinds by index; all `invariant` when absent. */
  readonly kinds?: readonly ("invariant" | "cover" | "agef")[];
  readonly hasRoot?: boolean;
}

export function toyModel(toy: Toy): Model {
  const invariants = (toy.invariants ?? []).map((_, i) => {
    const kind = toy.kinds?.[i] ?? "invariant";
    return property(kind, `${kind} ${i}`);
  });
  const system = toySystem(toy, toy.next);
  const steps = toySystem(toy, toy.fineNext ?? toy.next);
  return {
    system,
    steps: Object.assign(steps, EXPLAINS_NOTHING),
    properties: [property("assertion"), property("deadlock"), property("runtime"), ...invariants],
    sites: (toy.sites ?? []).map((fault, i) => ({ fault, message: `site ${i}`, span: NOWHERE })),
    holds: (index, state, at) => toy.invariants![index]!(trimmed([...state.slice(at, at + system.width)])),
    invariants,
    coverage: { parts: [], reached: new Uint8Array(0) },
  };
}

export function trimmed(state: ToyState): number[] {
  const words = [...state];
  while (words.length > 0 && words.at(-1) === 0) words.pop();
  return words;
}

function toySystem(toy: Toy, next: Toy["next"]): System {
  let width = Math.max(1, toy.width ?? 0, toy.initial.length);
  const emit = (out: Successors, step: ToyStep): void => {
    if (!step.to) return out.addFault(step.fault!);
    if (step.to.length > width) {
      width = step.to.length;
      out.widen(width);
    }
    if (out.count === out.capacity) out.grow();
    out.words.fill(0, out.count * out.stride, (out.count + 1) * out.stride);
    out.words.set(step.to, out.count * out.stride);
    const fault = step.fault === undefined ? 0 : (step.fault + 1) << Entry.faultShift;
    const flags = fault | (step.intermediate ? Entry.intermediate : 0);
    out.flags[out.count++] = flags;
    if (flags !== 0) out.isFlagged = true;
  };
  const read = (state: Words, at: number): number[] => {
    if (at + width > state.length)
      throw new Error(`a state at ${at} of ${state.length} has not ${width} words`);
    return trimmed([...state.subarray(at, at + width)]);
  };
  return {
    get width() {
      return width;
    },
    compareFrom: toy.compareFrom ?? 0,
    hasRoot: toy.hasRoot ?? false,
    initial: (out) => emit(out, { to: toy.initial }),
    successors(state, at, out) {
      if (out.stride !== width)
        throw new Error(`a list of stride ${out.stride} for states of ${width} words`);
      for (const step of next(read(state, at))) emit(out, step);
    },
    status: (state, at) => (toy.isValidEnd?.(read(state, at)) ? Status.validEnd : 0),
  };
}

const NOWHERE: Span = { file: "toy", start: 0, end: 0 };

const property = (kind: Property["kind"], name: string = kind): Property => ({ name, kind, span: undefined });

const EXPLAINS_NOTHING = {
  describe: () => ({ participants: [], action: "", sources: [], messages: [], output: "" }),
  snapshot: (state: Words) => [...state].map((value, i) => ({ name: `w${i}`, value: String(value) })),
  processes: () => [],
};

/** The node with number `i` is the state `[i, ...words]`. */
export interface GraphNode {
  readonly edges: readonly {
    readonly to: number;
    readonly fault: number | null;
    readonly isDead: boolean;
  }[];
  readonly isIntermediate: boolean;
  readonly isValidEnd: boolean;
  readonly words: readonly number[];
  readonly isGood: boolean;
}

export function graphToy(nodes: readonly GraphNode[]): Toy {
  const words = nodes.map((node, i) => [i, ...node.words]);
  const next = (state: readonly number[]): ToyStep[] =>
    nodes[state[0] ?? 0]!.edges.map(({ to, fault, isDead }) => {
      const target = to % nodes.length;
      if (fault !== null && isDead) return { fault };
      const isInside = nodes[target]!.isIntermediate && target !== 0;
      return { to: words[target]!, intermediate: isInside, ...(fault === null ? {} : { fault }) };
    });
  return {
    initial: words[0]!,
    next,
    isValidEnd: (state) => nodes[state[0] ?? 0]!.isValidEnd,
    sites: ["assertion", "division-by-zero", "assertion"],
    invariants: [(state) => nodes[state[0] ?? 0]!.isGood],
  };
}
