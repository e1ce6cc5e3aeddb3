/** The user's conditions on states and messages: called in the realm of the properties, with copies of the nodes. */
import type { Words } from "../../model/index.js";
import { LookedAtError } from "../heap/index.js";
import type { SystemDefinition, SystemView } from "./define.js";
import type { Network } from "./network.js";
import type { NodeProcess } from "./node-process.js";
import { patiently } from "./patience.js";
import type { Reads } from "./reads.js";
import { messageOf } from "./source.js";
import type { SystemSummary } from "./summary.js";

/** A condition cannot be evaluated: it throws, or changes what it looks at. */
export class BadCondition extends Error {
  readonly code: string;
  readonly condition: string;

  constructor(condition: string, error: unknown) {
    const mutates = error instanceof LookedAtError || isMutation(error);
    super(
      mutates
        ? `'${condition}' changes what it looks at: ${messageOf(error)}`
        : `'${condition}' cannot be evaluated: ${messageOf(error)}`,
    );
    this.code = mutates ? "code/property-mutates" : "code/property-failed";
    this.condition = condition;
  }
}

/** A frozen object was written to; the error is of another realm. */
function isMutation(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return (
    name === "TypeError" &&
    /read only|not extensible|Cannot (?:delete|define|add)|object is not extensible/.test(String(message))
  );
}

type Condition = (world: SystemView) => boolean | string;

export class Conditions {
  /** Why a condition failed the last time it did, by name. */
  readonly reasons = new Map<string, string>();
  readonly #definition: SystemDefinition;
  readonly #summary: SystemSummary;
  readonly #nodes: readonly NodeProcess[];
  readonly #network: Network;
  readonly #enabled = new Map<string, boolean>();

  constructor(
    definition: SystemDefinition,
    summary: SystemSummary,
    nodes: readonly NodeProcess[],
    network: Network,
  ) {
    this.#definition = definition;
    this.#summary = summary;
    this.#nodes = nodes;
    this.#network = network;
  }

  holds(
    kind: "always" | "sometimes" | "eventually" | "recoverable" | "returns",
    name: string,
    state: Words,
    at: number,
    reads?: Reads,
  ): boolean {
    const condition = this.#definition[kind]![name] as Condition;
    const answer = this.#ask(name, () =>
      reads
        ? reads.watch(() => condition(this.#watchedView(state, at, reads)), this.#nodes.length)
        : condition(this.#view(state, at)),
    );
    if (typeof answer === "string") this.reasons.set(name, answer);
    return answer === true;
  }

  /** What all of them say of a state, and which actions are possible in it. */
  answersIn(state: Words, at: number): string {
    const kinds = ["always", "sometimes", "eventually", "recoverable", "returns"] as const;
    const answers = kinds.flatMap((kind) =>
      this.#summary[kind].map((name) => this.holds(kind, name, state, at)),
    );
    if (this.#definition.finished) answers.push(this.isFinished(state, at));
    const { actions, nodes: names } = this.#summary;
    for (const [action, { on, values }] of actions.entries())
      for (const name of on) {
        const node = names.indexOf(name);
        const local = state[at + node]!;
        if (this.#nodes[node]!.state(local).isUp)
          values.forEach((_, value) => answers.push(this.isEnabled(action, value, node, local)));
      }
    return answers.map(Number).join("");
  }

  isFinished(state: Words, at: number): boolean {
    return this.#ask("finished", () => this.#definition.finished!(this.#view(state, at)));
  }

  isDiscarded(node: number, state: number): boolean {
    const { discard } = this.#definition;
    if (!discard) return false;
    return this.#ask("discard", () =>
      discard(this.#nodes[node]!.view(state) as never, this.#summary.nodes[node]!),
    );
  }

  /** Depends on the node's state alone, so it is asked once. */
  isEnabled(action: number, value: number, node: number, state: number): boolean {
    const { name, hasWhen, values } = this.#summary.actions[action]!;
    if (!hasWhen) return true;
    const key = `${action} ${value} ${node} ${state}`;
    let answer = this.#enabled.get(key);
    if (answer === undefined) {
      const { when } = this.#definition.actions![name]!;
      const view = this.#nodes[node]!.view(state) as never;
      answer = this.#ask(name, () => when!(view, values[value] as never));
      this.#enabled.set(key, answer);
    }
    return answer;
  }

  /** The first property of messages that one violates. */
  violated(
    message: string,
    from: string,
  ): { readonly property: string; readonly reason: string } | undefined {
    for (const property of this.#summary.messages) {
      const check = this.#definition.messages![property]!;
      const answer = this.#ask(property, () => check(JSON.parse(message) as never, from));
      if (answer !== true)
        return { property, reason: typeof answer === "string" ? answer : `message violates: ${property}` };
    }
    return undefined;
  }

  #view(state: Words, at: number): SystemView {
    const { nodes: names } = this.#summary;
    const nodes: Record<string, never> = {};
    names.forEach((name, node) => (nodes[name] = this.#nodes[node]!.view(state[at + node]!) as never));
    const network = this.#network;
    return {
      nodes,
      names,
      isUp: (name) => this.#nodes[names.indexOf(name)]!.state(state[at + names.indexOf(name)]!).isUp,
      get network() {
        return network.inOrder(state[at + names.length]!).map(({ from, to, message }) => ({
          from: names[from]!,
          to: to.map((node) => names[node]!),
          message: JSON.parse(message) as never,
        }));
      },
    };
  }

  /** The same, and what of it is looked at is noted. */
  #watchedView(state: Words, at: number, reads: Reads): SystemView {
    const { nodes: names } = this.#summary;
    const view = this.#view(state, at);
    const nodes = {};
    names.forEach((name, node) => {
      const get = (): unknown => reads.look(node, view.nodes[name]);
      Object.defineProperty(nodes, name, { get, enumerable: true });
    });
    return {
      nodes,
      names,
      isUp: (name) => {
        reads.seeNode(names.indexOf(name));
        return view.isUp(name);
      },
      get network() {
        reads.seeNetwork();
        return view.network;
      },
    };
  }

  #ask<T>(name: string, run: () => T): T {
    try {
      return patiently(run);
    } catch (error) {
      throw new BadCondition(name, error);
    }
  }
}
