/** From declarations to the network: names resolved, types checked, handlers made runnable. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type {
  Network,
  NetworkClient,
  NetworkController,
  NetworkEvent,
  NetworkProperty,
  PacketShape,
  Reaction,
  ReceiveHandler,
} from "../../model/network.js";
import type * as ast from "./ast.js";
import { withErrors } from "./builtin-properties.js";
import { lowerAs, lowerExpression, resolveType } from "./expressions.js";
import { newEnv, outcomesOf, runHandler } from "./handlers.js";
import { chainsOf, lowerProperty } from "./properties.js";
import { checkReplies } from "./replies.js";
import { Scope, diagnostic, type Effect, type Field, type Shared } from "./scope.js";
import { checked, entryPoints, lowerBlock, lowerTemplate, type Run } from "./statements.js";
import { MOST_VISITED, resolveTopology } from "./topology.js";
import {
  BOOL,
  domainOf,
  isScalar,
  keyTuples,
  showValue,
  typeName,
  WRONG,
  type Type,
  type Value,
} from "./types.js";

export interface Lowered {
  readonly network: Network;
  /** Each client sends each packet at most so often: a bound that the file declares. */
  readonly sends: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function lowerSdn(
  declarations: readonly ast.Declaration[],
  defines: ReadonlyMap<string, string>,
  whole: Span,
): Lowered {
  const diagnostics: Diagnostic[] = [];
  const report: Shared["report"] = (code, message, span, hint) =>
    void diagnostics.push(diagnostic(code, message, span, hint));
  const only = <K extends ast.Declaration["kind"]>(
    kind: K,
    isNeeded: boolean,
  ): Extract<ast.Declaration, { kind: K }> | undefined => {
    const found = declarations.filter((d): d is Extract<ast.Declaration, { kind: K }> => d.kind === kind);
    const second = found[1];
    if (second && "span" in second)
      report("sdn/declared-twice", `there can be only one \`${kind}\``, second.span as Span);
    if (!found[0] && isNeeded) report("sdn/missing", `there is no \`${kind}\``, whole, MISSING[kind]);
    return found[0];
  };
  const netDeclaration = only("network", true) ?? {
    kind: "network",
    name: { text: "", span: whole },
    items: [],
    span: whole,
  };
  const packet = only("packet", true) ?? { kind: "packet", fields: [], tracksVisited: false, span: whole };
  const controller = only("controller", true);
  const topology = resolveTopology(netDeclaration, report);
  if (packet.tracksVisited && topology.switches.length > MOST_VISITED)
    report("sdn/too-large", `of at most ${MOST_VISITED} switches visits are tracked`, packet.span);
  const unfinished = {
    topology,
    types: new Map<string, Type>(),
    globals: new Map<string, { kind: "value"; value: Value; type: Type }>(),
    functions: new Map(),
    errors: [],
    report,
  };
  declareNodes(unfinished);
  const fields = lowerFields(declarations, packet, unfinished as unknown as Shared);
  const early: Omit<Shared, "shape"> = { ...unfinished, fields };
  const shape: PacketShape = {
    fields: fields.map(({ name, type, domain }) => ({
      name,
      values: domain.map((value) => showValue(value, type, topology)),
    })),
    tracksVisited: packet.tracksVisited,
    waypoints: chainsOf(declarations, early),
  };
  const shared: Shared = { ...early, shape };
  lowerConstants(declarations, defines, shared, whole);
  const lowered = lowerController(controller, shared, whole);
  const clients = lowerClients(declarations, shared);
  const events = declarations.flatMap((d) => (d.kind === "event" ? lowerEvent(d, shared) : []));
  const stated = declarations.flatMap((d) => (d.kind === "property" ? (lowerProperty(d, shared) ?? []) : []));
  reportSameNames(stated, report);
  return {
    network: {
      kind: "network",
      name: topology.name,
      switches: topology.switches.map(({ name, ports }) => ({ name: name.text, ports, span: name.span })),
      clients,
      links: topology.links,
      packet: shape,
      controller: lowered,
      events,
      properties: withErrors(stated, shared.errors.length > 0, whole),
      errors: shared.errors,
      span: netDeclaration.span,
    },
    sends: lowerOptions(declarations, report),
    diagnostics,
  };
}

const MISSING: Readonly<Partial<Record<ast.Declaration["kind"], string>>> = {
  network:
    'declare switches, clients and links in `network NAME { … }`, or import them with `topology "FILE.json";`',
  packet: "say what packets carry in `packet { FIELD: TYPE; … }`",
  controller:
    "say what happens to packets that no rule matches in `controller { on packetIn(p, sw, pt) { … } }`",
};

function reportSameNames(properties: readonly NetworkProperty[], report: Shared["report"]): void {
  properties.forEach(({ name, span }, i) => {
    if (properties.findIndex((other) => other.name === name) < i)
      report("sdn/declared-twice", `there are several properties '${name}'`, span!);
  });
}

function declareNodes({ topology, globals }: Pick<Shared, "topology" | "globals">): void {
  const { switchNames, clientNames } = topology;
  const value = (v: Value, type: Type) => ({ kind: "value", value: v, type }) as const;
  const clientValues = clientNames.map((_, i) => switchNames.length + i);
  switchNames.forEach((name, i) => globals.set(name, value(i, { kind: "node", of: "switch" })));
  clientNames.forEach((name, i) =>
    globals.set(name, value(clientValues[i]!, { kind: "node", of: "client" })),
  );
  const listOf = (of: "switch" | "client"): Type => ({ kind: "list", of: { kind: "node", of } });
  globals.set(
    "switches",
    value(
      switchNames.map((_, i) => i),
      listOf("switch"),
    ),
  );
  globals.set("clients", value(clientValues, listOf("client")));
}

function lowerFields(
  declarations: readonly ast.Declaration[],
  { fields }: ast.PacketDeclaration,
  shared: Shared,
): Field[] {
  for (const d of declarations)
    if (d.kind === "type") {
      if (shared.types.has(d.name.text))
        shared.report("sdn/declared-twice", `there are several types '${d.name.text}'`, d.name.span);
      shared.types.set(d.name.text, resolveType(d.type, shared));
    }
  return fields.flatMap(({ name, type: written }, i) => {
    const type = resolveType(written, shared);
    const domain = domainOf(type, shared.topology);
    if (
      ["port", "loc", "visited"].includes(name.text) ||
      fields.findIndex((f) => f.name.text === name.text) < i
    )
      shared.report("sdn/declared-twice", `packets have a '${name.text}' already`, name.span);
    if (!domain && type.kind !== "wrong")
      shared.report("sdn/wrong-type", `a packet field cannot be ${typeName(type)}`, written.span);
    return [{ name: name.text, type, domain: domain ?? [] }];
  });
}

/** `-D NAME=VALUE` replaces the value of a constant. */
function lowerConstants(
  declarations: readonly ast.Declaration[],
  defines: ReadonlyMap<string, string>,
  shared: Shared,
  whole: Span,
): void {
  for (const d of declarations) {
    if (d.kind !== "const") continue;
    const scope = new Scope(shared, "a constant", new Set());
    const code = lowerExpression(d.value, scope);
    if (shared.globals.has(d.name.text))
      shared.report("sdn/declared-twice", `'${d.name.text}' is declared twice`, d.name.span);
    const given = defines.get(d.name.text);
    const value =
      given === undefined ? code.run(newEnv([], undefined, undefined, () => 0)) : definedValue(given, shared);
    if (value === undefined)
      shared.report("sdn/bad-define", `-D ${d.name.text}=${given}: no such value`, d.name.span);
    shared.globals.set(d.name.text, { kind: "value", value: value ?? 0, type: code.type });
  }
  for (const name of defines.keys())
    if (!declarations.some((d) => d.kind === "const" && d.name.text === name))
      shared.report("sdn/bad-define", `-D ${name}: the file has no constant of that name`, whole);
}

function definedValue(text: string, { globals }: Shared): Value | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true" ? 1 : 0;
  const named = globals.get(text);
  return named?.kind === "value" ? named.value : undefined;
}

// ---- the controller -------------------------------------------------------------------------------

const PACKET_IN: ReadonlySet<Effect> = new Set(["reply", "command", "barrier", "assign", "read"]);
const ENVIRONMENT: ReadonlySet<Effect> = new Set(["command", "barrier", "emit", "choose", "assign", "read"]);
/** Functions do not answer packets, so that `packetIn` itself shows that it does so once. */
const FUNCTION = ENVIRONMENT;

function lowerController(
  declaration: ast.ControllerDeclaration | undefined,
  shared: Shared,
  whole: Span,
): NetworkController {
  const { report, topology } = shared;
  const { kappa, state = [], functions = [], packetIn, portDown, span = whole } = declaration ?? {};
  if (kappa && kappa.value < 1) report("sdn/bad-kappa", "kappa must be at least 1", kappa.span);
  const variables = state.map(({ name, type: written }, slot) => {
    const type = resolveType(written, shared);
    if (shared.globals.has(name.text))
      report("sdn/declared-twice", `'${name.text}' is declared twice`, name.span);
    shared.globals.set(name.text, { kind: "state", slot, type });
    return { name: name.text, type };
  });
  const initial = state.map(({ value }, i) => initialValue(value, variables[i]!.type, shared));
  for (const f of functions) lowerFunction(f, shared);
  if (declaration && !packetIn)
    report("sdn/missing", "the controller has no `on packetIn`", span, MISSING.controller);
  const handled = packetIn && lowerHandler(packetIn, PACKET_TYPES, "packetIn", PACKET_IN, shared);
  if (packetIn) checkReplies(packetIn.body, report);
  const told =
    portDown &&
    lowerHandler(
      portDown,
      PACKET_TYPES.slice(1),
      "portDown",
      new Set([...PACKET_IN].filter((e) => e !== "reply")),
      shared,
    );
  const react = (
    handler: typeof handled,
    given: readonly Value[],
    at: number,
    port: number,
    control: unknown,
  ): Reaction => {
    const env = newEnv(control as Value[], { switch: at, port }, undefined, () => 0);
    given.forEach((value, i) => (env.locals[i] = value));
    const error = handler ? runHandler(handler.run, env) : undefined;
    return { commands: env.commands, ports: env.ports ?? [], state: env.control, error };
  };
  return {
    kappa: kappa?.value ?? 1,
    initial,
    key: (control) => JSON.stringify(control),
    show: (control) =>
      variables.map(({ name, type }, i) => ({
        name,
        value: showValue((control as Value[])[i]!, type, topology),
      })),
    packetIn: (data, at, port, control) =>
      react(handled, [{ data, at: { kind: "switch", index: at, port } }, at, port], at, port, control),
    portDown: told && ((at, port, control) => react(told, [at, port], at, port, control)),
    portDownUsesBarriers: told?.effects.has("barrier") ?? false,
    span: packetIn?.span ?? span,
  };
}

const PACKET: Type = { kind: "packet" };
const PACKET_TYPES: readonly Type[] = [PACKET, { kind: "node", of: "switch" }, { kind: "port" }];

/** Parameters are the first locals. */
function lowerHandler(
  { parameters, body, span }: ast.Handler,
  types: readonly Type[],
  what: string,
  allowed: ReadonlySet<Effect>,
  shared: Shared,
): { readonly run: Run; readonly effects: ReadonlySet<Effect> } {
  if (parameters.length !== types.length)
    shared.report(
      "sdn/wrong-arguments",
      `\`${what}\` has ${types.length} parameters, not ${parameters.length}`,
      span,
    );
  const scope = new Scope(shared, `\`${what}\``, allowed);
  parameters.forEach(({ text, span: at }, i) => {
    const type = types[i] ?? WRONG;
    scope.declare(text, type, at, domainOf(type, shared.topology));
  });
  return { run: lowerBlock(body, scope), effects: scope.effects };
}

/** A map is total: one value for all its keys. */
function initialValue(value: ast.Expression, type: Type, shared: Shared): Value {
  const scope = new Scope(shared, "an initial value", new Set());
  const element = type.kind === "map" ? type.of : type;
  const code = checked(value, element, scope);
  if (type.kind === "map" && !isScalar(element) && element.kind !== "set")
    shared.report("sdn/wrong-type", `a map cannot hold ${typeName(element)}`, value.span);
  const initial = code.run(newEnv([], undefined, undefined, () => 0));
  return type.kind === "map" ? keyTuples(type.keys, shared.topology).map(() => initial) : initial;
}

function lowerFunction({ name, parameters, result, body }: ast.FunctionDeclaration, shared: Shared): void {
  const type = result ? resolveType(result, shared) : ({ kind: "void" } as const);
  const scope = new Scope(shared, "a function", FUNCTION, type);
  const types = parameters.map((parameter) => resolveType(parameter.type, shared));
  parameters.forEach(({ name: each }, i) => scope.declare(each.text, types[i]!, each.span));
  const run = lowerBlock(body, scope);
  if (shared.functions.has(name.text))
    shared.report("sdn/declared-twice", `there are several functions '${name.text}'`, name.span);
  shared.functions.set(name.text, {
    parameters: types,
    result: type,
    effects: scope.effects,
    call: (env, given) => {
      // The same run goes on with locals of its own: replies and changes of the state go back.
      const inner = { ...env, locals: [...given] };
      const returned = run(inner);
      env.control = inner.control;
      env.ports = inner.ports;
      return returned?.value ?? 0;
    },
  });
}

// ---- clients and events ---------------------------------------------------------------------------

function lowerClients(declarations: readonly ast.Declaration[], shared: Shared): NetworkClient[] {
  const { topology, report } = shared;
  const behaviours = declarations.filter((d) => d.kind === "behaviour");
  for (const { clients, group } of behaviours) {
    for (const { text, span } of clients)
      if (!topology.clientNames.includes(text))
        report("sdn/unknown-name", `there is no client '${text}'`, span);
    if (group && !topology.clients.some((client) => client.group === group.text))
      report("sdn/unknown-name", `no client is of kind '${group.text}'`, group.span);
  }
  return topology.clients.map(({ name, group }, index) => {
    const own = behaviours.filter((b) =>
      b.group ? b.group.text === group : b.clients.some(({ text }) => text === name.text),
    );
    const [first, second] = own.filter((b) => b.receive);
    if (second)
      report("sdn/declared-twice", `'${name.text}' has several handlers \`on receive\``, second.span);
    return {
      name: name.text,
      sends: own.flatMap((behaviour) => lowerSends(behaviour, index, shared)),
      receive: first?.receive && lowerReceive(first.receive, index, shared),
      span: name.span,
    };
  });
}

/** The same behaviour is looked at once for each client it is for: `self` differs. */
function asClient<T>(client: number, shared: Shared, make: () => T): T {
  const value = shared.topology.switchNames.length + client;
  shared.globals.set("self", { kind: "value", value, type: { kind: "node", of: "client" } });
  const made = make();
  shared.globals.delete("self");
  return made;
}

const lowerSends = (
  { sends }: ast.BehaviourDeclaration,
  client: number,
  shared: Shared,
): NetworkClient["sends"] =>
  asClient(client, shared, () =>
    sends.flatMap(({ template, to }) => {
      const packets = lowerTemplate(template, new Scope(shared, "a packet", new Set()));
      const points = entryPoints(client, to, shared, template.span);
      const env = newEnv([], undefined, client, () => 0);
      let all: ReturnType<typeof packets> = [];
      const failed = runHandler((inner) => void (all = packets(inner)), env);
      if (failed !== undefined)
        shared.report(
          "sdn/wrong-value",
          shared.errors[failed]!.message,
          template.span,
          "see the type of the field",
        );
      return points.flatMap(({ switch: at, port }) => all.map((data) => ({ switch: at, port, data })));
    }),
  );

const lowerReceive = (
  { packet, guard, body, span }: ast.ReceiveDeclaration,
  client: number,
  shared: Shared,
): ReceiveHandler =>
  asClient(client, shared, () => {
    const scope = new Scope(shared, "`receive`", ENVIRONMENT);
    const slot = scope.declare(packet.text, PACKET, packet.span);
    const test = guard && lowerAs(guard, BOOL, scope);
    const run = lowerBlock(body, scope);
    const touching: readonly Effect[] = ["command", "barrier", "assign", "read"];
    return {
      run: (data, port, control) => {
        const start = (locals: Value[]): void => {
          locals[slot] = { data, at: { kind: "client", index: client, port } };
        };
        const env = newEnv(control as Value[], undefined, client, () => 0);
        start(env.locals);
        if (test && test.run(env) === 0) return [];
        return outcomesOf(run, control, client, (inner) => start(inner.locals));
      },
      touchesController: touching.some((effect) => scope.effects.has(effect)),
      usesBarriers: scope.effects.has("barrier"),
      span,
    };
  });

/** One event for each combination of parameters. */
function lowerEvent(
  { name, parameters, guard, body, span }: ast.EventDeclaration,
  shared: Shared,
): NetworkEvent[] {
  const types = parameters.map(({ type, name: each }) => {
    const resolved = resolveType(type, shared);
    if (!domainOf(resolved, shared.topology) && resolved.kind !== "wrong")
      shared.report("sdn/wrong-type", `a parameter of an event cannot be ${typeName(resolved)}`, each.span);
    return resolved;
  });
  if (types.some((type) => !domainOf(type, shared.topology))) return [];
  const scope = new Scope(shared, "an event", ENVIRONMENT);
  parameters.forEach(({ name: each }, i) =>
    scope.declare(each.text, types[i]!, each.span, domainOf(types[i]!, shared.topology)),
  );
  const test = guard && lowerExpression(guard, scope);
  const run = lowerBlock(body, scope);
  return keyTuples(types, shared.topology).map((values) => {
    const label = values.map((value, i) => showValue(value, types[i]!, shared.topology)).join(", ");
    return {
      name: name.text,
      run: (control) => {
        const start = (locals: Value[]): void => values.forEach((value, i) => (locals[i] = value));
        const env = newEnv(control as Value[], undefined, undefined, () => 0);
        start(env.locals);
        if (test && test.run(env) === 0) return [];
        return outcomesOf(run, control, undefined, (inner) => start(inner.locals), label);
      },
      usesBarriers: scope.effects.has("barrier"),
      span,
    };
  });
}

function lowerOptions(
  declarations: readonly ast.Declaration[],
  report: Shared["report"],
): number | undefined {
  let sends: number | undefined;
  for (const d of declarations)
    if (d.kind === "options")
      for (const { name, value, span } of d.options) {
        if (name.text === "sends" && typeof value === "number" && value > 0) sends = value;
        else if (name.text === "sends") report("sdn/bad-option", "`sends` takes a number from 1", span);
        else report("sdn/bad-option", `there is no option '${name.text}'`, name.span, "there is: sends");
      }
  return sends;
}
