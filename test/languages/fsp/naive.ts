/** The obvious composition of processes: each operator builds the whole graph of its result, by its definition. */
import type { Random } from "../../../src/session/index.js";

export interface Graph {
  /** By state: labels and targets; state 0 is the initial one. */
  readonly edges: readonly (readonly (readonly [string, number])[])[];
  readonly alphabet: ReadonlySet<string>;
}

export type Tree =
  | {
      readonly kind: "part";
      readonly name: string;
      readonly graph: Graph;
      readonly extension: readonly string[];
    }
  | { readonly kind: "parallel"; readonly parts: readonly Tree[] }
  | { readonly kind: "prefix"; readonly of: Tree; readonly prefixes: readonly string[] }
  | { readonly kind: "relabel"; readonly of: Tree; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly kind: "hide"; readonly of: Tree; readonly labels: readonly string[] };

export function composed(tree: Tree): Graph {
  switch (tree.kind) {
    case "part":
      return { edges: tree.graph.edges, alphabet: new Set([...tree.graph.alphabet, ...tree.extension]) };
    case "parallel":
      return tree.parts.map(composed).reduce(product);
    case "prefix":
      return mapped(composed(tree.of), (label) => tree.prefixes.map((prefix) => `${prefix}.${label}`));
    case "relabel":
      return mapped(composed(tree.of), (label) => renamed(label, tree.pairs));
    case "hide":
      return mapped(composed(tree.of), (label) =>
        tree.labels.some((hidden) => label === hidden || label.startsWith(`${hidden}.`)) ? ["tau"] : [label],
      );
  }
}

function renamed(label: string, pairs: readonly (readonly [string, string])[]): string[] {
  const matching = pairs.filter(([, old]) => label === old || label.startsWith(`${old}.`));
  if (matching.length === 0) return [label];
  const longest = Math.max(...matching.map(([, old]) => old.length));
  return matching
    .filter(([, old]) => old.length === longest)
    .map(([to, old]) => to + label.slice(old.length));
}

function mapped({ edges, alphabet }: Graph, names: (label: string) => readonly string[]): Graph {
  const own = (label: string): readonly string[] => (label === "tau" ? [label] : names(label));
  const labels = new Set([...alphabet].flatMap(own));
  labels.delete("tau");
  return {
    edges: edges.map((of) => of.flatMap(([label, to]) => own(label).map((name) => [name, to] as const))),
    alphabet: labels,
  };
}

function product(p: Graph, q: Graph): Graph {
  const numbers = new Map([["0,0", 0]]);
  const states: (readonly [number, number])[] = [[0, 0]];
  const edges: (readonly [string, number])[][] = [];
  const numberOf = (a: number, b: number): number => {
    const key = `${a},${b}`;
    if (!numbers.has(key)) numbers.set(key, states.push([a, b]) - 1);
    return numbers.get(key)!;
  };
  for (let at = 0; at < states.length; at++) {
    const [a, b] = states[at]!;
    const own: (readonly [string, number])[] = [];
    for (const [label, to] of p.edges[a]!)
      if (label === "tau" || !q.alphabet.has(label)) own.push([label, numberOf(to, b)]);
      else
        for (const [other, then] of q.edges[b]!) if (other === label) own.push([label, numberOf(to, then)]);
    for (const [label, to] of q.edges[b]!)
      if (label === "tau" || !p.alphabet.has(label)) own.push([label, numberOf(a, to)]);
    edges.push(own);
  }
  return { edges, alphabet: new Set([...p.alphabet, ...q.alphabet]) };
}

/** As a file of transition systems. */
export function jsonOf({ edges }: Graph): string {
  const labels = ["tau", ...new Set(edges.flat().map(([label]) => label))].filter(
    (label, i, all) => all.indexOf(label) === i,
  );
  const transitions = edges.flatMap((of, from) => of.map(([label, to]) => [from, labels.indexOf(label), to]));
  return JSON.stringify({ states: edges.length, initial: [0], labels, transitions });
}

/** The text of a part, and of the whole. */
export function textOf(tree: Tree): string {
  const parts: string[] = [];
  const body = compositionOf(tree, parts);
  return `${parts.join("\n")}\n||SYS = (${body}).\n`;
}

function compositionOf(tree: Tree, parts: string[]): string {
  switch (tree.kind) {
    case "part":
      parts.push(processOf(tree));
      return tree.name;
    case "parallel":
      return `(${tree.parts.map((part) => compositionOf(part, parts)).join(" || ")})`;
    case "prefix": {
      const inner = compositionOf(tree.of, parts);
      const [only] = tree.prefixes;
      return tree.prefixes.length === 1 ? `${only}:(${inner})` : `{${tree.prefixes.join(", ")}}::(${inner})`;
    }
    case "relabel":
      return `(${compositionOf(tree.of, parts)})/{${tree.pairs.map(([to, old]) => `${to}/${old}`).join(", ")}}`;
    case "hide":
      return `(${compositionOf(tree.of, parts)})\\{${tree.labels.join(", ")}}`;
  }
}

function processOf({ name, graph, extension }: Extract<Tree, { kind: "part" }>): string {
  const locals = graph.edges.map((of, state) => {
    const body =
      of.length === 0 ? "STOP" : `(${of.map(([label, to]) => `${label} -> ${name}${to}`).join(" | ")})`;
    return `${name}${state} = ${body}`;
  });
  const added = extension.length === 0 ? "" : ` + {${extension.join(", ")}}`;
  return `${name} = ${name}0, ${locals.join(", ")}${added}.`;
}

const LABELS = ["a", "b", "c.d", "c.e"];

export function randomTree(random: Random, depth = 2, names = { next: 0 }): Tree {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!;
  if (depth === 0 || random.below(5) === 0) {
    const states = 1 + random.below(3);
    const edges = Array.from({ length: states }, () =>
      Array.from({ length: random.below(3) }, () => [pick(LABELS), random.below(states)] as const),
    );
    return {
      kind: "part",
      name: `P${names.next++}_`,
      graph: { edges, alphabet: new Set(edges.flat().map(([label]) => label)) },
      extension: random.below(3) === 0 ? [pick(LABELS)] : [],
    };
  }
  const of = (): Tree => randomTree(random, depth - 1, names);
  switch (random.below(6)) {
    case 0:
      return { kind: "prefix", of: of(), prefixes: random.below(2) === 0 ? ["x"] : ["x", "y"] };
    case 1:
      return {
        kind: "relabel",
        of: of(),
        pairs: [[pick(["a", "b", "z"]), pick(["a", "b", "c", "c.d", "x"])]],
      };
    case 2:
      return {
        kind: "relabel",
        of: of(),
        pairs: [
          ["a", "b"],
          ["z", "b"],
        ],
      };
    case 3:
      return { kind: "hide", of: of(), labels: [pick(["a", "c", "x.a", "z"])] };
    default:
      return { kind: "parallel", parts: Array.from({ length: 2 + random.below(2) }, of) };
  }
}
