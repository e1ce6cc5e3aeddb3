/** Assembles the nodes of a system and its properties into a model. */
import { inspect } from "node:util";
import type {
  Model,
  ObservedSystem,
  Property,
  Sources,
  Successors,
  Temporal,
  TemporalProperty,
  Words,
} from "../../model/index.js";
import { CodeInspector, IGNORED, type LiveHeapOptions } from "../heap/index.js";
import { Assumptions, remainsAfter } from "./assumptions.js";
import { budgetsOf } from "./budgets.js";
import { BadDeclaration } from "./declared.js";
import { DataNode } from "./data-node.js";
import type { SystemDefinition } from "./define.js";
import type { Running } from "./events.js";
import { NodeExplainer, plainly } from "./explain.js";
import type { StepReport } from "./node-runtime.js";
import { Growth } from "./growth.js";
import { ignoring } from "./ignore.js";
import type { Journal } from "../../model/journal.js";
import { LocalSteps, type Judge } from "./local-steps.js";
import { Network } from "./network.js";
import { NotSupported, type NodeProcess } from "./node-process.js";
import { NodeSystem, type NodeSystemParts } from "./node-system.js";
import { Places } from "./places.js";
import { Conditions, type Watch } from "./properties.js";
import type { Reads } from "./reads.js";
import { ReplayNode } from "./replay-node.js";
import { Sites, generalProperties } from "./sites.js";
import { openRealm, type OpenedRealm, type SystemSource } from "./source.js";
import type { SystemSummary } from "./summary.js";
import { nodeReductions } from "./reductions.js";
import { StateWords } from "./state-words.js";
import { checkDeclaration } from "./symmetry.js";
import { nth } from "../../model/known.js";

export interface SystemModel extends Model {
  readonly summary: SystemSummary;
  readonly nodes: readonly NodeProcess[];
  readonly nodeSystem: NodeSystem;
  readonly local: LocalSteps;
  readonly network: Network;
  readonly words: StateWords;
  readonly parts: NodeSystemParts;
  readonly assumptions: Assumptions;
  /** Like `holds`, but records the condition's reads. */
  holdsWatched(index: number, state: Words, at: number, reads: Reads): boolean;
  violationClass(index: number, state: Words, at: number): string;
  /** The user's description of a violation, if any. */
  reasonOf(property: string): string | undefined;
  placeOf(name: string): ReturnType<Places["ofName"]>;
  /** Values of all conditions in a state, and the enabled actions, as canonical text. */
  answersIn(state: Words, at: number): string;
  /** The user's picture of a state; undefined: there is nothing yet, before the first start. Throws `BadCondition`. */
  readonly draw?: (state: Words, at: number) => string | undefined;
  /** Observed values by name, as JSON; undefined: before the start. Present if the file declares `observe`. */
  observe?(state: Words, at: number): string | undefined;
  /** Whether some `returns` condition holds. */
  isQuiet(state: Words, at: number): boolean;
}

export interface SystemModelOptions {
  /** Nodes to be replayed, because they contain more than data; others are captured. */
  readonly replayed: ReadonlySet<string>;
  /** Fields that do not distinguish states, in addition to the file's. */
  readonly ignore?: readonly string[];
  readonly sources: Sources;
  /** Hashing of captured heaps; incremental by default, full for comparison. */
  readonly hash?: LiveHeapOptions["hash"];
  readonly timeoutMs: number;
  /** Detects changes by conditions. */
  readonly watch?: Watch | undefined;
  /** Numbering shared with other searching threads; absent: a single thread. */
  readonly journal?: Journal;
}

export function makeModel(source: SystemSource, options: SystemModelOptions): SystemModel {
  const inspector = new CodeInspector();
  const shared = { random: 1, timers: "any", timeoutMs: options.timeoutMs } as const;
  const properties = openRealm(source, { ...shared, name: "", names: [] });
  const { mailbox, summary: said } = properties;
  const [problem] = said.problems;
  if (problem !== undefined) throw new BadDeclaration(problem); // sound: test/code/system/declared.test.ts
  const summary = { ...said, ignore: [...said.ignore, ...(options.ignore ?? [])] };
  checkDeclaration(summary);
  const definition = mailbox.definition()!;
  const capture = { inspector, ignore: summary.ignore, hash: options.hash };
  const nodes = summary.nodes.map((name) => {
    const plan = {
      ...shared,
      random: summary.random,
      timers: summary.timers,
      losesInOrder: summary.faults.unsynced === "lost-in-order",
      name,
      names: summary.nodes,
    };
    return options.replayed.has(name) || summary.capture === "replay"
      ? new ReplayNode(source, plan, capture)
      : new DataNode(source, plan, capture, options.journal);
  });
  const places = new Places(source, options.sources, inspector);
  const { journal, watch } = options;
  const model = assemble({ properties, definition, summary, nodes, places, journal, watch });
  // Partial order would postpone steps of machines that change nothing, which their observers see.
  return source.kind === "machines" ? model : Object.assign(model, { reductions: nodeReductions(model) });
}

interface Assembly {
  readonly properties: OpenedRealm;
  readonly definition: SystemDefinition;
  readonly summary: SystemSummary;
  readonly nodes: readonly NodeProcess[];
  readonly places: Places;
  readonly journal: Journal | undefined;
  readonly watch: Watch | undefined;
}

function assemble(assembly: Assembly): SystemModel {
  const { properties, summary, nodes, places, journal } = assembly;
  const network = new Network(summary.nodes, summary.network, journal);
  const budgets = budgetsOf(summary);
  const words = new StateWords(nodes.length, budgets.limits, nth(budgets.limits, budgets.partitions) > 0);
  const assumptions = new Assumptions(journal);
  const noteRelied = (relied: number): void => assumptions.addRelied(relied, summary);
  const conditions = new Conditions(
    properties,
    summary,
    nodes,
    network,
    words.width,
    assembly.watch,
    noteRelied,
  );
  const sites = new Sites(places.ofName("defineSystem"), summary.messages, journal);
  const judging = judge(assembly, conditions, sites, assumptions);
  const steps = new LocalSteps(nodes, judging, summary.faults.failures ?? 0, journal);
  const parts: NodeSystemParts = {
    summary,
    nodes,
    steps,
    network,
    budgets,
    words,
    isEnabled: (action, value, node, state) => conditions.isEnabled(action, value, node, state),
    isFinished: (state, at) => conditions.isFinished(state, at),
    growth: new Growth(summary, nodes, network),
    remainsOf: (side) => remainsAfter(side, summary, assumptions),
    noteOrder: () =>
      assumptions.add("timers of a node go off in order, and no time passes between other steps"),
  };
  const beyond = journal?.table(() => (system.discarded ||= 1));
  const system: NodeSystem = new NodeSystem(parts, () => void beyond?.number("discarded"));
  const explainer = new NodeExplainer(system, parts, places, (event, view) => codeOf(event, view, assembly));
  const named = (kind: Property["kind"], names: readonly string[]): Property[] =>
    names.map((name) => ({ name, kind, span: places.ofName(name) }));
  const ofStates = [
    ...named("invariant", summary.always),
    ...named("invariant", summary.returns),
    ...named("cover", summary.sometimes),
    ...named("agef", summary.recoverable),
  ];
  const temporal = temporalFacet(system, explainer, conditions, named("ltl", summary.eventually));
  /** Whether every node equals its initial state, if the named condition holds. */
  const returned = (name: string, state: Words, at: number): boolean => {
    const changed = system.changedSinceStart(state, at);
    if (changed.length === 0 || !conditions.holds("returns", name, state, at)) return true;
    const what = changed.map((node) =>
      differences(
        nth(nodes, node),
        { name: nth(summary.nodes, node), ignore: summary.ignore },
        system.startOf(node),
        nth(state, at + node),
      ),
    );
    const isKnown = (node: number, i: number): boolean =>
      what[i] !== undefined || nth(nodes, node).areDistinguished(system.startOf(node), nth(state, at + node)); // sound: test/code/system/properties.test.ts
    if (!changed.some(isKnown))
      throw new NotSupported(unclearText(changed.map((node) => nth(summary.nodes, node))));
    const reasons = changed.map(
      (node, i) => what[i] ?? `${summary.nodes[node]} differs from its initial state`,
    );
    conditions.reasons.set(name, reasons.join("; "));
    return false;
  };
  const holds = (index: number, state: Words, at: number, reads?: Reads): boolean => {
    const { kind, name } = nth(ofStates, index);
    if (system.isRoot(state, at)) return true; // sound: test/code/system/starts.test.ts
    if (kind === "invariant" && summary.always.includes(name))
      return conditions.holds("always", name, state, at, reads);
    if (kind === "invariant") return returned(name, state, at);
    if (kind === "cover") return !conditions.holds("sometimes", name, state, at, reads);
    return conditions.holds("recoverable", name, state, at, reads);
  };
  return {
    system,
    steps: explainer,
    properties: [
      ...generalProperties,
      ...(summary.hasFinished ? [{ name: "deadlock", kind: "deadlock", span: undefined } as const] : []),
      ...ofStates,
      ...named("event", summary.messages),
      ...(temporal?.properties ?? []),
    ],
    sites: sites.all,
    holds: (index, state, at) => holds(index, state, at),
    holdsWatched: holds,
    invariants: ofStates,
    violationClass: (index, state, at) => {
      const { name } = nth(ofStates, index);
      conditions.reasons.delete(name);
      return holds(index, state, at) ? "" : kindOfReason(conditions.reasons.get(name) ?? "", summary);
    },
    ...(summary.hasGuide
      ? {
          guide: {
            abstract: (state, at) => (system.isRoot(state, at) ? "" : conditions.abstract(state, at)),
          },
        }
      : {}),
    ...(summary.hasPicture
      ? { draw: (state, at) => (system.isRoot(state, at) ? undefined : conditions.draw(state, at)) }
      : {}),
    ...(temporal ? { temporal } : {}),
    coverage: { parts: [], reached: new Uint8Array(0) },
    summary,
    nodes,
    nodeSystem: system,
    local: steps,
    network,
    words,
    parts,
    assumptions,
    reasonOf: (property) => conditions.reasons.get(property),
    placeOf: (name) => places.ofName(name),
    answersIn: (state, at) => (system.isRoot(state, at) ? "" : conditions.answersIn(state, at)),
    ...(summary.hasObserve
      ? { observe: (state, at) => (system.isRoot(state, at) ? undefined : conditions.observe(state, at)) }
      : {}),
    isQuiet: (state, at) =>
      !system.isRoot(state, at) &&
      summary.returns.some((name) => conditions.holds("returns", name, state, at)),
  };
}

const unclearText = (names: readonly string[]): string =>
  `whether ${names.join(", ")} equals its initial state: it is replayed, and its states are histories`;

/** Describes how a node differs from its start, apart from ignored fields; undefined: no visible difference. */
function differences(
  node: NodeProcess,
  { name, ignore }: { readonly name: string; readonly ignore: readonly string[] },
  before: number,
  now: number,
): string | undefined {
  const ignored = ignoring(ignore);
  const timers = (state: number): string =>
    node
      .state(state)
      .side.timers.map((timer) => timer.name)
      .join();
  const fields = (state: number): Record<string, string> => {
    const view = (node.view(state) ?? {}) as Record<string, unknown>;
    // A getter may read current data outside the node.
    const isData = (key: string): boolean => "value" in Object.getOwnPropertyDescriptor(view, key)!; // sound: test/code/system/properties.test.ts
    const keys = Object.keys(view).filter((key) => isData(key) && ignored?.([key], true) !== IGNORED);
    return Object.fromEntries(
      keys.map((key) => [key, inspect(view[key], { ...plainly, depth: 3, breakLength: Infinity })]),
    );
  };
  const [was, is] = [fields(before), fields(now)];
  const changed = Object.keys({ ...was, ...is }).filter((key) => was[key] !== is[key]);
  const texts = changed.map(
    (key) => `${name}.${key} is ${is[key] ?? "gone"}, was ${was[key] ?? "not there"}`,
  );
  if (timers(before) !== timers(now)) texts.push(`${name} has the timers ${timers(now) || "none"}`);
  return texts.length > 0 ? texts.join(", ") : undefined;
}

function judge(
  { summary, places }: Assembly,
  conditions: Conditions,
  sites: Sites,
  assumptions: Assumptions,
): Judge {
  return {
    remainsOf: (disk) => remainsAfter(disk, summary, assumptions),
    noteRelied: (relied) => assumptions.addRelied(relied, summary),
    sparesHandlers: () => {
      if (summary.faults.crashesAt !== "between-handlers") return false;
      assumptions.add("no node crashes inside a handler");
      return true;
    },
    numberOf: (name) => summary.nodes.indexOf(name),
    isDiscarded: (node, state) => conditions.isDiscarded(node, state),
    siteOf: (node, { failure }: StepReport) => {
      if (!failure) return -1;
      const kind = failure.kind === "assertion" ? "assertion" : "error";
      return sites.find(kind, failureText(failure, nth(summary.nodes, node)), places.ofStack(failure.stack));
    },
    sitesOfMessage: (node, message) =>
      conditions
        .violated(message, nth(summary.nodes, node))
        .map(({ property, reason }) => sites.ofMessage(property, reason, kindOfReason(reason, summary))),
  };
}

/** A reason without names of nodes and numbers, to classify violations. */
function kindOfReason(reason: string, { nodes }: SystemSummary): string {
  return reason.replace(/[\p{L}\p{N}_$]+/gu, (word) =>
    nodes.includes(word) ? "#" : word.replace(/\d+(?:\.\d+)?/g, "#"),
  );
}

function failureText({ kind, name, message }: NonNullable<StepReport["failure"]>, node: string): string {
  const what = name === "" || name === "Error" ? message : `${name}: ${message}`;
  if (kind === "assertion") return `assertion violated in ${node}: ${what}`;
  return kind === "rejection" ? `unhandled rejection in ${node}: ${what}` : `${node} fails: ${what}`;
}

/** The user's function that an event runs. */
function codeOf(event: Running, view: unknown, { definition, summary }: Assembly): unknown {
  const handlers = (view ?? {}) as Record<string, unknown>;
  switch (event.kind) {
    case "action":
      return definition.actions?.[nth(summary.actions, event.action).name]?.run;
    case "deliver":
      return handlers["onMessage"];
    case "timer":
      return handlers["onTimer"];
    case "restart":
      return definition.nodes[nth(summary.nodes, event.node)];
    case "pending":
      return undefined;
  }
}

/** `eventually p` over all executions, for each such property. */
function temporalFacet(
  system: NodeSystem,
  explainer: NodeExplainer,
  conditions: Conditions,
  properties: readonly Property[],
): Temporal | undefined {
  if (properties.length === 0) return undefined;
  const asked = properties.map((property): TemporalProperty => ({
    ...property,
    propositions: [{ name: property.name }],
    requirement: {
      kind: "satisfies",
      formula: { kind: "eventually", operand: { kind: "proposition", index: 0 } },
    },
  }));
  const valuation = (index: number, state: Words, at: number): number =>
    conditions.holds("eventually", nth(asked, index).name, state, at) ? 1 : 0;
  const observed = (inner: NodeSystem | NodeExplainer, labels: boolean): ObservedSystem => ({
    width: inner.width,
    compareFrom: 0,
    get hasRoot() {
      return inner.hasRoot;
    },
    initial: (out: Successors) => inner.initial(out),
    successors: (state: Words, at: number, out: Successors) => inner.successors(state, at, out),
    status: (state: Words, at: number) => inner.status(state, at),
    ...(labels ? { labels: "agents" as const } : {}),
    valuation,
  });
  return {
    properties: asked,
    system: observed(system, false),
    steps: observed(explainer, false),
    labelled: () => observed(system, true),
    agents: undefined,
  };
}
