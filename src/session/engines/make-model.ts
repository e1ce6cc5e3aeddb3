/** Rebuilds models from recipes, in another thread or when a search resumes. */
import type { MakeModel } from "../../model/index.js";
import { productMaker } from "../../transforms/product-model.js";

export const makeModel: MakeModel = productMaker(async (recipe, width) => {
  if (recipe.maker === "nodes") return (await import("../../code/system/index.js")).nodesFromRecipe(recipe);
  const { RULE_COMPILER, compileRuleRecipe } = await import("../../compile/rules/index.js");
  if (recipe.maker === RULE_COMPILER) return compileRuleRecipe(recipe);
  if (recipe.maker === "ordered rules") return (await import("../rule-order.js")).orderedFromRecipe(recipe);
  const { NET_COMPILER, compileNetRecipe } = await import("../../compile/net.js");
  if (recipe.maker === NET_COMPILER) return compileNetRecipe(recipe);
  const { MESSAGE_COMPILER, compileMessageRecipe } = await import("../../compile/messages/index.js");
  if (recipe.maker === MESSAGE_COMPILER) return compileMessageRecipe(recipe);
  const { CHI_COMPILER, compileChiRecipe } = await import("../../compile/chi/index.js");
  if (recipe.maker === CHI_COMPILER) return compileChiRecipe(recipe);
  if (recipe.maker === "sdn") return (await import("../sdn-network.js")).networkFromRecipe(recipe);
  const { COMPILER, compileRecipe } = await import("../../compile/index.js");
  if (recipe.maker !== COMPILER) throw new Error(`there is no maker of models '${recipe.maker}'`);
  return compileRecipe(recipe, width);
});
