/**
 * The processes of a program once none can create another, found by running it until then.
 *
 * From then on the processes stay the same unless one is removed.
 */
import { Successors, type Program, type Words } from "../../model/index.js";
import { creatorsOf } from "../../model/program-walk.js";
import { fieldKey, placeKey, type SettledProcesses } from "../../model/symmetry.js";
import { analyse } from "../analyse.js";
import { interpret } from "../interpreter/index.js";
import { readScalar } from "../interpreter/bits.js";
import { messages } from "../interpreter/buffer.js";
import { State } from "../interpreter/state.js";
import { bitInSeries, layOut, type Layout, type Slot } from "../layout.js";

/** Reason why the processes do not settle. */
export type Unsettled = string;

export function settle(program: Program): SettledProcesses | Unsettled {
  const analysis = analyse(program);
  const layout = layOut(program, analysis);
  const steps = interpret(program, layout, analysis);
  const creators = program.templates.map(creatorsOf);
  const first = new Successors(steps.width);
  steps.initial(first);
  const seen = new Map<string, Words>();
  const queue: State[] = [];
  const add = (words: Words): void => {
    const key = words.join();
    if (seen.has(key)) return;
    seen.set(key, words);
    queue.push(State.read(layout, words, 0, words.length));
  };
  if ((first.flags[0]! & 1) !== 0) return "the first state has an error";
  add(first.words.slice(0, first.stride));
  const found: SettledProcesses[] = [];
  for (const state of queue) {
    if (state.processes.every(({ template }, p) => !creators[template]![state.location(p)])) {
      found.push(processesOf(program, state));
      continue;
    }
    if (seen.size > MOST_STATES) return "processes are created while others run: use an atomic sequence";
    for (const { state: next } of steps.takenAt(state.words)) {
      if (!next) continue;
      // sound: test/compile/symmetry/settled.test.ts
      if (countOf(layout, next) < state.processes.length)
        return "a process may end before all are created: use an atomic sequence";
      add(next);
    }
  }
  return common(found);
}

const MOST_STATES = 10_000;

const countOf = (layout: Layout, words: Words): number =>
  State.read(layout, words, 0, words.length).processes.length;

const processesOf = (program: Program, state: State): SettledProcesses => ({
  channels: channelsIn(state),
  templates: state.processes.map(({ template }) => template),
  values: state.processes.map(({ template, word, layout }) =>
    program.templates[template]!.locals.map((_, k) => {
      const slot = layout.locals[k]!;
      return slot.kind === "scalar" ? readScalar(state.words, word, slot) : undefined;
    }),
  ),
});

/** For every scalar that may be a channel number, the types of that channel. */
function channelsIn(state: State): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  const note = (key: string, value: number): void => {
    const channel = state.channels[value - 1];
    if (channel) found.set(key, (found.get(key) ?? new Set()).add(channel.type));
  };
  const walk = (slot: Slot, word: number, bit: number, key: string): void => {
    if (slot.kind === "scalar") note(key, readScalar(state.words, word, slot, bit));
    if (slot.kind === "array")
      for (let i = 0; i < slot.length; i++)
        walk(slot.element, word, bit + bitInSeries(slot, i) + slot.element.bit, `${key}[]`);
    if (slot.kind === "record")
      slot.fields.forEach((field, i) => {
        walk(field, word, bit + field.bit, `${key}.${i}`);
      });
  };
  state.layout.globals.forEach((slot, g) => {
    walk(slot, 0, slot.bit, placeKey(-1, g, ""));
  });
  for (const { template, word, layout } of state.processes)
    layout.locals.forEach((slot, k) => {
      walk(slot, word, slot.bit, placeKey(template, k, ""));
    });
  for (const channel of state.channels)
    for (const message of messages(state, channel))
      message.forEach((value, i) => {
        note(fieldKey(channel.type, i), value);
      });
  return found;
}

const joined = (all: readonly SettledProcesses[]): Map<string, Set<number>> => {
  const channels = new Map<string, Set<number>>();
  for (const one of all)
    for (const [key, types] of one.channels)
      channels.set(key, new Set([...(channels.get(key) ?? []), ...types]));
  return channels;
};

function common(found: readonly SettledProcesses[]): SettledProcesses | Unsettled {
  const [first, ...others] = found;
  if (!first) return "not all processes are ever created";
  // sound: test/compile/symmetry/settled.test.ts
  if (others.some(({ templates }) => templates.join() !== first.templates.join()))
    return "processes are created in different orders";
  return {
    templates: first.templates,
    channels: joined(found),
    values: first.values.map((locals, p) =>
      locals.map((value, k) => (others.every((o) => o.values[p]![k] === value) ? value : undefined)),
    ),
  };
}
