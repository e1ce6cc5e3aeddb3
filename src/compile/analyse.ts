/** Features that a program uses; determines the contents of states and the generated code. */
import type { Expr, Initialiser, Program, Template } from "../model/index.js";
import {
  creates,
  dies,
  edgesIn,
  edgesOf,
  expressionsAround,
  expressionsIn,
  sameVariable,
  targetsOf,
  within,
} from "../model/program-walk.js";

export interface Analysis {
  readonly hasAtomic: boolean;
  readonly hasLast: boolean;
  readonly hasClaims: boolean;
  /** Processes can be created at run time. */
  readonly hasRun: boolean;
  readonly hasTimeout: boolean;
  /** Some process tests whether another can move, by `enabled` or through priorities. */
  readonly hasEnabled: boolean;
  readonly hasRendezvous: boolean;
  readonly hasBuffered: boolean;
  /** Global variables that keep their initial value. */
  readonly constantGlobals: ReadonlySet<number>;
  /** Likewise, by template. */
  readonly constantLocals: readonly ReadonlySet<number>[];
  /** Scalars written before any process can read them. */
  readonly initialisedGlobals: ReadonlySet<number>;
  readonly initialisedLocals: readonly ReadonlySet<number>[];
  /** Templates whose processes can terminate. */
  readonly mortal: ReadonlySet<number>;
}

export function analyse(program: Program): Analysis {
  const seen = new Set<Expr["kind"]>();
  for (const e of expressionsOfProgram(program)) seen.add(e.kind);
  const { assigned, assignedLocals } = assignedIn(program);
  const edges = [...edgesIn(program)];
  const capacities = program.channelTypes.map((c) => c.capacity);
  return {
    // sound: test/compile/cases/control.test.ts
    hasAtomic: edges.some((e) => e.keepsControl),
    hasLast: seen.has("last"),
    hasClaims: program.templates.some((t) => t.claims.length > 0),
    // sound: test/compile/cases/processes.test.ts
    hasRun: edges.some(creates),
    // sound: test/compile/cases/control.test.ts
    hasTimeout: seen.has("timeout"),
    // sound: test/compile/cases/control.test.ts
    hasEnabled: seen.has("enabled") || program.rules.usesPriorities,
    // sound: test/compile/cases/handshakes.test.ts
    hasRendezvous: capacities.some((c) => c === 0),
    hasBuffered: capacities.some((c) => c > 0),
    // sound: test/compile/narrow.test.ts test/compile/cases/channels.test.ts
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

function* expressionsOfProgram(program: Program): Generator<Expr> {
  yield* expressionsAround(program);
  yield* expressionsIn(program);
  for (const t of program.temporal ?? []) for (const p of t.propositions) yield* within(p.condition);
}

/** The variables that steps write; excludes initialisers. */
function assignedIn({ templates }: Program): { assigned: Set<number>; assignedLocals: Set<number>[] } {
  const assigned = new Set<number>();
  const assignedLocals = templates.map((template) => {
    const locals = new Set<number>();
    for (const edge of edgesOf(template))
      for (const { scope, variable } of targetsOf(edge))
        (scope === "global" ? assigned : locals).add(variable);
    return locals;
  });
  return { assigned, assignedLocals };
}

/** The scalars that an initialiser sets without reading them first. */
function initialised(initialisers: readonly Initialiser[]): Set<number> {
  const found = new Set<number>();
  for (const init of initialisers) {
    const { target } = init;
    const reads = init.kind === "value" ? [...within(init.value)] : [];
    const readsItself = reads.some((e) => e.kind === "load" && sameVariable(e.place, target));
    // sound: test/compile/conditions.test.ts
    if (target.path.length === 0 && !readsItself) found.add(target.variable);
  }
  return found;
}

/** Does a path lead from the template's initial location to its removal? */
function canDie({ initial, locations }: Template): boolean {
  const reached = new Set([initial]);
  for (const l of reached)
    for (const edge of locations[l]!.edges) {
      // sound: test/compile/conditions.test.ts
      if (dies(edge)) return true;
      reached.add(edge.to);
    }
  return false;
}
