/** Targets given on the command line: `p >= 2, q >= 1`; a name with spaces or signs stands in quotes. */
import { MOST_TOKENS, tokensOf, type CoverProperty, type NetPlace, type Net } from "../../model/net.js";
import type { Diagnostic, Sources } from "../../model/diagnostic.js";
import { PropertyNames } from "../../model/verdict.js";

export interface Target {
  readonly property: CoverProperty | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A place of PNML goes by its id and its title as well; titles need not differ. */
type Called = NetPlace & { readonly id?: string; readonly title?: string };

/** The target and, under a name of its own, its text, so that diagnostics can show it. */
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
    const count = Number(found?.[3]);
    const called = places.flatMap((each, i) =>
      [each.name, each.id, each.title].some((own) => own !== undefined && own === name) ? [i] : [],
    );
    const place = called[0];
    if (name === undefined)
      diagnostics.push(badTarget(span, `\`${part.trim()}\` is no condition on a place`));
    else if (place === undefined) diagnostics.push(badTarget(span, `there is no place \`${name}\``));
    // sound: test/session/names.test.ts
    else if (called.length > 1) diagnostics.push(ambiguous(span, name));
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
  const names = new PropertyNames();
  for (const { name } of net.properties) names.take(name);
  const added = parsed.flatMap(({ property }) =>
    property ? [{ ...property, name: names.take(property.name) }] : [],
  );
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
  hint: 'a target is a list such as p >= 2, q >= 1; names with spaces stand in quotes: "two words" >= 1',
});
