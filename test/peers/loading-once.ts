/** A registry with one language, whose `load` runs once per key, so that modes share the loaded model. */
import { registry, type Registry } from "../../src/session/index.js";
import type { LoadOptions } from "../../src/session/contracts.js";

export function loadingOnce(name: string, keyOf: (options: LoadOptions) => string = () => ""): Registry {
  const language = registry.languages.find((one) => one.name === name)!;
  const loaded = new Map<string, ReturnType<typeof language.load>>();
  const load: typeof language.load = (input, options) => {
    const key = keyOf(options);
    const found = loaded.get(key) ?? language.load(input, options);
    loaded.set(key, found);
    return found;
  };
  return { ...registry, languages: [{ ...language, load }] };
}
