/**
 * A decoded state: its packed words, with the positions of processes and channels.
 *
 * Invariant: `words` ends with the youngest process's block (constant length if processes are planned), and channel
 * number `n` is `channels[n - 1]`.
 */
import type { Words } from "../../model/index.js";
import { masksOf, type ChannelPlace, type Layout, type RecordLayout, type ScalarSlot } from "../layout.js";
import { readScalar, writeScalar } from "./bits.js";

export interface ProcessRecord {
  readonly template: number;
  /** Index of the word at which `layout` begins. */
  readonly word: number;
  readonly layout: RecordLayout;
}

export interface ChannelRecord {
  readonly type: number;
  /** First bit of its header and of its area in the state. */
  readonly header: number;
  readonly area: number;
  /** The creating process, -1 for global channels. */
  readonly owner: number;
  /** Index among the owner's channels. */
  readonly position: number;
}

export class State {
  readonly layout: Layout;
  words: Words;
  readonly processes: ProcessRecord[];
  readonly channels: ChannelRecord[];

  private constructor(layout: Layout, words: Words, processes: ProcessRecord[], channels: ChannelRecord[]) {
    this.layout = layout;
    this.words = words;
    this.processes = processes;
    this.channels = channels;
  }

  /** No process; every variable and channel zero. */
  static blank(layout: Layout): State {
    const state = new State(layout, new Int32Array(layout.fixedWords), [], []);
    state.#addChannels(layout.globalChannels, 0, -1);
    return state;
  }

  /** Decodes the state of at most `width` words at `from[at]`. */
  static read(layout: Layout, from: Words, at: number, width: number): State {
    const state = State.blank(layout);
    const words = from.subarray(at, at + width);
    const end = layout.processes.kind === "blocks" ? state.#findBlocks(words) : state.#findPlanned(words);
    state.words = new Int32Array(end);
    state.words.set(words.subarray(0, end));
    return state;
  }

  #findBlocks(words: Words): number {
    const { fixedWords, processes } = this.layout;
    if (processes.kind !== "blocks") return fixedWords;
    let end = fixedWords;
    while (end < words.length) {
      const template = readScalar(words, end, processes.tag) - 1;
      if (template < 0) break;
      const record = processes.records[template]!;
      this.#addRecord(record, end);
      end += record.words;
    }
    return end;
  }

  #findPlanned(words: Words): number {
    for (const record of this.layout.processes.records) {
      if (readScalar(words, 0, record.location) < 0) break;
      this.#addRecord(record, 0);
    }
    return this.layout.fixedWords;
  }

  clone(): State {
    return new State(this.layout, this.words.slice(), this.processes.slice(), this.channels.slice());
  }

  /** Appends a process with its channels, zero except for its template; returns its number. */
  addProcess(template: number): number {
    const { processes } = this.layout;
    const number = this.processes.length;
    if (processes.kind === "planned") {
      const record = processes.records[number];
      if (record?.template !== template) throw new Error(`process ${number} is not as planned`);
      this.#addRecord(record, 0);
      return number;
    }
    const word = this.words.length;
    const record = processes.records[template]!;
    const words = new Int32Array(word + record.words);
    words.set(this.words);
    this.words = words;
    this.#addRecord(record, word);
    writeScalar(words, word, processes.tag, template + 1);
    return number;
  }

  /** Removes the youngest process with its channels and its claims on other channels. */
  removeYoungest(): void {
    const process = this.processes.length - 1;
    const { word, layout } = this.processes.pop()!;
    // sound: test/compile/cases/channels.test.ts test/compile/cases/processes.test.ts
    while (this.channels.at(-1)?.owner === process) this.channels.pop();
    if (this.layout.processes.kind === "blocks") this.words = this.words.slice(0, word);
    else for (const [k, mask] of masksOf(layout.extents)) this.words[k]! &= ~mask;
    for (const channel of this.channels) {
      const { receiver, sender } = this.layout.channelTypes[channel.type]!;
      for (const slot of [receiver, sender]) {
        if (!slot) continue;
        const bit = channel.header + slot.bit;
        // sound: test/compile/cases/channels.test.ts
        if (readScalar(this.words, 0, slot, bit) === process + 1) writeScalar(this.words, 0, slot, 0, bit);
      }
    }
  }

  location(process: number): number {
    const { word, layout } = this.processes[process]!;
    return readScalar(this.words, word, layout.location);
  }

  setLocation(process: number, location: number): void {
    const { word, layout } = this.processes[process]!;
    writeScalar(this.words, word, layout.location, location);
  }

  /** 1 in programs without priorities. */
  priority(process: number): number {
    const slot = this.#prioritySlot(process);
    return slot ? readScalar(this.words, this.processes[process]!.word, slot) : 1;
  }

  setPriority(process: number, value: number): void {
    const slot = this.#prioritySlot(process);
    if (slot) writeScalar(this.words, this.processes[process]!.word, slot, value);
  }

  /** The process in control inside an atomic sequence, or -1. */
  get exclusive(): number {
    const { exclusive } = this.layout;
    return exclusive ? readScalar(this.words, 0, exclusive) - 1 : -1;
  }

  set exclusive(process: number) {
    if (this.layout.exclusive) writeScalar(this.words, 0, this.layout.exclusive, process + 1);
  }

  /** The process that moved last; 0 before the first step, as in Spin. */
  get last(): number {
    return this.layout.last ? readScalar(this.words, 0, this.layout.last) : 0;
  }

  set last(process: number) {
    if (this.layout.last) writeScalar(this.words, 0, this.layout.last, process);
  }

  #prioritySlot(process: number): ScalarSlot | undefined {
    return this.processes[process]!.layout.priority;
  }

  #addRecord(layout: RecordLayout, word: number): void {
    this.processes.push({ template: layout.template, word, layout });
    this.#addChannels(layout.channels, word, this.processes.length - 1);
  }

  #addChannels(made: readonly ChannelPlace[], word: number, owner: number): void {
    for (const [position, { channelType, header, area }] of made.entries())
      this.channels.push({
        type: channelType,
        header: word * 32 + header,
        area: word * 32 + area,
        owner,
        position,
      });
  }
}
