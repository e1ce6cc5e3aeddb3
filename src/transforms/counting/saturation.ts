/**
 * Saturation: explores each principal separately, with every message that any principal may send available at all times.
 *
 * Ignores multiplicities, times and the locations of other principals, so it takes polynomial time. It over-approximates: it finds
 * every value that a principal can have at a location. Without a violation the property holds; a violation decides nothing.
 */
import type { MessageEdge, MessageProgram, ProvenanceProperty } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Classes } from "./classes.js";

export interface Saturated {
  readonly isSafe: boolean;
  /** Number of pairs of a location and the values of its principal's variables. */
  readonly states: number;
  readonly transitions: number;
}

export function saturate(program: MessageProgram, property: ProvenanceProperty, classes: Classes): Saturated {
  return new Saturation(program, property, classes).result();
}

/** A principal at a location; values are `message * classes + class`. */
interface Local {
  readonly principal: number;
  readonly location: number;
  readonly values: readonly number[];
}

class Saturation {
  readonly #program: MessageProgram;
  readonly #property: ProvenanceProperty;
  readonly #classes: Classes;
  readonly #seen = new Set<string>();
  readonly #waiting: Local[] = [];
  /** By channel: the messages sent, and the principals at locations that receive from it. */
  readonly #sent: readonly Set<number>[];
  readonly #receivers: readonly { readonly at: Local; readonly edge: MessageEdge }[][];
  #transitions = 0;
  #isSafe = true;

  constructor(program: MessageProgram, property: ProvenanceProperty, classes: Classes) {
    this.#program = program;
    this.#property = property;
    this.#classes = classes;
    this.#sent = program.channels.map(() => new Set());
    this.#receivers = program.channels.map(() => []);
  }

  result(): Saturated {
    // Spawned principals exist from the start: an over-approximation.
    for (const [principal, { variables }] of this.#program.principals.entries())
      this.#arrive({ principal, location: 0, values: variables.map(() => 0) });
    for (let at = this.#waiting.pop(); at && this.#isSafe; at = this.#waiting.pop())
      for (const edge of nth(nth(this.#program.principals, at.principal).locations, at.location))
        this.#take(at, edge);
    return { isSafe: this.#isSafe, states: this.#seen.size, transitions: this.#transitions };
  }

  #arrive(local: Local): void {
    const { principal, location, values } = local;
    const key = `${principal} ${location} ${values.join()}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#waiting.push(local);
    const { principal: watched, variable } = this.#property;
    if (principal === watched && nth(this.#classes.isBad, nth(values, variable) % this.#classes.count))
      this.#isSafe = false; // sound: test/transforms/counting/saturation.test.ts
  }

  #take(at: Local, edge: MessageEdge): void {
    const { principal, values } = at;
    const { action } = edge;
    const { count, tests } = this.#classes;
    const messageIn = (variable: number): number => Math.floor(nth(values, variable) / count);
    const classIn = (variable: number): number => nth(values, variable) % count;
    const go = (changed: readonly number[] = values): void => {
      this.#transitions++;
      this.#arrive({ principal, location: edge.to, values: changed });
    };
    switch (action.kind) {
      case "skip":
      case "spawn":
        return go();
      case "fresh":
        return go(values.with(action.target, action.message * count));
      case "apply": {
        const { operation, source, image, target } = action;
        const from = classIn(source);
        const next =
          operation < 0 ? from : this.#classes.after({ kind: "operation", operation, principal }, from);
        return go(values.with(target, nth(image, messageIn(source)) * count + next));
      }
      case "assume":
        if ((messageIn(action.variable) === action.message) === action.isEqual) go();
        return;
      case "test":
        if (nth(tests, action.test)[classIn(action.variable)] === action.isMember) go();
        return;
      case "send": {
        const sent = this.#classes.after({ kind: "send", principal }, classIn(action.variable));
        this.#send(action.channel, messageIn(action.variable) * count + sent);
        return go();
      }
      case "receive":
        nth(this.#receivers, action.channel).push({ at, edge });
        for (const value of nth(this.#sent, action.channel)) this.#receive(at, edge, value);
    }
  }

  #send(channel: number, value: number): void {
    if (nth(this.#sent, channel).has(value)) return;
    nth(this.#sent, channel).add(value);
    for (const { at, edge } of nth(this.#receivers, channel)) this.#receive(at, edge, value); // sound: test/transforms/counting/saturation.test.ts
  }

  #receive({ principal, values }: Local, { action, to }: MessageEdge, value: number): void {
    if (action.kind !== "receive") return;
    const { count } = this.#classes;
    const received = this.#classes.after({ kind: "receive", principal }, value % count);
    this.#transitions++;
    this.#arrive({
      principal,
      location: to,
      values: values.with(action.variable, Math.floor(value / count) * count + received),
    });
  }
}
