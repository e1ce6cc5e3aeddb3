/** Promela with wrong reductions: they belong to another text. */
import { registry, type Registry } from "../../src/session/index.js";
import type { Model, Property, Reductions } from "../../src/model/index.js";
import type { Loaded } from "../../src/session/contracts.js";

/** `change` produces the other text, `modelOf` the model that replaces the reduced one. */
export function misreducing(
  change: (text: string) => string,
  modelOf: (
    other: Loaded,
    properties: readonly Property[],
    request: Parameters<Reductions["apply"]>[1],
  ) => Model,
): Registry {
  const [promela] = registry.languages;
  const load: NonNullable<typeof promela>["load"] = async (input, options) => {
    const loaded = await promela!.load(input, options);
    const other = await promela!.load({ ...input, text: change(input.text) }, options);
    const { reductions, ...model } = loaded.model!;
    const apply: Reductions["apply"] = (properties, request) => ({
      ...reductions!.apply(properties, request),
      model: { ...modelOf(other, properties, request), properties: model.properties },
    });
    return { ...loaded, model: { ...model, reductions: { ...reductions!, apply } } };
  };
  return { ...registry, languages: [{ ...promela!, load }] };
}
