/** Networks as the registry wants them: the concrete network to step through, and reduced ones to search. */
import { loadSdn } from "../languages/sdn/index.js";
import { networkLoaded } from "./network.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { network, sends, diagnostics } = loadSdn({
    file: input.file,
    text: input.text,
    defines: new Map((options.defines ?? []).map(parseDefine)),
    readFile: input.readFile ?? (() => undefined),
    sources: options.sources,
  });
  if (!network) return { model: undefined, unsupported: [], diagnostics };
  const loaded = networkLoaded(network, sends, options);
  return { ...loaded, diagnostics: [...diagnostics, ...loaded.diagnostics] };
}

/** `NAME` or `NAME=VALUE`. */
function parseDefine(define: string): [string, string] {
  const equals = define.indexOf("=");
  return equals < 0 ? [define, "true"] : [define.slice(0, equals), define.slice(equals + 1)];
}
