import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse } from "../../src/compile/analyse.js";
import { readScalar, truncate, writeScalar } from "../../src/compile/interpreter/bits.js";
import { layOut, type Layout, type ScalarSlot, type Slot } from "../../src/compile/layout.js";
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
});

/** One process with these locals; every channel once in the program and once in the process. */
function layoutOf({ globals, locals, channels, usesPriorities, seen, ...uses }: Parts): Layout {
  const b = new ProgramBuilder();
  const template = b.active("P").edge(0, { to: 1, when: num(1) });
  for (const [i, { type, hidden }] of globals.entries()) b.variable(`g${i}`, type, { hidden });
  for (const [i, type] of locals.entries()) template.local(`l${i}`, type as ScalarType);
  for (const [i, { capacity, fields }] of channels.entries()) {
    b.channel(`c${i}`, capacity, fields);
    template.channel(`d${i}`, b.channelTypes.length - 1);
  }
  const program = b.build({ usesPriorities });
  return layOut(program, { ...analyse(program), ...uses }, seen);
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
        fieldsOf(`${what}[${i}]`, slot.element, from + i * slot.stride),
      );
    case "record":
      return slot.fields.flatMap((f, i) => fieldsOf(`${what}.${i}`, f, from));
  }
}

/** Every scalar of a state with one process. */
function allFields(layout: Layout): Field[] {
  const process = layout.fixedWords * 32;
  const template = layout.templates[0]!;
  const channels = [
    ...layout.globalChannels.map((c) => ({ ...c, base: c.word * 32 })),
    ...template.channels.map((c) => ({ ...c, base: process + c.word * 32 })),
  ];
  const optional = (what: string, slot: Slot | undefined, base: number): Field[] =>
    slot ? fieldsOf(what, slot, base) : [];
  return [
    ...optional("exclusive", layout.exclusive, 0),
    ...optional("last", layout.last, 0),
    ...layout.globals.flatMap((slot, i) => fieldsOf(`g${i}`, slot, 0)),
    ...fieldsOf("template", layout.template, process),
    ...fieldsOf("location", layout.location, process),
    ...optional("priority", template.priority, process),
    ...template.locals.flatMap((slot, i) => fieldsOf(`l${i}`, slot, process)),
    ...channels.flatMap(({ channelType: t, base }, i) => {
      const { slots, length, receiver, sender, firstBit, stride, fields } = layout.channelTypes[t]!;
      return [
        ...fieldsOf(`c${i} length`, length, base),
        ...optional(`c${i} receiver`, receiver, base),
        ...optional(`c${i} sender`, sender, base),
        ...Array.from({ length: slots }, (_, slot) => slot).flatMap((slot) =>
          fields.flatMap((f, j) => fieldsOf(`c${i}[${slot}].${j}`, f, base + firstBit + slot * stride)),
        ),
      ];
    }),
  ];
}

/** A narrowed field is only given what it was narrowed to. */
const fitting = ({ narrowedLeaf, bits, base }: ScalarSlot, value: number): number =>
  narrowedLeaf === undefined ? value : base + truncate(value, bits, false);

const widthOf = (layout: Layout): number => layout.fixedWords + layout.templates[0]!.blockWords;

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

  test("the stride of an array is a power of two below a word, or whole words", () => {
    const check = (slot: Slot): void => {
      if (slot.kind === "array") {
        const { stride } = slot;
        expect(stride % 32 === 0 || (stride < 32 && Number.isInteger(Math.log2(stride)))).toBe(true);
        check(slot.element);
      } else if (slot.kind === "record") slot.fields.forEach(check);
    };
    fc.assert(fc.property(parts, (p) => layoutOf(p).globals.forEach(check)));
  });

  test("what is written is read back, and nothing else changes", () => {
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.integer()), (p, values) => {
        const layout = layoutOf(p);
        const words = new Int32Array(widthOf(layout));
        const written = allFields(layout)
          .filter(({ slot }) => slot.base === truncate(slot.base, slot.declared.bits, slot.declared.signed))
          .map((f) => ({ ...f, value: fitting(f.slot, values.next().value as number) }));
        for (const { slot, from, value } of written) writeScalar(words, 0, slot, value, from);
        for (const { slot, from, value } of written) {
          const { bits, signed } = slot.declared;
          expect(readScalar(words, 0, slot, from)).toBe(truncate(value, bits, signed));
        }
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
