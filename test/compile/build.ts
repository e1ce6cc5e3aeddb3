/** Builds small programs by hand, for tests of the compiler and the interpreter. */
import type {
  BinaryOp,
  ChannelType,
  Communication,
  Display,
  Edge,
  Effect,
  Expr,
  FaultKind,
  Initialiser,
  Location,
  Pattern,
  Place,
  Program,
  Rules,
  ScalarType,
  Site,
  Template,
  Type,
  Variable,
} from "../../src/model/index.js";

export const nowhere = { file: "built", start: 0, end: 0 };

const scalar = (bits: number, signed = false, display: Display = { kind: "number" }): ScalarType => ({
  kind: "scalar",
  bits,
  signed,
  display,
});

export const bit = scalar(1);
export const bool = scalar(1, false, { kind: "bool" });
export const byte = scalar(8);
export const short = scalar(16, true);
export const int = scalar(32, true);
export const chan = scalar(8, false, { kind: "channel" });
export const named = (names: Record<number, string>): ScalarType =>
  scalar(8, false, {
    kind: "names",
    names: new Map(Object.entries(names).map(([n, name]) => [Number(n), name])),
  });
export const arrayOf = (element: Type, length: number): Type => ({ kind: "array", element, length });

// ---- expressions ----

export const num = (value: number): Expr => ({ kind: "constant", value });
export const get = (place: Place): Expr => ({ kind: "load", place });
export const op = (left: Expr, operator: BinaryOp, right: Expr, site = -1): Expr => ({
  kind: "binary",
  op: operator,
  left,
  right,
  site,
});
export const eq = (left: Expr, right: number): Expr => op(left, "==", num(right));

// ---- statements ----

export const assign = (target: Place, value: Expr): Effect => ({ kind: "assign", target, value });
export const increment = (target: Place): Effect => assign(target, op(get(target), "+", num(1)));
export const assert = (condition: Expr, site: number): Effect => ({ kind: "assert", condition, site });
export const die: Effect = { kind: "die" };
export const store = (target: Place): Pattern => ({ kind: "store", target });
export const match = (value: number): Pattern => ({ kind: "match", value: num(value) });

export interface EdgeOptions {
  readonly to: number;
  readonly when?: Expr;
  readonly isElse?: boolean;
  readonly communicate?: Communication;
  readonly effects?: readonly Effect[];
  readonly group?: number;
  readonly keeps?: boolean;
}

export class ProgramBuilder {
  readonly globals: Variable[] = [];
  readonly channelTypes: ChannelType[] = [];
  readonly templates: TemplateBuilder[] = [];
  readonly sites: Site[] = [];
  readonly #initialisers: Initialiser[] = [];
  readonly #instances: { template: number; arguments: readonly Expr[] }[] = [];
  readonly #invariants: { name: string; condition: Expr; span: typeof nowhere }[] = [];

  site(fault: FaultKind, message = fault as string): number {
    return this.sites.push({ fault, message, span: nowhere }) - 1;
  }

  variable(name: string, type: Type, flags: { hidden?: boolean; internal?: boolean } = {}): number {
    return this.globals.push({ name, type, span: nowhere, hidden: false, internal: false, ...flags }) - 1;
  }

  global(name: string, type: ScalarType, initial = 0, flags: { hidden?: boolean } = {}): Place {
    const place = placeOf("global", this.variable(name, type, flags), type);
    if (initial !== 0) this.#initialisers.push({ kind: "value", target: place, value: num(initial) });
    return place;
  }

  channelType(capacity: number, fields: readonly ScalarType[]): number {
    return (
      this.channelTypes.push({ name: `type${this.channelTypes.length}`, capacity, fields, span: nowhere }) - 1
    );
  }

  channel(name: string, capacity: number, fields: readonly ScalarType[]): Place {
    const target = this.global(name, chan);
    this.initialise({ kind: "channel", target, channelType: this.channelType(capacity, fields) });
    return target;
  }

  initialise(initialiser: Initialiser): void {
    this.#initialisers.push(initialiser);
  }

  invariant(name: string, condition: Expr): void {
    this.#invariants.push({ name, condition, span: nowhere });
  }

  template(name: string): TemplateBuilder {
    const template = new TemplateBuilder(this.templates.length, name);
    this.templates.push(template);
    return template;
  }

  /** A template with an instance. */
  active(name: string): TemplateBuilder {
    const template = this.template(name);
    this.instance(template);
    return template;
  }

  instance(template: TemplateBuilder, args: readonly number[] = []): void {
    this.#instances.push({ template: template.index, arguments: args.map(num) });
  }

  send(channel: Expr, message: readonly Expr[], sorted = false): Communication {
    return {
      kind: "send",
      channel,
      message,
      sorted,
      site: this.site("bad-channel"),
      messageSite: this.site("bad-message"),
    };
  }

  receive(
    channel: Expr,
    pattern: readonly Pattern[],
    how: { random?: boolean; keep?: boolean } = {},
  ): Communication {
    return {
      kind: "receive",
      channel,
      pattern,
      random: false,
      keep: false,
      site: this.site("bad-channel"),
      messageSite: this.site("bad-message"),
      rendezvousSite: how.keep ? this.site("bad-channel") : -1,
      ...how,
    };
  }

  run(template: TemplateBuilder, args: readonly Expr[] = [], target?: Place, priority?: Expr): Effect {
    const site = this.site("too-many-processes");
    const channelSite = this.site("too-many-channels");
    return { kind: "run", template: template.index, arguments: args, priority, target, site, channelSite };
  }

  build(rules: Partial<Rules> = {}): Program {
    return {
      name: "built",
      globals: this.globals,
      initialisers: this.#initialisers,
      channelTypes: this.channelTypes,
      templates: this.templates.map((t) => t.build()),
      instances: this.#instances,
      sites: this.sites,
      invariants: this.#invariants,
      rules: {
        maxProcesses: 255,
        maxChannels: 255,
        loseWhenFull: false,
        endNeedsEmptyChannels: false,
        usesPriorities: false,
        ...rules,
      },
    };
  }
}

export class TemplateBuilder {
  readonly index: number;
  readonly name: string;
  provided: Expr | undefined;
  priority = 1;
  readonly claims: Template["claims"][number][] = [];
  readonly #locals: Variable[] = [];
  readonly #initialisers: Initialiser[] = [];
  readonly #edges: Edge[][] = [];
  readonly #flags: Partial<Location>[] = [];
  #parameters = 0;

  constructor(index: number, name: string) {
    this.index = index;
    this.name = name;
  }

  parameter(name: string, type: ScalarType): Place {
    this.#parameters++;
    return this.local(name, type);
  }

  local(name: string, type: ScalarType, initial = 0): Place {
    const variable = this.#locals.push({ name, type, span: nowhere, hidden: false, internal: false }) - 1;
    const place = placeOf("local", variable, type);
    if (initial !== 0) this.#initialisers.push({ kind: "value", target: place, value: num(initial) });
    return place;
  }

  channel(name: string, channelType: number): Place {
    const target = this.local(name, chan);
    this.#initialisers.push({ kind: "channel", target, channelType });
    return target;
  }

  /** An edge; its text names its end points unless given. */
  edge(from: number, options: EdgeOptions, text = `${this.name}${from}-${options.to}`): this {
    this.#location(Math.max(from, options.to));
    this.#edges[from]!.push({
      to: options.to,
      guard: options.isElse
        ? { kind: "else" }
        : options.when
          ? { kind: "condition", condition: options.when }
          : { kind: "always" },
      communication: options.communicate,
      effects: options.effects ?? [],
      escapeGroup: options.group ?? 0,
      keepsControl: options.keeps ?? false,
      text,
      span: nowhere,
    });
    return this;
  }

  /** The usual end: the process terminates when it is the youngest. */
  end(at: number): this {
    this.mark(at, { isEnd: true });
    return this.edge(at, { to: at, effects: [die] }, `${this.name} ends`);
  }

  mark(location: number, flags: Partial<Location>): this {
    this.#location(location);
    this.#flags[location] = { ...this.#flags[location], ...flags };
    return this;
  }

  build(): Template {
    return {
      name: this.name,
      span: nowhere,
      parameters: this.#parameters,
      locals: this.#locals,
      initialisers: this.#initialisers,
      initial: 0,
      provided: this.provided,
      priority: this.priority,
      claims: this.claims,
      locations: this.#edges.map((edges, l) => ({
        edges,
        inside: "none",
        isEnd: false,
        isProgress: false,
        isAccept: false,
        labels: [],
        blockedSite: -1,
        span: nowhere,
        ...this.#flags[l],
      })),
    };
  }

  #location(location: number): void {
    while (this.#edges.length <= location) this.#edges.push([]);
  }
}

export const placeOf = (
  scope: Place["scope"],
  variable: number,
  type: ScalarType,
  path: Place["path"] = [],
): Place => ({
  scope,
  variable,
  path,
  type,
});
