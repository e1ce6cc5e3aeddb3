/** The hash of a pair of words: of a node's two parts, or of a root. All 32 bits are good; `mask` keeps some, for tests of collisions. */
export function hashPair(left: number, right: number, mask = ALL): number {
  let hash = Math.imul(left, FIRST);
  hash = Math.imul((hash ^ (hash >>> 15)) + right, SECOND);
  hash = Math.imul(hash ^ (hash >>> 13), THIRD);
  return (hash ^ (hash >>> 16)) & mask;
}

/** The same as an expression's statements: declares `name`. */
export const emitHashPair = (name: string, left: string, right: string, mask = ALL): string => `
let ${name} = Math.imul(${left}, ${FIRST});
${name} = Math.imul((${name} ^ (${name} >>> 15)) + ${right}, ${SECOND});
${name} = Math.imul(${name} ^ (${name} >>> 13), ${THIRD});
${name} ^= ${name} >>> 16;${mask === ALL ? "" : ` ${name} &= ${mask};`}`;

const ALL = -1;

/**
 * Where a pair with that hash belongs among fewer than 2^30 places: in proportion to the hash, by products of 16 bits and without the carry from the
 * lowest of them.
 */
export const homeOf = (hash: number, places: number): number =>
  Math.imul(hash >>> 16, places >>> 16) +
  (Math.imul(hash >>> 16, places & 0xffff) >>> 16) +
  (Math.imul(hash & 0xffff, places >>> 16) >>> 16);

/** The same as an expression. */
export const emitHome = (hash: string, places: string): string =>
  `(Math.imul(${hash} >>> 16, ${places} >>> 16) + (Math.imul(${hash} >>> 16, ${places} & 65535) >>> 16)` +
  ` + (Math.imul(${hash} & 65535, ${places} >>> 16) >>> 16))`;

const FIRST = 0x9e3779b1 | 0;
const SECOND = 0x85ebca6b | 0;
const THIRD = 0xc2b2ae35 | 0;
