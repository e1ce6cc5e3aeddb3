/** Renames the elements of settled states directly: value by value on decoded states. */
import type { Program, Words } from "../../model/index.js";
import {
  PROCESS_NUMBERS,
  type ChannelName,
  type ElementName,
  type Named,
  type Naming,
  type ProcessSymmetry,
} from "../../model/symmetry.js";
import { append, messages } from "../interpreter/buffer.js";
import { readScalar, writeScalar } from "../interpreter/bits.js";
import { State, type ChannelRecord } from "../interpreter/state.js";
import { bitInSeries, type Layout, type ScalarSlot, type Slot } from "../layout.js";

/** By set, the image of each element. */
export type ElementRenaming = readonly (readonly number[])[];

export class ProcessRenamer {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #symmetry: ProcessSymmetry;

  constructor(program: Program, layout: Layout, symmetry: ProcessSymmetry) {
    this.#program = program;
    this.#layout = layout;
    this.#symmetry = symmetry;
  }

  renamed(words: Words, to: ElementRenaming): Words {
    const from = State.read(this.#layout, words, 0, words.length);
    return new Renaming(this.#program, this.#symmetry, from, to).state().words;
  }
}

/** One state and one renaming. */
class Renaming {
  readonly #program: Program;
  readonly #symmetry: ProcessSymmetry;
  readonly #from: State;
  readonly #to: ElementRenaming;
  readonly #new: State;

  constructor(program: Program, symmetry: ProcessSymmetry, from: State, to: ElementRenaming) {
    this.#program = program;
    this.#symmetry = symmetry;
    this.#from = from;
    this.#to = to;
    this.#new = State.blank(from.layout);
    for (const { template } of from.processes) this.#new.addProcess(template);
  }

  state(): State {
    const { globals } = this.#symmetry;
    const [from, to] = [this.#from, this.#new];
    to.exclusive = from.exclusive < 0 ? -1 : this.#process(from.exclusive);
    to.last = from.last;
    from.layout.globals.forEach((slot, g) => {
      this.#copy(slot, globals[g]!, [0, slot.bit], [0, slot.bit]);
    });
    from.processes.forEach(({ template, word, layout }, p) => {
      const q = this.#process(p);
      const target = to.processes[q]!;
      to.setLocation(q, from.location(p));
      to.setPriority(q, from.priority(p));
      layout.locals.forEach((slot, k) => {
        this.#copy(slot, this.#symmetry.locals[template]![k]!, [word, slot.bit], [target.word, slot.bit]);
      });
    });
    from.channels.forEach((channel, i) => {
      this.#copyChannel(channel, to.channels[this.#channel(i + 1) - 1]!);
    });
    return to;
  }

  #copy(slot: Slot, naming: Naming, from: [number, number], to: [number, number]): void {
    if (slot.kind === "scalar" && naming.kind === "scalar")
      return writeScalar(
        this.#new.words,
        to[0],
        slot,
        this.#value(readScalar(this.#from.words, from[0], slot, from[1]), naming.named),
        to[1],
      );
    if (slot.kind === "array" && naming.kind === "array")
      for (let i = 0; i < slot.length; i++) {
        const j = this.#value(i, naming.index);
        const [a, b] = [i, j].map((k) => bitInSeries(slot, k) + slot.element.bit);
        this.#copy(slot.element, naming.element, [from[0], from[1] + a!], [to[0], to[1] + b!]);
      }
    if (slot.kind === "record" && naming.kind === "record")
      slot.fields.forEach((field, i) => {
        const part = naming.fields[i]!;
        this.#copy(field, part, [from[0], from[1] + field.bit], [to[0], to[1] + field.bit]);
      });
  }

  #copyChannel(from: ChannelRecord, to: ChannelRecord): void {
    const named = this.#symmetry.fields[from.type]!;
    for (const message of messages(this.#from, from))
      append(
        this.#new,
        to,
        message.map((value, i) => this.#value(value, named[i]!)),
      );
    const { receiver, sender } = this.#from.layout.channelTypes[from.type]!;
    for (const slot of [receiver, sender]) if (slot) this.#copyClaim(slot, from, to);
  }

  #copyClaim(slot: ScalarSlot, from: ChannelRecord, to: ChannelRecord): void {
    const holder = readScalar(this.#from.words, 0, slot, from.header + slot.bit) - 1;
    const moved = holder < 0 ? 0 : this.#process(holder) + 1;
    writeScalar(this.#new.words, 0, slot, moved, to.header + slot.bit);
  }

  #process(process: number): number {
    return this.#element(process, this.#symmetry.kinds[PROCESS_NUMBERS]!);
  }

  #value(value: number, named: Named): number {
    if (named === "data") return value;
    if (named === "channel") return this.#channel(value);
    return this.#element(value, this.#symmetry.kinds[named]!);
  }

  #element(value: number, names: readonly ElementName[]): number {
    const name = names.find((n) => n.value === value);
    if (!name) return value;
    const element = this.#to[name.set]![name.element]!;
    return names.find((n) => n.set === name.set && n.family === name.family && n.element === element)!.value;
  }

  #channel(number: number): number {
    const record = this.#from.channels[number - 1];
    if (!record) return number;
    return record.owner < 0 ? this.#globalChannel(number) : this.#ownChannel(record);
  }

  #globalChannel(number: number): number {
    const { channels } = this.#symmetry;
    const { family, elements } = channels[number - 1]!;
    const isTarget = (other: ChannelName): boolean =>
      other.family === family &&
      other.elements.every(({ set, element }, i) => {
        const own = elements[i]!;
        return set === own.set && element === this.#to[set]![own.element];
      });
    return channels.findIndex(isTarget) + 1;
  }

  /** A process's channels keep their order, except in arrays indexed by elements. */
  #ownChannel({ owner, position }: ChannelRecord): number {
    const process = this.#process(owner);
    const { template } = this.#from.processes[owner]!;
    const made = this.#program.templates[template]!.initialisers.filter((i) => i.kind === "channel");
    const wanted = this.#pathOf(made[position]!.target, template, true);
    const at = made.findIndex((i) => this.#pathOf(i.target, template, false) === wanted);
    return this.#from.channels.findIndex((c) => c.owner === process && c.position === at) + 1;
  }

  /** The place of a local channel; `isRenamed`: with renamed indices. */
  #pathOf(target: Program["initialisers"][number]["target"], template: number, isRenamed: boolean): string {
    let naming: Naming = this.#symmetry.locals[template]![target.variable]!;
    let text = `${target.variable}`;
    for (const step of target.path) {
      if (step.kind === "index" && step.index.kind === "constant" && naming.kind === "array") {
        text += `[${isRenamed ? this.#value(step.index.value, naming.index) : step.index.value}]`;
        naming = naming.element;
      } else if (step.kind === "field" && naming.kind === "record") {
        text += `.${step.field}`;
        naming = naming.fields[step.field]!;
      } else throw new Error("a channel is created at a place that is not constant");
    }
    return text;
  }
}
