import { TICK } from "./runtime.js";

/** Compares the keys of two elements; runtimes do not inline calls in WebAssembly. */
const compared = (keyWords: number, a: string, op: ">" | "===", b: string): string =>
  keyWords === 1 ? `KEY[${a}] ${op} KEY[${b}]` : `compareKeys(${a}, ${b}) ${op} 0`; // sound: test/transforms/symmetry/representatives.test.ts

/** Factors without a pattern, for numbers that are small. */
const [SPREAD, SAME] = [0x3c6ef373, 0x297a2d39];

/** Statements that mix the bits of a variable. A collision makes the refinement coarser, never wrong. */
const mix = (x: string): string =>
  `${x} = Math.imul(${x} ^ ${x} >>> 15, 0x2c1b3c6d); ${x} = Math.imul(${x} ^ ${x} >>> 13, 0x297a2d39); ${x} = ${x} ^ ${x} >>> 16;`;

/** A 32-bit number for a list of small ones. */
export const saltOf = (...parts: readonly number[]): number =>
  parts.reduce((salt, part) => {
    const x = Math.imul(salt ^ (salt >>> 15) ^ part, 0x2c1b3c6d);
    return Math.imul(x ^ (x >>> 13), SAME);
  }, 1);

/** The part of the canonicaliser that is the same for all programs. Sets of elements that look alike are runs in ORDER. */
// sound: test/transforms/symmetry/representatives.test.ts
export const emitCanonicalSearch = (keyWords: number): string => `
function canonicalise(w, o) {
  readKeys(w, o);
  if (areKeysInOrder()) return;
  sortByKeys();
  for (let k = 0; k < STATE_WORDS; k++) u[k] = w[o + k];
  if (hasRelations && alike > 0) {
    refine();
    if (alike > 0 && isExact) {
      hasBest = false;
      level = 0;
      setApart();
      for (let k = 0; k < STATE_WORDS; k++) w[o + k] = best[k];
      return;
    }
  }
  rename();
  permute(w, o);
  settle(w, o);
}

/** Are the elements of each set in order, and those that look alike interchangeable? Often so, and then nothing is to be done. */
function areKeysInOrder() {
  for (let i = 1; i < ELEMENTS; i++)
    if (SET_OF[i] === SET_OF[i - 1] && (${compared(keyWords, "i - 1", ">", "i")} || hasRelations && ${compared(keyWords, "i - 1", "===", "i")})) return false;
  return true;
}

/** How many elements look like the one before them. */
let alike = 0;

/** Orders the elements of each set by their keys. */
function sortByKeys() {
  alike = 0;
  for (let s = 0; s + 1 < FIRSTS.length; s++) {
    const first = FIRSTS[s], end = FIRSTS[s + 1];
    for (let i = first; i < end; i++) {
      let j = i;
      for (; j > first && ${compared(keyWords, "ORDER[j - 1]", ">", "i")}; j--) ORDER[j] = ORDER[j - 1];
      ORDER[j] = i;
    }
    for (let i = first; i < end; i++) {
      const isAlike = i > first && ${compared(keyWords, "ORDER[i - 1]", "===", "ORDER[i]")};
      if (isAlike) alike++;
      COLOUR[ORDER[i]] = isAlike ? COLOUR[ORDER[i - 1]] : i;
    }
  }
}
function compareKeys(a, b) {
  for (let k = 0; k < KEY_WORDS; k++) {
    const x = KEY[a * KEY_WORDS + k], y = KEY[b * KEY_WORDS + k];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
/** New numbers by the order. */
function rename() {
  for (let i = 0; i < ORDER.length; i++) RENAMED[ORDER[i]] = i - FIRSTS[SET_OF[i]];
}

// ---- refinement ----

const SUM = new Int32Array(COLOUR.length);
/** A value relates \`a\` and \`b\`: each is told what the other looks like. The salts distinguish their roles and what else the value says. */
function relatePair(a, b, saltA, saltB) {
  const self = a === b ? 1 : 0;
  let x = saltA + self + Math.imul(COLOUR[b], ${SPREAD}) | 0;
  ${mix("x")}
  SUM[a] = SUM[a] + x | 0;
  let y = saltB + self + Math.imul(COLOUR[a], ${SPREAD}) | 0;
  ${mix("y")}
  SUM[b] = SUM[b] + y | 0;
}
// A value that relates any number of elements: who takes part, in which role, and what else it says.
let related = 0, attribute = 0;
function participate(element, role) {
  PARTICIPANT[related] = element;
  ROLE[related++] = role;
}
function mixed(x) {
  ${mix("x")}
  return x;
}
/** Each participant is told what the others look like, and whether one of them is itself. */
function contribute() {
  let all = 0;
  for (let i = 0; i < related; i++) {
    LOOK[i] = mixed(Math.imul(ROLE[i], ${SPREAD}) + COLOUR[PARTICIPANT[i]] | 0);
    all = all + LOOK[i] | 0;
  }
  for (let i = 0; i < related; i++) {
    const self = PARTICIPANT[i];
    let others = all - LOOK[i] | 0;
    for (let j = 0; j < related; j++)
      if (j !== i && PARTICIPANT[j] === self) others = others + Math.imul(ROLE[j] + 1 | 0, ${SAME}) | 0;
    SUM[self] = SUM[self] + mixed((attribute ^ Math.imul(ROLE[i], ${SAME})) + others | 0) | 0;
  }
}
/** Tells elements apart by what they are related to, until that gives nothing new. */
function refine() {
  for (let isFiner = true; isFiner && alike > 0;) {
    ticks += STATE_WORDS; ${TICK}
    isFiner = false;
    SUM.fill(0);
    relate();
    for (let first = 0; first < ORDER.length;) {
      const colour = COLOUR[ORDER[first]];
      let end = first + 1;
      while (end < ORDER.length && COLOUR[ORDER[end]] === colour) end++;
      if (end - first > 1 && split(first, end)) isFiner = true;
      first = end;
    }
  }
}
/** Orders a run by SUM; did it fall apart? */
function split(first, end) {
  for (let i = first + 1; i < end; i++) {
    const element = ORDER[i], sum = SUM[element];
    let j = i;
    for (; j > first && SUM[ORDER[j - 1]] > sum; j--) ORDER[j] = ORDER[j - 1];
    ORDER[j] = element;
  }
  let isSplit = false;
  for (let i = first + 1; i < end; i++)
    if (SUM[ORDER[i]] !== SUM[ORDER[i - 1]]) {
      COLOUR[ORDER[i]] = i;
      alike--;
      isSplit = true;
    } else COLOUR[ORDER[i]] = COLOUR[ORDER[i - 1]];
  return isSplit;
}

// ---- the least of several ----

let hasBest = false, level = 0;
function setApart() {
  let first = 0, end = 0;
  // Runs of elements that can be exchanged without changing anything need no choice.
  for (;;) {
    for (first = 0; first + 1 < ORDER.length && COLOUR[ORDER[first + 1]] !== COLOUR[ORDER[first]]; first++);
    if (first + 1 >= ORDER.length) return consider();
    for (end = first + 2; end < ORDER.length && COLOUR[ORDER[end]] === COLOUR[ORDER[first]]; end++);
    let i = first;
    while (i + 1 < end && isExchangeable(ORDER[i], ORDER[i + 1])) i++;
    if (i + 1 < end) break;
    for (i = first + 1; i < end; i++) { COLOUR[ORDER[i]] = i; alike--; }
  }
  // Any choice gives a representative; with all of them it is the only one.
  if (level === LEVELS) return consider();
  const own = level++, at = own * ELEMENTS;
  for (let i = 0; i < ELEMENTS; i++) { ORDERS[at + i] = ORDER[i]; COLOURS[at + i] = COLOUR[i]; }
  ALIKES[own] = alike;
  for (let i = first; i < end; i++) {
    const chosen = ORDERS[at + i];
    let isTried = false;
    for (let j = first; j < i && !isTried; j++) isTried = isExchangeable(ORDERS[at + j], chosen);
    if (isTried) continue;
    for (let j = 0; j < ELEMENTS; j++) { ORDER[j] = ORDERS[at + j]; COLOUR[j] = COLOURS[at + j]; }
    alike = ALIKES[own] - 1;
    ORDER[i] = ORDER[first];
    ORDER[first] = chosen;
    for (let j = first + 1; j < end; j++) COLOUR[ORDER[j]] = first + 1;
    refine();
    setApart();
  }
  level = own;
}
/** Everything is told apart: is it less than what was found before? */
function consider() {
  ticks += STATE_WORDS; ${TICK}
  rename();
  permute(candidate, 0);
  settle(candidate, 0);
  if (hasBest) {
    let k = 0;
    while (k < STATE_WORDS && candidate[k] === best[k]) k++;
    if (k === STATE_WORDS || candidate[k] > best[k]) return;
  }
  hasBest = true;
  for (let k = 0; k < STATE_WORDS; k++) best[k] = candidate[k];
}
/** Is the state the same after the two have changed places? */
function isExchangeable(a, b) {
  ticks += STATE_WORDS; ${TICK}
  for (let i = 0; i < RENAMED.length; i++) RENAMED[i] = i - FIRSTS[SET_OF[i]];
  const own = RENAMED[a];
  RENAMED[a] = RENAMED[b];
  RENAMED[b] = own;
  permute(candidate, 0);
  settle(candidate, 0);
  for (let k = 0; k < STATE_WORDS; k++) if (candidate[k] !== u[k]) return false;
  return true;
}`;
