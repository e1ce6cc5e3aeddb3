/**
 * `trace` and `notrace`: permitted orders of sends and receives.
 *
 * The body is a deterministic automaton over the events of the channels that it names. Its state becomes a variable of
 * the program, which every matching send or receive updates; a violation is a fault of the step. As in Spin, sends
 * count only on channels that the body sends to, receives on channels it receives from, and receives that leave the
 * message in the channel do not count.
 *
 * The automaton compares the values in the channel: a sent value is first truncated to its field, and a receive stores
 * into variables of the automaton, from which its targets are assigned afterwards. Therefore narrow targets do not
 * truncate compared values, and a receive into the channel's variable or into one that `eval` reads takes effect only
 * after the automaton has moved.
 */
import type {
  ChannelType,
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
import { within } from "../../../model/program-walk.js";
import type { Span } from "../../../model/diagnostic.js";
import type { ProcessSymbol } from "../check.js";
import { ANYTHING, constant, type Names } from "./expressions.js";
import { lowerTemplate, outline } from "./template.js";

/** Adds the traces of the model to the program. */
export function withEvents(program: Program, names: Names): Program {
  const traces = names.context.info.processes.filter(({ unit }) => unit.kind === "trace");
  return traces.reduce((watched, trace) => new EventBuilder(watched, trace, names).build(), program);
}

interface Event {
  readonly kind: "send" | "receive";
  readonly channel: Expr;
  /** Undefined matches any value. */
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
  readonly #refuse: (message: string, hint: string) => void;
  /** Variables for the values of a message in transit, by size and field. */
  readonly #scratch = new Map<string, Place>();

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
    this.#refuse = (message, hint) =>
      names.context.diagnostics.push({
        code: "promela/trace-not-supported",
        severity: "error",
        message,
        span: unit.span,
        hint,
      });
    this.#refuseUnknown();
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
      ...this.#completion(),
    };
  }

  /**
   * An execution that stops before the end of a trace is a deadlock; Spin omits this check under the option for empty
   * channels.
   */
  #completion(): Pick<Program, "endCondition"> {
    const { endCondition: before, rules } = this.program;
    // sound: test/languages/promela/trace-ends.test.ts
    if (rules.endNeedsEmptyChannels) return {};
    const event = load(this.#place);
    const ends = this.#template.locations.flatMap((l, at) => (l.isEnd ? [at] : []));
    // A notrace is over after an event outside of it; a trace never leaves its locations.
    const isEnded = [...ends, this.#nowhere].map((at) => compare("==", event, at)).reduce(or, constant(0));
    const all = [...(before ? [before] : []), isEnded];
    // sound: test/languages/promela/trace-ends.test.ts
    return { endCondition: all.reduce(and) };
  }

  #declare(name: string, size: Pick<ScalarType, "bits" | "signed">): Place {
    const type: ScalarType = { kind: "scalar", ...size, display: { kind: "number" } };
    this.#globals.push({ name, type, span: this.#span, hidden: false, internal: true });
    return { scope: "global", variable: this.#globals.length - 1, path: [], type };
  }

  /** Refuses channels unknown before the run, and channels that lose messages. */
  #refuseUnknown(): void {
    const isKnown = (channel: Expr): boolean =>
      this.#typeOf(channel) !== undefined &&
      channel.kind === "load" &&
      !this.#reassigned.has(channel.place.variable);
    if (!this.#channels().every(isKnown))
      this.#refuse(
        "a channel of this trace is set by a statement",
        "name channels that are created with the model and never assigned",
      );
    if (this.program.rules.loseWhenFull && this.#events.some((e) => e.kind === "send"))
      this.#refuse(
        "a trace cannot tell lost messages from sent ones",
        "omit --lose-when-full, or trace the receives",
      );
  }

  #watched(edge: Edge): Edge {
    const { communication } = edge;
    if (!communication || (communication.kind === "receive" && communication.keep)) return edge;
    const channels = this.#channels().filter((c) => this.#mayBe(communication.channel, c));
    return communication.kind === "send"
      ? this.#watchedSend(edge, communication, channels)
      : this.#watchedReceive(edge, communication, channels);
  }

  #channels(): Expr[] {
    const seen = new Map(this.#events.map((e) => [withoutSites(e.channel), e.channel]));
    return [...seen.values()];
  }

  /** The receive reports the send of a rendezvous: both are one step. */
  #watchedSend(edge: Edge, send: Communication & { kind: "send" }, channels: readonly Expr[]): Edge {
    const effects = channels.flatMap((channel): Effect[] => {
      const type = this.#typeOf(channel);
      if (!type || type.capacity === 0) return [];
      const kept = type.fields.slice(0, this.#fieldsLookedAt()).map((field, i) => this.#scratchFor(i, field));
      const moves = this.#move("send", channel, kept.map(load), isThat(send.channel, channel));
      if (moves.length === 0) return [];
      // A message with fewer fields belongs to another channel, or is a fault.
      const sent = kept.map((target, i) => assign(target, send.message[i] ?? constant(0)));
      return [...sent, ...moves, ...kept.map(clear)];
    });
    return effects.length === 0 ? edge : { ...edge, effects: [...effects, ...edge.effects] };
  }

  #watchedReceive(edge: Edge, receive: Communication & { kind: "receive" }, channels: readonly Expr[]): Edge {
    const { pattern } = receive;
    const kept = pattern.map((part, i): Pattern => {
      if (part.kind === "match") return part;
      const isSeen = part.kind === "store" || i < this.#fieldsLookedAt();
      return isSeen ? { kind: "store", target: this.#scratchFor(i, WHOLE) } : part;
    });
    const fields = kept.map((part) => {
      if (part.kind === "match") return part.value;
      return part.kind === "store" ? load(part.target) : undefined;
    });
    const moves = channels.flatMap((channel) => {
      const isHere = isThat(receive.channel, channel);
      const isRendezvous = this.#typeOf(channel)?.capacity === 0;
      const sent = isRendezvous ? this.#move("send", channel, fields, isHere) : [];
      return [...sent, ...this.#move("receive", channel, fields, isHere)];
    });
    if (moves.length === 0) return edge;
    const scratch = kept.flatMap((part) => (part.kind === "store" ? [part.target] : []));
    const stored = pattern.flatMap((part, i) =>
      part.kind === "store" ? [assign(part.target, load(this.#scratchFor(i, WHOLE)))] : [],
    );
    return {
      ...edge,
      communication: { ...receive, pattern: kept },
      effects: [...moves, ...stored, ...scratch.map(clear), ...edge.effects],
    };
  }

  /** Updates the automaton by one event, or faults. */
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

  /** The location after the event: the first matching edge decides. */
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

  /** A number outside of all locations. */
  get #nowhere(): number {
    return this.#template.locations.length;
  }

  #fieldsLookedAt(): number {
    return Math.max(0, ...this.#events.map((e) => e.fields.findLastIndex((f) => f !== undefined) + 1));
  }

  #scratchFor(field: number, { bits, signed }: Pick<ScalarType, "bits" | "signed">): Place {
    const key = `${bits} ${signed} ${field}`;
    const place = this.#scratch.get(key) ?? this.#declare(`_field${field}`, { bits, signed });
    this.#scratch.set(key, place);
    return place;
  }

  /** Whether the expression may denote that channel. Channels that no statement assigns are distinguished by name. */
  #mayBe(used: Expr, named: Expr): boolean {
    if (isEqual(used, named)) return true;
    const isFixed = (e: Expr): boolean =>
      e.kind === "load" &&
      e.place.scope === "global" &&
      !this.#reassigned.has(e.place.variable) &&
      e.place.path.every((step) => step.kind === "field" || step.index.kind === "constant");
    return !(isFixed(used) && isFixed(named));
  }

  /** Type of a channel created with the model. */
  #typeOf(channel: Expr): ChannelType | undefined {
    if (channel.kind !== "load") return undefined;
    const { variable } = channel.place;
    for (const i of this.program.initialisers)
      if (i.kind === "channel" && i.target.scope === "global" && i.target.variable === variable)
        return this.program.channelTypes[i.channelType];
    return undefined;
  }
}

/** Wide enough for any message field. */
const WHOLE = { bits: 32, signed: true };

const load = (place: Place): Expr => ({ kind: "load", place });

const assign = (target: Place, value: Expr): Effect => ({ kind: "assign", target, value });

const clear = (target: Place): Effect => assign(target, constant(0));

/** Undefined if always true. */
const isThat = (used: Expr, named: Expr): Expr | undefined =>
  isEqual(used, named) ? undefined : { kind: "binary", op: "==", left: used, right: named, site: -1 };

function eventOf({ communication }: Edge): Event | undefined {
  if (!communication) return undefined;
  const { kind, channel } = communication;
  const fields =
    communication.kind === "send"
      ? communication.message.map((value) => (isCompared(value) ? value : undefined))
      : communication.pattern.map((p) => (p.kind === "match" ? p.value : undefined));
  return { kind, channel, fields };
}

/** As in Spin, a variable in a send matches any value; in a receive, `eval` compares. */
const isCompared = (sent: Expr): boolean =>
  sent !== ANYTHING && [...within(sent)].every(({ kind }) => CONSTANT.has(kind));

const CONSTANT: ReadonlySet<Expr["kind"]> = new Set(["constant", "unary", "binary", "conditional"]);

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

const or = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "||", left, right, site: -1 });

const and = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "&&", left, right, site: -1 });

const conditional = (test: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: "conditional",
  test,
  then,
  otherwise,
});
