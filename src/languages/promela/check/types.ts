import type { TypedefSymbol, ValueType, VariableSymbol } from "../check.js";

export const INT: ValueType = { kind: "int" };
export const BOOL: ValueType = { kind: "bool" };
export const PID: ValueType = { kind: "pid" };

export function describeType(type: ValueType): string {
  switch (type.kind) {
    case "unsigned":
      return `unsigned : ${type.bits}`;
    case "mtype":
      return type.subtype ? `mtype:${type.subtype}` : "mtype";
    case "record":
      return type.typedef.name;
    default:
      return type.kind;
  }
}

/** The message fields of a type: a record expands to its fields, an array to its elements. */
export function flatten(type: ValueType): ValueType[] {
  if (type.kind !== "record") return [type];
  return type.typedef.fields.flatMap((field) => {
    const one = flatten(field.type);
    return field.size === undefined ? one : Array.from({ length: field.size }, () => one).flat();
  });
}

export function flattenedLength(type: ValueType): number {
  if (type.kind !== "record") return 1;
  return type.typedef.fields.reduce((sum, field) => sum + flattenedLength(field.type) * (field.size ?? 1), 0);
}

/** An array field at any depth, which cannot be passed as a parameter. */
export function findArray(typedef: TypedefSymbol, ofRecords: boolean): VariableSymbol | undefined {
  for (const field of typedef.fields) {
    const isRecord = field.type.kind === "record";
    if (field.size !== undefined && (!ofRecords || isRecord)) return field;
    const inner = field.type.kind === "record" ? findArray(field.type.typedef, ofRecords) : undefined;
    if (inner) return inner;
  }
  return undefined;
}
