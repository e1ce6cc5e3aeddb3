/** States with other names for the elements of scalarsets, the obvious way: on value trees. */
import type { Words } from "../../model/index.js";
import { isSimple, type RuleProgram, type RuleType, type SimpleType } from "../../model/rules.js";
import { Codec } from "./interpreter/codec.js";
import type { Value } from "./interpreter/index.js";
import { layOutRules } from "./layout.js";

/** By scalarset: the image of each element; absent scalarsets keep their names. */
export type Renaming = ReadonlyMap<number, readonly number[]>;

export class Renamer {
  readonly #program: RuleProgram;
  readonly #codec: Codec;

  constructor(program: RuleProgram) {
    this.#program = program;
    this.#codec = new Codec(program, layOutRules(program));
  }

  /** The state from which the start is chosen has no names in it. */
  isRoot(state: Words): boolean {
    return this.#codec.isRoot(state, 0);
  }

  renamed(state: Words, renaming: Renaming): Words {
    const values = this.#codec.read(state, 0);
    return this.write(this.#program.variables.map(({ type }, i) => rename(values[i]!, type, renaming)));
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
