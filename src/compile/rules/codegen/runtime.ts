import { ROUNDS_BETWEEN_LOOKS } from "../../../model/patience.js";

/** Counts a round or a call. */
export const TICK = "if (++ticks > look) pause();"; // sound: test/compile/rules/long-steps.test.ts
/** Begins to count. */
export const RESET_TICKS = `ticks = 0; look = ${ROUNDS_BETWEEN_LOOKS};`;

/** The label of a rule instance; all instances without a bit share the last. */
export const AGENT = "const agent = (number) => 1 << (number > 30 ? 31 : number);"; // sound: test/compile/rules/valuation.test.ts

/**
 * The part of the generated text that is the same for all programs: faults, arithmetic, leaves by number.
 *
 * A fault sets `fault` to its site + 1 and gives a value of the expression's type; the
 * statement that contains it then leaves its function. `REJECTED` stands for an assumption that does not hold. The first fault of a step counts.
 */
// sound: test/compile/rules/conditions.test.ts
export const RUNTIME = `
const REJECTED = -1;
let fault = 0, depth = 0;
// Rounds of loops and calls in this step, and after how many to look at the clock.
let ticks = 0, look = 0;
function pause() {
  look = patience(ticks);
}
function fail(site) {
  if (fault === 0) fault = site + 1;
  return 0;
}
/** Gives a value with which what follows does no harm. */
function failed(site, value) {
  if (fault === 0) fault = site + 1;
  return value;
}
function reject() {
  if (fault === 0) fault = REJECTED;
}
function within(value, low, high, site) {
  return value >= low && value <= high ? value : failed(site, low);
}
function quotient(a, b, site, low) {
  return b === 0 ? failed(site, low) : a / b | 0;
}
function remainder(a, b, site, low) {
  return b === 0 ? failed(site, low) : a % b;
}
/** To the left; a negative count shifts to the right, too many bits give 0. */
function shifted(value, count) {
  if (count >= 32 || count <= -64) return 0;
  if (count >= 0) return value << count;
  return value >> (count < -31 ? 31 : -count);
}
/** The code of the same value in a variable of another range. */
function recoded(code, shift, highest, site) {
  return code === 0 ? 0 : within(code + shift, 1, highest, site);
}
function sameValue(a, b, shift) {
  return a === 0 || b === 0 ? a === b : a + shift === b;
}
function leafCode(w, o, region, leaf) {
  return region === 1 ? m[leaf] : (w[o + LW[leaf]] >>> LS[leaf] & LM[leaf]) >>> 0;
}
function putLeaf(w, o, leaf, mask, code) {
  const k = o + LW[leaf], h = LS[leaf];
  w[k] = w[k] & ~(mask << h) | code << h;
}
function copyLeaves(w, o, fromRegion, from, toRegion, to, count) {
  for (let i = 0; i < count; i++) {
    const code = leafCode(w, o, fromRegion, from + i);
    if (toRegion === 1) m[to + i] = code;
    else putLeaf(w, o, to + i, LM[to + i], code);
  }
}
function fillLeaves(w, o, region, leaf, count, code) {
  for (let i = leaf; i < leaf + count; i++)
    if (region === 1) m[i] = code;
    else putLeaf(w, o, i, LM[i], code);
}`;

/** Arithmetic on safe integers beyond 32 bits: no step code. */
// sound: test/compile/rules/conditions.test.ts
export const WIDE_RUNTIME = `
function safe(value, site, low) {
  return Number.isSafeInteger(value) ? value : failed(site, low);
}
function wideQuotient(a, b, site, low) {
  return b === 0 ? failed(site, low) : (a - a % b) / b;
}
function bitwise(op, a, b) {
  const x = BigInt(a), y = BigInt(b);
  return Number(op === "&" ? x & y : op === "|" ? x | y : x ^ y);
}
function wideShifted(value, count, site, low) {
  if (count >= 64 || count <= -64) return 0;
  return safe(count >= 0 ? value * 2 ** count : Math.floor(value / 2 ** -count), site, low);
}`;

/** Locals that are not JavaScript variables: one word a leaf. `isGrowing`: procedures that are active several times at once add frames. */
// sound: test/compile/rules/conditions.test.ts
export const emitMemory = (words: number, isGrowing: boolean): string =>
  isGrowing
    ? `let m = new Int32Array(${words + 64}), top = 0;
function enterFrame(words) {
  const frame = top;
  top += words;
  if (top <= m.length) return frame;
  const more = new Int32Array(2 * top);
  more.set(m);
  m = more;
  return frame;
}`
    : `const m = new Int32Array(${Math.max(1, words)});
let top = 0;`;

/** Calls that may set `fault`; generated functions that may do so have names that say it. */
const FAILING =
  /\b(?:fail|failed|reject|within|quotient|remainder|recoded|safe|wideQuotient|wideShifted|\w+OrFail_\d+)\(/;

/** Can the code set `fault`? */
export const canFail = (code: string): boolean => FAILING.test(code);
