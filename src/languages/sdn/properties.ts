/** Lowers properties, and determines the parts of the state that each reads, on which reductions depend. */
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import type { NetworkProperty, PacketEvent, PacketShape, Place, PropertyCheck } from "../../model/network.js";
import type * as ast from "./ast.js";
import * as builtin from "./builtin-properties.js";
import { lowerAs, lowerExpression } from "./expressions.js";
import { conditionEnv } from "./handlers.js";
import { Scope, type Shared } from "./scope.js";
import { BOOL, type Type, type Value } from "./types.js";

export function lowerProperty(
  declaration: ast.PropertyDeclaration,
  shared: Shared,
): NetworkProperty | undefined {
  const { claim } = declaration;
  switch (claim.kind) {
    case "always":
      return lowerAlways(declaration, claim.condition, shared);
    case "never":
      return lowerNever(declaration, claim, shared);
    case "builtin":
      return lowerBuiltin(declaration, claim, shared);
    case "ltl":
      return undefined; // a formula: `formulasOf`
  }
}

/** A temporal formula as it is written, with its place. Conditions are in single quotes. */
export interface WrittenFormula {
  readonly name: string;
  readonly text: string;
  readonly span: Span;
}

export const formulasOf = (declarations: readonly ast.Declaration[]): readonly WrittenFormula[] =>
  declarations.flatMap((d) =>
    d.kind === "property" && d.claim.kind === "ltl"
      ? [
          {
            name: d.name.text,
            text: d.claim.formula.text.replaceAll("'", '"'),
            span: inside(d.claim.formula),
          },
        ]
      : [],
  );

/** Without the quotes. */
const inside = ({ span }: ast.Name): Span => ({ ...span, start: span.start + 1, end: span.end - 1 });

/** A condition on states, with what it reads. */
export const lowerCondition = (name: string, condition: ast.Expression, shared: Shared): NetworkProperty =>
  lowerAlways({ name: { text: name, span: condition.span }, span: condition.span }, condition, shared);

const QUESTION = new Set(["read"] as const);

const newScope = (shared: Shared): Scope => new Scope(shared, "a property", QUESTION);

function lowerAlways(
  { name, span }: Pick<ast.PropertyDeclaration, "name" | "span">,
  condition: ast.Expression,
  shared: Shared,
): NetworkProperty {
  const scope = newScope(shared);
  const quantifiers = packetQuantifiers(condition);
  const code = lowerAs(condition, BOOL, scope);
  const about = {
    tables: mentions(condition, "installed"),
    control: scope.effects.has("read"),
    switchPackets: quantifiers.some(({ over }) => over.at !== "clients"),
    clientPackets: quantifiers.some(({ over }) => over.at !== "switches"),
    isUpwardClosed: quantifiers.every(({ isUniversal }) => isUniversal),
  };
  const common = { name: name.text, kind: "invariant", span } as const;
  const simple = simpleRegion(condition);
  if (simple && !about.tables) {
    const inner = newScope(shared);
    const slot = inner.declare(simple.name.text, { kind: "packet" }, simple.span);
    const body = lowerExpression(simple.body, inner);
    const check: PropertyCheck = {
      form: "packets",
      region: simple.region,
      holds: (data, at, control) => {
        const env = conditionEnv(control as Value[]);
        env.locals[slot] = { data, at };
        return body.run(env) !== 0;
      },
    };
    return { ...common, check, observes: { ...about, relatesPackets: false } };
  }
  const check: PropertyCheck = {
    form: "state",
    holds: (view) => code.run({ ...conditionEnv(view.control as Value[]), view }) !== 0,
  };
  return { ...common, check, observes: { ...about, relatesPackets: quantifiers.length > 0 } };
}

/** Matches `forall p: packets at … . ψ` without packets in ψ: each packet is judged separately. */
function simpleRegion(condition: ast.Expression) {
  if (condition.kind !== "quantifier" || condition.quantifier !== "forall") return undefined;
  const { over, body, name, span } = condition;
  if (over.kind !== "packets" || typeof over.at !== "string" || packetQuantifiers(body).length > 0)
    return undefined;
  return { region: over.at, body, name, span };
}

interface Quantified {
  readonly over: ast.RegionExpression;
  /** Monotone: adding packets cannot make it true. */
  readonly isUniversal: boolean;
}

function packetQuantifiers(expression: ast.Expression, isPositive = true): Quantified[] {
  const inside = (e: ast.Expression, sign = isPositive): Quantified[] => packetQuantifiers(e, sign);
  switch (expression.kind) {
    case "quantifier": {
      const within = inside(expression.body);
      if (expression.over.kind !== "packets") return within;
      return [
        { over: expression.over, isUniversal: (expression.quantifier === "forall") === isPositive },
        ...within,
      ];
    }
    case "not":
      return inside(expression.of, !isPositive);
    case "binary": {
      const { operator, left, right } = expression;
      if (operator === "->") return [...inside(left, !isPositive), ...inside(right)];
      const both = [...inside(left), ...inside(right)];
      // Under a comparison a condition occurs with both polarities.
      const isBoth = operator !== "&&" && operator !== "||";
      return isBoth ? both.map((q) => ({ ...q, isUniversal: false })) : both;
    }
    case "conditional":
      return [
        ...inside(expression.test).map((q) => ({ ...q, isUniversal: false })),
        ...inside(expression.then),
        ...inside(expression.otherwise),
      ];
    case "call":
      return expression.arguments.flatMap((e) => inside(e).map((q) => ({ ...q, isUniversal: false })));
    case "list":
      return expression.items.flatMap((e) => inside(e).map((q) => ({ ...q, isUniversal: false })));
    case "member":
      return inside(expression.of);
    case "index":
      return [expression.of, ...expression.indices].flatMap((e) =>
        inside(e).map((q) => ({ ...q, isUniversal: false })),
      );
    case "rule":
    case "int":
    case "bool":
    case "none":
    case "name":
      return [];
  }
}

function mentions(expression: ast.Expression, called: string): boolean {
  let found = false;
  JSON.stringify(expression, (key, value: unknown) => {
    if (key === "span") return undefined;
    const call = value as Partial<ast.CallExpression> | null;
    if (typeof value === "object" && call?.kind === "call" && call.name?.text === called) found = true;
    return value;
  });
  return found;
}

// ---- events -------------------------------------------------------------------------------------

const EVENTS: ReadonlyMap<string, readonly Type[]> = new Map([
  ["dropped", [{ kind: "packet" }]],
  ["forwarded", [{ kind: "packet" }]],
  ["received", [{ kind: "packet" }, { kind: "node", of: "client" }]],
  ["packetIn", [{ kind: "packet" }]],
  ["ambiguous", []],
]);

function lowerNever(
  { name, span }: ast.PropertyDeclaration,
  { event, parameters, isAtExecution, condition }: Extract<ast.Claim, { kind: "never" }>,
  shared: Shared,
): NetworkProperty | undefined {
  const types = EVENTS.get(event.text);
  if (!types) {
    const hint = `one of: ${[...EVENTS.keys()].join(", ")}`;
    shared.report("sdn/unknown-event", `nothing like '${event.text}' ever happens`, event.span, hint);
    return undefined;
  }
  if (types.length !== parameters.length)
    shared.report("sdn/wrong-arguments", `'${event.text}' has ${types.length} parameters`, event.span);
  const scope = newScope(shared);
  const slots = parameters.map(({ text, span: at }, i) => scope.declare(text, types[i] ?? BOOL, at));
  const code = lowerAs(condition, BOOL, scope);
  if (packetQuantifiers(condition).length > 0 || mentions(condition, "installed"))
    shared.report(
      "sdn/not-here",
      "an event is judged by its packet and the controller's state alone",
      condition.span,
    );
  const switches = shared.topology.switchNames.length;
  return builtin.eventProperty(
    { name: name.text, span },
    {
      events: [event.text as PacketEvent],
      readsControl: scope.effects.has("read"),
      moment: isAtExecution ? "execution" : "decision",
      isBad: (data, at, control) => {
        const env = conditionEnv(control as Value[]);
        const values: Value[] = [{ data, at }, switches + at.index];
        slots.forEach((slot, i) => (env.locals[slot] = nth(values, i)));
        return code.run(env) !== 0;
      },
    },
  );
}

// ---- built in -----------------------------------------------------------------------------------

function lowerBuiltin(
  { name, span }: ast.PropertyDeclaration,
  { name: called, arguments: given }: Extract<ast.Claim, { kind: "builtin" }>,
  shared: Shared,
): NetworkProperty | undefined {
  const wanted = ARGUMENTS[called.text];
  if (wanted === undefined) {
    const hint = `built in are: ${Object.keys(ARGUMENTS).join(", ")}`;
    shared.report(
      "sdn/unknown-property",
      `there is no built-in property '${called.text}'`,
      called.span,
      hint,
    );
    return undefined;
  }
  if (given.length !== wanted) {
    shared.report(
      "sdn/wrong-arguments",
      `'${called.text}' takes ${wanted} arguments, not ${given.length}`,
      called.span,
    );
    return undefined;
  }
  const named = { name: name.text, span };
  switch (called.text) {
    case "noForwardingLoop": {
      const loops = builtin.noForwardingLoop(named, shared.shape);
      if (!loops)
        shared.report(
          "sdn/needs-visited",
          "forwarding loops are detected only if packets track visits",
          span,
          "add `visited;` to the packet",
        );
      return loops;
    }
    case "noBlackHole":
      return builtin.noBlackHole(named);
    case "noAmbiguousMatch":
      return builtin.noAmbiguousMatch(named);
    case "noUnhandledPacketIn":
      return builtin.noErrors(named);
    case "waypoint": {
      const [to] = nodesIn(nth(given, 0), shared);
      return to && builtin.waypoint(named, shared.shape, to, waypointsOf(nth(given, 1), shared));
    }
    default: {
      const [from = [], to = []] = given.map((e) => nodesIn(e, shared).map(({ index }) => index));
      const source = shared.fields.findIndex(({ name: field }) => field === "src");
      if (source < 0 || nth(shared.fields, source).type.kind !== "node") {
        shared.report("sdn/missing-field", "`isolated` needs a packet field `src: client`", called.span);
        return undefined;
      }
      return builtin.isolated(named, source, from, to);
    }
  }
}

const ARGUMENTS: Readonly<Partial<Record<string, number>>> = {
  noForwardingLoop: 0,
  noBlackHole: 0,
  noAmbiguousMatch: 0,
  noUnhandledPacketIn: 0,
  waypoint: 2,
  isolated: 2,
};

/** Chains of all `waypoint` properties; packets count their progress in each. */
export function chainsOf(
  declarations: readonly ast.Declaration[],
  shared: Omit<Shared, "shape">,
): PacketShape["waypoints"] {
  const quiet = {
    ...shared,
    report: () => undefined,
    shape: { fields: [], tracksVisited: false, waypoints: [] },
  };
  const chains = declarations.flatMap((d) =>
    d.kind === "property" &&
    d.claim.kind === "builtin" &&
    d.claim.name.text === "waypoint" &&
    d.claim.arguments.length === 2
      ? [waypointsOf(nth(d.claim.arguments, 1), quiet)]
      : [],
  );
  return chains.filter((chain, i) => chains.findIndex((other) => builtin.isSameChain(other, chain)) === i);
}

const waypointsOf = (expression: ast.Expression, shared: Shared): readonly Place[] =>
  nodesIn(expression, shared);

function nodesIn(expression: ast.Expression, shared: Shared): readonly Place[] {
  const items = expression.kind === "list" ? expression.items : [expression];
  const switches = shared.topology.switchNames.length;
  return items.flatMap((item): Place[] => {
    const value = lowerAs(item, { kind: "node", of: "any" }, newScope(shared)).run(conditionEnv([]));
    const list = typeof value === "number" ? [value] : (value as readonly number[]);
    return list.map((node) =>
      node < switches ? { kind: "switch", index: node } : { kind: "client", index: node - switches },
    );
  });
}
