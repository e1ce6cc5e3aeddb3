/**
 * Lowers tasks to a branching vector addition system: a derivation is a run of one task with all tasks that were posted
 * below it and awaited. A vector has the location of the task and its pending tasks.
 *
 * Two pitfalls, with tests. A step from a location to itself would have the effect 0 and therefore no precondition: it
 * goes through an auxiliary location. And a parent removes the pending task in a separate step before the join: in the
 * join, a pending task of the child could take its place.
 */
import type { Bvas, BvasRule } from "../../model/bvas.js";
import type { Span } from "../../model/diagnostic.js";
import type { Edge, TaskGraph, Wait } from "./graph.js";
import { nth } from "../../model/known.js";

export function lowerTasks(name: string, graphs: readonly TaskGraph[], main: TaskGraph): Bvas {
  return new Lowering(name, graphs, main).bvas();
}

type Changes = readonly (readonly [place: string, count: number])[];

class Lowering {
  readonly #name: string;
  readonly #graphs: readonly TaskGraph[];
  readonly #main: TaskGraph;
  readonly #places = new Map<string, number>();
  readonly #unary: Draft[] = [];
  readonly #binary: Draft[] = [];
  /** All pairs of region and task posted in the program. */
  readonly #pending: readonly { readonly region: string; readonly task: string }[];

  constructor(name: string, graphs: readonly TaskGraph[], main: TaskGraph) {
    this.#name = name;
    this.#graphs = graphs;
    this.#main = main;
    const posts = graphs.flatMap(({ edges }) => edges.flatMap((edge) => (edge.posts ? [edge.posts] : [])));
    const byName = new Map(posts.map((post) => [`${post.region} ${post.task}`, post]));
    this.#pending = [...byName.values()];
  }

  bvas(): Bvas {
    const axioms = this.#graphs.map(({ name, span }): Draft => ({
      name: `${name} begins`,
      changes: [[location(name, 0), 1]],
      span,
    }));
    for (const graph of this.#graphs) this.#task(graph);
    for (const graph of this.#graphs) this.#failures(graph);
    const target: Changes = [[failed(this.#main.name), 1]];
    for (const draft of [...axioms, ...this.#unary, ...this.#binary])
      for (const [place] of draft.changes) this.#number(place);
    this.#number(failed(this.#main.name));
    return {
      kind: "bvas",
      name: this.#name,
      places: [...this.#places.keys()],
      axioms: axioms.map((draft) => this.#rule(draft)),
      unary: this.#unary.map((draft) => this.#rule(draft)),
      binary: this.#binary.map((draft) => this.#rule(draft)),
      properties: [{ name: "error", kind: "coverability", span: undefined, targets: [this.#vector(target)] }],
    };
  }

  #task(graph: TaskGraph): void {
    const { name } = graph;
    for (const edge of graph.edges) this.#edge(name, edge);
    for (const [index, wait] of graph.waits.entries()) this.#wait(name, wait, index);
    for (const { from, value, span } of graph.returns)
      this.#add(this.#unary, `${name} returns ${value}`, span, [
        [location(name, from), -1],
        [returned(name, value), 1],
      ]);
    for (const { from, span } of graph.errors)
      this.#add(this.#unary, `${name}: error`, span, [
        [location(name, from), -1],
        [failed(name), 1],
      ]);
  }

  #edge(task: string, { from, to, text, span, posts }: Edge): void {
    const gains: Changes = posts ? [[pending(posts.region, posts.task), 1]] : [];
    if (from !== to) {
      this.#add(this.#unary, `${task}: ${text}`, span, [
        [location(task, from), -1],
        [location(task, to), 1],
        ...gains,
      ]);
      return;
    }
    const between = `${task} after ${text} at ${from}`;
    this.#add(this.#unary, `${task}: ${text}`, span, [[location(task, from), -1], [between, 1], ...gains]);
    this.#add(this.#unary, `${task} continues`, span, [
      [between, -1],
      [location(task, to), 1],
    ]);
  }

  #wait(task: string, { from, region, span, branches, otherwise }: Wait, index: number): void {
    for (const child of this.#pending.filter((post) => post.region === region)) {
      const waiting = `${task} waits (${index + 1}) for ${child.task}`;
      this.#add(this.#unary, `${task} awaits ${child.task} in ${region}`, span, [
        [location(task, from), -1],
        [pending(region, child.task), -1],
        [waiting, 1],
      ]);
      for (const value of this.#valuesOf(child.task)) {
        const to = branches.get(value) ?? otherwise;
        if (to === undefined) continue;
        this.#add(this.#binary, `${task} gets ${value} from ${child.task}`, span, [
          [waiting, -1],
          [returned(child.task, value), -1],
          [location(task, to), 1],
        ]);
      }
    }
  }

  /**
   * A task fails if a task that it has posted fails. Tasks of the same name are excluded: their failure already is the
   * failure sought, and a rule that consumes and produces the same failure would have no precondition.
   */
  #failures({ name, span, locations, returns }: TaskGraph): void {
    const places = [
      ...locations.map((number) => location(name, number)),
      ...new Set(returns.map(({ value }) => returned(name, value))),
    ];
    const others = this.#pending.filter(({ task }) => task !== name);
    for (const { region, task } of others)
      for (const place of places)
        this.#add(this.#unary, `${task} in ${region}, posted by ${name}, is looked at`, span, [
          [place, -1],
          [pending(region, task), -1],
          [fails(name, task), 1],
        ]);
    for (const task of new Set(others.map((post) => post.task)))
      this.#add(this.#binary, `${task} fails, posted by ${name}`, span, [
        [fails(name, task), -1],
        [failed(task), -1],
        [failed(name), 1],
      ]);
  }

  #valuesOf(task: string): readonly string[] {
    const graph = this.#graphs.find(({ name }) => name === task);
    return [...new Set(graph?.returns.map(({ value }) => value))];
  }

  #add(rules: Draft[], name: string, span: Span, changes: Changes): void {
    rules.push({ name, span, changes });
  }

  #rule({ name, span, changes }: Draft): BvasRule {
    return { name, span, vector: this.#vector(changes) };
  }

  #vector(changes: Changes): number[] {
    const vector = Array<number>(this.#places.size).fill(0);
    for (const [place, count] of changes) {
      const at = this.#number(place);
      vector[at] = nth(vector, at) + count;
    }
    return vector;
  }

  #number(place: string): number {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    this.#places.set(place, this.#places.size);
    return this.#places.size - 1;
  }
}

interface Draft {
  readonly name: string;
  readonly span: Span;
  readonly changes: Changes;
}

const location = (task: string, number: number): string => `${task} at ${number}`;
const returned = (task: string, value: string): string => `${task} has returned ${value}`;
const failed = (task: string): string => `${task} has failed`;
const pending = (region: string, task: string): string => `pending ${task} in ${region}`;
const fails = (task: string, child: string): string => `${task} looks at ${child}`;
