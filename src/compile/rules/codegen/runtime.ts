import { ROUNDS_BETWEEN_LOOKS } from "../../../model/patience.js";

/** Counts a round or a call. */
export const TICK = "if (++ticks > look) pause();"; // sound: test/compile/rules/long-steps.test.ts
/** Begins to count. */
export const RESET_TICKS = `ticks = 0; look = ${ROUNDS_BETWEEN_LOOKS};`;

/** The label of a rule instance; all that have no bit share the last. */
export const AGENT = "const agent = (number) => 1 << (number > 30 ? 31 : number);"; // sound: test/compile/rules/valuation.test.ts

/** The part of the generated text that is the same for all programs: faults, arithmetic, leaves by number. */
// sound: test/compile/rules/conditions.test.ts
export const RUNTIME = `
const FAULT = { what: "fault" }, REJECTED = { what: "rejected by an assumption" };
let fault = 0, depth = 0;
// Rounds of loops and calls in this step, and after how many to look at the clock.
let ticks = 0, look = 0;
function pause() {
  look = patience(ticks);
}
function fail(site) {
  fault = site + 1;
  throw FAULT;
}
function within(value, low, high, site) {
  return value >= low && value <= high ? value : fail(site);
}
function safe(value, site) {
  return Number.isSafeInteger(value) ? value : fail(site);
}
function quotient(a, b, site) {
  return b === 0 ? fail(site) : (a - a % b) / b;
}
function remainder(a, b, site) {
  return b === 0 ? fail(site) : a % b;
}
function bitwise(op, a, b) {
  const x = BigInt(a), y = BigInt(b);
  return Number(op === "&" ? x & y : op === "|" ? x | y : x ^ y);
}
/** To the left; a negative count shifts to the right, too many bits give 0. */
function shifted(value, count, site) {
  if (count >= 64 || count <= -64) return 0;
  return safe(count >= 0 ? value * 2 ** count : Math.floor(value / 2 ** -count), site);
}
/** The code of the same value in a variable of another range. */
function recoded(code, shift, highest, site) {
  return code === 0 ? 0 : within(code + shift, 1, highest, site);
}
function sameValue(a, b, shift) {
  return a === 0 || b === 0 ? a === b : a + shift === b;
}
// Locals that are not JavaScript variables: one word a leaf.
let m = new Float64Array(64), top = 0;
function reserve(words) {
  if (words <= m.length) return;
  const more = new Float64Array(2 * words);
  more.set(m);
  m = more;
}
function enterFrame(words) {
  const frame = top;
  top += words;
  reserve(top);
  return frame;
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
