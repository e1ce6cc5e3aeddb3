/**
 * The user's conditions, asked in the realm of the properties. Runs inside.
 *
 * The host says by numbers, texts and objects of nodes' realms what there is to see; what conditions are given is made of that here, so
 * that nothing of the host comes into their hands. It gets numbers and texts for answers.
 */
import type { Data, SystemDefinition, SystemView } from "./define.js";
import { NETWORK, Watched } from "./watched.js";

/** What conditions are about. */
export type ConditionKind = "always" | "sometimes" | "eventually" | "recoverable" | "returns";

/** 1: yes; 0: no; a text: no, and why; -1: asked too early, before it was said what is `wanted`. */
export type Told = number | string;

export class Asking {
  readonly #definition: SystemDefinition;
  readonly #names: readonly string[];
  readonly #nodes: unknown[];
  readonly #up: boolean[];
  #network: string | undefined;
  /** Of what was said last; undefined: to be made. */
  #view: SystemView | undefined;
  /** What somebody looked at before it was shown: a node, by its place, or the network. */
  #wanted: number | undefined;
  readonly #watched = new Map<number, Watched>();
  #later: () => Told = () => 0;

  constructor(definition: SystemDefinition) {
    this.#definition = definition;
    this.#names = Object.freeze(Object.keys(definition.nodes));
    this.#nodes = this.#names.map(() => undefined);
    this.#up = this.#names.map(() => false);
  }

  /**
   * From now on the node looks like that: an object of its own realm; undefined while it is down. `fields`: names of all that may be
   * looked at, as JSON; whoever looks at more asks too early.
   */
  see(node: number, isUp: boolean, looks: unknown, fields?: string): void {
    this.#nodes[node] = fields === undefined || !isUp ? looks : this.#guarded(node, looks as object, fields);
    this.#up[node] = isUp;
    this.#view = undefined;
  }

  /** What was looked at too early: a node, or NETWORK. */
  wanted(): number {
    return this.#wanted ?? NETWORK;
  }

  /** Methods and getters may look at what is not in the node. */
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
    throw new Error("what was looked at is not shown yet");
  }

  /** What is under way from now on, as JSON; undefined: to be said when somebody looks at it. */
  seeNetwork(text: string | undefined): void {
    this.#network = text;
    this.#view = undefined;
  }

  holds(kind: ConditionKind, name: string): Told {
    return this.#ofView((view) => this.#conditionOf(kind, name)(view));
  }

  /** A text says why not, which nothing asks of a moment at which nodes are to be as they were. */
  #conditionOf(kind: ConditionKind, name: string): (view: SystemView) => boolean | string {
    const condition = this.#definition[kind]![name]!;
    return kind === "returns" ? (view) => truthOf(condition(view)) : condition; // sound: test/code/system/conditions.test.ts
  }

  /** As `holds`, and what it looks at is noted under that number. */
  holdsWatched(kind: ConditionKind, name: string, number: number): Told {
    let watched = this.#watched.get(number);
    if (!watched) this.#watched.set(number, (watched = new Watched()));
    const condition = this.#conditionOf(kind, name);
    return this.#ofView((view) => watched.run(view, condition, () => this.#wanted !== undefined));
  }

  /** What was looked at for the first time under that number, as JSON; empty: nothing. */
  takeNews(number: number): string {
    return this.#watched.get(number)?.takeNews() ?? "";
  }

  isFinished(): Told {
    return this.#ofView((view) => truthOf(this.#definition.finished!(view)));
  }

  /** What the file's guide says of what is seen, as text. */
  abstract(): Told {
    return this.#ofView((view) => textOf(this.#definition.guide!(view)));
  }

  /** `looks` and `fields` as for `see`, here and below. */
  isDiscarded(node: number, looks: unknown, fields?: string): Told {
    const { discard } = this.#definition;
    return this.#ofNode(node, looks, fields, (seen) => discard!(seen as never, this.#names[node]!));
  }

  isEnabled(node: number, looks: unknown, fields: string | undefined, action: string, value: number): Told {
    const { when, values } = this.#definition.actions![action]!;
    return this.#ofNode(
      node,
      looks,
      fields,
      (seen) => when!(seen as never, (values && copyOf(values[value]!)) as never), // sound: test/code/system/conditions.test.ts
    );
  }

  /** `message`: JSON. */
  accepts(property: string, message: string, from: string): Told {
    return told(this.#definition.messages![property]!(JSON.parse(message) as never, from));
  }

  /** One of the questions above, to be asked by a script under a watch. */
  later<Q extends Question>(question: Q, ...asked: Parameters<Asking[Q]>): void {
    this.#later = () => (this[question] as (...all: unknown[]) => Told)(...asked);
  }

  now(): Told {
    return this.#later();
  }

  #ofView(ask: (view: SystemView) => boolean | string): Told {
    return this.#unlessWanted(() => ask((this.#view ??= this.#makeView())));
  }

  #ofNode(node: number, looks: unknown, fields: string | undefined, ask: (seen: unknown) => boolean): Told {
    const seen = fields === undefined ? looks : this.#guarded(node, looks as object, fields);
    return this.#unlessWanted(() => truthOf(ask(seen)));
  }

  /** A condition that looks at what is not shown yet is asked once more: its first answer, or failure, does not count. */
  #unlessWanted(ask: () => boolean | string): Told {
    this.#wanted = undefined;
    try {
      const answer = ask();
      return this.#wanted === undefined ? told(answer) : -1; // sound: test/code/system/standing.test.ts
    } catch (error) {
      if (this.#wanted !== undefined) return -1;
      throw error;
    }
  }

  #makeView(): SystemView {
    const names = this.#names;
    const up = [...this.#up];
    const nodes: Record<string, unknown> = {};
    for (let node = 0; node < names.length; node++) nodes[names[node]!] = this.#nodes[node];
    const network = (): SystemView["network"] => this.#readNetwork();
    return Object.freeze({
      nodes: Object.freeze(nodes) as SystemView["nodes"],
      names,
      isUp: (name: string) => {
        if (!names.includes(name)) throw new RangeError(`there is no node '${name}'`);
        return up[names.indexOf(name)]!;
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
  "holds" | "holdsWatched" | "isFinished" | "abstract" | "isDiscarded" | "isEnabled" | "accepts";

const told = (answer: boolean | string): Told =>
  typeof answer === "string" ? answer : truthOf(answer) ? 1 : 0;

/** What is promised is neither true nor false yet, and a list of what is wrong would be true. */
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
  if (text === undefined) throw new TypeError("it gives no data: what JSON can say");
  return text;
}

const copyOf = (value: Data): Data => JSON.parse(JSON.stringify(value)) as Data;
