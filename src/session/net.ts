/** A net as the registry wants it: with what is asked on the command line, and as a model to step through. */
import { netModel } from "../compile/net.js";
import { hasErrors, type Diagnostic, type Net } from "../model/index.js";
import { netPicture } from "../report/net-drawing.js";
import { withQuestions } from "../languages/toolkit/target.js";
import type { LoadOptions, Loaded } from "./registry.js";

export function loadedNet(
  { net, diagnostics }: { readonly net: Net | undefined; readonly diagnostics: readonly Diagnostic[] },
  options: LoadOptions,
): Loaded {
  if (!net) return { model: undefined, unsupported: [], diagnostics };
  const { targets = [], asksBoundedness = false } = options;
  const asked = withQuestions(net, { targets, asksBoundedness }, options.sources);
  const unasked = asksBoundedness ? parametricStart(net) : [];
  const all = [...diagnostics, ...asked.diagnostics, ...unasked];
  if (hasErrors(all)) return { model: undefined, unsupported: [], diagnostics: all };
  return {
    model: netModel(asked.net),
    subject: asked.net,
    picture: netPicture(asked.net),
    unsupported: [],
    diagnostics: all,
  };
}

function parametricStart({ transitions }: Net): Diagnostic[] {
  const source = transitions.find(({ isSource }) => isSource);
  if (!source) return [];
  return [
    {
      code: "session/many-starts",
      severity: "error",
      message:
        "--bounded needs one initial marking, and this place may have any number of tokens at the start",
      span: source.span,
      hint: "give it a fixed number",
    },
  ];
}
