/** Components as their composites see them, and steps that are put together. */
import type { Component } from "../../model/index.js";
import type { BindingDraft, Draft } from "./parts.js";

/** By part: its label in a step. */
export type Moves = ReadonlyMap<number, string>;

/** A call of a component on a required interface that is bound to `target`; `stays` if it cannot be received. */
export interface Call {
  readonly operation: string;
  readonly target: string;
  readonly moves: Moves;
  readonly stays: Moves;
}

export interface Reception {
  readonly operation: string;
  readonly moves: Moves;
}

/** Receives control operations. */
export interface Controls {
  control(label: string, moves: Moves): void;
  draft(part: number): Draft;
  bindingAt(part: number): BindingDraft;
}

/** A component as its composite sees it. */
export interface Ports {
  readonly component: Component;
  readonly shown: string;
  readonly life: number;
  /** Life-cycles of everything inside, its own included. */
  readonly lives: readonly number[];
  readonly inside: readonly Ports[];
  /** By required interface; of a composite also by provided interface, inside. */
  readonly bindings: ReadonlyMap<string, number>;
  readonly internal: ReadonlyMap<string, number>;
  /** The behaviour of a primitive. */
  readonly body: number | undefined;
  readonly calls: ReadonlyMap<string, readonly Call[]>;
  readonly receptions: ReadonlyMap<string, readonly Reception[]>;
}

export const everythingIn = (ports: Ports): Ports[] => [ports, ...ports.inside.flatMap(everythingIn)];

/** Undefined: a part would have to take two steps at once. */
export function merged(first: Moves, second: Moves): Moves | undefined {
  const all = new Map(first);
  for (const [part, label] of second) {
    // sound: test/compile/components.test.ts
    if (all.has(part) && all.get(part) !== label) return undefined;
    all.set(part, label);
  }
  return all;
}

export const split = (end: string): readonly [component: string, name: string] => {
  const dot = end.indexOf(".");
  return [end.slice(0, dot), end.slice(dot + 1)];
};
