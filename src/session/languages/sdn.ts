/** Adapts networks to the registry: the concrete network for stepping, reduced ones for searching. */
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";
import { networkOf, sharing } from "../sdn-network.js";
import { networkLoaded } from "./network.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const files = new Map<string, string>();
  const readFile = (path: string): string | undefined => {
    const text = input.readFile?.(path);
    if (text !== undefined) files.set(path, text);
    return text;
  };
  const { network, sends, diagnostics } = networkOf({ ...input, readFile }, options);
  if (!network) return { model: undefined, unsupported: [], diagnostics };
  const loaded = networkLoaded(network, sends, options, sharing(input, files, options));
  return { ...loaded, diagnostics: [...diagnostics, ...loaded.diagnostics] };
}
