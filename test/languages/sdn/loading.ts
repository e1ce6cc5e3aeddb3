/** Texts of networks for tests. */
import { loadSdn, type LoadedSdn } from "../../../src/languages/sdn/index.js";
import { Sources } from "../../../src/model/index.js";
import type { Network } from "../../../src/model/network.js";

export function loadText(text: string, files: Readonly<Record<string, string>> = {}): LoadedSdn {
  return loadSdn({
    file: "test.sdn",
    text,
    defines: new Map(),
    readFile: (path) => files[path],
    sources: new Sources(),
  });
}

export function networkOf(text: string): Network {
  const { network, diagnostics } = loadText(text);
  if (!network) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return network;
}
