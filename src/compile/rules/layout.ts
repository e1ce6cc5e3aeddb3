/**
 * Positions of a `RuleProgram`'s values in a state.
 *
 * A simple value takes the bits it needs: 0 is undefined, `value - low + 1` everything else (its *code*). Values that differ
 * only in the indices by which they are reached are a *column*: they are adjacent, so that a computed index is a computed
 * shift, and no value straddles two words. A column that does not fit into one word takes a power of two of values in each.
 * The elements of a multiset are together, a presence bit first.
 *
 * One more bit distinguishes real states from the root, which is all zeros.
 *
 * Parts are numbered in reading order (records field by field, arrays element by element): references to places are passed on
 * as *leaf numbers*.
 */
import type { Span } from "../../model/diagnostic.js";
import { isSimple, valuesOf, type RuleProgram, type RuleType, type SimpleType } from "../../model/rules.js";

export interface RuleLayout {
  /** Words in a state. */
  readonly words: number;
  /** Set in every state but the root. */
  readonly started: BitPlace;
  readonly variables: readonly LayoutNode[];
  readonly columns: readonly Column[];
  /** By leaf number. */
  readonly leaves: readonly BitPlace[];
}

export interface BitPlace {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
}

/** A type with places for its parts. `firstLeaf`: with all enclosing indices 0. */
export type LayoutNode =
  | SimpleNode
  | {
      readonly kind: "record";
      readonly fields: readonly LayoutNode[];
      readonly firstLeaf: number;
      readonly leafCount: number;
    }
  | {
      readonly kind: "array";
      readonly element: LayoutNode;
      readonly length: number;
      readonly firstLeaf: number;
      readonly leafCount: number;
    }
  | {
      readonly kind: "multiset";
      /** With the presence bit as a leaf before its own. */
      readonly element: LayoutNode;
      readonly length: number;
      readonly presence: SimpleNode;
      readonly firstLeaf: number;
      readonly leafCount: number;
    };

export interface SimpleNode {
  readonly kind: "simple";
  readonly type: SimpleType;
  readonly firstLeaf: number;
  readonly leafCount: 1;
  readonly column: Column;
}

/** Of a presence bit: undefined is absent, its only value is present. */
export const PRESENCE: SimpleType = { kind: "range", low: 0, high: 0 };

/** Value `ordinal` is in word `word + (ordinal >>> perWordBits)` at bit `shift + (ordinal & (2 ** perWordBits - 1)) * stride`. */
export interface Column {
  readonly bits: number;
  /** Sizes of the enclosing arrays and multisets, the outermost first. */
  readonly dimensions: readonly number[];
  readonly stride: number;
  /** More than the column has if all fit into one word. */
  readonly perWordBits: number;
  readonly word: number;
  readonly shift: number;
}

/** A state that would need more words than can be searched, a value that does not fit into one, a rule of too many instances. */
export class TooLarge extends Error {
  constructor(
    message: string,
    readonly span?: Span,
  ) {
    super(message);
  }
}

export const ALL_IN_ONE_WORD = 31;

export function layOutRules(program: RuleProgram): RuleLayout {
  const drafts: Draft[] = [];
  let leaf = 0;
  const variables = program.variables.map(({ type }) => {
    const node = draftNode(type, leaf, [], drafts);
    leaf += node.leafCount;
    return node;
  });
  if (leaf > MOST_LEAVES) throw new TooLarge(`a state of ${leaf} values`);
  const started: Draft = draftOf(1, []);
  const words = place([...drafts, started]);
  return {
    words,
    started: bitPlace(started.column, 0),
    variables,
    columns: drafts.map((draft) => draft.column),
    leaves: variables.flatMap((node) => [...leafPlaces(node)]),
  };
}

export function bitPlace({ word, shift, bits, stride, perWordBits }: Column, ordinal: number): BitPlace {
  const inWord = perWordBits === ALL_IN_ONE_WORD ? ordinal : ordinal & ((1 << perWordBits) - 1); // sound: test/compile/rules/conditions.test.ts
  const beyond = perWordBits === ALL_IN_ONE_WORD ? 0 : ordinal >>> perWordBits; // sound: test/compile/rules/conditions.test.ts
  return { word: word + beyond, shift: shift + inWord * stride, bits };
}

/** Distance of values whose indices in that dimension differ by one. */
export const ordinalStride = ({ dimensions }: Column, dimension: number): number =>
  dimensions.slice(dimension + 1).reduce((product, length) => product * length, 1);

export function bitsFor(type: SimpleType): number {
  const values = valuesOf(type);
  const bits = Math.ceil(Math.log2(values + 1));
  if (bits > 32) throw new TooLarge(`a variable with ${values} values`); // sound: test/compile/rules/conditions.test.ts
  return bits;
}

/** Number of parts of a value; each element of a multiset adds a presence part. */
export function leavesIn(type: RuleType): number {
  switch (type.kind) {
    case "record":
      return type.fields.reduce((sum, field) => sum + leavesIn(field.type), 0);
    case "array":
      return valuesOf(type.index) * leavesIn(type.element);
    case "multiset":
      return type.bound * (1 + leavesIn(type.element));
    default:
      return 1;
  }
}

/** More would not fit into any search, and would make absurdly long code. */
export const MOST_LEAVES = 1_000_000;

/** A column not yet placed; columns with a leader have a fixed offset from it. */
interface Draft {
  readonly column: Mutable<Column>;
  readonly count: number;
  readonly members: { readonly draft: Draft; readonly offset: number }[];
  isMember: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function draftOf(bits: number, dimensions: readonly number[]): Draft {
  const column = { bits, dimensions, stride: bits, perWordBits: 0, word: 0, shift: 0 };
  const count = dimensions.reduce((product, length) => product * length, 1);
  return { column, count, members: [], isMember: false };
}

function draftNode(
  type: RuleType,
  firstLeaf: number,
  dimensions: readonly number[],
  drafts: Draft[],
): LayoutNode {
  if (isSimple(type)) {
    const draft = draftOf(bitsFor(type), dimensions);
    drafts.push(draft);
    return { kind: "simple", type, firstLeaf, leafCount: 1, column: draft.column };
  }
  switch (type.kind) {
    case "record": {
      let next = firstLeaf;
      const fields = type.fields.map((field) => {
        const node = draftNode(field.type, next, dimensions, drafts);
        next += node.leafCount;
        return node;
      });
      return { kind: "record", fields, firstLeaf, leafCount: next - firstLeaf };
    }
    case "array": {
      const length = valuesOf(type.index);
      const element = draftNode(type.element, firstLeaf, [...dimensions, length], drafts);
      return { kind: "array", element, length, firstLeaf, leafCount: length * element.leafCount };
    }
    case "multiset":
      return draftMultiset(type.bound, type.element, firstLeaf, dimensions, drafts);
  }
}

function draftMultiset(
  length: number,
  type: RuleType,
  firstLeaf: number,
  dimensions: readonly number[],
  drafts: Draft[],
): LayoutNode {
  const draft = draftOf(bitsFor(PRESENCE), [...dimensions, length]);
  drafts.push(draft);
  const first = drafts.length;
  const element = draftNode(type, firstLeaf + 1, [...dimensions, length], drafts);
  joinElements(draft, drafts.slice(first));
  const leafCount = length * (1 + element.leafCount);
  const presence: SimpleNode = {
    kind: "simple",
    type: PRESENCE,
    firstLeaf,
    leafCount: 1,
    column: draft.column,
  };
  return { kind: "multiset", element, length, presence, firstLeaf, leafCount };
}

/** The parts of an element are adjacent if they fit into one word. */
function joinElements(presence: Draft, parts: readonly Draft[]): void {
  const total = parts.reduce((sum, part) => sum + part.column.bits, 1);
  if (total > 32 || parts.some((part) => part.count !== presence.count || part.isMember)) return; // sound: test/compile/rules/conditions.test.ts
  let offset = 1;
  for (const part of parts) {
    presence.members.push({ draft: part, offset });
    part.isMember = true;
    offset += part.column.bits;
  }
  presence.column.stride = total;
}

/** Gives every column its place; the number of words. Long ones first, the others where there is room. */
function place(drafts: readonly Draft[]): number {
  const leaders = drafts.filter((draft) => !draft.isMember);
  const size = ({ column, count }: Draft): number => column.stride * count;
  const isLong = (draft: Draft): boolean => size(draft) > 32; // sound: test/compile/rules/conditions.test.ts
  const free: number[] = [];
  for (const draft of leaders.filter(isLong)) placeLong(draft, free);
  const short = leaders.filter((draft) => !isLong(draft)).sort((a, b) => size(b) - size(a));
  for (const draft of short) placeShort(draft, size(draft), free);
  for (const { column, members } of drafts)
    for (const { draft, offset } of members) {
      const { stride, perWordBits, word, shift } = column;
      Object.assign(draft.column, { stride, perWordBits, word, shift: shift + offset });
    }
  return free.length;
}

/** `free`: of each word the first free bit. */
function placeLong({ column, count }: Draft, free: number[]): void {
  column.perWordBits = Math.floor(Math.log2(Math.floor(32 / column.stride)));
  const perWord = 1 << column.perWordBits;
  column.word = free.length;
  for (let left = count; left > 0; left -= perWord) free.push(Math.min(left, perWord) * column.stride);
}

function placeShort({ column }: Draft, size: number, free: number[]): void {
  let word = free.findIndex((used) => used + size <= 32); // sound: test/compile/rules/conditions.test.ts
  if (word < 0) word = free.push(0) - 1; // sound: test/compile/rules/conditions.test.ts
  Object.assign(column, { perWordBits: ALL_IN_ONE_WORD, word, shift: free[word] });
  free[word]! += size;
}

/** In order of leaf numbers, for the enclosing indices given as an ordinal in each column. */
function* leafPlaces(node: LayoutNode, indices: readonly number[] = []): Generator<BitPlace> {
  switch (node.kind) {
    case "simple":
      yield bitPlace(node.column, ordinalOf(node.column, indices));
      break;
    case "record":
      for (const field of node.fields) yield* leafPlaces(field, indices);
      break;
    case "array":
      for (let i = 0; i < node.length; i++) yield* leafPlaces(node.element, [...indices, i]);
      break;
    case "multiset":
      for (let i = 0; i < node.length; i++) {
        yield* leafPlaces(node.presence, [...indices, i]);
        yield* leafPlaces(node.element, [...indices, i]);
      }
  }
}

/** Which value of its column has these indices. */
export const ordinalOf = (column: Column, indices: readonly number[]): number =>
  indices.reduce((sum, index, dimension) => sum + index * ordinalStride(column, dimension), 0);
