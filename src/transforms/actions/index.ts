/** Formulas over actions: `parse.ts` reads them, `gate.ts` decides which relations keep their truth. */
export { parseStateFormula, type ActionNames, type ParsedStateFormula } from "./parse.js";
export { keepingRelations, whyNotKept } from "./gate.js";
