/** Renaming the obvious way: on value trees, by every permutation. */
import { Codec } from "../../../src/compile/rules/interpreter/codec.js";
import type { Value } from "../../../src/compile/rules/interpreter/index.js";
import { layOutRules } from "../../../src/compile/rules/layout.js";
import type { Words } from "../../../src/model/index.js";
import { isSimple, type RuleProgram, type RuleType, type SimpleType } from "../../../src/model/rules.js";

/** By scalarset, where each element goes. */
export type Renaming = ReadonlyMap<number, readonly number[]>;

export class Orbits {
  readonly renamings: readonly Renaming[];
  readonly #program: RuleProgram;
  readonly #codec: Codec;

  constructor(program: RuleProgram, scalarsets: readonly number[]) {
    this.#program = program;
    this.#codec = new Codec(program, layOutRules(program));
    this.renamings = scalarsets.reduce<Renaming[]>(
      (all, scalarset) =>
        all.flatMap((before) =>
          permutations(program.scalarsets[scalarset]!.size).map(
            (permutation) => new Map([...before, [scalarset, permutation]]),
          ),
        ),
      [new Map()],
    );
  }

  /** The same for all states of an orbit, and for no other. */
  nameOf(state: Words): string {
    return this.renamings.map((renaming) => this.renamed(state, renaming).join()).sort()[0]!;
  }

  renamed(state: Words, renaming: Renaming): Words {
    const values = this.#codec.read(state, 0);
    const words = new Int32Array(state.length);
    const renamed = this.#program.variables.map(({ type }, i) => rename(values[i]!, type, renaming));
    this.#codec.write(renamed, words, 0);
    return words;
  }

  /** A state with these values. */
  write(values: readonly Value[]): Words {
    const words = new Int32Array(this.#codec.width);
    this.#codec.write(values, words, 0);
    return words;
  }
}

function rename(value: Value, type: RuleType, renaming: Renaming): Value {
  if (value === null) return null;
  if (isSimple(type)) return value === undefined ? undefined : renameSimple(value as number, type, renaming);
  const parts = value as readonly Value[];
  switch (type.kind) {
    case "record":
      return type.fields.map((field, i) => rename(parts[i]!, field.type, renaming));
    case "multiset":
      return parts.map((part) => rename(part, type.element, renaming));
    case "array": {
      const moved: Value[] = [];
      parts.forEach((part, i) => {
        const index = renameSimple(i + type.index.low, type.index, renaming) - type.index.low;
        moved[index] = rename(part, type.element, renaming);
      });
      return moved;
    }
  }
}

function renameSimple(value: number, type: SimpleType, renaming: Renaming): number {
  if (type.kind === "scalarset") return renaming.get(type.scalarset)?.[value] ?? value;
  if (type.kind !== "union") return value;
  const member = type.members.findLast(({ offset }) => offset <= value)!;
  return renameSimple(value - member.offset, member.type, renaming) + member.offset;
}

function permutations(size: number): number[][] {
  if (size === 0) return [[]];
  return permutations(size - 1).flatMap((shorter) =>
    Array.from({ length: size }, (_, at) => [...shorter.slice(0, at), size - 1, ...shorter.slice(at)]),
  );
}
