/**
 * Linear temporal logic and its automata.
 */
export { parseLtl, type ParsedFormula, type ParseResult } from "./parse.js";
export { format } from "./format.js";
export { hasNext, negate } from "./normal-form.js";
export { translate, translateToBuchi, type TranslateOptions } from "./translate.js";
export { translateByAlternation } from "./alternating.js";
export { degeneralise, type DegeneraliseOptions } from "./degeneralise.js";
export { accepts, evaluate, type Lasso } from "./lasso.js";
export { areDisjoint, product } from "./product.js";
export { isEmpty } from "./components.js";
export { AutomatonTooLarge } from "./symbolic.js";
export { isIncluded } from "./inclusion.js";
