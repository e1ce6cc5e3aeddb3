/** Builds the automaton of a process type: locations and edges. */
import type { Edge, Location, Template, Variable } from "../../../model/program.js";
import type { ExclusiveStatement, Sequence } from "../ast.js";
import type { LabelSymbol, ProcessSymbol } from "../check.js";
import { buildBody, makeObservable, type Body } from "./build.js";
import type { Context } from "./context.js";
import { lowerExpression, lowerPlaces, type Names } from "./expressions.js";
import { localInitialisers } from "./initialisers.js";
import { tieBlocks } from "./joints.js";
import type { Node } from "./nodes.js";
import { declare, declareInternal, type Slots } from "./places.js";
import { lowerStatement, noAction, type Action } from "./statements.js";
import { StepBuilder, type StepRoom } from "./steps.js";
import { automatonOf, type Automaton, type Transition } from "./transitions.js";
import { statementsIn } from "./walk.js";
import { nth, entryOf } from "../../../model/known.js";

/** A process with its automaton and slots, before its statements are lowered. */
export interface Skeleton {
  readonly process: ProcessSymbol;
  readonly body: Body;
  readonly automaton: Automaton;
  readonly locals: readonly Variable[];
  readonly parameters: number;
  /** Node numbers of ordinary locations. */
  readonly places: readonly number[];
}

export function outline(
  process: ProcessSymbol,
  observed: readonly LabelSymbol[],
  slots: Slots,
  context: Context,
): Skeleton {
  const body = buildBody(process, context);
  for (const label of observed) makeObservable(body, label);
  tieBlocks(body.nodes);
  const automaton = automatonOf(body);
  const locals: Variable[] = [];
  declare(process.parameters, locals, slots, context);
  const parameters = locals.length;
  declare(process.locals, locals, slots, context);
  declareInternal(body.counters, locals, slots, context);
  return { process, body, automaton, locals, parameters, places: placesOf(body.nodes, automaton) };
}

/** The location where control rests at a label, if any. */
export function locationOf(label: LabelSymbol, skeleton: Skeleton): readonly number[] {
  const node = skeleton.body.labels.get(label)?.node;
  const location = node ? skeleton.places.indexOf(node.number) : -1;
  return location < 0 ? [] : [location];
}

export function lowerTemplate(skeleton: Skeleton, names: Names): Template {
  const { process, automaton, body, locals, parameters } = skeleton;
  const { unit } = process;
  const early = process.locals.filter((symbol) => !body.lateLocals.has(symbol));
  return {
    name: process.name,
    span: unit.span,
    parameters,
    locals,
    initialisers: localInitialisers(early, names),
    locations: new LocationBuilder(skeleton, names).build(),
    initial: skeleton.places.indexOf(automaton.initial),
    provided: "provided" in unit && unit.provided ? lowerExpression(unit.provided, names) : undefined,
    priority: ("priority" in unit && unit.priority?.value) || 1,
    claims: claimsIn(unit.body, names),
  };
}

class LocationBuilder {
  readonly #room: StepRoom;
  readonly #actions = new Map<Node, Action>();
  readonly #steps = new Map<Node, readonly Edge[]>();
  readonly #locationOf: ReadonlyMap<number, number>;

  constructor(
    readonly skeleton: Skeleton,
    readonly names: Names,
  ) {
    this.#room = { names, first: skeleton.places.length, added: [] };
    this.#locationOf = new Map(skeleton.places.map((number, location) => [number, location]));
  }

  build(): Location[] {
    const locations = this.skeleton.places.map((number, location) => this.#location(number, location));
    return [...locations, ...this.#room.added];
  }

  #location(number: number, location: number): Location {
    const { automaton, body } = this.skeleton;
    const node = nth(body.nodes, number - 1);
    const transitions = automaton.transitions.get(number) ?? [];
    return {
      edges: transitions.flatMap((transition) => this.#edges(transition, location)),
      inside: "none",
      ...entryOf(automaton.marks, number),
      labels: node.labels.map(({ name }) => name).toReversed(),
      blockedSite: -1,
      span: transitions[0]?.node.span ?? node.span,
      number,
      stands: stands(node),
    };
  }

  #edges(transition: Transition, location: number): Edge[] {
    const { node, keepsControl, escape } = transition;
    const to = transition.to === 0 ? location : entryOf(this.#locationOf, transition.to);
    if (node.kind === "step")
      return this.#stepEdges(node, to, keepsControl).map((e) => ({ ...e, escapeGroup: escape }));
    const action = this.#action(node);
    return [{ to, ...action, escapeGroup: escape, keepsControl, text: node.text, span: node.span }];
  }

  /** A step at several locations is lowered once. */
  #stepEdges(node: Node, to: number, keepsControl: boolean): readonly Edge[] {
    const known = this.#steps.get(node) ?? new StepBuilder(node, to, keepsControl, this.#room).entries();
    this.#steps.set(node, known);
    return known;
  }

  #action(node: Node): Action {
    if (node.kind === "else") return { ...noAction, guard: { kind: "else" } };
    if (node.kind === "end") return { ...noAction, effects: [{ kind: "die" }] };
    if (!node.statement) return noAction;
    const known = this.#actions.get(node) ?? lowerStatement(node.statement, this.names);
    this.#actions.set(node, known);
    return known;
  }
}

function stands(node: Node): Location["stands"] {
  if (node.kind === "goto" || node.kind === "join" || node.kind === "exit") return "jump";
  return node.kind === "statement" || node.kind === "else" || node.kind === "end" ? "statement" : "compound";
}

/**
 * The nodes where control can rest, by number, followed by unreachable statements, which reports list as never
 * executed.
 */
function placesOf(nodes: readonly Node[], automaton: Automaton): number[] {
  const reached = new Set<number>();
  const shown = new Set<Node>();
  const visit = (initial: number): void => {
    const queue = [initial];
    for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
      if (number === 0 || reached.has(number)) continue;
      reached.add(number);
      for (const { node, to } of automaton.transitions.get(number) ?? []) {
        shown.add(node);
        queue.push(to);
      }
    }
  };
  visit(automaton.initial);
  const live = [...reached].sort((a, b) => a - b);
  for (const node of nodes) {
    const isStatement = node.kind === "statement" || node.kind === "step";
    if (isStatement && automaton.transitions.has(node.number) && !shown.has(node)) visit(node.number);
  }
  const dead = [...reached].filter((number) => !live.includes(number)).sort((a, b) => a - b);
  return [...live, ...dead];
}

function claimsIn(body: Sequence, names: Names): Template["claims"] {
  return [...statementsIn(body)].flatMap((s) => (s.kind === "exclusive" ? lowerClaims(s, names) : []));
}

function lowerClaims(statement: ExclusiveStatement, names: Names): Template["claims"] {
  const { context } = names;
  const what = statement.access === "receive" ? "received from" : "sent to";
  return statement.channels.flatMap((reference) => {
    const message = `not exclusive: ${context.textAt(reference.span)} is also ${what} by another process`;
    return lowerPlaces(reference, names).map((place) => ({
      access: statement.access,
      channel: { kind: "load", place } as const,
      site: context.site("exclusive-access", message, statement.span),
    }));
  });
}
