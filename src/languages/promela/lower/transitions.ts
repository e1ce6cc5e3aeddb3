/**
 * Derives the automaton of a process from connected nodes: the steps of each node, their order and targets.
 *
 * A selection or block has no steps besides the first steps of its options, which are pulled up to it. Escapes precede
 * the steps they interrupt. Orders and numbers are the same as in Spin's verifier.
 */
import { mendJumps } from "./atomic.js";
import { firstNode, restingNode } from "./joints.js";
import { bodyOf, destinationOf, isNeverTrue, type Chain, type Node } from "./nodes.js";
import type { Body } from "./build.js";
import { nth } from "../../../model/known.js";

export interface Transition {
  readonly node: Node;
  /** Number of the node where control rests afterwards; 0 for the end of the process. */
  readonly to: number;
  readonly keepsControl: boolean;
  /** The first node of the escape that the step belongs to; otherwise 0. */
  readonly escape: number;
}

export interface Automaton {
  readonly initial: number;
  /** By node number; a node where control never rests may have none. */
  readonly transitions: ReadonlyMap<number, readonly Transition[]>;
  readonly marks: ReadonlyMap<number, Marks>;
}

export interface Marks {
  readonly isEnd: boolean;
  readonly isProgress: boolean;
  readonly isAccept: boolean;
}

export function automatonOf(body: Body): Automaton {
  const { chain, nodes } = body;
  const steps = new Map<number, Step>();
  emitChain(chain, steps);
  const marks = marksOf(nodes, chain.last);
  flattenSelections(nodes, steps, marks);
  const pulled = pullUp(nodes, steps, marks);
  addEscapes(nodes, pulled);
  passEndMarksOn(nodes, pulled, marks);
  const transitions = new Map([...pulled].map(([number, list]) => [number, list.map(withoutEscapes)]));
  return { initial: restingNode(chain.first, chain.first).number, transitions, marks };
}

/** A transition with the first nodes of the escapes that interrupt it, outermost first. */
interface Interruptible extends Transition {
  readonly escapes: readonly number[];
}

/** A step of the node itself, or a choice between the steps of other nodes. */
type Step =
  | { readonly kind: "own"; readonly transition: Interruptible }
  | { readonly kind: "choice"; readonly starts: readonly number[] };

function emitChain(chain: Chain, steps: Map<number, Step>): void {
  for (let node: Node | undefined = chain.first; node; node = node.next) {
    if (!node.isEmitted) {
      node.isEmitted = true;
      emit(node, steps);
    }
    if (node === chain.last) break;
  }
}

function emit(node: Node, steps: Map<number, Step>): void {
  switch (node.kind) {
    case "unless":
      return emitChain(nth(node.branches, 0), steps);
    case "selection": {
      const starts = node.branches.map((branch) => firstNode(branch.first));
      const live = starts.filter((start) => !isNeverTrue(start) || start.escapes.length > 0);
      steps.set(node.number, { kind: "choice", starts: live.map((start) => start.number) });
      return node.branches.forEach((branch) => emitChain(branch, steps));
    }
    case "block":
    case "atomic":
    case "step": {
      const body = bodyOf(node);
      mendJumps(body);
      body.last.next = node.next;
      if (node.kind === "step") return emitOwn(node, steps);
      steps.set(node.number, { kind: "choice", starts: [firstNode(body.first).number] });
      return emitChain(body, steps);
    }
    default:
      return emitOwn(node, steps);
  }
}

function emitOwn(node: Node, steps: Map<number, Step>): void {
  const target = node.kind === "goto" ? destinationOf(node) : node.next;
  const to = target ? restingNode(target, node).number : 0;
  const escapes = node.kind === "join" ? [] : node.escapes;
  const transition: Interruptible = {
    node,
    to,
    keepsControl: node.keepsControl,
    escape: 0,
    escapes: escapes.map((escape) => restingNode(escape.first, node).number),
  };
  steps.set(node.number, { kind: "own", transition });
  for (const escape of escapes) emitChain(escape, steps);
}

type MutableMarks = { -readonly [key in keyof Marks]: Marks[key] };

function marksOf(nodes: readonly Node[], end: Node): Map<number, MutableMarks> {
  const has = (node: Node, prefix: string): boolean =>
    node.labels.some(({ name }) => name.startsWith(prefix));
  return new Map(
    nodes.map((node) => [
      node.number,
      {
        // sound: test/languages/promela/conditions.test.ts
        isEnd: node === end || has(node, "end"),
        // sound: test/languages/promela/conditions.test.ts
        isProgress: has(node, "progress"),
        // sound: test/languages/promela/conditions.test.ts
        isAccept: has(node, "accept"),
      },
    ]),
  );
}

/** Passes the marks of a skipped node to its successor. */
function passMarks(marks: Map<number, MutableMarks>, from: number, to: number): void {
  const source = marks.get(from);
  const target = marks.get(to);
  if (!source || !target) return;
  target.isEnd ||= source.isEnd;
  target.isProgress ||= source.isProgress;
  target.isAccept ||= source.isAccept;
}

function flattenSelections(
  nodes: readonly Node[],
  steps: Map<number, Step>,
  marks: Map<number, MutableMarks>,
): void {
  const choiceAt = (number: number): readonly number[] | undefined => {
    const step = steps.get(number);
    return step?.kind === "choice" ? step.starts : undefined;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const { number } of nodes) {
      const starts = choiceAt(number);
      if (!starts?.some(choiceAt)) continue;
      changed = true;
      const flat = starts.flatMap((start) => {
        const inner = choiceAt(start);
        inner?.forEach((option) => passMarks(marks, start, option));
        return inner ?? [start];
      });
      steps.set(number, { kind: "choice", starts: flat });
    }
  }
}

function pullUp(
  nodes: readonly Node[],
  steps: ReadonlyMap<number, Step>,
  marks: Map<number, MutableMarks>,
): Map<number, Interruptible[]> {
  const lists = new Map<number, Interruptible[]>();
  for (const { number } of nodes) {
    const step = steps.get(number);
    if (step?.kind === "own") lists.set(number, [step.transition]);
    if (step?.kind !== "choice") continue;
    const options = step.starts.flatMap((start) => {
      const option = steps.get(start);
      return option?.kind === "own" ? [{ start, transition: option.transition }] : [];
    });
    for (const { start, transition } of options) passMarks(marks, start, transition.to);
    lists.set(
      number,
      options.map(({ transition }) => transition),
    );
  }
  return lists;
}

/** Puts the steps of escapes first, outermost escape foremost. */
function addEscapes(nodes: readonly Node[], lists: Map<number, Interruptible[]>): void {
  for (const { number } of nodes) {
    const own = lists.get(number);
    if (!own?.some(({ escapes }) => escapes.length > 0)) continue;
    const all = [...own];
    for (const { escapes } of own)
      for (const escape of escapes.toReversed())
        for (const step of lists.get(escape) ?? [])
          // sound: test/languages/promela/conditions.test.ts
          if (!all.some(({ node }) => node === step.node)) all.unshift({ ...step, escape });
    lists.set(number, all);
  }
}

/** Passes end marks of joins to their successors. */
function passEndMarksOn(
  nodes: readonly Node[],
  lists: ReadonlyMap<number, readonly Interruptible[]>,
  marks: Map<number, MutableMarks>,
): void {
  for (const { number } of nodes) {
    const [only, ...others] = lists.get(number) ?? [];
    if (only?.node.kind !== "join" || others.length > 0 || !marks.get(number)?.isEnd) continue;
    const target = marks.get(only.to);
    if (target) target.isEnd = true;
  }
}

const withoutEscapes = ({ node, to, keepsControl, escape }: Interruptible): Transition => ({
  node,
  to,
  keepsControl,
  escape,
});
