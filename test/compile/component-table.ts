/** The rules of controllers, written as they are in a table, without parts, vectors and products: states are records, and steps are found by recursion. */
import { LtsBuilder, TAU, type Architecture, type Component, type Lts } from "../../src/model/index.js";

type State = Readonly<Record<string, string>>;

interface Step {
  readonly label: string;
  readonly next: State;
}

/** A call on a required interface; `next` if it is received. */
interface Call {
  readonly name: string;
  readonly operation: string;
  readonly target: string;
  readonly next: State;
}

interface Seen {
  readonly steps: Step[];
  readonly calls: Call[];
  /** By provided interface. */
  receive(name: string, state: State): { readonly operation: string; readonly next: State }[];
}

/** All control operations are possible; errors are calls on unbound interfaces. */
export function tableOf({ root, exposesSubcontrol }: Architecture): Lts {
  const builder = new LtsBuilder();
  const initial = initialOf(root);
  const numbers = new Map([[JSON.stringify(initial), 0]]);
  const states = [initial];
  for (let at = 0; at < states.length; at++) {
    const seen = new Set<string>();
    for (const { label, next } of stepsOf(root, states[at]!, exposesSubcontrol)) {
      const key = JSON.stringify(next);
      const number = numbers.get(key) ?? states.push(next) - 1;
      numbers.set(key, number);
      if (seen.has(`${label} ${number}`)) continue;
      seen.add(`${label} ${number}`);
      builder.add(at, label === "tau" ? TAU : builder.labels.of(label), number);
    }
  }
  return builder.finish(states.length, [0]);
}

const partsOf = ({ content }: Component): readonly Component[] =>
  content.kind === "composite" ? content.parts : [];
const everything = (component: Component): Component[] => [
  component,
  ...partsOf(component).flatMap(everything),
];

function initialOf(component: Component): State {
  const state: Record<string, string> = {};
  for (const { name, requires, provides, content } of everything(component)) {
    state[`${name}.lf`] = "stopped";
    for (const own of requires) state[`${name}.${own.name}`] = "";
    if (content.kind === "composite") for (const own of provides) state[`${name}/${own.name}`] = "";
    else state[name] = String(content.versions[0]!.behaviour.initial[0]);
  }
  return state;
}

function stepsOf(root: Component, state: State, exposes: boolean): Step[] {
  const seen = look(root, state);
  const outside = root.requires.map(({ name }) => `env.${name}`);
  return [
    ...lifeOf(root, root.name, state),
    ...bindingsOf(root, `${root.name}.`, state, (own) => outside.filter((end) => end === `env.${own}`)),
    ...controlOf(root, state, exposes),
    ...seen.steps,
    ...seen.calls.map(({ name, operation, target, next }) => ({
      label: `${root.name}.${name}.${operation}>${target}`,
      next,
    })),
    ...root.provides.flatMap(({ name }) => [
      ...seen
        .receive(name, state)
        .map(({ operation, next }) => ({ label: `?${root.name}.${name}.${operation}`, next })),
    ]),
  ];
}

/** Start and stop reach everything inside in one step. */
const lifeOf = (component: Component, prefix: string, state: State): Step[] =>
  (["start", "stop"] as const).map((verb) => ({
    label: `${prefix}.${verb}`,
    next: {
      ...state,
      ...Object.fromEntries(
        everything(component).map(({ name }) => [`${name}.lf`, verb === "start" ? "started" : "stopped"]),
      ),
    },
  }));

function bindingsOf(
  { name, requires }: Component,
  prefix: string,
  state: State,
  targets: (own: string) => readonly string[],
): Step[] {
  if (state[`${name}.lf`] !== "stopped") return [];
  return requires.flatMap((own) => bound(`${name}.${own.name}`, own.name, prefix, state, targets(own.name)));
}

const bound = (key: string, own: string, prefix: string, state: State, targets: readonly string[]): Step[] =>
  state[key] === ""
    ? targets.map((target) => ({
        label: `${prefix}bind(${own},${target})`,
        next: { ...state, [key]: target },
      }))
    : [{ label: `${prefix}unbind(${own})`, next: { ...state, [key]: "" } }];

/** Of everything inside a composite. */
function controlOf(component: Component, state: State, exposes: boolean): Step[] {
  const parts = partsOf(component);
  const ends = (type: string): string[] =>
    parts.flatMap((part) =>
      part.provides.flatMap((own) => (own.type === type ? [`${part.name}.${own.name}`] : [])),
    );
  const inward =
    parts.length > 0 && state[`${component.name}.lf`] === "stopped"
      ? component.provides.flatMap(({ name, type }) =>
          bound(`${component.name}/${name}`, name, `${component.name}/`, state, ends(type)),
        )
      : [];
  return [
    ...inward,
    ...parts.flatMap((part) => [
      ...(exposes ? lifeOf(part, `${component.name}/${part.name}`, state) : []),
      ...bindingsOf(part, `${component.name}/${part.name}.`, state, (own) => {
        const type = part.requires.find(({ name }) => name === own)?.type ?? "";
        const outer = component.requires.flatMap((each) =>
          each.type === type ? [`${component.name}.${each.name}`] : [],
        );
        return [...ends(type), ...outer];
      }),
      ...controlOf(part, state, exposes),
    ]),
  ];
}

function look(component: Component, state: State): Seen {
  return component.content.kind === "primitive"
    ? lookAtPrimitive(component, state)
    : lookInside(component, state);
}

function moves(component: Component, state: State): { readonly label: string; readonly next: State }[] {
  if (component.content.kind !== "primitive") return [];
  const { firsts, actions, targets, labels } = component.content.versions[0]!.behaviour;
  const at = Number(state[component.name]);
  return Array.from({ length: firsts[at + 1]! - firsts[at]! }, (_, i) => firsts[at]! + i).map((t) => ({
    label: labels[actions[t]!]!,
    next: { ...state, [component.name]: String(targets[t]) },
  }));
}

function lookAtPrimitive(component: Component, state: State): Seen {
  const { name } = component;
  const steps: Step[] = [];
  const calls: Call[] = [];
  const isStarted = (at: State): boolean => at[`${name}.lf`] === "started";
  if (isStarted(state))
    for (const { label, next } of moves(component, state)) {
      const [, own = "", operation = ""] = /^!([^.]*)\.(.*)$/.exec(label) ?? [];
      const target = state[`${name}.${own}`] ?? "";
      if (label === "tau") steps.push({ label, next });
      else if (!/^[!?]/.test(label)) steps.push({ label: `${name}.${label}`, next });
      else if (own !== "" && target === "")
        steps.push({ label: `ERROR_UNBOUND(${name}.${own}.${operation})`, next: state });
      else if (own !== "") calls.push({ name: own, operation, target, next });
    }
  return {
    steps,
    calls,
    receive: (own, at) =>
      isStarted(at)
        ? moves(component, at).flatMap(({ label, next }) =>
            label.startsWith(`?${own}.`) ? [{ operation: label.slice(own.length + 2), next }] : [],
          )
        : [],
  };
}

function lookInside(component: Component, state: State): Seen {
  const { name } = component;
  const seen = new Map(partsOf(component).map((part) => [part.name, look(part, state)]));
  const steps = [...seen.values()].flatMap((part) => part.steps);
  const calls: Call[] = [];
  for (const [part, { calls: own }] of seen)
    for (const call of own) {
      const [server = "", on = ""] = call.target.split(".");
      if (server === name) {
        const target = state[`${name}.${on}`] ?? "";
        if (target === "")
          steps.push({ label: `ERROR_UNBOUND(${name}.${on}.${call.operation})`, next: state });
        else calls.push({ name: on, operation: call.operation, target, next: call.next });
        continue;
      }
      // The server moves from where the client has moved; a behaviour that calls itself can do only one of both.
      if (server !== part)
        for (const { operation, next } of seen.get(server)!.receive(on, call.next))
          if (operation === call.operation)
            steps.push({ label: `${part}.${call.name}.${operation}>${call.target}`, next });
    }
  const target = (own: string): string[] => (state[`${name}/${own}`] ?? "").split(".");
  const isStarted = state[`${name}.lf`] === "started";
  if (isStarted)
    for (const own of component.provides)
      if (state[`${name}/${own.name}`] === "")
        steps.push({ label: `ERROR_UNBOUND(${name}.${own.name})`, next: state });
  return {
    steps,
    calls,
    receive: (own, at) => {
      const [server = "", on = ""] = target(own);
      return isStarted && server !== "" ? seen.get(server)!.receive(on, at) : [];
    },
  };
}
