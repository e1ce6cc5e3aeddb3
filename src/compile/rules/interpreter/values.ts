/** Values as trees: simple ones are numbers or undefined, records and arrays lists, multisets lists with `null` at free positions. */
import { isSimple, valuesOf, type RuleType } from "../../../model/rules.js";

export type Value = number | undefined | null | Value[];

/** Place of a value: one of these lists, and a position in it. */
export interface Reference {
  readonly holder: Value[];
  readonly key: number;
}

/** Every part undefined, multisets empty. */
export function undefinedValue(type: RuleType): Value {
  switch (type.kind) {
    case "record":
      return type.fields.map((field) => undefinedValue(field.type));
    case "array":
      return Array.from({ length: valuesOf(type.index) }, () => undefinedValue(type.element));
    case "multiset":
      return Array.from({ length: type.bound }, () => null);
    default:
      return undefined;
  }
}

/** Every part with its least value, multisets empty. */
export function clearedValue(type: RuleType): Value {
  switch (type.kind) {
    case "record":
      return type.fields.map((field) => clearedValue(field.type));
    case "array":
      return Array.from({ length: valuesOf(type.index) }, () => clearedValue(type.element));
    case "multiset":
      return undefinedValue(type);
    default:
      return type.low;
  }
}

export const cloneValue = (value: Value): Value => (Array.isArray(value) ? value.map(cloneValue) : value);

/** Are all parts equal, undefined ones included? */
export function isSameValue(a: Value, b: Value): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b; // sound: test/compile/rules/conditions.test.ts
  return a.length === b.length && a.every((part, i) => isSameValue(part, b[i])); // sound: test/compile/rules/conditions.test.ts
}

/** Is every part that is defined a value of its type? */
export function isWithin(value: Value, type: RuleType): boolean {
  if (value === undefined || value === null) return true; // sound: test/compile/rules/conditions.test.ts
  if (isSimple(type)) return (value as number) >= type.low && (value as number) <= type.high; // sound: test/compile/rules/conditions.test.ts
  const parts = value as Value[];
  if (type.kind === "record") return type.fields.every((field, i) => isWithin(parts[i], field.type)); // sound: test/compile/rules/conditions.test.ts
  return parts.every((part) => isWithin(part, type.element)); // sound: test/compile/rules/conditions.test.ts
}
