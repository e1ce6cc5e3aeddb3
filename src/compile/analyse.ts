/** What a program uses: decides what its states must hold and which code is generated at all. */
import type {
  Communication,
  Effect,
  Expr,
  Initialiser,
  Pattern,
  Place,
  Program,
  Template,
} from "../model/index.js";

export interface Analysis {
  readonly hasAtomic: boolean;
  readonly hasLast: boolean;
  readonly hasClaims: boolean;
  /** Processes can be created while the program runs. */
  readonly hasRun: boolean;
  readonly hasTimeout: boolean;
  /** Some process asks whether another one can move, by name or through priorities. */
  readonly hasEnabled: boolean;
  readonly hasRendezvous: boolean;
  readonly hasBuffered: boolean;
  /** Global variables that keep the value their initialiser gave them. */
  readonly constantGlobals: ReadonlySet<number>;
  /** Likewise of each template. */
  readonly constantLocals: readonly ReadonlySet<number>[];
  /** Scalars that are given a value before anybody can read them. */
  readonly initialisedGlobals: ReadonlySet<number>;
  readonly initialisedLocals: readonly ReadonlySet<number>[];
  /** Templates whose processes can come to an end. */
  readonly mortal: ReadonlySet<number>;
}

export function analyse(program: Program): Analysis {
  const seen = new Set<Expr["kind"]>();
  const assigned = new Set<number>();
  const assignedLocals = program.templates.map(() => new Set<number>());
  let hasRun = false;
  const expr = (e: Expr): void => void seen.add(e.kind);
  const target = (place: Place, template: number): void => {
    (place.scope === "global" ? assigned : assignedLocals[template]!).add(place.variable);
  };
  const effect = (e: Effect): void => {
    if (e.kind === "run") hasRun = true;
  };
  visitProgram(program, { expr, target, effect });
  const edges = program.templates.flatMap((t) => t.locations.flatMap((l) => l.edges));
  const capacities = program.channelTypes.map((c) => c.capacity);
  return {
    hasAtomic: edges.some((e) => e.keepsControl),
    hasLast: seen.has("last"),
    hasClaims: program.templates.some((t) => t.claims.length > 0),
    hasRun,
    hasTimeout: seen.has("timeout"),
    hasEnabled: seen.has("enabled") || program.rules.usesPriorities,
    hasRendezvous: capacities.some((c) => c === 0),
    hasBuffered: capacities.some((c) => c > 0),
    constantGlobals: new Set([...program.globals.keys()].filter((g) => !assigned.has(g))),
    constantLocals: program.templates.map(
      (t, i) => new Set([...t.locals.keys()].filter((v) => !assignedLocals[i]!.has(v))),
    ),
    initialisedGlobals: initialised(program.initialisers),
    initialisedLocals: program.templates.map(
      (t) => new Set([...Array(t.parameters).keys(), ...initialised(t.initialisers)]),
    ),
    mortal: new Set([...program.templates.keys()].filter((t) => canDie(program.templates[t]!))),
  };
}

/** The scalars that an initialiser sets without looking at them first. */
function initialised(initialisers: readonly Initialiser[]): Set<number> {
  const found = new Set<number>();
  for (const init of initialisers) {
    const { scope, variable, path } = init.target;
    let readsItself = false;
    const expr = (e: Expr): void => {
      if (e.kind === "load" && e.place.scope === scope && e.place.variable === variable) readsItself = true;
    };
    if (init.kind === "value") visitExpr(init.value, { expr });
    if (path.length === 0 && !readsItself) found.add(variable);
  }
  return found;
}

/** Does a way lead from the start of the template to its removal? */
function canDie({ initial, locations }: Template): boolean {
  const reached = new Set([initial]);
  for (const l of reached)
    for (const edge of locations[l]!.edges) {
      if (edge.effects.some((e) => e.kind === "die")) return true;
      reached.add(edge.to);
    }
  return false;
}

export interface Visitor {
  /** Every expression, inner ones included. */
  expr?(e: Expr): void;
  /** Every place that a step of the template writes (initialisers not included). */
  target?(place: Place, template: number): void;
  effect?(e: Effect): void;
}

function visitProgram(program: Program, visitor: Visitor): void {
  for (const i of program.initialisers) visitInitialiser(i, visitor);
  for (const instance of program.instances) for (const a of instance.arguments) visitExpr(a, visitor);
  for (const i of program.invariants) visitExpr(i.condition, visitor);
  for (const t of program.temporal ?? []) for (const p of t.propositions) visitExpr(p.condition, visitor);
  for (const [template, t] of program.templates.entries()) {
    const inside: Visitor = { ...visitor, target: (place) => visitor.target?.(place, template) };
    for (const i of t.initialisers) visitInitialiser(i, inside);
    if (t.provided) visitExpr(t.provided, inside);
    for (const c of t.claims) visitExpr(c.channel, inside);
    for (const location of t.locations)
      for (const edge of location.edges) {
        if (edge.guard.kind === "condition") visitExpr(edge.guard.condition, inside);
        if (edge.communication) visitCommunication(edge.communication, inside);
        for (const e of edge.effects) visitEffect(e, inside);
      }
  }
}

function visitExpr(e: Expr, visitor: Visitor): void {
  visitor.expr?.(e);
  switch (e.kind) {
    case "load":
      return visitPlace(e.place, visitor);
    case "unary":
      return visitExpr(e.operand, visitor);
    case "binary":
      visitExpr(e.left, visitor);
      return visitExpr(e.right, visitor);
    case "conditional":
      visitExpr(e.test, visitor);
      visitExpr(e.then, visitor);
      return visitExpr(e.otherwise, visitor);
    case "length":
    case "channel-test":
      return visitExpr(e.channel, visitor);
    case "poll":
      visitExpr(e.channel, visitor);
      return visitPatterns(e.pattern, visitor);
    case "enabled":
    case "control-point":
    case "priority":
      return visitExpr(e.process, visitor);
    case "at":
    case "remote":
      if (e.process) visitExpr(e.process, visitor);
      if (e.kind === "remote") visitPlace(e.place, visitor);
      return;
    case "constant":
    case "self":
    case "process-count":
    case "last":
    case "timeout":
    case "no-progress":
    case "accepting":
  }
}

function visitInitialiser(i: Initialiser, visitor: Visitor): void {
  visitPlace(i.target, visitor);
  if (i.kind === "value") visitExpr(i.value, visitor);
}

function visitCommunication(c: Communication, visitor: Visitor): void {
  visitExpr(c.channel, visitor);
  if (c.kind === "send") for (const e of c.message) visitExpr(e, visitor);
  else visitPatterns(c.pattern, visitor);
}

function visitPatterns(patterns: readonly Pattern[], visitor: Visitor): void {
  for (const p of patterns) {
    if (p.kind === "match") visitExpr(p.value, visitor);
    if (p.kind === "store") visitTarget(p.target, visitor);
  }
}

function visitEffect(e: Effect, visitor: Visitor): void {
  visitor.effect?.(e);
  switch (e.kind) {
    case "assign":
      visitTarget(e.target, visitor);
      return visitExpr(e.value, visitor);
    case "assert":
      return visitExpr(e.condition, visitor);
    case "print":
      for (const a of e.arguments) visitExpr(a.value, visitor);
      return;
    case "run":
      for (const a of e.arguments) visitExpr(a, visitor);
      if (e.priority) visitExpr(e.priority, visitor);
      if (e.target) visitTarget(e.target, visitor);
      return;
    case "set-priority":
      visitExpr(e.process, visitor);
      return visitExpr(e.value, visitor);
    case "die":
  }
}

function visitTarget(place: Place, visitor: Visitor): void {
  visitor.target?.(place, -1);
  visitPlace(place, visitor);
}

function visitPlace(place: Place, visitor: Visitor): void {
  for (const step of place.path) if (step.kind === "index") visitExpr(step.index, visitor);
}
