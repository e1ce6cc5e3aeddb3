/**
 * The states around one state, breadth-first, up to a limit: the whole graph of a small system, a neighbourhood in a large one.
 * States are the states of `model.steps`, so that every path in the graph is a schedule.
 */
import {
  Entry,
  Status,
  Successors,
  faultSite,
  violationReason,
  type Model,
  type Words,
} from "../model/index.js";
import { CannotAnswer } from "./cannot-answer.js";
import { firstState, keyOf, widened } from "./reach.js";
import type { GraphEdge, GraphNode, GraphView } from "./protocol.js";
import type { Places } from "./views.js";
import { nth } from "../model/known.js";
import { labelsIn, labelsOf } from "./truths.js";

export function graphView(
  model: Model,
  places: Places,
  choices: readonly number[],
  limit: number,
  mark: string,
  trace: readonly number[] = [],
): GraphView {
  const from = stateAfter(model, choices);
  // A trace begins at the first state, so that only a graph that does so can have it.
  const along = choices.length === 0 ? trace : [];
  return new Exploration(model, places, Math.max(1, Math.min(limit, MOST_NODES))).run(from, along, mark);
}

/** Limit for layout and display. */
export const MOST_NODES = 5000;

class Exploration {
  readonly #model: Model;
  readonly #places: Places;
  readonly #limit: number;
  readonly #out: Successors;
  readonly #known = new Map<string, number>();
  readonly #nodes: Draft[] = [];
  readonly #edges: GraphEdge[] = [];
  readonly #names = new Map<string, number>();
  #isComplete = true;

  constructor(model: Model, places: Places, limit: number) {
    this.#model = model;
    this.#places = places;
    this.#limit = limit;
    this.#out = new Successors(model.steps.width);
  }

  run(from: Words, trace: readonly number[], mark: string): GraphView {
    this.#add(from, -1, -1);
    const path = this.#follow(from, trace);
    for (let index = 0; index < this.#nodes.length; index++) this.#expand(index);
    const names = [...this.#names.keys()];
    return {
      mark,
      names,
      labels: labelsOf(this.#model),
      nodes: this.#nodes.map(({ values, ...node }) => ({
        ...node,
        values: names.map((name) => values.get(name) ?? null),
      })),
      edges: this.#edges,
      isComplete: this.#isComplete,
      path,
    };
  }

  /** The states of a run, before other states, up to the limit. */
  #follow(from: Words, trace: readonly number[]): string[] {
    const { steps } = this.#model;
    const path = [nth(this.#nodes, 0).key];
    let state = from;
    let at = 0;
    for (const choice of trace) {
      const out = new Successors(steps.width);
      steps.successors(state, 0, out);
      if (choice >= out.count) break;
      state = out.stateAt(choice);
      const flags = nth(out.flags, choice);
      const next = this.#target(state, flags, at, choice);
      if (next === undefined) break;
      path.push(nth(this.#nodes, next).key);
      if (faultSite(flags) >= 0) break;
      at = next;
    }
    return path;
  }

  #expand(index: number): void {
    const node = nth(this.#nodes, index);
    if (!node.words) return;
    const { steps } = this.#model;
    const out = this.#out;
    out.clear();
    steps.successors(node.words, 0, out);
    const state = widened(node.words, steps);
    const found = Array.from({ length: out.count }, (_, choice) => ({
      choice,
      flags: nth(out.flags, choice),
      words: out.stateAt(choice),
    }));
    delete node.words;
    let isWhole = true;
    for (const { choice, flags, words } of found) {
      const step = steps.describe(state, 0, choice);
      const to = this.#target(words, flags, index, choice);
      const label = `${step.participants.join(" + ")}: ${step.action}`;
      if (to === undefined) isWhole = false;
      else this.#edges.push({ from: index, to, label });
    }
    node.isExpanded = isWhole;
    this.#isComplete &&= isWhole;
  }

  /** Undefined when there is no more room for a new one. */
  #target(words: Words, flags: number, parent: number, choice: number): number | undefined {
    const site = faultSite(flags);
    const known = site >= 0 ? undefined : this.#known.get(keyOf(words, this.#model.steps));
    if (known !== undefined) return known;
    if (this.#nodes.length >= this.#limit) return undefined;
    return site >= 0 ? this.#addFault(site, parent, choice) : this.#add(words, parent, choice);
  }

  #addFault(site: number, parent: number, choice: number): number {
    const text = this.#model.sites[site]?.message ?? "an error";
    const key = `fault ${site} after ${nth(this.#nodes, parent).key}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.#nodes.length);
    const { values, labels } = nth(this.#nodes, parent);
    return (
      this.#nodes.push({
        key,
        parent,
        choice,
        values,
        labels,
        kind: "fault",
        text,
        isExpanded: true,
      }) - 1
    );
  }

  #add(words: Words, parent: number, choice: number): number {
    const { steps } = this.#model;
    const key = keyOf(words, steps);
    this.#known.set(key, this.#nodes.length);
    const values = new Map<string, string>();
    for (const [process, [, line]] of this.#places.ofProcesses(steps.processes(words, 0)))
      values.set(`@${process}`, `${line}`);
    for (const { name, value } of steps.snapshot(words, 0)) values.set(name, value);
    for (const name of values.keys()) if (!this.#names.has(name)) this.#names.set(name, this.#names.size);
    this.#nodes.push({
      key,
      parent,
      choice,
      values,
      ...this.#judge(words),
      isExpanded: false,
      words,
    });
    return this.#nodes.length - 1;
  }

  #judge(words: Words): Pick<GraphNode, "kind" | "text" | "labels"> {
    const model = this.#model;
    const status = model.steps.status(words, 0);
    if ((status & Status.intermediate) !== 0)
      return { kind: "intermediate", text: "inside an atomic sequence", labels: [] };
    const labels = labelsIn(model, words);
    const broken = model.invariants.findIndex(
      ({ kind }, index) => kind !== "cover" && kind !== "agef" && !model.holds(index, words, 0),
    );
    if (broken >= 0) return { kind: "broken", text: violationReason(model, broken, words, 0), labels };
    const out = new Successors(model.steps.width, 4);
    model.steps.successors(words, 0, out);
    if (out.count > 0) return { kind: "state", text: "", labels };
    return (status & Status.validEnd) !== 0
      ? { kind: "end", text: "a valid end", labels }
      : { kind: "deadlock", text: "nothing can move", labels };
  }
}

interface Draft extends Omit<GraphNode, "values" | "isExpanded"> {
  readonly values: ReadonlyMap<string, string>;
  isExpanded: boolean;
  /** Until it is expanded. */
  words?: Words;
}

function stateAfter(model: Model, choices: readonly number[]): Words {
  const { steps } = model;
  const out = new Successors(steps.width);
  let state = firstState(model);
  for (const [index, choice] of choices.entries()) {
    out.clear();
    steps.successors(state, 0, out);
    if (choice >= out.count)
      throw new CannotAnswer(`the model does not offer choice ${choice} at step ${index + 1}`);
    if ((nth(out.flags, choice) & Entry.dead) !== 0) return widened(state, steps);
    state = out.stateAt(choice);
  }
  return state;
}
