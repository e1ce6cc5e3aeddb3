/**
 * Lowers a model whose processes communicate only over asynchronous channels to a `MessageProgram`: each proctype is a
 * principal. Data are mtypes; the result of an assignment that reads one variable has that variable's provenance; a
 * constant is a new message.
 */
import { hasErrors, type Diagnostic, type Span } from "../../../model/diagnostic.js";
import {
  writtenBy,
  type MessageAction,
  type MessageProgram,
  type Principal,
} from "../../../model/messages.js";
import type { Edge, Expr, Guard, Place, Program, Template } from "../../../model/program.js";
import type { Report } from "../../toolkit/diagnostics.js";
import type { PolicyBlock } from "../../toolkit/provenance/block.js";
import { FlowGraph } from "../../toolkit/provenance/flow-graph.js";
import { resolveProperty } from "../../toolkit/provenance/resolve.js";
import { evaluate, variablesIn } from "./evaluate.js";
import { known, nth } from "../../../model/known.js";

export interface MessageRequest {
  readonly program: Program;
  /** Asynchronous channels. */
  readonly channels: readonly string[];
  readonly block: PolicyBlock;
  textOf(span: Span): string;
}

export interface LoweredMessages {
  readonly messages: MessageProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function lowerMessages(request: MessageRequest): LoweredMessages {
  const diagnostics: Diagnostic[] = [];
  const messages = new Lowering(request, (diagnostic) => diagnostics.push(diagnostic)).lower();
  return { messages: hasErrors(diagnostics) ? undefined : messages, diagnostics };
}

class Lowering {
  readonly #program: Program;
  readonly #request: MessageRequest;
  readonly #report: Report;
  /** By value; message 0 is the initial value of variables, as in Promela. */
  readonly #names: readonly string[];

  constructor(request: MessageRequest, report: Report) {
    this.#program = request.program;
    this.#request = request;
    this.#report = report;
    const { templates, channelTypes } = request.program;
    const types = [
      ...templates.flatMap(({ locals }) => locals.map(({ type }) => type)),
      ...channelTypes.flatMap(({ fields }) => fields),
    ];
    const names = new Map<number, string>();
    for (const type of types)
      if (type.kind === "scalar" && type.display.kind === "names")
        for (const [value, name] of type.display.names) names.set(value, name);
    this.#names = Array.from({ length: Math.max(0, ...names.keys()) + 1 }, (_, value) =>
      value === 0 ? "none" : (names.get(value) ?? `mtype ${value}`),
    );
  }

  lower(): MessageProgram {
    const { templates, globals, instances, invariants, temporal = [], rules, endCondition } = this.#program;
    const { channels, block } = this.#request;
    for (const { name, span } of [...invariants, ...temporal])
      this.#refuse(
        span ?? nth(templates, 0).span,
        `\`${name}\` is about states`,
        "ask about provenance alone",
      );
    // sound: test/languages/promela/messages.test.ts
    if (rules.usesPriorities)
      this.#refuse(nth(templates, 0).span, "priorities keep processes from their turn");
    if (endCondition) this.#refuse(nth(templates, 0).span, "`trace` is about executions");
    for (const { name, span, internal } of globals)
      if (!internal && !channels.includes(name))
        this.#refuse(
          span,
          `\`${name}\` is shared by all processes`,
          "processes share asynchronous channels alone",
        );
    const spawned = new Set(
      templates.flatMap(({ locations }) =>
        locations.flatMap(({ edges }) =>
          edges.flatMap(({ effects }) => effects.flatMap((e) => (e.kind === "run" ? [e.template] : []))),
        ),
      ),
    );
    templates.forEach(({ span, name }, index) => {
      const started = instances.filter(({ template }) => template === index).length;
      if (started + (spawned.has(index) ? 1 : 0) !== 1)
        this.#refuse(span, `\`${name}\` is not started in one way`, "one `active proctype` each, or `run`");
    });
    const operations: string[] = [];
    const principals = templates.map((template, index) =>
      this.#principal(template, spawned.has(index), operations),
    );
    const [chosen, second] = block.domains;
    if (second) this.#refuse(second.span, "the provenance domain is chosen twice");
    const domain = { kind: chosen?.text === "set" ? "set" : "language" } as const;
    for (const { text, span } of block.domains)
      if (text !== "set" && text !== "language")
        this.#refuse(span, `there is no provenance domain \`${text}\``, "there are: language, set");
    const scope = {
      messages: this.#names,
      principals,
      domain,
      textOf: this.#request.textOf,
      report: this.#report,
    };
    const properties = block.properties.flatMap((node) => resolveProperty(node, scope) ?? []);
    for (const { principal, when, span } of properties)
      // sound: test/languages/promela/messages.test.ts
      if (when && when.principal !== principal && [principal, when.principal].some((it) => spawned.has(it)))
        this.#refuse(
          span!,
          "`when` relates a process that is run to another one",
          "use a variable of the same process",
        );
    return { messages: this.#names, channels, operations, principals, domain, tests: [], properties };
  }

  #principal(template: Template, isSpawned: boolean, operations: string[]): Principal {
    const { name, span, locals, locations, initialisers } = template;
    if (template.provided) this.#refuse(span, "`provided` looks at other processes");
    // sound: test/languages/promela/messages.test.ts
    if (template.claims.length > 0) this.#refuse(span, "`xr` and `xs` are claims about states");
    if (template.parameters > 0) this.#refuse(span, "a principal has no parameters");
    for (const local of locals)
      if (local.type.kind !== "scalar" || local.type.display.kind !== "names")
        this.#refuse(local.span, `\`${local.name}\` is no mtype`, "principals hold mtypes alone");
    const graph = new FlowGraph();
    const places = locations.map(() => graph.newLocation());
    const builder = { graph, places, temporary: locals.length, operations };
    let at = 0;
    for (const initialiser of initialisers) {
      if (initialiser.kind === "channel") continue;
      const next = graph.newLocation();
      const action = this.#assignment(initialiser.target, initialiser.value, span, operations);
      if (action) graph.addEdge(at, { action, to: next, text: `${name} starts`, span });
      at = next;
    }
    graph.addJump(at, nth(places, template.initial));
    locations.forEach((location, from) => {
      if (location.inside === "step") this.#refuse(location.span, "`d_step` hides what others could see");
      location.edges.forEach((edge, index) =>
        this.#edge(edge, location.edges.slice(0, index), nth(places, from), builder),
      );
    });
    const finished = graph.finish();
    const isUsed = finished.flat().some(({ action }) => writtenBy(action) === builder.temporary);
    const variables = [...locals.map((local) => local.name), ...(isUsed ? ["message being sent"] : [])];
    return { name: name.replace(/\W/g, ""), span, isSpawned, variables, locations: finished };
  }

  #edge(edge: Edge, before: readonly Edge[], from: number, builder: Builder): void {
    const { graph, places } = builder;
    const { communication, effects, span, text } = edge;
    const to = nth(places, edge.to);
    if (effects.some(({ kind }) => kind === "die")) return;
    if (edge.keepsControl) return this.#refuse(span, "`atomic` hides intermediate states");
    // sound: test/languages/promela/messages.test.ts
    if (edge.escapeGroup !== 0) return this.#refuse(span, "`unless` depends on concurrent events");
    const [effect, second] = effects.filter(({ kind }) => kind !== "print");
    // sound: test/languages/promela/messages.test.ts
    if (second || (effect && communication)) return this.#refuse(span, "this does several things at once");
    const add = (start: number, end: number, action: MessageAction): void =>
      graph.addEdge(start, { action, to: end, text, span });
    const passed = this.#guarded(edge.guard, before, from, span, add, builder);
    if (communication?.kind === "send") {
      const [value, more] = communication.message;
      const channel = this.#channel(communication.channel, span);
      if (!value || more || communication.sorted)
        return this.#refuse(span, "a message is one mtype, sent in no order");
      const place = placeIn(value);
      if (channel === undefined) return;
      if (place) return add(passed, to, { kind: "send", channel, variable: place.variable });
      const action = this.#value(builder.temporary, value, span, builder.operations);
      const middle = graph.newLocation();
      if (action) add(passed, middle, action);
      return add(middle, to, { kind: "send", channel, variable: builder.temporary });
    }
    if (communication?.kind === "receive") {
      const [pattern, more] = communication.pattern;
      const channel = this.#channel(communication.channel, span);
      if (pattern?.kind !== "store" || more || communication.keep)
        return this.#refuse(span, "a receive takes any message", "receive into a variable, and test that");
      if (channel !== undefined)
        add(passed, to, { kind: "receive", channel, variable: pattern.target.variable });
      return;
    }
    switch (effect?.kind) {
      case undefined:
        if (passed === from && edge.guard.kind === "always") add(from, to, { kind: "skip" });
        else graph.addJump(passed, to);
        return;
      case "assign": {
        const action = this.#assignment(effect.target, effect.value, span, builder.operations);
        if (action) add(passed, to, action);
        return;
      }
      case "run":
        if (effect.arguments.length > 0) this.#refuse(span, "a principal has no parameters");
        if (effect.target) this.#refuse(span, "the number of a process cannot be a message"); // sound: test/languages/promela/messages.test.ts
        return add(passed, to, { kind: "spawn", principal: effect.template });
      case "assert":
      case "set-priority":
      case "die":
        return this.#refuse(span, "a principal only computes, sends and receives");
    }
  }

  /** The location after the guard. */
  #guarded(
    guard: Guard,
    before: readonly Edge[],
    from: number,
    span: Span,
    add: (start: number, end: number, action: MessageAction) => void,
    { graph }: Builder,
  ): number {
    if (guard.kind === "always") return from;
    const conditions =
      guard.kind === "condition"
        ? [guard.condition]
        : before.map((other) => (other.guard.kind === "condition" ? other.guard.condition : undefined));
    const variables = new Set(conditions.flatMap((each) => (each ? variablesIn(each) : [])));
    const [variable, second] = variables;
    if (conditions.includes(undefined) || second !== undefined || variables.has(-1)) {
      this.#refuse(span, "a condition asks for one variable of the process", "ask for one after the other");
      return from;
    }
    const holds = (message: number): boolean => {
      const isTrue = conditions.some((each) => evaluate(known(each, "a condition"), message) !== 0);
      return guard.kind === "condition" ? isTrue : !isTrue;
    };
    if (variable === undefined) return holds(0) ? from : graph.newLocation();
    const passed = graph.newLocation();
    this.#names.forEach((_, message) => {
      if (holds(message)) add(from, passed, { kind: "assume", variable, message, isEqual: true });
    });
    return passed;
  }

  #assignment(target: Place, value: Expr, span: Span, operations: string[]): MessageAction | undefined {
    if (target.scope === "local" && target.path.length === 0)
      return this.#value(target.variable, value, span, operations);
    this.#refuse(span, "a principal writes its own variables alone");
    return undefined;
  }

  #value(target: number, value: Expr, span: Span, operations: string[]): MessageAction | undefined {
    const [source, second] = variablesIn(value);
    if (second !== undefined || source === -1) {
      this.#refuse(span, "a message is made of one other, or of none");
      return undefined;
    }
    const image = this.#names.map((_, message) => evaluate(value, message));
    if (image.some((message) => this.#names[message] === undefined)) {
      this.#refuse(span, "this is not always one of the messages");
      return undefined;
    }
    if (source === undefined) return { kind: "fresh", target, message: nth(image, 0) };
    if (placeIn(value)) return { kind: "apply", target, source, operation: -1, image };
    const text = this.#request.textOf(span).replace(/\s+/g, " ");
    const known = operations.indexOf(text);
    const operation = known < 0 ? operations.push(text) - 1 : known;
    return { kind: "apply", target, source, operation, image };
  }

  #channel(channel: Expr, span: Span): number | undefined {
    const place = channel.kind === "load" ? channel.place : undefined;
    const name = place?.scope === "global" ? nth(this.#program.globals, place.variable).name : "";
    const index = this.#request.channels.indexOf(name);
    if (index >= 0) return index;
    this.#refuse(span, "beside asynchronous channels there can be no others", "declare it with `async chan`");
    return undefined;
  }

  #refuse(span: Span, message: string, hint?: string): void {
    this.#report({
      code: "promela/not-message-passing",
      severity: "error",
      message: `with asynchronous channels this is not possible: ${message}`,
      span,
      ...(hint ? { hint } : {}),
    });
  }
}

interface Builder {
  readonly graph: FlowGraph;
  readonly places: readonly number[];
  /** A variable for messages created by the send itself. */
  readonly temporary: number;
  readonly operations: string[];
}

/** The process variable that an expression consists of, if any. */
const placeIn = (value: Expr): Place | undefined =>
  value.kind === "load" && value.place.scope === "local" && value.place.path.length === 0
    ? value.place
    : undefined;
