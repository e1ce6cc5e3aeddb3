/**
 * Linear temporal logic and its automata: formulas in, automata out, with checks of equivalence.
 *
 * Read `translate.ts` first (the order of the steps), then `couvreur.ts` with `expansion.ts` (the translation). `formulas/` parses,
 * prints and simplifies formulas; `reductions/` makes automata smaller; `letters.ts` represents guards as sets of letters;
 * `degeneralise.ts` and `state-based.ts` construct Büchi automata; `formats/` writes automata. `checks/` decides the semantics of formulas
 * on words, inclusion of automata and stutter invariance.
 *
 * Always true: every step preserves the language; guards of a resulting `Automaton` are not empty. Not here: emptiness checks of
 * products with systems, which are in `engines`.
 */
export { parseLtl, type ParsedFormula, type ParseResult } from "./formulas/parse.js";
export { format } from "./formulas/format.js";
export { hasNext, negate } from "./formulas/normal-form.js";
export { simplify, translate, translateToBuchi, type TranslateOptions } from "./translate.js";
export { degeneralise, type DegeneraliseOptions } from "./degeneralise.js";
export { toBuchi, type BuchiOptions } from "./buchi.js";
export { isStutterInvariant, isStutterInvariantAutomaton } from "./checks/stutter.js";
export { accepts, evaluate, type Lasso } from "./checks/lasso.js";
export { areDisjoint, product } from "./product.js";
export { isIncluded } from "./checks/inclusion.js";
export { isEmpty } from "./components.js";
export { AutomatonTooLarge, edgeCount } from "./symbolic.js";
export { renderHoa } from "./formats/hoa-write.js";
export { renderTgba } from "./formats/tgba-write.js";
export { renderDot } from "./formats/dot.js";
export { isStateBased, renderNeverClaim } from "./formats/never.js";
export { marksOf, plainNotation, renderGuard } from "./formats/guards.js";
export { renderSvg } from "./formats/svg.js";
