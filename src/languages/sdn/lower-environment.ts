/** Compiles the behaviour of clients and events. */
import { nth } from "../../model/known.js";
import type { NetworkClient, NetworkEvent, ReceiveHandler } from "../../model/network.js";
import type * as ast from "./ast.js";
import { lowerAs, lowerExpression } from "./expressions.js";
import { newEnv, outcomesOf, runHandler } from "./handlers.js";
import { ENVIRONMENT, Scope, type Effect, type Shared } from "./scope.js";
import { entryPoints, lowerBlock, lowerTemplate } from "./statements.js";
import { resolveType } from "./type-expressions.js";
import { BOOL, domainOf, keyTuples, showValue, typeName, type Value } from "./types.js";

export function lowerClients(declarations: readonly ast.Declaration[], shared: Shared): NetworkClient[] {
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

/** Compiles a behaviour once per client, because `self` differs. */
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
      let isWrong = false;
      const own: Shared = {
        ...shared,
        report: (...given) => {
          isWrong = true;
          shared.report(...given);
        },
      };
      const packets = lowerTemplate(template, new Scope(own, "a packet", new Set()));
      const points = entryPoints(client, to, own, template.span);
      if (isWrong) return [];
      const env = newEnv([], undefined, client, () => 0);
      let all: ReturnType<typeof packets> = [];
      const failed = runHandler((inner) => void (all = packets(inner)), env);
      if (failed !== undefined)
        shared.report(
          "sdn/wrong-value",
          nth(shared.errors, failed).message,
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
    const slot = scope.declare(packet.text, { kind: "packet" }, packet.span);
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
export function lowerEvent(
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
    scope.declare(each.text, nth(types, i), each.span, domainOf(nth(types, i), shared.topology)),
  );
  const test = guard && lowerExpression(guard, scope);
  const run = lowerBlock(body, scope);
  return keyTuples(types, shared.topology).map((values) => {
    const label = values.map((value, i) => showValue(value, nth(types, i), shared.topology)).join(", ");
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
