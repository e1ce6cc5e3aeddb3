/** Models from recipes: in another thread, or when a search is resumed. */
import type { MakeModel } from "../model/index.js";
import { productMaker } from "./product-model.js";

export const makeModel: MakeModel = productMaker(async (recipe, width) => {
  const { COMPILER, compileRecipe } = await import("../compile/index.js");
  if (recipe.maker !== COMPILER) throw new Error(`nobody here makes models by '${recipe.maker}'`);
  return compileRecipe(recipe, width);
});
