/**
 * Ranges of the values that statements can assign, whatever the order of steps: an interval for each leaf of `ranges.ts`.
 *
 * Samples see what happens often; this sees what is written in the program. A variable that gets 116 in a rare step was 0 in every
 * sampled state, and a search that finds 116 restarts. Guards bound what a step reads: `i < 5 -> i++` stays within 0…5. They
 * also count for the next statements of an atomic sequence.
 *
 * Only a guess depends on it, and generated code checks guesses; so unusual ways to write a variable need no care here.
 */
import type { BinaryOp, Edge, Expr, Place, Program, Template, Type } from "../model/index.js";
import { expressionsIn, sameVariable, targetsOf } from "../model/program-walk.js";
import { Leaf, leafCount, numberLeaves, union, type Guess, type Range } from "./ranges.js";
import type { Uses } from "./layout.js";

/** The guess with room for the bounds of all leaves that have any. */
export function withBounds(guess: Guess, bounds: Bounds): Guess {
  const wide = boundsIn(guess, bounds);
  const ranges = guess.ranges.map((range, leaf) => (range && wide[leaf] ? union(range, wide[leaf]) : range));
  return { plan: guess.plan, ranges };
}

/** Was a value of every leaf seen, and has each bounds? */
export function isBounded(guess: Guess, bounds: Bounds): boolean {
  const wide = boundsIn(guess, bounds);
  return guess.ranges.every((range, leaf) => range && wide[leaf]);
}

/** By leaf of the guess. */
const boundsIn = ({ plan }: Guess, { globals, records, channels }: Bounds): (Range | undefined)[] => [
  ...globals,
  ...(plan ? plan.map((t) => records[t]!) : records).flat(),
  ...channels,
];

export interface Bounds {
  readonly globals: readonly (Range | undefined)[];
  /** By template. */
  readonly records: readonly (readonly (Range | undefined)[])[];
  readonly channels: readonly (Range | undefined)[];
}

export function boundsOf(program: Program, uses: Uses): Bounds {
  return new Growth(program, uses).bounds();
}

/** Rounds after which intervals grow to the next constant of the program, and those after which they have no bound. */
const EXACT_ROUNDS = 4;
const PATIENT_ROUNDS = 10;
/** Statements of an atomic sequence after its guard. */
const MOST_STATEMENTS = 8;
const ANY: Range = { low: -Infinity, high: Infinity };
const TRUTH: Range = { low: 0, high: 1 };

class Growth {
  readonly #program: Program;
  readonly #leaves: ReturnType<typeof numberLeaves>;
  /** Undefined: nothing is assigned. */
  readonly #ranges: (Range | undefined)[];
  /** Of the fields of messages, by channel type. */
  readonly #messages: (Range | undefined)[][];
  readonly #steps: readonly number[];
  readonly #edges: readonly GuardedEdge[];
  /** Channel types by variable: `#keyOf`. */
  readonly #channelTypes = new Map<string, Set<number>>();
  #hasGrown = false;
  #rounds = 0;

  constructor(program: Program, uses: Uses) {
    this.#program = program;
    this.#leaves = numberLeaves(program, undefined);
    this.#ranges = new Array<Range | undefined>(this.#leaves.count).fill(undefined);
    this.#messages = program.channelTypes.map((c) => c.fields.map(() => undefined));
    this.#steps = constantsOf(program);
    this.#edges = program.templates.flatMap(guardedEdges);
    const zero = (type: Type, leaf: number): void => {
      this.#ranges.fill({ low: 0, high: 0 }, leaf, leaf + leafCount(type));
    };
    program.globals.forEach((v, g) => {
      if (!uses.initialisedGlobals.has(g)) zero(v.type, this.#leaves.globals[g]!);
    });
    program.templates.forEach((template, t) => {
      template.locals.forEach((v, k) => {
        if (!uses.initialisedLocals[t]!.has(k)) zero(v.type, this.#leaves.records[t]![k]!);
      });
    });
    this.#findChannels();
  }

  bounds(): Bounds {
    do this.#round();
    while (this.#hasGrown);
    const { starts, channels } = this.#leaves;
    channels.forEach((leaf, k) => {
      this.#messages[k]!.forEach((range, f) => {
        const field = leaf + Leaf.fields + f;
        this.#ranges[field] = range && (this.#ranges[field] ? union(range, this.#ranges[field]) : range);
      });
    });
    const finite = this.#ranges.map((r) =>
      r && r.high >= 0 && r.high < Infinity ? { low: Math.max(0, r.low), high: r.high } : undefined,
    );
    return {
      globals: finite.slice(0, starts[0]),
      records: this.#program.templates.map((_, t) => finite.slice(starts[t], starts[t + 1])),
      channels: finite.slice(starts.at(-1)),
    };
  }

  #round(): void {
    this.#hasGrown = false;
    this.#rounds++;
    const { initialisers, instances, templates } = this.#program;
    const initialise = (list: typeof initialisers, template: number): void => {
      for (const i of list)
        if (i.kind === "value") this.#store(i.target, template, this.#value(i.value, template, []));
    };
    initialise(initialisers, -1);
    for (const { template, arguments: values } of instances) this.#pass(values, -1, template);
    templates.forEach((template, t) => {
      initialise(template.initialisers, t);
    });
    for (const { edge, template, tests } of this.#edges) this.#run(edge, template, tests);
  }

  #run(edge: Edge, t: number, tests: readonly Test[]): void {
    const { communication: c } = edge;
    if (c)
      for (const type of this.#typesOf(
        c.channel,
        t,
        c.kind === "send" ? c.message.length : c.pattern.length,
      )) {
        const fields = this.#messages[type]!;
        if (c.kind === "send")
          c.message.forEach((m, f) => {
            fields[f] = this.#grown(fields[f], this.#value(m, t, tests));
          });
        else
          c.pattern.forEach((p, f) => {
            if (p.kind === "store") this.#store(p.target, t, fields[f]);
          });
      }
    for (const effect of edge.effects)
      if (effect.kind === "assign") this.#store(effect.target, t, this.#value(effect.value, t, tests));
      else if (effect.kind === "run") {
        this.#pass(effect.arguments, t, effect.template, tests);
        if (effect.target) this.#store(effect.target, t, { low: 0, high: this.#program.rules.maxProcesses });
      }
  }

  #pass(values: readonly Expr[], from: number, template: number, tests: readonly Test[] = []): void {
    values.forEach((value, k) => {
      const leaf = this.#leaves.records[template]![k]!;
      this.#ranges[leaf] = this.#grown(this.#ranges[leaf], this.#value(value, from, tests));
    });
  }

  #store(target: Place, template: number, range: Range | undefined): void {
    const { bits, signed } = target.type;
    const leaf = this.#leafOf(target, template);
    const isTooLarge = range && range.high >= 2 ** (bits - (signed ? 1 : 0));
    // A negative value in an unsigned variable would be truncated, which programs avoid.
    const kept = range && (signed ? range : { low: Math.max(0, range.low), high: Math.max(0, range.high) });
    this.#ranges[leaf] = this.#grown(this.#ranges[leaf], isTooLarge ? ANY : kept);
  }

  /** The union, widened to the next constants of the program if it grew. */
  #grown(old: Range | undefined, more: Range | undefined): Range | undefined {
    if (!more || (old && more.low >= old.low && more.high <= old.high)) return old;
    this.#hasGrown = true;
    if (!old) return more;
    if (this.#rounds <= EXACT_ROUNDS) return union(old, more);
    const isPatient = this.#rounds <= PATIENT_ROUNDS;
    const next = isPatient ? this.#steps.find((s) => s >= more.high) : undefined;
    const high = more.high <= old.high ? old.high : (next ?? Infinity);
    return { low: isPatient || more.low >= old.low ? Math.min(old.low, more.low) : -Infinity, high };
  }

  #leafOf({ scope, variable, path }: Place, template: number): number {
    const isGlobal = scope === "global";
    const { type } = (isGlobal ? this.#program.globals : this.#program.templates[template]!.locals)[
      variable
    ]!;
    let leaf = (isGlobal ? this.#leaves.globals : this.#leaves.records[template]!)[variable]!;
    let inner: Type = type;
    for (const step of path)
      if (inner.kind === "array") inner = inner.element;
      else if (inner.kind === "record" && step.kind === "field") {
        for (const field of inner.fields.slice(0, step.field)) leaf += leafCount(field.type);
        inner = inner.fields[step.field]!.type;
      }
    return leaf;
  }

  #findChannels(): void {
    const { initialisers, templates } = this.#program;
    const note = (list: typeof initialisers, template: number): void => {
      for (const i of list)
        if (i.kind === "channel") {
          const key = keyOf(i.target, template);
          this.#channelTypes.set(key, (this.#channelTypes.get(key) ?? new Set()).add(i.channelType));
        }
    };
    note(initialisers, -1);
    templates.forEach((template, t) => {
      note(template.initialisers, t);
    });
  }

  /** The types of channels that the expression can name: of its variable, or all with so many fields. */
  #typesOf(channel: Expr, template: number, arity: number): Iterable<number> {
    const own = channel.kind === "load" && this.#channelTypes.get(keyOf(channel.place, template));
    if (own) return own;
    return [...this.#program.channelTypes.keys()].filter((k) => this.#messages[k]!.length === arity);
  }

  #value(e: Expr, t: number, tests: readonly Test[]): Range | undefined {
    const value = (inner: Expr): Range | undefined => this.#value(inner, t, tests);
    switch (e.kind) {
      case "constant":
        return { low: e.value, high: e.value };
      case "load": {
        const range = this.#ranges[this.#leafOf(e.place, t)];
        return (
          range && tests.reduce((r, test) => (isSamePlace(e.place, test.place) ? test.limit(r) : r), range)
        );
      }
      case "conditional": {
        const [a, b] = [value(e.then), value(e.otherwise)];
        return a && b ? union(a, b) : (a ?? b);
      }
      case "binary": {
        const [a, b] = [value(e.left), value(e.right)];
        return a && b && computed(e.op, a, b);
      }
      case "unary": {
        const a = value(e.operand);
        return e.op === "!" ? TRUTH : e.op === "-" && a ? { low: -a.high, high: -a.low } : a && ANY;
      }
      case "channel-test":
      case "poll":
      case "timeout":
      case "enabled":
      case "at":
        return TRUTH;
      default:
        return ANY;
    }
  }
}

function computed(op: BinaryOp, a: Range, b: Range): Range {
  switch (op) {
    case "+":
      return { low: a.low + b.low, high: a.high + b.high };
    case "-":
      return { low: a.low - b.high, high: a.high - b.low };
    case "%":
      return a.low < 0 || b.low < 1 ? ANY : { low: 0, high: Math.min(a.high, b.high - 1) };
    case "*":
      return a.low < 0 || b.low < 0
        ? ANY
        : { low: a.low * b.low, high: a.high === 0 || b.high === 0 ? 0 : a.high * b.high };
    case "/":
      return a.low < 0 || b.low < 1 ? ANY : { low: 0, high: a.high };
    case "&":
      return a.low < 0 || b.low < 0 ? ANY : { low: 0, high: Math.min(a.high, b.high) };
    case "<<":
    case ">>":
    case "^":
    case "|":
      return ANY;
    default:
      return TRUTH;
  }
}

/** A conjunct of a guard that compares a place with a constant. */
interface Test {
  readonly place: Place;
  limit(range: Range): Range;
}

function testsOf({ guard }: Edge): Test[] {
  return guard.kind === "condition" ? conjuncts(guard.condition) : [];
}

function conjuncts(e: Expr): Test[] {
  if (e.kind === "unary" && e.op === "!" && e.operand.kind === "binary" && e.operand.op === "==")
    return conjuncts({ ...e.operand, op: "!=" });
  if (e.kind !== "binary") return [];
  if (e.op === "&&") return [...conjuncts(e.left), ...conjuncts(e.right)];
  const { left, right } = e;
  if (left.kind === "load" && right.kind === "constant")
    return [{ place: left.place, limit: limitBy(e.op, right.value) }];
  if (left.kind === "constant" && right.kind === "load")
    return [{ place: right.place, limit: limitBy(MIRRORED[e.op] ?? e.op, left.value) }];
  return [];
}

const MIRRORED: Partial<Record<BinaryOp, BinaryOp>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** A range without values is kept: the step is not possible yet. */
function limitBy(op: BinaryOp, value: number): (range: Range) => Range {
  return (range) => {
    let { low, high } = range;
    if (op === "<") high = Math.min(high, value - 1);
    else if (op === "<=") high = Math.min(high, value);
    else if (op === ">") low = Math.max(low, value + 1);
    else if (op === ">=") low = Math.max(low, value);
    else if (op === "==") [low, high] = [Math.max(low, value), Math.min(high, value)];
    else if (op === "!=" && high === value) high--;
    else if (op === "!=" && low === value) low++;
    return low > high ? range : { low, high };
  };
}

interface GuardedEdge {
  readonly edge: Edge;
  readonly template: number;
  readonly tests: readonly Test[];
}

/** Guards hold until a second edge leads to a location: a guard and its effects are separate statements. */
function guardedEdges(template: Template, t: number): GuardedEdge[] {
  const { locations } = template;
  const before = locations.map((): { edge: Edge; from: number }[] => []);
  locations.forEach(({ edges }, from) => {
    for (const edge of edges) before[edge.to]!.push({ edge, from });
  });
  const known = (location: number, most: number): readonly Test[] => {
    const [only, ...others] = before[location]!;
    if (!only || others.length > 0 || most === 0) return [];
    const targets = [...targetsOf(only.edge)];
    return [...known(only.from, most - 1), ...testsOf(only.edge)].filter(
      ({ place }) => !targets.some((target) => sameVariable(target, place)),
    );
  };
  return locations.flatMap(({ edges }, l) => {
    const earlier = known(l, MOST_STATEMENTS);
    return edges.map((edge) => ({ edge, template: t, tests: [...earlier, ...testsOf(edge)] }));
  });
}

const keyOf = ({ scope, variable }: Place, template: number): string =>
  scope === "global" ? `${variable}` : `${template}:${variable}`;

/** Indices count as equal if they are the same constants. */
const isSamePlace = (a: Place, b: Place): boolean =>
  sameVariable(a, b) &&
  a.path.length === b.path.length &&
  a.path.every((step, i) => isSameStep(step, b.path[i]!));

function isSameStep(a: Place["path"][number], b: Place["path"][number]): boolean {
  if (a.kind === "field") return b.kind === "field" && a.field === b.field;
  if (b.kind === "field" || a.index.kind !== "constant" || b.index.kind !== "constant") return false;
  return a.index.value === b.index.value;
}

/** Sorted, each with its neighbours: `x = (x + 1) % 5` reaches 4, `x < 5 -> x++` 5, `x <= 5 -> x++` 6. */
function constantsOf(program: Program): number[] {
  const found = new Set<number>();
  for (const e of expressionsIn(program))
    if (e.kind === "constant" && e.value >= 0)
      found
        .add(e.value - 1)
        .add(e.value)
        .add(e.value + 1);
  return [...found].sort((a, b) => a - b);
}
