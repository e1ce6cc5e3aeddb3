/**
 * Narrows states to observed ranges.
 *
 * A `byte` that only ever holds 0…3 needs two bits, and if process 3 is always a client, its fields have fixed positions.
 * Ranges are unknown beforehand but can be sampled: `meter.ts` measures states before the search, the layout gives each
 * scalar enough bits for its range, and generated code checks every store and creation. A value that does not fit throws
 * `LayoutExceeded`; the search restarts with a better guess. So only memory, never the answer, depends on the guess.
 *
 * The *leaves* of a program are the scalars of the globals, then of the locals of each planned process (of each template
 * without a plan), then the length, claims and message fields of each channel type, in order. All elements of an array
 * share a leaf. The length counts as a scalar because a channel that never holds more than two messages needs only two
 * slots.
 */
import type { Program, ScalarType, Template, Type } from "../model/index.js";

export interface Guess {
  /** Template of each process by number; undefined: it varies, or planning does not pay. */
  readonly plan: readonly number[] | undefined;
  readonly ranges: Ranges;
}

/** Observed range of each leaf; undefined: unseen, or to keep its declared width. */
export type Ranges = readonly (Range | undefined)[];

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Storage of a scalar: value = stored number + `base`. */
export interface Storage {
  readonly bits: number;
  readonly signed: boolean;
  readonly base: number;
}

/** Facts about a variable beside its range. */
export interface Habits {
  /** No step writes it. */
  readonly isConstant?: boolean;
  /** Written at creation, so that the previous zero is never seen. */
  readonly isSet?: boolean;
}

/** Narrowed storage for a scalar, or undefined if the declared one is as good. */
export function storageFor(
  type: ScalarType,
  range: Range | undefined,
  { isConstant = false, isSet = false }: Habits,
): Storage | undefined {
  // sound: test/compile/conditions.test.ts
  if (!range || range.low < 0) return undefined;
  // sound: test/compile/conditions.test.ts
  if (isConstant && range.low === range.high) return { bits: 0, signed: false, base: range.low };
  // sound: test/compile/conditions.test.ts
  const base = isSet ? range.low : 0;
  // sound: test/compile/conditions.test.ts
  const bits = range.high === base ? 0 : 32 - Math.clz32(range.high - base);
  return bits < type.bits ? { bits, signed: false, base } : undefined;
}

export function leafCount(type: Type): number {
  switch (type.kind) {
    case "scalar":
      return 1;
    case "array":
      return leafCount(type.element);
    case "record":
      return type.fields.reduce((n, f) => n + leafCount(f.type), 0);
  }
}

/** First leaf of each global, of each local of each record (process or template), of each channel type (see `Leaf`). */
export interface LeafNumbers {
  readonly globals: readonly number[];
  readonly records: readonly (readonly number[])[];
  readonly channels: readonly number[];
  /** First leaf of each record, then the end of the last. */
  readonly starts: readonly number[];
  readonly count: number;
}

/** Leaves of a channel type, relative to its first. */
export const Leaf = { length: 0, claims: 1, fields: 2 } as const;

export function numberLeaves(program: Program, plan: readonly number[] | undefined): LeafNumbers {
  let count = 0;
  // Equal channel types share their leaves, so that narrowing keeps them equal.
  const alike = new Map<string, number>();
  const next = (leaves: number): number => (count += leaves) - leaves;
  const starts: number[] = [];
  const record = (template: Template): number[] => {
    starts.push(count);
    return template.locals.map((v) => next(leafCount(v.type)));
  };
  const globals = program.globals.map((v) => next(leafCount(v.type)));
  const records = plan ? plan.map((t) => record(program.templates[t]!)) : program.templates.map(record);
  starts.push(count);
  const channels = program.channelTypes.map((c) => {
    const key = `${c.capacity}:${c.fields.map((f) => `${f.bits}${f.signed ? "s" : "u"}`).join()}`;
    if (!alike.has(key)) alike.set(key, next(Leaf.fields + c.fields.length));
    return alike.get(key)!;
  });
  return { globals, records, channels, starts, count };
}

/**
 * Enlarges one leaf, which `value` did not fit, and the same leaf of other processes of its template, which will likely
 * need it.
 */
export function withMoreRoom(program: Program, { plan, ranges }: Guess, leaf: number, value: number): Guess {
  const range = ranges[leaf];
  const room = range && union(widened(range), { low: value, high: value });
  const better = [...ranges];
  for (const other of sameLeaves(program, plan, leaf)) better[other] = room && union(room, ranges[other]);
  return { plan, ranges: better };
}

/**
 * Enlarges every scalar that steps write: after several misfits the sample was unrepresentative, and each restart costs
 * more than some bits. Leaves arrays unchanged, which may have hundreds of elements.
 */
export function withMoreRoomForAll(program: Program, { plan, ranges }: Guess, constant: Constants): Guess {
  const { globals, records } = numberLeaves(program, plan);
  const better = [...ranges];
  const widen = ({ type }: { readonly type: Type }, leaf: number, isConstant: boolean): void => {
    const range = ranges[leaf];
    if (type.kind === "scalar" && !isConstant && range) better[leaf] = widened(range);
  };
  program.globals.forEach((v, g) => widen(v, globals[g]!, constant.constantGlobals.has(g)));
  records.forEach((leaves, p) => {
    const t = plan?.[p] ?? p;
    const { locals } = program.templates[t]!;
    locals.forEach((v, k) => widen(v, leaves[k]!, constant.constantLocals[t]!.has(k)));
  });
  return { plan, ranges: better };
}

interface Constants {
  readonly constantGlobals: ReadonlySet<number>;
  /** By template. */
  readonly constantLocals: readonly ReadonlySet<number>[];
}

/** The leaf, and the same variable of the other planned processes of its template. */
function sameLeaves(program: Program, plan: readonly number[] | undefined, leaf: number): number[] {
  if (!plan) return [leaf];
  const { starts } = numberLeaves(program, plan);
  const own = plan.findIndex((_, p) => leaf >= starts[p]! && leaf < starts[p + 1]!);
  if (own < 0) return [leaf];
  return plan.flatMap((t, p) => (t === plan[own] ? [leaf - starts[own]! + starts[p]!] : []));
}

/** Two more bits; beyond a limit, the declared width. */
function widened({ low, high }: Range): Range | undefined {
  return high >= 2 ** 24 ? undefined : { low: Math.min(low, 0), high: 4 * high + 3 };
}

/** The guess after creation of the unplanned process number `process` of that template. */
export function withProcess(program: Program, guess: Guess, process: number, template: number): Guess {
  const { plan, ranges } = guess;
  if (!plan || process !== plan.length) return withoutPlan(program, guess);
  const { starts } = numberLeaves(program, plan);
  const end = starts[plan.length]!;
  const like = rangesOfTemplate(program, guess, template);
  return { plan: [...plan, template], ranges: [...ranges.slice(0, end), ...like, ...ranges.slice(end)] };
}

function withoutPlan(program: Program, guess: Guess): Guess {
  if (!guess.plan) return guess;
  const { starts } = numberLeaves(program, guess.plan);
  return {
    plan: undefined,
    ranges: [
      ...guess.ranges.slice(0, starts[0]),
      ...program.templates.flatMap((_, t) => rangesOfTemplate(program, guess, t)),
      ...guess.ranges.slice(starts[guess.plan.length]),
    ],
  };
}

/** Joint ranges of all planned processes of a template. */
function rangesOfTemplate(program: Program, { plan, ranges }: Guess, template: number): Ranges {
  const { starts } = numberLeaves(program, plan);
  const own = plan!.flatMap((t, p) => (t === template ? [ranges.slice(starts[p], starts[p + 1])] : []));
  const leaves = program.templates[template]!.locals.reduce((n, v) => n + leafCount(v.type), 0);
  return Array.from({ length: leaves }, (_, i) =>
    own.length === 0 ? undefined : own.map((r) => r[i]).reduce(union),
  );
}

export const union = (a: Range | undefined, b: Range | undefined): Range | undefined =>
  a && b && { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
