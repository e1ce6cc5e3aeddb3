/**
 * The grid of capabilities: for every language and every capability "yes", or the reason why not.
 *
 * Cells follow from the declarations (`declarations.ts`). A cell asks the functions that refuse options before a check
 * (`accepting.ts`), so its reason is the diagnostic that a user gets.
 */
import type { GridLine } from "../report/index.js";
import type { Diagnostic, PropertyKind, StoreName } from "../model/index.js";
import type { ReductionName } from "../transforms/reduction/index.js";
import { refusedByEngine, refusedByLanguage, type Accepts, type Facet, type Order } from "./accepting.js";
import { wrongEngine } from "./check/choosing.js";
import type { Engine, Registry } from "./contracts.js";
import type { CheckOptions } from "./request.js";

export interface Capability {
  readonly group: CapabilityGroup;
  /** As a column is called. */
  readonly name: string;
  /** Options that ask for it. */
  readonly options: CheckOptions;
  /** The engine must decide properties of these kinds. */
  readonly kinds?: readonly PropertyKind[];
  /** The models of the language must have it. */
  readonly facet?: Facet;
}

export type CapabilityGroup =
  "engines" | "properties" | "orders" | "stores" | "resources" | "runs" | "reductions";

export interface Cell {
  readonly capability: Capability;
  /** The engine that has it; undefined: none. */
  readonly engine: string | undefined;
  /** The engine must be selected by `--engine`. */
  readonly isOther: boolean;
  /** Empty where the answer is yes. */
  readonly reason: string;
}

export interface GridRow {
  readonly language: string;
  readonly accepts: Accepts;
  readonly cells: readonly Cell[];
}

export function gridOf(registry: Registry): readonly GridRow[] {
  const columns = capabilitiesOf(registry);
  return registry.languages
    .flatMap(({ name, accepts, variants = [] }): Declared[] => [
      { name, accepts, earlier: accepts },
      ...variants.map((variant) => ({
        name: `${name}: ${variant.name}`,
        accepts: variant.accepts,
        earlier: accepts,
      })),
    ])
    .map((declared) => ({
      language: declared.name,
      accepts: declared.accepts,
      cells: columns.map((capability) => cellOf(capability, declared, registry)),
    }));
}

/** The grid as reports and JSON show it. */
export const gridLines = (registry: Registry): readonly GridLine[] =>
  gridOf(registry).map(({ language, cells }) => ({
    language,
    cells: cells.map(({ capability: { group, name }, engine = "", isOther, reason }) => ({
      group,
      capability: name,
      answer: reason === "" ? "yes" : "no",
      engine: isOther && group !== "engines" ? engine : "",
      reason,
    })),
  }));

function capabilitiesOf({ languages, engines }: Registry): readonly Capability[] {
  const orders = distinct(engines.flatMap(({ accepts }) => accepts.searches));
  const stores = distinct(engines.flatMap(({ accepts }) => accepts.stores));
  const reductions = distinct(languages.flatMap(({ accepts }) => accepts.reductions));
  return [
    ...engines.map(({ name }): Capability => ({ group: "engines", name, options: { engine: name } })),
    ...properties,
    ...orders.map((order): Capability => ({ group: "orders", name: order, options: orderOptions(order) })),
    ...stores.map((store: StoreName): Capability => ({ group: "stores", name: store, options: { store } })),
    ...resources,
    ...runs,
    ...reductions.map((name: ReductionName): Capability => ({
      group: "reductions",
      name,
      options: { reductions: [name] },
    })),
  ];
}

const properties: readonly Capability[] = [
  { group: "properties", name: "deadlock", options: { checksDeadlock: false }, kinds: ["deadlock"] },
  { group: "properties", name: "--invariant", options: { invariants: ["true"] }, kinds: ["invariant"] },
  { group: "properties", name: "--ltl", options: { ltl: ["true"] }, kinds: ["ltl"] },
  { group: "properties", name: "--fairness weak", options: { fairness: "weak" }, kinds: ["ltl"] },
  { group: "properties", name: "--fairness strong", options: { fairness: "strong" }, kinds: ["ltl"] },
];

const disk = { directory: "", resumes: false };

const resources: readonly Capability[] = [
  { group: "resources", name: "--workers", options: { workers: 2 } },
  { group: "resources", name: "--disk", options: { disk } },
  { group: "resources", name: "--resume", options: { disk: { ...disk, resumes: true } } },
];

const runs: readonly Capability[] = [
  { group: "runs", name: "simulate", options: {}, facet: "steps" },
  { group: "runs", name: "replay", options: {}, facet: "steps" },
  { group: "runs", name: "explore", options: {}, facet: "explore" },
  { group: "runs", name: "unreached parts", options: {}, facet: "coverage" },
  { group: "runs", name: "--coverage", options: { measuresCoverage: true } },
];

const orderOptions = (order: Order): CheckOptions =>
  order === "delays" || order === "preemptions" || order === "pct" || order === "swarm"
    ? { schedules: { by: order } }
    : { search: order };

interface Declared {
  readonly name: string;
  readonly accepts: Accepts;
  /** The language's declaration: it refuses options before a text is loaded, which may accept less. */
  readonly earlier: Accepts;
}

/** The first engine that refuses nothing. If all refuse something, gives the default engine's reason. */
function cellOf(capability: Capability, language: Declared, { engines }: Registry): Cell {
  const able = language.accepts.engines.flatMap((name) => engines.filter((engine) => engine.name === name));
  const asked = capability.options.engine;
  const candidates = asked === undefined ? able : able.filter(({ name }) => name === asked);
  const answers = candidates.map((engine) => ({ engine, reasons: refusalsOf(capability, language, engine) }));
  const found = answers.find(({ reasons }) => reasons.length === 0)?.engine;
  if (found) return { capability, engine: found.name, isOther: found !== able[0], reason: "" };
  const wrong = reasonOf(wrongEngine(asked ?? "", language.name, able, NO_FILE));
  return { capability, engine: undefined, isOther: false, reason: answers[0]?.reasons[0] ?? wrong };
}

function refusalsOf(
  { options, kinds = [], facet }: Capability,
  language: Declared,
  engine: Engine,
): string[] {
  const { name, accepts, earlier } = language;
  const byLanguage = [earlier, accepts].flatMap((each) =>
    refusedByLanguage({ name, accepts: each }, options, NO_FILE),
  );
  if (byLanguage.length > 0) return byLanguage.map(reasonOf);
  const taken = facet ? accepts.facets[facet] : true;
  if (taken !== true) return [taken.instead];
  const properties = kinds.map((kind) => ({ name: kind, kind, span: undefined }));
  const canReduce = accepts.reductions.length > 0;
  const input = { properties, canReduce, facets: accepts.facets };
  return refusedByEngine(engine, options, input, NO_FILE).map(reasonOf);
}

/** The message of a refusal names the option and who refuses it, which the cell says by its place. */
const reasonOf = ({ message, hint = "" }: Diagnostic): string => (hint === "" ? message : hint);

const NO_FILE = "";

const distinct = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];
