/**
 * Channels as JavaScript text: which channel an expression names, what is in it, and the operations.
 *
 * Channel types that are laid out alike share one *shape* and its operations. A channel held by a global that
 * is never assigned is known before the program runs: its record has a fixed place. Any other is found by its
 * number `c` through the tables `QO` (first word of its record) and `QS` (shape).
 */
import type { Expr, Place, Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import type { ChannelLayout, Layout } from "../layout.js";
import type { Emitter } from "./expressions.js";
import { extract, mask, shifted, sum, truncated, word, type Scope } from "./scope.js";

/** A channel in emitted code. */
export interface Channel {
  /** Its number. */
  readonly id: string;
  /** First word of its record, relative to the state. */
  readonly word: string;
  /** The shapes it can have. */
  readonly shapes: readonly number[];
  /** An assignment (as an expression) to make before the others are used; may be empty. */
  readonly setup: string;
  /** Text of the condition that there is such a channel; undefined when that is certain. */
  readonly exists: string | undefined;
}

type ChannelTest = (Expr & { kind: "channel-test" })["test"];

export class ChannelShapes {
  readonly shapes: readonly ChannelLayout[];
  /** Shape of each channel type. */
  readonly shapeOf: readonly number[];
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #analysis: Analysis;

  constructor(program: Program, layout: Layout, analysis: Analysis) {
    this.#program = program;
    this.#layout = layout;
    this.#analysis = analysis;
    const keys = layout.channelTypes.map((t) => JSON.stringify(t));
    const distinct = [...new Set(keys)];
    this.shapes = distinct.map((key) => JSON.parse(key) as ChannelLayout);
    this.shapeOf = keys.map((key) => distinct.indexOf(key));
  }

  resolve(em: Emitter, channel: Expr, scope: Scope): Channel {
    const fixed = channel.kind === "load" ? this.#fixed(em, channel.place, scope) : undefined;
    if (fixed) return fixed;
    const c = em.temporary();
    const exists = `(${c} - 1) >>> 0 < nq`;
    const shapes = [...this.shapes.keys()];
    return { id: c, word: `QO[${c}]`, shapes, setup: `${c} = ${em.value(channel, scope)}`, exists };
  }

  /** The shapes that a channel can have. */
  possible(channel: Expr): readonly number[] {
    const first = channel.kind === "load" ? this.#firstOf(channel.place) : -1;
    return first < 0 ? [...this.shapes.keys()] : [this.#globalShape(first)];
  }

  /** A channel (or an element of an array of channels) that no step ever replaces. */
  #fixed(em: Emitter, place: Place, scope: Scope): Channel | undefined {
    const first = this.#firstOf(place);
    if (first < 0) return undefined;
    const { globalChannels } = this.#layout;
    const shape = this.#globalShape(first);
    const common = { shapes: [shape], exists: undefined };
    const step = place.path[0];
    const index = step?.kind === "index" ? em.index(step, scope) : 0;
    if (typeof index === "number") {
      const id = first + index;
      return { ...common, id: String(id + 1), word: String(globalChannels[id]!.word), setup: "" };
    }
    const t = em.temporary();
    const at = sum(globalChannels[first]!.word, `${t} * ${this.shapes[shape]!.words}`);
    return { ...common, id: `(${t} + ${first + 1})`, word: at, setup: `${t} = ${index}` };
  }

  /** For a global that always holds the channel (or array of channels) it was declared with: the first one's position, else -1. */
  #firstOf(place: Place): number {
    const isKept = place.scope === "global" && this.#analysis.constantGlobals.has(place.variable);
    if (!isKept || place.path.length > 1 || place.path.some((p) => p.kind !== "index")) return -1;
    const created = this.#program.initialisers.filter((i) => i.kind === "channel");
    return created.findIndex((i) => i.target.variable === place.variable);
  }

  #globalShape(position: number): number {
    return this.shapeOf[this.#layout.globalChannels[position]!.channelType]!;
  }

  // ---- questions, as expressions ----

  length(em: Emitter, channel: Expr, scope: Scope, site: number): string {
    return this.#ask(em, channel, scope, site, (q, shape) => this.lengthOf(shape, scope, q.word));
  }

  test(em: Emitter, test: ChannelTest, channel: Expr, scope: Scope, site: number): string {
    const ask = this.#ask(em, channel, scope, site, (q, shape) => {
      const length = this.lengthOf(shape, scope, q.word);
      // Of a rendezvous channel Spin says that it is empty and not full.
      const capacity = Math.max(1, this.shapes[shape]!.capacity);
      switch (test) {
        case "empty":
          return `(${length} === 0 ? 1 : 0)`;
        case "nempty":
          return `(${length} !== 0 ? 1 : 0)`;
        case "full":
          return `(${length} === ${capacity} ? 1 : 0)`;
        case "nfull":
          return `(${length} !== ${capacity} ? 1 : 0)`;
      }
    });
    return `(${ask} !== 0)`;
  }

  poll(em: Emitter, e: Expr & { kind: "poll" }, scope: Scope): string {
    const ask = this.#ask(em, e.channel, scope, e.site, (q, shape) => {
      const { slots: most, fields } = this.shapes[shape]!;
      if (most === 0) return "0";
      if (e.pattern.length > fields.length) return em.bad(e.messageSite);
      const length = this.lengthOf(shape, scope, q.word);
      const slots = e.random ? most : 1;
      const matches = Array.from({ length: slots }, (_, i) =>
        [
          `${length} > ${i}`,
          ...em.matches(e.pattern, scope, (f) => this.field(shape, scope, q.word, i, f)),
        ].join(" && "),
      );
      return `(${matches.map((m) => `(${m})`).join(" || ")} ? 1 : 0)`;
    });
    return `(${ask} !== 0)`;
  }

  #ask(
    em: Emitter,
    channel: Expr,
    scope: Scope,
    site: number,
    answer: (q: Channel, shape: number) => string,
  ): string {
    if (this.shapes.length === 0) return em.bad(site); // a variable for channels in a model without any
    const q = this.resolve(em, channel, scope);
    const last = q.shapes[q.shapes.length - 1]!;
    const cases = q.shapes.slice(0, -1).map((k) => `QS[${q.id}] === ${k} ? ${answer(q, k)} : `);
    const chain = `${cases.join("")}${answer(q, last)}`;
    const setup = q.setup === "" ? "" : `${q.setup}, `;
    const guarded = q.exists === undefined ? chain : `${q.exists} ? (${chain}) : ${em.bad(site)}`;
    return `(${setup}${guarded})`;
  }

  // ---- contents ----

  lengthOf(shape: number, scope: Scope, at: string): string {
    const { length, capacity } = this.shapes[shape]!;
    return capacity === 0 ? "0" : extract(word(scope, at, 0), length.bit, length.bits, false);
  }

  /** Text of field `f` of the message in slot `slot` (a literal or a name). */
  field(shape: number, scope: Scope, at: string, slot: number | string, f: number): string {
    const { firstBit, stride, fields } = this.shapes[shape]!;
    const { bit, bits, signed } = fields[f]!;
    if (typeof slot === "number") {
      const position = firstBit + slot * stride + bit;
      return extract(word(scope, at, position >> 5), position & 31, bits, signed);
    }
    if (stride % 32 === 0) {
      const position = firstBit + bit;
      return extract(word(scope, at, `${slot} * ${stride / 32}`, position >> 5), position & 31, bits, signed);
    }
    const position = `(${sum(`${slot} * ${stride}`, firstBit + bit)})`;
    const raw = `(${word(scope, at, `(${position} >> 5)`)} >>> ${position} & ${mask(bits)})`;
    return signed ? `(${raw} << ${32 - bits} >> ${32 - bits})` : raw;
  }

  /** The operations of every shape that holds messages. `a` is the array, `q` the absolute first word. */
  emitOperations(): string {
    return this.shapes.map((shape, k) => (shape.capacity > 0 ? operations(shape, k) : "")).join("\n");
  }
}

function operations(shape: ChannelLayout, k: number): string {
  const parameters = shape.fields.map((_, i) => `m${i}`);
  const names = parameters.join(", ");
  const one = 1 << shape.length.bit;
  return `
// channel shape ${k}: ${shape.slots} slots (of ${shape.capacity}) of ${shape.stride} bits from bit ${shape.firstBit}
function q${k}_send(a, q, length, ${names}) {
  q${k}_put(a, q, length, ${names});
  a[q] += ${one};
}
function q${k}_put(a, q, i, ${names}) {
${putSlot(shape)}
}
function q${k}_move(a, q, from, to) {
${moveSlot(shape)}
}
function q${k}_clear(a, q, i) {
${clearSlot(shape)}
}
function q${k}_remove(a, q, i, length) {
  for (; i < length - 1; i++) q${k}_move(a, q, i + 1, i);
  q${k}_clear(a, q, length - 1);
  a[q] -= ${one};
}
function q${k}_sorted(a, q, length, ${names}) {
  let at = 0;
  while (at < length && !(${isLarger(shape)})) at++;
  for (let i = length; i > at; i--) q${k}_move(a, q, i - 1, i);
  q${k}_clear(a, q, at);
  q${k}_put(a, q, at, ${names});
  a[q] += ${one};
}`;
}

/** Writes a message into an empty slot. */
function putSlot(shape: ChannelLayout): string {
  const wordsInSlot = Math.max(1, shape.stride >> 5);
  const raws = Array.from({ length: wordsInSlot }, () => [] as string[]);
  shape.fields.forEach((f, i) => raws[f.bit >> 5]!.push(shifted(`m${i}`, f.bit & 31, f.bits)));
  const join = (parts: string[]): string => parts.join(" | ") || "0";
  if (shape.stride < 32)
    return `  const t = ${slotBit(shape, "i")}; a[q + (t >> 5)] |= (${join(raws[0]!)}) << t;`;
  return raws.map((raw, j) => `  a[${slotWord(shape, "i", j)}] = ${join(raw)};`).join("\n");
}

function moveSlot(shape: ChannelLayout): string {
  if (shape.stride < 32) {
    const m = mask(shape.stride);
    return `  const f = ${slotBit(shape, "from")}, t = ${slotBit(shape, "to")}, k = q + (t >> 5);
  a[k] = a[k] & ~(${m} << t) | (a[q + (f >> 5)] >>> f & ${m}) << t;`;
  }
  return eachWord(shape, (j) => `  a[${slotWord(shape, "to", j)}] = a[${slotWord(shape, "from", j)}];`);
}

function clearSlot(shape: ChannelLayout): string {
  if (shape.stride < 32)
    return `  const t = ${slotBit(shape, "i")}; a[q + (t >> 5)] &= ~(${mask(shape.stride)} << t);`;
  return eachWord(shape, (j) => `  a[${slotWord(shape, "i", j)}] = 0;`);
}

/** Is the message in slot `at` larger than the new one, field by field? */
function isLarger(shape: ChannelLayout): string {
  const field = (i: number): string => {
    const { bit, bits, signed } = shape.fields[i]!;
    if (shape.stride >= 32) return extract(`a[${slotWord(shape, "at", bit >> 5)}]`, bit & 31, bits, signed);
    const t = `(${sum(slotBit(shape, "at"), bit)})`;
    const raw = `(a[q + (${t} >> 5)] >>> ${t} & ${mask(bits)})`;
    return signed ? `(${raw} << ${32 - bits} >> ${32 - bits})` : raw;
  };
  return shape.fields.reduceRight((rest, { bits, signed }, i) => {
    const m = truncated(`m${i}`, bits, signed);
    return rest === "" ? `${field(i)} > ${m}` : `(${field(i)} > ${m} || ${field(i)} === ${m} && (${rest}))`;
  }, "");
}

const slotBit = (shape: ChannelLayout, slot: string): string =>
  sum(`${slot} * ${shape.stride}`, shape.firstBit);

const slotWord = (shape: ChannelLayout, slot: string, j: number): string =>
  sum("q", `${slot} * ${shape.stride >> 5}`, (shape.firstBit >> 5) + j);

const eachWord = (shape: ChannelLayout, line: (j: number) => string): string =>
  Array.from({ length: shape.stride >> 5 }, (_, j) => line(j)).join("\n");
