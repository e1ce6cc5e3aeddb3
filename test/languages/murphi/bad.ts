/** Diagnostics of invalid models. */
import { loadMurphi, type MurphiResult } from "../../../src/languages/murphi/index.js";
import { Sources } from "../../../src/model/index.js";
import { optionsOf } from "./fixtures.js";

export interface Outcome extends MurphiResult {
  readonly sources: Sources;
}

/** Loads a model with the options of its `-- options: …` line. */
export function run(text: string, file: string): Outcome {
  const sources = new Sources();
  sources.add(file, text);
  const { defines = [], dialect } = optionsOf(/^-- options: (.*)$/m.exec(text)?.[1] ?? "");
  const given = defines.map((define) => {
    const [name, value] = define.split("=");
    return { name: name!, value };
  });
  return { ...loadMurphi({ file, text, sources, defines: given, ...(dialect ? { dialect } : {}) }), sources };
}

/** `code line:column` of each diagnostic. */
export const positions = ({ diagnostics, sources }: Outcome): string[] =>
  diagnostics.map(({ code, span }) => {
    const { line, column } = sources.position(span.file, span.start);
    return `${code} ${line}:${column}`;
  });
