/** Registers recursively parallel programs. */
import { loadRpp } from "../../languages/rpp/index.js";
import { hasErrors } from "../../model/index.js";
import type { Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export function load(input: Input): Loaded {
  const { bvas, diagnostics } = loadRpp(input.file, input.text);
  return {
    model: undefined,
    subject: hasErrors(diagnostics) ? undefined : bvas,
    unsupported: [],
    diagnostics,
  };
}
