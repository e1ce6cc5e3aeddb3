/**
 * A message-passing program with its concrete semantics: unbounded bags of messages, each message with its full provenance.
 * For stepping, replaying and searching within a budget.
 *
 *   words   a location for each initial principal; the number of the value of each of its variables;
 *           the bag of each channel; the bag of spawned instances.
 */
import {
  FOREIGN_AGENT,
  isInPolicy,
  nowhere,
  patience,
  provenanceAfter,
  Status,
  type DomainEvent,
  type MessageCount,
  type MessageEdge,
  type MessageEvent,
  type MessageProgram,
  type MessageStep,
  type MessageSystem,
  type Principal,
  type ProcessView,
  type Shown,
  type Step,
  type Successors,
  type TravelledMessage,
  type Words,
} from "../../model/index.js";
import { MessageParts, type Instance } from "./parts.js";
import { messageText } from "./text.js";

/** A step with the state it leads to. */
interface Way extends MessageStep {
  readonly next: Int32Array;
  readonly sent: TravelledMessage | undefined;
}

interface Standing {
  readonly principal: number;
  readonly edges: readonly MessageEdge[];
}

export class ConcreteSystem implements MessageSystem {
  readonly width: number;
  readonly compareFrom = 0;
  readonly #program: MessageProgram;
  readonly #firstValue: readonly number[];
  readonly #locationOf: readonly number[];
  readonly #firstChannel: number;
  readonly #parts: MessageParts;
  readonly #asksStuck: boolean;

  /** `asksStuck`: states without successors are errors, unless all principals are at their ends. */
  constructor(program: MessageProgram, parts = new MessageParts(), asksStuck = false) {
    this.#program = program;
    this.#parts = parts;
    this.#asksStuck = asksStuck;
    const { principals, channels } = program;
    let next = 0;
    this.#locationOf = principals.map(({ isSpawned }) => (isSpawned ? -1 : next++)); // sound: test/compile/messages/conditions.test.ts
    this.#firstValue = principals.map(({ isSpawned, variables }) => {
      const first = next;
      if (!isSpawned) next += variables.length; // sound: test/compile/messages/conditions.test.ts
      return first;
    });
    this.#firstChannel = next;
    this.width = next + channels.length + 1;
  }

  initial(out: Successors): void {
    append(out, new Int32Array(this.width), 0);
  }

  successors(state: Words, at: number, out: Successors): void {
    for (const { next, principal } of this.#ways(state, at)) append(out, next, principal); // sound: test/compile/messages/conditions.test.ts
  }

  /** Waiting for a message that never comes is a valid end, unless deadlocks are asked for. */
  status(state: Words, at: number): number {
    const isEnded = !this.#asksStuck || this.#standing(state, at).every(({ edges }) => edges.length === 0); // sound: test/session/message-questions.test.ts
    return isEnded ? Status.validEnd : 0;
  }

  /** Counts of a state that a condition mentions. */
  countOf(count: MessageCount, state: Words, at: number): number {
    this.#parts.numbers.catchUp();
    switch (count.kind) {
      case "channel": {
        const bag = this.#parts.bags.members(wordAt(state, at + this.#firstChannel + count.channel));
        const { message } = count;
        if (message === undefined) return bag.length;
        return bag.filter((number) => this.#parts.valueAt(number).message === message).length; // sound: test/session/message-questions.test.ts
      }
      case "variable":
        return this.valuesOf(count.principal, state, at).filter(
          (values) => values[count.variable]?.message === count.message,
        ).length; // sound: test/session/message-questions.test.ts
      case "end":
        return this.#standing(state, at).filter(
          ({ principal, edges }) => principal === count.principal && edges.length === 0, // sound: test/session/message-questions.test.ts
        ).length;
    }
  }

  stepsFrom(state: Words, at: number): readonly MessageStep[] {
    return this.#ways(state, at);
  }

  valuesOf(principal: number, state: Words, at: number): readonly (readonly TravelledMessage[])[] {
    this.#parts.numbers.catchUp();
    const held =
      // sound: test/compile/messages/conditions.test.ts
      this.#locationOf[principal]! >= 0
        ? [this.#held(principal, state.subarray(at))]
        : this.#spawned(state.subarray(at))
            // sound: test/compile/messages/conditions.test.ts
            .filter((instance) => instance.principal === principal)
            .map(({ values }) => values);
    return held.map((values) => values.map((value) => this.#parts.valueAt(value)));
  }

  describe(state: Words, at: number, choice: number): Step {
    const { principal, edge, taken, sent } = this.#ways(state, at)[choice]!;
    const { name } = this.#principal(principal);
    return {
      participants: [name],
      action: edge.text,
      sources: [edge.span],
      messages: this.#events(edge, name, taken, sent),
      output: "",
    };
  }

  snapshot(state: Words, at: number): readonly Shown[] {
    this.#parts.numbers.catchUp();
    const words = state.subarray(at, at + this.width);
    const { principals, channels } = this.#program;
    const variables = principals.flatMap(({ name, variables: names, isSpawned }, principal) =>
      isSpawned ? [] : this.#shownValues(name, names, this.#held(principal, words)),
    );
    const bags = channels.map((name, channel) => ({
      name,
      value: this.#bagText(wordAt(words, this.#firstChannel + channel)),
    }));
    const counts = new Map<number, number>();
    const instances = this.#spawned(words).flatMap(({ principal, values }) => {
      const { name, variables: names } = this.#principal(principal);
      const number = counts.get(principal) ?? 0;
      counts.set(principal, number + 1);
      return this.#shownValues(`${name}[${number}]`, names, values);
    });
    return [...variables, ...bags, ...instances];
  }

  processes(state: Words, at: number): readonly ProcessView[] {
    return this.#standing(state, at).map(({ principal, edges }) => {
      const { name, span } = this.#principal(principal);
      return { name, span: edges[0]?.span ?? span, isAtEnd: edges.length === 0 };
    });
  }

  /** Every principal with the edges that leave its location. */
  #standing(state: Words, at: number): readonly Standing[] {
    this.#parts.numbers.catchUp();
    const words = state.subarray(at, at + this.width);
    const fixed = this.#program.principals.flatMap(({ isSpawned }, principal) =>
      isSpawned ? [] : [{ principal, location: this.#locationIn(principal, words) }],
    );
    return [...fixed, ...this.#spawned(words)].map(({ principal, location }) => ({
      principal,
      edges: this.#principal(principal).locations[location] ?? [],
    }));
  }

  #principal(index: number): Principal {
    const principal = this.#program.principals[index];
    if (!principal) throw new Error(`there is no principal ${index}`);
    return principal;
  }

  #locationIn(principal: number, words: Words): number {
    return wordAt(words, this.#locationOf[principal] ?? -1);
  }

  #held(principal: number, words: Words): readonly number[] {
    const first = this.#firstValue[principal]!;
    return [...words.subarray(first, first + this.#principal(principal).variables.length)];
  }

  #spawned(words: Words): readonly Instance[] {
    return this.#parts.bags
      .members(wordAt(words, this.width - 1))
      .toSorted(this.#parts.compareInstances)
      .map((number) => this.#parts.instanceAt(number));
  }

  #ways(state: Words, at: number): Way[] {
    this.#parts.numbers.catchUp();
    const words = state.slice(at, at + this.width);
    const fixed = this.#program.principals.flatMap(({ isSpawned }, principal) =>
      isSpawned
        ? []
        : this.#waysOf(
            {
              principal,
              location: this.#locationIn(principal, words),
              values: this.#held(principal, words),
            },
            words,
          ),
    );
    const last = this.width - 1;
    const instances = this.#parts.bags
      .kinds(wordAt(words, last), this.#parts.compareInstances)
      .flatMap((number) => {
        const rest = words.with(last, this.#parts.bags.without(wordAt(words, last), number));
        return this.#waysOf(this.#parts.instanceAt(number), rest);
      });
    return [...fixed, ...instances];
  }

  #waysOf(instance: Instance, words: Words): Way[] {
    return this.#principal(instance.principal).locations[instance.location]!.flatMap((edge) =>
      this.#take(instance, edge, words),
    );
  }

  #take(instance: Instance, edge: MessageEdge, words: Words): Way[] {
    patience(0); // Words and bags grow with the execution: a step at its end may take long.
    const { principal, location } = instance;
    const values = instance.values.map((value) => this.#parts.valueAt(value));
    const { action, to } = edge;
    const way = (
      changed: readonly TravelledMessage[],
      next: Words,
      taken?: TravelledMessage,
      sent?: TravelledMessage,
    ): Way => {
      const held = changed.map((value) => this.#parts.numberOf(value));
      const placed = this.#place({ principal, location: to, values: held }, next);
      return { principal, edge, taken, location, values, next: placed, sent };
    };
    const after = (event: DomainEvent, { provenance }: TravelledMessage): TravelledMessage["provenance"] =>
      provenanceAfter(this.#program.domain, event, provenance);
    switch (action.kind) {
      case "skip":
        return [way(values, words)];
      case "fresh":
        return [way(values.with(action.target, { message: action.message, provenance: nowhere }), words)];
      case "apply": {
        const source = values[action.source]!;
        const { operation } = action;
        const provenance =
          operation < 0 ? source.provenance : after({ kind: "operation", operation, principal }, source); // sound: test/compile/messages/conditions.test.ts
        const image = { message: action.image[source.message]!, provenance };
        return [way(values.with(action.target, image), words)];
      }
      case "assume":
        // sound: test/compile/messages/conditions.test.ts
        return (values[action.variable]!.message === action.message) === action.isEqual
          ? [way(values, words)]
          : [];
      case "test":
        // sound: test/compile/messages/conditions.test.ts
        return isInPolicy(this.#program.tests[action.test]!, values[action.variable]!.provenance) ===
          action.isMember
          ? [way(values, words)]
          : [];
      case "send": {
        const value = values[action.variable]!;
        const sent = { message: value.message, provenance: after({ kind: "send", principal }, value) };
        const at = this.#firstChannel + action.channel;
        const next = words.with(at, this.#parts.bags.with(wordAt(words, at), this.#parts.numberOf(sent)));
        return [way(values, next, undefined, sent)];
      }
      case "receive": {
        const at = this.#firstChannel + action.channel;
        return this.#parts.bags.kinds(wordAt(words, at), this.#parts.compareValues).map((number) => {
          patience(0);
          const taken = this.#parts.valueAt(number);
          const provenance = after({ kind: "receive", principal }, taken);
          const received = values.with(action.variable, { message: taken.message, provenance });
          return way(received, words.with(at, this.#parts.bags.without(wordAt(words, at), number)), taken);
        });
      }
      case "spawn": {
        const { variables } = this.#principal(action.principal);
        const born = { principal: action.principal, location: 0, values: variables.map(() => 0) };
        return [way(values, this.#withInstance(born, words))];
      }
    }
  }

  #place(instance: Instance, words: Words): Int32Array {
    const at = this.#locationOf[instance.principal]!;
    if (at < 0) return this.#withInstance(instance, words); // sound: test/compile/messages/conditions.test.ts
    const next = words.slice();
    next[at] = instance.location;
    next.set(instance.values, this.#firstValue[instance.principal]!);
    return next;
  }

  #withInstance(instance: Instance, words: Words): Int32Array<ArrayBuffer> {
    const last = this.width - 1;
    return words.with(
      last,
      this.#parts.bags.with(wordAt(words, last), this.#parts.numberOfInstance(instance)),
    ) as Int32Array<ArrayBuffer>;
  }

  #events(
    { action }: MessageEdge,
    name: string,
    taken: TravelledMessage | undefined,
    sent: TravelledMessage | undefined,
  ): MessageEvent[] {
    if (action.kind !== "send" && action.kind !== "receive") return [];
    return [
      {
        kind: action.kind,
        channel: this.#program.channels[action.channel]!,
        channelId: action.channel + 1,
        message: messageText(this.#program, (taken ?? sent)!),
        from: action.kind === "send" ? name : undefined,
        to: action.kind === "receive" ? name : undefined,
      },
    ];
  }

  #shownValues(owner: string, names: readonly string[], values: readonly number[]): Shown[] {
    return names.map((variable, index) => ({
      name: `${owner}.${variable}`,
      value: messageText(this.#program, this.#parts.valueAt(values[index]!)),
    }));
  }

  #bagText(bag: number): string {
    const members = this.#parts.bags.members(bag);
    const texts = this.#parts.bags.kinds(bag, this.#parts.compareValues).map((number) => {
      const count = members.filter((member) => member === number).length;
      return `${messageText(this.#program, this.#parts.valueAt(number))}${count > 1 ? ` ×${count}` : ""}`;
    });
    return `[${texts.join(", ")}]`;
  }
}

function wordAt(words: Words, at: number): number {
  const word = words[at];
  if (word === undefined) throw new RangeError(`a state has no word ${at}`);
  return word;
}

/** Agents are principals; the instances of a spawned one are one agent. */
function append(out: Successors, words: Words, principal: number): void {
  if (out.count === out.capacity) out.grow();
  out.labels[out.count] = principal < MOST_AGENTS ? 1 << principal : FOREIGN_AGENT; // sound: test/session/message-questions.test.ts
  out.words.set(words, out.count++ * out.stride);
}

/** Agents with separate bits; the last bit represents all others. */
const MOST_AGENTS = 31;
