/** Expressions: what they mean, whether they make sense, and code that computes them. */
import type { Span } from "../../model/diagnostic.js";
import { visitedWord, type Region, type Rule } from "../../model/network.js";
import type * as ast from "./ast.js";
import { builtinOf, type Builtin } from "./builtins.js";
import { Failure, wrongType, type Code, type Env, type Scope, type Shared } from "./scope.js";
import { resolveType } from "./type-expressions.js";
import {
  BOOL,
  INT,
  NONE,
  WRONG,
  domainOf,
  fits,
  isComparable,
  typeName,
  type PacketValue,
  type Type,
  type Value,
} from "./types.js";

export function lowerExpression(expression: ast.Expression, scope: Scope): Code {
  switch (expression.kind) {
    case "int":
      return constant(INT, expression.value);
    case "bool":
      return constant(BOOL, expression.value ? 1 : 0);
    case "none":
      return constant({ kind: "none" }, NONE);
    case "name":
      return lowerName(expression.name, scope);
    case "call":
      return lowerCall(expression, scope);
    case "list":
      return lowerList(expression.items, scope);
    case "member":
      return lowerMember(expression, scope);
    case "index":
      return lowerIndex(expression, scope);
    case "not": {
      const of = lowerAs(expression.of, BOOL, scope);
      return { type: BOOL, run: (env) => (of.run(env) === 0 ? 1 : 0) };
    }
    case "binary":
      return lowerBinary(expression, scope);
    case "conditional": {
      const test = lowerAs(expression.test, BOOL, scope);
      const then = lowerExpression(expression.then, scope);
      const otherwise = lowerAs(
        expression.otherwise,
        then.type.kind === "none" ? undefined : then.type,
        scope,
      );
      const type = then.type.kind === "none" ? otherwise.type : then.type;
      return { type, run: (env) => (test.run(env) === 0 ? otherwise.run(env) : then.run(env)) };
    }
    case "rule":
      return lowerRule(expression, scope);
    case "quantifier":
      return lowerQuantifier(expression, scope);
  }
}

/** Of a certain type; undefined: of any. */
export function lowerAs(expression: ast.Expression, wanted: Type | undefined, scope: Scope): Code {
  const code = lowerExpression(expression, scope);
  if (!wanted || fits(code.type, wanted)) return code;
  wrongType(scope.shared, expression.span, typeName(wanted), code.type);
  return { ...code, type: WRONG };
}

const constant = (type: Type, value: Value): Code => ({ type, run: () => value });

/** The values that an expression (or the items of a list) can have, where that is plain to see. */
export function possibleValues(expression: ast.Expression, scope: Scope): readonly number[] | undefined {
  const all = (parts: readonly ast.Expression[]): readonly number[] | undefined => {
    const found = parts.map((part) => possibleValues(part, scope));
    return found.every((values) => values !== undefined) ? found.flat() : undefined;
  };
  switch (expression.kind) {
    case "int":
      return [expression.value];
    case "bool":
      return [expression.value ? 1 : 0];
    case "list":
      return all(expression.items);
    case "conditional":
      return all([expression.then, expression.otherwise]);
    case "name": {
      const meaning = scope.find(expression.name.text);
      if (meaning?.kind === "local") return meaning.values;
      const value = meaning?.kind === "value" ? meaning.value : undefined;
      return typeof value === "number" ? [value] : Array.isArray(value) ? (value as number[]) : undefined;
    }
    case "member":
      return scope.shared.fields.find(({ name }) => name === expression.name.text)?.domain;
    case "call":
      return expression.name.text === "contacts"
        ? domainOf({ kind: "node", of: "client" }, scope.shared.topology)
        : undefined;
    default:
      return undefined;
  }
}

/** The number of the place at which it fails if it is outside the domain; -1 where that cannot be. */
export function failureOutside(
  domain: readonly number[],
  expressions: readonly ast.Expression[],
  message: string,
  span: Span,
  scope: Scope,
): number {
  const isSure = expressions.every((e) => possibleValues(e, scope)?.every((value) => domain.includes(value)));
  return isSure ? -1 : scope.failure(message, span);
}

function lowerName({ text, span }: ast.Name, scope: Scope): Code {
  const meaning = scope.find(text);
  switch (meaning?.kind) {
    case "local":
      return { type: meaning.type, run: (env) => env.locals[meaning.slot]! };
    case "state":
      scope.use("read", span, "looking at the controller's state");
      return { type: meaning.type, run: (env) => env.control[meaning.slot]! };
    case "value":
      return constant(meaning.type, meaning.value);
    case undefined:
      scope.shared.report("sdn/unknown-name", `nothing is called '${text}'`, span);
      return constant(WRONG, 0);
  }
}

function lowerCall({ name, arguments: given, span }: ast.CallExpression, scope: Scope): Code {
  const builtin = builtinOf(name.text);
  if (builtin) return lowerBuiltin(builtin, name, given, span, scope);
  const known = scope.shared.functions.get(name.text);
  const values = given.map((each, i) => lowerAs(each, known?.parameters[i], scope));
  if (!known) {
    const hint = "functions are declared in the controller, before they are used";
    scope.shared.report("sdn/unknown-function", `there is no function '${name.text}'`, name.span, hint);
    return constant(WRONG, 0);
  }
  if (values.length !== known.parameters.length)
    wrongCount(scope.shared, name.text, known.parameters.length, values.length, span);
  for (const effect of known.effects) scope.use(effect, span, `calling '${name.text}'`);
  return {
    type: known.result,
    run: (env) =>
      known.call(
        env,
        values.map((value) => value.run(env)),
      ),
  };
}

function lowerBuiltin(
  builtin: Builtin,
  name: ast.Name,
  given: readonly ast.Expression[],
  span: Span,
  scope: Scope,
): Code {
  const { shared } = scope;
  const values = given.map((each, i) => lowerAs(each, builtin.parameters[i], scope));
  const wanted = builtin.parameters.length;
  if (values.length !== wanted) wrongCount(shared, name.text, wanted, values.length, span);
  if (builtin.isForProperties && scope.what !== "a property")
    shared.report("sdn/not-here", `\`${name.text}\` is for properties alone`, span);
  return {
    type: builtin.result,
    run: (env) =>
      builtin.run(
        shared.topology,
        values.map((value) => value.run(env)),
        env,
      ),
  };
}

function wrongCount(shared: Shared, name: string, wanted: number, found: number, span: Span): void {
  shared.report("sdn/wrong-arguments", `'${name}' takes ${wanted} arguments, not ${found}`, span);
}

function lowerList(items: readonly ast.Expression[], scope: Scope): Code {
  const [first, ...rest] = items;
  const head = first && lowerExpression(first, scope);
  const all = head ? [head, ...rest.map((item) => lowerAs(item, head.type, scope))] : [];
  return { type: { kind: "list", of: head?.type ?? WRONG }, run: (env) => all.map((item) => item.run(env)) };
}

function lowerMember({ of, name, span }: Extract<ast.Expression, { kind: "member" }>, scope: Scope): Code {
  const { shared } = scope;
  const base = lowerExpression(of, scope);
  const switches = shared.topology.switchNames.length;
  const packet = (env: Env): PacketValue => base.run(env) as PacketValue;
  if (base.type.kind === "location") {
    if (name.text === "port") return { type: { kind: "port" }, run: (env) => packet(env).at.port };
    if (name.text === "node")
      return {
        type: { kind: "node", of: "any" },
        run: (env) => packet(env).at.index + (packet(env).at.kind === "client" ? switches : 0),
      };
  }
  if (base.type.kind === "packet") {
    if (name.text === "loc") return { type: { kind: "location" }, run: base.run };
    if (name.text === "visited" && shared.shape.tracksVisited)
      return { type: { kind: "visited" }, run: base.run };
    const position = shared.fields.findIndex((field) => field.name === name.text);
    if (position >= 0) {
      const { type, domain } = shared.fields[position]!;
      return { type, run: (env) => domain[packet(env).data[position]!]! };
    }
  }
  if (base.type.kind !== "wrong")
    shared.report("sdn/no-such-field", `${typeName(base.type)} has no '${name.text}'`, span);
  return constant(WRONG, 0);
}

function lowerIndex({ of, indices, span }: Extract<ast.Expression, { kind: "index" }>, scope: Scope): Code {
  const base = lowerExpression(of, scope);
  if (base.type.kind === "visited") {
    const at = lowerAs(indices[0]!, { kind: "node", of: "any" }, scope);
    const word = visitedWord(scope.shared.shape);
    const switches = scope.shared.topology.switchNames.length;
    return {
      type: BOOL,
      run: (env) => {
        const node = at.run(env) as number;
        return node < switches ? ((base.run(env) as PacketValue).data[word]! >> node) & 1 : 0;
      },
    };
  }
  if (base.type.kind !== "map") {
    if (base.type.kind !== "wrong") wrongType(scope.shared, span, "a map", base.type);
    return constant(WRONG, 0);
  }
  const position = lowerKeys(indices, base.type, span, scope);
  return { type: base.type.of, run: (env) => (base.run(env) as readonly Value[])[position(env)]! };
}

/** The position of a map's value. */
export function lowerKeys(
  indices: readonly ast.Expression[],
  type: Extract<Type, { kind: "map" }>,
  span: Span,
  scope: Scope,
): (env: Env) => number {
  const { shared } = scope;
  if (indices.length !== type.keys.length)
    shared.report("sdn/wrong-arguments", `the map has ${type.keys.length} keys, not ${indices.length}`, span);
  const codes = indices.map((index, i) => lowerAs(index, type.keys[i], scope));
  const domains = type.keys.map((key) => domainOf(key, shared.topology) ?? []);
  const places = indices.map((index, i) =>
    failureOutside(domains[i] ?? [], [index], "a map has no such key", span, scope),
  );
  return (env) =>
    codes.reduce((position, code, i) => {
      const found = domains[i]!.indexOf(code.run(env) as number);
      if (found < 0) throw new Failure(places[i]!);
      return position * domains[i]!.length + found;
    }, 0);
}

function lowerBinary({ operator, left, right, span }: ast.BinaryExpression, scope: Scope): Code {
  switch (operator) {
    case "->":
    case "||":
    case "&&": {
      const a = lowerAs(left, BOOL, scope);
      const b = lowerAs(right, BOOL, scope);
      const isDecided = operator === "&&" ? 0 : 1;
      const first = operator === "->" ? (env: Env) => 1 - (a.run(env) as number) : a.run;
      return { type: BOOL, run: (env) => (first(env) === isDecided ? isDecided : b.run(env)) };
    }
    case "==":
    case "!=":
      return lowerEquality(operator, left, right, span, scope);
    case "in": {
      const b = lowerExpression(right, scope);
      const element = b.type.kind === "set" || b.type.kind === "list" ? b.type.of : WRONG;
      if (element === WRONG && b.type.kind !== "wrong" && b.type.kind !== "list")
        wrongType(scope.shared, right.span, "a set or a list", b.type);
      const a = lowerAs(left, element, scope);
      return { type: BOOL, run: (env) => ((b.run(env) as readonly Value[]).includes(a.run(env)) ? 1 : 0) };
    }
    case "+":
    case "-":
      return lowerSum(operator, left, right, scope);
    default: {
      const a = lowerAs(left, INT, scope);
      const b = lowerAs(right, INT, scope);
      const isSo = COMPARISONS[operator];
      return { type: BOOL, run: (env) => (isSo(a.run(env) as number, b.run(env) as number) ? 1 : 0) };
    }
  }
}

const COMPARISONS = {
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;

function lowerEquality(
  operator: "==" | "!=",
  left: ast.Expression,
  right: ast.Expression,
  span: Span,
  scope: Scope,
): Code {
  const a = lowerExpression(left, scope);
  const b = lowerExpression(right, scope);
  if (!isComparable(a.type, b.type))
    scope.shared.report(
      "sdn/wrong-type",
      `${typeName(a.type)} is never equal to ${typeName(b.type)}`,
      span,
      "both sides must be of the same type",
    );
  const isEqual = operator === "==" ? 1 : 0;
  return {
    type: BOOL,
    run: (env) => (JSON.stringify(a.run(env)) === JSON.stringify(b.run(env)) ? isEqual : 1 - isEqual),
  };
}

/** Numbers are added; to a set, an element is. */
function lowerSum(operator: "+" | "-", left: ast.Expression, right: ast.Expression, scope: Scope): Code {
  const a = lowerExpression(left, scope);
  if (a.type.kind === "set" || a.type.kind === "list") {
    const b = lowerAs(right, a.type.of, scope);
    return {
      type: a.type,
      run: (env) => {
        const rest = (a.run(env) as readonly number[]).filter((item) => item !== b.run(env));
        return operator === "-" ? rest : [...rest, b.run(env) as number].sort((x, y) => x - y);
      },
    };
  }
  if (!fits(a.type, INT)) wrongType(scope.shared, left.span, "a number or a set", a.type);
  const b = lowerAs(right, INT, scope);
  const sign = operator === "+" ? 1 : -1;
  return { type: INT, run: (env) => (a.run(env) as number) + sign * (b.run(env) as number) };
}

function lowerRule({ priority, pattern, ports, expires, span }: ast.RuleExpression, scope: Scope): Code {
  const { shared } = scope;
  const level = lowerAs(priority, INT, scope);
  const out = lowerAs(ports, { kind: "list", of: { kind: "port" } }, scope);
  const matched = pattern.map(({ name, value }) => {
    if (name.text === "port")
      return { position: -1, code: lowerAs(value, { kind: "port" }, scope), domain: [], place: -1 };
    const position = shared.fields.findIndex((field) => field.name === name.text);
    const field = shared.fields[position];
    if (!field)
      shared.report(
        "sdn/no-such-field",
        `packets have no field '${name.text}'`,
        name.span,
        "a rule matches on fields of packets, and on `port`, through which they came",
      );
    const domain = field?.domain ?? [];
    const place = failureOutside(
      domain,
      [value],
      "a rule matches on a value that no packet has",
      span,
      scope,
    );
    return { position, code: lowerAs(value, field?.type, scope), domain, place };
  });
  return {
    type: { kind: "rule" },
    run: (env): Rule => {
      const fields: (number | undefined)[] = shared.fields.map(() => undefined);
      let port: number | undefined;
      for (const { position, code, domain, place } of matched) {
        const value = code.run(env) as number;
        if (position < 0) port = value;
        else {
          fields[position] = domain.indexOf(value);
          if (fields[position] < 0) throw new Failure(place);
        }
      }
      return {
        priority: level.run(env) as number,
        fields,
        port,
        ports: out.run(env) as readonly number[],
        expires,
      };
    },
  };
}

function lowerQuantifier(
  { quantifier, name, over, body, span }: ast.QuantifierExpression,
  scope: Scope,
): Code {
  return scope.inner(() => {
    const items = over.kind === "packets" ? lowerRegion(over, scope) : lowerDomain(over, scope);
    const values = over.kind === "packets" ? undefined : domainOf(items.type, scope.shared.topology);
    const slot = scope.declare(name.text, items.type, span, values);
    const condition = lowerAs(body, BOOL, scope);
    const isDecided = quantifier === "forall" ? 0 : 1;
    return {
      type: BOOL,
      run: (env) => {
        for (const item of items.run(env)) {
          env.locals[slot] = item;
          if (condition.run(env) === isDecided) return isDecided;
        }
        return 1 - isDecided;
      },
    };
  });
}

interface Items {
  readonly type: Type;
  run(env: Env): readonly Value[];
}

function lowerDomain(over: ast.TypeExpression, scope: Scope): Items {
  const type = resolveType(over, scope.shared);
  const domain = domainOf(type, scope.shared.topology);
  if (!domain && type.kind !== "wrong") wrongType(scope.shared, over.span, "a type with few values", type);
  return { type, run: () => domain ?? [] };
}

function lowerRegion({ at, span }: ast.RegionExpression, scope: Scope): Items {
  const code = typeof at === "string" ? undefined : lowerAs(at, { kind: "node", of: "any" }, scope);
  const switches = scope.shared.topology.switchNames.length;
  if (scope.what !== "a property")
    scope.shared.report("sdn/not-here", "`packets` is for properties alone", span);
  const regionOf = (env: Env): Region => {
    if (typeof at === "string") return at;
    const node = code!.run(env) as number;
    return node < switches ? { kind: "switch", index: node } : { kind: "client", index: node - switches };
  };
  return { type: { kind: "packet" }, run: (env) => env.view!.packets(regionOf(env)) };
}
