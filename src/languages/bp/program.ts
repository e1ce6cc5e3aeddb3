/**
 * A Boolean program as a `Program`, so that every search of states, the simulation and the explorer apply to it: a process for each
 * thread, an edge for each step and each way to choose.
 *
 * A step with many choices first chooses a few at a time into scratch variables. Its constraint is evaluated at the end, when the
 * choices are made; a process in between counts as not having moved yet, so reachable locations are the same.
 * A step is possible only while no other thread is inside an atomic section: its guard looks at their locations. This is stricter than
 * `atomic` of Promela, which lets others move when the thread inside is blocked.
 */
import type {
  BooleanExpr,
  BooleanMove,
  BooleanProgram,
  BooleanStep,
  BooleanThread,
} from "../../model/boolean.js";
import { visitVariables } from "../../model/boolean.js";
import { nth } from "../../model/known.js";
import type {
  Edge,
  Effect,
  Expr,
  Guard,
  Initialiser,
  Location,
  Place,
  Program,
  ScalarType,
  Site,
  Template,
  Variable,
} from "../../model/program.js";

const BIT: ScalarType = { kind: "scalar", bits: 1, signed: false, display: { kind: "bool" } };

/** Choices that one step tries as separate edges; more are made in stages. */
export const CHOICES_AT_ONCE = 8;

/** The program, and the edges by which a process makes a step. */
export interface Processes {
  readonly program: Program;
  /** Edges of the processes in the order of a run that begins with these values: process and edge. */
  route(first: readonly boolean[], moves: readonly (BooleanMove & { readonly from: number })[]): Hop[];
}

export interface Hop {
  readonly process: number;
  readonly edge: Edge;
}

/** Edges of a step: by declaration, location, step, stage and choices. */
type Routes = Map<string, Edge>;

export function processesOf(program: BooleanProgram): Processes {
  const routes: Routes = new Map();
  const layout = new Places(program);
  const whole = programOf(program, layout, routes);
  return { program: whole, route: (first, moves) => routeOf(program, whole, layout, routes, first, moves) };
}

function routeOf(
  { variables, threads }: BooleanProgram,
  whole: Program,
  layout: Places,
  routes: Routes,
  first: readonly boolean[],
  moves: readonly (BooleanMove & { readonly from: number })[],
): Hop[] {
  const offset = whole.instances.length - threads.length;
  const choosing = (process: number, own: readonly number[]): Hop[] => {
    const { locations } = nth(whole.templates, nth(whole.instances, process).template);
    const open = own.filter((variable) => nth(variables, variable).initial === undefined);
    // The last one is chosen first: `choosingLocation` leads to the location before it.
    return open
      .map((variable, index) => ({
        process,
        edge: nth(
          nth(locations, locations.length - open.length + index).edges,
          first[variable] === true ? 1 : 0,
        ),
      }))
      .reverse();
  };
  const stepped = moves.flatMap(({ thread, step, from, choices }) => {
    const { declaration, locations } = nth(threads, thread);
    const stages = stagesOf(nth(nth(locations, from).steps, step));
    const bits = (start: number): number =>
      choices
        .slice(start, start + CHOICES_AT_ONCE)
        .reduce((so, bit, index) => so | ((bit ? 1 : 0) << index), 0);
    return Array.from({ length: stages + 1 }, (_, stage): Hop => {
      const chosen = stages > 0 && stage === stages ? 0 : bits(stage * CHOICES_AT_ONCE);
      const edge = routes.get(routeKey(declaration, from, step, stage, chosen));
      if (!edge) throw new Error("a step has no edge");
      return { process: thread + offset, edge };
    });
  });
  return [
    ...(offset > 0 ? choosing(0, layout.globals) : []),
    ...threads.flatMap((_, thread) => choosing(thread + offset, layout.localsOf(thread))),
    ...stepped,
  ];
}

const routeKey = (...parts: readonly number[]): string => parts.join(" ");

function programOf(program: BooleanProgram, layout: Places, routes: Routes): Program {
  const { name, variables, threads, properties } = program;
  const chooser = chooserOf(program, layout);
  const first = chooser ? 1 : 0;
  const isAt = (thread: number, locations: readonly number[]): Expr => ({
    kind: "at",
    template: nth(threads, thread).declaration,
    process: constant(thread + first),
    locations,
    site: -1,
  });
  const sites: Site[] = [];
  const templates = layout.declared.map(({ number }) =>
    new ThreadTemplate(program, number, { layout, sites, first, isAt, routes }).template(),
  );
  const templateOf = (thread: number): number => nth(threads, thread).declaration;
  return {
    name,
    globals: layout.globals.map((variable) =>
      bitVariable(variables, variable, nth(variables, variable).name),
    ),
    initialisers: layout.globals.flatMap((variable) => initialisers(variables, variable, layout)),
    channelTypes: [],
    templates: [...templates, ...(chooser ? [chooser] : [])],
    instances: [
      ...(chooser ? [{ template: templates.length, arguments: [] }] : []),
      ...threads.map((_, thread) => ({ template: templateOf(thread), arguments: [] })),
    ],
    sites,
    invariants: properties.flatMap(({ kind, name: own, span, bad }) => {
      if (kind !== "invariant") return [];
      const reached = bad.map((places) =>
        places.map(({ thread, location }) => isAt(thread, [location])).reduce(conjunction, constant(1)),
      );
      const condition = negation(reached.reduce(disjunction, constant(0)));
      return [{ name: own, span: span ?? nth(threads, 0).span, condition }];
    }),
    rules: {
      maxProcesses: 255,
      maxChannels: 255,
      loseWhenFull: false,
      endNeedsEmptyChannels: false,
      usesPriorities: false,
    },
  };
}

/** Slots of variables, and locations between the stages of a step. */
class Places {
  readonly globals: readonly number[];
  /** A thread of each declaration. */
  readonly declared: readonly { readonly number: number }[];
  readonly #slots: readonly Place[];
  readonly #locals: readonly (readonly number[])[];

  constructor({ variables, threads }: BooleanProgram) {
    const globals: number[] = [];
    const locals: number[][] = threads.map(() => []);
    this.#slots = variables.map(({ thread }, variable): Place => {
      const list = thread === undefined ? globals : nth(locals, thread);
      return {
        scope: thread === undefined ? "global" : "local",
        variable: list.push(variable) - 1,
        path: [],
        type: BIT,
      };
    });
    this.globals = globals;
    this.#locals = locals;
    const declared: { number: number }[] = [];
    threads.forEach(({ declaration }, number) => (declared[declaration] ??= { number }));
    this.declared = declared;
  }

  of(variable: number): Place {
    return nth(this.#slots, variable);
  }

  localsOf(thread: number): readonly number[] {
    return nth(this.#locals, thread);
  }
}

/** Stages before the last edge of a step. */
const stagesOf = ({ choices }: BooleanStep): number =>
  choices <= CHOICES_AT_ONCE ? 0 : Math.ceil(choices / CHOICES_AT_ONCE);

/** Locations of the template that are inside an atomic section, those between stages included. */
function atomicLocations({ locations }: BooleanThread): number[] {
  let added = locations.length;
  return locations.flatMap(({ steps, isAtomic }, location) => {
    const between = steps.flatMap((step) => Array.from({ length: stagesOf(step) }, () => added++));
    return isAtomic ? [location, ...between] : [];
  });
}

interface Surroundings {
  readonly layout: Places;
  readonly sites: Site[];
  /** Process number of the first thread. */
  readonly first: number;
  readonly isAt: (thread: number, locations: readonly number[]) => Expr;
  readonly routes: Routes;
}

class ThreadTemplate {
  readonly #program: BooleanProgram;
  readonly #thread: BooleanThread;
  readonly #around: Surroundings;
  readonly #own: readonly number[];
  readonly #scratch: Place[] = [];
  readonly #temporary: Place[] = [];
  /** No other thread is inside an atomic section. */
  readonly #isFree: Expr;

  constructor(program: BooleanProgram, number: number, around: Surroundings) {
    this.#program = program;
    this.#thread = nth(program.threads, number);
    this.#around = around;
    this.#own = around.layout.localsOf(number);
    const { threads } = program;
    this.#isFree = threads.reduce<Expr>((so, thread, other) => {
      const atomic = atomicLocations(thread);
      const isOnlyOne =
        thread === this.#thread &&
        threads.every(({ declaration }, t) => t === other || declaration !== thread.declaration);
      if (atomic.length === 0 || isOnlyOne) return so;
      const isOutside = negation(around.isAt(other, atomic));
      const isSelf = binary("==", { kind: "self" }, constant(other + around.first));
      // Every instance of a declaration has the same template.
      return conjunction(
        so,
        thread.declaration === this.#thread.declaration ? disjunction(isSelf, isOutside) : isOutside,
      );
    }, constant(1));
  }

  template(): Template {
    const { locations, name, span } = this.#thread;
    const { variables } = this.#program;
    const between: Location[] = [];
    const own = locations.map((_, location) => this.#location(location, locations.length, between));
    const prefix = `${name}.`;
    const all = [...own, ...between];
    const initial = this.#choosing(all);
    const internal = (place: Place): Variable => ({
      name: `choice${place.variable}`,
      type: BIT,
      span,
      hidden: false,
      internal: true,
    });
    return {
      name: name.replace(/\[\d+\]$/, ""),
      span,
      parameters: 0,
      locals: [
        ...this.#own.map((variable) => {
          const written = nth(variables, variable).name;
          return bitVariable(
            variables,
            variable,
            written.startsWith(prefix) ? written.slice(prefix.length) : written,
          );
        }),
        ...[...this.#scratch, ...this.#temporary].toSorted((a, b) => a.variable - b.variable).map(internal),
      ],
      initialisers: this.#own.flatMap((variable) => initialisers(variables, variable, this.#around.layout)),
      locations: all,
      initial,
      provided: this.#around.first === 0 ? undefined : hasChosen(this.#program),
      priority: 1,
      claims: [],
    };
  }

  /** Locals of either value are chosen by steps before the first. */
  #choosing(all: Location[]): number {
    const open = this.#own.filter((variable) => nth(this.#program.variables, variable).initial === undefined);
    let next = 0;
    for (const variable of open) {
      const { span, name } = nth(this.#program.variables, variable);
      all.push(choosingLocation(this.#around.layout.of(variable), name, span, next));
      next = all.length - 1;
    }
    return next;
  }

  #location(number: number, offset: number, between: Location[]): Location {
    const { steps, isAtomic, labels, span } = nth(this.#thread.locations, number);
    const around = isAtomic ? constant(1) : this.#isFree;
    const edges = steps.flatMap((step, index) => {
      const record = (stage: number, chosen: number, edge: Edge): Edge => {
        const { declaration } = this.#thread;
        this.#around.routes.set(routeKey(declaration, number, index, stage, chosen), edge);
        return edge;
      };
      return stagesOf(step) === 0
        ? choicesOf(step.choices).flatMap((chosen) =>
            this.#edge(step, around, (choice) => constant((chosen >> choice) & 1)).map((edge) =>
              record(0, chosen, edge),
            ),
          )
        : this.#staged(step, around, offset, between, record);
    });
    return locationOf(edges, labels, span);
  }

  /** Chooses in stages, and returns the edges of the first one. */
  #staged(
    step: BooleanStep,
    around: Expr,
    offset: number,
    between: Location[],
    record: (stage: number, chosen: number, edge: Edge) => Edge,
  ): Edge[] {
    const { span } = step;
    const stages = stagesOf(step);
    const first = offset + between.length;
    const bits = Array.from({ length: step.choices }, (_, bit) => this.#scratchBit(bit));
    const stage = (index: number): Edge[] => {
      const own = bits.slice(index * CHOICES_AT_ONCE, (index + 1) * CHOICES_AT_ONCE);
      return choicesOf(own.length).map((chosen) =>
        record(index, chosen, {
          ...plainEdge(step, first + index, around),
          effects: own.map((target, bit): Effect => ({
            kind: "assign",
            target,
            value: constant((chosen >> bit) & 1),
          })),
          keepsControl: true,
        }),
      );
    };
    for (let index = 1; index < stages; index++) between.push(locationOf(stage(index), [], span));
    const reset = bits.map((target): Effect => ({ kind: "assign", target, value: constant(0) }));
    const last = this.#edge(step, around, (choice) => ({ kind: "load", place: nth(bits, choice) }));
    between.push(
      locationOf(
        last.map((edge) => record(stages, 0, { ...edge, effects: [...edge.effects, ...reset] })),
        [],
        span,
      ),
    );
    return stage(0);
  }

  /** No edge if the constraint is false for these choices. */
  #edge(step: BooleanStep, around: Expr, choice: (index: number) => Expr): Edge[] {
    const before = (expr: BooleanExpr): Expr => this.#expr(expr, choice, () => undefined);
    const values = new Map(step.assignments.map(({ variable, value }) => [variable, before(value)]));
    const condition = this.#expr(step.constraint, choice, (variable) => values.get(variable));
    if (condition.kind === "constant" && condition.value === 0) return [];
    const edge = plainEdge(step, step.to, conjunction(around, condition));
    const target = nth(this.#thread.locations, step.to);
    if (target.failed === undefined) return [{ ...edge, effects: this.#assign(step, values) }];
    const site =
      this.#around.sites.push({
        fault: "assertion",
        message: `assertion violated: ${target.failed}`,
        span: step.span,
      }) - 1;
    return [{ ...edge, effects: [{ kind: "assert", condition: constant(0), site }] }];
  }

  /** Assigns one after the other, through temporary variables where an assigned variable is read afterwards. */
  #assign(step: BooleanStep, values: ReadonlyMap<number, Expr>): Effect[] {
    const written: number[] = [];
    const readsWritten = step.assignments.some(({ variable, value }) => {
      let isLate = false;
      visitVariables(value, (read) => (isLate ||= written.includes(read)));
      written.push(variable);
      return isLate;
    });
    const assign = (target: Place, value: Expr): Effect => ({ kind: "assign", target, value });
    // sound: test/engines/parametric/traps.test.ts
    if (!readsWritten)
      return [...values].map(([variable, value]) => assign(this.#around.layout.of(variable), value));
    const entries = [...values].map(([variable, value], index) => ({
      target: this.#around.layout.of(variable),
      value,
      between: this.#temporaryBit(index),
    }));
    return [
      ...entries.map(({ between, value }) => assign(between, value)),
      ...entries.flatMap(({ target, between }) => [
        assign(target, { kind: "load", place: between }),
        assign(between, constant(0)),
      ]),
    ];
  }

  #scratchBit(bit: number): Place {
    return (this.#scratch[bit] ??= this.#newLocal());
  }

  #temporaryBit(bit: number): Place {
    return (this.#temporary[bit] ??= this.#newLocal());
  }

  #newLocal(): Place {
    const variable = this.#own.length + this.#scratch.length + this.#temporary.length;
    return { scope: "local", variable, path: [], type: BIT };
  }

  #expr(
    expr: BooleanExpr,
    choice: (index: number) => Expr,
    primed: (variable: number) => Expr | undefined,
  ): Expr {
    const inner = (each: BooleanExpr): Expr => this.#expr(each, choice, primed);
    switch (expr.kind) {
      case "constant":
        return constant(expr.value ? 1 : 0);
      case "choice":
        return choice(expr.choice);
      case "variable":
        return (
          (expr.isPrimed ? primed(expr.variable) : undefined) ?? {
            kind: "load",
            place: this.#around.layout.of(expr.variable),
          }
        );
      case "not":
        return negation(inner(expr.of));
      case "and":
        return conjunction(inner(expr.left), inner(expr.right));
      case "or":
        return disjunction(inner(expr.left), inner(expr.right));
      case "xor":
        return difference(inner(expr.left), inner(expr.right));
    }
  }
}

/** A process that chooses the globals of either value, before all threads. */
function chooserOf({ variables, threads }: BooleanProgram, layout: Places): Template | undefined {
  const open = layout.globals.filter((variable) => nth(variables, variable).initial === undefined);
  if (open.length === 0) return undefined;
  const { span } = nth(threads, 0);
  const locations = [locationOf([], [], span)];
  for (const variable of open) {
    const { name, span: at } = nth(variables, variable);
    locations.push(choosingLocation(layout.of(variable), name, at, locations.length - 1));
  }
  return {
    name: "initially",
    span,
    parameters: 0,
    locals: [],
    initialisers: [],
    locations,
    initial: locations.length - 1,
    provided: undefined,
    priority: 1,
    claims: [],
  };
}

const hasChosen = ({ threads }: BooleanProgram): Expr => ({
  kind: "at",
  template: Math.max(...threads.map(({ declaration }) => declaration)) + 1,
  process: constant(0),
  locations: [0],
  site: -1,
});

const choosingLocation = (target: Place, name: string, span: Location["span"], to: number): Location =>
  locationOf(
    [0, 1].map((value) => ({
      to,
      guard: { kind: "always" },
      communication: undefined,
      effects: [{ kind: "assign", target, value: constant(value) }],
      escapeGroup: 0,
      keepsControl: false,
      text: `${name} = *`,
      span,
    })),
    [],
    span,
  );

const locationOf = (edges: readonly Edge[], labels: readonly string[], span: Location["span"]): Location => ({
  edges,
  inside: "none",
  // A thread that waits for ever is not an error.
  isEnd: true,
  isProgress: false,
  isAccept: false,
  labels,
  blockedSite: -1,
  stands: "statement",
  span,
});

function plainEdge({ text, span }: BooleanStep, to: number, condition: Expr): Edge {
  const guard: Guard =
    condition.kind === "constant" && condition.value === 1
      ? { kind: "always" }
      : { kind: "condition", condition };
  return {
    to,
    guard,
    communication: undefined,
    effects: [],
    escapeGroup: 0,
    keepsControl: false,
    text,
    span,
  };
}

const choicesOf = (count: number): number[] => Array.from({ length: 2 ** count }, (_, chosen) => chosen);

const bitVariable = (variables: BooleanProgram["variables"], variable: number, name: string): Variable => ({
  name,
  type: BIT,
  span: nth(variables, variable).span,
  hidden: false,
  internal: false,
});

const initialisers = (
  variables: BooleanProgram["variables"],
  variable: number,
  layout: Places,
): Initialiser[] =>
  nth(variables, variable).initial === true
    ? [{ kind: "value", target: layout.of(variable), value: constant(1) }]
    : [];

const constant = (value: number): Expr => ({ kind: "constant", value });

const binary = (op: "==" | "!=" | "&&" | "||", left: Expr, right: Expr): Expr => ({
  kind: "binary",
  op,
  left,
  right,
  site: -1,
});

const negation = (operand: Expr): Expr =>
  operand.kind === "constant" ? constant(1 - operand.value) : { kind: "unary", op: "!", operand };

function conjunction(left: Expr, right: Expr): Expr {
  if (left.kind === "constant") return left.value === 0 ? left : right;
  if (right.kind === "constant") return right.value === 0 ? right : left;
  return binary("&&", left, right);
}

const disjunction = (left: Expr, right: Expr): Expr => negation(conjunction(negation(left), negation(right)));

function difference(left: Expr, right: Expr): Expr {
  if (left.kind === "constant") return left.value === 0 ? right : negation(right);
  if (right.kind === "constant") return right.value === 0 ? left : negation(left);
  return binary("!=", left, right);
}
