/** Adapts networks to the registry: the concrete network for stepping, reduced ones for searching. */
import { loadSdn } from "../../languages/sdn/index.js";
import { hasErrors } from "../../model/index.js";
import { parseDefine } from "../defines.js";
import { networkLoaded } from "./network.js";
import { questioned } from "./network-questions.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const loadedText = loadSdn({
    file: input.file,
    text: input.text,
    defines: new Map(
      (options.defines ?? []).map(parseDefine).map(({ name, value = "true" }) => [name, value]),
    ),
    readFile: input.readFile ?? (() => undefined),
    sources: options.sources,
  });
  const { network, sends, formulas, conditionOf } = loadedText;
  if (!network) return { model: undefined, unsupported: [], diagnostics: loadedText.diagnostics };
  const asked = questioned(network, { formulas, condition: conditionOf }, options);
  const diagnostics = [...loadedText.diagnostics, ...asked.diagnostics];
  if (hasErrors(diagnostics)) return { model: undefined, unsupported: [], diagnostics };
  const loaded = networkLoaded(asked.network, sends, options);
  return { ...loaded, diagnostics: [...diagnostics, ...loaded.diagnostics] };
}
