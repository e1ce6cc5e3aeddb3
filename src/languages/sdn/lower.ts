/** Lowers declarations to a network: resolves names, checks types, compiles handlers. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import type { BarrierMeaning, Network, NetworkProperty, PacketShape } from "../../model/network.js";
import type * as ast from "./ast.js";
import { withErrors } from "./builtin-properties.js";
import { lowerExpression } from "./expressions.js";
import { parseExpression } from "./front.js";
import { newEnv } from "./handlers.js";
import { CONTROLLER_HINT, lowerController } from "./lower-controller.js";
import { lowerClients, lowerEvent } from "./lower-environment.js";
import { chainsOf, formulasOf, lowerCondition, lowerProperty, type WrittenFormula } from "./properties.js";
import { Scope, diagnostic, type Field, type Shared } from "./scope.js";
import { MOST_VISITED, resolveTopology } from "./topology.js";
import { resolveType } from "./type-expressions.js";
import { domainOf, showValue, typeName, type Type, type Value } from "./types.js";

export interface Lowered {
  readonly network: Network;
  /** Most times that a client sends each packet; a bound that the file declares. */
  readonly sends: number | undefined;
  readonly formulas: readonly WrittenFormula[];
  /** The meaning of another condition on states: a property of that name, or what is wrong with it. */
  readonly conditionOf: ConditionReader;
  readonly diagnostics: readonly Diagnostic[];
}

export type ConditionReader = (
  name: string,
  text: string,
  span: Span,
) => NetworkProperty | readonly Diagnostic[];

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
  const { sends, barriers = "openflow" } = lowerOptions(declarations, report);
  const lowered = lowerController(controller, shared, whole, barriers);
  const clients = lowerClients(declarations, shared);
  const events = declarations.flatMap((d) => (d.kind === "event" ? lowerEvent(d, shared) : []));
  const stated = declarations.flatMap((d) => (d.kind === "property" ? (lowerProperty(d, shared) ?? []) : []));
  reportSameNames(
    declarations.flatMap((d) => (d.kind === "property" ? [{ name: d.name.text, span: d.span }] : [])),
    report,
  );
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
    sends,
    formulas: formulasOf(declarations),
    conditionOf: (name, text, span) => {
      const found: Diagnostic[] = [];
      const parsed = parseExpression(text, span, (one) => void found.push(one));
      const quoting: Shared = {
        ...shared,
        report: (code, message, at, hint) => void found.push(diagnostic(code, message, at, hint)),
      };
      const lowered = parsed && lowerCondition(name, parsed, quoting);
      return lowered && found.length === 0 ? lowered : found;
    },
    diagnostics,
  };
}

const MISSING: Readonly<Partial<Record<ast.Declaration["kind"], string>>> = {
  network:
    'declare switches, clients and links in `network NAME { … }`, or import them with `topology "FILE.json";`',
  packet: "say what packets carry in `packet { FIELD: TYPE; … }`",
  controller: CONTROLLER_HINT,
};

function reportSameNames(
  properties: readonly { readonly name: string; readonly span: Span }[],
  report: Shared["report"],
): void {
  properties.forEach(({ name, span }, i) => {
    if (properties.findIndex((other) => other.name === name) < i)
      report("sdn/declared-twice", `there are several properties '${name}'`, span);
  });
}

function declareNodes({ topology, globals }: Pick<Shared, "topology" | "globals">): void {
  const { switchNames, clientNames } = topology;
  const value = (v: Value, type: Type) => ({ kind: "value", value: v, type }) as const;
  const clientValues = clientNames.map((_, i) => switchNames.length + i);
  switchNames.forEach((name, i) => globals.set(name, value(i, { kind: "node", of: "switch" })));
  clientNames.forEach((name, i) =>
    globals.set(name, value(nth(clientValues, i), { kind: "node", of: "client" })),
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

function lowerOptions(
  declarations: readonly ast.Declaration[],
  report: Shared["report"],
): { readonly sends?: number; readonly barriers?: BarrierMeaning } {
  const found: { sends?: number; barriers?: BarrierMeaning } = {};
  for (const d of declarations)
    if (d.kind === "options")
      for (const { name, value, span } of d.options) {
        if (name.text === "sends" && typeof value === "number" && value > 0) found.sends = value;
        else if (name.text === "sends") report("sdn/bad-option", "`sends` takes a number from 1", span);
        else if (name.text === "barriers" && (value === "openflow" || value === "published"))
          found.barriers = value;
        else if (name.text === "barriers")
          report("sdn/bad-option", "`barriers` takes `openflow` or `published`", span);
        else
          report(
            "sdn/bad-option",
            `there is no option '${name.text}'`,
            name.span,
            "there are: sends, barriers",
          );
      }
  return found;
}
