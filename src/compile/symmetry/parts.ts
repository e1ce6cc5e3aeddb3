/**
 * The parts of a settled state that renamings change: position, elements, and named object. A settled state always has
 * the same processes, so that positions are fixed.
 */
import type { Initialiser, Program } from "../../model/index.js";
import { PROCESS_NUMBERS, type Named, type Naming, type ProcessSymmetry } from "../../model/symmetry.js";
import { bitInSeries, type ChannelPlace, type Layout, type ScalarSlot, type Slot } from "../layout.js";
import { Families, offsetsOf } from "./families.js";

/** A scalar of the state. */
export interface Part {
  /** Lowest bit, counted from the start of the state. */
  readonly bit: number;
  readonly bits: number;
  /** Index into `Parts.names`; -1: names nothing. */
  readonly names: number;
  /** Of a message field: the channel's length, and the message's index. Beyond the length it names nothing. */
  readonly message: { readonly bit: number; readonly bits: number; readonly place: number } | undefined;
}

/** Maps values to slots in `families`, and back. */
export interface NameTable {
  readonly slots: ReadonlyMap<number, number>;
  readonly values: ReadonlyMap<number, number>;
}

/** A family's description, and elements. */
interface Belonging {
  readonly family: string;
  readonly elements: readonly number[];
}

interface OwnedChannel {
  readonly owner: Belonging;
  readonly place: ChannelPlace;
  /** Origin of `place`. */
  readonly word: number;
}

export class Parts {
  /** By slot of `families`. */
  readonly parts: Part[] = [];
  readonly families: Families;
  readonly names: readonly NameTable[];
  readonly nameFamilies: Families;
  /** The first word of each process, and the end of the last. */
  readonly blocks: readonly number[];
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #symmetry: ProcessSymmetry;
  readonly #offsets: readonly number[];

  constructor(program: Program, layout: Layout, symmetry: ProcessSymmetry) {
    this.#program = program;
    this.#layout = layout;
    this.#symmetry = symmetry;
    this.#offsets = offsetsOf(symmetry.sets);
    this.families = new Families(symmetry.sets);
    this.nameFamilies = new Families(symmetry.sets);
    this.blocks = this.#placeBlocks();
    const channels = this.#channels();
    this.names = this.#nameTables(channels.map(({ owner }) => owner));
    this.nameFamilies.check();
    this.#addGlobals();
    symmetry.processes.forEach((_, p) => this.#addProcess(p));
    for (const channel of channels) this.#addChannel(channel);
    this.families.check();
  }

  #placeBlocks(): number[] {
    const { processes, fixedWords } = this.#layout;
    if (processes.kind !== "blocks") throw new Error("representatives need processes in blocks");
    const blocks = [fixedWords];
    for (const t of this.#symmetry.processes) blocks.push(blocks.at(-1)! + processes.records[t]!.words);
    return blocks;
  }

  #recordOf(process: number) {
    const { processes } = this.#layout;
    return processes.records[this.#symmetry.processes[process]!]!;
  }

  // ---- values that name elements ----

  /** By kind, then channels, then process numbers plus one. */
  #nameTables(channels: readonly Belonging[]): NameTable[] {
    const { kinds } = this.#symmetry;
    const numbers = kinds[PROCESS_NUMBERS]!;
    return [
      ...kinds.map((names, kind) => this.#kindTable(names, `kind ${kind}`, 0)),
      this.#table(channels.flatMap((c, i) => (c.elements.length > 0 ? [{ ...c, value: i + 1 }] : []))),
      this.#kindTable(numbers, "number plus one", 1),
    ];
  }

  #kindTable(names: ProcessSymmetry["kinds"][number], what: string, plus: number): NameTable {
    return this.#table(
      names.map(({ value, set, element, family }) => ({
        value: value + plus,
        family: `${what} ${family}`,
        elements: [this.#offsets[set]! + element],
      })),
    );
  }

  #table(all: readonly (Belonging & { readonly value: number })[]): NameTable {
    const slots = new Map<number, number>();
    const values = new Map<number, number>();
    for (const { value, family, elements } of all) {
      const slot = this.nameFamilies.add(family, elements);
      slots.set(value, slot);
      values.set(slot, value);
    }
    return { slots, values };
  }

  #tableOf(named: Named): number {
    if (named === "data") return -1;
    return named === "channel" ? this.#symmetry.kinds.length : named;
  }

  get #plusOne(): number {
    return this.#symmetry.kinds.length + 1;
  }

  // ---- parts ----

  #addGlobals(): void {
    const { exclusive, globals } = this.#layout;
    const whole: Belonging = { family: "", elements: [] };
    if (exclusive) this.#add({ ...whole, family: "exclusive" }, exclusive, exclusive.bit, this.#plusOne);
    globals.forEach((slot, g) => {
      this.#addSlot({ ...whole, family: `global ${g}` }, slot, this.#symmetry.globals[g]!, slot.bit);
    });
  }

  #addProcess(process: number): void {
    const owner = this.#belongingOf(process);
    const base = this.blocks[process]! * 32;
    const { location, locals, template } = this.#recordOf(process);
    this.#add({ ...owner, family: `${owner.family} location` }, location, base + location.bit, -1);
    locals.forEach((slot, k) => {
      const naming = this.#symmetry.locals[template]![k]!;
      this.#addSlot({ ...owner, family: `${owner.family} local ${k}` }, slot, naming, base + slot.bit);
    });
  }

  #belongingOf(process: number): Belonging {
    const name = this.#symmetry.kinds[PROCESS_NUMBERS]!.find(({ value }) => value === process);
    return name
      ? { family: `process of ${name.family}`, elements: [this.#offsets[name.set]! + name.element] }
      : { family: `process ${process}`, elements: [] };
  }

  /** A variable or a part of one, with first bit `bit`. */
  #addSlot(owner: Belonging, slot: Slot, naming: Naming, bit: number): void {
    if (slot.kind === "scalar" && naming.kind === "scalar")
      this.#add(owner, slot, bit, this.#tableOf(naming.named));
    if (slot.kind === "array" && naming.kind === "array")
      for (let i = 0; i < slot.length; i++) {
        const part = bit + bitInSeries(slot, i) + slot.element.bit;
        this.#addSlot(this.#indexed(owner, naming.index, i), slot.element, naming.element, part);
      }
    if (slot.kind === "record" && naming.kind === "record")
      slot.fields.forEach((field, i) => {
        const owned = { ...owner, family: `${owner.family}.${i}` };
        this.#addSlot(owned, field, naming.fields[i]!, bit + field.bit);
      });
  }

  #indexed({ family, elements }: Belonging, named: Named, index: number): Belonging {
    const name =
      typeof named === "number" ? this.#symmetry.kinds[named]!.find((n) => n.value === index) : undefined;
    return name
      ? {
          family: `${family}[${name.family}]`,
          elements: [...elements, this.#offsets[name.set]! + name.element],
        }
      : { family: `${family}[#${index}]`, elements };
  }

  #add(owner: Belonging, { bits }: ScalarSlot, bit: number, names: number, message?: Part["message"]): void {
    if (bits === 0 || (owner.elements.length === 0 && names < 0)) return;
    this.parts[this.families.add(owner.family, owner.elements)] = { bit, bits, names, message };
  }

  // ---- channels ----

  /** By number. */
  #channels(): OwnedChannel[] {
    const { globalChannels } = this.#layout;
    const globals = globalChannels.map((place, i) => {
      const { family, elements } = this.#symmetry.channels[i]!;
      const numbers = elements.map(({ set, element }) => this.#offsets[set]! + element);
      return { owner: { family: `channel ${family}`, elements: numbers }, place, word: 0 };
    });
    const own = this.#symmetry.processes.flatMap((t, p) => {
      const made = this.#program.templates[t]!.initialisers.filter((i) => i.kind === "channel");
      return this.#recordOf(p).channels.map((place, i) => ({
        owner: this.#ownChannel(p, t, made[i]!),
        place,
        word: this.blocks[p]!,
      }));
    });
    return [...globals, ...own];
  }

  #ownChannel(process: number, template: number, { target }: Initialiser): Belonging {
    let owner = this.#belongingOf(process);
    owner = { ...owner, family: `${owner.family} channel ${target.variable}` };
    let naming = this.#symmetry.locals[template]![target.variable]!;
    for (const step of target.path)
      if (step.kind === "index" && step.index.kind === "constant" && naming.kind === "array") {
        owner = this.#indexed(owner, naming.index, step.index.value);
        naming = naming.element;
      } else if (step.kind === "field" && naming.kind === "record") {
        owner = { ...owner, family: `${owner.family}.${step.field}` };
        naming = naming.fields[step.field]!;
      } else throw new Error("a channel is created at a place that is not constant");
    return owner;
  }

  #addChannel({ owner, place, word }: OwnedChannel): void {
    const { channelType } = place;
    const layout = this.#layout.channelTypes[channelType]!;
    const [header, area] = [word * 32 + place.header, word * 32 + place.area];
    const of = (what: string): Belonging => ({ ...owner, family: `${owner.family} ${what}` });
    const { length, receiver, sender, fields, slots, series } = layout;
    this.#add(of("length"), length, header + length.bit, -1);
    if (receiver) this.#add(of("receiver"), receiver, header + receiver.bit, this.#plusOne);
    if (sender) this.#add(of("sender"), sender, header + sender.bit, this.#plusOne);
    for (let i = 0; i < slots; i++)
      fields.forEach((field, f) => {
        const message = { bit: header + length.bit, bits: length.bits, place: i };
        const names = this.#tableOf(this.#symmetry.fields[channelType]![f]!);
        this.#add(of(`message ${i}.${f}`), field, area + bitInSeries(series, i) + field.bit, names, message);
      });
  }
}
