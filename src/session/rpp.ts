/** Recursively parallel programs as the registry wants them. */
import { loadRpp } from "../languages/rpp/index.js";
import { hasErrors } from "../model/index.js";
import { refusedOptions } from "./net.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";

export function load(input: Input, options: LoadOptions): Loaded {
  const { bvas, diagnostics } = loadRpp(input.file, input.text);
  const all = [...diagnostics, ...refusedOptions(input.file, options)];
  return { model: undefined, subject: hasErrors(all) ? undefined : bvas, unsupported: [], diagnostics: all };
}
