/**
 * Evaluates the user's conditions in the realm of the properties. Runs inside.
 *
 * The host passes numbers, strings and objects of nodes' realms; this file builds the arguments of conditions from
 * them, so that no object of the host reaches user code. It returns numbers and strings.
 */
import type { Data, SystemDefinition, SystemView } from "./define.js";
import { nonJsonIn } from "./json-values.js";
import { NETWORK, ReadRecorder } from "./read-recorder.js";
import { known, nth } from "../../model/known.js";

/** Fields of a system file that contain conditions. */
export type ConditionKind = "always" | "sometimes" | "eventually" | "recoverable" | "returns";

/** 1: true; 0: false; a string: false, with a reason; -1: the condition read `wanted`, which must be supplied first. */
export type Answer = number | string;

export class ConditionEvaluator {
  readonly #definition: SystemDefinition;
  readonly #names: readonly string[];
  readonly #nodes: unknown[];
  readonly #up: boolean[];
  #network: string | undefined;
  /** Cached view; undefined: outdated. */
  #view: SystemView | undefined;
  /** The node (by index) or the network that a condition read before it was supplied. */
  #wanted: number | undefined;
  readonly #watched = new Map<number, ReadRecorder>();
  #later: () => Answer = () => 0;

  constructor(definition: SystemDefinition) {
    this.#definition = definition;
    this.#names = Object.freeze(Object.keys(definition.nodes));
    this.#nodes = this.#names.map(() => undefined);
    this.#up = this.#names.map(() => false);
  }

  /**
   * Sets the view of a node: an object of its realm; undefined while it is down. `fields`: names of the readable
   * fields, as JSON; reading another one interrupts the condition.
   */
  setNode(node: number, isUp: boolean, looks: unknown, fields?: string): void {
    this.#nodes[node] = fields === undefined || !isUp ? looks : this.#guarded(node, looks as object, fields);
    this.#up[node] = isUp;
    this.#view = undefined;
  }

  /** The node that interrupted the condition, or NETWORK. */
  wanted(): number {
    return this.#wanted ?? NETWORK;
  }

  /** Guards the view: methods and getters may read data outside the node. */
  #guarded(node: number, looks: object, fields: string): unknown {
    if (typeof looks !== "object" || looks === null) return looks;
    const shown = new Set(JSON.parse(fields) as (string | symbol)[]);
    const check = (field: string | symbol): void => {
      if (!shown.has(field)) this.#want(node); // sound: test/code/system/standing.test.ts
    };
    return new Proxy(looks, {
      has: (target, field) => {
        if (!Object.hasOwn(target, field)) this.#want(node); // sound: test/code/system/standing.test.ts
        return true;
      },
      get: (target, field) => (check(field), Reflect.get(target, field) as unknown),
      getOwnPropertyDescriptor: (target, field) => (
        check(field),
        Reflect.getOwnPropertyDescriptor(target, field)
      ),
      getPrototypeOf: () => this.#want(node),
    });
  }

  #want(what: number): never {
    this.#wanted = what;
    throw new Error("read data that is not available yet");
  }

  /** Sets the messages in transit, as JSON; undefined: supplied on demand. */
  setNetwork(text: string | undefined): void {
    this.#network = text;
    this.#view = undefined;
  }

  holds(kind: ConditionKind, name: string): Answer {
    return this.#ofView((view) => this.#conditionOf(kind, name)(view));
  }

  /** A `returns` condition must be boolean: it selects states rather than judging them. */
  #conditionOf(kind: ConditionKind, name: string): (view: SystemView) => boolean | string {
    const condition = known(this.#definition[kind]?.[name], name);
    return kind === "returns" ? (view) => truthOf(condition(view)) : condition; // sound: test/code/system/conditions.test.ts
  }

  /** Like `holds`, but records the condition's reads under `number`. */
  holdsWatched(kind: ConditionKind, name: string, number: number): Answer {
    let watched = this.#watched.get(number);
    if (!watched) this.#watched.set(number, (watched = new ReadRecorder()));
    const condition = this.#conditionOf(kind, name);
    return this.#ofView((view) => watched.run(view, condition, () => this.#wanted !== undefined));
  }

  /** New reads recorded under `number`, as JSON; empty: none. */
  takeNewReads(number: number): string {
    return this.#watched.get(number)?.takeNewReads() ?? "";
  }

  isFinished(): Answer {
    return this.#ofView((view) => truthOf(this.#definition.finished!(view)));
  }

  /** Result of the file's `guide`, as text. */
  abstract(): Answer {
    return this.#ofView((view) => textOf(this.#definition.guide!(view)));
  }

  /** Result of the file's `picture`: SVG, or a scene as JSON. */
  drawn(): Answer {
    const picture = known(this.#definition.picture, "picture");
    return this.#ofView((view) => textOf(picture(view) as Data));
  }

  /** The file's `observe`: values by name, sorted, as JSON. */
  observe(): Answer {
    return this.#ofView((view) => recordText(known(this.#definition.observe, "observe")(view)));
  }

  /** `looks` and `fields` as for `setNode`, here and below. */
  isDiscarded(node: number, looks: unknown, fields?: string): Answer {
    const discard = known(this.#definition.discard, "discard");
    return this.#ofNode(node, looks, fields, (seen) => discard(seen as never, nth(this.#names, node)));
  }

  isEnabled(node: number, looks: unknown, fields: string | undefined, action: string, value: number): Answer {
    const { when, values } = known(this.#definition.actions?.[action], action);
    return this.#ofNode(
      node,
      looks,
      fields,
      (seen) => known(when, action)(seen as never, (values && copyOf(nth(values, value))) as never), // sound: test/code/system/conditions.test.ts
    );
  }

  accepts(property: string, message: string, from: string): Answer {
    return answerOf(this.#definition.messages![property]!(JSON.parse(message) as never, from));
  }

  /** Prepares one of the queries above, for a script with a time limit. */
  prepare<Q extends Question>(question: Q, ...asked: Parameters<ConditionEvaluator[Q]>): void {
    this.#later = () => (this[question] as (...all: unknown[]) => Answer)(...asked);
  }

  now(): Answer {
    return this.#later();
  }

  #ofView(ask: (view: SystemView) => boolean | string): Answer {
    return this.#unlessInterrupted(() => ask((this.#view ??= this.#makeView())));
  }

  #ofNode(node: number, looks: unknown, fields: string | undefined, ask: (seen: unknown) => boolean): Answer {
    const seen = fields === undefined ? looks : this.#guarded(node, looks as object, fields);
    return this.#unlessInterrupted(() => truthOf(ask(seen)));
  }

  /** The result of an interrupted condition is void: the host evaluates it again. */
  #unlessInterrupted(ask: () => boolean | string): Answer {
    this.#wanted = undefined;
    try {
      const answer = ask();
      return this.#wanted === undefined ? answerOf(answer) : -1; // sound: test/code/system/standing.test.ts
    } catch (error) {
      if (this.#wanted !== undefined) return -1;
      throw error;
    }
  }

  #makeView(): SystemView {
    const names = this.#names;
    const up = [...this.#up];
    const nodes: Record<string, unknown> = {};
    for (let node = 0; node < names.length; node++) nodes[nth(names, node)] = this.#nodes[node];
    const network = (): SystemView["network"] => this.#readNetwork();
    return Object.freeze({
      nodes: Object.freeze(nodes) as SystemView["nodes"],
      names,
      isUp: (name: string) => {
        if (!names.includes(name)) throw new RangeError(`there is no node '${name}'`);
        return nth(up, names.indexOf(name));
      },
      get network() {
        return network();
      },
    });
  }

  #readNetwork(): SystemView["network"] {
    if (this.#network !== undefined) return JSON.parse(this.#network) as SystemView["network"];
    return this.#want(NETWORK);
  }
}

export type Question =
  | "holds"
  | "holdsWatched"
  | "isFinished"
  | "abstract"
  | "drawn"
  | "observe"
  | "isDiscarded"
  | "isEnabled"
  | "accepts";

const answerOf = (answer: boolean | string): Answer =>
  typeof answer === "string" ? answer : truthOf(answer) ? 1 : 0;

/** Rejects promises, which are neither true nor false yet, and lists of problems, which would count as true. */
function truthOf(answer: unknown): boolean {
  if (answer && answer !== true) throw new TypeError(`it gives ${kindOf(answer)}, not true or false`); // sound: test/code/system/bad-conditions.test.ts
  return answer === true;
}

function kindOf(answer: NonNullable<unknown>): string {
  if (answer instanceof Promise) return "a promise";
  return typeof answer === "object" ? "an object" : `a ${typeof answer}`;
}

function textOf(value: Data | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) as string | undefined);
  if (text === undefined) throw new TypeError("it does not return JSON data");
  return text;
}

/** Refuses values that JSON would change: two observations would be equal that are not. */
function recordText(record: unknown): string {
  // sound: test/session/refinement.test.ts
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw new TypeError("it does not return an object of values");
  const entries = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of entries) {
    const what = nonJsonIn(value);
    // sound: test/session/refinement.test.ts
    if (what !== undefined) throw new TypeError(`the value of '${name}' is ${what}, which is not JSON data`);
  }
  return JSON.stringify(Object.fromEntries(entries));
}

const copyOf = (value: Data): Data => JSON.parse(JSON.stringify(value)) as Data;
