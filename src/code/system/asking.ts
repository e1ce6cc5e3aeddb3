/**
 * The user's conditions, asked in the realm of the properties. Runs inside.
 *
 * The host says by numbers, texts and objects of nodes' realms what there is to see; what conditions are given is made of that here, so
 * that nothing of the host comes into their hands. It gets numbers and texts for answers.
 */
import type { Data, SystemDefinition, SystemView } from "./define.js";
import { Watched } from "./watched.js";

/** What conditions are about. */
export type ConditionKind = "always" | "sometimes" | "eventually" | "recoverable" | "returns";

/** 1: yes; 0: no; a text: no, and why; -1: asked too early, before it was said what is under way. */
export type Told = number | string;

export class Asking {
  readonly #definition: SystemDefinition;
  readonly #names: readonly string[];
  readonly #nodes: unknown[];
  readonly #up: boolean[];
  #network: string | undefined;
  /** Of what was said last; undefined: to be made. */
  #view: SystemView | undefined;
  #isNetworkWanted = false;
  readonly #watched = new Map<number, Watched>();
  #later: () => Told = () => 0;

  constructor(definition: SystemDefinition) {
    this.#definition = definition;
    this.#names = Object.freeze(Object.keys(definition.nodes));
    this.#nodes = this.#names.map(() => undefined);
    this.#up = this.#names.map(() => false);
  }

  /** From now on the node looks like that: an object of its own realm; undefined while it is down. */
  see(node: number, isUp: boolean, looks: unknown): void {
    this.#nodes[node] = looks;
    this.#up[node] = isUp;
    this.#view = undefined;
  }

  /** What is under way from now on, as JSON; undefined: to be said when somebody looks at it. */
  seeNetwork(text: string | undefined): void {
    this.#network = text;
    this.#view = undefined;
  }

  holds(kind: ConditionKind, name: string): Told {
    return this.#ofView((view) => this.#definition[kind]![name]!(view));
  }

  /** As `holds`, and what it looks at is noted under that number. */
  holdsWatched(kind: ConditionKind, name: string, number: number): Told {
    let watched = this.#watched.get(number);
    if (!watched) this.#watched.set(number, (watched = new Watched()));
    const condition = this.#definition[kind]![name]!;
    return this.#ofView((view) => watched.run(view, condition, () => this.#isNetworkWanted));
  }

  /** What was looked at for the first time under that number, as JSON; empty: nothing. */
  takeNews(number: number): string {
    return this.#watched.get(number)?.takeNews() ?? "";
  }

  isFinished(): Told {
    return this.#ofView((view) => Boolean(this.#definition.finished!(view)));
  }

  /** What the file's guide says of what is seen, as text. */
  abstract(): Told {
    return this.#ofView((view) => textOf(this.#definition.guide!(view)));
  }

  isDiscarded(looks: unknown, name: string): Told {
    return this.#definition.discard!(looks as never, name) ? 1 : 0;
  }

  isEnabled(action: string, value: number, looks: unknown): Told {
    const { when, values } = this.#definition.actions![action]!;
    return when!(looks as never, copyOf(values?.[value] ?? null) as never) ? 1 : 0;
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

  /** Whoever looks at what is under way, and is not told yet, is asked once more: whatever came of it does not count. */
  #ofView(ask: (view: SystemView) => boolean | string): Told {
    this.#isNetworkWanted = false;
    try {
      const answer = ask((this.#view ??= this.#makeView()));
      return this.#isNetworkWanted ? -1 : told(answer);
    } catch (error) {
      if (this.#isNetworkWanted) return -1;
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
    this.#isNetworkWanted = true;
    throw new Error("what is under way is not known yet");
  }
}

export type Question =
  "holds" | "holdsWatched" | "isFinished" | "abstract" | "isDiscarded" | "isEnabled" | "accepts";

const told = (answer: boolean | string): Told =>
  typeof answer === "string" ? answer : answer === true ? 1 : 0;

function textOf(value: Data | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) as string | undefined);
  if (text === undefined) throw new TypeError("it gives no data: what JSON can say");
  return text;
}

const copyOf = (value: Data): Data => JSON.parse(JSON.stringify(value)) as Data;
