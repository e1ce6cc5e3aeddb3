/**
 * The net of a program with classes of provenances: places are locations, contents of variables (message and class), contents of
 * channels and, for spawned principals, locations with the contents of all variables.
 *
 * Runs of the net correspond to executions of the program, step by step.
 */
import type {
  MessageAction,
  MessageEdge,
  MessageProgram,
  Net,
  ProvenanceProperty,
  Span,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { classify, type Classes } from "../counting/index.js";
import { NetBuilder, trimmed } from "./net-builder.js";

/** The trimmed net: its target is coverable if and only if the property is violated. */
export function productNet(program: MessageProgram, property: ProvenanceProperty): Net {
  return trimmed(new Product(program, property, classify(program, property)).net());
}

/** The untrimmed net with a single class, for counting tokens. */
export function labelledNet(program: MessageProgram, property: ProvenanceProperty): Net {
  const one: Classes = { count: 1, isBad: [false], tests: [], after: () => 0, of: () => 0 };
  return new Product(program, property, one).net();
}

/** A message with its class. */
interface Content {
  readonly message: number;
  readonly class: number;
}

/** Input and output places of an action for given contents: a place per variable, or a single place for all of them. */
interface Stage {
  readonly takes: readonly number[];
  /** Contents of the variables that the action uses. */
  readonly values: ReadonlyMap<number, Content>;
  gives(to: number, written: ReadonlyMap<number, Content>): readonly number[];
}

class Product {
  readonly #program: MessageProgram;
  readonly #property: ProvenanceProperty;
  readonly #classes: Classes;
  readonly #contents: readonly Content[];
  readonly #net = new NetBuilder();
  /** Places of spawned principals, created on demand: principal, location, contents. */
  readonly #instances = new Map<string, { principal: number; location: number; held: readonly Content[] }>();

  constructor(program: MessageProgram, property: ProvenanceProperty, classes: Classes) {
    this.#program = program;
    this.#property = property;
    this.#classes = classes;
    this.#contents = program.messages.flatMap((_, message) =>
      Array.from({ length: classes.count }, (__, each): Content => ({ message, class: each })),
    );
  }

  net(): Net {
    const { principals, channels } = this.#program;
    for (const [principal, { isSpawned, locations, variables }] of principals.entries()) {
      if (isSpawned) continue; // sound: test/transforms/message-nets/conditions.test.ts
      locations.forEach((_, location) => this.#location(principal, location));
      variables.forEach((_, x) => this.#contents.forEach((content) => this.#variable(principal, x, content)));
      this.#net.mark(this.#location(principal, 0));
      variables.forEach((_, x) => this.#net.mark(this.#variable(principal, x, nothing)));
    }
    channels.forEach((_, channel) => this.#contents.forEach((content) => this.#channel(channel, content)));
    for (const [principal, { isSpawned, locations }] of principals.entries())
      // sound: test/transforms/message-nets/conditions.test.ts
      if (!isSpawned)
        locations.forEach((edges, location) => {
          for (const edge of edges)
            for (const stage of this.#stages(principal, location, edge.action))
              this.#act(principal, edge, stage);
        });
    // Grows during the iteration.
    for (const { principal, location, held } of this.#instances.values())
      for (const edge of nth(nth(principals, principal).locations, location))
        this.#act(principal, edge, this.#instanceStage(principal, location, held));
    return this.#net.net(`${this.#property.name} as a net`, this.#property.span, this.#alternatives());
  }

  /** Every combination of contents of the used variables. */
  #stages(principal: number, location: number, action: MessageAction): Stage[] {
    let combinations: ReadonlyMap<number, Content>[] = [new Map()];
    // sound: test/transforms/message-nets/conditions.test.ts
    for (const x of touchedBy(action))
      combinations = combinations.flatMap((one) =>
        this.#contents.map((content) => new Map([...one, [x, content]])),
      );
    return combinations.map((values) => {
      const places = (held: ReadonlyMap<number, Content>): number[] =>
        [...held].map(([x, content]) => this.#variable(principal, x, content));
      return {
        values,
        takes: [this.#location(principal, location), ...places(values)],
        gives: (to, written) => [this.#location(principal, to), ...places(new Map([...values, ...written]))],
      };
    });
  }

  #instanceStage(principal: number, location: number, held: readonly Content[]): Stage {
    return {
      values: new Map(held.entries()),
      takes: [this.#instance(principal, location, held)],
      gives: (to, written) => [
        this.#instance(
          principal,
          to,
          held.map((content, x) => written.get(x) ?? content), // sound: test/transforms/message-nets/conditions.test.ts
        ),
      ],
    };
  }

  #act(principal: number, { action, to, text, span }: MessageEdge, stage: Stage): void {
    const classes = this.#classes;
    const { takes, values } = stage;
    const fire = (
      written: readonly (readonly [number, Content])[] = [],
      taken: readonly number[] = [],
      given: readonly number[] = [],
    ): void =>
      this.#net.fire(text, span, {
        takes: [...takes, ...taken],
        gives: [...stage.gives(to, new Map(written)), ...given],
      });
    switch (action.kind) {
      case "skip":
        return fire();
      case "fresh":
        return fire([[action.target, { message: action.message, class: 0 }]]);
      case "apply": {
        const { message, class: from } = entryOf(values, action.source);
        const { operation, image, target } = action;
        const after = operation < 0 ? from : classes.after({ kind: "operation", operation, principal }, from); // sound: test/transforms/message-nets/conditions.test.ts
        return fire([[target, { message: nth(image, message), class: after }]]);
      }
      case "assume":
        if ((entryOf(values, action.variable).message === action.message) === action.isEqual) fire(); // sound: test/transforms/message-nets/conditions.test.ts
        return;
      case "test":
        if (nth(classes.tests, action.test)[entryOf(values, action.variable).class] === action.isMember)
          fire(); // sound: test/transforms/message-nets/conditions.test.ts
        return;
      case "send": {
        const { message, class: from } = entryOf(values, action.variable);
        const sent = classes.after({ kind: "send", principal }, from);
        return fire([], [], [this.#channel(action.channel, { message, class: sent })]);
      }
      case "spawn": {
        const { variables } = nth(this.#program.principals, action.principal);
        return fire(
          [],
          [],
          [
            this.#instance(
              action.principal,
              0,
              variables.map(() => nothing),
            ),
          ],
        );
      }
      case "receive":
        for (const content of this.#contents) {
          const received = {
            ...content,
            class: classes.after({ kind: "receive", principal }, content.class),
          };
          fire([[action.variable, received]], [this.#channel(action.channel, content)]);
        }
    }
  }

  /** Sets of places that must be marked together. */
  #alternatives(): number[][] {
    const { principal, variable, when } = this.#property;
    const isBad = (content: Content): boolean => nth(this.#classes.isBad, content.class);
    const isAsked = (content: Content): boolean => content.message === when?.message; // sound: test/transforms/message-nets/conditions.test.ts
    const { isSpawned } = nth(this.#program.principals, principal);
    // sound: test/transforms/message-nets/conditions.test.ts
    if (when?.principal === principal && (when.variable === variable || isSpawned))
      return this.#holders(
        principal,
        (held) => isBad(held(variable)) && isAsked(held(when.variable)), // sound: test/transforms/message-nets/conditions.test.ts
        variable,
      );
    const bad = this.#holders(principal, (held) => isBad(held(variable)), variable);
    if (!when) return bad; // sound: test/transforms/message-nets/conditions.test.ts
    const asked = this.#holders(when.principal, (held) => isAsked(held(when.variable)), when.variable);
    return bad.flatMap((places) => asked.map((others) => [...places, ...others]));
  }

  /** Places in which the principal has these contents; only a spawned principal has several variables in one place. */
  #holders(
    principal: number,
    isFine: (held: (x: number) => Content) => boolean,
    variable: number,
  ): number[][] {
    // sound: test/transforms/message-nets/conditions.test.ts
    if (nth(this.#program.principals, principal).isSpawned)
      return (
        [...this.#instances.values()]
          // sound: test/transforms/message-nets/conditions.test.ts
          .filter((each) => each.principal === principal && isFine((x) => nth(each.held, x)))
          .map(({ location, held }) => [this.#instance(principal, location, held)])
      );
    return (
      this.#contents
        // sound: test/transforms/message-nets/conditions.test.ts
        .filter((content) => isFine(() => content))
        .map((content) => [this.#variable(principal, variable, content)])
    );
  }

  #location(principal: number, location: number): number {
    const { name, span } = nth(this.#program.principals, principal);
    return this.#net.place(`${name} at ${location}`, span);
  }

  #variable(principal: number, x: number, content: Content): number {
    const { name, variables, span } = nth(this.#program.principals, principal);
    return this.#net.place(`${name} ${nth(variables, x)} ${this.#text(content)}`, span);
  }

  #channel(channel: number, content: Content): number {
    return this.#net.place(
      `in ${nth(this.#program.channels, channel)}: ${this.#text(content)}`,
      this.#span(),
    );
  }

  #instance(principal: number, location: number, held: readonly Content[]): number {
    const { name, span } = nth(this.#program.principals, principal);
    const key = `some ${name} at ${location} with ${held.map((content) => this.#text(content)).join(" ")}`;
    if (!this.#instances.has(key)) this.#instances.set(key, { principal, location, held });
    return this.#net.place(key, span);
  }

  #text({ message, class: each }: Content): string {
    const name = nth(this.#program.messages, message);
    return this.#classes.count === 1 ? name : `${name} q${each}`;
  }

  #span(): Span {
    return nth(this.#program.principals, 0).span;
  }
}

/** Initial content of every variable. */
const nothing: Content = { message: 0, class: 0 };

/** Variables whose places an action consumes: read or overwritten ones. */
function touchedBy(action: MessageAction): number[] {
  switch (action.kind) {
    case "fresh":
      return [action.target];
    case "apply":
      return [...new Set([action.source, action.target])];
    case "assume":
    case "test":
    case "send":
    case "receive":
      return [action.variable];
    case "spawn":
    case "skip":
      return [];
  }
}
