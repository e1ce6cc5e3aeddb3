/** Adapts browser extensions to the registry: extracts a message-passing program and reports in terms of the scripts. */
import { loadMpp } from "../../languages/mpp/index.js";
import { extractExtension, type ExtractedExtension } from "../../languages/webextension/index.js";
import { Sources, type MessageEdge, type MessageProgram } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { NarratedStep, Narrative } from "../../report/index.js";
import { loadedMessages } from "./mpp.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { sources } = options;
  const { default: ts } = await import("typescript");
  const readFile = input.readFile ?? (() => undefined);
  const extracted = extractExtension({ file: input.file, text: input.text, readFile, sources, ts });
  const { text, diagnostics } = extracted;
  if (text === undefined) return { model: undefined, unsupported: [], diagnostics };
  const { program, diagnostics: ours } = loadMpp(GENERATED, text);
  if (!program) throw new Error(`the extracted program is not accepted: ${nth(ours, 0).message}\n${text}`);
  const located = inTermsOfScripts(program, extracted, input.file);
  return {
    ...loadedMessages(located, diagnostics, options, true),
    code: () => text,
    retell: bySourceAndSink,
  };
}

/** Names the line that reads private data and the line that stores or sends it. */
function bySourceAndSink(reason: string, { steps }: Narrative, sources: Sources): string {
  const isOfScript = ({ action, sources: [place] }: NarratedStep): boolean =>
    place !== undefined && place.end > 0 && !/^(own = data|got = none|assume)/.test(action);
  const last = steps.at(-1)?.participants[0];
  const shown = steps.filter(isOfScript);
  const sink = shown.findLast(({ participants: [who] }) => who !== last);
  const taken = steps.findIndex(({ participants: [who] }) => who?.startsWith("PrivWindows"));
  const source =
    shown.findLast(({ participants: [who] }) => who?.startsWith("Priv")) ??
    steps.slice(Math.max(0, taken)).find(isOfScript);
  if (!sink || !source) return reason;
  const at = ({ sources: places }: NarratedStep): string => {
    const { file, start } = nth(places, 0);
    return `${file}:${sources.position(file, start).line}`;
  };
  const how = last?.startsWith("Network") ? "sent away" : "stored";
  return `data that ${at(source)} takes from a private window is ${how} by ${at(sink)}: ${reason}`;
}

const GENERATED = "extracted.mpp";

/** Replaces extracted statements by their originals in the scripts. */
function inTermsOfScripts(
  program: MessageProgram,
  { text, origins }: ExtractedExtension,
  file: string,
): MessageProgram {
  const generated = new Sources();
  generated.add(GENERATED, text!);
  const whole = { file, start: 0, end: 0 };
  const withOrigin = (edge: MessageEdge): MessageEdge => {
    const origin = origins[generated.position(GENERATED, edge.span.start).line - 1];
    const { kind } = edge.action;
    if (!origin) return { ...edge, span: whole };
    const isOfScript = kind === "send" || kind === "receive";
    return { ...edge, span: origin.span, text: isOfScript ? origin.text : edge.text };
  };
  return {
    ...program,
    principals: program.principals.map((principal) => ({
      ...principal,
      span: whole,
      locations: principal.locations.map((edges) => edges.map(withOrigin)),
    })),
    properties: program.properties.map((property) => ({ ...property, span: whole })),
  };
}
