/** From the words of a state to value trees and back, as `../layout.ts` lays them out. Multisets are written in the order that stands for the bag. */
import type { Words } from "../../../model/index.js";
import { isSimple, valuesOf, type RuleProgram, type RuleType } from "../../../model/rules.js";
import type { BitPlace, LayoutNode, RuleLayout } from "../layout.js";
import type { Value } from "./values.js";

export class Codec {
  readonly #program: RuleProgram;
  readonly #layout: RuleLayout;

  constructor(program: RuleProgram, layout: RuleLayout) {
    this.#program = program;
    this.#layout = layout;
  }

  get width(): number {
    return this.#layout.words;
  }

  isRoot(words: Words, at: number): boolean {
    return codeAt(words, at, this.#layout.started) === 0; // sound: test/compile/rules/conditions.test.ts
  }

  read(words: Words, at: number): Value[] {
    let leaf = 0;
    const next = (): number => codeAt(words, at, this.#layout.leaves[leaf++]!);
    return this.#program.variables.map(({ type }) => decode(type, next));
  }

  write(state: readonly Value[], words: Words, at: number): void {
    const { layout: codes, started } = { layout: this.#layout, started: this.#layout.started };
    words.fill(0, at, at + this.width);
    const all = this.#program.variables.flatMap(({ type }, i) => encode(type, state[i], codes.variables[i]!));
    all.forEach((code, leaf) => {
      put(words, at, this.#layout.leaves[leaf]!, code);
    });
    put(words, at, started, 1);
  }
}

const codeAt = (words: Words, at: number, { word, shift, bits }: BitPlace): number =>
  bits === 32 ? words[at + word]! >>> 0 : (words[at + word]! >>> shift) & (2 ** bits - 1); // sound: test/compile/rules/conditions.test.ts

function put(words: Words, at: number, { word, shift }: BitPlace, code: number): void {
  words[at + word]! |= code << shift;
}

function decode(type: RuleType, next: () => number): Value {
  switch (type.kind) {
    case "record":
      return type.fields.map((field) => decode(field.type, next));
    case "array":
      return Array.from({ length: valuesOf(type.index) }, () => decode(type.element, next));
    case "multiset":
      return Array.from({ length: type.bound }, () => {
        const isPresent = next() !== 0; // sound: test/compile/rules/conditions.test.ts
        const element = decode(type.element, next);
        return isPresent ? element : null; // sound: test/compile/rules/conditions.test.ts
      });
    default: {
      const code = next();
      return code === 0 ? undefined : code - 1 + type.low; // sound: test/compile/rules/conditions.test.ts
    }
  }
}

/** Codes in the order of leaves. */
function encode(type: RuleType, value: Value | undefined, node: LayoutNode): number[] {
  if (isSimple(type)) return [value === undefined ? 0 : (value as number) - type.low + 1]; // sound: test/compile/rules/conditions.test.ts
  const parts = value as Value[];
  if (type.kind === "record" && node.kind === "record")
    return type.fields.flatMap((field, i) => encode(field.type, parts[i], node.fields[i]!));
  if (type.kind === "array" && node.kind === "array")
    return parts.flatMap((part) => encode(type.element, part, node.element));
  if (type.kind === "multiset" && node.kind === "multiset") return encodeBag(type.element, parts, node);
  throw new Error("the layout is of another program");
}

/** The greatest first. Elements in one word are compared as one number, in which the last part counts most. */
function encodeBag(
  type: RuleType,
  parts: readonly Value[],
  node: LayoutNode & { kind: "multiset" },
): number[] {
  const isOneNumber = node.presence.column.stride > 1; // sound: test/compile/rules/conditions.test.ts
  const elements = parts
    // sound: test/compile/rules/conditions.test.ts
    .filter((part) => part !== null)
    .map((part) => [1, ...encode(type, part, node.element)])
    .sort((a, b) => (isOneNumber ? compare(b.toReversed(), a.toReversed()) : compare(b, a)));
  const absent = Array.from({ length: node.element.leafCount + 1 }, () => 0);
  return Array.from({ length: node.length }, (_, i) => elements[i] ?? absent).flat(); // sound: test/compile/rules/conditions.test.ts
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((code, i) => code !== b[i]); // sound: test/compile/rules/conditions.test.ts
  return at < 0 ? 0 : a[at]! - b[at]!;
}
