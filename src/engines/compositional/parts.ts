/**
 * Vectors of a network, seen from some of its parts. A step of a group of parts is complete if all parts of its vector are in the group:
 * its label is then the vector's, or τ if that is hidden. Otherwise its label names the moves of the group, so steps that the rest of
 * the network cannot tell apart share one.
 */
import {
  TAU,
  TAU_NAME,
  type Lts,
  type LtsNetwork,
  type NetworkPart,
  type SyncVector,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

const COMPLETE = "=";
const PARTIAL = "#";

/** The label of a complete step; undefined: it is partial, or τ. */
export const completeLabel = (label: string): string | undefined =>
  label.startsWith(COMPLETE) ? label.slice(COMPLETE.length) : undefined;

export const isPartial = (label: string): boolean => label.startsWith(PARTIAL);

interface Vector {
  readonly label: string;
  readonly moves: readonly { readonly part: number; readonly label: string }[];
}

/** A group of parts with its system. */
export interface Group {
  readonly name: string;
  readonly parts: ReadonlySet<number>;
  readonly lts: Lts;
  readonly watches?: NetworkPart["watches"];
}

export class Vectors {
  readonly #network: LtsNetwork;
  readonly #byPart: readonly (readonly Vector[])[];
  readonly #isVisible: (label: string) => boolean;

  constructor(network: LtsNetwork, isVisible: (label: string) => boolean) {
    this.#network = network;
    this.#isVisible = isVisible;
    const byPart: Vector[][] = network.parts.map(() => []);
    for (const { label, labels } of network.vectors) {
      const moves = labels.flatMap((own, part) => (own === undefined ? [] : [{ part, label: own }]));
      for (const { part } of moves) nth(byPart, part).push({ label, moves });
    }
    this.#byPart = byPart;
  }

  /** Of a part alone. */
  leaf(part: number): LtsNetwork {
    const { name, lts, watches } = nth(this.#network.parts, part);
    const parts = new Set([part]);
    const vectors = new Map<string, SyncVector>();
    for (const vector of nth(this.#byPart, part)) {
      const own = vector.moves.find((move) => move.part === part)?.label;
      const label = this.#labelIn(vector, parts);
      vectors.set(`${label}\n${own}`, { label, labels: [own] });
    }
    return this.#networkOf(
      name,
      [{ name, parts, lts, ...(watches ? { watches } : {}) }],
      [...vectors.values()],
    );
  }

  /** Of groups that run together. */
  together(name: string, groups: readonly Group[]): LtsNetwork {
    const all = union(groups);
    const vectors = new Map<string, SyncVector>();
    const add = (label: string, labels: readonly (string | undefined)[]): void =>
      void vectors.set([label, ...labels].join("\n"), { label, labels });
    for (const [index, { lts }] of groups.entries())
      for (const label of lts.labels)
        if (completeLabel(label) !== undefined)
          add(
            label,
            groups.map((_, i) => (i === index ? label : undefined)),
          );
    for (const vector of this.#touching(all)) {
      // A step that is complete in one group is one of its labels.
      if (groups.some(({ parts }) => this.#isWithin(vector, parts))) continue;
      add(
        this.#labelIn(vector, all),
        groups.map(({ parts }) => (this.#touches(vector, parts) ? this.#labelIn(vector, parts) : undefined)),
      );
    }
    return this.#networkOf(name, groups, [...vectors.values()]);
  }

  /** Do two groups take part in a step together? */
  areJoined(first: Group, second: Group): boolean {
    const [smaller, larger] = first.parts.size <= second.parts.size ? [first, second] : [second, first];
    return [...smaller.parts].some((part) =>
      nth(this.#byPart, part).some((vector) => this.#touches(vector, larger.parts)),
    );
  }

  /** The number of labels of two groups together that the rest can observe. */
  exportedBy(first: Group, second: Group): number {
    const all = union([first, second]);
    const labels = new Set<string>();
    for (const vector of this.#touching(all)) labels.add(this.#labelIn(vector, all));
    labels.delete(TAU_NAME);
    return labels.size;
  }

  #touching(parts: ReadonlySet<number>): ReadonlySet<Vector> {
    return new Set([...parts].flatMap((part) => nth(this.#byPart, part)));
  }

  #touches({ moves }: Vector, parts: ReadonlySet<number>): boolean {
    return moves.some(({ part }) => parts.has(part));
  }

  #isWithin({ moves }: Vector, parts: ReadonlySet<number>): boolean {
    return moves.every(({ part }) => parts.has(part));
  }

  #labelIn(vector: Vector, parts: ReadonlySet<number>): string {
    // Hiding before all partners are present would lose their steps.
    // sound: test/session/compositional.test.ts
    if (this.#isWithin(vector, parts))
      return vector.label === TAU_NAME || !this.#isVisible(vector.label) ? TAU_NAME : COMPLETE + vector.label;
    const inside = vector.moves.filter(({ part }) => parts.has(part));
    return PARTIAL + inside.map(({ part, label }) => `${part}:${label}`).join("|");
  }

  #networkOf(name: string, groups: readonly Group[], vectors: readonly SyncVector[]): LtsNetwork {
    return {
      name,
      parts: groups.map(({ name: own, lts, watches }) => ({
        name: own,
        lts,
        ...(watches ? { watches } : {}),
      })),
      vectors,
      span: this.#network.span,
    };
  }
}

export const union = (groups: readonly Group[]): ReadonlySet<number> =>
  new Set(groups.flatMap(({ parts }) => [...parts]));

/** Labels other than τ. */
export const exportedLabels = ({ labels, actions }: Lts): number => {
  const used = new Set(actions);
  return labels.filter((_, number) => number !== TAU && used.has(number)).length;
};
