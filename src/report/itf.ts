/**
 * A trace in the Informal Trace Format of Apalache and Quint (Apalache's ADR 015): one object of values per state.
 *
 * Values are texts in a trace. Integers, Booleans and lists of such become values of the format, if their text can be restored;
 * other texts stay strings. Reading accepts all values of the format and writes them in the same notation.
 */
import type { Narrative } from "./narrative.js";
import { version } from "./version.js";

export interface ItfTrace {
  readonly "#meta": Readonly<Record<string, unknown>>;
  readonly vars: readonly string[];
  readonly states: readonly ItfState[];
  /** The state to which a lasso returns. */
  readonly loop?: number;
}

export type ItfState = Readonly<Record<string, unknown>>;

/** Requires every step of the trace. */
export function renderItf(trace: Narrative, file: string): string {
  const states = statesOf(trace);
  const vars = [...new Set(states.flatMap((values) => [...values.keys()]))];
  const meta = {
    format: "ITF",
    "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
    description: `Created by Everypath ${version}`,
    source: file,
    schedule: trace.schedule,
    ...(trace.test === undefined ? {} : { test: trace.test }),
  };
  const itf: ItfTrace = {
    "#meta": meta,
    vars,
    states: states.map((values, index) => ({ "#meta": stepMeta(trace, index), ...itfState(values, vars) })),
    ...(trace.loopStart === undefined ? {} : { loop: trace.loopStart }),
  };
  return `${JSON.stringify(itf, null, 1)}\n`;
}

/** Before each step, and after the last one. */
function statesOf(trace: Narrative): ReadonlyMap<string, string>[] {
  let values = new Map(trace.initial.map(({ name, value }) => [name, value]));
  const states = [values];
  for (const { changes } of trace.steps) {
    values = new Map(values);
    for (const [name, value] of changes)
      if (value === null) values.delete(name);
      else values.set(name, value);
    states.push(values);
  }
  return states;
}

function stepMeta({ steps }: Narrative, index: number): Readonly<Record<string, unknown>> {
  const step = steps[index - 1];
  return step ? { index, participants: step.participants, action: step.action } : { index };
}

/** The format gives every variable a value in every state. */
const itfState = (values: ReadonlyMap<string, string>, vars: readonly string[]): ItfState =>
  Object.fromEntries(vars.map((name) => [name, itfValue(values.get(name) ?? ABSENT)]));

/** Value of a variable that does not exist in a state, such as a local variable of a process that has ended. */
export const ABSENT = "(absent)";

/** `textOf(itfValue(text))` is `text`. */
export function itfValue(text: string): unknown {
  if (isInteger(text)) return { "#bigint": text };
  if (text === "true" || text === "false") return text === "true";
  const parts = partsOf(text);
  if (!parts) return text;
  const list = parts.map(itfValue);
  return textOf(list) === text ? list : text;
}

const isInteger = (text: string): boolean => /^(0|-?[1-9]\d*)$/.test(text);

/** The elements of `[a, [b, c]]`; undefined for other texts. */
function partsOf(text: string): string[] | undefined {
  if (!/^\[.*\]$/s.test(text)) return undefined;
  const inside = text.slice(1, -1);
  if (inside === "") return [];
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < inside.length; at++) {
    const character = inside.charAt(at);
    if ("[({".includes(character)) depth++;
    else if ("])}".includes(character)) depth--;
    if (depth < 0) return undefined;
    if (depth > 0 || !inside.startsWith(", ", at)) continue;
    parts.push(inside.slice(start, at));
    start = at + 2;
  }
  return depth === 0 ? [...parts, inside.slice(start)] : undefined;
}

/** The text of a value, as traces show it; undefined for values that the format could not serialise. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return listText(value, "[", "]");
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const { "#bigint": integer, "#tup": tuple, "#set": set, "#map": map } = fields;
  if (typeof integer === "string") return isInteger(integer) ? integer : undefined;
  if (Array.isArray(tuple)) return listText(tuple, "(", ")");
  if (Array.isArray(set)) return listText(set, "{", "}");
  if (Array.isArray(map)) return pairsText(map.map((pair) => (Array.isArray(pair) ? pair : [])));
  if (Object.keys(fields).some((name) => name.startsWith("#"))) return undefined;
  return pairsText(Object.entries(fields));
}

function listText(values: readonly unknown[], open: string, close: string): string | undefined {
  const texts = values.map(textOf);
  return texts.includes(undefined) ? undefined : `${open}${texts.join(", ")}${close}`;
}

function pairsText(pairs: readonly (readonly unknown[])[]): string | undefined {
  const texts = pairs.map(([key, value]) => [textOf(key), textOf(value)] as const);
  if (texts.some(([key, value]) => key === undefined || value === undefined)) return undefined;
  return `{${texts.map(([key, value]) => `${key}: ${value}`).join(", ")}}`;
}
