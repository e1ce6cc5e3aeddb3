/** Branching vector addition systems as the registry wants them; a vector addition system is a net. */
import { loadBvas } from "../languages/bvas/index.js";
import { hasErrors } from "../model/index.js";
import { loadedNet, refusedOptions } from "./net.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";

export function load(input: Input, options: LoadOptions): Loaded {
  const { bvas, net, diagnostics } = loadBvas(input.file, input.text);
  if (net) return loadedNet(input, { net, diagnostics }, options);
  const all = [...diagnostics, ...refusedOptions(input.file, options)];
  return { model: undefined, subject: hasErrors(all) ? undefined : bvas, unsupported: [], diagnostics: all };
}
