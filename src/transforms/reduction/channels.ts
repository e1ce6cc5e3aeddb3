/**
 * Channels that an expression can name: a flow-insensitive points-to analysis.
 *
 * An abstract channel is one declaration: a global one (all elements of an array together), or the channel that each process
 * of a template creates. Computed channel numbers, including received ones, can name any channel.
 *
 * A channel dies with the process that created it, and a later one may get its number: a variable that names a channel of
 * another process may name any channel of a process, or none.
 */
import type { Expr, Initialiser, Place, Program } from "../../model/index.js";
import { edgesOf } from "../../model/program-walk.js";
import { nth } from "../../model/known.js";

/** The abstract channels, or `any`. */
export type ChannelSet = ReadonlySet<number> | "any";

export class ChannelFlow {
  readonly #program: Program;
  readonly #isSingle: readonly boolean[];
  /** By abstract channel: the template whose processes create it, -1 for a global one. */
  readonly #creators: number[] = [];
  readonly #areRendezvous: boolean[] = [];
  /** By variable: `g3`, `l2.5`; and `messages` for all values ever sent. */
  readonly #held = new Map<string, Set<number> | "any">();
  #hasChanged = false;

  /** `isSingle`: by template, whether it stands for at most one process, ever. */
  constructor(program: Program, isSingle: readonly boolean[]) {
    this.#program = program;
    this.#isSingle = isSingle;
    const create = (initialisers: readonly Initialiser[], template: number): void => {
      for (const i of initialisers)
        if (i.kind === "channel") {
          const channel = this.#creators.push(template) - 1;
          this.#areRendezvous[channel] = nth(program.channelTypes, i.channelType).capacity === 0;
          this.#add(variableKey(i.target, template), new Set([channel]));
        }
    };
    create(program.initialisers, -1);
    program.templates.forEach((t, i) => create(t.initialisers, i));
    do {
      this.#hasChanged = false;
      this.#propagate();
    } while (this.#hasChanged);
  }

  /** Channels that an expression in that template's code can name (-1: outside of any). */
  of(e: Expr, template: number): ChannelSet {
    const assigned = this.#assigned(e, template);
    if (assigned === "any" || this.#areAlive(assigned, template)) return assigned; // sound: test/transforms/reduction/channels.test.ts
    return new Set([...assigned, ...this.#creators.flatMap((creator, c) => (creator < 0 ? [] : [c]))]);
  }

  /** Those among them that hold no message. */
  rendezvous(e: Expr, template: number): ChannelSet {
    const all = this.of(e, template);
    const channels = all === "any" ? this.#areRendezvous.keys() : all;
    return new Set([...channels].filter((c) => this.#areRendezvous[c]));
  }

  /** Is the channel that the expression names there as long as a process of that template is? */
  isAlive(e: Expr, template: number): boolean {
    const assigned = this.#assigned(e, template);
    return assigned !== "any" && this.#areAlive(assigned, template);
  }

  #areAlive(channels: ReadonlySet<number>, template: number): boolean {
    return [...channels].every((c) => {
      const creator = nth(this.#creators, c);
      return creator < 0 || (creator === template && nth(this.#isSingle, template)); // sound: test/transforms/reduction/channels.test.ts
    });
  }

  /** Values that may have been assigned to the variables the expression reads. */
  #assigned(e: Expr, template: number): ChannelSet {
    switch (e.kind) {
      case "load":
        return this.#held.get(variableKey(e.place, template)) ?? nothing;
      case "constant":
        return e.value === 0 ? nothing : "any";
      case "conditional":
        return union(this.#assigned(e.then, template), this.#assigned(e.otherwise, template));
      default:
        return "any";
    }
  }

  #propagate(): void {
    const { initialisers, instances, templates } = this.#program;
    const flow = (target: string, e: Expr, template: number): void =>
      this.#add(target, this.#assigned(e, template));
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
