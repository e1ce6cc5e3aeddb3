/**
 * A message-passing program with its concrete semantics: unbounded bags of messages, each message with its full provenance.
 * For stepping, replaying and searching within a budget.
 *
 *   words   a location for each initial principal; the number of the value of each of its variables;
 *           the bag of each channel; the bag of spawned instances.
 */
import {
  isInPolicy,
  nowhere,
  patience,
  provenanceAfter,
  Status,
  type DomainEvent,
  type MessageEdge,
  type MessageEvent,
  type MessageProgram,
  type MessageStep,
  type MessageSystem,
  type ProcessView,
  type Shown,
  type Step,
  type Successors,
  type TravelledMessage,
  type Words,
} from "../../model/index.js";
import { Bags, Interned } from "./bags.js";
import { messageText } from "./text.js";

interface Instance {
  readonly principal: number;
  readonly location: number;
  /** Numbers of its variables' values. */
  readonly values: readonly number[];
}

/** A step with the state it leads to. */
interface Way extends MessageStep {
  readonly next: Int32Array;
  readonly sent: TravelledMessage | undefined;
}

export class ConcreteSystem implements MessageSystem {
  readonly width: number;
  readonly compareFrom = 0;
  readonly #program: MessageProgram;
  readonly #firstValue: readonly number[];
  readonly #locationOf: readonly number[];
  readonly #firstChannel: number;
  readonly #values = new Interned<TravelledMessage>(
    ({ message, provenance }) => `${message}:${provenance.join()}`,
    { message: 0, provenance: nowhere },
  );
  readonly #instances = new Interned<Instance | undefined>(
    (it) => (it ? `${it.principal}@${it.location}:${it.values.join()}` : ""),
    undefined,
  );
  readonly #bags = new Bags();

  constructor(program: MessageProgram) {
    this.#program = program;
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
    append(out, new Int32Array(this.width));
  }

  successors(state: Words, at: number, out: Successors): void {
    for (const { next } of this.#ways(state, at)) append(out, next); // sound: test/compile/messages/conditions.test.ts
  }

  status(): number {
    // Waiting for a message that never comes is a valid end.
    return Status.validEnd;
  }

  stepsFrom(state: Words, at: number): readonly MessageStep[] {
    return this.#ways(state, at);
  }

  valuesOf(principal: number, state: Words, at: number): readonly (readonly TravelledMessage[])[] {
    const held =
      // sound: test/compile/messages/conditions.test.ts
      this.#locationOf[principal]! >= 0
        ? [this.#held(principal, state.subarray(at))]
        : this.#spawned(state.subarray(at))
            // sound: test/compile/messages/conditions.test.ts
            .filter((instance) => instance.principal === principal)
            .map(({ values }) => values);
    return held.map((values) => values.map((value) => this.#values.at(value)));
  }

  describe(state: Words, at: number, choice: number): Step {
    const { principal, edge, taken, sent } = this.#ways(state, at)[choice]!;
    const { name } = this.#program.principals[principal]!;
    return {
      participants: [name],
      action: edge.text,
      sources: [edge.span],
      messages: this.#events(edge, name, taken, sent),
      output: "",
    };
  }

  snapshot(state: Words, at: number): readonly Shown[] {
    const words = state.subarray(at, at + this.width);
    const { principals, channels } = this.#program;
    const variables = principals.flatMap(({ name, variables: names, isSpawned }, principal) =>
      isSpawned ? [] : this.#shownValues(name, names, this.#held(principal, words)),
    );
    const bags = channels.map((name, channel) => ({
      name,
      value: this.#bagText(words[this.#firstChannel + channel]!),
    }));
    const counts = new Map<number, number>();
    const instances = this.#spawned(words).flatMap(({ principal, values }) => {
      const { name, variables: names } = principals[principal]!;
      const number = counts.get(principal) ?? 0;
      counts.set(principal, number + 1);
      return this.#shownValues(`${name}[${number}]`, names, values);
    });
    return [...variables, ...bags, ...instances];
  }

  processes(state: Words, at: number): readonly ProcessView[] {
    const words = state.subarray(at, at + this.width);
    const standing = this.#program.principals.flatMap(({ isSpawned }, principal) =>
      isSpawned ? [] : [{ principal, location: words[this.#locationOf[principal]!]! }],
    );
    return [...standing, ...this.#spawned(words)].map(({ principal, location }) => {
      const { name, span, locations } = this.#program.principals[principal]!;
      const edges = locations[location]!;
      return { name, span: edges[0]?.span ?? span, isAtEnd: edges.length === 0 };
    });
  }

  // Choices are positions, so their order must not depend on the order of discovery.
  readonly #compareValues = (a: number, b: number): number => {
    const [one, other] = [this.#values.at(a), this.#values.at(b)];
    return one.message - other.message || compareLists(one.provenance, other.provenance);
  };

  readonly #compareInstances = (a: number, b: number): number => {
    const [one, other] = [this.#instances.at(a)!, this.#instances.at(b)!];
    const byValue = one.values.map((value, x) => this.#compareValues(value, other.values[x] ?? 0));
    return (
      one.principal - other.principal ||
      one.location - other.location ||
      (byValue.find((difference) => difference !== 0) ?? 0)
    );
  };

  #held(principal: number, words: Words): readonly number[] {
    const first = this.#firstValue[principal]!;
    return [...words.subarray(first, first + this.#program.principals[principal]!.variables.length)];
  }

  #spawned(words: Words): readonly Instance[] {
    return this.#bags
      .members(words[this.width - 1]!)
      .toSorted(this.#compareInstances)
      .map((number) => this.#instances.at(number)!);
  }

  #ways(state: Words, at: number): Way[] {
    const words = state.slice(at, at + this.width);
    const fixed = this.#program.principals.flatMap(({ isSpawned }, principal) =>
      isSpawned
        ? []
        : this.#waysOf(
            {
              principal,
              location: words[this.#locationOf[principal]!]!,
              values: this.#held(principal, words),
            },
            words,
          ),
    );
    const last = this.width - 1;
    const instances = this.#bags.kinds(words[last]!, this.#compareInstances).flatMap((number) => {
      const rest = words.with(last, this.#bags.without(words[last]!, number));
      return this.#waysOf(this.#instances.at(number)!, rest);
    });
    return [...fixed, ...instances];
  }

  #waysOf(instance: Instance, words: Words): Way[] {
    return this.#program.principals[instance.principal]!.locations[instance.location]!.flatMap((edge) =>
      this.#take(instance, edge, words),
    );
  }

  #take(instance: Instance, edge: MessageEdge, words: Words): Way[] {
    patience(0); // Words and bags grow with the execution: a step at its end may take long.
    const { principal, location } = instance;
    const values = instance.values.map((value) => this.#values.at(value));
    const { action, to } = edge;
    const way = (
      changed: readonly TravelledMessage[],
      next: Words,
      taken?: TravelledMessage,
      sent?: TravelledMessage,
    ): Way => {
      const held = changed.map((value) => this.#values.numberOf(value));
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
        const next = words.with(at, this.#bags.with(words[at]!, this.#values.numberOf(sent)));
        return [way(values, next, undefined, sent)];
      }
      case "receive": {
        const at = this.#firstChannel + action.channel;
        return this.#bags.kinds(words[at]!, this.#compareValues).map((number) => {
          patience(0);
          const taken = this.#values.at(number);
          const provenance = after({ kind: "receive", principal }, taken);
          const received = values.with(action.variable, { message: taken.message, provenance });
          return way(received, words.with(at, this.#bags.without(words[at]!, number)), taken);
        });
      }
      case "spawn": {
        const { variables } = this.#program.principals[action.principal]!;
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
      this.#bags.with(words[last]!, this.#instances.numberOf(instance)),
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
      value: messageText(this.#program, this.#values.at(values[index]!)),
    }));
  }

  #bagText(bag: number): string {
    const members = this.#bags.members(bag);
    const texts = this.#bags.kinds(bag, this.#compareValues).map((number) => {
      const count = members.filter((member) => member === number).length;
      return `${messageText(this.#program, this.#values.at(number))}${count > 1 ? ` ×${count}` : ""}`;
    });
    return `[${texts.join(", ")}]`;
  }
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  return a.map((each, index) => each - b[index]!).find((difference) => difference !== 0) ?? 0;
}

function append(out: Successors, words: Words): void {
  if (out.count === out.capacity) out.grow();
  out.words.set(words, out.count++ * out.stride);
}
