/**
 * Architectures as products by vectors: controllers are nets of small automata (`parts.ts`), and every step of the whole is one vector. A composite
 * starts and stops with all that it contains, in one step through all levels.
 *
 * In: an `Architecture`. Out: its network with the names of its control operations and errors. An error is a step that changes nothing, so it
 * neither blocks other components nor makes later behaviour wrong; `watchErrors` makes properties of errors.
 */
import {
  ENVIRONMENT,
  END_NAME,
  TAU,
  TAU_NAME,
  type Architecture,
  type Component,
  type ComponentInterface,
  type LtsNetwork,
  type NetworkPart,
  type SyncVector,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { operationsOf } from "./operations.js";
import { merged, split, type Call, type Controls, type Moves, type Ports, type Reception } from "./ports.js";
import {
  IS_DONE,
  IS_STARTED,
  IS_STOPPED,
  IS_UNBOUND,
  SILENT,
  able,
  behaviour,
  binding,
  finished,
  lifeCycle,
  plan,
  to,
  type BindingDraft,
  type Draft,
  type Presence,
} from "./parts.js";

export interface ComponentNetwork {
  readonly network: LtsNetwork;
  /** Labels of control operations. */
  readonly controls: ReadonlySet<string>;
  /** By label: the class of the error. */
  readonly errors: ReadonlyMap<string, string>;
  /** Of the plan, in order; undefined: control is free. */
  readonly operations: readonly string[] | undefined;
}

export const componentNetwork = (architecture: Architecture): ComponentNetwork =>
  new Assembly(architecture).whole();

class Assembly implements Controls {
  readonly #architecture: Architecture;
  readonly #drafts: Draft[] = [];
  readonly #steps: { readonly label: string; readonly moves: Moves; readonly isControl: boolean }[] = [];
  readonly #errors = new Map<string, string>();
  /** Simple names that several components have. */
  readonly #ambiguous: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;

  constructor(architecture: Architecture) {
    this.#architecture = architecture;
    const names = namesIn(architecture.root);
    this.#ambiguous = new Set(names.filter((name, i) => names.indexOf(name) !== i));
    this.#removed = new Set(
      architecture.plan?.operations.flatMap((op) => (op.kind === "remove" ? [op.component.join("/")] : [])),
    );
  }

  whole(): ComponentNetwork {
    const { root, plan: given, span } = this.#architecture;
    const outside = new Map(root.requires.map(({ name }) => [name, [`${ENVIRONMENT}.${name}`]]));
    const ports = this.#controller(root, [], outside, { isAdded: false, isRemoved: false });
    this.#environment(ports);
    const operations = operationsOf(this, ports, this.#architecture);
    const planned = given && plan(operations, given.deployed);
    const part = planned && this.#drafts.push(planned) - 1;
    const alphabet = new Set(operations.map(({ label }) => label));
    const steps = this.#steps.flatMap(({ label, moves, isControl }) => {
      if (!isControl || part === undefined) return [{ label, moves }];
      // sound: test/compile/components.test.ts
      return alphabet.has(label) ? [{ label, moves: new Map([...moves, [part, label]]) }] : [];
    });
    // A stopped system after all operations has ended.
    if (part !== undefined)
      steps.push({
        label: END_NAME,
        moves: new Map([
          [part, IS_DONE],
          [ports.life, IS_STOPPED],
        ]),
      });
    const parts = this.#drafts.map(finished);
    return {
      network: { name: root.name, parts, vectors: vectorsOf(steps, parts), span },
      controls: new Set(this.#steps.flatMap(({ label, isControl }) => (isControl ? [label] : []))),
      errors: this.#errors,
      operations: given && operations.map(({ label }) => label),
    };
  }

  control(label: string, moves: Moves): void {
    this.#steps.push({ label, moves, isControl: true });
  }

  draft(part: number): Draft {
    return nth(this.#drafts, part);
  }

  bindingAt(part: number): BindingDraft {
    return nth(this.#drafts, part) as BindingDraft;
  }

  shown(path: readonly string[]): string {
    const { name } = this.#architecture.root;
    const own = path.at(-1) ?? name;
    return this.#ambiguous.has(own) ? [name, ...path].join("/") : own;
  }

  #step(label: string, moves: Moves | undefined): void {
    if (moves) this.#steps.push({ label, moves, isControl: false });
  }

  #failure(kind: string, label: string, moves: Moves | undefined): void {
    if (!moves || !this.#architecture.errors.has(kind as never)) return;
    this.#errors.set(label, kind);
    this.#step(label, moves);
  }

  /** `targets`: by required interface. */
  #controller(
    component: Component,
    path: readonly string[],
    targets: ReadonlyMap<string, readonly string[]>,
    around: Presence,
  ): Ports {
    const shown = this.shown(path);
    // sound: test/compile/components.test.ts
    const presence = {
      isAdded: around.isAdded || component.isAdded === true,
      isRemoved: around.isRemoved || this.#removed.has(path.join("/")),
    };
    const life = this.#drafts.push(lifeCycle(`${shown}.life`, shown, presence)) - 1;
    const bindings = new Map(
      component.requires.map(({ name }) => {
        const made = binding(
          `${shown}.${name}`,
          shown,
          targets.get(name) ?? [],
          comesAndGoes(component, name),
        );
        return [name, this.#drafts.push(made) - 1];
      }),
    );
    for (const { name, isMandatory } of component.requires)
      if (isMandatory)
        this.#failure(
          "mandatory",
          `ERROR_MANDATORY(${shown}.${name})`,
          new Map([
            [life, IS_STARTED],
            [bindings.get(name) ?? -1, IS_UNBOUND],
          ]),
        );
    const base = { component, shown, life, bindings };
    return component.content.kind === "primitive"
      ? this.#primitive(base, component.content.versions)
      : this.#composite(base, component.content.parts, path, presence);
  }

  #primitive(
    base: Pick<Ports, "component" | "shown" | "life" | "bindings">,
    versions: Extract<Component["content"], { kind: "primitive" }>["versions"],
  ): Ports {
    const { component, shown, life, bindings } = base;
    const body = this.#drafts.push(behaviour(shown, shown, versions)) - 1;
    const labels = [...new Set(versions.flatMap(({ behaviour: lts }) => lts.labels.slice(1)))];
    const running = (label: string): Moves =>
      new Map([
        [life, IS_STARTED],
        [body, label],
      ]);
    const calls = new Map<string, Call[]>();
    for (const { name } of component.requires) {
      const part = bindings.get(name) ?? -1;
      const own = callsOn(labels, "!", name);
      for (const operation of own)
        this.#failure(
          "unbound",
          `ERROR_UNBOUND(${shown}.${name}.${operation})`,
          merged(running(able(`!${name}.${operation}`)), new Map([[part, IS_UNBOUND]])),
        );
      calls.set(
        name,
        own.flatMap((operation) =>
          this.bindingAt(part).targets.map((target) => ({
            operation,
            target,
            moves: new Map([...running(`!${name}.${operation}`), [part, to(target)]]),
            stays: new Map([...running(able(`!${name}.${operation}`)), [part, to(target)]]),
          })),
        ),
      );
    }
    const receptions = new Map(
      component.provides.map(({ name }) => [
        name,
        callsOn(labels, "?", name).map((operation) => ({
          operation,
          moves: running(`?${name}.${operation}`),
        })),
      ]),
    );
    // sound: test/compile/components.test.ts
    const isSilent = versions.some(({ behaviour: lts }) => lts.actions.includes(TAU));
    if (isSilent) this.#step(TAU_NAME, running(SILENT));
    for (const label of labels) if (!/^[!?]/.test(label)) this.#step(`${shown}.${label}`, running(label));
    return {
      ...base,
      lives: [life],
      inside: [],
      internal: new Map(),
      body,
      calls,
      receptions,
    };
  }

  #composite(
    base: Pick<Ports, "component" | "shown" | "life" | "bindings">,
    parts: readonly Component[],
    path: readonly string[],
    presence: Presence,
  ): Ports {
    const { component, shown, life } = base;
    const inside = parts.map((part) =>
      this.#controller(part, [...path, part.name], this.#targets(component, part), presence),
    );
    const internal = new Map(
      component.provides.map(({ name, type }) => {
        const found = parts.flatMap((part) => providing(part, type));
        return [name, this.#drafts.push(binding(`${shown}/${name}`, shown, found)) - 1];
      }),
    );
    const whole: Ports = {
      ...base,
      lives: [life, ...inside.flatMap(({ lives }) => lives)],
      inside,
      internal,
      body: undefined,
      calls: new Map(),
      receptions: new Map(
        component.provides.map(({ name }) => [name, this.#receptions(name, base, inside, internal)]),
      ),
    };
    // A started composite that forwards calls to no component is an error, whether or not it is called.
    for (const [name, at] of internal)
      this.#failure(
        "unbound",
        `ERROR_UNBOUND(${shown}.${name})`,
        new Map([
          [life, IS_STARTED],
          [at, IS_UNBOUND],
        ]),
      );
    const leaving = new Map<string, Call[]>(component.requires.map(({ name }) => [name, []]));
    for (const part of inside)
      for (const [own, calls] of part.calls)
        for (const call of calls) this.#route(part, own, call, whole, leaving);
    return { ...whole, calls: leaving };
  }

  /** Provided interfaces beside the part, and required ones of its composite, of the same type. */
  #targets(composite: Component, part: Component): ReadonlyMap<string, readonly string[]> {
    const parts = composite.content.kind === "composite" ? composite.content.parts : [];
    return new Map(
      part.requires.map(({ name, type }) => [
        name,
        [
          ...parts.flatMap((other) => providing(other, type)),
          ...composite.requires
            .filter((own) => own.type === type)
            .map((own) => `${composite.name}.${own.name}`),
        ],
      ]),
    );
  }

  #receptions(
    name: string,
    { life }: Pick<Ports, "life">,
    inside: readonly Ports[],
    internal: ReadonlyMap<string, number>,
  ): Reception[] {
    return targetsOf(inside).flatMap(({ part, own, target }) =>
      (part.receptions.get(own) ?? []).flatMap(({ operation, moves }) => {
        const all = this.#forwarded(name, target, life, internal, moves);
        return all ? [{ operation, moves: all }] : [];
      }),
    );
  }

  #forwarded(
    name: string,
    target: string,
    life: number,
    internal: ReadonlyMap<string, number>,
    moves: Moves,
  ): Moves | undefined {
    const at = internal.get(name) ?? -1;
    if (!this.bindingAt(at).targets.includes(target)) return undefined;
    return merged(
      moves,
      new Map([
        [life, IS_STARTED],
        [at, to(target)],
      ]),
    );
  }

  /** A call of a part: to another part, or out of the composite. */
  #route(part: Ports, own: string, call: Call, whole: Ports, leaving: Map<string, Call[]>): void {
    const [first, name] = split(call.target);
    if (first === whole.component.name && leaving.has(name) && !providesAt(whole, call.target)) {
      const at = whole.bindings.get(name) ?? -1;
      this.#failure(
        "unbound",
        `ERROR_UNBOUND(${whole.shown}.${name}.${call.operation})`,
        merged(call.stays, new Map([[at, IS_UNBOUND]])),
      );
      for (const target of this.bindingAt(at).targets)
        leaving.get(name)?.push({
          operation: call.operation,
          target,
          moves: new Map([...call.moves, [at, to(target)]]),
          stays: new Map([...call.stays, [at, to(target)]]),
        });
      return;
    }
    const server = whole.inside.find(({ component }) => component.name === first);
    if (!server) return;
    for (const { operation, moves } of server.receptions.get(name) ?? [])
      if (operation === call.operation)
        this.#step(`${part.shown}.${own}.${operation}>${server.shown}.${name}`, merged(call.moves, moves));
    this.#failure(
      "stopped",
      `ERROR_STOPPED(${server.shown}.${name}.${call.operation})`,
      merged(call.stays, new Map([[server.life, IS_STOPPED]])),
    );
  }

  /** The environment calls every provided interface, and receives every call. */
  #environment({ component, shown, calls, receptions }: Ports): void {
    for (const { name } of component.requires)
      for (const { operation, target, moves } of calls.get(name) ?? [])
        this.#step(`${shown}.${name}.${operation}>${target}`, moves);
    for (const { name } of component.provides) {
      for (const { operation, moves } of receptions.get(name) ?? [])
        this.#step(`?${shown}.${name}.${operation}`, moves);
    }
  }
}

const providing = ({ name, provides }: Component, type: string): string[] =>
  provides.filter((own) => own.type === type).map((own) => `${name}.${own.name}`);

const targetsOf = (inside: readonly Ports[]): { part: Ports; own: string; target: string }[] =>
  inside.flatMap((part) =>
    part.component.provides.map(({ name }: ComponentInterface) => ({
      part,
      own: name,
      target: `${part.component.name}.${name}`,
    })),
  );

const providesAt = ({ inside }: Ports, target: string): boolean =>
  targetsOf(inside).some((each) => each.target === target);

/** `log` and `put(1)` of `!Ilog.log`, `!Ilog.put(1)`. */
const callsOn = (labels: readonly string[], sign: string, name: string): string[] =>
  labels.flatMap((label) => (label.startsWith(`${sign}${name}.`) ? [label.slice(name.length + 2)] : []));

function comesAndGoes({ content }: Component, name: string): "always" | "sometimes" | "later" {
  if (content.kind === "composite" || content.versions.every(({ interfaces }) => interfaces.has(name)))
    return "always";
  return nth(content.versions, 0).interfaces.has(name) ? "sometimes" : "later";
}

const namesIn = ({ name, content }: Component): string[] => [
  name,
  ...(content.kind === "composite" ? content.parts.flatMap(namesIn) : []),
];

/** One vector for equal steps. */
function vectorsOf(
  steps: readonly { readonly label: string; readonly moves: Moves }[],
  parts: readonly NetworkPart[],
): SyncVector[] {
  const found = new Map<string, SyncVector>();
  for (const { label, moves } of steps) {
    const labels = parts.map((_, part) => moves.get(part));
    found.set(JSON.stringify([label, labels]), { label, labels });
  }
  return [...found.values()];
}
