/** Of `vitest-equality.js`, as far as it is used. */
type Tester = (a: unknown, b: unknown, testers: Tester[]) => boolean | undefined;

export function equals(a: unknown, b: unknown, testers?: readonly Tester[], isStrict?: boolean): boolean;
export const iterableEquality: Tester;
export const subsetEquality: Tester;
export const typeEquality: Tester;
export const sparseArrayEquality: Tester;
export const arrayBufferEquality: Tester;
export function isAsymmetric(value: unknown): value is Asymmetric;
export function isError(value: unknown): boolean;

/** Decides itself what it equals: `expect.any(Number)`. */
export interface Asymmetric {
  asymmetricMatch(other: unknown, testers?: readonly Tester[]): boolean;
}

interface Made<A extends unknown[]> {
  new (...args: A): Asymmetric;
}

export const Any: Made<[type: unknown]>;
export const Anything: Made<[]>;
export const ArrayContaining: Made<[part: unknown, isNot?: boolean]>;
export const CloseTo: Made<[value: unknown, digits?: number, isNot?: boolean]>;
export const ObjectContaining: Made<[part: unknown, isNot?: boolean]>;
export const StringContaining: Made<[part: unknown, isNot?: boolean]>;
export const StringMatching: Made<[pattern: unknown, isNot?: boolean]>;
