/** Targets given on the command line: `p >= 2, q >= 1`; a name with spaces or signs stands in quotes. */
import { MOST_TOKENS, tokensOf, type CoverProperty, type NetPlace, type Net } from "../../model/net.js";
import type { Diagnostic, Sources } from "../../model/diagnostic.js";

export interface Target {
  readonly property: CoverProperty | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The target and, under a name of its own, its text, so that diagnostics can show it. */
function parseTarget(
  text: string,
  label: string,
  places: readonly (NetPlace & { readonly id?: string })[],
  sources: Sources,
): Target {
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
    const count = Number(found?.[3]);
    const place = places.findIndex((p) => p.name === name || (p.id !== undefined && p.id === name));
    if (name === undefined)
      diagnostics.push(badTarget(span, `\`${part.trim()}\` is no condition on a place`));
    else if (place < 0) diagnostics.push(badTarget(span, `there is no place \`${name}\``));
    else if (count > MOST_TOKENS) diagnostics.push(badTarget(span, `${found![3]} is too large`));
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

/** The net with more properties: a target each, and whether it is bounded. */
export function withQuestions(
  net: Net,
  { targets, asksBoundedness }: Questions,
  sources: Sources,
): { readonly net: Net; readonly diagnostics: readonly Diagnostic[] } {
  const parsed = targets.map((text, index) =>
    parseTarget(text, index === 0 ? "--target" : `--target ${index + 1}`, net.places, sources),
  );
  const added = parsed.flatMap(({ property }) => (property ? [property] : []));
  const bounded = asksBoundedness ? [{ name: "bounded", kind: "boundedness" as const, span: undefined }] : [];
  return {
    net: { ...net, properties: [...net.properties, ...added, ...bounded] },
    diagnostics: parsed.flatMap(({ diagnostics }) => diagnostics),
  };
}

export interface Questions {
  readonly targets: readonly string[];
  readonly asksBoundedness: boolean;
}

const badTarget = (span: Diagnostic["span"], message: string): Diagnostic => ({
  code: "session/bad-target",
  severity: "error",
  message,
  span,
  hint: 'a target is a list such as p >= 2, q >= 1; names with spaces stand in quotes: "two words" >= 1',
});
