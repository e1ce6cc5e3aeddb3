import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse } from "../../src/compile/analyse.js";
import { readScalar, truncate, writeScalar } from "../../src/compile/interpreter/bits.js";
import {
  bitInSeries,
  layOut,
  masksOf,
  type Layout,
  type RecordLayout,
  type ScalarSlot,
  type Slot,
} from "../../src/compile/layout.js";
import { Packer, packGroups } from "../../src/compile/packing.js";
import type { Range, Ranges } from "../../src/compile/ranges.js";
import type { ScalarType, Type } from "../../src/model/index.js";
import { ProgramBuilder, num } from "./build.js";

const scalarType = fc
  .record({ bits: fc.integer({ min: 1, max: 32 }), signed: fc.boolean() })
  .map(({ bits, signed }): ScalarType => ({ kind: "scalar", bits, signed, display: { kind: "number" } }));

const { type: anyType } = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalarType,
    fc
      .record({ element: tie("type"), length: fc.integer({ min: 1, max: 5 }) })
      .map((a): Type => ({ kind: "array", ...a })),
    fc.array(tie("type"), { minLength: 1, maxLength: 4 }).map((types): Type => ({
      kind: "record",
      name: "R",
      fields: types.map((t, i) => ({ name: `f${i}`, type: t })),
    })),
  ),
}));

const channelType = fc.record({
  capacity: fc.integer({ min: 0, max: 5 }),
  fields: fc.array(scalarType, { minLength: 1, maxLength: 4 }),
});

interface Parts {
  readonly globals: readonly { type: Type; hidden: boolean }[];
  readonly locals: readonly Type[];
  readonly channels: readonly { capacity: number; fields: readonly ScalarType[] }[];
  readonly hasAtomic: boolean;
  readonly hasLast: boolean;
  readonly hasClaims: boolean;
  readonly usesPriorities: boolean;
  readonly seen: Ranges;
  /** Number of planned processes; undefined: blocks. */
  readonly planned: number | undefined;
  readonly isMortal: boolean;
}

const range = fc
  .tuple(fc.oneof(fc.nat(9), fc.nat(100_000)), fc.nat(9))
  .map(([low, more]): Range => ({ low, high: low + more }));

const parts: fc.Arbitrary<Parts> = fc.record({
  globals: fc.array(fc.record({ type: anyType, hidden: fc.boolean() }), { maxLength: 6 }),
  locals: fc.array(anyType, { maxLength: 6 }),
  channels: fc.array(channelType, { maxLength: 4 }),
  hasAtomic: fc.boolean(),
  hasLast: fc.boolean(),
  hasClaims: fc.boolean(),
  usesPriorities: fc.boolean(),
  seen: fc.array(fc.option(range, { nil: undefined }), { maxLength: 40 }),
  planned: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  isMortal: fc.boolean(),
});

/** One process with these locals; every channel once globally and once in the process. */
function layoutOf(parts: Parts): Layout {
  const { globals, locals, channels, usesPriorities, seen, planned, isMortal, ...uses } = parts;
  const b = new ProgramBuilder();
  const template = b.active("P").edge(0, { to: 1, when: num(1) });
  for (const [i, { type, hidden }] of globals.entries()) b.variable(`g${i}`, type, { hidden });
  for (const [i, type] of locals.entries()) template.local(`l${i}`, type as ScalarType);
  for (const [i, { capacity, fields }] of channels.entries()) {
    b.channel(`c${i}`, capacity, fields);
    template.channel(`d${i}`, b.channelTypes.length - 1);
  }
  const program = b.build({ usesPriorities });
  const mortal = new Set(isMortal ? [0] : []);
  const plan = planned === undefined ? undefined : Array.from({ length: planned }, () => 0);
  return layOut(program, { ...analyse(program), ...uses, mortal }, { plan, ranges: seen });
}

/** One scalar of a state, and its first bit. */
interface Field {
  readonly what: string;
  readonly from: number;
  readonly slot: ScalarSlot;
}

function fieldsOf(what: string, slot: Slot, base: number): Field[] {
  const from = base + slot.bit;
  switch (slot.kind) {
    case "scalar":
      return [{ what, from, slot }];
    case "array":
      return Array.from({ length: slot.length }, (_, i) => i).flatMap((i) =>
        fieldsOf(`${what}[${i}]`, slot.element, from + bitInSeries(slot, i)),
      );
    case "record":
      return slot.fields.flatMap((f, i) => fieldsOf(`${what}.${i}`, f, from));
  }
}

interface Placed {
  readonly record: RecordLayout;
  /** Origin of the record. */
  readonly word: number;
}

/** The planned processes, or one block. */
function processesOf({ processes, fixedWords }: Layout): Placed[] {
  if (processes.kind === "planned") return processes.records.map((record) => ({ record, word: 0 }));
  return [{ record: processes.records[0]!, word: fixedWords }];
}

const optional = (what: string, slot: Slot | undefined, base: number): Field[] =>
  slot ? fieldsOf(what, slot, base) : [];

function channelFields(layout: Layout, channels: RecordLayout["channels"], base: number): Field[] {
  return channels.flatMap(({ channelType, header, area }, i) => {
    const { slots, length, receiver, sender, series, fields } = layout.channelTypes[channelType]!;
    return [
      ...fieldsOf(`c${i} length`, length, base + header),
      ...optional(`c${i} receiver`, receiver, base + header),
      ...optional(`c${i} sender`, sender, base + header),
      ...Array.from({ length: slots }, (_, slot) => slot).flatMap((slot) =>
        fields.flatMap((f, j) => fieldsOf(`c${i}[${slot}].${j}`, f, base + area + bitInSeries(series, slot))),
      ),
    ];
  });
}

function processFields(layout: Layout, { record, word }: Placed): Field[] {
  const base = word * 32;
  return [
    ...fieldsOf("location", record.location, base),
    ...optional("priority", record.priority, base),
    ...record.locals.flatMap((slot, i) => fieldsOf(`l${i}`, slot, base)),
    ...channelFields(layout, record.channels, base),
  ];
}

function allFields(layout: Layout): Field[] {
  const { processes } = layout;
  return [
    ...optional("exclusive", layout.exclusive, 0),
    ...optional("last", layout.last, 0),
    ...layout.globals.flatMap((slot, i) => fieldsOf(`g${i}`, slot, 0)),
    ...channelFields(layout, layout.globalChannels, 0),
    ...(processes.kind === "blocks" ? fieldsOf("template", processes.tag, layout.fixedWords * 32) : []),
    ...processesOf(layout).flatMap((p) => processFields(layout, p)),
  ];
}

/** A value that fits the narrowed field. */
function fitting({ narrowedLeaf, bits, signed, base, declared }: ScalarSlot, value: number): number {
  if (narrowedLeaf === undefined) return truncate(value, bits, signed) + base;
  const fits = base + truncate(value, bits, false);
  return fits === truncate(fits, declared.bits, declared.signed) ? fits : base;
}

/** Can the type have the values seen? */
const isPossible = ({ slot: { base, declared } }: Field): boolean =>
  base === truncate(base, declared.bits, declared.signed);

const widthOf = ({ processes, fixedWords }: Layout): number =>
  processes.kind === "planned" ? fixedWords : fixedWords + processes.records[0]!.words;

describe("layout", () => {
  test("nothing overlaps, nothing straddles a word, everything is inside", () => {
    fc.assert(
      fc.property(parts, (p) => {
        const layout = layoutOf(p);
        const fields = allFields(layout)
          .filter(({ slot }) => slot.bits > 0)
          .sort((a, b) => a.from - b.from);
        for (const [i, { from, slot }] of fields.entries()) {
          expect((from & 31) + slot.bits).toBeLessThanOrEqual(32);
          const next = fields[i + 1]?.from ?? widthOf(layout) * 32;
          expect(from + slot.bits).toBeLessThanOrEqual(next);
        }
      }),
    );
  });

  test("hidden globals, and only they, stand before compareFrom", () => {
    fc.assert(
      fc.property(parts, (p) => {
        const layout = layoutOf(p);
        for (const { what, from, slot } of allFields(layout)) {
          if (slot.bits === 0) continue;
          const global = /^g(\d+)/.exec(what);
          const isHidden = global !== null && p.globals[Number(global[1])]?.hidden === true;
          expect(from < layout.compareFrom * 32).toBe(isHidden);
        }
      }),
    );
  });

  test("the first word of a block tells that there is a process", () => {
    fc.assert(
      fc.property(parts, (p) => {
        const { processes } = layoutOf({ ...p, planned: undefined });
        expect(processes.kind === "blocks" && processes.tag.bit + processes.tag.bits <= 32).toBe(true);
      }),
    );
  });

  test("the location of a planned process that may be absent is -1 in zeros", () => {
    fc.assert(
      fc.property(parts, (p) => {
        const layout = layoutOf({ ...p, planned: p.planned ?? 2 });
        const words = new Int32Array(widthOf(layout));
        const found = processesOf(layout).map(({ record }) => readScalar(words, 0, record.location));
        expect(found).toEqual(found.map((_, process) => (process === 0 && !p.isMortal ? 0 : -1)));
      }),
    );
  });

  test("what a planned process takes is what its fields take", () => {
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.integer()), (p, values) => {
        const layout = layoutOf({ ...p, planned: p.planned ?? 2 });
        const words = new Int32Array(widthOf(layout));
        const [gone, ...others] = processesOf(layout);
        const kept = others.flatMap((o) => processFields(layout, o));
        const set = ({ slot, from }: Field): void =>
          writeScalar(words, 0, slot, fitting(slot, values.next().value as number), from);
        kept.filter(isPossible).forEach(set);
        const before = words.slice();
        processFields(layout, gone!).filter(isPossible).forEach(set);
        for (const [k, mask] of masksOf(gone!.record.extents)) words[k]! &= ~mask;
        expect(words).toEqual(before);
      }),
    );
  });

  // Not "no more words": packing groups together may need one more word (below).
  test("a plan never needs more than twice the words of blocks", () => {
    fc.assert(
      fc.property(parts, (p) => {
        const one = widthOf(layoutOf({ ...p, planned: 1 }));
        expect(one).toBeLessThanOrEqual(2 * widthOf(layoutOf({ ...p, planned: undefined })));
      }),
    );
  });

  test("groups need no more words than all their sizes, the largest first, and these are more than half full in pairs", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 32 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 5 }), (groups) => {
        const packer = new Packer();
        packer.addAll(groups.flat());
        const { words } = packGroups(groups, 0);
        expect(words).toBeLessThanOrEqual(packer.words);
        expect(16 * (packer.words - 1)).toBeLessThan(groups.flat().reduce((a, b) => a + b));
      }),
    );
  });

  test("first fit needs more words for all than for parts", () => {
    const fixed = [
      [7, 10],
      [10, 7, 10],
      [7, 10],
    ];
    const process = [10, 7, 7, 7];
    expect(packGroups([...fixed, process], 0).words).toBe(4);
    expect(packGroups(fixed, 0).words + packGroups([process], 0).words).toBe(3);
  });

  test("what is written is read back, and nothing else changes", () => {
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.integer()), (p, values) => {
        const layout = layoutOf(p);
        const words = new Int32Array(widthOf(layout));
        const written = allFields(layout)
          .filter(isPossible)
          .map((f) => ({ ...f, value: fitting(f.slot, values.next().value as number) }));
        for (const { slot, from, value } of written) writeScalar(words, 0, slot, value, from);
        for (const { slot, from, value } of written) expect(readScalar(words, 0, slot, from)).toBe(value);
      }),
    );
  });

  test("a value that does not fit a narrowed field is refused", () => {
    fc.assert(
      fc.property(parts, (p) => {
        const layout = layoutOf(p);
        for (const { slot, from } of allFields(layout)) {
          if (slot.narrowedLeaf === undefined) continue;
          const words = new Int32Array(widthOf(layout));
          const tooLarge = slot.base + 2 ** slot.bits;
          const isDeclared = truncate(tooLarge, slot.declared.bits, slot.declared.signed) === tooLarge;
          if (isDeclared) expect(() => writeScalar(words, 0, slot, tooLarge, from)).toThrow("does not fit");
          expect(words.every((w) => w === 0)).toBe(true);
        }
      }),
    );
  });

  test("truncation is that of two's complement", () => {
    expect(truncate(255, 8, true)).toBe(-1);
    expect(truncate(256, 8, false)).toBe(0);
    expect(truncate(-1, 31, false)).toBe(2147483647);
    expect(truncate(-1, 32, false)).toBe(-1);
    expect(truncate(3, 1, true)).toBe(-1);
  });
});
