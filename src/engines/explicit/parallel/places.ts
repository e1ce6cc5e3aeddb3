/**
 * Arrays in transit between threads. Arrays in the memory of step code travel as offsets: each thread has its own views of
 * that memory, and must identify the arrays in it.
 */
import type { PlacedArray, StepMemory } from "../../../step/index.js";

/** Marks a place, in a copy of a message. */
interface Placed {
  readonly placed: PlacedArray;
}

/** A copy of plain data, with the places of its arrays. */
export function sent<T>(message: T, memory: StepMemory): T {
  return mapped(message, (value) => {
    if (!(value instanceof Int32Array) || !memory.isOwn(value)) return undefined;
    return { placed: { address: memory.addressOf(value), length: value.length } } satisfies Placed;
  });
}

/** And back. */
export function received<T>(message: T, memory: StepMemory): T {
  return mapped(message, (value) => (isPlaced(value) ? memory.at(value.placed) : undefined));
}

const isPlaced = (value: unknown): value is Placed =>
  typeof value === "object" && value !== null && "placed" in value;

/** Replaces values by `replace`, outermost first. */
function mapped<T>(value: T, replace: (value: unknown) => unknown): T {
  const other = replace(value);
  if (other !== undefined) return other as T;
  if (Array.isArray(value)) return value.map((element: unknown) => mapped(element, replace)) as T;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, replace)])) as T;
}
