/**
 * A net polynomial in the program and in the policy: the provenance of a message is a bit vector, with one bit per state of the
 * policy's nondeterministic automaton, or per principal if the policy is about sets. A bit is a pair of places, one of them marked; a
 * token of the principal moves along the bits to clear or copy them.
 *
 *   variable   its message (a place each); `known`, with its bits, or `unknown`
 *   channel    for each message: the number of messages without provenance, and a slot for one with its bits
 *              (`empty` or `full`; locked while neither is marked)
 *
 * A send drops the bits, or keeps them if the slot is empty. A violation depends on the provenance of a single message, which
 * ends in the observed variable. The run that keeps its bits and drops all others shows the violation; an unknown provenance never
 * counts as forbidden. So a kept message need not be dropped later.
 */
import type {
  MessageAction,
  MessageEdge,
  MessageProgram,
  Net,
  Policy,
  ProvenanceProperty,
  Span,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { nondeterministic } from "../counting/index.js";
import { NetBuilder, trimmed } from "./net-builder.js";

/** Undefined: the compact net exists. */
export function whyNotCompact({ domain, tests, principals }: MessageProgram): string | undefined {
  if (domain.kind === "declared") return "the classes of a declared domain have no encoding as bits"; // sound: test/transforms/message-nets/conditions.test.ts
  // sound: test/transforms/message-nets/conditions.test.ts
  if (tests.length > 0)
    return "a conditional tests the provenance of every message, and the compact net tracks only one";
  if (principals.some(({ isSpawned }) => isSpawned)) return "principals are spawned"; // sound: test/transforms/message-nets/conditions.test.ts
  return undefined;
}

/** Its target is coverable if and only if the property is violated. */
export function compactNet(program: MessageProgram, property: ProvenanceProperty): Net {
  const why = whyNotCompact(program);
  if (why !== undefined) throw new Error(`no compact net: ${why}`);
  return trimmed(new Compact(program, property).net());
}

/** Encoding of provenances as bits. */
interface Bits {
  readonly count: number;
  readonly initial: readonly boolean[];
  /** The bits one of which must be set for this bit to be set after a send; `always`: set unconditionally. */
  before(bit: number, sender: number): readonly number[] | "always";
  /** A disjunction of conjunctions of bit values: the property is violated if one conjunction is true. */
  readonly bad: readonly (readonly (readonly [bit: number, isSet: boolean])[])[];
}

function bitsOf(policy: Policy, principals: number, isAllowed: boolean): Bits {
  const automaton = nondeterministic(policy);
  if (!automaton) return bitsOfSets(policy, principals, isAllowed); // sound: test/transforms/message-nets/conditions.test.ts
  const states = Array.from({ length: automaton.states }, (_, state) => state);
  const accepting = states.filter((state) => automaton.isAccepting(state)); // sound: test/transforms/message-nets/conditions.test.ts
  return {
    count: automaton.states,
    initial: states.map((state) => state === automaton.initial), // sound: test/transforms/message-nets/conditions.test.ts
    before: (bit, sender) => states.filter((state) => automaton.steps(state, sender).includes(bit)), // sound: test/transforms/message-nets/conditions.test.ts
    bad: isAllowed
      ? [accepting.map((state) => [state, false] as const)]
      : accepting.map((state) => [[state, true] as const]),
  };
}

function bitsOfSets(policy: Policy, principals: number, isAllowed: boolean): Bits {
  const all = Array.from({ length: principals }, (_, principal) => principal);
  return {
    count: principals,
    initial: all.map(() => false), // sound: test/transforms/message-nets/conditions.test.ts
    before: (bit, sender) => (bit === sender ? "always" : [bit]), // sound: test/transforms/message-nets/conditions.test.ts
    bad: badSets(policy, all, isAllowed),
  };
}

function badSets(policy: Policy, all: readonly number[], isAllowed: boolean): Bits["bad"] {
  if (policy.kind === "subset") {
    const others = all.filter((principal) => !policy.principals.includes(principal)); // sound: test/transforms/message-nets/conditions.test.ts
    return isAllowed
      ? others.map((principal) => [[principal, true] as const])
      : [others.map((principal) => [principal, false] as const)];
  }
  if (policy.kind !== "contains") throw new Error(`no bits for a policy of the kind '${policy.kind}'`);
  if (!isAllowed) return policy.sets.map((set) => set.map((principal) => [principal, true] as const)); // sound: test/transforms/message-nets/conditions.test.ts
  // Some member of each set is missing.
  return policy.sets.reduce<(readonly (readonly [number, boolean])[])[]>(
    (ways, set) => ways.flatMap((way) => set.map((principal) => [...way, [principal, false] as const])),
    [[]],
  );
}

/** Places of a vector of bits. */
type Vector = readonly Bit[];

interface Bit {
  readonly set: number;
  readonly clear: number;
}

class Compact {
  readonly #program: MessageProgram;
  readonly #property: ProvenanceProperty;
  readonly #bits: Bits;
  readonly #net = new NetBuilder();
  #span: Span;
  #text = "";

  constructor(program: MessageProgram, property: ProvenanceProperty) {
    this.#program = program;
    this.#property = property;
    this.#bits = bitsOf(property.policy, program.principals.length, property.isAllowed);
    this.#span = nth(program.principals, 0).span;
  }

  net(): Net {
    const { principals, channels, messages } = this.#program;
    principals.forEach(({ variables }, principal) => {
      this.#net.mark(this.#location(principal, 0));
      variables.forEach((_, x) => {
        for (const place of [this.#holds(principal, x, 0), ...this.#newContent(principal, x)])
          this.#net.mark(place);
      });
    });
    channels.forEach((_, channel) =>
      messages.forEach((__, message) => this.#net.mark(this.#room(channel, message, "empty"))),
    );
    principals.forEach(({ locations }, principal) =>
      locations.forEach((edges, location) => {
        for (const edge of edges) this.#edge(principal, location, edge);
      }),
    );
    return this.#net.net(
      `${this.#property.name} as a net of bits`,
      this.#property.span,
      this.#alternatives(),
    );
  }

  #edge(principal: number, location: number, { action, to, text, span }: MessageEdge): void {
    this.#span = span;
    this.#text = text;
    this.#act(principal, this.#location(principal, location), this.#location(principal, to), action);
  }

  #act(principal: number, from: number, to: number, action: MessageAction): void {
    const all = this.#program.messages.map((_, message) => message);
    switch (action.kind) {
      case "skip":
        return this.#fire([from], [to]);
      case "assume":
        // sound: test/transforms/message-nets/conditions.test.ts
        for (const message of all.filter((each) => (each === action.message) === action.isEqual))
          this.#fire([from], [to], [this.#holds(principal, action.variable, message)]);
        return;
      case "fresh": {
        const emptied = this.#emptied(principal, action.target, from);
        const content = this.#newContent(principal, action.target);
        return this.#fire([emptied], [to, this.#holds(principal, action.target, action.message), ...content]);
      }
      case "apply":
        for (const message of all) this.#apply(principal, from, to, action, message);
        return;
      case "send":
        for (const message of all) this.#send(principal, from, to, action, message);
        return;
      case "receive":
        for (const message of all) this.#receive(principal, from, to, action, message);
        return;
      case "test":
      case "spawn":
        throw new Error(`no compact net of '${action.kind}'`);
    }
  }

  #apply(
    principal: number,
    from: number,
    to: number,
    { source, target, image }: MessageAction & { readonly kind: "apply" },
    message: number,
  ): void {
    const held = this.#holds(principal, source, message);
    const result = this.#holds(principal, target, nth(image, message));
    if (source === target) return this.#fire([from, held], [to, result]); // sound: test/transforms/message-nets/conditions.test.ts
    const chosen = this.#step();
    this.#fire([from], [chosen], [held]);
    const emptied = this.#emptied(principal, target, chosen);
    const [known, unknown] = [this.#known(principal, source), this.#unknown(principal, source)];
    this.#fire([emptied], [to, result, this.#unknown(principal, target)], [unknown]);
    const start = this.#step();
    this.#fire([emptied], [start], [known]);
    const end = this.#copied(this.#vector(principal, source), this.#vector(principal, target), start);
    this.#fire([end], [to, result, this.#known(principal, target)]);
  }

  /** Dropping the bits is always possible; keeping them requires known bits and an empty slot. */
  #send(
    principal: number,
    from: number,
    to: number,
    { channel, variable }: MessageAction & { readonly kind: "send" },
    message: number,
  ): void {
    const held = this.#holds(principal, variable, message);
    this.#fire([from], [to, this.#forgotten(channel, message)], [held]);
    const start = this.#step();
    this.#fire(
      [from, this.#room(channel, message, "empty")],
      [start],
      [held, this.#known(principal, variable)],
    );
    const end = this.#sent(this.#vector(principal, variable), this.#kept(channel, message), principal, start);
    this.#fire([end], [to, this.#room(channel, message, "full")]);
  }

  #receive(
    principal: number,
    from: number,
    to: number,
    { channel, variable }: MessageAction & { readonly kind: "receive" },
    message: number,
  ): void {
    const result = this.#holds(principal, variable, message);
    const taken = this.#step();
    this.#fire([from, this.#forgotten(channel, message)], [taken]);
    this.#fire([this.#emptied(principal, variable, taken)], [to, result, this.#unknown(principal, variable)]);
    const start = this.#step();
    this.#fire([from, this.#room(channel, message, "full")], [start]);
    const emptied = this.#emptied(principal, variable, start);
    const end = this.#moved(this.#kept(channel, message), this.#vector(principal, variable), emptied);
    this.#fire([end], [to, result, this.#known(principal, variable), this.#room(channel, message, "empty")]);
  }

  /** Empties a variable; returns the token's place afterwards. */
  #emptied(principal: number, x: number, at: number): number {
    const open = this.#step();
    this.#program.messages.forEach((_, message) =>
      this.#fire([at, this.#holds(principal, x, message)], [open]),
    );
    const start = this.#step();
    this.#fire([open, this.#known(principal, x)], [start]);
    const end = this.#walk(this.#vector(principal, x), start, ({ set, clear }, here, there) => {
      this.#fire([here, set], [there]);
      this.#fire([here, clear], [there]);
    });
    this.#fire([open, this.#unknown(principal, x)], [end]);
    return end;
  }

  #copied(source: Vector, target: Vector, at: number): number {
    return this.#walk(target, at, (to, here, there, bit) => {
      const from = nth(source, bit);
      this.#fire([here], [there, to.set], [from.set]);
      this.#fire([here], [there, to.clear], [from.clear]);
    });
  }

  #moved(source: Vector, target: Vector, at: number): number {
    return this.#walk(target, at, (to, here, there, bit) => {
      const from = nth(source, bit);
      this.#fire([here, from.set], [there, to.set]);
      this.#fire([here, from.clear], [there, to.clear]);
    });
  }

  /** Computes each bit after the send from the bits before it, which stay. */
  #sent(source: Vector, target: Vector, sender: number, at: number): number {
    return this.#walk(target, at, ({ set, clear }, here, there, bit) => {
      const before = this.#bits.before(bit, sender);
      if (before === "always") return this.#fire([here], [there, set]); // sound: test/transforms/message-nets/conditions.test.ts
      const sources = before.map((other) => nth(source, other));
      for (const other of sources) this.#fire([here], [there, set], [other.set]); // sound: test/transforms/message-nets/conditions.test.ts
      this.#fire(
        [here],
        [there, clear],
        sources.map((other) => other.clear),
      );
    });
  }

  /** Adds a transition per bit, in a row that starts with the token at `at`; returns the place where it ends. */
  #walk(
    vector: Vector,
    at: number,
    each: (bit: Bit, here: number, there: number, index: number) => void,
  ): number {
    return vector.reduce((here, bit, index) => {
      const there = this.#step();
      each(bit, here, there, index);
      return there;
    }, at);
  }

  #alternatives(): number[][] {
    const { principal, variable, when } = this.#property;
    const vector = this.#vector(principal, variable);
    const asked = when ? [this.#holds(when.principal, when.variable, when.message)] : []; // sound: test/transforms/message-nets/conditions.test.ts
    return this.#bits.bad.map((bits) => [
      this.#known(principal, variable),
      ...bits.map(([bit, isSet]) => nth(vector, bit)[isSet ? "set" : "clear"]), // sound: test/transforms/message-nets/conditions.test.ts
      ...asked,
    ]);
  }

  #fire(takes: readonly number[], gives: readonly number[], needs: readonly number[] = []): void {
    this.#net.fire(this.#text, this.#span, { takes, gives, needs });
  }

  /** A place between two steps of one statement. */
  #step = (): number => this.#net.freshPlace("step", this.#span);

  // Names contain no colon, so these places cannot clash with messages.
  #location(principal: number, location: number): number {
    return this.#net.place(`${this.#name(principal)} at ${location}`, this.#span);
  }

  #holds(principal: number, x: number, message: number): number {
    return this.#net.place(
      `${this.#variable(principal, x)} ${nth(this.#program.messages, message)}`,
      this.#span,
    );
  }

  #known(principal: number, x: number): number {
    return this.#net.place(`${this.#variable(principal, x)}: known`, this.#span);
  }

  #unknown(principal: number, x: number): number {
    return this.#net.place(`${this.#variable(principal, x)}: unknown`, this.#span);
  }

  /** The content of a new message. */
  #newContent(principal: number, x: number): number[] {
    const vector = this.#vector(principal, x);
    return [
      this.#known(principal, x),
      ...this.#bits.initial.map((isSet, bit) => nth(vector, bit)[isSet ? "set" : "clear"]), // sound: test/transforms/message-nets/conditions.test.ts
    ];
  }

  #vector = (principal: number, x: number): Vector => this.#vectorOf(this.#variable(principal, x));

  #kept = (channel: number, message: number): Vector =>
    this.#vectorOf(`kept: ${this.#content(channel, message)}`);

  #vectorOf(owner: string): Vector {
    const place = (kind: string): number => this.#net.place(`${owner}: ${kind}`, this.#span);
    const set = this.#bits.initial.map((_, bit) => place(`b${bit}`));
    return set.map((each, bit) => ({ set: each, clear: place(`d${bit}`) }));
  }

  #forgotten = (channel: number, message: number): number =>
    this.#net.place(`forgotten: ${this.#content(channel, message)}`, this.#span);

  #room = (channel: number, message: number, kind: "empty" | "full"): number =>
    this.#net.place(`${kind}: ${this.#content(channel, message)}`, this.#span);

  #content = (channel: number, message: number): string =>
    `${nth(this.#program.channels, channel)} ${nth(this.#program.messages, message)}`;

  #variable = (principal: number, x: number): string =>
    `${this.#name(principal)} ${nth(nth(this.#program.principals, principal).variables, x)}`;

  #name = (principal: number): string => nth(this.#program.principals, principal).name;
}
