/**
 * Collects the uses of values (`classes.ts`) in all statements that are executable once all processes exist. Earlier statements,
 * initialisers and arguments determine only the first settled state, which need not be symmetric.
 */
import type {
  Communication,
  Edge,
  Effect,
  Expr,
  Pattern,
  Place,
  Program,
  Span,
  Template,
} from "../../../model/index.js";
import { creatorsOf, targetsOf } from "../../../model/program-walk.js";
import { fieldKey, placeKey, type SettledProcesses } from "../../../model/symmetry.js";
import { fits, ValueClasses, type Reason } from "./classes.js";
import { nth } from "../../../model/known.js";

/** A condition on states that must be invariant under permutation. */
export interface AskedCondition {
  readonly condition: Expr;
  readonly span: Span;
  readonly name: string;
}

export class Uses {
  readonly classes = new ValueClasses();
  /** Reasons that exclude symmetry of the whole program. */
  readonly refused: Reason[] = [];
  /** Templates whose processes use their numbers, or are queried by number. */
  readonly numbered = new Set<number>();
  /** Locals that settled processes write: `template.slot`. */
  readonly written = new Set<string>();
  /** Uses that depend on when ended processes are removed. */
  readonly removal: Reason[] = [];
  readonly #program: Program;
  readonly #processes: readonly number[];

  constructor(program: Program, { templates, channels }: SettledProcesses, asked: readonly AskedCondition[]) {
    this.#program = program;
    this.#processes = templates;
    this.#created(program.initialisers, -1);
    for (const t of new Set(templates)) this.#template(nth(program.templates, t), t);
    for (const { condition, span, name } of asked) this.#test(condition, -1, { why: `\`${name}\``, span });
    this.#held(channels);
  }

  /** Channels stored before the settled state: their fields join the classes of the place. */
  #held(channels: SettledProcesses["channels"]): void {
    for (let classes = Infinity; classes > this.classes.all.length;) {
      classes = this.classes.all.length;
      for (const [key, types] of channels) {
        const node = this.classes.known(key);
        // sound: test/transforms/symmetry/processes.test.ts
        if (node !== undefined && this.classes.facts(node).isChannel)
          for (const type of types) this.#ofType(node, type);
      }
    }
  }

  /** The class contains channels of this type. */
  #ofType(node: number, channelType: number): void {
    const { fields, name, span } = nth(this.#program.channelTypes, channelType);
    fields.forEach((type, i) => {
      const declared = this.classes.of(fieldKey(channelType, i));
      this.classes.facts(declared).types.push({ type, at: { why: `\`${name}\``, span } });
      this.classes.unite(this.classes.field(node, i), declared); // sound: test/transforms/symmetry/processes.test.ts
    });
  }

  /** Places in which channels are created. */
  #created(initialisers: Program["initialisers"], t: number): void {
    for (const i of initialisers) {
      if (i.kind !== "channel") continue;
      const node = this.classes.of(keyOf(i.target, t));
      this.classes.facts(node).isChannel = true;
      this.#ofType(node, i.channelType);
    }
  }

  #template(template: Template, t: number): void {
    this.#created(template.initialisers, t);
    const creators = creatorsOf(template);
    if (template.provided) this.#test(template.provided, t, { why: "`provided`", span: template.span });
    template.locations.forEach(({ edges }, l) => {
      // sound: test/transforms/symmetry/processes.test.ts
      if (!creators[l]) for (const edge of edges) this.#edge(edge, t);
    });
  }

  #edge(edge: Edge, t: number): void {
    const at: Reason = { why: `\`${edge.text.replace(/\s+/g, " ")}\``, span: edge.span };
    if (edge.guard.kind === "condition") this.#test(edge.guard.condition, t, at);
    if (edge.communication) this.#communicate(edge.communication, t, at);
    for (const effect of edge.effects) this.#effect(effect, t, at);
    for (const { scope, variable } of targetsOf(edge))
      if (scope === "local") this.written.add(`${t}.${variable}`); // sound: test/transforms/symmetry/processes.test.ts
  }

  #effect(e: Effect, t: number, at: Reason): void {
    switch (e.kind) {
      case "assign":
        return this.#store(e.target, e.value, t, at);
      case "assert":
        return this.#test(e.condition, t, at);
      case "print":
        for (const { value } of e.arguments) this.#value(value, t, at);
        return;
      case "run":
        throw new Error("a settled process creates another");
      // Priorities exclude symmetry altogether.
      case "set-priority":
      case "die":
    }
  }

  #communicate(c: Communication, t: number, at: Reason): void {
    const channel = this.#channel(c.channel, t, at);
    if (c.kind === "receive") return this.#patterns(c.pattern, channel, t, at);
    c.message.forEach((value, i) => {
      const field = this.classes.field(channel, i);
      this.classes.unite(field, this.#value(value, t, at)); // sound: test/transforms/symmetry/processes.test.ts
      for (const constant of constantsOf(value)) this.#keep(field, constant, i, at);
      // sound: test/transforms/symmetry/processes.test.ts
      if (c.sorted) this.#numeric(field, "sorts messages by it", at);
    });
  }

  /** A field may truncate a constant of a message; its channel is not known here. */
  #keep(field: number, constant: number, i: number, at: Reason): void {
    const types = this.#program.channelTypes.flatMap(({ fields }) => fields[i] ?? []);
    // sound: test/transforms/symmetry/processes.test.ts
    if (types.some((type) => !fits(constant, type)))
      this.#numeric(field, "sends a value that may be cut", at);
  }

  #patterns(patterns: readonly Pattern[], channel: number, t: number, at: Reason): void {
    patterns.forEach((p, i) => {
      const field = this.classes.field(channel, i);
      if (p.kind === "match") this.classes.unite(field, this.#value(p.value, t, at)); // sound: test/transforms/symmetry/processes.test.ts
      if (p.kind === "store") this.classes.unite(field, this.#place(p.target, t, at)); // sound: test/transforms/symmetry/processes.test.ts
    });
  }

  #store(target: Place, value: Expr, t: number, at: Reason): void {
    this.#join(this.#value(value, t, at), value, this.#place(target, t, at), target.type, at);
  }

  /** The value is stored in a place of this type. */
  #join(node: number, value: Expr, place: number, type: Place["type"] | undefined, at: Reason): void {
    this.classes.unite(place, node); // sound: test/transforms/symmetry/processes.test.ts
    if (!type) return;
    for (const constant of constantsOf(value))
      // sound: test/transforms/symmetry/processes.test.ts
      if (!fits(constant, type)) this.#numeric(node, "sets it to a value that is cut", at);
  }

  /** The value is compared with zero. */
  #test(e: Expr, t: number, at: Reason): void {
    const node = this.#value(e, t, at);
    this.classes.facts(node).constants.push({ value: 0, at }); // sound: test/transforms/symmetry/processes.test.ts
  }

  /** The class of the value. */
  #value(e: Expr, t: number, at: Reason): number {
    switch (e.kind) {
      case "constant": {
        const node = this.classes.fresh();
        this.classes.facts(node).constants.push({ value: e.value | 0, at }); // sound: test/transforms/symmetry/processes.test.ts
        return node;
      }
      case "load":
        return this.#place(e.place, t, at);
      case "unary":
        if (e.op === "!") this.#test(e.operand, t, at);
        else this.#numeric(this.#value(e.operand, t, at), "computes with it", at); // sound: test/transforms/symmetry/processes.test.ts
        return this.classes.fresh();
      case "binary":
        this.#binary(e, t, at);
        return this.classes.fresh();
      case "conditional": {
        this.#test(e.test, t, at);
        const node = this.#value(e.then, t, at);
        this.classes.unite(node, this.#value(e.otherwise, t, at)); // sound: test/transforms/symmetry/processes.test.ts
        return node;
      }
      case "self":
        this.numbered.add(t);
        return this.classes.processes;
      case "length":
      case "channel-test":
        this.#channel(e.channel, t, at);
        return this.classes.fresh();
      case "poll":
        this.#patterns(e.pattern, this.#channel(e.channel, t, at), t, at);
        return this.classes.fresh();
      case "at":
      case "remote":
        return this.#remote(e, t, at);
      case "timeout":
      case "process-count":
        this.removal.push(at); // sound: test/transforms/symmetry/processes.test.ts
        return this.classes.fresh();
      case "last":
      case "no-progress":
      case "accepting":
      case "enabled":
      case "control-point":
      case "priority":
        this.#refuse(QUESTIONS[e.kind], at); // sound: test/transforms/symmetry/processes.test.ts
        return this.classes.fresh();
    }
  }

  #binary({ op, left, right }: Expr & { kind: "binary" }, t: number, at: Reason): void {
    if (op === "&&" || op === "||") {
      this.#test(left, t, at);
      this.#test(right, t, at);
      return;
    }
    const [l, r] = [this.#value(left, t, at), this.#value(right, t, at)];
    if (op === "==" || op === "!=") return this.classes.unite(l, r); // sound: test/transforms/symmetry/processes.test.ts
    const how = COMPARISONS.has(op) ? "compares it by size" : "computes with it";
    for (const node of [l, r]) this.#numeric(node, how, at); // sound: test/transforms/symmetry/processes.test.ts
  }

  #remote(e: Expr & { kind: "at" | "remote" }, t: number, at: Reason): number {
    this.removal.push(at); // sound: test/transforms/symmetry/processes.test.ts
    if (e.process) {
      this.numbered.add(e.template);
      this.classes.unite(this.classes.processes, this.#value(e.process, t, at)); // sound: test/transforms/symmetry/processes.test.ts
    } else if (this.#processes.filter((template) => template === e.template).length > 1)
      this.#refuse("asks about the first process of several", at); // sound: test/transforms/symmetry/processes.test.ts
    return e.kind === "remote" ? this.#place(e.place, e.template, at) : this.classes.fresh();
  }

  #place(place: Place, t: number, at: Reason): number {
    place.path.forEach((step, i) => {
      if (step.kind !== "index") return;
      const index = this.classes.of(`${keyOf({ ...place, path: place.path.slice(0, i) }, t)}#`);
      this.classes.facts(index).lengths.push({ length: step.length, at });
      this.classes.unite(index, this.#value(step.index, t, at)); // sound: test/transforms/symmetry/processes.test.ts
    });
    const node = this.classes.of(keyOf(place, t));
    this.classes.facts(node).types.push({ type: place.type, at });
    return node;
  }

  /** The class of the channels that the expression may denote. */
  #channel(e: Expr, t: number, at: Reason): number {
    const node = this.#value(e, t, at);
    this.classes.facts(node).isChannel = true; // sound: test/transforms/symmetry/processes.test.ts
    return node;
  }

  #numeric(node: number, how: string, { why, span }: Reason): void {
    this.classes.facts(node).numeric ??= { why: `${why} ${how}`, span };
  }

  #refuse(what: string, { why, span }: Reason): void {
    this.refused.push({ why: `${why} ${what}`, span });
  }
}

const QUESTIONS = {
  last: "depends on the process that moved last",
  "no-progress": "depends on the progress of a process",
  accepting: "depends on the acceptance of a process",
  enabled: "depends on the enabledness of a process",
  "control-point": "depends on the location of a process as a number",
  priority: "depends on a priority",
} as const;

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** Possible constant values of the expression. */
function* constantsOf(e: Expr): Generator<number> {
  if (e.kind === "constant") yield e.value | 0;
  if (e.kind === "conditional") {
    yield* constantsOf(e.then);
    yield* constantsOf(e.otherwise);
  }
}

/** The place without its indices. */
const keyOf = ({ scope, variable, path }: Place, t: number): string =>
  placeKey(
    scope === "global" ? -1 : t,
    variable,
    path.map((step) => (step.kind === "index" ? "[]" : `.${step.field}`)).join(""),
  );
