/** Promela as components: each process alone becomes a part of a network, whose parts meet in pairs. */
import { ltsModel, ltsProduct } from "../../compile/lts.js";
import { exploreLts } from "../../engines/explicit/index.js";
import { comparing } from "../../engines/lts/index.js";
import type { ComponentPrograms } from "../../languages/promela/index.js";
import { hasErrors, hide, type Diagnostic, type Lts, type LtsNetwork } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { promelaComponents } from "../declarations.js";
import { actionsOf } from "../lts/labels.js";
import { openChannels, paired, partOf } from "../lts/processes.js";
import { asked } from "../lts/questions.js";
import type { Input } from "../request.js";

export async function load(
  components: ComponentPrograms,
  diagnostics: readonly Diagnostic[],
  input: Input,
  options: LoadOptions,
  original: () => ComponentPrograms | undefined,
): Promise<Loaded> {
  const rejected = (more: readonly Diagnostic[] = []): Loaded => ({
    model: undefined,
    unsupported: [],
    diagnostics: [...diagnostics, ...more],
    accepts: promelaComponents,
  });
  if (hasErrors(diagnostics)) return rejected();
  const network = await networkOf(components, input, options);
  if ("code" in network) return rejected([network]);
  if (options.refactor === "verify") {
    const problem = await differs(network, components.sides, original(), input, options);
    if (problem) return rejected([problem]);
  }
  const found = asked(network, ltsProduct(network), {}, input, options);
  return {
    ...found,
    unsupported: [],
    diagnostics: [...diagnostics, ...found.diagnostics],
    accepts: promelaComponents,
  };
}

async function networkOf(
  { components, sides }: ComponentPrograms,
  { file, text }: Input,
  { sources }: LoadOptions,
): Promise<LtsNetwork | Diagnostic> {
  const span = { file, start: 0, end: Math.min(1, text.length) };
  const parts: LtsNetwork["parts"][number][] = [];
  for (const component of components) {
    const part = await partOf(component, sources);
    if (!part)
      return problem("promela/no-component", `component \`${component.name}\` has too many states`, span);
    parts.push(part);
  }
  return paired(file, parts, sides, span);
}

const problem = (code: string, message: string, span: Diagnostic["span"]): Diagnostic => ({
  code,
  severity: "error",
  message,
  span,
});

/** Compares with the model as built: weakly bisimilar for the actions of open channels. */
// sound: test/languages/promela/refactor.test.ts
async function differs(
  network: LtsNetwork,
  sides: ReadonlySet<string>,
  built: ComponentPrograms | undefined,
  input: Input,
  options: LoadOptions,
): Promise<Diagnostic | undefined> {
  const { span } = network;
  const original = built && (await networkOf(built, input, options));
  if (!original || "code" in original)
    return original ?? problem("promela/refactoring", "the original cannot be built", span);
  const isOpen = openChannels(sides);
  const systems = [await explored(original, isOpen), await explored(network, isOpen)];
  const [before, after] = systems;
  if (!before || !after)
    return problem(
      "promela/refactoring",
      `the refactoring is not verified: more than ${MOST_STATES} states; --refactor apply omits this`,
      span,
    );
  const slices = comparing(before, after, "weak");
  while (slices.advance(Infinity));
  return slices.result().isRelated
    ? undefined
    : problem(
        "promela/refactoring",
        "the refactored components are not weakly bisimilar to the original",
        span,
      );
}

const MOST_STATES = 2_000_000;

async function explored(
  network: LtsNetwork,
  isVisible: (label: string) => boolean,
): Promise<Lts | undefined> {
  const { lts } = await exploreLts(
    actionsOf(ltsModel(network), () => true),
    { maxStates: MOST_STATES },
    {},
  );
  return lts && hide(lts, (label) => isVisible(label) || label === "ERROR" || label === "√");
}
