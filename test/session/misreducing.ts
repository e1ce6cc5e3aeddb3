/** Promela whose reductions are wrong: they are those of another text. */
import { registry, type Registry } from "../../src/session/index.js";
import type { Loaded, Reduced, ReductionRequest } from "../../src/session/registry.js";

/** `change` makes the other text, `modelOf` the model that a search gets instead of the reduced one. */
export function misreducing(
  change: (text: string) => string,
  modelOf: (other: Loaded, request: ReductionRequest) => Reduced["model"],
): Registry {
  const [promela] = registry.languages;
  const load: NonNullable<typeof promela>["load"] = async (input, options) => {
    const loaded = await promela!.load(input, options);
    const other = await promela!.load({ ...input, text: change(input.text) }, options);
    const reduce: Loaded["reduce"] = (request) => ({
      ...loaded.reduce!(request),
      model: { ...modelOf(other, request), properties: loaded.model!.properties },
    });
    return { ...loaded, reduce };
  };
  return { ...registry, languages: [{ ...promela!, load }] };
}
