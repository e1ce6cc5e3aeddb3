/** Registers nets: with the properties of the command line, and as a model to step through. */
import { netModel } from "../../compile/net.js";
import { hasErrors, type Diagnostic, type Net, type Span } from "../../model/index.js";
import { parseMarkingCondition } from "../../languages/toolkit/markings.js";
import { netPicture } from "../../report/net-drawing.js";
import { withQuestions } from "../../languages/toolkit/target.js";
import { onlyStuck, readFormulas } from "../formulas.js";
import type { LoadOptions, Loaded } from "../contracts.js";

export function loadedNet(
  { net, diagnostics }: { readonly net: Net | undefined; readonly diagnostics: readonly Diagnostic[] },
  options: LoadOptions,
): Loaded {
  if (!net) return { model: undefined, unsupported: [], diagnostics };
  const asked = questioned(net, options);
  const all = [...diagnostics, ...asked.diagnostics];
  if (hasErrors(all)) return { model: undefined, unsupported: [], diagnostics: all };
  return {
    model: netModel(asked.net),
    subject: asked.net,
    picture: netPicture(asked.net),
    unsupported: [],
    diagnostics: all,
  };
}

/** Adds the command line's properties to the net. */
function questioned(
  net: Net,
  {
    targets = [],
    invariants = [],
    asksBoundedness = false,
    deadlock = "off",
    ltl = [],
    sources,
  }: LoadOptions,
): { readonly net: Net; readonly diagnostics: readonly Diagnostic[] } {
  const asksDeadlock = deadlock === "stuck";
  const asked = withQuestions(net, { targets, invariants, asksBoundedness, asksDeadlock }, sources);
  const conditionOf = (text: string, span: Span) => parseMarkingCondition(text, span, net.places);
  const { formulas, diagnostics } = readFormulas(ltl, conditionOf, asked.net.properties, sources);
  return {
    net: { ...asked.net, properties: [...asked.net.properties, ...formulas] },
    diagnostics: [...asked.diagnostics, ...diagnostics, ...onlyStuck(deadlock, MARKINGS)],
  };
}

/** A marking is dead when nothing is enabled: there is one meaning. */
const MARKINGS = { code: "net/deadlock", what: "a net", stuck: "markings that enable no transition" };
