/**
 * Properties of nets given on the command line. A target is `p >= 2, q >= 1`; a name with spaces or signs is quoted.
 */
import {
  MOST_TOKENS,
  tokensOf,
  type CoverProperty,
  type MarkingProperty,
  type Net,
  type NetProperty,
} from "../../model/net.js";
import type { Diagnostic, Sources } from "../../model/diagnostic.js";
import { PropertyNames } from "../../model/verdict.js";
import { parseMarkingCondition, placesCalled, type Called } from "./markings.js";

export interface Target {
  readonly property: CoverProperty | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a target, and registers its text under `label` for diagnostics. */
function parseTarget(text: string, label: string, places: readonly Called[], sources: Sources): Target {
  sources.add(label, text);
  const counts = new Map<number, number>();
  const diagnostics: Diagnostic[] = [];
  let start = 0;
  for (const part of text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)) {
    const found = /^\s*(?:"([^"]*)"|([^\s"<>=]+))\s*>=\s*(\d+)\s*$/.exec(part);
    const trimmed = start + (part.length - part.trimStart().length);
    const span = { file: label, start: trimmed, end: Math.max(trimmed, start + part.trimEnd().length) };
    start += part.length + 1;
    const name = found?.[1] ?? found?.[2];
    const digits = found?.[3];
    const count = Number(digits);
    const called = name === undefined ? [] : placesCalled(places, name);
    const place = called[0];
    if (name === undefined)
      diagnostics.push(badTarget(span, `\`${part.trim()}\` is not a condition on a place`));
    else if (place === undefined) diagnostics.push(badTarget(span, `there is no place \`${name}\``));
    // sound: test/session/names.test.ts
    else if (called.length > 1) diagnostics.push(ambiguous(span, name));
    else if (count > MOST_TOKENS) diagnostics.push(badTarget(span, `${digits} is too large`));
    else counts.set(place, Math.max(counts.get(place) ?? 0, count));
  }
  if (diagnostics.length > 0) return { property: undefined, diagnostics };
  const property: CoverProperty = {
    name: text.trim(),
    kind: "coverability",
    span: { file: label, start: 0, end: text.length },
    alternatives: [tokensOf(counts)],
  };
  return { property, diagnostics };
}

function parseInvariant(
  text: string,
  label: string,
  places: readonly Called[],
  sources: Sources,
): { readonly property: MarkingProperty | undefined; readonly diagnostics: readonly Diagnostic[] } {
  sources.add(label, text);
  const span = { file: label, start: 0, end: text.length };
  const condition = parseMarkingCondition(text, span, places);
  if (!("kind" in condition)) return { property: undefined, diagnostics: condition };
  return { property: { name: text.trim(), kind: "invariant", span, condition }, diagnostics: [] };
}

/** Adds properties to a net: targets, invariants, boundedness, deadlock. */
export function withQuestions(
  net: Net,
  { targets, invariants, asksBoundedness, asksDeadlock }: Questions,
  sources: Sources,
): { readonly net: Net; readonly diagnostics: readonly Diagnostic[] } {
  const label = (flag: string, index: number): string => (index === 0 ? flag : `${flag} ${index + 1}`);
  const parsed = [
    ...targets.map((text, i) => parseTarget(text, label("--target", i), net.places, sources)),
    ...invariants.map((text, i) => parseInvariant(text, label("--invariant", i), net.places, sources)),
  ];
  const names = new PropertyNames();
  for (const { name } of net.properties) names.take(name);
  const added = parsed.flatMap(({ property }): NetProperty[] =>
    property ? [{ ...property, name: names.take(property.name) }] : [],
  );
  const bounded = asksBoundedness ? [{ name: "bounded", kind: "boundedness" as const, span: undefined }] : [];
  const deadlock = asksDeadlock ? [{ name: "deadlock", kind: "deadlock" as const, span: undefined }] : [];
  return {
    net: { ...net, properties: [...net.properties, ...added, ...bounded, ...deadlock] },
    diagnostics: parsed.flatMap(({ diagnostics }) => diagnostics),
  };
}

export interface Questions {
  readonly targets: readonly string[];
  readonly invariants: readonly string[];
  readonly asksBoundedness: boolean;
  /** Whether a marking without enabled transitions is an error. */
  readonly asksDeadlock: boolean;
}

const ambiguous = (span: Diagnostic["span"], name: string): Diagnostic => ({
  code: "session/bad-target",
  severity: "error",
  message: `several places are called \`${name}\``,
  span,
  hint: "ask by an id that is no other place's name",
});

const badTarget = (span: Diagnostic["span"], message: string): Diagnostic => ({
  code: "session/bad-target",
  severity: "error",
  message,
  span,
  hint: 'a target is a list such as p >= 2, q >= 1; quote names with spaces: "two words" >= 1',
});
