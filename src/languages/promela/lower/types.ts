/** Maps Promela's types to types of the program: width and display. */
import type { ArrayType, Display, RecordType, Rules, ScalarType, Type } from "../../../model/program.js";
import type { ModelInfo, ValueType, VariableSymbol } from "../check.js";

/** Facts that types depend on besides their name. */
export interface TypeFacts {
  readonly info: ModelInfo;
  readonly rules: Rules;
}

export function variableType(symbol: VariableSymbol, facts: TypeFacts): Type {
  if (symbol.size === undefined) return elementType(symbol, facts, symbol.visibility === "hidden");
  const array: ArrayType = { kind: "array", element: elementType(symbol, facts, true), length: symbol.size };
  return array;
}

/**
 * Spin's verifier packs single bits, but stores elements of a bit array (and hidden variables) in bytes, which keep
 * larger values: `isWhole`.
 */
export function scalarType(type: ValueType, facts: TypeFacts, isWhole = false): ScalarType {
  const make = (bits: number, signed: boolean, display: Display): ScalarType => ({
    kind: "scalar",
    bits,
    signed,
    display,
  });
  switch (type.kind) {
    case "bit":
      return make(isWhole ? 8 : 1, false, { kind: "number" });
    case "bool":
      return make(isWhole ? 8 : 1, false, { kind: "bool" });
    case "unsigned":
      return make(isWhole ? 8 : type.bits, false, { kind: "number" });
    case "byte":
      return make(8, false, { kind: "number" });
    case "pid":
      return make(bitsFor(facts.rules.maxProcesses), false, { kind: "pid" });
    case "chan":
      return make(bitsFor(facts.rules.maxChannels), false, { kind: "channel" });
    case "mtype":
      return make(8, false, { kind: "names", names: mtypeNames(type.subtype, facts.info) });
    case "short":
      return make(16, true, { kind: "number" });
    case "int":
      return make(32, true, { kind: "number" });
    case "record":
      throw new Error(`the record ${type.typedef.name} is not a scalar`);
  }
}

export const displayOf = (type: ValueType | undefined, facts: TypeFacts): Display =>
  !type || type.kind === "record" ? { kind: "number" } : scalarType(type, facts).display;

/** A byte, as in Spin, unless the user raised the limit. */
const bitsFor = (limit: number): number => (limit > 255 ? 16 : 8);

function elementType(symbol: VariableSymbol, facts: TypeFacts, isWhole: boolean): ScalarType | RecordType {
  const { type } = symbol;
  if (type.kind !== "record") return scalarType(type, facts, isWhole);
  const fields = type.typedef.fields.map((field) => ({ name: field.name, type: variableType(field, facts) }));
  return { kind: "record", name: type.typedef.name, fields };
}

/** One map per subtype, shared by equal types. */
function mtypeNames(subtype: string | undefined, info: ModelInfo): ReadonlyMap<number, string> {
  const bySubtype = namesOf.get(info) ?? new Map<string, ReadonlyMap<number, string>>();
  namesOf.set(info, bySubtype);
  const known = bySubtype.get(subtype ?? "");
  if (known) return known;
  const symbols = [...info.mtypes.values()].filter((symbol) => symbol.subtype === subtype);
  const names = new Map(symbols.map((symbol) => [symbol.value, symbol.name]));
  bySubtype.set(subtype ?? "", names);
  return names;
}

const namesOf = new WeakMap<ModelInfo, Map<string, ReadonlyMap<number, string>>>();
