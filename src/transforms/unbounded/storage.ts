/** Variables of guarded commands for a program: globals, channels, and a location and locals for each process. */
import type {
  Expr,
  GuardedVariable,
  Initialiser,
  LinearSum,
  Place,
  Program,
  Range,
  ScalarType,
  Span,
  Template,
  Type,
  Variable,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { casesOf, Refused, type Scope } from "./expressions.js";
import { constantSum, isConstant, variableSum } from "./sums.js";

export interface Process {
  readonly name: string;
  readonly template: Template;
  readonly number: number;
  readonly location: number;
  readonly locals: readonly number[];
  /** Locations beyond those of the template. */
  readonly dead: bigint;
  readonly failed: bigint;
}

export interface Channel {
  readonly name: string;
  readonly length: number;
  readonly capacity: number;
  /** Slots by fields. */
  readonly slots: readonly (readonly number[])[];
  readonly fields: readonly ScalarType[];
}

/** The range of a type that keeps its bounds; undefined: a number, which has none. */
export function rangeOf({ bits, display }: ScalarType): Range | undefined {
  if (bits === 1 || display.kind === "bool") return { low: 0n, high: 1n };
  if (display.kind === "names") return { low: 0n, high: BigInt(Math.max(0, ...display.names.keys())) };
  return display.kind === "pid" ? { low: 0n, high: 255n } : undefined;
}

interface Leaf {
  readonly name: string;
  readonly type: ScalarType;
}

function leavesOf(name: string, type: Type): Leaf[] {
  if (type.kind === "scalar") return [{ name, type }];
  if (type.kind === "record")
    return type.fields.flatMap((field) => leavesOf(`${name}.${field.name}`, field.type));
  return Array.from({ length: type.length }, (_, index) => index).flatMap((index) =>
    leavesOf(`${name}[${index}]`, type.element),
  );
}

const sizeOf = (type: Type): number => leavesOf("", type).length;

export class Storage {
  readonly variables: GuardedVariable[] = [];
  readonly processes: Process[] = [];
  readonly channels: Channel[] = [];
  /** The process inside an atomic sequence, plus 1. */
  readonly control: number;
  readonly #globals: readonly number[];
  readonly #declared: readonly Variable[];
  /** Types by variable; of program counters and lengths undefined. */
  readonly types: (ScalarType | undefined)[] = [];
  readonly #channelOf = new Map<number, Channel>();

  constructor(program: Program, refuse: (span: Span, what: string) => void) {
    this.#declared = program.globals;
    this.#globals = program.globals.map((each) => this.#declare(each, ""));
    const run = (each: Initialiser, process: Process | undefined, span: Span): void => {
      try {
        this.#initialise(program, each, process);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refuse(span, error.message);
      }
    };
    for (const each of program.initialisers)
      run(each, undefined, nth(program.globals, each.target.variable).span);
    this.control = this.#add("atomic", { low: 0n, high: BigInt(program.instances.length) }, undefined);
    program.instances.forEach(({ template: index, arguments: given }, number) => {
      const template = nth(program.templates, index);
      const name = `${template.name}[${number}]`;
      const last = BigInt(template.locations.length);
      const location = this.#add(`${name}:location`, { low: 0n, high: last + 1n }, undefined);
      this.#set(location, BigInt(template.initial));
      const locals = template.locals.map((each) => this.#declare(each, `${name}:`));
      const process = { name, template, number, location, locals, dead: last, failed: last + 1n };
      this.processes.push(process);
      given.forEach((value, parameter) => {
        const type = nth(template.locals, parameter).type;
        if (type.kind === "scalar")
          run(
            { kind: "value", target: { scope: "local", variable: parameter, path: [], type }, value },
            process,
            template.span,
          );
      });
      for (const each of template.initialisers)
        run(each, process, nth(template.locals, each.target.variable).span);
    });
  }

  #add(name: string, range: Range | undefined, type: ScalarType | undefined): number {
    this.types.push(type);
    return this.variables.push({ name, isExplicit: range !== undefined, range, initial: 0n }) - 1;
  }

  #set(variable: number, initial: bigint): void {
    this.variables[variable] = { ...nth(this.variables, variable), initial };
  }

  /** The first leaf of a variable. */
  #declare({ name, type }: Variable, prefix: string): number {
    const all = leavesOf(`${prefix}${name}`, type).map((leaf) =>
      this.#add(
        leaf.name,
        leaf.type.display.kind === "channel" ? { low: 0n, high: 0n } : rangeOf(leaf.type),
        leaf.type,
      ),
    );
    return all[0] ?? 0;
  }

  #initialise(program: Program, each: Initialiser, process: Process | undefined): void {
    const target = this.leaf(each.target, process);
    if (each.kind === "channel") {
      if (process) throw new Refused("a channel that a process creates");
      this.#channelOf.set(target, this.#create(program, each.channelType, target));
      return;
    }
    // A channel that a parameter passes.
    if (this.types[target]?.display.kind === "channel") {
      this.#channelOf.set(target, this.channel(each.value, process));
      return;
    }
    const cases = casesOf(
      each.value,
      this.scope(process, (variable) => constantSum(nth(this.variables, variable).initial ?? 0n)),
    );
    const [only] = cases;
    if (!only || cases.length > 1 || !isConstant(only.value))
      throw new Refused("an initial value that is not constant");
    const { value } = only;
    this.#set(target, value.constant);
    this.assignable(target, value);
  }

  #create({ channelTypes }: Program, index: number, at: number): Channel {
    const { capacity, fields } = nth(channelTypes, index);
    const { name } = nth(this.variables, at);
    if (capacity === 0) throw new Refused(`the rendezvous channel \`${name}\``);
    const slots = Array.from({ length: capacity }, (_, slot) =>
      fields.map((type, field) => this.#add(`${name}:${slot}.${field}`, rangeOf(type), type)),
    );
    const length = this.#add(`len(${name})`, { low: 0n, high: BigInt(capacity) }, undefined);
    const channel = { name, length, capacity, slots, fields };
    this.channels.push(channel);
    return channel;
  }

  /** Refuses a value that a type with bounds would cut, or that is not known by value. */
  assignable(target: number, value: LinearSum): void {
    const { range, name } = nth(this.variables, target);
    if (this.types[target]?.display.kind === "channel")
      throw new Refused(`an assignment to the channel \`${name}\``);
    if (!range) return;
    const [part, ...others] = value.parts;
    const source = part && nth(this.variables, part.variable).range;
    const isCopy =
      part !== undefined && others.length === 0 && part.coefficient === 1n && value.constant === 0n;
    // sound: test/transforms/unbounded.test.ts
    const isInside = part
      ? isCopy && source !== undefined && source.low >= range.low && source.high <= range.high
      : value.constant >= range.low && value.constant <= range.high;
    if (!isInside)
      throw new Refused(`a value of \`${name}\` that may be outside ${range.low}..${range.high}`);
  }

  /** The variable behind a place; its indices are constant. */
  leaf({ scope, variable, path }: Place, process: Process | undefined): number {
    const declared = scope === "global" ? this.#declared : (process?.template.locals ?? []);
    let type = nth(declared, variable).type;
    let at = nth(scope === "global" ? this.#globals : (process?.locals ?? []), variable);
    for (const step of path) {
      if (step.kind === "field" && type.kind === "record") {
        at += type.fields.slice(0, step.field).reduce((sum, field) => sum + sizeOf(field.type), 0);
        type = nth(type.fields, step.field).type;
      } else if (step.kind === "index" && type.kind === "array") {
        at +=
          this.#index(step.index, type.length, process, nth(declared, variable).name) * sizeOf(type.element);
        type = type.element;
      }
    }
    return at;
  }

  #index(index: Expr, length: number, process: Process | undefined, name: string): number {
    const cases = casesOf(index, this.scope(process, variableSum));
    const [only] = cases;
    if (!only || cases.length > 1 || !isConstant(only.value))
      throw new Refused(`an index of \`${name}\` that is not constant`);
    const value = Number(only.value.constant);
    if (value < 0 || value >= length)
      throw new Refused(`the index ${value} of \`${name}\`, which it does not have`);
    return value;
  }

  channel(of: Expr, process: Process | undefined): Channel {
    const found = of.kind === "load" ? this.#channelOf.get(this.leaf(of.place, process)) : undefined;
    if (!found) throw new Refused("a channel that is not fixed");
    return found;
  }

  scope(process: Process | undefined, value: (variable: number) => LinearSum): Scope {
    return {
      load: (place) => {
        // The numbers of channels are not translated.
        // sound: test/transforms/unbounded.test.ts
        if (place.type.display.kind === "channel") throw new Refused("the value of a channel");
        return value(this.leaf(place, process));
      },
      self: process?.number,
      channel: (of) => {
        const { length, capacity } = this.channel(of, process);
        return { length: value(length), capacity };
      },
    };
  }
}
