/**
 * Systems that run together, by synchronisation vectors:
 *
 *     part client = client.aut
 *     part server = server.aut
 *     get <- request * accept
 *     log <- _ * write
 *
 * A vector has an entry for each part in order, `_` for one that stays idle. A label is a word or a quoted string. `tau` on the left
 * hides the step. Internal actions of the parts need no vector.
 */
import { TAU_NAME, type Diagnostic, type LtsNetwork, type Span, type SyncVector } from "../../model/index.js";
import { loadAut } from "./index.js";

export interface LoadedNetwork {
  readonly network: LtsNetwork | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const PART = /^part\s+([A-Za-z_]\w*)\s*=\s*(\S.*?)\s*$/;
const VECTOR = /^("(?:[^"\\]|\\.)*"|[^\s"<*]+)\s*<-\s*(\S.*?)\s*$/;
const ENTRY = /\s*("(?:[^"\\]|\\.)*"|[^\s"*]+)\s*(\*|$)/y;

export function loadVectors(
  file: string,
  text: string,
  readFile: (path: string) => string | undefined,
  addSource: (file: string, text: string) => void,
): LoadedNetwork {
  const parts: { name: string; lts: LtsNetwork["parts"][number]["lts"] }[] = [];
  const vectors: { vector: SyncVector; span: Span }[] = [];
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, span: Span, message: string, hint?: string): void =>
    void diagnostics.push({
      code,
      severity: "error",
      message,
      span,
      ...(hint === undefined ? {} : { hint }),
    });
  const addPart = (name: string, path: string, span: Span): void => {
    const resolved = besides(file, path);
    const read = readFile(resolved);
    if (parts.some((part) => part.name === name)) report("aut/part", span, `there are two parts '${name}'`);
    if (read === undefined) return report("aut/file", span, `cannot read '${resolved}'`);
    addSource(resolved, read);
    const loaded = loadAut(resolved, read);
    diagnostics.push(...loaded.diagnostics);
    if (loaded.lts) parts.push({ name, lts: loaded.lts });
  };
  let announced = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    const bare = line.replace(/#.*$/, "").trim();
    const start = at + line.length - line.trimStart().length;
    const span = { file, start, end: start + bare.length };
    at += line.length + 1;
    if (bare === "") continue;
    const part = PART.exec(bare);
    const vector = VECTOR.exec(bare);
    if (part) {
      announced++;
      addPart(part[1], part[2], span);
    } else if (vector)
      vectors.push({ vector: { label: nameOf(vector[1]), labels: entries(vector[2]) }, span });
    else report("aut/vector", span, "expected `part NAME = FILE` or `label <- a * b`");
  }
  if (announced === 0)
    report("aut/part", { file, start: 0, end: 0 }, "there is no part", "part NAME = FILE names one");
  for (const { vector, span } of vectors) checkVector(vector, span, announced, parts, report);
  if (diagnostics.length > 0) return { network: undefined, diagnostics };
  const span = { file, start: 0, end: 0 };
  return {
    network: { name: "network", parts, vectors: vectors.map(({ vector }) => vector), span },
    diagnostics: [],
  };
}

function checkVector(
  { labels }: SyncVector,
  span: Span,
  announced: number,
  parts: LtsNetwork["parts"],
  report: (code: string, span: Span, message: string, hint?: string) => void,
): void {
  if (labels.length !== announced)
    return report(
      "aut/length",
      span,
      `the vector has ${labels.length} entries for ${announced} parts`,
      "`_` is idle",
    );
  if (labels.every((label) => label === undefined))
    return report("aut/idle", span, "every part is idle in this vector");
  if (labels.includes(TAU_NAME))
    return report(
      "aut/tau",
      span,
      "an internal action cannot take part in a vector",
      "it is not synchronised",
    );
  if (parts.length !== announced) return;
  for (const [index, label] of labels.entries())
    if (label !== undefined && !parts[index].lts.labels.includes(label))
      report("aut/unknown-label", span, `part '${parts[index].name}' has no label '${label}'`);
}

function entries(text: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  ENTRY.lastIndex = 0;
  for (let match = ENTRY.exec(text); match; match = ENTRY.exec(text)) {
    found.push(match[1] === "_" ? undefined : nameOf(match[1]));
    if (match[2] === "") return found;
  }
  return []; // of no length that a vector has
}

const nameOf = (written: string): string =>
  written.startsWith('"') ? written.slice(1, -1).replaceAll(/\\(.)/g, "$1") : written;

const besides = (file: string, path: string): string => {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  return path.startsWith("/") ? path : `${folder}${path}`;
};

/** `files`: by part, where its system is written. */
export function renderVectors({ parts, vectors }: LtsNetwork, files: readonly string[]): string {
  const lines = parts.map(({ name }, index) => `part ${name} = ${files[index]}`);
  const shown = (label: string | undefined): string =>
    label === undefined ? "_" : `"${label.replaceAll(/["\\]/g, "\\$&")}"`;
  for (const { label, labels } of vectors) lines.push(`${shown(label)} <- ${labels.map(shown).join(" * ")}`);
  return `${lines.join("\n")}\n`;
}
