/**
 * Channels as JavaScript text: identity, contents, operations.
 *
 * Channel types with equal layouts share one *shape* and its operations. The channel of a never-assigned global is known
 * statically and has a fixed position. Others are found by their number `c` through the tables `QS` (shape), `QH` and
 * `QA` (words of header and area), `QHB` and `QAB` (bits in those words).
 */
import type { Expr, Place, Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import { bitInSeries, type ChannelLayout, type Layout } from "../layout.js";
import { constantOf } from "./constants.js";
import type { Emitter } from "./expressions.js";
import { emitOperations } from "./operations.js";
import { based, extract, positionOf, sum, within, word, type Position, type Scope } from "./scope.js";

export interface Channel {
  readonly id: string;
  /** Positions of its header and messages, relative to the state. */
  readonly header: Position;
  readonly area: Position;
  readonly shapes: readonly number[];
  /** An assignment (as an expression) to evaluate before using the others; may be empty. */
  readonly setup: string;
  /** Condition that the channel exists; undefined when certain. */
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
    const known = fixed ? undefined : this.#planned(constantOf(channel, em.layout, scope));
    if (fixed ?? known) return (fixed ?? known)!;
    const c = em.temporary();
    const exists = `(${c} - 1) >>> 0 < nq`;
    const shapes = [...this.shapes.keys()];
    return { id: c, ...tabled(c), shapes, setup: `${c} = ${em.value(channel, scope)}`, exists };
  }

  /** The channel with that number, if known and planned. */
  #planned(number: number | undefined): Channel | undefined {
    const { processes, globalChannels } = this.#layout;
    if (number === undefined || processes.kind !== "planned") return undefined;
    const place = [...globalChannels, ...processes.records.flatMap((r) => r.channels)][number - 1];
    if (!place) return undefined;
    return {
      id: String(number),
      header: positionOf(0, place.header),
      area: positionOf(0, place.area),
      shapes: [this.shapeOf[place.channelType]!],
      setup: "",
      // sound: test/compile/narrow.test.ts
      exists: number <= globalChannels.length ? undefined : `nq >= ${number}`,
    };
  }

  /** The shapes that a channel can have. */
  possible(channel: Expr): readonly number[] {
    const first = channel.kind === "load" ? this.#firstOf(channel.place) : -1;
    return first < 0 ? [...this.shapes.keys()] : [this.#globalShape(first)];
  }

  /** A channel (or an element of an array of channels) that no step replaces. */
  #fixed(em: Emitter, place: Place, scope: Scope): Channel | undefined {
    const first = this.#firstOf(place);
    if (first < 0) return undefined;
    const { globalChannels } = this.#layout;
    const shape = this.#globalShape(first);
    const common = { shapes: [shape], exists: undefined };
    const step = place.path[0];
    const index = step?.kind === "index" ? em.places.index(step, scope) : 0;
    if (typeof index === "number") {
      const id = first + index;
      const { header, area } = globalChannels[id]!;
      const places = { header: positionOf(0, header), area: positionOf(0, area) };
      return { ...common, id: String(id + 1), ...places, setup: "" };
    }
    const c = em.temporary();
    return { ...common, id: c, ...tabled(c), setup: `${c} = ${sum(index, first + 1)}` };
  }

  /**
   * For a global that always holds the channel (or array of channels) it was declared with: the first one's position,
   * else -1.
   */
  #firstOf(place: Place): number {
    // sound: test/compile/cases/channels.test.ts
    const isKept = place.scope === "global" && this.#analysis.constantGlobals.has(place.variable);
    // sound: test/compile/cases/channels.test.ts
    if (!isKept || place.path.some((p) => p.kind !== "index")) return -1;
    const created = this.#program.initialisers.filter((i) => i.kind === "channel");
    return created.findIndex((i) => i.target.variable === place.variable);
  }

  #globalShape(position: number): number {
    return this.shapeOf[this.#layout.globalChannels[position]!.channelType]!;
  }

  // ---- questions, as expressions ----

  length(em: Emitter, channel: Expr, scope: Scope, site: number): string {
    return this.#ask(em, channel, scope, site, (q, shape) => this.lengthOf(shape, scope, q.header));
  }

  test(em: Emitter, test: ChannelTest, channel: Expr, scope: Scope, site: number): string {
    const ask = this.#ask(em, channel, scope, site, (q, shape) => {
      const length = this.lengthOf(shape, scope, q.header);
      // As in Spin, a rendezvous channel is empty and not full.
      // sound: test/compile/cases/channels.test.ts
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
      const { capacity, slots: most, fields } = this.shapes[shape]!;
      if (capacity === 0) return em.bad(e.rendezvousSite); // sound: test/compile/faults.test.ts
      if (e.pattern.length > fields.length) return em.bad(e.messageSite);
      const computed = e.random ? em.computed(e.pattern, scope) : []; // sound: test/compile/cases/channels.test.ts
      // sound: test/compile/narrow.test.ts
      if (most === 0) return `(${[...computed, "false"].join(" && ")} ? 1 : 0)`; // always empty so far
      const length = this.lengthOf(shape, scope, q.header);
      // sound: test/compile/narrow.test.ts test/compile/cases/channels.test.ts
      const slots = e.random ? most : 1;
      const matches = Array.from({ length: slots }, (_, i) =>
        [
          `${length} > ${i}`,
          ...em.matches(e.pattern, scope, (f) => this.field(em, shape, scope, q.area, i, f)),
        ].join(" && "),
      );
      const any = `(${matches.map((m) => `(${m})`).join(" || ")})`;
      return `(${[...computed, any].join(" && ")} ? 1 : 0)`;
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
    // sound: test/compile/cases/channels.test.ts
    if (this.shapes.length === 0) return em.bad(site); // a variable for channels in a model without any
    const q = this.resolve(em, channel, scope);
    const last = q.shapes[q.shapes.length - 1]!;
    const cases = q.shapes.slice(0, -1).map((k) => `QS[${q.id}] === ${k} ? ${answer(q, k)} : `);
    const chain = `${cases.join("")}${answer(q, last)}`;
    const setup = q.setup === "" ? "" : `${q.setup}, `;
    // sound: test/compile/cases/channels.test.ts
    const guarded = q.exists === undefined ? chain : `${q.exists} ? (${chain}) : ${em.bad(site)}`;
    return `(${setup}${guarded})`;
  }

  // ---- contents ----

  lengthOf(shape: number, scope: Scope, header: Position): string {
    const { length, capacity } = this.shapes[shape]!;
    if (capacity === 0) return "0";
    const { word: w, shift } = within(header, length.bit);
    return extract(word(scope, w), shift, length.bits, false);
  }

  /** Text of field `f` of the message in slot `slot` (a literal or a name). */
  field(em: Emitter, shape: number, scope: Scope, area: Position, slot: number | string, f: number): string {
    const { series, slots, fields } = this.shapes[shape]!;
    const { bit, bits, signed, base } = fields[f]!;
    const read = (w: string, shift: number | string): string => based(extract(w, shift, bits, signed), base);
    if (typeof slot === "number") {
      const { word: w, shift } = further(area, bitInSeries(series, slot) + bit);
      return read(word(scope, w), shift);
    }
    const [words, more] = em.places.inSeries(series, slot, slots);
    const { word: w, shift } = further(area, bit);
    return read(word(scope, w, ...words), more.length === 0 ? shift : sum(...more, shift));
  }

  /** The operations of every shape that holds messages. */
  emitOperations(): string {
    return this.shapes.map((shape, k) => (shape.capacity > 0 ? emitOperations(shape, k) : "")).join("\n");
  }

  /** Arguments of an operation: the entry, and the positions of the channel's header and area in it. */
  places({ header, area }: Pick<Channel, "header" | "area">): string {
    return `w, ${sum("o", header.word)}, ${header.shift}, ${sum("o", area.word)}, ${area.shift}`;
  }
}

const tabled = (c: string): Pick<Channel, "header" | "area"> => ({
  header: { word: `QH[${c}]`, shift: `QHB[${c}]` },
  area: { word: `QA[${c}]`, shift: `QAB[${c}]` },
});

/** An area of several words begins at a word, so the word part of `bits` is known even if its position is not. */
const further = (area: Position, bits: number): Position => {
  const { word: w, shift } = area;
  if (typeof shift === "number") return positionOf(sum(w, (shift + bits) >> 5), (shift + bits) & 31);
  return { word: sum(w, bits >> 5), shift: (bits & 31) === 0 ? shift : sum(shift, bits & 31) };
};
