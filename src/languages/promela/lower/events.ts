/**
 * `trace` and `notrace`: which order of sends and receives there may be.
 *
 * The body is a deterministic automaton over the events of the channels that it names. It becomes a variable of the program,
 * and every statement that may be such an event moves it on: so it is part of the state, and what it does not allow is a
 * fault of the step. A send counts only on channels that the body sends to, a receive on those it receives from, and
 * a receive that leaves the message in the channel does not count, as in Spin.
 */
import type {
  Communication,
  Edge,
  Effect,
  Expr,
  Location,
  Pattern,
  Place,
  Program,
  ScalarType,
  Template,
  Variable,
} from "../../../model/program.js";
import type { Span } from "../../../model/diagnostic.js";
import type { ProcessSymbol } from "../check.js";
import { constant, type Names } from "./expressions.js";
import { lowerTemplate, outline } from "./template.js";

/** The program with the traces of the model built in. */
export function withEvents(program: Program, names: Names): Program {
  const traces = names.context.info.processes.filter(({ unit }) => unit.kind === "trace");
  return traces.reduce((watched, trace) => new EventBuilder(watched, trace, names).build(), program);
}

/** One event: a step of the body, or of the system. */
interface Event {
  readonly kind: "send" | "receive";
  readonly channel: Expr;
  /** Undefined: any value. */
  readonly fields: readonly (Expr | undefined)[];
}

class EventBuilder {
  readonly #template: Template;
  readonly #isNegated: boolean;
  readonly #span: Span;
  readonly #events: readonly Event[];
  readonly #place: Place;
  readonly #globals: Variable[];
  readonly #site: number;
  readonly #reassigned: ReadonlySet<number>;
  /** Values that a receive throws away but the body looks at, by field. */
  readonly #scratch = new Map<number, Place>();

  constructor(
    readonly program: Program,
    trace: ProcessSymbol,
    names: Names,
  ) {
    const { unit } = trace;
    this.#isNegated = unit.kind === "trace" && unit.negated;
    this.#span = unit.span;
    this.#template = lowerTemplate(outline(trace, [], names.slots, names.context), names);
    this.#events = this.#template.locations.flatMap((l) => l.edges.flatMap((e) => eventOf(e) ?? []));
    this.#globals = [...program.globals];
    this.#place = this.#declare("_event", { bits: 16, signed: false });
    this.#site = names.context.site(
      this.#isNegated ? "notrace" : "trace",
      this.#isNegated ? "every event of the notrace happened" : "an event that the trace does not allow",
      unit.span,
    );
    this.#reassigned = reassignedGlobals(program);
  }

  build(): Program {
    const templates = this.program.templates.map((template) => ({
      ...template,
      locations: template.locations.map((location) => ({
        ...location,
        edges: location.edges.map((edge) => this.#watched(edge)),
      })),
    }));
    const first = this.#template.initial;
    const start = { kind: "value", target: this.#place, value: constant(first) } as const;
    return {
      ...this.program,
      templates,
      globals: this.#globals,
      initialisers: first === 0 ? this.program.initialisers : [...this.program.initialisers, start],
    };
  }

  #declare(name: string, size: Pick<ScalarType, "bits" | "signed">): Place {
    const type: ScalarType = { kind: "scalar", ...size, display: { kind: "number" } };
    this.#globals.push({ name, type, span: this.#span, hidden: false, internal: true });
    return { scope: "global", variable: this.#globals.length - 1, path: [], type };
  }

  #watched(edge: Edge): Edge {
    const { communication } = edge;
    if (!communication || (communication.kind === "receive" && communication.keep)) return edge;
    const channels = this.#channels().filter((c) => this.#mayBe(communication.channel, c));
    if (channels.length === 0) return edge;
    const arity = this.#fieldsLookedAt();
    const kept = communication.kind === "receive" ? this.#keepingFields(communication, arity) : communication;
    const effects = channels.flatMap((c) => this.#effects(communication, kept, c));
    const cleared = communication.kind === "receive" ? this.#clearing(communication, arity) : [];
    if (effects.length === 0) return edge;
    return { ...edge, communication: kept, effects: [...effects, ...cleared, ...edge.effects] };
  }

  /** Every channel that the body names, once. */
  #channels(): Expr[] {
    const seen = new Map(this.#events.map((e) => [withoutSites(e.channel), e.channel]));
    return [...seen.values()];
  }

  #effects(original: Communication, kept: Communication, channel: Expr): Effect[] {
    const isHere: Expr | undefined = isEqual(original.channel, channel)
      ? undefined
      : { kind: "binary", op: "==", left: original.channel, right: channel, site: -1 };
    const fields = original.kind === "send" ? original.message : this.#received(kept);
    // The send of a rendezvous is told by its receive: both are one step.
    const isRendezvous = this.#isRendezvous(channel);
    if (original.kind === "send") return isRendezvous ? [] : this.#move("send", channel, fields, isHere);
    const sent = isRendezvous ? this.#move("send", channel, fields, isHere) : [];
    return [...sent, ...this.#move("receive", channel, fields, isHere)];
  }

  /** Moves the automaton on by one event, or fails. */
  #move(
    kind: Event["kind"],
    channel: Expr,
    fields: readonly (Expr | undefined)[],
    isHere: Expr | undefined,
  ): Effect[] {
    const isInScope = this.#events.some((e) => e.kind === kind && isEqual(e.channel, channel));
    if (!isInScope) return [];
    const event: Expr = { kind: "load", place: this.#place };
    const next = this.#next(kind, channel, fields);
    const gated = (value: Expr): Expr =>
      isHere ? { kind: "conditional", test: isHere, then: value, otherwise: event } : value;
    const isWrong = this.#isNegated ? this.#end : this.#nowhere;
    const site = this.#site;
    const fine = conditional(compare("!=", next, isWrong), constant(1), constant(0));
    const assert: Effect = {
      kind: "assert",
      condition: isHere ? conditional(isHere, fine, constant(1)) : fine,
      site,
    };
    const stays = conditional(compare("==", next, this.#nowhere), event, next);
    const value = gated(this.#isNegated ? next : stays);
    return [assert, { kind: "assign", target: this.#place, value }];
  }

  /** The location after the event: the first edge that matches decides. */
  #next(kind: Event["kind"], channel: Expr, fields: readonly (Expr | undefined)[]): Expr {
    const event: Expr = { kind: "load", place: this.#place };
    const { locations } = this.#template;
    const moves = locations.flatMap((location, l) =>
      location.edges.flatMap((edge) => {
        if (edge.effects.some((e) => e.kind === "die")) return [];
        const step = eventOf(edge);
        if (step && (step.kind !== kind || !isEqual(step.channel, channel))) return [];
        const matches = (step?.fields ?? []).flatMap((expected, i): Expr[] =>
          expected && fields[i]
            ? [{ kind: "binary", op: "==", left: fields[i], right: expected, site: -1 }]
            : [],
        );
        const test = [compare("==", event, l), ...matches].reduce(and);
        return [{ test, to: constant(edge.to) }];
      }),
    );
    const miss = constant(this.#nowhere);
    return moves.reduceRight<Expr>((otherwise, { test, to }) => conditional(test, to, otherwise), miss);
  }

  get #end(): number {
    return this.#template.locations.findIndex((l: Location) =>
      l.edges.some((e) => e.effects.some((f) => f.kind === "die")),
    );
  }

  /** A number that is no location. */
  get #nowhere(): number {
    return this.#template.locations.length;
  }

  #fieldsLookedAt(): number {
    return Math.max(0, ...this.#events.map((e) => e.fields.findLastIndex((f) => f !== undefined) + 1));
  }

  /** The receive, with values that it would throw away kept for the automaton. */
  #keepingFields(receive: Communication & { kind: "receive" }, arity: number): Communication {
    const pattern = receive.pattern.map((part, i): Pattern =>
      part.kind === "ignore" && i < arity ? { kind: "store", target: this.#scratchFor(i) } : part,
    );
    return { ...receive, pattern };
  }

  #clearing(receive: Communication & { kind: "receive" }, arity: number): Effect[] {
    return receive.pattern.flatMap((part, i): Effect[] =>
      part.kind === "ignore" && i < arity
        ? [{ kind: "assign", target: this.#scratchFor(i), value: constant(0) }]
        : [],
    );
  }

  #scratchFor(field: number): Place {
    const known = this.#scratch.get(field);
    if (known) return known;
    const place = this.#declare(`_field${field}`, { bits: 32, signed: true });
    this.#scratch.set(field, place);
    return place;
  }

  /** The values of a message just received, where the receive keeps them. */
  #received(receive: Communication): (Expr | undefined)[] {
    if (receive.kind !== "receive") return [];
    return receive.pattern.map((part) => {
      if (part.kind === "match") return part.value;
      return part.kind === "store" ? { kind: "load", place: part.target } : undefined;
    });
  }

  /** Could the expression be that channel? Channels that no statement replaces are told apart by name. */
  #mayBe(used: Expr, named: Expr): boolean {
    if (isEqual(used, named)) return true;
    const isFixed = (e: Expr): boolean =>
      e.kind === "load" &&
      e.place.scope === "global" &&
      !this.#reassigned.has(e.place.variable) &&
      e.place.path.every((step) => step.kind === "field" || step.index.kind === "constant");
    return !(isFixed(used) && isFixed(named));
  }

  #isRendezvous(channel: Expr): boolean {
    if (channel.kind !== "load") return false;
    const { variable } = channel.place;
    return this.program.initialisers.some(
      (i) =>
        i.kind === "channel" &&
        i.target.scope === "global" &&
        i.target.variable === variable &&
        this.program.channelTypes[i.channelType]!.capacity === 0,
    );
  }
}

function eventOf({ communication }: Edge): Event | undefined {
  if (!communication) return undefined;
  const { kind, channel } = communication;
  const fields =
    communication.kind === "send"
      ? communication.message
      : communication.pattern.map((p) => (p.kind === "match" ? p.value : undefined));
  return { kind, channel, fields };
}

function reassignedGlobals({ templates }: Program): Set<number> {
  const edges = templates.flatMap((t) => t.locations.flatMap((l) => l.edges));
  const targets = edges.flatMap(({ communication, effects }) => [
    ...(communication?.kind === "receive"
      ? communication.pattern.flatMap((p) => (p.kind === "store" ? [p.target] : []))
      : []),
    ...effects.flatMap((e) =>
      e.kind === "assign" ? [e.target] : e.kind === "run" && e.target ? [e.target] : [],
    ),
  ]);
  return new Set(targets.filter((t) => t.scope === "global").map((t) => t.variable));
}

const withoutSites = (e: Expr): string =>
  JSON.stringify(e, (field, value: unknown) => (field === "site" ? undefined : value));

const isEqual = (a: Expr, b: Expr): boolean => withoutSites(a) === withoutSites(b);

const compare = (op: "==" | "!=", left: Expr, right: number): Expr => ({
  kind: "binary",
  op,
  left,
  right: constant(right),
  site: -1,
});

const and = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "&&", left, right, site: -1 });

const conditional = (test: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: "conditional",
  test,
  then,
  otherwise,
});
