/**
 * What settled processes do with the values of each place (`classes.ts`): collected from every statement that can still be executed once
 * all processes are there. Statements before that, initialisers and arguments decide on the first settled state alone, which need not be
 * symmetric.
 */
import type { Communication, Edge, Effect, Expr, Pattern, Place, Program, Template } from "../../../model/index.js";
import { creatorsOf, dies, edgesIn, targetsOf } from "../../../model/program-walk.js";
import { fits, ValueClasses, type Reason } from "./classes.js";

export class Uses {
  readonly classes = new ValueClasses();
  /** What rules out symmetry for the whole program. */
  readonly refused: Reason[] = [];
  /** Templates whose settled processes ask for their number, or whose processes are asked about by number. */
  readonly numbered = new Set<number>();
  /** Locals that settled processes write: `template.slot`. */
  readonly written = new Set<string>();
  /** Uses that depend on when ended processes are removed. */
  readonly removal: Reason[] = [];
  readonly #program: Program;
  readonly #processes: readonly number[];
  readonly #homes: ReadonlyMap<string, readonly number[]>;

  /** `processes`: their templates. */
  constructor(program: Program, processes: readonly number[]) {
    this.#program = program;
    this.#processes = processes;
    this.#homes = channelHomes(program);
    for (const t of new Set(processes)) this.#template(program.templates[t]!, t);
  }

  /** A condition on states. */
  condition(e: Expr, at: Reason["span"], text: string): void {
    this.#test(e, -1, { why: text, span: at });
  }

  #template(template: Template, t: number): void {
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
      case "set-priority":
        this.#refuse("sets a priority", at); // sound: test/transforms/symmetry/processes.test.ts
        return;
      case "run":
        throw new Error("a settled process creates another");
      case "die":
    }
  }

  #communicate(c: Communication, t: number, at: Reason): void {
    this.#channel(c.channel, t, at);
    const types = this.#typesOf(c.channel, t);
    if (c.kind === "receive") return this.#patterns(c.pattern, types, t, at);
    c.message.forEach((value, field) => {
      const node = this.#value(value, t, at);
      for (const type of types) {
        this.#join(node, value, this.#field(type, field), this.#program.channelTypes[type]!.fields[field], at);
        // sound: test/transforms/symmetry/processes.test.ts
        if (c.sorted) this.#numeric(this.#field(type, field), "sorts messages by it", at);
      }
    });
  }

  #patterns(patterns: readonly Pattern[], types: readonly number[], t: number, at: Reason): void {
    patterns.forEach((p, field) => {
      for (const type of types) {
        const node = this.#field(type, field);
        if (p.kind === "match") this.classes.unite(node, this.#value(p.value, t, at)); // sound: test/transforms/symmetry/processes.test.ts
        if (p.kind === "store") this.classes.unite(node, this.#place(p.target, t, at)); // sound: test/transforms/symmetry/processes.test.ts
      }
      // A pattern may have more fields than any channel.
      if (types.length === 0 && p.kind === "match") this.#value(p.value, t, at);
    });
  }

  #field(type: number, field: number): number {
    const node = this.classes.of(`c${type}.${field}`);
    const declared = this.#program.channelTypes[type]!.fields[field];
    if (declared) this.classes.facts(node).types.push(declared);
    return node;
  }

  #store(target: Place, value: Expr, t: number, at: Reason): void {
    this.#join(this.#value(value, t, at), value, this.#place(target, t, at), target.type, at);
  }

  /** The value goes to a place of that type. */
  #join(node: number, value: Expr, place: number, type: Place["type"] | undefined, at: Reason): void {
    this.classes.unite(place, node); // sound: test/transforms/symmetry/processes.test.ts
    if (!type) return;
    for (const constant of constantsOf(value))
      // sound: test/transforms/symmetry/processes.test.ts
      if (!fits(constant, type)) this.#numeric(node, "sets it to a value that is cut", at);
  }

  /** Is the value other than zero? */
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
        this.#channel(e.channel, t, at);
        this.#patterns(e.pattern, this.#typesOf(e.channel, t), t, at);
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
    let key = place.scope === "global" ? `g${place.variable}` : `l${t}.${place.variable}`;
    for (const step of place.path) {
      if (step.kind === "index") {
        const index = this.classes.of(`${key}#`);
        this.classes.facts(index).lengths.push({ length: step.length, at });
        this.classes.unite(index, this.#value(step.index, t, at)); // sound: test/transforms/symmetry/processes.test.ts
      }
      key += step.kind === "index" ? "[]" : `.${step.field}`;
    }
    const node = this.classes.of(key);
    this.classes.facts(node).types.push(place.type);
    return node;
  }

  #channel(e: Expr, t: number, at: Reason): void {
    this.classes.unite(this.classes.channels, this.#value(e, t, at)); // sound: test/transforms/symmetry/processes.test.ts
  }

  /** The types of channel that the expression may stand for. */
  #typesOf(e: Expr, t: number): readonly number[] {
    const home = e.kind === "load" ? this.#homes.get(keyOf(e.place, t)) : undefined;
    return home ?? [...this.#program.channelTypes.keys()];
  }

  #numeric(node: number, how: string, { why, span }: Reason): void {
    this.classes.facts(node).numeric ??= { why: `${why} ${how}`, span };
  }

  #refuse(what: string, { why, span }: Reason): void {
    this.refused.push({ why: `${why} ${what}`, span });
  }
}

const QUESTIONS = {
  last: "asks which process moved last",
  "no-progress": "asks whether a process makes progress",
  accepting: "asks whether a process accepts",
  enabled: "asks whether a process can move",
  "control-point": "asks where a process stands, by a number",
  priority: "asks for a priority",
} as const;

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** Constants that the value of the expression may be. */
function* constantsOf(e: Expr): Generator<number> {
  if (e.kind === "constant") yield e.value | 0;
  if (e.kind === "conditional") {
    yield* constantsOf(e.then);
    yield* constantsOf(e.otherwise);
  }
}

/** The place without its indices. */
export const keyOf = ({ scope, variable, path }: Place, t: number): string =>
  [
    scope === "global" ? `g${variable}` : `l${t}.${variable}`,
    ...path.map((step) => (step.kind === "index" ? "[]" : `.${step.field}`)),
  ].join("");

/** Places that hold the channels they were declared with and nothing else: by key, the types of these. */
function channelHomes(program: Program): ReadonlyMap<string, readonly number[]> {
  const homes = new Map<string, number[]>();
  const others = new Set<string>();
  const look = (initialisers: Program["initialisers"], t: number): void => {
    for (const i of initialisers) {
      const key = keyOf(i.target, t);
      if (i.kind === "channel") homes.set(key, [...(homes.get(key) ?? []), i.channelType]);
      else others.add(key); // sound: test/transforms/symmetry/processes.test.ts
    }
  };
  look(program.initialisers, -1);
  program.templates.forEach((template, t) => {
    look(template.initialisers, t);
    for (const location of template.locations)
      for (const edge of location.edges) for (const place of targetsOf(edge)) others.add(keyOf(place, t)); // sound: test/transforms/symmetry/processes.test.ts
  });
  for (const key of others) homes.delete(key);
  return homes;
}

/** Does some process of these templates come to an end? */
export const endsIn = (program: Program): Edge | undefined => [...edgesIn(program)].find(dies);
