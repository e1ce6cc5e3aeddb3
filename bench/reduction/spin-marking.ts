/**
 * The marking of Spin 6.5: locations that its verifier would explore alone, and the conditions.
 *
 * For comparison with Spin's figures only; checks use `src/transforms/reduction/marking.ts`. Follows Spin where it is
 * generous (ignores the arguments of `run`, the indices of local arrays, `sorted` and random messages) and where it is
 * strict (every global is shared; the statements of an atomic sequence are all global if one is).
 */
import type {
  Candidacy,
  Edge,
  Expr,
  Location,
  LocationCandidacy,
  Place,
  Program,
  Template,
} from "../../src/model/index.js";
import {
  childrenOf,
  creatorsOf,
  dies,
  edgesIn,
  goesOn,
  sameVariable,
  within,
} from "../../src/model/program-walk.js";

export interface SpinMarkingOptions {
  /** Reading one's process number counts as a global access, as in Spin before 4.2.3. */
  readonly isPidGlobal?: boolean;
  /** Breadth-first Spin selects a process even if it is the only one, and may reject it. */
  readonly order?: "bfs" | "dfs";
}

export function spinMarking(program: Program, options: SpinMarkingOptions = {}): Candidacy {
  const marker = new SharedStatements(program, options.isPidGlobal ?? false);
  return {
    locations: program.templates.map((t) => {
      const blocks = blocksOf(t);
      return t.locations.map((l) => marker.location(t, l, blocks));
    }),
    creators: program.templates.map(creatorsOf),
    needsCompany: options.order !== "bfs",
  };
}

/** Spin's limit of conditions per location. */
const MOST_CONDITIONS = 6;
const MOST_IN_STATEMENT = 2;

export class SharedStatements {
  readonly #program: Program;
  readonly #isPidGlobal: boolean;
  readonly #hasEscapes: boolean;

  constructor(program: Program, isPidGlobal: boolean) {
    this.#program = program;
    this.#isPidGlobal = isPidGlobal;
    this.#hasEscapes = [...edgesIn(program)].some((e) => e.escapeGroup !== 0);
  }

  location(template: Template, location: Location, blocks: Blocks): LocationCandidacy {
    if (location.edges.length === 0 || location.inside === "step" || template.provided) return undefined;
    const conditions = new Map<string, Condition>();
    for (const edge of location.edges) {
      const block = blocks.get(edge)!;
      if (block.some(({ edge: e, at }) => this.isGlobal(template, at, e) || leaves(template, block, e)))
        return undefined;
      const own = this.#conditionsOf(block.map((b) => b.edge));
      if (own.length > MOST_IN_STATEMENT) return undefined;
      for (const c of own) conditions.set(c.key, c);
    }
    if (conditions.size > MOST_CONDITIONS) return undefined;
    return { conditions: [...conditions.values()].flatMap((c) => c.tests), needsNoCreators: false };
  }

  /** Does the statement access anything outside the process? */
  isGlobal(template: Template, location: Location, edge: Edge): boolean {
    const isShared = (e: Expr): boolean => this.#isShared(template, e);
    const { guard, communication, effects } = edge;
    if (guard.kind === "condition" && isShared(guard.condition)) return true;
    if (guard.kind === "else" && location.edges.some(talks)) return true;
    if (communication?.kind === "send") {
      if (communication.message.some(isShared)) return true;
      if (!this.#isClaimed(template, communication.channel, "send")) return true;
    }
    if (communication?.kind === "receive") {
      const isForeign = communication.pattern.some((p) =>
        p.kind === "match" ? isShared(p.value) : p.kind === "store" && p.target.scope === "global",
      );
      if (isForeign || !this.#isClaimed(template, communication.channel, "receive")) return true;
    }
    return effects.some((e) => {
      switch (e.kind) {
        case "assign":
          return e.target.scope === "global" || isShared(e.value);
        case "assert":
          return isShared(e.condition);
        case "print":
          return e.arguments.some((a) => isShared(a.value));
        case "run":
          return e.target?.scope === "global" || hasVaryingStart(this.#program.templates[e.template]!);
        case "set-priority":
          return true;
        case "die":
          return false;
      }
    });
  }

  #isShared(template: Template, e: Expr): boolean {
    switch (e.kind) {
      case "constant":
      case "priority":
        return false;
      case "self":
        return this.#isPidGlobal;
      case "load":
        // Never-written variables make statements global on purpose, so they count; indices do not.
        return e.place.scope === "global";
      case "channel-test":
        return !this.#isClaimed(
          template,
          e.channel,
          e.test === "nempty" || e.test === "full" ? "receive" : "send",
        );
      case "poll":
      case "length":
        return (["receive", "send"] as const).some((access) => !this.#isClaimed(template, e.channel, access));
      case "unary":
      case "binary":
      case "conditional":
        return childrenOf(e).some((child) => this.#isShared(template, child));
      default:
        return true;
    }
  }

  /** Spin identifies variables by name: a claim on a global holds for all its users. */
  #isClaimed(template: Template, channel: Expr, access: "receive" | "send"): boolean {
    if (channel.kind !== "load") return false;
    const { place } = channel;
    const claimants = place.scope === "local" ? [template] : this.#program.templates;
    return claimants.some((t) =>
      t.claims.some(
        (c) => c.access === access && c.channel.kind === "load" && sameVariable(c.channel.place, place),
      ),
    );
  }

  /** Conditions under which the statements of a block are safe, without repetition. */
  #conditionsOf(edges: readonly Edge[]): Condition[] {
    const found = new Map<string, Condition>();
    for (const edge of edges)
      for (const condition of this.#edgeConditions(edge)) found.set(condition.key, condition);
    return [...found.values()];
  }

  #edgeConditions(edge: Edge): Condition[] {
    const { guard, communication } = edge;
    if (dies(edge)) return [youngest(this.#program.rules.maxProcesses)];
    const conditions: Condition[] = [];
    if (communication) {
      const test = communication.kind === "send" ? "nfull" : "nempty";
      conditions.push(...this.#channelCondition(communication.channel, test, communication.site));
    }
    if (guard.kind === "condition")
      for (const e of within(guard.condition))
        if (e.kind === "channel-test") conditions.push(...this.#channelCondition(e.channel, e.test, e.site));
    return conditions;
  }

  #channelCondition(channel: Expr, test: ChannelTest, site: number): Condition[] {
    if (channel.kind !== "load") return [];
    const { place } = channel;
    const channels = elementsOf(place).map((p): Expr => ({ kind: "load", place: p }));
    const tests: ChannelTest[] =
      this.#hasEscapes && (test === "nfull" || test === "nempty") ? ["nfull", "nempty"] : [test];
    return [
      {
        key: `${test} ${place.scope} ${place.variable}`,
        tests: channels.flatMap((c) =>
          tests.map((t): Expr => ({ kind: "channel-test", test: t, channel: c, site })),
        ),
      },
    ];
  }
}

type ChannelTest = (Expr & { kind: "channel-test" })["test"];

interface Condition {
  readonly key: string;
  readonly tests: readonly Expr[];
}

/** The edges of an indivisible or atomic sequence with their locations; an ordinary edge is a singleton block. */
export type Blocks = ReadonlyMap<Edge, readonly { readonly edge: Edge; readonly at: Location }[]>;

function blocksOf(template: Template): Blocks {
  const places = template.locations.flatMap((at) => at.edges.map((edge) => ({ edge, at })));
  const blockOf = new Map(places.map((p) => [p.edge, [p]]));
  for (const { edge } of places) {
    if (!goesOn(template, edge)) continue;
    for (const next of template.locations[edge.to]!.edges) {
      const [mine, others] = [blockOf.get(edge)!, blockOf.get(next)!];
      if (mine === others) continue;
      mine.push(...others);
      for (const { edge: other } of others) blockOf.set(other, mine);
    }
  }
  return blockOf;
}

/** A `goto` out of an atomic sequence makes all of it global. */
function leaves(template: Template, block: readonly { readonly edge: Edge }[], edge: Edge): boolean {
  return block.length > 1 && !goesOn(template, edge) && /^goto\b/.test(edge.text);
}

/** Does the edge communicate or test a channel? */
function talks(edge: Edge): boolean {
  if (edge.communication) return true;
  return (
    edge.guard.kind === "condition" &&
    [...within(edge.guard.condition)].some((e) => e.kind === "channel-test")
  );
}

/** Do its variables have varying initial values? */
const hasVaryingStart = (template: Template): boolean =>
  template.initialisers.some((i) => i.kind === "channel" || i.value.kind !== "constant");

/** All elements of an array if the place names one. */
function elementsOf(place: Place): Place[] {
  const at = place.path.findIndex((p) => p.kind === "index" && p.index.kind !== "constant");
  const step = place.path[at];
  if (step?.kind !== "index") return [place];
  return Array.from({ length: step.length }, (_, value) => {
    const path = place.path.with(at, { ...step, index: { kind: "constant", value } });
    return elementsOf({ ...place, path });
  }).flat();
}

function youngest(maxProcesses: number): Condition {
  const one: Expr = { kind: "constant", value: 1 };
  const next: Expr = { kind: "binary", op: "+", left: { kind: "self" }, right: one, site: -1 };
  const count: Expr = { kind: "process-count" };
  return {
    key: "youngest",
    tests: [
      { kind: "binary", op: "==", left: next, right: count, site: -1 },
      { kind: "binary", op: "<", left: count, right: { kind: "constant", value: maxProcesses }, site: -1 },
    ],
  };
}
