/**
 * The operations of one channel shape as JavaScript functions: `q0_send`, `q0_sorted`, `q0_remove`.
 *
 * They work on the array `a`: the header is at bit `hb` of word `h`, the area of message slots at bit `ab` of word `q`
 * (`ab` is 0 if the area is larger than a word). Messages are passed in stored form.
 */
import type { ChannelLayout } from "../layout.js";
import { extract, mask, shifted, sum, truncated } from "./scope.js";

export function emitOperations(shape: ChannelLayout, k: number): string {
  return shape.areaBits <= 32 ? emitInWord(shape, k) : emitInWords(shape, k);
}

const title = (shape: ChannelLayout, k: number): string =>
  `// channel shape ${k}: ${shape.slots} slots (of ${shape.capacity}) of ${shape.series.stride} bits`;

const messageNames = (shape: ChannelLayout): string => shape.fields.map((_, i) => `m${i}`).join(", ");

const lengthen = (shape: ChannelLayout, sign: "+" | "-"): string =>
  `a[h] ${sign}= 1 << ${sum("hb", shape.length.bit)};`;

/** All slots in one word: messages move by shifting the whole area. */
function emitInWord(shape: ChannelLayout, k: number): string {
  const names = messageNames(shape);
  const { stride } = shape.series;
  const area = mask(shape.areaBits);
  const message = joined(shape, 0);
  const open = `const x = a[q], area = x >>> ab & ${area}, at = i * ${stride}, low = area & ~(-1 << at);`;
  const close = (changed: string): string => `a[q] = x & ~(${area} << ab) | (low | ${changed}) << ab;`;
  // In JavaScript, shifting by a whole word does nothing: a single slot of that size is overwritten.
  // sound: test/compile/conditions.test.ts
  const isWhole = stride >= 32;
  return `
${title(shape, k)}
function q${k}_send(a, h, hb, q, ab, length, ${names}) {
  a[q] |= ${isWhole ? message : `(${message}) << ab + length * ${stride}`};
  ${lengthen(shape, "+")}
}
function q${k}_insert(a, h, hb, q, ab, i, ${names}) {
  ${isWhole ? `a[q] = ${message};` : `${open}\n  ${close(`(${message}) << at | area >>> at << at + ${stride}`)}`}
  ${lengthen(shape, "+")}
}
function q${k}_remove(a, h, hb, q, ab, i, length) {
  ${isWhole ? "a[q] = 0;" : `${open}\n  ${close(`area >>> at >>> ${stride} << at`)}`}
  ${lengthen(shape, "-")}
}
${emitSorted(shape, k, (bit) => ({ word: "a[q]", shift: sum(`at * ${stride}`, "ab", bit) }))}`;
}

/** Slots in several words: messages move one by one. */
function emitInWords(shape: ChannelLayout, k: number): string {
  const names = messageNames(shape);
  const slot = slotPlace(shape);
  return `
${title(shape, k)}
function q${k}_send(a, h, hb, q, ab, length, ${names}) {
  q${k}_put(a, q, length, ${names});
  ${lengthen(shape, "+")}
}
function q${k}_insert(a, h, hb, q, ab, i, ${names}) {
  const length = ${extract("a[h]", sum("hb", shape.length.bit), shape.length.bits, false)};
  for (let j = length; j > i; j--) q${k}_move(a, q, j - 1, j);
  q${k}_clear(a, q, i);
  q${k}_put(a, q, i, ${names});
  ${lengthen(shape, "+")}
}
function q${k}_remove(a, h, hb, q, ab, i, length) {
  for (; i < length - 1; i++) q${k}_move(a, q, i + 1, i);
  q${k}_clear(a, q, length - 1);
  ${lengthen(shape, "-")}
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
${emitSorted(shape, k, (bit) => slot("at", bit))}`;
}

/** Inserts the message before the first larger one. */
function emitSorted(
  shape: ChannelLayout,
  k: number,
  place: (bit: number) => { readonly word: string; readonly shift: string | number },
): string {
  const names = messageNames(shape);
  return `function q${k}_sorted(a, h, hb, q, ab, length, ${names}) {
  let at = 0;
  while (at < length && !(${isLarger(shape, place)})) at++;
  q${k}_insert(a, h, hb, q, ab, at, ${names});
}`;
}

/** Is the message in slot `at` lexicographically larger than the new one? */
function isLarger(
  shape: ChannelLayout,
  place: (bit: number) => { readonly word: string; readonly shift: string | number },
): string {
  return shape.fields.reduceRight((rest, { bit, bits, signed }, i) => {
    const at = place(bit);
    const field = extract(at.word, at.shift, bits, signed);
    // sound: test/compile/conditions.test.ts
    const m = truncated(`m${i}`, bits, signed);
    // sound: test/compile/conditions.test.ts
    return rest === "" ? `${field} > ${m}` : `(${field} > ${m} || ${field} === ${m} && (${rest}))`;
  }, "");
}

/** The fields of a message in word `j` of a slot. */
function joined(shape: ChannelLayout, j: number): string {
  const parts = shape.fields.flatMap(({ bit, bits }, i) =>
    // sound: test/compile/conditions.test.ts
    bit >> 5 === j && bits > 0 ? [shifted(`m${i}`, bit & 31, bits)] : [],
  );
  return parts.join(" | ") || "0";
}

/** Word and bit of a field in slot `i` (a name), in an area of several words. */
function slotPlace({ series: { stride, perWord } }: ChannelLayout) {
  return (i: string, bit: number): { readonly word: string; readonly shift: string | number } => {
    if (stride >= 32) return { word: `a[${sum("q", `${i} * ${stride / 32}`, bit >> 5)}]`, shift: bit & 31 };
    const log = Math.log2(perWord);
    const [word, rest] = Number.isInteger(log)
      ? [`(${i} >> ${log})`, `(${i} & ${perWord - 1})`]
      : [`(${i} / ${perWord} | 0)`, `${i} % ${perWord}`];
    return { word: `a[${sum("q", word)}]`, shift: sum(`${rest} * ${stride}`, bit) };
  };
}

/** The bits of a message in word `j` of its slot. Only these are written, as others may follow the last message. */
const usedMask = (shape: ChannelLayout, j: number): number =>
  // sound: test/compile/conditions.test.ts
  mask(Math.max(0, ...shape.fields.map(({ bit, bits }) => (bit >> 5 === j ? (bit & 31) + bits : 0))));

/** Writes a message into an empty slot. */
function putSlot(shape: ChannelLayout): string {
  const slot = slotPlace(shape);
  return eachWord(shape, (j) => {
    const { word, shift } = slot("i", j * 32);
    return `  ${word} |= ${shift === 0 ? joined(shape, j) : `(${joined(shape, j)}) << ${shift}`};`;
  });
}

function moveSlot(shape: ChannelLayout): string {
  const slot = slotPlace(shape);
  return eachWord(shape, (j) => {
    const [from, to] = [slot("from", j * 32), slot("to", j * 32)];
    const m = usedMask(shape, j);
    if (to.shift === 0) return `  ${to.word} = ${to.word} & ${~m} | ${from.word} & ${m};`;
    return `  const t = ${to.shift};
  ${to.word} = ${to.word} & ~(${m} << t) | (${from.word} >>> ${from.shift} & ${m}) << t;`;
  });
}

function clearSlot(shape: ChannelLayout): string {
  const slot = slotPlace(shape);
  return eachWord(shape, (j) => {
    const { word, shift } = slot("i", j * 32);
    const m = usedMask(shape, j);
    return shift === 0 ? `  ${word} &= ${~m};` : `  ${word} &= ~(${m} << ${shift});`;
  });
}

const eachWord = (shape: ChannelLayout, line: (j: number) => string): string =>
  Array.from({ length: Math.max(1, shape.series.stride >> 5) }, (_, j) => line(j)).join("\n");
