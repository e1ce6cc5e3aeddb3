/** Deployment and reconfiguration: control operations in order, as written or derived from the bindings. */
import type {
  Component,
  ComponentPath,
  ComponentVersion,
  ControlOperation,
  ControlPlan,
  Span,
} from "../../model/index.js";
import { suggest } from "../toolkit/spelling.js";
import type { DeclaredOperation, DeclaredPlan } from "./ast.js";
import type { Resolved, Resolver } from "./architecture.js";
import type { Definitions } from "./files.js";

export interface Planned {
  readonly root: Component;
  readonly plan: ControlPlan;
}

/** Updates and additions change the components of the plan. */
export class Planning {
  readonly #definitions: Definitions;
  readonly #resolver: Resolver;
  readonly #exposes: boolean;
  #root: Component;
  #isStarted = false;

  constructor(definitions: Definitions, resolver: Resolver, root: Component, exposes: boolean) {
    this.#definitions = definitions;
    this.#resolver = resolver;
    this.#root = root;
    this.#exposes = exposes;
  }

  whole(resolved: Resolved): Planned {
    const deployment = this.#deployment(resolved, []);
    const after = this.#operations(resolved.definition.reconfiguration, []);
    return {
      root: this.#root,
      plan: { operations: [...deployment, ...after], deployed: deployment.length },
    };
  }

  /** Of the parts, then of the component itself: written, or its bindings in order, and a start of the whole. */
  #deployment({ definition, parts, component }: Resolved, path: ComponentPath): ControlOperation[] {
    const { deployment, bindings, span } = definition;
    const inner = parts.flatMap((part) => this.#deployment(part, [...path, part.component.name]));
    if (deployment && deployment.operations.length > 0)
      return [...inner, ...this.#operations(deployment, path)];
    const bound = bindings.flatMap((binding): ControlOperation[] => {
      const ends = this.#resolver.binding(component, binding);
      return ends ? [{ kind: "bind", within: path, ...ends, span: binding.span }] : [];
    });
    const starts = path.length === 0 && deployment?.starts !== false;
    if (starts) this.#isStarted = true;
    return [...inner, ...bound, ...(starts ? [{ kind: "start", component: path, span } as const] : [])];
  }

  #operations(plan: DeclaredPlan | undefined, path: ComponentPath): ControlOperation[] {
    return (plan?.operations ?? []).flatMap((operation) => this.#operation(operation, path) ?? []);
  }

  #operation(declared: DeclaredOperation, path: ComponentPath): ControlOperation | undefined {
    const { name, span } = declared;
    switch (name) {
      case "start":
      case "stop":
        return this.#life(name, declared, path);
      case "bind":
      case "unbind":
        return this.#bind(name, declared, path);
      case "add":
        return this.#add(declared, path);
      case "remove":
        return this.#remove(declared, path);
      case "update":
        return this.#update(declared, path);
    }
    this.#error("fractal/operation", span, `there is no operation '${name}'`, suggest(name, OPERATIONS));
    return undefined;
  }

  #life(
    kind: "start" | "stop",
    { attributes, span }: DeclaredOperation,
    path: ComponentPath,
  ): ControlOperation | undefined {
    const component = this.#path(attributes.get("component"), path, span);
    if (!component) return undefined;
    // sound: test/languages/fractal.test.ts
    if (component.length > 0 && !this.#exposes) {
      this.#error(
        "fractal/sub-control",
        span,
        `'${component.join("/")}' is started and stopped by its composite alone`,
        'start only at the top, or write subcontrol="exposed" in the definition',
      );
      return undefined;
    }
    if (component.length === 0) this.#isStarted = kind === "start";
    return { kind, component, span };
  }

  #bind(
    kind: "bind" | "unbind",
    { attributes, span }: DeclaredOperation,
    path: ComponentPath,
  ): ControlOperation | undefined {
    this.#whileStopped(kind, span);
    const within = this.#path(attributes.get("in"), path, span);
    const client = this.#needed(attributes, "client", span);
    const composite = within && this.#at(within);
    if (!within || !composite || client === undefined) return undefined;
    const isOutward = within.length === 0 && composite.requires.some((own) => `this.${own.name}` === client);
    if (isOutward) {
      const end = { component: undefined, interface: client.slice("this.".length) };
      return kind === "unbind"
        ? { kind, within, client: end, span }
        : { kind, within, client: end, server: end, span };
    }
    if (kind === "unbind") {
      const found = this.#resolver.end(composite, client, "client", span);
      return found && { kind, within, client: found.end, span };
    }
    const server = this.#needed(attributes, "server", span);
    const ends =
      server === undefined ? undefined : this.#resolver.binding(composite, { client, server, span });
    return ends && { kind, within, ...ends, span };
  }

  #add({ attributes, span }: DeclaredOperation, path: ComponentPath): ControlOperation | undefined {
    this.#whileStopped("add", span);
    const text = this.#needed(attributes, "component", span);
    const definition = this.#needed(attributes, "definition", span);
    const names = text?.split("/") ?? [];
    const name = names.at(-1);
    const within =
      text === undefined ? undefined : this.#path(names.slice(0, -1).join("/") || "this", path, span);
    const whole = within && this.#at(within);
    const found = definition === undefined ? undefined : this.#definitions.named(definition, span);
    if (!whole || !found || name === undefined) return undefined;
    if (
      whole.content.kind !== "composite" ||
      whole.content.parts.some((part) => part.name === name) ||
      name === whole.name
    ) {
      this.#error("fractal/add", span, `a component '${name}' cannot be added to '${whole.name}'`);
      return undefined;
    }
    const added = { ...this.#resolver.component(name, found).component, isAdded: true };
    this.#change(within, (component) =>
      component.content.kind === "composite"
        ? { ...component, content: { kind: "composite", parts: [...component.content.parts, added] } }
        : component,
    );
    return { kind: "add", component: [...within, name], span };
  }

  #remove({ attributes, span }: DeclaredOperation, path: ComponentPath): ControlOperation | undefined {
    this.#whileStopped("remove", span);
    const component = this.#path(this.#needed(attributes, "component", span), path, span);
    if (!component) return undefined;
    if (component.length > 0) return { kind: "remove", component, span };
    this.#error("fractal/operation", span, "the whole cannot be removed");
    return undefined;
  }

  #update({ attributes, span }: DeclaredOperation, path: ComponentPath): ControlOperation | undefined {
    this.#whileStopped("update", span);
    const component = this.#path(this.#needed(attributes, "component", span), path, span);
    const definition = this.#needed(attributes, "definition", span);
    const found = definition === undefined ? undefined : this.#definitions.named(definition, span);
    const old = component && this.#at(component);
    if (!old || !found) return undefined;
    if (old.content.kind === "composite") {
      this.#error("fractal/update", span, `'${old.name}' is a composite: update its parts`);
      return undefined;
    }
    const { versions } = old.content;
    const version = this.#resolver.version(found.name, found);
    const fresh = this.#resolver.component(old.name, found).component;
    for (const own of [...fresh.provides, ...fresh.requires]) {
      const same = [...old.provides, ...old.requires].find(({ name }) => name === own.name);
      if (same && (same.type !== own.type || fresh.provides.includes(own) !== old.provides.includes(same)))
        this.#error(
          "fractal/update",
          span,
          `'${own.name}' of '${found.name}' has another type or role than before`,
        );
    }
    const map = this.#map(attributes, versions.at(-1), version, span);
    this.#change(component, (one) => ({
      ...one,
      provides: union(one.provides, fresh.provides),
      requires: union(one.requires, fresh.requires),
      content: { kind: "primitive", versions: [...versions, version] },
    }));
    return { kind: "update", component, version: versions.length, map, span };
  }

  /** `0->0, 1->2`; by default, states keep their numbers. */
  #map(
    attributes: ReadonlyMap<string, string>,
    before: ComponentVersion | undefined,
    { behaviour }: ComponentVersion,
    span: Span,
  ): readonly number[] | undefined {
    const by = attributes.get("by") ?? "states";
    const text = attributes.get("states");
    if (by !== "states" && by !== "actions")
      this.#error("fractal/update", span, `by is states or actions, not '${by}'`);
    if (by === "actions") {
      if (text !== undefined)
        this.#error("fractal/update", span, "actions determine the states: omit states");
      return undefined;
    }
    const states = before?.behaviour.states ?? 0;
    const map = Array.from({ length: states }, (_, s) =>
      text === undefined && s < behaviour.states ? s : -1,
    );
    for (const pair of text?.split(",") ?? []) {
      const match = /^\s*(\d+)\s*->\s*(\d+)\s*$/.exec(pair);
      const [from, target] = [Number(match?.[1]), Number(match?.[2])];
      if (!match || from >= states || target >= behaviour.states)
        this.#error(
          "fractal/update",
          span,
          `'${pair.trim()}' maps no state of the old behaviour to one of the new`,
          '"0->0, 1->2"',
        );
      else map[from] = target;
    }
    const lost = map.flatMap((target, from) => (target < 0 ? [from] : []));
    if (lost.length > 0)
      this.#definitions.diagnostics.push({
        code: "fractal/no-image",
        severity: "warning",
        message: `state ${lost.join(", ")} of '${before?.name ?? ""}' has no image: the update is impossible there`,
        span,
        hint: 'states="0->0, 1->2" maps states',
      });
    return map;
  }

  #whileStopped(kind: string, span: Span): void {
    // sound: test/languages/fractal.test.ts
    if (!this.#isStarted || this.#exposes) return;
    this.#error(
      "fractal/started",
      span,
      `${kind} is impossible while the component runs`,
      'write <op name="stop"/> before it',
    );
  }

  #needed(attributes: ReadonlyMap<string, string>, name: string, span: Span): string | undefined {
    const value = attributes.get(name);
    if (value === undefined)
      this.#error("fractal/missing", span, `the operation needs the attribute '${name}'`);
    return value;
  }

  /** `C/A` from the component on whose plan it is. */
  #path(text: string | undefined, from: ComponentPath, span: Span): ComponentPath | undefined {
    if (text === undefined || text === "this") return from;
    const path = [...from, ...text.split("/")];
    if (this.#at(path)) return path;
    this.#error("fractal/unknown-component", span, `there is no component '${text}'`);
    return undefined;
  }

  #at(path: ComponentPath): Component | undefined {
    let at: Component | undefined = this.#root;
    for (const name of path)
      at = at?.content.kind === "composite" ? at.content.parts.find((part) => part.name === name) : undefined;
    return at;
  }

  #change(path: ComponentPath, change: (component: Component) => Component): void {
    const changed = (component: Component, [first, ...rest]: ComponentPath): Component => {
      if (first === undefined) return change(component);
      if (component.content.kind !== "composite") return component;
      const parts = component.content.parts.map((part) => (part.name === first ? changed(part, rest) : part));
      return { ...component, content: { kind: "composite", parts } };
    };
    this.#root = changed(this.#root, path);
  }

  #error(code: string, span: Span, message: string, hint?: string): void {
    this.#definitions.error(code, span, message, hint);
  }
}

const OPERATIONS = ["bind", "unbind", "start", "stop", "add", "remove", "update"];

const union = <T extends { readonly name: string }>(first: readonly T[], second: readonly T[]): T[] => [
  ...first,
  ...second.filter(({ name }) => !first.some((own) => own.name === name)),
];
