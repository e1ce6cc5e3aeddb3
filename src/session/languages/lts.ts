/** Adapts labelled transition systems to the registry: `.aut`, JSON, and products by vectors. */
import { ltsModel } from "../../compile/lts.js";
import { loadAut } from "../../languages/aut/index.js";
import { isLtsJson, loadLtsJson } from "../../languages/aut/json.js";
import { loadVectors } from "../../languages/aut/vectors.js";
import { networkOf } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export function load({ file, text, readFile = () => undefined }: Input, { sources }: LoadOptions): Loaded {
  if (file.endsWith(".vectors")) {
    const { network, diagnostics } = loadVectors(file, text, readFile, (name, read) =>
      sources.add(name, read),
    );
    return { model: network && ltsModel(network), unsupported: [], diagnostics };
  }
  const { lts, diagnostics } = isLtsJson(text) ? loadLtsJson(file, text) : loadAut(file, text);
  const span = { file, start: 0, end: 0 };
  return { model: lts && ltsModel(networkOf("system", lts, span)), unsupported: [], diagnostics };
}
