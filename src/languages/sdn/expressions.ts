/** Resolves, type-checks and compiles expressions. */
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import { visitedWord } from "../../model/network.js";
import type * as ast from "./ast.js";
import { builtinOf, type Builtin } from "./builtins.js";
import { lowerBinary } from "./operators.js";
import { failureOutside, insideOf } from "./possible-values.js";
import { lowerQuantifier } from "./quantifiers.js";
import { lowerRule } from "./rules.js";
import { Failure, wrongType, type Code, type Env, type Scope, type Shared } from "./scope.js";
import {
  BOOL,
  INT,
  NONE,
  WRONG,
  domainOf,
  fits,
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
      return lowerBinary(expression, scope, lowerAs);
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
      return lowerRule(expression, scope, lowerAs);
    case "quantifier":
      return lowerQuantifier(expression, scope, lowerAs);
  }
}

/** Lowers an expression to the wanted type; undefined accepts any type. */
export function lowerAs(expression: ast.Expression, wanted: Type | undefined, scope: Scope): Code {
  const code = lowerExpression(expression, scope);
  if (!wanted || fits(code.type, wanted)) return code;
  wrongType(scope.shared, expression.span, typeName(wanted), code.type);
  return { ...code, type: WRONG };
}

const constant = (type: Type, value: Value): Code => ({ type, run: () => value });

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
  const within = known.parameters.map((type, i) => given[i] && insideOf(type, given[i], scope));
  return {
    type: known.result,
    run: (env) =>
      known.call(
        env,
        values.map((value, i) => within[i]?.(value.run(env)) ?? 0),
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
      const { type, domain } = nth(shared.fields, position);
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
    const at = lowerAs(nth(indices, 0), { kind: "node", of: "any" }, scope);
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

/** Index of a map's value. */
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
      const found = nth(domains, i).indexOf(code.run(env) as number);
      if (found < 0) throw new Failure(nth(places, i));
      return position * nth(domains, i).length + found;
    }, 0);
}
