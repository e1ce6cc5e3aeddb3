/** Adapts vector addition systems to the registry: branching ones as a subject, others as nets. */
import { loadBvas } from "../../languages/bvas/index.js";
import { branching } from "../declarations.js";
import { hasErrors } from "../../model/index.js";
import { loadedNet } from "./net.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export function load(input: Input, options: LoadOptions): Loaded {
  const { bvas, net, diagnostics } = loadBvas(input.file, input.text);
  if (net) return loadedNet({ net, diagnostics }, options);
  const subject = hasErrors(diagnostics) ? undefined : bvas;
  return { model: undefined, subject, unsupported: [], diagnostics, accepts: branching };
}
