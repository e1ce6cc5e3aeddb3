import { bitInSeries, type ChannelLayout } from "../layout.js";
import { clearScalar, readScalar, writeScalar } from "./bits.js";
import type { ChannelRecord, State } from "./state.js";

export type Message = readonly number[];

export function lengthOf(state: State, channel: ChannelRecord): number {
  const { length } = layoutOf(state, channel);
  return readScalar(state.words, 0, length, channel.header + length.bit);
}

/** As in Spin, a rendezvous channel is empty and not full: it counts as having one slot. */
export function isFull(state: State, channel: ChannelRecord): boolean {
  // sound: test/compile/cases/channels.test.ts
  return lengthOf(state, channel) === Math.max(1, layoutOf(state, channel).capacity);
}

export function messages(state: State, channel: ChannelRecord): Message[] {
  return Array.from({ length: lengthOf(state, channel) }, (_, slot) => messageAt(state, channel, slot));
}

export function messageAt(state: State, channel: ChannelRecord, slot: number): Message {
  const { fields } = layoutOf(state, channel);
  return fields.map((f, i) => readScalar(state.words, 0, f, fieldBit(state, channel, slot, i)));
}

export function append(state: State, channel: ChannelRecord, message: Message): void {
  rewrite(state, channel, [...messages(state, channel), message]);
}

/** Inserts the message before the first larger one in lexicographic order. */
export function insertSorted(state: State, channel: ChannelRecord, message: Message): void {
  const all = messages(state, channel);
  const larger = all.findIndex((m) => isLarger(m, message));
  // sound: test/compile/cases/channels.test.ts
  all.splice(larger < 0 ? all.length : larger, 0, message);
  rewrite(state, channel, all);
}

export function remove(state: State, channel: ChannelRecord, slot: number): void {
  rewrite(state, channel, messages(state, channel).toSpliced(slot, 1));
}

/** Zeroes unused slots, so that equal contents are equal words. */
function rewrite(state: State, channel: ChannelRecord, all: readonly Message[]): void {
  const { slots, fields, length } = layoutOf(state, channel);
  if (all.length > slots) throw new Error(`${all.length} messages do not fit the narrowed channel`);
  writeScalar(state.words, 0, length, all.length, channel.header + length.bit);
  for (let slot = 0; slot < slots; slot++)
    for (const [i, field] of fields.entries()) {
      const bit = fieldBit(state, channel, slot, i);
      const message = all[slot];
      if (message) writeScalar(state.words, 0, field, message[i]!, bit);
      else clearScalar(state.words, field, bit);
    }
}

function fieldBit(state: State, channel: ChannelRecord, slot: number, field: number): number {
  const { series, fields } = layoutOf(state, channel);
  return channel.area + bitInSeries(series, slot) + fields[field]!.bit;
}

function isLarger(a: Message, b: Message): boolean {
  const differs = a.findIndex((value, i) => value !== b[i]);
  // sound: test/compile/cases/channels.test.ts
  return differs >= 0 && a[differs]! > b[differs]!;
}

const layoutOf = (state: State, channel: ChannelRecord): ChannelLayout =>
  state.layout.channelTypes[channel.type]!;
