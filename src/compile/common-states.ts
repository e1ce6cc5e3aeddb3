/**
 * States shared by several programs: programs obtained from one by rewriting its statements have its variables, locations
 * and channels, hence the same states.
 *
 * Invariant: every scalar has its declared width, regardless of a search's guess, so that all programs can write any
 * value.
 */
import type { Program, Stepping, Type, Variable, Words } from "../model/index.js";
import { analyse } from "./analyse.js";
import { append, messages } from "./interpreter/buffer.js";
import { readScalar, writeScalar } from "./interpreter/bits.js";
import { interpret } from "./interpreter/index.js";
import { State, type ChannelRecord } from "./interpreter/state.js";
import { bitInSeries, layOut, type Layout, type Slot } from "./layout.js";

export class CommonStates {
  readonly #program: Program;
  readonly #layout: Layout;

  /** `program`: the original program. */
  constructor(program: Program) {
    this.#program = program;
    this.#layout = layOut(program, analyse(program));
  }

  stepsOf(program: Program): Stepping {
    return interpret(program, this.#layout, analyse(program));
  }

  /** Converts a search's state from another layout. */
  from(words: Words, layout: Layout): Words {
    const source = State.read(layout, words, 0, words.length);
    const state = State.blank(this.#layout);
    for (const { template } of source.processes) state.addProcess(template);
    state.exclusive = source.exclusive;
    state.last = source.last;
    source.layout.globals.forEach((slot, g) => {
      copy(source.words, 0, slot, state.words, 0, this.#layout.globals[g]!);
    });
    source.processes.forEach(({ word, layout: record }, p) => {
      const to = state.processes[p]!;
      state.setLocation(p, source.location(p));
      state.setPriority(p, source.priority(p));
      record.locals.forEach((slot, k) => {
        copy(source.words, word, slot, state.words, to.word, to.layout.locals[k]!);
      });
    });
    source.channels.forEach((channel, c) => {
      copyChannel(source, channel, state, state.channels[c]!);
    });
    return state.words;
  }

  /**
   * The state with other values for the variables that `isMeant` selects by process (-1: global), template and number.
   * The values depend on `seed` alone. Channel variables stay unchanged.
   */
  altered(
    words: Words,
    isMeant: (process: number, template: number, variable: number) => boolean,
    seed: number,
  ): Words {
    const state = State.read(this.#layout, words, 0, words.length);
    let random = seed;
    const alter = (word: number, slot: Slot, { type }: Variable): void => {
      if (holdsChannel(type)) return;
      for (const { scalar, bit } of scalarsOf(slot, 0)) {
        random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
        // Programs mostly compare with small numbers.
        const value = (random & 16) === 0 ? random >>> 8 : (random >>> 8) % 8;
        writeScalar(state.words, word, scalar, value, bit);
      }
    };
    this.#program.globals.forEach((variable, g) => {
      if (isMeant(-1, -1, g)) alter(0, this.#layout.globals[g]!, variable);
    });
    state.processes.forEach(({ template, word, layout }, p) => {
      this.#program.templates[template]!.locals.forEach((variable, k) => {
        if (isMeant(p, template, k)) alter(word, layout.locals[k]!, variable);
      });
    });
    return state.words;
  }

  /** Names the differences between two states: `control`, `channels`, `g3` (a global), `l1.4` (slot 4 of process 1). */
  differences(a: Words, b: Words): string[] {
    if (a.length === b.length && a.every((word, i) => word === b[i])) return [];
    const [one, other] = [a, b].map((words) => State.read(this.#layout, words, 0, words.length)) as [
      State,
      State,
    ];
    if (controlOf(one) !== controlOf(other)) return ["control"];
    const globals = this.#layout.globals.flatMap((slot, g) =>
      valuesIn(a, 0, slot).join() === valuesIn(b, 0, slot).join() ? [] : [`g${g}`],
    );
    const locals = one.processes.flatMap(({ word, layout }, p) =>
      layout.locals.flatMap((slot, k) =>
        valuesIn(a, word, slot).join() === valuesIn(b, word, slot).join() ? [] : [`l${p}.${k}`],
      ),
    );
    return [...globals, ...locals, ...(contents(one) === contents(other) ? [] : ["channels"])];
  }
}

/** Processes and their locations. */
const controlOf = (state: State): string =>
  [
    state.exclusive,
    state.last,
    ...state.processes.flatMap(({ template }, p) => [template, state.location(p), state.priority(p)]),
  ].join();

const contents = (state: State): string =>
  state.channels
    .map((channel) => [...messages(state, channel), ...claimsOf(state, channel)].join(";"))
    .join("|");

function claimsOf(state: State, { type, header }: ChannelRecord): number[] {
  const { receiver, sender } = state.layout.channelTypes[type]!;
  return [receiver, sender].flatMap((slot) =>
    slot ? [readScalar(state.words, 0, slot, header + slot.bit)] : [],
  );
}

function copyChannel(from: State, channel: ChannelRecord, to: State, target: ChannelRecord): void {
  for (const message of messages(from, channel)) append(to, target, message);
  const { receiver, sender } = to.layout.channelTypes[target.type]!;
  const claims = claimsOf(from, channel);
  if (receiver) writeScalar(to.words, 0, receiver, claims[0]!, target.header + receiver.bit);
  if (sender) writeScalar(to.words, 0, sender, claims[1]!, target.header + sender.bit);
}

function holdsChannel(type: Type): boolean {
  switch (type.kind) {
    case "scalar":
      return type.display.kind === "channel";
    case "array":
      return holdsChannel(type.element);
    case "record":
      return type.fields.some((field) => holdsChannel(field.type));
  }
}

/** The scalars of a variable in order; `word`: the start of its record. */
function valuesIn(words: Words, word: number, slot: Slot): number[] {
  return scalarsOf(slot, 0).map(({ scalar, bit }) => readScalar(words, word, scalar, bit));
}

function copy(from: Words, word: number, slot: Slot, to: Words, toWord: number, target: Slot): void {
  const values = valuesIn(from, word, slot);
  scalarsOf(target, 0).forEach(({ scalar, bit }, i) => {
    writeScalar(to, toWord, scalar, values[i]!, bit);
  });
}

interface PlacedScalar {
  readonly scalar: Slot & { readonly kind: "scalar" };
  /** Relative to the record. */
  readonly bit: number;
}

function scalarsOf(slot: Slot, from: number): PlacedScalar[] {
  const bit = from + slot.bit;
  switch (slot.kind) {
    case "scalar":
      return [{ scalar: slot, bit }];
    case "array":
      return Array.from({ length: slot.length }, (_, i) =>
        scalarsOf(slot.element, bit + bitInSeries(slot, i)),
      ).flat();
    case "record":
      return slot.fields.flatMap((field) => scalarsOf(field, bit));
  }
}
