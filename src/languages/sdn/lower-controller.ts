/** Compiles the controller: state, functions and handlers. */
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import type { BarrierMeaning, NetworkController, Reaction } from "../../model/network.js";
import type * as ast from "./ast.js";
import { newEnv, outcomesOf, runHandler } from "./handlers.js";
import { checkReplies } from "./replies.js";
import { ENVIRONMENT, Failure, Scope, type Effect, type Shared } from "./scope.js";
import { checked, lowerBlock, type Run } from "./statements.js";
import { resolveType } from "./type-expressions.js";
import { WRONG, domainOf, isScalar, keyTuples, showValue, typeName, type Type, type Value } from "./types.js";

export const CONTROLLER_HINT =
  "handle packets that no rule matches in `controller { on packetIn(p, sw, pt) { … } }`";

const PACKET_IN: ReadonlySet<Effect> = new Set(["reply", "command", "barrier", "assign", "read"]);
/** Functions cannot reply, so that the body of `packetIn` alone shows that it replies at most once. */
const FUNCTION = ENVIRONMENT;

export function lowerController(
  declaration: ast.ControllerDeclaration | undefined,
  shared: Shared,
  whole: Span,
  barriers: BarrierMeaning,
): NetworkController {
  const { report, topology } = shared;
  const {
    kappa,
    state = [],
    functions = [],
    packetIn,
    portDown,
    barrierReply,
    span = whole,
  } = declaration ?? {};
  if (kappa && kappa.value < 1) report("sdn/bad-kappa", "kappa must be at least 1", kappa.span);
  const variables = state.map(({ name, type: written }, slot) => {
    const type = resolveType(written, shared);
    if (shared.globals.has(name.text))
      report("sdn/declared-twice", `'${name.text}' is declared twice`, name.span);
    shared.globals.set(name.text, { kind: "state", slot, type });
    return { name: name.text, type };
  });
  const initial = state.map(({ value }, i) => initialValue(value, nth(variables, i).type, shared));
  for (const f of functions) lowerFunction(f, shared);
  if (declaration && !packetIn)
    report("sdn/missing", "the controller has no `on packetIn`", span, CONTROLLER_HINT);
  const handled = packetIn && lowerHandler(packetIn, PACKET_TYPES, "packetIn", PACKET_IN, shared);
  if (packetIn) checkReplies(packetIn.body, report);
  const onPortDown =
    portDown &&
    lowerHandler(
      portDown,
      PACKET_TYPES.slice(1),
      "portDown",
      new Set([...PACKET_IN].filter((e) => e !== "reply")),
      shared,
    );
  const replied =
    barrierReply && lowerHandler(barrierReply, PACKET_TYPES.slice(1, 2), "barrierReply", ENVIRONMENT, shared);
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
    const { ports, after } = env.reply ?? { ports: [], after: env.commands.length };
    return { commands: env.commands, ports, repliesAfter: after, state: env.control, error };
  };
  return {
    kappa: kappa?.value ?? 1,
    initial,
    key: (control) => JSON.stringify(control),
    stateOf: (key) => withWildcards(JSON.parse(key)),
    show: (control) =>
      variables.map(({ name, type }, i) => ({
        name,
        value: showValue(nth(control as Value[], i), type, topology),
      })),
    packetIn: (data, at, port, control) =>
      react(handled, [{ data, at: { kind: "switch", index: at, port } }, at, port], at, port, control),
    portDown: onPortDown && ((at, port, control) => react(onPortDown, [at, port], at, port, control)),
    portDownUsesBarriers: onPortDown?.effects.has("barrier") ?? false,
    usesBarriers: handled?.effects.has("barrier") ?? false,
    barriers,
    barrierReply: replied && {
      run: (at, control) =>
        outcomesOf(replied.run, control, undefined, ({ locals }) => void (locals[0] = at)),
      usesBarriers: replied.effects.has("barrier"),
    },
    span: packetIn?.span ?? span,
  };
}

/** JSON has no `undefined`, which is a wildcard in a rule. */
const withWildcards = (value: unknown): unknown => {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(withWildcards);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withWildcards(part)]));
};

const PACKET_TYPES: readonly Type[] = [{ kind: "packet" }, { kind: "node", of: "switch" }, { kind: "port" }];

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

/** Maps are total: the initial value applies to all keys. */
function initialValue(value: ast.Expression, type: Type, shared: Shared): Value {
  const scope = new Scope(shared, "an initial value", new Set());
  const element = type.kind === "map" ? type.of : type;
  const code = checked(value, element, scope);
  if (type.kind === "map" && !isScalar(element) && element.kind !== "set")
    shared.report("sdn/wrong-type", `a map cannot hold ${typeName(element)}`, value.span);
  let initial: Value = 0;
  const failed = runHandler(
    (env) => void (initial = code.run(env)),
    newEnv([], undefined, undefined, () => 0),
  );
  if (failed !== undefined)
    shared.report(
      "sdn/wrong-value",
      shared.errors[failed]?.message ?? "the value is not of its type",
      value.span,
    );
  return type.kind === "map" ? keyTuples(type.keys, shared.topology).map(() => initial) : initial;
}

function lowerFunction({ name, parameters, result, body }: ast.FunctionDeclaration, shared: Shared): void {
  const type = result ? resolveType(result, shared) : ({ kind: "void" } as const);
  const scope = new Scope(shared, "a function", FUNCTION, type);
  const types = parameters.map((parameter) => resolveType(parameter.type, shared));
  parameters.forEach(({ name: each }, i) => scope.declare(each.text, nth(types, i), each.span));
  const run = lowerBlock(body, scope);
  const ends = type.kind === "void" || alwaysReturns(body);
  const unfinished = ends ? -1 : scope.failure(`'${name.text}' ended without a result`, name.span);
  if (shared.functions.has(name.text))
    shared.report("sdn/declared-twice", `there are several functions '${name.text}'`, name.span);
  shared.functions.set(name.text, {
    parameters: types,
    result: type,
    effects: scope.effects,
    call: (env, given) => {
      // The callee has separate locals; replies and changes of the state are copied back.
      const inner = { ...env, locals: [...given] };
      const returned = run(inner);
      env.control = inner.control;
      env.reply = inner.reply;
      if (!returned && unfinished >= 0) throw new Failure(unfinished); // sound: test/languages/sdn/conditions.test.ts
      return returned?.value ?? 0;
    },
  });
}

function alwaysReturns({ statements }: ast.Block): boolean {
  return statements.some((statement) => {
    if (statement.kind === "if")
      return alwaysReturns(statement.then) && !!statement.otherwise && alwaysReturns(statement.otherwise); // sound: test/languages/sdn/conditions.test.ts
    return statement.kind === "return" || statement.kind === "error";
  });
}
