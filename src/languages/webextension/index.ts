/**
 * Browser extensions and similar scripts as message-passing programs: do data of private windows persist?
 *
 * In: a manifest or one script. Out: the text of an `mpp` program, with the positions in the scripts that its lines
 * stand for. Each component is two principals, one for normal and one for private windows; storage and network are
 * principals that only receive. `manifest.ts` finds the parts (`pages.ts`, `scripts.ts`, `html.ts`), `component.ts`
 * collects facts about each (`declarations.ts` visits them), `answers.ts` recognises tabs, `apis.ts` describes browser
 * APIs, `handlers.ts` finds events, `extract.ts` generates statements.
 *
 * Invariant: unknown code is over-approximated, with a note.
 */
import type TypeScript from "typescript";
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { entryOf } from "../../model/known.js";
import type { Report } from "../toolkit/diagnostics.js";
import { factsOf } from "./component.js";
import { extractPrincipal } from "./extract.js";
import type { Surroundings } from "./flows.js";
import { handlersOf } from "./handlers.js";
import type { Line } from "./lines.js";
import { readExtension, type Extension } from "./manifest.js";
import type { ExtensionInput } from "./scripts.js";
import { OTHER_WINDOWS } from "./other-windows.js";
import type { Mode } from "./windows.js";

export type { ExtensionInput } from "./scripts.js";

export interface ExtractedExtension {
  /** The program's text; absent if a diagnostic is an error. */
  readonly text: string | undefined;
  /** Position in a script by line of the text, from 0. */
  readonly origins: readonly (Origin | undefined)[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Origin {
  readonly span: Span;
  readonly text: string;
}

export function extractExtension(input: ExtensionInput): ExtractedExtension {
  const diagnostics: Diagnostic[] = [];
  const noted = new Set<string>();
  const report = (diagnostic: Diagnostic): void => {
    const key = `${diagnostic.code} ${diagnostic.span.file} ${diagnostic.span.start}`;
    if (!noted.has(key)) diagnostics.push(diagnostic);
    noted.add(key);
  };
  const extension = readExtension(input, report);
  if (extension.components.length === 0 && !hasErrors(diagnostics))
    report({
      code: "webextension/no-scripts",
      severity: "error",
      message: "the manifest names no scripts",
      span: { file: input.file, start: 0, end: 0 },
      hint: "scripts are looked for in background, content_scripts and the pages that the manifest names",
    });
  if (hasErrors(diagnostics)) return { text: undefined, origins: [], diagnostics };
  const lines = programOf(extension, input.ts, report);
  return {
    text: `${lines.map(({ text }) => text).join("\n")}\n`,
    origins: lines.map(({ node }) => node && { span: spanOf(node), text: oneLine(node.getText()) }),
    diagnostics,
  };
}

function programOf(extension: Extension, ts: typeof TypeScript, report: Report): Line[] {
  const components = extension.components.map((component) => factsOf(component, ts));
  const topics = new Map(components.map((facts) => [facts, handlersOf(facts, ts).map(({ topic }) => topic)]));
  const modes: readonly Mode[] = extension.isKeptOut ? ["Norm"] : ["Norm", "Priv"];
  const filled = new Set<string>();
  const extracted = (mayHold: (name: string) => boolean): Extracted => {
    const channels = new Channels();
    const around: Surroundings = {
      ts,
      channel: (name) => channels.named(name),
      fill: (name) => void filled.add(name),
      mayHold,
      pagesSend: components.some(
        (facts) =>
          facts.isPage &&
          facts.scripts.some(({ text }) => /\b(sendMessage|connect|postMessage)\b/.test(text)),
      ),
      listeners: (topic) => components.filter((facts) => entryOf(topics, facts).includes(topic)),
      note: (node, message) =>
        report({ code: "webextension/taken-for-more", severity: "note", message, span: spanOf(node) }),
    };
    const principals = components.flatMap((facts) =>
      modes.map((mode) => ({ name: `${mode}${facts.name}`, body: extractPrincipal(facts, mode, around) })),
    );
    return { channels, principals };
  };
  // The first pass finds the boxes that are written; the second reads only from these.
  extracted(() => true);
  const { channels, principals } = extracted((name) => filled.has(name));
  const hasOthers = filled.has(OTHER_WINDOWS) && !extension.isKeptOut;
  const privates = [
    ...principals.map(({ name }) => name).filter((name) => name.startsWith("Priv")),
    ...(hasOthers ? ["PrivWindows"] : []), // sound: test/languages/webextension/manifest.test.ts
  ];
  const policy = privates.length === 0 ? "any*" : `!{${privates.join(", ")}}*`;
  const plain = (text: string): Line => ({ text, node: undefined });
  return indented([
    plain(`// ${extension.name.replace(/\s+/g, " ")}, in normal and in private windows`),
    plain("message data;"),
    plain(`channel ${channels.all().join(", ")};`),
    plain("provenance language;"),
    ...principals.flatMap(({ name, body }) => [
      plain(`principal ${name} {`),
      plain("var own, got;"),
      ...body,
      plain("}"),
    ]),
    ...(hasOthers
      ? [
          plain(
            `principal PrivWindows { var own; loop { own = data; send(${channels.named(OTHER_WINDOWS)}, own); } }`,
          ),
        ]
      : []),
    plain("principal Storage { var stored; loop { recv(to_Storage, stored); } }"),
    plain("principal Network { var sent; loop { recv(to_Network, sent); } }"),
    plain(`property nothing_private_is_stored: provenance(Storage.stored) in ${policy};`),
    plain(`property nothing_private_is_sent: provenance(Network.sent) in ${policy};`),
  ]);
}

interface Extracted {
  readonly channels: Channels;
  readonly principals: readonly { readonly name: string; readonly body: readonly Line[] }[];
}

/** Names of channels, allocated on demand. */
class Channels {
  readonly #names = new Map<string, string>([
    ["Storage", "to_Storage"],
    ["Network", "to_Network"],
  ]);

  named(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const made = `ch_${name.replace(/\W/g, "_")}`;
    const free = this.all().includes(made) ? `${made}_${this.#names.size}` : made;
    this.#names.set(name, free);
    return free;
  }

  all(): readonly string[] {
    return [...this.#names.values()];
  }
}

function indented(lines: readonly Line[]): Line[] {
  let depth = 0;
  return lines.map(({ text, node }) => {
    if (text.startsWith("}")) depth--;
    const shown = { text: `${"  ".repeat(Math.max(0, depth))}${text}`, node };
    if (text.endsWith("{")) depth++;
    return shown;
  });
}

const spanOf = (node: TypeScript.Node): Span => ({
  file: node.getSourceFile().fileName,
  start: node.getStart(),
  end: node.end,
});

function oneLine(text: string): string {
  const short = text.replace(/\s+/g, " ");
  return short.length > 80 ? `${short.slice(0, 79)}…` : short;
}
