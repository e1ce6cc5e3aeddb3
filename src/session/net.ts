/** A net as the registry wants it: with what is asked on the command line, and as a model to step through. */
import { netModel } from "../compile/net.js";
import { hasErrors, type Diagnostic, type Net } from "../model/index.js";
import { netPicture } from "../report/net-drawing.js";
import { withQuestions } from "../languages/toolkit/target.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";

export function loadedNet(
  { file }: Input,
  { net, diagnostics }: { readonly net: Net | undefined; readonly diagnostics: readonly Diagnostic[] },
  options: LoadOptions,
): Loaded {
  const refused = refusedOptions(file, options);
  if (!net) return { model: undefined, unsupported: [], diagnostics: [...diagnostics, ...refused] };
  const { targets = [], asksBoundedness = false } = options;
  const asked = withQuestions(net, { targets, asksBoundedness }, options.sources);
  const unasked = asksBoundedness ? parametricStart(net) : [];
  const all = [...diagnostics, ...refused, ...asked.diagnostics, ...unasked];
  if (hasErrors(all)) return { model: undefined, unsupported: [], diagnostics: all };
  return {
    model: netModel(asked.net),
    subject: asked.net,
    picture: netPicture(asked.net),
    unsupported: [],
    diagnostics: all,
  };
}

/** What nets and vector addition systems have no meaning for is refused, not passed over. */
export function refusedOptions(file: string, options: LoadOptions): Diagnostic[] {
  const given: readonly (readonly [string, readonly unknown[] | undefined])[] = [
    ["--invariant", options.invariants],
    ["--ltl", options.ltl],
    ["--claim", options.claims],
    ["-D", options.defines],
  ];
  return given
    .filter(([, values]) => (values?.length ?? 0) > 0)
    .map(([option]) => ({
      code: "session/not-for-nets",
      severity: "error",
      message: `${option} says nothing about a net`,
      span: { file, start: 0, end: 0 },
      hint: "--target asks whether so many tokens can be reached",
    }));
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
