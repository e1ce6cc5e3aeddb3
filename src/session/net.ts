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
