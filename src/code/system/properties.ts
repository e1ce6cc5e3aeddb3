/** The user's conditions on states and messages, evaluated in the realm of the properties on copies of the nodes. */
import { Script } from "node:vm";
import type { Words } from "../../model/index.js";
import { isRefusal } from "../heap/index.js";
import type { ConditionEvaluator, ConditionKind, Question, Answer } from "./condition-evaluator.js";
import type { Network } from "./network.js";
import { ChangedByCondition, type NodeProcess } from "./node-process.js";
import { conditionLimit, runWithLimit } from "./condition-limit.js";
import type { Reads } from "./reads.js";
import { messageOf, type OpenedRealm } from "./source.js";
import type { SystemSummary } from "./summary.js";
import type { NewReads } from "./read-recorder.js";
import { nth } from "../../model/known.js";

/** A condition cannot be evaluated: it throws, or changes its arguments. */
export class BadCondition extends Error {
  readonly code: string;
  readonly condition: string;
  /** The state in which it was evaluated, if known. */
  state: Int32Array | undefined;

  constructor(condition: string, error: unknown) {
    const mutates = isMutation(error);
    super(
      mutates
        ? `'${condition}' changes the nodes that it reads: ${error instanceof ChangedByCondition ? error.where : messageOf(error)}`
        : `'${condition}' cannot be evaluated: ${messageOf(error)}`,
    );
    this.code = mutates ? "code/property-mutates" : "code/property-failed";
    this.condition = condition;
  }
}

/** Adds the state to a `BadCondition`. */
export function withState(error: unknown, state: Words, at: number, width: number): unknown {
  if (error instanceof BadCondition)
    error.state ??= Int32Array.from({ length: width }, (_, word) => nth(state, at + word));
  return error;
}

/** Whether a frozen object was written to; the error belongs to its realm. */
function isMutation(error: unknown): boolean {
  if (error instanceof ChangedByCondition) return true;
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return (
    name === "TypeError" &&
    (isRefusal(message) ||
      /read only|not extensible|Cannot (?:delete|define|add)|object is not extensible/.test(String(message)))
  );
}

/** Checks copies after each evaluation, and objects outside them after every `every` evaluations. */
export interface Watch {
  readonly every: number;
}

export class Conditions {
  /** Reason of the last violation, by name. */
  readonly reasons = new Map<string, string>();
  readonly #realm: OpenedRealm["realm"];
  readonly #evaluator: ConditionEvaluator;
  readonly #summary: SystemSummary;
  readonly #nodes: readonly NodeProcess[];
  readonly #network: Network;
  readonly #enabled = new Map<string, boolean>();
  /** States of nodes, and network contents, that the realm received last. */
  readonly #shown: number[];
  readonly #shownFields: (readonly string[] | undefined)[] = [];
  readonly #width: number;
  readonly #watch: Watch | undefined;
  /** Assumptions of the file and its conditions: bits of `Relied`. */
  readonly #relied: () => number;
  readonly #noteRelied: (relied: number) => void;
  #answers = 0;
  #shownNetwork = 0;
  /** Whether some condition reads the network. */
  #readsNetwork = false;

  /** `watch`: detects changes by conditions during the search, not only when a node continues or the search ends. */
  constructor(
    { realm, mailbox }: OpenedRealm,
    summary: SystemSummary,
    nodes: readonly NodeProcess[],
    network: Network,
    width: number,
    watch: Watch | undefined,
    noteRelied: (relied: number) => void,
  ) {
    this.#relied = mailbox.relied;
    this.#noteRelied = noteRelied;
    this.#width = width;
    this.#watch = watch;
    this.#realm = realm;
    this.#evaluator = mailbox.evaluator();
    this.#summary = summary;
    this.#nodes = nodes;
    this.#network = network;
    this.#shown = nodes.map(() => 0);
  }

  /** `reads`: records the condition's reads. */
  holds(kind: ConditionKind, name: string, state: Words, at: number, reads?: Reads): boolean {
    const answer = reads
      ? this.#watched(kind, name, state, at, reads)
      : this.#ofState(name, state, at, "holds", kind, name);
    if (typeof answer === "string") this.reasons.set(name, answer);
    return answer === 1;
  }

  /** Values of all conditions in a state, and its enabled actions. */
  answersIn(state: Words, at: number): string {
    const kinds = ["always", "sometimes", "eventually", "recoverable", "returns"] as const;
    const answers = kinds.flatMap((kind) =>
      this.#summary[kind].map((name) => this.holds(kind, name, state, at)),
    );
    if (this.#summary.hasFinished) answers.push(this.isFinished(state, at));
    const { actions, nodes: names } = this.#summary;
    for (const [action, { on, values }] of actions.entries())
      for (const name of on) {
        const node = names.indexOf(name);
        const local = nth(state, at + node);
        if (nth(this.#nodes, node).state(local).isUp)
          values.forEach((_, value) => answers.push(this.isEnabled(action, value, node, local)));
      }
    return answers.map(Number).join("");
  }

  isFinished(state: Words, at: number): boolean {
    return this.#ofState("finished", state, at, "isFinished") === 1;
  }

  abstract(state: Words, at: number): string {
    return String(this.#ofState("guide", state, at, "abstract"));
  }

  /** SVG, or a scene as JSON, as the user's code returns it. Always limited in time, and must not change what it reads. */
  draw(state: Words, at: number): string {
    const drawn = String(this.#ofState("picture", state, at, "drawn"));
    this.#look("picture", [...this.#nodes.keys()], (node) => nth(state, at + node), { every: 1 });
    return drawn;
  }

  /** Observed values by name, as JSON. */
  observe(state: Words, at: number): string {
    return String(this.#ofState("observe", state, at, "observe"));
  }

  isDiscarded(node: number, state: number): boolean {
    if (!this.#summary.hasDiscard) return false;
    return (
      this.#ofNode("discard", node, state, (...seen) =>
        this.#ask("discard", "isDiscarded", node, ...seen),
      ) === 1
    );
  }

  /** Depends only on the node's state, so it is memoised. */
  isEnabled(action: number, value: number, node: number, state: number): boolean {
    const { name, hasWhen } = nth(this.#summary.actions, action);
    if (!hasWhen) return true;
    const key = `${action} ${value} ${node} ${state}`;
    let answer = this.#enabled.get(key);
    if (answer === undefined) {
      answer =
        this.#ofNode(name, node, state, (looks, fields) =>
          this.#ask(name, "isEnabled", node, looks, fields, name, value),
        ) === 1;
      this.#enabled.set(key, answer);
    }
    return answer;
  }

  /** Properties of messages that `message` violates. */
  violated(message: string, from: string): { readonly property: string; readonly reason: string }[] {
    return this.#summary.messages.flatMap((property) => {
      const answer = this.#ask(property, "accepts", property, message, from);
      if (answer === 1) return [];
      return [{ property, reason: typeof answer === "string" ? answer : `message violates: ${property}` }];
    });
  }

  /** Most conditions read only data; the node is restored to the state only for the others. */
  #ofNode(
    name: string,
    node: number,
    state: number,
    ask: (looks: unknown, fields?: string) => Answer,
  ): Answer {
    const process = nth(this.#nodes, node);
    const fields = process.dataFields(state);
    const early = fields ? ask(process.view(state), JSON.stringify(fields)) : -1;
    const answer = early === -1 ? ask(process.stand(state)) : early; // sound: test/code/system/standing.test.ts
    this.#look(name, [node], () => state);
    return answer;
  }

  #ofState<Q extends Question>(
    name: string,
    state: Words,
    at: number,
    question: Q,
    ...asked: Parameters<ConditionEvaluator[Q]>
  ): Answer {
    this.#show(state, at);
    try {
      for (;;) {
        const answer = this.#ask(name, question, ...asked);
        if (answer !== -1) {
          this.#look(name, [...this.#nodes.keys()], (node) => nth(state, at + node));
          return answer;
        }
        const node = this.#evaluator.wanted();
        if (node < 0) {
          this.#readsNetwork = true;
          this.#evaluator.setNetwork(this.#underWay());
        } else {
          this.#evaluator.setNode(node, true, nth(this.#nodes, node).stand(nth(state, at + node)));
          this.#shown[node] = 0;
        }
      }
    } catch (error) {
      throw withState(error, state, at, this.#width);
    }
  }

  #look(
    name: string,
    nodes: readonly number[],
    stateOf: (node: number) => number,
    watch = this.#watch,
  ): void {
    if (!watch) return;
    const isOutsideToo = this.#answers++ % watch.every === 0;
    try {
      for (const node of nodes) {
        nth(this.#nodes, node).checkCopy(stateOf(node));
        if (isOutsideToo) nth(this.#nodes, node).checkOutside();
      }
    } catch (error) {
      this.#shown.fill(0);
      throw error instanceof ChangedByCondition ? new BadCondition(name, error) : error;
    }
  }

  #watched(kind: ConditionKind, name: string, state: Words, at: number, reads: Reads): Answer {
    try {
      return this.#ofState(name, state, at, "holdsWatched", kind, name, reads.number);
    } finally {
      const news = this.#evaluator.takeNewReads(reads.number);
      if (news !== "") reads.learn(JSON.parse(news) as NewReads);
    }
  }

  /** Passes the parts of the state that changed since the last call. */
  #show(state: Words, at: number): void {
    for (let node = 0; node < this.#nodes.length; node++) {
      const local = nth(state, at + node);
      const process = nth(this.#nodes, node);
      const fields = process.dataFields(local);
      const looks = fields ? process.view(local) : process.stand(local); // sound: test/code/system/standing.test.ts
      if (this.#shown[node] === local && this.#shownFields[node] === fields) continue; // sound: test/code/system/standing.test.ts test/code/system/outside.test.ts
      this.#evaluator.setNode(node, process.state(local).isUp, looks, fields && JSON.stringify(fields));
      this.#shown[node] = local;
      this.#shownFields[node] = fields;
    }
    const content = nth(state, at + this.#nodes.length);
    if (this.#shownNetwork === content) return;
    this.#shownNetwork = content;
    this.#evaluator.setNetwork(this.#readsNetwork ? this.#underWay() : undefined);
  }

  #underWay(): string {
    const { nodes: names } = this.#summary;
    const packets = this.#network.inOrder(this.#shownNetwork).map(({ from, to, message }) => {
      const receivers = JSON.stringify(to.map((node) => nth(names, node)));
      return `{"from":${JSON.stringify(names[from])},"to":${receivers},"message":${message}}`;
    });
    return `[${packets.join()}]`;
  }

  #ask<Q extends Question>(name: string, question: Q, ...asked: Parameters<ConditionEvaluator[Q]>): Answer {
    try {
      const limitMs = question === "drawn" ? PICTURE_MS : conditionLimit();
      if (limitMs === undefined)
        return (this.#evaluator[question] as (...all: unknown[]) => Answer)(...asked);
      this.#evaluator.prepare(question, ...asked);
      return runWithLimit(this.#realm, nowScript, limitMs) as Answer;
    } catch (error) {
      throw new BadCondition(name, error);
    } finally {
      this.#noteRelied(this.#relied()); // sound: test/code/system/conditions.test.ts
    }
  }
}

const PICTURE_MS = 1000;

const nowScript = new Script('globalThis[Symbol.for("everypath.node")].evaluator().now()');
