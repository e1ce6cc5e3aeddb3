/**
 * Evaluates expressions and places with 32-bit integers, as in C. Errors are thrown as `Fault`, caught by the builder of
 * the step.
 */
import type { Expr, Pattern, Place, Program } from "../../model/index.js";
import { bitInSeries, type ScalarSlot, type Slot } from "../layout.js";
import { readScalar, truncate, writeScalar } from "./bits.js";
import { isFull, lengthOf, messageAt, type Message } from "./buffer.js";
import { binary, unary } from "../../model/arithmetic.js";
import type { ChannelRecord, State } from "./state.js";

/** An error at this site of the program. */
export class Fault extends Error {
  readonly site: number;

  constructor(site: number) {
    super(`fault at site ${site}`);
    this.site = site;
  }
}

/** The site of a caught fault; rethrows anything else, which is an internal error. */
export function siteOf(caught: unknown): number {
  if (caught instanceof Fault) return caught.site;
  throw caught;
}

/** Context of evaluation. */
export interface Scope {
  readonly state: State;
  /** The executing process, -1 for global code. */
  readonly self: number;
  /** The second pass, in which `timeout` holds. */
  readonly timeout: boolean;
}

export class Evaluator {
  readonly #program: Program;
  /** Decides `enabled`. */
  readonly #isEnabled: (scope: Scope, process: number) => boolean;

  constructor(program: Program, isEnabled: (scope: Scope, process: number) => boolean) {
    this.#program = program;
    this.#isEnabled = isEnabled;
  }

  holds(e: Expr, scope: Scope): boolean {
    return this.value(e, scope) !== 0;
  }

  value(e: Expr, scope: Scope): number {
    const { state } = scope;
    switch (e.kind) {
      case "constant":
        return e.value | 0;
      case "load":
        return this.load(e.place, scope);
      case "unary":
        return unary(e.op, this.value(e.operand, scope));
      case "binary":
        return this.#binary(e, scope);
      case "conditional":
        return this.value(this.holds(e.test, scope) ? e.then : e.otherwise, scope);
      case "length":
        return lengthOf(state, this.channel(e.channel, scope, e.site));
      case "channel-test":
        return Number(channelTest(e.test, state, this.channel(e.channel, scope, e.site)));
      case "poll":
        return Number(this.#poll(e, scope));
      case "self":
        return scope.self;
      case "process-count":
        return state.processes.length;
      case "last":
        return state.last;
      case "timeout":
        return Number(scope.timeout);
      case "no-progress":
        return Number(!state.processes.some((_, p) => this.#locationOf(state, p).isProgress));
      case "accepting":
        return Number(state.processes.some((_, p) => this.#locationOf(state, p).isAccept));
      case "enabled":
        return Number(this.#enabled(e, scope));
      case "control-point":
        return this.#controlPoint(state, this.#process(e.process, scope, e.site));
      case "priority":
        return this.#priority(e.process, scope);
      case "at":
        return Number(e.locations.includes(this.#remoteLocation(e, scope)));
      case "remote":
        return this.#remoteValue(e, scope);
    }
  }

  load(place: Place, scope: Scope): number {
    const { word, bit, slot } = this.#address(place, scope);
    return readScalar(scope.state.words, word, slot, bit);
  }

  store(place: Place, value: number, scope: Scope): void {
    const { word, bit, slot } = this.#address(place, scope);
    writeScalar(scope.state.words, word, slot, value, bit);
  }

  /** The channel that the expression refers to; faults if it does not exist. */
  channel(e: Expr, scope: Scope, site: number): ChannelRecord {
    const channel = scope.state.channels[this.value(e, scope) - 1];
    // sound: test/compile/cases/channels.test.ts
    if (!channel) throw new Fault(site);
    return channel;
  }

  /** Does the message match? Compares with untruncated constants. A random receive evaluates all operands first, as in Spin. */
  matches(pattern: readonly Pattern[], message: Message, random: boolean, scope: Scope): boolean {
    if (random) this.#compute(pattern, scope); // sound: test/compile/cases/handshakes.test.ts
    // sound: test/compile/cases/channels.test.ts
    return pattern.every((p, i) => p.kind !== "match" || this.value(p.value, scope) === message[i]);
  }

  /** The first slot whose message matches (`random`), or the head if it matches; -1 if none. */
  findMessage(channel: ChannelRecord, pattern: readonly Pattern[], random: boolean, scope: Scope): number {
    const length = lengthOf(scope.state, channel);
    if (random) this.#compute(pattern, scope); // sound: test/compile/cases/channels.test.ts
    // sound: test/compile/cases/channels.test.ts
    for (let slot = 0; slot < (random ? length : Math.min(1, length)); slot++)
      if (this.matches(pattern, messageAt(scope.state, channel, slot), false, scope)) return slot;
    return -1;
  }

  #compute(pattern: readonly Pattern[], scope: Scope): void {
    for (const p of pattern) if (p.kind === "match") this.value(p.value, scope);
  }

  /** Truncates values to the channel's fields. */
  message(values: readonly Expr[], channel: ChannelRecord, scope: Scope): Message {
    const { fields } = this.#program.channelTypes[channel.type]!;
    return fields.map(({ bits, signed }, i) => truncate(this.value(values[i]!, scope), bits, signed));
  }

  #binary(e: Expr & { kind: "binary" }, scope: Scope): number {
    switch (e.op) {
      case "&&":
        return Number(this.holds(e.left, scope) && this.holds(e.right, scope));
      case "||":
        return Number(this.holds(e.left, scope) || this.holds(e.right, scope));
      case "/":
      case "%": {
        const divisor = this.value(e.right, scope);
        // sound: test/compile/cases/values.test.ts
        if (divisor === 0) throw new Fault(e.site);
        return binary(e.op, this.value(e.left, scope), divisor);
      }
      default:
        return binary(e.op, this.value(e.left, scope), this.value(e.right, scope));
    }
  }

  #controlPoint(state: State, process: number): number {
    const location = state.location(process);
    const { locations } = this.#program.templates[state.processes[process]!.template]!;
    return locations[location]!.number ?? location;
  }

  /** Polling a rendezvous channel is an error, as in Spin. */
  #poll(e: Expr & { kind: "poll" }, scope: Scope): boolean {
    const channel = this.channel(e.channel, scope, e.site);
    const { capacity, fields } = this.#program.channelTypes[channel.type]!;
    // sound: test/compile/faults.test.ts
    if (capacity === 0) throw new Fault(e.rendezvousSite);
    // sound: test/compile/cases/channels.test.ts test/compile/faults.test.ts
    if (e.pattern.length > fields.length) throw new Fault(e.messageSite);
    return this.findMessage(channel, e.pattern, e.random, scope) >= 0;
  }

  /** As in Spin: a process that does not exist is not enabled; `enabled` of oneself is an error. */
  #enabled(e: Expr & { kind: "enabled" }, scope: Scope): boolean {
    const process = this.value(e.process, scope);
    // sound: test/compile/cases/control.test.ts test/compile/faults.test.ts
    if (process === scope.self) throw new Fault(e.site);
    // sound: test/compile/cases/control.test.ts
    return process >= 0 && process < scope.state.processes.length && this.#isEnabled(scope, process);
  }

  /** 0 for a process that does not exist, as in Spin. */
  #priority(e: Expr, scope: Scope): number {
    const process = this.value(e, scope);
    // sound: test/compile/cases/control.test.ts
    return process >= 0 && process < scope.state.processes.length ? scope.state.priority(process) : 0;
  }

  #process(e: Expr, scope: Scope, site: number): number {
    const process = this.value(e, scope);
    // sound: test/compile/cases/control.test.ts test/compile/faults.test.ts
    if (process < 0 || process >= scope.state.processes.length) throw new Fault(site);
    return process;
  }

  /** Location of the process in a remote reference; -1 if it does not exist. */
  #remoteLocation(e: Expr & { kind: "at" }, scope: Scope): number {
    const process = this.#remoteProcess(e, scope);
    return process < 0 ? -1 : scope.state.location(process);
  }

  #remoteValue(e: Expr & { kind: "remote" }, scope: Scope): number {
    const process = this.#remoteProcess(e, scope);
    // sound: test/compile/cases/processes.test.ts test/compile/cases/control.test.ts
    if (process < 0) throw new Fault(e.site);
    return this.load(e.place, { ...scope, self: process });
  }

  #remoteProcess(e: Expr & { kind: "at" | "remote" }, scope: Scope): number {
    const { processes } = scope.state;
    if (!e.process) return processes.findIndex((p) => p.template === e.template);
    const process = this.value(e.process, scope);
    // sound: test/compile/cases/control.test.ts
    return processes[process]?.template === e.template ? process : -1;
  }

  #locationOf(state: State, process: number) {
    return this.#program.templates[state.processes[process]!.template]!.locations[state.location(process)]!;
  }

  #address(place: Place, scope: Scope): { word: number; bit: number; slot: ScalarSlot } {
    const { layout, processes } = scope.state;
    const process = place.scope === "local" ? processes[scope.self]! : undefined;
    const slots = process ? process.layout.locals : layout.globals;
    let slot: Slot = slots[place.variable]!;
    let bit = slot.bit;
    for (const step of place.path) {
      if (step.kind === "field" && slot.kind === "record") slot = slot.fields[step.field]!;
      else if (step.kind === "index" && slot.kind === "array") {
        const index = this.value(step.index, scope);
        // sound: test/compile/cases/values.test.ts
        if (index < 0 || index >= step.length) throw new Fault(step.site);
        bit += bitInSeries(slot, index);
        slot = slot.element;
      } else throw new Error("a place that does not fit the type of its variable");
      bit += slot.bit;
    }
    if (slot.kind !== "scalar") throw new Error("a place ends in a scalar");
    return { word: process?.word ?? 0, bit, slot };
  }
}

function channelTest(
  test: "empty" | "full" | "nempty" | "nfull",
  state: State,
  channel: ChannelRecord,
): boolean {
  switch (test) {
    case "empty":
      return lengthOf(state, channel) === 0;
    case "nempty":
      return lengthOf(state, channel) > 0;
    case "full":
      return isFull(state, channel);
    case "nfull":
      return !isFull(state, channel);
  }
}
