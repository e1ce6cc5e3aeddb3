/**
 * A packed state, opened: the same words as everywhere else, with the processes and channels found in it.
 *
 * Always true: `words` ends where the youngest process's block ends, and channel number `n` is
 * `channels[n - 1]`.
 */
import type { Words } from "../../model/index.js";
import type { Layout, ScalarSlot } from "../layout.js";
import { readScalar, writeScalar } from "./bits.js";

export interface ProcessRecord {
  readonly template: number;
  /** First word of its record. */
  readonly word: number;
}

export interface ChannelRecord {
  readonly type: number;
  /** First word of its record. */
  readonly word: number;
  /** The process that created it, -1 for the program's own. */
  readonly owner: number;
  /** Which of its owner's channels it is. */
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

  /** No process yet; every variable and channel zero. */
  static blank(layout: Layout): State {
    const state = new State(layout, new Int32Array(layout.fixedWords), [], []);
    state.#addChannels(layout.globalChannels, 0, -1);
    return state;
  }

  /** The state that starts at `from[at]` and has at most `width` words. */
  static read(layout: Layout, from: Words, at: number, width: number): State {
    const state = State.blank(layout);
    const words = from.subarray(at, at + width);
    let end = layout.fixedWords;
    while (end < words.length) {
      const template = readScalar(words, end, layout.template) - 1;
      if (template < 0) break;
      end += state.#addRecord(template, end);
    }
    state.words = new Int32Array(end);
    state.words.set(words.subarray(0, end));
    return state;
  }

  clone(): State {
    return new State(this.layout, this.words.slice(), this.processes.slice(), this.channels.slice());
  }

  /** Appends a process, all zero but for its template, with its channels. Returns its number. */
  addProcess(template: number): number {
    const word = this.words.length;
    const words = new Int32Array(word + this.layout.templates[template]!.blockWords);
    words.set(this.words);
    this.words = words;
    this.#addRecord(template, word);
    writeScalar(words, word, this.layout.template, template + 1);
    return this.processes.length - 1;
  }

  /** Removes the youngest process with its channels, and what it claimed of other channels. */
  removeYoungest(): void {
    const process = this.processes.length - 1;
    const { word } = this.processes.pop()!;
    while (this.channels.at(-1)?.owner === process) this.channels.pop();
    this.words = this.words.slice(0, word);
    for (const channel of this.channels) {
      const { receiver, sender } = this.layout.channelTypes[channel.type]!;
      for (const slot of [receiver, sender])
        if (slot && readScalar(this.words, channel.word, slot) === process + 1)
          writeScalar(this.words, channel.word, slot, 0);
    }
  }

  location(process: number): number {
    return readScalar(this.words, this.processes[process]!.word, this.layout.location);
  }

  setLocation(process: number, location: number): void {
    writeScalar(this.words, this.processes[process]!.word, this.layout.location, location);
  }

  /** 1 for every process of a program without priorities. */
  priority(process: number): number {
    const slot = this.#prioritySlot(process);
    return slot ? readScalar(this.words, this.processes[process]!.word, slot) : 1;
  }

  setPriority(process: number, value: number): void {
    const slot = this.#prioritySlot(process);
    if (slot) writeScalar(this.words, this.processes[process]!.word, slot, value);
  }

  /** The process that keeps control inside an atomic sequence, or -1. */
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
    return this.layout.templates[this.processes[process]!.template]!.priority;
  }

  #addRecord(template: number, word: number): number {
    const { blockWords, channels } = this.layout.templates[template]!;
    this.processes.push({ template, word });
    this.#addChannels(channels, word, this.processes.length - 1);
    return blockWords;
  }

  #addChannels(made: readonly { channelType: number; word: number }[], from: number, owner: number): void {
    for (const [position, { channelType, word }] of made.entries())
      this.channels.push({ type: channelType, word: from + word, owner, position });
  }
}
