/** Values and states in words that people read. */
import type { Shown } from "../../../model/index.js";
import { valuesOf, type RuleProgram, type RuleType, type SimpleType } from "../../../model/rules.js";
import type { Value } from "./values.js";

export class Shower {
  readonly #program: RuleProgram;

  constructor(program: RuleProgram) {
    this.#program = program;
  }

  simple(value: number | undefined, type: SimpleType): string {
    if (value === undefined) return "Undefined";
    switch (type.kind) {
      case "boolean":
        return value === 1 ? "true" : "false";
      case "range":
        return `${value}`;
      case "enum":
        return type.members[value]!;
      case "scalarset":
        return `${this.#program.scalarsets[type.scalarset]!.name ?? "scalarset"}_${value}`;
      case "union": {
        const member = type.members.findLast(({ offset }) => offset <= value)!;
        return this.simple(value - member.offset, member.type);
      }
    }
  }

  /** Every simple part by its name, in order. Positions in a multiset count from 0. */
  parts(value: Value, type: RuleType, name: string): readonly Shown[] {
    switch (type.kind) {
      case "record":
        return type.fields.flatMap((field, i) =>
          this.parts((value as Value[])[i], field.type, `${name}.${field.name}`),
        );
      case "array":
        return Array.from({ length: valuesOf(type.index) }, (_, i) =>
          this.parts(
            (value as Value[])[i],
            type.element,
            `${name}[${this.simple(i + type.index.low, type.index)}]`,
          ),
        ).flat();
      case "multiset":
        return (value as Value[]).flatMap((element, i) =>
          element === null ? [] : this.parts(element, type.element, `${name}{${i}}`),
        );
      default:
        return [{ name, value: this.simple(value as number | undefined, type) }];
    }
  }

  /** On one line, for `put`. */
  line(value: Value, type: RuleType, name: string): string {
    return this.parts(value, type, name)
      .map((part) => `${part.name}:${part.value}\n`)
      .join("");
  }

  state(values: readonly Value[]): readonly Shown[] {
    return this.#program.variables.flatMap(({ name, type }, i) => this.parts(values[i], type, name));
  }
}
