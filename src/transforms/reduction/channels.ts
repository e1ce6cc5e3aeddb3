/**
 * Which channels an expression can name: a flow-insensitive points-to analysis.
 *
 * An abstract channel is one declaration: a global one (all elements of an array together), or the channel that
 * each process of a template creates. Channel numbers that are computed, or come in a message that carries a
 * computed number, can name any channel.
 */
import type { Expr, Initialiser, Place, Program } from "../../model/index.js";
import { edgesOf } from "../../model/program-walk.js";

/** The abstract channels, or `any`. */
export type ChannelSet = ReadonlySet<number> | "any";

export class ChannelFlow {
  readonly #program: Program;
  /** By variable: `g3`, `l2.5`; and `messages` for all that is ever sent. */
  readonly #held = new Map<string, Set<number> | "any">();
  #hasChanged = false;

  constructor(program: Program) {
    this.#program = program;
    let next = 0;
    const create = (initialisers: readonly Initialiser[], template: number): void => {
      for (const i of initialisers)
        if (i.kind === "channel") this.#add(variableKey(i.target, template), new Set([next++]));
    };
    create(program.initialisers, -1);
    program.templates.forEach((t, i) => create(t.initialisers, i));
    do {
      this.#hasChanged = false;
      this.#propagate();
    } while (this.#hasChanged);
  }

  /** What an expression in the code of that template can name (-1: outside of any). */
  of(e: Expr, template: number): ChannelSet {
    switch (e.kind) {
      case "load":
        return this.#held.get(variableKey(e.place, template)) ?? nothing;
      case "constant":
        return e.value === 0 ? nothing : "any";
      case "conditional":
        return union(this.of(e.then, template), this.of(e.otherwise, template));
      default:
        return "any";
    }
  }

  #propagate(): void {
    const { initialisers, instances, templates } = this.#program;
    const flow = (target: string, e: Expr, template: number): void => this.#add(target, this.of(e, template));
    const start = (list: readonly Initialiser[], template: number): void => {
      for (const i of list) if (i.kind === "value") flow(variableKey(i.target, template), i.value, template);
    };
    start(initialisers, -1);
    for (const { template, arguments: values } of instances)
      values.forEach((value, slot) => flow(localKey(template, slot), value, -1));
    templates.forEach((t, template) => {
      start(t.initialisers, template);
      for (const { communication, effects } of edgesOf(t)) {
        if (communication?.kind === "send")
          for (const value of communication.message) flow("messages", value, template);
        if (communication?.kind === "receive")
          for (const p of communication.pattern)
            if (p.kind === "store")
              this.#add(variableKey(p.target, template), this.#held.get("messages") ?? nothing);
        for (const e of effects) {
          if (e.kind === "assign") flow(variableKey(e.target, template), e.value, template);
          if (e.kind === "run")
            e.arguments.forEach((value, slot) => flow(localKey(e.template, slot), value, template));
          if (e.kind === "run" && e.target) this.#add(variableKey(e.target, template), "any");
        }
      }
    });
  }

  #add(target: string, channels: ChannelSet): void {
    const known = this.#held.get(target) ?? new Set<number>();
    if (known === "any") return;
    if (channels === "any") {
      this.#held.set(target, "any");
      this.#hasChanged = true;
      return;
    }
    const before = known.size;
    for (const c of channels) known.add(c);
    this.#held.set(target, known);
    if (known.size !== before) this.#hasChanged = true;
  }
}

export const mayMeet = (a: ChannelSet, b: ChannelSet): boolean => {
  if (a === "any" || b === "any") return true;
  for (const c of a) if (b.has(c)) return true;
  return false;
};

const nothing: ReadonlySet<number> = new Set();

const union = (a: ChannelSet, b: ChannelSet): ChannelSet =>
  a === "any" || b === "any" ? "any" : new Set([...a, ...b]);

const localKey = (template: number, slot: number): string => `l${template}.${slot}`;

const variableKey = (place: Place, template: number): string =>
  place.scope === "global" ? `g${place.variable}` : localKey(template, place.variable);
