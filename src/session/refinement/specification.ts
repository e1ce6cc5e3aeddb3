/** Explores specifications: what is observed of their states, and the steps between them. */
import { exploreLts } from "../../engines/explicit/index.js";
import { Status, TAU, hasErrors, type Diagnostic, type Model, type Words } from "../../model/index.js";
import { known } from "../../model/known.js";
import type { Loaded, Registry } from "../contracts.js";
import { languageOf, load } from "../load.js";
import type { CheckOptions, Input, ModelOptions } from "../request.js";
import { problem } from "./problem.js";
import { BEFORE, INSIDE, type Specification } from "./observed.js";

/** Languages whose states have named values. */
const LANGUAGES = ["promela", "murphi", "typescript"];
/** Its exploration has no budget: one is asked for the system. */
const MOST_STATES = 2_000_000;

/** The options, with the specification that `refines` names; or the reason why there is none. */
export async function withSpecification<O extends CheckOptions | ModelOptions>(
  input: Input,
  options: O,
  registry: Registry,
): Promise<{ readonly options: O } | { readonly problems: readonly Diagnostic[] }> {
  const { refines } = options;
  if (refines === undefined || options.specification) return { options };
  const text = input.readFile?.(refines);
  if (text === undefined)
    return { problems: [problem(refines, "no-specification", `cannot read '${refines}'`)] };
  const specification = await explored({ ...input, file: refines, text }, registry);
  return "lts" in specification ? { options: { ...options, specification } } : { problems: specification };
}

async function explored(input: Input, registry: Registry): Promise<Specification | readonly Diagnostic[]> {
  const { file } = input;
  const language = languageOf(input, undefined, registry);
  if ("code" in language) return [language];
  if (!LANGUAGES.includes(language.name))
    return [
      problem(
        file,
        "no-specification",
        `'${language.name}' cannot be compared with a system of nodes`,
        "a specification is written in Promela or Murphi, or is another system (defineSystem)",
      ),
    ];
  if (language.runsCode) return (await import("../apart/specification.js")).specificationInChild(input);
  return exploreSpecification(input, registry);
}

/** In this process. */
export async function exploreSpecification(
  input: Input,
  registry: Registry,
): Promise<Specification | readonly Diagnostic[]> {
  const { file } = input;
  const loaded = await load(input, { isPlain: true, ...withoutDeadlock(input, registry) }, registry);
  const { model } = loaded;
  if (!model || hasErrors(loaded.diagnostics)) return loaded.diagnostics;
  const observe = observerOf(model, loaded);
  if (!observe)
    return [
      problem(
        file,
        "nothing-observed",
        "the specification does not declare what is observed",
        "name the values in defineSystem: observe: ({ nodes }) => ({ holder: nodes.server.holder })",
      ),
    ];
  const source = { system: model.steps, actionOf: () => TAU, labelOf: () => undefined, sourcesOf: () => [] };
  const { lts, stop } = await exploreLts({ ...source, observe }, { maxStates: MOST_STATES }, {});
  if (!lts)
    return [
      problem(
        file,
        "no-specification",
        `the specification was not explored to its end: ${stop}`,
        "make it smaller",
      ),
    ];
  // sound: test/session/refinement.test.ts
  if (lts.error >= 0)
    return [
      problem(
        file,
        "specification-fails",
        "a step of the specification fails, so it does not say what is allowed afterwards",
        `check it alone: everypath check ${file}`,
      ),
    ];
  const { origins: _origins, observed, ...plain } = lts;
  const { numbers, names } = known(observed, "the observations");
  return {
    file,
    isSystem: "observe" in model,
    lts: { ...plain, observed: { numbers, names } },
    notes: loaded.assumptions?.notes ?? [],
  };
}

/** A specification that stops allows nothing more; this is no error. */
function withoutDeadlock(input: Input, registry: Registry): ModelOptions {
  const language = languageOf(input, undefined, registry);
  return !("code" in language) && language.name === "murphi" ? { deadlock: "off" } : {};
}

/** Values by name, as JSON. */
function observerOf(model: Model, { subject }: Loaded): ((state: Words, at: number) => string) | undefined {
  const { observe } = model as Observing;
  if (observe) return (state, at) => observe(state, at) ?? BEFORE;
  if (subject?.kind === "nodes") return undefined;
  const { steps } = model;
  return (state, at) =>
    // sound: test/session/refinement.test.ts
    (steps.status(state, at) & Status.intermediate) !== 0
      ? INSIDE
      : JSON.stringify(Object.fromEntries(steps.snapshot(state, at).map(({ name, value }) => [name, value])));
}

/** A system of nodes that declares `observe`. */
interface Observing extends Model {
  observe?(state: Words, at: number): string | undefined;
}
