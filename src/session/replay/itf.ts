/**
 * Reads traces in the Informal Trace Format of Apalache and Quint, and finds the run of our model that has their states.
 *
 * A trace gives values, not steps. The run may take several steps between two states of the trace, as long as the values stay
 * those of the first: models of different tools rarely agree on the size of a step. Variables are matched by name; variables that the
 * trace does not mention may have any value.
 */
import { Entry, Successors, parseSchedule, type Model, type Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { ABSENT, formatCount, narrate, textOf, valuesAfter } from "../../report/index.js";
import type { Refusal } from "./trail.js";

/** Plain data, for messages between processes. */
export interface States {
  /** Names and values. */
  readonly states: readonly (readonly (readonly [name: string, value: string])[])[];
  readonly loop: number | undefined;
  /** The run, if Everypath wrote the trace; it is compared with the states like any other. */
  readonly schedule: string | undefined;
}

/** Does the text look like such a trace? */
export const isItf = (text: string): boolean =>
  /^\s*\{/.test(text) && /"vars"\s*:/.test(text) && /"states"\s*:/.test(text);

export function parseItf(text: string): States | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `not JSON: ${(error as Error).message}` };
  }
  const { vars, states, loop, "#meta": meta } = value as Fields;
  if (!Array.isArray(vars) || !vars.every((name) => typeof name === "string"))
    return { problem: "its field 'vars' is not a list of names" };
  if (!Array.isArray(states) || states.length === 0) return { problem: "its field 'states' has no states" };
  if (
    loop !== undefined &&
    !(Number.isSafeInteger(loop) && (loop as number) >= 0 && (loop as number) < states.length)
  )
    return { problem: "its field 'loop' is not the number of a state" };
  // Quint records its choices in variables of this form.
  const names = (vars as string[]).filter((name) => !name.startsWith("mbt::"));
  const read: States["states"][number][] = [];
  for (const [index, state] of (states as unknown[]).entries()) {
    const values = readState(state, names, index);
    if ("problem" in values) return values;
    read.push(values);
  }
  const schedule = (meta as Fields | undefined)?.["schedule"];
  return {
    states: read,
    loop: loop as number | undefined,
    schedule: typeof schedule === "string" ? schedule : undefined,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function readState(
  state: unknown,
  names: readonly string[],
  index: number,
): States["states"][number] | Refusal {
  if (typeof state !== "object" || state === null) return { problem: `state ${index} is not an object` };
  const values: [string, string][] = [];
  for (const name of names) {
    const text = Object.hasOwn(state, name) ? textOf((state as Fields)[name]) : undefined;
    if (text === undefined) return { problem: `state ${index} has no readable value of '${name}'` };
    values.push([name, text]);
  }
  return values;
}

export interface StatesBudget {
  readonly nodes: number;
}

/** The shortest run through the states, and into an error after the last one if there is one. */
export function followStates(
  model: Model,
  trace: States,
  budget: StatesBudget = { nodes: 200_000 },
): Run | Refusal {
  return recordedRun(model, trace) ?? new StatesSearch(model, trace, budget).run();
}

type Run = { readonly choices: readonly number[]; readonly loopStart: number | undefined };

/** The recorded schedule, if its states are those of the trace. */
function recordedRun(model: Model, { states, schedule }: States): Run | undefined {
  const run = schedule === undefined ? undefined : parseSchedule(schedule);
  if (!run || run.inputs || run.choices.length !== states.length - 1) return undefined;
  const { narrative, kind } = narrate(model.steps, run, { keep: run.choices.length });
  // A later replay would also diverge; the search may find another run.
  if (kind === "diverged") return undefined;
  // sound: test/session/itf.test.ts
  if (!states.every((wanted, index) => agrees(valuesAfter(narrative, index), wanted))) return undefined;
  return { choices: run.choices, loopStart: run.loopStart };
}

const agrees = (shown: ReadonlyMap<string, string>, wanted: States["states"][number]): boolean =>
  wanted.every(([name, value]) => (shown.get(name) ?? ABSENT) === value);

interface Node {
  readonly state: Words;
  /** The state of the trace that it shows; -1: before the first, in a root. */
  readonly at: number;
  readonly parent: Node | undefined;
  readonly choice: number;
  readonly isFault: boolean;
  readonly isDead: boolean;
}

class StatesSearch {
  readonly #model: Model;
  readonly #trace: States;
  readonly #budget: StatesBudget;
  readonly #seen = new Set<string>();
  readonly #queue: Node[] = [];
  #furthest = -1;

  constructor(model: Model, trace: States, budget: StatesBudget) {
    this.#model = model;
    this.#trace = trace;
    this.#budget = budget;
  }

  run(): Run | Refusal {
    const { steps } = this.#model;
    const out = new Successors(steps.width);
    steps.initial(out);
    const state = out.words.slice(0, out.stride);
    const isDead = out.isDead(0);
    const root: Node = { state, at: -1, parent: undefined, choice: 0, isFault: false, isDead };
    const unknown = this.#unknownNames(root);
    if (unknown) return unknown;
    if (steps.hasRoot) this.#queue.push(root);
    else this.#reach(root, [0]);
    return this.#search(out);
  }

  #search(out: Successors): Run | Refusal {
    const last = this.#trace.states.length - 1;
    let found: Node | undefined;
    for (let next = 0; next < this.#queue.length; next++) {
      const node = nth(this.#queue, next);
      if (node.at === last && this.#closes(node)) {
        // A run that ends in an error is the better answer: values alone do not show a failing step.
        if (node.isFault || this.#trace.loop !== undefined) return this.#runTo(node);
        found ??= node;
      }
      if (this.#queue.length > this.#budget.nodes) break;
      if (!node.isDead) this.#expand(node, out);
    }
    if (found) return this.#runTo(found);
    const spent = this.#queue.length > this.#budget.nodes;
    const reason = spent
      ? `the search ended after ${formatCount(this.#budget.nodes)} states`
      : "no run has these values";
    return { problem: `${reason}; the longest one reaches state ${this.#furthest} of ${last}` };
  }

  #expand(node: Node, out: Successors): void {
    const { steps } = this.#model;
    out.clear();
    steps.successors(node.state, 0, out);
    const targets = node.at < 0 ? [0] : [node.at + 1, node.at];
    for (let choice = 0; choice < out.count; choice++) {
      const flags = nth(out.flags, choice);
      const isDead = (flags & Entry.dead) !== 0;
      const { words, stride } = out;
      const state = isDead ? node.state : words.slice(choice * stride, (choice + 1) * stride);
      this.#reach(
        { state, at: node.at, parent: node, choice, isFault: out.faultAt(choice) >= 0, isDead },
        targets,
      );
    }
  }

  /** Adds the node once for each state of the trace that it may show. */
  #reach(node: Node, targets: readonly number[]): void {
    const shown = new Map(this.#model.steps.snapshot(node.state, 0).map(({ name, value }) => [name, value]));
    for (const at of targets) {
      const wanted = this.#trace.states[at];
      // sound: test/session/itf.test.ts
      if (!wanted || !agrees(shown, wanted)) continue;
      const key = `${at} ${node.isFault} ${node.isDead} ${keyOf(node)}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#furthest = Math.max(this.#furthest, at);
      this.#queue.push({ ...node, at });
    }
  }

  /** Names that the model never shows cannot be compared. */
  #unknownNames({ state, isDead }: Node): Refusal | undefined {
    if (isDead || this.#model.steps.hasRoot) return undefined;
    const shown = new Set(this.#model.steps.snapshot(state, 0).map(({ name }) => name));
    const { states } = this.#trace;
    const names = nth(states, 0).map(([name]) => name);
    const strange = names.filter(
      (name, index) => !shown.has(name) && states.every((values) => values[index]?.[1] !== ABSENT),
    );
    if (strange.length === 0) return undefined;
    return {
      problem: `the model has no ${strange.map((name) => `'${name}'`).join(", ")}; it has ${[...shown].join(", ")}`,
    };
  }

  /** A lasso ends in the state in which its loop began. */
  #closes(node: Node): boolean {
    // sound: test/session/itf.test.ts
    return this.#trace.loop === undefined || this.#loopOf(node) !== undefined;
  }

  #loopOf(node: Node): Node | undefined {
    for (let one: Node | undefined = node; one; one = one.parent)
      if (one.at === this.#trace.loop && keyOf(one) === keyOf(node) && (one !== node || this.#isEndless))
        return one;
    return undefined;
  }

  /** The trace stays in its last state. */
  get #isEndless(): boolean {
    return this.#trace.loop === this.#trace.states.length - 1;
  }

  #runTo(node: Node): Run {
    const nodes: Node[] = [];
    for (let one: Node | undefined = node; one; one = one.parent) nodes.unshift(one);
    const start = this.#trace.loop === undefined ? undefined : this.#loopOf(node);
    return {
      choices: nodes.slice(1).map(({ choice }) => choice),
      loopStart: start && nodes.indexOf(start),
    };
  }
}

const keyOf = ({ state }: Node): string => state.join(" ").replace(/( 0)+$/, "");
