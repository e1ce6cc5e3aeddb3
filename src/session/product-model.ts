/**
 * The product of a model and the automaton of what a temporal property forbids, as a model of its own: so that threads
 * can make it, too.
 */
import type { Automaton, Fairness, MakeModel, Model, Property, Recipe } from "../model/index.js";
import { product, type Product } from "../transforms/product.js";

export interface ProductModel extends Model {
  readonly system: Product;
}

/** Plain data: it crosses threads. */
export interface ProductRequest {
  /** The property's index among the temporal ones. */
  readonly property: number;
  readonly automaton: Automaton;
  readonly fairness: Fairness;
  readonly stutters: boolean;
}

export function productModel(model: Model, request: ProductRequest): ProductModel {
  const { automaton, fairness, stutters } = request;
  const temporal = model.temporal!;
  const property: Property = temporal.properties[request.property]!;
  const observed = fairness === "none" ? temporal.system : temporal.labelled();
  const options = { property: request.property, fairness, agents: temporal.agents, stutters };
  const system = product(observed, automaton, options);
  const { recipe, compact: _, temporal: __, ...rest } = model;
  return {
    ...rest,
    system,
    properties: [property],
    invariants: [property],
    holds: system.holds,
    ...(recipe ? { recipe: { maker: PRODUCT, data: { recipe, request } } } : {}),
  };
}

const PRODUCT = "product";

/** Makes products of what `make` makes. */
export const productMaker =
  (make: MakeModel): MakeModel =>
  async (recipe, width) => {
    if (recipe.maker !== PRODUCT) return make(recipe, width);
    const { recipe: inner, request } = recipe.data as ProductData;
    return productModel(await make(inner, width - 1), request);
  };

interface ProductData {
  readonly recipe: Recipe;
  readonly request: ProductRequest;
}
