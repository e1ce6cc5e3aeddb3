/**
 * Options and kinds of property that each language and each engine accepts, and the refusal of everything else.
 *
 * A language declares `Accepts`, an engine `EngineAccepts`: whole records, so that neither a new language nor a new option
 * can forget the other. `asked` lists the requests in the options, and has an entry for every field of `CheckOptions`;
 * `refusals` compares the two. No other module decides whether an option is accepted.
 *
 * Always true: an option is either honoured or refused with an error that names the option, the refusing party and an
 * alternative.
 */
import type { Diagnostic, Property, PropertyKind, StoreName } from "../model/index.js";
import type { ReductionName } from "../transforms/reduction/index.js";
import { contradictions } from "./contradictions.js";
import type { CheckOptions, SearchOrder, SwitchRequest } from "./request.js";

/** Options that a language takes or not, as they are written on the command line. */
const languageFlags = {
  defines: "-D",
  faults: "--faults",
  refines: "--refines",
  invariants: "--invariant",
  ltl: "--ltl",
  claims: "--claim",
  formulas: "--formula",
  hierarchy: "--hierarchy",
  targets: "--target",
  asksBoundedness: "--bounded",
  loseWhenFull: "--lose-when-full",
  endNeedsEmptyChannels: "--end-needs-empty-channels",
  maxProcesses: "--limit-processes",
  integers: "--integers",
  refactor: "--refactor",
  arrays: "--arrays",
  dialect: "--dialect",
  deadlock: "--deadlock",
  symmetry: "--symmetry",
  loopLimit: "--loop-limit",
  callDepth: "--call-depth",
  concrete: "--concrete",
  compat: "--compat",
  symbolicArgs: "--sym-arg",
  symbolicStdin: "--sym-stdin",
  compiler: "--cc",
  tasks: "--tasks",
  warnsTruncation: "--warn-truncation",
  measuresCoverage: "--coverage",
  trace: "--trace",
  svg: "--svg",
  traceFormat: "--trace-format",
  emitCode: "--emit-code",
  emitNet: "--emit-net",
  netEncoding: "--net-encoding",
  emitProgram: "--emit-program",
  emitMurphi: "--emit-murphi",
  emitPromela: "--emit-promela",
  emitSeq: "--emit-seq",
  certifyLaws: "--certify-laws",
} as const;

/** Options that an engine takes or not. */
const engineFlags = {
  seed: "--seed",
  isPlain: "--plain",
  checksReduction: "--check-reduction",
  certificate: "--certificate",
  counts: "--count",
  slice: "--slice",
  minimises: "--no-minimise",
  maxStates: "--max-states",
  maxDepth: "--max-depth",
  memoryBytes: "--memory",
  timeMs: "--time",
  workers: "--workers",
  disk: "--disk",
  resume: "--resume",
  device: "--device",
  gpuMemoryBytes: "--gpu-memory",
  maxErrors: "--errors",
  acceptsBounded: "--accept bounded",
  acceptsProbable: "--accept probabilistic",
  solver: "--solver",
  dumpSmt: "--dump-smt",
  explore: "--explore",
  model: "--model",
  dot: "--dot",
  closure: "--closure",
  refineFrom: "--refine-from",
  refineAtoms: "--refine-atoms",
  fixpoint: "--fixpoint",
  unwind: "--unwind",
  strategy: "--strategy",
  relation: "--relation",
  rule: "--rule",
  order: "--order",
  alphabet: "--alphabet",
  assumptions: "--assumptions",
  hierarchy: "--hierarchy",
} as const;

export type LanguageOption = keyof typeof languageFlags;
export type EngineOption = keyof typeof engineFlags;

/** Accepted; or refused, with an alternative. */
export type Taken = true | { readonly instead: string };

/** Capabilities of a language. */
export interface Accepts {
  /** The kinds of property that its models can have. */
  readonly kinds: readonly PropertyKind[];
  /** Reasons why its models have no properties of some kinds. */
  readonly without?: Readonly<Partial<Record<PropertyKind, string>>>;
  readonly reductions: readonly ReductionName[];
  readonly options: Readonly<Record<LanguageOption, Taken>>;
  /** The engines that take its texts, the default first. A question or a text may rule out some. */
  readonly engines: readonly string[];
  readonly facets: Readonly<Record<Facet, Taken>>;
}

/**
 * Facets of the models of a language. `steps`: there are states to step through. `explore`: the explorer shows them. `threads`: other threads can make the model
 * (`Model.recipe`). `resume`: another process can, with the same words for the same states. `coverage`: a search records which parts of
 * the source it has reached.
 */
export type Facet = "steps" | "explore" | "threads" | "resume" | "coverage";

/** Capabilities of an engine. */
export interface EngineAccepts {
  /** The kinds of property that it decides. */
  readonly kinds: readonly PropertyKind[];
  /** Absent: the engine has a fixed order. */
  readonly searches: readonly Order[];
  /** Absent: the engine has fixed stores. */
  readonly stores: readonly StoreName[];
  /** `loaded`: the language's, if the loaded model can be reduced. */
  readonly reductions: readonly ReductionName[] | "loaded";
  /** A facet: taken where the models of the language have it. */
  readonly options: Readonly<Record<EngineOption, Taken | Facet>>;
}

export type Order = SearchOrder | SwitchRequest["by"];

/** Kinds of property about infinite executions: `--fairness` and `--emptiness` are about them. */
export const temporalKinds: readonly PropertyKind[] = ["ltl", "never", "acceptance", "progress"];

/** A request. */
type Asked =
  | { readonly by: "language"; readonly option: LanguageOption }
  | { readonly by: "engine"; readonly option: EngineOption }
  | { readonly by: "kinds"; readonly flag: string; readonly kinds: readonly PropertyKind[] }
  | { readonly by: "reduction"; readonly name: ReductionName }
  | { readonly by: "search"; readonly order: Order }
  | { readonly by: "store"; readonly store: StoreName };

type Listing = {
  readonly [K in keyof Required<CheckOptions>]: (value: NonNullable<CheckOptions[K]>) => readonly Asked[];
};

const nothing = (): readonly Asked[] => [];
const ofLanguage =
  (option: LanguageOption) =>
  (value: unknown): readonly Asked[] =>
    isGiven(value) ? [{ by: "language", option }] : [];
const ofEngine =
  (option: EngineOption) =>
  (value: unknown): readonly Asked[] =>
    isGiven(value) ? [{ by: "engine", option }] : [];

/** `false` and empty lists request nothing, nor does an explicit default that holds for every language. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The requests of each field of the options. A missing field does not compile. */
const listing: Listing = {
  language: nothing, // chosen before anything else
  engine: nothing, // likewise
  properties: nothing, // names of properties are looked up in the model
  control: nothing,
  isolation: nothing,
  reducesAtOnce: nothing, // any sound ones, possibly none
  defines: ofLanguage("defines"),
  faults: ofLanguage("faults"),
  refines: ofLanguage("refines"),
  specification: nothing, // what `refines` names
  invariants: ofLanguage("invariants"),
  ltl: ofLanguage("ltl"),
  claims: ofLanguage("claims"),
  formulas: ofLanguage("formulas"),
  hierarchy: (file) => [...ofLanguage("hierarchy")(file), ...ofEngine("hierarchy")(file)],
  targets: ofLanguage("targets"),
  asksBoundedness: ofLanguage("asksBoundedness"),
  loseWhenFull: ofLanguage("loseWhenFull"),
  endNeedsEmptyChannels: ofLanguage("endNeedsEmptyChannels"),
  maxProcesses: ofLanguage("maxProcesses"),
  integers: ofLanguage("integers"),
  refactor: ofLanguage("refactor"),
  arrays: ofLanguage("arrays"),
  dialect: ofLanguage("dialect"),
  deadlock: ofLanguage("deadlock"),
  symmetry: ofLanguage("symmetry"),
  loopLimit: ofLanguage("loopLimit"),
  callDepth: ofLanguage("callDepth"),
  concrete: ofLanguage("concrete"),
  compat: ofLanguage("compat"),
  symbolicArgs: ofLanguage("symbolicArgs"),
  symbolicStdin: ofLanguage("symbolicStdin"),
  compiler: ofLanguage("compiler"),
  tasks: ofLanguage("tasks"),
  warnsTruncation: ofLanguage("warnsTruncation"),
  measuresCoverage: ofLanguage("measuresCoverage"),
  outputs: (outputs) => outputs.flatMap((output) => (output === "html" ? [] : ofLanguage(output)(true))),
  checksDeadlock: (checks) => (checks ? [] : [{ by: "kinds", flag: "--no-deadlock", kinds: ["deadlock"] }]),
  fairness: (kind) =>
    kind === "none" ? [] : [{ by: "kinds", flag: `--fairness ${kind}`, kinds: temporalKinds }],
  emptiness: (name) =>
    name === "auto" ? [] : [{ by: "kinds", flag: `--emptiness ${name}`, kinds: temporalKinds }],
  search: (order) => [{ by: "search", order }],
  schedules: ({ by }) => [{ by: "search", order: by }],
  store: (store) => [{ by: "store", store }],
  storeRequest: nothing, // belongs to a store: `contradictions`
  seed: ofEngine("seed"),
  isPlain: ofEngine("isPlain"),
  reductions: (names) => names.map((name) => ({ by: "reduction", name })),
  checksReduction: ofEngine("checksReduction"),
  wantsProofs: ofEngine("certificate"),
  counts: ofEngine("counts"),
  slice: ofEngine("slice"),
  minimises: (minimises) => (minimises ? [] : ofEngine("minimises")(true)),
  budget: ({ maxStates, maxDepth, memoryBytes, timeMs }) => [
    ...ofEngine("maxStates")(maxStates),
    ...ofEngine("maxDepth")(maxDepth),
    ...ofEngine("memoryBytes")(memoryBytes),
    ...ofEngine("timeMs")(timeMs),
  ],
  workers: (workers) => (workers === 1 ? [] : ofEngine("workers")(true)),
  disk: ({ resumes }) => [{ by: "engine", option: resumes ? "resume" : "disk" }],
  device: ofEngine("device"),
  gpuMemoryBytes: ofEngine("gpuMemoryBytes"),
  maxErrors: (most) => (most === 1 ? [] : ofEngine("maxErrors")(true)),
  solver: ofEngine("solver"),
  dumpSmt: ofEngine("dumpSmt"),
  explore: ofEngine("explore"),
  model: ofEngine("model"),
  draws: (where) => (where === "file" ? ofEngine("dot")(true) : []),
  closure: ofEngine("closure"),
  refineFrom: ofEngine("refineFrom"),
  refineAtoms: ofEngine("refineAtoms"),
  fixpoint: ofEngine("fixpoint"),
  unwind: ofEngine("unwind"),
  strategy: ofEngine("strategy"),
  relation: ofEngine("relation"),
  rule: ofEngine("rule"),
  order: ofEngine("order"),
  alphabet: ofEngine("alphabet"),
  wantsAssumptions: ofEngine("assumptions"),
  accept: (scope) => ofEngine(scope === "bounded" ? "acceptsBounded" : "acceptsProbable")(true),
};

function asked(options: CheckOptions): readonly Asked[] {
  return Object.entries(listing).flatMap(([field, list]) => {
    const value = options[field as keyof CheckOptions];
    return value === undefined ? [] : (list as (value: unknown) => readonly Asked[])(value);
  });
}

/** Requests that a language refuses, before anything is loaded. Also finds contradictions. */
export function refusedByLanguage(
  { name, accepts }: { readonly name: string; readonly accepts: Accepts },
  options: CheckOptions,
  file: string,
): Diagnostic[] {
  const refused = asked(options).flatMap((one): Refused[] => {
    switch (one.by) {
      case "language": {
        const taken = accepts.options[one.option];
        return taken === true ? [] : [{ flag: languageFlags[one.option], instead: taken.instead }];
      }
      case "kinds":
        return withoutKinds(one, accepts);
      case "reduction":
        return accepts.reductions.includes(one.name)
          ? []
          : [{ flag: `--reduction ${one.name}`, instead: reductionsOf(accepts) }];
      default:
        return [];
    }
  });
  return [
    ...refused.map((one) => notTaken(`the language '${name}'`, one, file)),
    ...contradictions(options).map(([message, hint]) => problem("session/not-together", message, hint, file)),
  ];
}

/** Ways to run a single execution: chosen on the fly, or given by a trace. */
export type SingleRun = "simulate" | "replay";

/** Options that say nothing about one run. */
const refusedByRuns: Readonly<Record<SingleRun, Partial<Record<LanguageOption, string>>>> = {
  simulate: {
    formulas: "check decides it for all executions",
    refines: "check decides it for all executions",
    ltl: "check decides it for all executions",
    claims: "check decides it for all executions",
    asksBoundedness: "check decides it for all executions",
    symmetry: "omit --symmetry: one run is not reduced",
  },
  replay: { symmetry: "omit --symmetry: a trace is run as it is" },
};

/** Requests that only a check of all executions can decide. */
export const refusedByRun = (run: SingleRun, options: CheckOptions, file: string): Diagnostic[] =>
  asked(options).flatMap((one) => {
    const instead = one.by === "language" ? refusedByRuns[run][one.option] : undefined;
    if (one.by !== "language" || instead === undefined) return [];
    return [notTaken(`the command '${run}'`, { flag: languageFlags[one.option], instead }, file)];
  });

/** Of a text that has no steps to choose from, such as a system whose derivations branch. */
export const withoutRuns = (
  { name, accepts }: { readonly name: string; readonly accepts: Accepts },
  run: SingleRun,
  file: string,
): Diagnostic => {
  const { steps } = accepts.facets;
  return problem(
    "session/no-single-runs",
    `the command '${run}' needs states to step through, and this ${name} input has none`,
    steps === true ? "everypath check decides its properties" : steps.instead,
    file,
  );
};

/** The input of an engine. */
export interface EngineInput {
  readonly properties: readonly Property[];
  readonly canReduce: boolean;
  readonly facets: Accepts["facets"];
}

/** Requests that an engine refuses: options, and properties of kinds that it does not decide. */
export function refusedByEngine(
  { name, accepts }: { readonly name: string; readonly accepts: EngineAccepts },
  options: CheckOptions,
  { properties, canReduce, facets }: EngineInput,
  file: string,
): Diagnostic[] {
  const who = `the engine '${name}'`;
  const reducing = accepts.reductions !== "loaded" ? accepts.reductions : canReduce ? "any" : [];
  const refused = asked(options).flatMap((one): Refused[] => {
    switch (one.by) {
      case "engine": {
        if (one.option === "checksReduction" && reducing.length === 0)
          return [{ flag: engineFlags.checksReduction, instead: "omit it: nothing is reduced" }];
        const declared = accepts.options[one.option];
        const taken = typeof declared === "string" ? facets[declared] : declared;
        return taken === true ? [] : [{ flag: engineFlags[one.option], instead: taken.instead }];
      }
      case "kinds":
        return withoutKinds(one, accepts);
      case "search":
        if (one.order === "swarm" && !accepts.searches.includes("swarm"))
          return [{ flag: "--runs", instead: "--runs is for systems of nodes" }];
        if (!accepts.searches.includes(one.order))
          return [{ flag: `--search ${one.order}`, instead: listed("--search", accepts.searches) }];
        return inOrderOfTheirOwn(one.order, properties);
      case "store":
        return accepts.stores.includes(one.store)
          ? []
          : [{ flag: `--store ${one.store}`, instead: listed("--store", accepts.stores) }];
      case "reduction":
        return reducing === "any" || reducing.includes(one.name)
          ? []
          : [{ flag: `--reduction ${one.name}`, instead: listed("--reduction", reducing) }];
      default:
        return [];
    }
  });
  const kinds = properties.filter(({ kind }) => !accepts.kinds.includes(kind));
  return [
    ...refused.map((one) => notTaken(who, one, file)),
    ...kinds.map((property) => refusedKind(who, property, file)),
  ];
}

/** Cycles and reachability from every state are sought depth-first and backwards: refuses any other requested order. */
function inOrderOfTheirOwn(order: Order, properties: readonly Property[]): Refused[] {
  if (order !== "random" && order !== "guided") return [];
  const found = properties.find(({ kind }) => kind === "agef" || temporalKinds.includes(kind));
  if (!found) return [];
  const instead = `'${found.name}' is searched in a fixed order; --property chooses the others`;
  return [{ flag: `--search ${order}`, instead }];
}

/** A property of a kind that is not checked: checking the others in silence would look like an answer. */
export const refusedKind = (
  who: string,
  { name, kind, span }: { readonly name: string; readonly kind: string; readonly span: Property["span"] },
  file: string,
): Diagnostic => ({
  ...problem(
    "session/property-not-supported",
    `${who} does not check '${name}': properties of kind '${kind}' are not supported`,
    "--property chooses among the others",
    file,
  ),
  ...(span ? { span } : {}),
});

/** An option about properties of some kinds, where there are none. */
const withoutKinds = (
  { flag, kinds }: Extract<Asked, { readonly by: "kinds" }>,
  { kinds: known, without = {} }: Pick<Accepts, "kinds" | "without">,
): Refused[] => {
  if (kinds.some((kind) => known.includes(kind))) return [];
  const [instead] = kinds.flatMap((kind) => without[kind] ?? []);
  return [{ flag, ...(instead === undefined ? {} : { instead }) }];
};

interface Refused {
  readonly flag: string;
  readonly instead?: string;
}

const notTaken = (who: string, { flag, instead = "" }: Refused, file: string): Diagnostic =>
  problem(
    "session/option-not-taken",
    `${who} does not take ${flag}`,
    instead === "" ? `omit ${flag.split(" ")[0]}` : instead,
    file,
  );

const problem = (code: string, message: string, hint: string, file: string): Diagnostic => ({
  code,
  severity: "error",
  message,
  span: { file, start: 0, end: 0 },
  hint,
});

const listed = (flag: string, names: readonly string[]): string =>
  names.length === 0
    ? `omit ${flag}: the engine's choice is fixed`
    : `${flag} takes one of: ${names.join(", ")}`;

const reductionsOf = ({ reductions }: Accepts): string =>
  reductions.length === 0
    ? "omit --reduction: there is no reduction for it"
    : listed("--reduction", reductions);
