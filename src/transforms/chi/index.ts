/** Laws of χ, and the normal form that they lead to. Read `laws.ts` first; `patterns.ts` matches, `normal-form.ts` applies them. */
export { applied, brokenLaws, chiLaws, isProper, type ChiLaw } from "./laws.js";
export { normalForm, renderApplication, type LawApplication, type NormalForm } from "./normal-form.js";
export { built, matched, type Bindings, type Pattern } from "./patterns.js";
