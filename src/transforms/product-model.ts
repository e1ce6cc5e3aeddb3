/**
 * The product of a model and the automaton of a temporal property's violations, as a model with a recipe, so that threads can rebuild
 * it.
 */
import type { Automaton, Fairness, MakeModel, Model, Property, Recipe } from "../model/index.js";
import { product, type Product } from "./product.js";
import { known, nth } from "../model/known.js";

export interface ProductModel extends Model {
  readonly system: Product;
}

/** Plain data, sent to threads. */
export interface ProductRequest {
  /** Index among the temporal properties. */
  readonly property: number;
  readonly automaton: Automaton;
  readonly fairness: Fairness;
  readonly stutters: boolean;
}

export function productModel(model: Model, request: ProductRequest): ProductModel {
  const { automaton, fairness, stutters } = request;
  const temporal = known(model.temporal, "the temporal facet");
  const property: Property = nth(temporal.properties, request.property);
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

/** Extends `make` to products of the models that it makes. */
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
