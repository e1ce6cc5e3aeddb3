import type { Span } from "../../model/diagnostic.js";
import { known, nth } from "../../model/known.js";
import { freshPacket, type Arrival, type PacketData, type Rule } from "../../model/network.js";
import type * as ast from "./ast.js";
import { lowerAs, lowerExpression, lowerKeys } from "./expressions.js";
import { failureOutside, insideOf, possibleValues } from "./possible-values.js";
import { refuseRepeated } from "./rules.js";
import { Failure, wrongType, type Code, type Env, type Scope, type Shared } from "./scope.js";
import { BOOL, distinct, fits, type Type, type Value } from "./types.js";

/** Returns undefined at the end of the body, or the value of a `return`. */
export type Run = (env: Env) => { readonly value: Value } | undefined;

const SWITCH: Type = { kind: "node", of: "switch" };

export function lowerBlock({ statements }: ast.Block, scope: Scope): Run {
  const runs = scope.inner(() => statements.map((statement) => lowerStatement(statement, scope)));
  return (env) => {
    for (const run of runs) {
      const returned = run(env);
      if (returned) return returned;
    }
    return undefined;
  };
}

function lowerStatement(statement: ast.Statement, scope: Scope): Run {
  const { span } = statement;
  switch (statement.kind) {
    case "let": {
      const value = lowerExpression(statement.value, scope);
      const slot = scope.declare(statement.name.text, value.type, statement.name.span);
      return (env) => void (env.locals[slot] = value.run(env));
    }
    case "assign":
      return lowerAssignment(statement, scope);
    case "if": {
      const test = lowerAs(statement.test, BOOL, scope);
      const then = lowerBlock(statement.then, scope);
      const otherwise = statement.otherwise && lowerBlock(statement.otherwise, scope);
      return (env) => (test.run(env) !== 0 ? then(env) : otherwise?.(env));
    }
    case "for":
      return lowerLoop(statement, scope);
    case "choose": {
      scope.use("choose", span, "`choose`");
      const branches = statement.branches.map((branch) => lowerBlock(branch, scope));
      return (env) => nth(branches, env.choose(branches.length))(env);
    }
    case "install":
    case "remove": {
      scope.use("command", span, `\`${statement.kind}\``);
      const at = lowerAs(statement.at, SWITCH, scope);
      const rule = lowerAs(statement.rule, { kind: "rule" }, scope);
      const kind = statement.kind === "install" ? "add" : "del";
      return (env) =>
        void env.commands.push({ kind, switch: at.run(env) as number, rule: rule.run(env) as Rule });
    }
    case "barrier": {
      scope.use("command", span, "`barrier`");
      scope.use("barrier", span, "`barrier`");
      const at = lowerAs(statement.at, SWITCH, scope);
      return (env) => void env.commands.push({ kind: "barrier", switch: at.run(env) as number });
    }
    case "forward": {
      scope.use("reply", span, "`forward`");
      const ports = lowerAs(statement.ports, { kind: "list", of: { kind: "port" } }, scope);
      return (env) => reply(env, ports.run(env) as readonly number[]);
    }
    case "flood":
      scope.use("reply", span, "`flood`");
      return (env) => reply(env, floodPorts(env, scope.shared));
    case "drop":
      scope.use("reply", span, "`drop`");
      return (env) => reply(env, []);
    case "emit": {
      scope.use("emit", span, "`emit`");
      const arrivals = lowerEmission(statement, scope);
      return (env) => void env.emits.push(...arrivals(env));
    }
    case "error": {
      const place = scope.failure(statement.message, span);
      return () => {
        throw new Failure(place);
      };
    }
    case "return":
      return lowerReturn(statement, scope);
    case "call": {
      const call = lowerExpression(statement.call, scope);
      return (env) => void call.run(env);
    }
  }
}

/** The reply is sent after the commands so far. */
function reply(env: Env, ports: readonly number[]): undefined {
  env.reply = { ports, after: env.commands.length };
}

/** All connected ports except the ingress port. */
function floodPorts(env: Env, { topology }: Shared): number[] {
  const at = known(env.at, "the switch");
  return nth(topology.switches, at.switch)
    .ports.filter(({ number, peer }) => number !== at.port && peer !== undefined)
    .map(({ number }) => number);
}

function lowerLoop({ name, over, body }: Extract<ast.Statement, { kind: "for" }>, scope: Scope): Run {
  const list = lowerExpression(over, scope);
  const isList = list.type.kind === "list" || list.type.kind === "set";
  if (!isList && list.type.kind !== "wrong") wrongType(scope.shared, over.span, "a list or a set", list.type);
  const element: Type =
    list.type.kind === "list" || list.type.kind === "set" ? list.type.of : { kind: "wrong" };
  return scope.inner(() => {
    const slot = scope.declare(name.text, element, name.span, possibleValues(over, scope));
    const run = lowerBlock(body, scope);
    return (env) => {
      for (const item of list.run(env) as readonly Value[]) {
        env.locals[slot] = item;
        const returned = run(env);
        if (returned) return returned;
      }
      return undefined;
    };
  });
}

function lowerReturn({ value, span }: Extract<ast.Statement, { kind: "return" }>, scope: Scope): Run {
  if (!value && scope.result.kind !== "void")
    scope.shared.report("sdn/wrong-type", "the function has a result: say which", span);
  if (value && scope.result.kind === "void")
    scope.shared.report("sdn/wrong-type", "there is no result to return here", span);
  const code =
    value &&
    (scope.result.kind === "void" ? lowerExpression(value, scope) : checked(value, scope.result, scope));
  return (env) => ({ value: code?.run(env) ?? 0 });
}

/** Assigns a local or a state variable, or one entry of a map. */
function lowerAssignment(
  { target, value, span }: Extract<ast.Statement, { kind: "assign" }>,
  scope: Scope,
): Run {
  const base = target.kind === "index" ? target.of : target;
  const meaning = base.kind === "name" ? scope.find(base.name.text) : undefined;
  if (base.kind === "name" && !meaning) {
    scope.shared.report("sdn/unknown-name", `nothing is called '${base.name.text}'`, base.span);
    return () => undefined;
  }
  const isFixed = meaning?.kind === "value" || (meaning?.kind === "local" && meaning.values !== undefined);
  if (!meaning || meaning.kind === "value" || isFixed) {
    const hint = "variables of `state` and of `let` can be, and entries of maps";
    scope.shared.report("sdn/not-assignable", "this cannot be assigned to", target.span, hint);
    return () => undefined;
  }
  if (meaning.kind === "state") scope.use("assign", span, "changing the controller's state");
  const { type, slot } = meaning;
  const storage = (env: Env): Value[] => (meaning.kind === "state" ? env.control : env.locals);
  if (target.kind !== "index") {
    const code = checked(value, type, scope);
    return (env) => void (storage(env)[slot] = code.run(env));
  }
  if (type.kind !== "map") {
    wrongType(scope.shared, base.span, "a map", type);
    return () => undefined;
  }
  const position = lowerKeys(target.indices, type, target.span, scope);
  const code = checked(value, type.of, scope);
  return (env) => {
    const changed = [...(storage(env)[slot] as readonly Value[])];
    changed[position(env)] = code.run(env);
    storage(env)[slot] = changed;
    return undefined;
  };
}

/** A value that fails at run time if it is outside its variable's type. */
export function checked(value: ast.Expression, type: Type, scope: Scope): Code {
  const code = lowerAs(value, type, scope);
  const isMany = type.kind === "set" || type.kind === "list";
  const within = insideOf(type, value, scope);
  return {
    type: code.type.kind === "wrong" ? code.type : type,
    run: (env) => (isMany ? distinct(within(code.run(env)) as readonly number[]) : within(code.run(env))),
  };
}

/** Packets of a template; `any` and lists expand to several. */
export function lowerTemplate({ fields, span }: ast.Template, scope: Scope): (env: Env) => PacketData[] {
  const { shared } = scope;
  refuseRepeated(fields, shared);
  for (const { name } of fields)
    if (!shared.fields.some((field) => field.name === name.text))
      shared.report("sdn/no-such-field", `packets have no field '${name.text}'`, name.span);
  let place: number | undefined;
  const choices = shared.fields.map((field) => {
    const given = fields.find(({ name }) => name.text === field.name);
    if (!given) {
      const hint = `\`${field.name}: any\` stands for every value`;
      shared.report("sdn/missing-field", `the packet has no value for '${field.name}'`, span, hint);
    }
    if (!given || given.value === "any") return (): readonly number[] => field.domain;
    const { value: written } = given;
    if (failureOutside(field.domain, [written], OUTSIDE, span, scope) >= 0)
      place ??= shared.errors.length - 1;
    const code = lowerExpression(written, scope);
    const isList = code.type.kind === "list" || code.type.kind === "set";
    const type = isList ? (code.type as { readonly of: Type }).of : code.type;
    if (!fits(type, field.type)) wrongType(shared, given.value.span, field.name, type);
    return (env: Env): readonly number[] => {
      const value = code.run(env);
      return isList ? (value as readonly number[]) : [value as number];
    };
  });
  return (env) => {
    let packets: number[][] = [[]];
    shared.fields.forEach(({ domain }, i) => {
      const values = nth(choices, i)(env).map((value) => domain.indexOf(value));
      if (values.includes(-1)) throw new Failure(place!);
      packets = packets.flatMap((packet) => values.map((value) => [...packet, value]));
    });
    return packets.map((packet) => freshPacket(shared.shape, packet));
  };
}

const OUTSIDE = "a packet field has a value outside its type";

/** Switch ports at which a client or the environment injects a packet. */
export function entryPoints(
  client: number | undefined,
  at: ast.EndpointName | undefined,
  shared: Shared,
  span: Span,
): readonly { readonly switch: number; readonly port: number }[] {
  const { topology } = shared;
  if (at) {
    const index = topology.switchNames.indexOf(at.node.text);
    if (index >= 0 && nth(topology.switches, index).ports.some(({ number }) => number === at.port))
      return [{ switch: index, port: at.port }];
    const named = topology.clientNames.indexOf(at.node.text);
    const points = named < 0 ? [] : attachedAt(shared, named).filter(({ own }) => own === at.port);
    if (points.length === 0)
      shared.report("sdn/no-such-port", `'${at.node.text}:${at.port}' leads into no switch`, at.span);
    return points;
  }
  if (client === undefined) {
    shared.report(
      "sdn/nowhere",
      "the port at which the packet enters is missing",
      span,
      "add `at SWITCH:PORT`",
    );
    return [];
  }
  return attachedAt(shared, client);
}

const attachedAt = ({ topology }: Shared, client: number) =>
  nth(topology.clients, client).attached.map(({ port, switch: at, switchPort }) => ({
    own: port,
    switch: at,
    port: switchPort,
  }));

function lowerEmission(
  { template, at, span }: Extract<ast.Statement, { kind: "emit" }>,
  scope: Scope,
): (env: Env) => Arrival[] {
  const packets = lowerTemplate(template, scope);
  const self = scope.find("self");
  const client =
    self?.kind === "value" ? (self.value as number) - scope.shared.topology.switchNames.length : undefined;
  const points = entryPoints(client, at, scope.shared, span);
  return (env) =>
    points.flatMap(({ switch: to, port }) => packets(env).map((data) => ({ switch: to, port, data })));
}
