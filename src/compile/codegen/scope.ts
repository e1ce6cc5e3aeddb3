import type { RecordLayout } from "../layout.js";

/**
 * States that emitted code accesses: `s` is the source state (guards), `w` at `o` the successor under construction
 * (effects). Both have the same layout, so the same emitters serve both.
 */
export interface Scope {
  readonly array: "s" | "w";
  /** Number of the executing process: a literal if known. */
  readonly pid: string;
  /** Origin of `record`, relative to the state: a literal if known, 0 if planned. */
  readonly base: string;
  readonly record: RecordLayout | undefined;
  /** After the first statement of an indivisible step. */
  readonly isInStep?: boolean;
}

/** A word of a state, and a bit in it. */
export interface Position {
  readonly word: string | number;
  readonly shift: string | number;
}

/** The position `bit` bits behind a word. */
export const positionOf = (word: string | number, bit: number): Position => ({
  word: sum(word, bit >> 5),
  shift: bit & 31,
});

/** `bits` further on in the same word. */
export const within = ({ word, shift }: Position, bits: number): Position => ({
  word,
  shift: typeof shift === "number" ? shift + bits : bits === 0 ? shift : sum(shift, bits),
});

/** The sum of word offsets, literals folded: `o + b + 3`. */
export function sum(...terms: readonly (string | number)[]): string {
  let literal = 0;
  const names: string[] = [];
  for (const term of terms) {
    const value = Number(term);
    if (Number.isInteger(value) && term !== "") literal += value;
    else if (term !== "") names.push(String(term));
  }
  if (literal !== 0 || names.length === 0) names.push(String(literal));
  return names.join(" + ");
}

/** `w[o + 3]`: word `offset` of the state. */
export const word = (scope: Scope, ...offset: readonly (string | number)[]): string =>
  `${scope.array}[${scope.array === "w" ? sum("o", ...offset) : sum(...offset)}]`;

export const stateOf = ({ array }: Scope): string => (array === "w" ? "w, o" : "s, 0");

/** The value of a literal, otherwise undefined. */
export const literal = (text: string): number | undefined =>
  /^-?\d+$/.test(text) ? Number(text) : undefined;

/** All ones in the lowest `bits` bits, as a signed literal. */
export const mask = (bits: number): number => (bits >= 32 ? -1 : 2 ** bits - 1) | 0;

/** Reads a field at `shift` (a number, or text) in a word. */
export function extract(wordText: string, shift: number | string, bits: number, signed: boolean): string {
  if (bits === 0) return "0";
  if (bits === 32) return wordText;
  if (typeof shift === "string") {
    const raw = `(${wordText} >>> ${atom(shift)} & ${mask(bits)})`;
    return signed ? `(${raw} << ${32 - bits} >> ${32 - bits})` : raw;
  }
  if (signed) return `(${wordText} << ${32 - shift - bits} >> ${32 - bits})`;
  if (shift === 0) return `(${wordText} & ${mask(bits)})`;
  if (shift + bits === 32) return `(${wordText} >>> ${shift})`;
  return `(${wordText} >>> ${shift} & ${mask(bits)})`;
}

/** Statement that writes a field at `shift` of a word. `value` may have any bits set above. */
export function deposit(wordText: string, shift: number | string, bits: number, value: string): string {
  if (bits === 0) return "";
  if (bits === 32) return `${wordText} = ${value};`;
  if (typeof shift === "string") {
    const by = atom(shift);
    return `${wordText} = ${wordText} & ~(${mask(bits)} << ${by}) | (${value} & ${mask(bits)}) << ${by};`;
  }
  const keep = ~(mask(bits) << shift);
  return `${wordText} = ${wordText} & ${keep} | ${shifted(value, shift, bits)};`;
}

/** Converts a stored number to its value: `raw + 3`. */
export function based(raw: string, base: number): string {
  if (base === 0) return raw;
  return /^-?\d+$/.test(raw)
    ? String(Number(raw) + base)
    : `(${raw} ${base < 0 ? "-" : "+"} ${Math.abs(base)})`;
}

/** `value` truncated to `bits` bits and moved to `shift`. */
export function shifted(value: string, shift: number, bits: number): string {
  const literal = Number(value);
  if (Number.isInteger(literal)) return String((literal & mask(bits)) << shift);
  const cut = bits === 32 || shift + bits === 32 ? value : `(${value} & ${mask(bits)})`;
  return shift === 0 ? cut : `${atom(cut)} << ${shift}`;
}

/** A value as read back from a field of `bits` bits. */
export function truncated(value: string, bits: number, signed: boolean): string {
  const literal = Number(value);
  if (bits === 32) return value;
  if (Number.isInteger(literal)) {
    const cut = literal & mask(bits);
    return String(signed ? (cut << (32 - bits)) >> (32 - bits) : cut);
  }
  return signed ? `(${value} << ${32 - bits} >> ${32 - bits})` : `(${value} & ${mask(bits)})`;
}

const atom = (text: string): string => (/^[\w.]+$|^\(.*\)$/.test(text) ? text : `(${text})`);

/** The source state, outside any process. */
export const SOURCE: Scope = { array: "s", pid: "-1", base: "0", record: undefined };

/** Position of the header of channel `c`. */
export const headerOf = (c: string): Position => ({ word: `QH[${c}]`, shift: `QHB[${c}]` });
