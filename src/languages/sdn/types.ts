/**
 * Types, and the representation of their values at run time.
 *
 * Scalars are numbers: bool 0 or 1, an enum its position, a switch its index, a client its index plus the number of
 * switches (so that any node is one number), `none` a number outside of all ranges. Lists and sets are arrays, sets
 * sorted and without duplicates; a map is the flat array of its values, the last key varying fastest.
 */
import { known, nth } from "../../model/known.js";
import type { Endpoint, PacketData, Rule } from "../../model/network.js";

export type Type =
  | {
      readonly kind: "bool" | "port" | "rule" | "packet" | "location" | "visited" | "none" | "void" | "wrong";
    }
  | { readonly kind: "int"; readonly low: number; readonly high: number }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "node"; readonly of: "client" | "switch" | "any" }
  | { readonly kind: "set" | "list"; readonly of: Type }
  | { readonly kind: "map"; readonly keys: readonly Type[]; readonly of: Type };

export type Value = number | readonly Value[] | Rule | PacketValue;

export interface PacketValue {
  readonly data: PacketData;
  readonly at: Endpoint;
}

/** Properties of the network that types depend on: nodes, and ports in use. */
export interface Nodes {
  readonly switchNames: readonly string[];
  readonly clientNames: readonly string[];
  readonly highestPort: number;
}

export const INT: Type = { kind: "int", low: -Infinity, high: Infinity };
export const BOOL: Type = { kind: "bool" };
export const WRONG: Type = { kind: "wrong" };
export const NONE = -(2 ** 31);

/** All values of a finite scalar type; undefined for others. */
export function domainOf(type: Type, nodes: Nodes): readonly number[] | undefined {
  const { switchNames, clientNames } = nodes;
  switch (type.kind) {
    case "bool":
      return [0, 1];
    case "int":
      return Number.isFinite(type.low) ? numbers(type.low, type.high) : undefined;
    case "enum":
      return type.values.map((_, i) => i);
    case "port":
      return numbers(0, nodes.highestPort);
    case "node":
      if (type.of === "switch") return switchNames.map((_, i) => i);
      if (type.of === "client") return clientNames.map((_, i) => switchNames.length + i);
      return [...switchNames, ...clientNames].map((_, i) => i);
    default:
      return undefined;
  }
}

const numbers = (low: number, high: number): number[] =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);

/** Whether a value of one type can be used as the other. */
export function fits(type: Type, wanted: Type): boolean {
  if (type.kind === "wrong" || wanted.kind === "wrong") return true;
  const isNumber = (t: Type): boolean => t.kind === "int" || t.kind === "port";
  if (type.kind === "none") return isScalar(wanted);
  if (isNumber(type)) return isNumber(wanted);
  if (type.kind === "node")
    return wanted.kind === "node" && (wanted.of === type.of || wanted.of === "any" || type.of === "any");
  if (type.kind === "enum") return wanted.kind === "enum" && type.values === wanted.values;
  if (type.kind === "list" || type.kind === "set")
    return (wanted.kind === "list" || wanted.kind === "set") && fits(type.of, wanted.of);
  if (type.kind === "map")
    return (
      wanted.kind === "map" &&
      fits(type.of, wanted.of) &&
      type.keys.length === wanted.keys.length &&
      type.keys.every((key, i) => fits(key, nth(wanted.keys, i)))
    );
  return type.kind === wanted.kind;
}

export const isComparable = (a: Type, b: Type): boolean => fits(a, b) || fits(b, a);

export const isScalar = (type: Type): boolean =>
  ["bool", "int", "port", "enum", "node", "none", "wrong"].includes(type.kind);

export function typeName(type: Type): string {
  switch (type.kind) {
    case "int":
      return Number.isFinite(type.low) ? `${type.low}..${type.high}` : "a number";
    case "enum":
      return `enum {${type.values.join(", ")}}`;
    case "node":
      return type.of === "any" ? "a node" : type.of;
    case "set":
    case "list":
      return `${type.kind} of ${typeName(type.of)}`;
    case "map":
      return `map [${type.keys.map(typeName).join(", ")}] of ${typeName(type.of)}`;
    default:
      return type.kind;
  }
}

export function showValue(value: Value, type: Type, nodes: Nodes): string {
  switch (type.kind) {
    case "bool":
      return value === 1 ? "true" : "false";
    case "enum":
      return type.values[value as number] ?? "none";
    case "node":
      return [...nodes.switchNames, ...nodes.clientNames][value as number] ?? "none";
    case "set":
    case "list":
      return `{${(value as readonly Value[]).map((item) => showValue(item, type.of, nodes)).join(", ")}}`;
    case "map": {
      const entries = keyTuples(type.keys, nodes).map((keys, i) => {
        const shown = keys.map((key, k) => showValue(key, nth(type.keys, k), nodes)).join(",");
        return [shown, showValue(nth(value as readonly Value[], i), type.of, nodes)] as const;
      });
      const said = entries.filter(([, text]) => !["none", "false", "{}"].includes(text));
      return `[${said.map(([key, text]) => `${key}: ${text}`).join(", ")}]`;
    }
    default:
      return value === NONE ? "none" : String(value as number);
  }
}

/** Normal form of sets: sorted, without duplicates. */
export const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

/** All tuples of keys, in the order of a map's values. */
export const keyTuples = (keys: readonly Type[], nodes: Nodes): number[][] =>
  keys.reduce<number[][]>(
    (tuples, key) =>
      tuples.flatMap((tuple) =>
        known(domainOf(key, nodes), "the domain of a key").map((value) => [...tuple, value]),
      ),
    [[]],
  );
