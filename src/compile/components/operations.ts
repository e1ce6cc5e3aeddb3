/** Control operations of all components as steps, and the labels of those that a plan names. */
import type {
  Architecture,
  Component,
  ComponentEnd,
  ComponentPath,
  ControlOperation,
  Span,
} from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import { everythingIn, split, type Controls, type Moves, type Ports } from "./ports.js";
import { IS_PRESENT, IS_STOPPED, bindTo, has, notTo, updating } from "./parts.js";

/** Adds every operation that is possible, and those of the plan; labels of these, in order. */
export function operationsOf(
  assembly: Controls,
  root: Ports,
  { plan, exposesSubcontrol }: Architecture,
): { readonly label: string; readonly span: Span }[] {
  lifeOperations(assembly, root, root.shown);
  bindingOperations(assembly, root, root.shown, undefined);
  for (const whole of everythingIn(root))
    for (const part of whole.inside) {
      const name = `${whole.shown}/${part.component.name}`;
      if (exposesSubcontrol) lifeOperations(assembly, part, name);
      bindingOperations(assembly, part, name, whole);
    }
  return (plan?.operations ?? []).map((operation) => ({
    label: labelled(assembly, root, operation),
    span: operation.span,
  }));
}

/** Everything inside takes part in the step. */
function lifeOperations(assembly: Controls, { lives }: Ports, name: string): void {
  for (const verb of ["start", "stop"])
    assembly.control(`${name}.${verb}`, new Map(lives.map((life) => [life, verb])));
}

/** `whole`: the composite around it. */
function bindingOperations(assembly: Controls, ports: Ports, name: string, whole: Ports | undefined): void {
  const offer = (prefix: string, own: string, at: number, around: Ports | undefined): void => {
    for (const target of assembly.bindingAt(at).targets)
      assembly.control(
        `${prefix}bind(${own},${target})`,
        new Map([[ports.life, IS_STOPPED], [at, bindTo(target)], ...offering(assembly, around, target)]),
      );
    assembly.control(
      `${prefix}unbind(${own})`,
      new Map([
        [ports.life, IS_STOPPED],
        [at, "unbind"],
      ]),
    );
  };
  for (const [own, at] of ports.bindings) offer(`${name}.`, own, at, whole);
  for (const [own, at] of ports.internal) offer(`${ports.shown}/`, own, at, ports);
}

/** The target must be present, and have the interface in its current version. */
function offering(assembly: Controls, whole: Ports | undefined, target: string): [number, string][] {
  const [component, name] = split(target);
  const server = whole?.inside.find((part) => part.component.name === component);
  if (!server) return [];
  const comesAndGoes = assembly.draft(server.life).builder.labels.find(IS_PRESENT) !== undefined;
  return [
    // sound: test/compile/components.test.ts
    ...(comesAndGoes ? ([[server.life, IS_PRESENT]] as [number, string][]) : []),
    ...(server.body === undefined ? [] : ([[server.body, has(name)]] as [number, string][])),
  ];
}

function labelled(assembly: Controls, root: Ports, operation: ControlOperation): string {
  switch (operation.kind) {
    case "start":
    case "stop":
      return `${nameAt(root, operation.component)}.${operation.kind}`;
    case "bind": {
      const { component, interface: server } = operation.server;
      const whole = at(root, operation.within);
      const target = `${component ?? outside(whole, operation.client)}.${server}`;
      return `${prefixOf(root, operation.within, operation.client)}bind(${operation.client.interface},${target})`;
    }
    case "unbind":
      return `${prefixOf(root, operation.within, operation.client)}unbind(${operation.client.interface})`;
    case "add":
    case "remove":
      return comeOrGo(assembly, root, operation.component, operation.kind);
    case "update":
      return update(assembly, root, operation);
  }
}

/** `this.r` as a server is a required interface of the composite, or of the environment. */
const outside = ({ component }: Ports, client: ComponentEnd): string =>
  client.component === undefined ? "env" : component.name;

const at = (root: Ports, path: ComponentPath): Ports =>
  path.reduce(
    (ports, name) =>
      known(
        ports.inside.find(({ component }) => component.name === name),
        `component ${name}`,
      ),
    root,
  );

function nameAt(root: Ports, path: ComponentPath): string {
  return path.length === 0
    ? root.shown
    : `${at(root, path.slice(0, -1)).shown}/${nth(path, path.length - 1)}`;
}

/** Of an operation on a part, on what the composite requires, or on what it provides. */
function prefixOf(root: Ports, within: ComponentPath, { component, interface: own }: ComponentEnd): string {
  const whole = at(root, within);
  if (component !== undefined) return `${whole.shown}/${component}.`;
  return whole.internal.has(own) ? `${whole.shown}/` : `${whole.shown}.`;
}

function comeOrGo(assembly: Controls, root: Ports, path: ComponentPath, verb: "add" | "remove"): string {
  const whole = at(root, path.slice(0, -1));
  const part = at(root, path);
  const label = `${nameAt(root, path)}.${verb}`;
  const moves = new Map<number, string>([[whole.life, IS_STOPPED]]);
  for (const life of part.lives) moves.set(life, verb);
  if (verb === "remove")
    leave(
      assembly,
      whole,
      part.component,
      part.component.provides.map(({ name }) => name),
      moves,
    );
  assembly.control(label, moves);
  return label;
}

/** Nothing may be bound to the interfaces that go away. */
function leave(
  assembly: Controls,
  whole: Ports,
  { name }: Component,
  interfaces: readonly string[],
  moves: Map<number, string>,
): void {
  const gone = new Set(interfaces.map((own) => `${name}.${own}`));
  const clients = [
    ...whole.inside.flatMap(({ bindings }) => [...bindings.values()]),
    ...whole.internal.values(),
  ];
  for (const client of clients) {
    const made = assembly.bindingAt(client);
    // sound: test/compile/components.test.ts
    if (made.targets.some((target) => gone.has(target))) moves.set(client, notTo(made, gone));
  }
}

function update(
  assembly: Controls,
  root: Ports,
  { component: path, version, map }: Extract<ControlOperation, { kind: "update" }>,
): string {
  const part = at(root, path);
  const { content } = part.component;
  if (content.kind !== "primitive" || part.body === undefined) throw new Error("only primitives are updated");
  const [before, after] = [nth(content.versions, version - 1), nth(content.versions, version)];
  const label = `${nameAt(root, path)}.update(${after.name})`;
  const moves: Map<number, string> & Moves = new Map([
    [part.life, IS_STOPPED],
    [part.body, updating(assembly.draft(part.body), content.versions, version, map)],
  ]);
  for (const [name, binding] of part.bindings) {
    if (before.interfaces.has(name) === after.interfaces.has(name)) continue;
    moves.set(binding, after.interfaces.has(name) ? "appear" : "vanish");
  }
  const lost = part.component.provides.flatMap(({ name }) => (after.interfaces.has(name) ? [] : [name]));
  if (path.length > 0 && lost.length > 0)
    leave(assembly, at(root, path.slice(0, -1)), part.component, lost, moves);
  assembly.control(label, moves);
  return label;
}
