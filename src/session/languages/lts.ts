/** Adapts labelled transition systems to the registry: `.aut`, JSON, and products by vectors. */
import { ltsProduct } from "../../compile/lts.js";
import { loadAut } from "../../languages/aut/index.js";
import { isLtsJson, loadLtsJson } from "../../languages/aut/json.js";
import { loadVectors } from "../../languages/aut/vectors.js";
import { networkOf, type Diagnostic, type LtsNetwork } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { asked } from "../lts/questions.js";
import type { Input } from "../request.js";

export function load(input: Input, options: LoadOptions): Loaded {
  const { network, diagnostics } = networkIn(input, options);
  if (!network) return { model: undefined, unsupported: [], diagnostics };
  const found = asked(network, ltsProduct(network), {}, input, options);
  return { ...found, unsupported: [], diagnostics: [...diagnostics, ...found.diagnostics] };
}

interface Read {
  readonly network: LtsNetwork | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function networkIn({ file, text, readFile = () => undefined }: Input, { sources }: LoadOptions): Read {
  if (file.endsWith(".vectors"))
    return loadVectors(file, text, readFile, (name, read) => sources.add(name, read));
  const { lts, diagnostics } = isLtsJson(text) ? loadLtsJson(file, text) : loadAut(file, text);
  return { network: lts && networkOf("system", lts, { file, start: 0, end: 0 }), diagnostics };
}
