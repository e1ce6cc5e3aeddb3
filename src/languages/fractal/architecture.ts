/** Resolves definitions to components: interfaces, behaviours, and bindings of equal types. */
import {
  TAU_NAME,
  type Component,
  type ComponentEnd,
  type ComponentInterface,
  type ComponentVersion,
  type Diagnostic,
  type Lts,
  type Span,
} from "../../model/index.js";
import { suggest } from "../toolkit/spelling.js";
import type { DeclaredBinding, DeclaredContent, DeclaredInterface, DeclaredPart, Definition } from "./ast.js";
import type { Definitions } from "./files.js";

/** Reads a behaviour; `format` is Aldebaran or pLTS. */
export type ReadBehaviour = (
  file: string,
  text: string,
  format: string,
) => { readonly lts: Lts | undefined; readonly diagnostics: readonly Diagnostic[] };

/** A component with what its definition says beyond it. */
export interface Resolved {
  readonly component: Component;
  readonly definition: Definition;
  readonly parts: readonly Resolved[];
}

const MOST_COMPONENTS = 500;

export class Resolver {
  readonly #definitions: Definitions;
  readonly #readBehaviour: ReadBehaviour;
  #count = 0;

  constructor(definitions: Definitions, readBehaviour: ReadBehaviour) {
    this.#definitions = definitions;
    this.#readBehaviour = readBehaviour;
  }

  /** `within`: definitions that contain this one. */
  component(name: string, definition: Definition, within: readonly string[] = []): Resolved {
    const error = this.#definitions.error;
    if (++this.#count > MOST_COMPONENTS && this.#count === MOST_COMPONENTS + 1)
      error("fractal/too-large", definition.span, `there are more than ${MOST_COMPONENTS} components`);
    this.#distinct(definition.interfaces, "interface");
    this.#distinct(definition.parts, "component");
    const interfaces = definition.interfaces.map((each) => this.#interface(each));
    const { content, span } = definition;
    const base = {
      name,
      provides: interfaces.flatMap(({ isServer, made }) => (isServer ? [made] : [])),
      requires: interfaces.flatMap(({ isServer, made }) => (isServer ? [] : [made])),
      span,
    };
    if (content && definition.parts.length > 0)
      error("fractal/content", content.span, "a component has a content or parts, not both");
    if (content || definition.parts.length === 0)
      return { component: { ...base, content: this.#primitive(definition, content) }, definition, parts: [] };
    const parts =
      this.#count > MOST_COMPONENTS ? [] : definition.parts.flatMap((part) => this.#part(part, within));
    for (const part of definition.parts)
      if (part.name === name)
        error(
          "fractal/name",
          part.span,
          `a part has the name of its composite, '${name}'`,
          "rename one of them",
        );
    const component: Component = {
      ...base,
      content: { kind: "composite", parts: parts.map((part) => part.component) },
    };
    for (const binding of definition.bindings) this.binding(component, binding);
    return { component, definition, parts };
  }

  /** Ends of a binding, if it is right. */
  binding(
    composite: Component,
    { client, server, span }: DeclaredBinding,
  ): { readonly client: ComponentEnd; readonly server: ComponentEnd } | undefined {
    const from = this.end(composite, client, "client", span);
    const target = this.end(composite, server, "server", span);
    if (!from || !target) return undefined;
    // sound: test/languages/fractal.test.ts
    if (from.own.type !== target.own.type) {
      this.#definitions.error(
        "fractal/incompatible",
        span,
        `'${client}' has the type ${from.own.type}, '${server}' the type ${target.own.type}`,
      );
      return undefined;
    }
    return { client: from.end, server: target.end };
  }

  /** Inside a composite, what it provides is a client and what it requires is a server. */
  end(
    composite: Component,
    text: string,
    role: "client" | "server",
    span: Span,
  ): { readonly end: ComponentEnd; readonly own: ComponentInterface } | undefined {
    const error = this.#definitions.error;
    const dot = text.indexOf(".");
    const [name, own] = [text.slice(0, dot), text.slice(dot + 1)];
    const parts = composite.content.kind === "composite" ? composite.content.parts : [];
    const isThis = name === "this";
    const component = isThis ? composite : parts.find((part) => part.name === name);
    if (dot < 0 || !component) {
      const names = ["this", ...parts.map((part) => part.name)];
      error(
        "fractal/unknown-component",
        span,
        dot < 0 ? `'${text}' is not COMPONENT.INTERFACE` : `'${composite.name}' has no part '${name}'`,
        suggest(name, names) ?? `this.${text} is an interface of '${composite.name}' itself`,
      );
      return undefined;
    }
    const isClient = (role === "client") !== isThis;
    const [offered, others] = isClient
      ? [component.requires, component.provides]
      : [component.provides, component.requires];
    const found = offered.find((each) => each.name === own);
    if (found) return { end: { component: isThis ? undefined : name, interface: own }, own: found };
    const isOther = others.some((each) => each.name === own);
    error(
      isOther ? "fractal/role" : "fractal/unknown-interface",
      span,
      isOther
        ? `'${text}' is a ${isClient ? "server" : "client"} interface: it cannot be the ${role} of a binding`
        : `'${component.name}' has no interface '${own}'`,
      suggest(
        own,
        offered.map((each) => each.name),
      ),
    );
    return undefined;
  }

  /** Of a definition that an update puts in the place of another. */
  version(name: string, definition: Definition): ComponentVersion {
    const interfaces = new Set(definition.interfaces.map((each) => each.name));
    const made = this.component(name, definition).component.content;
    const [first] = made.kind === "primitive" ? made.versions : [];
    if (made.kind === "composite")
      this.#definitions.error("fractal/update", definition.span, "only a primitive component can be updated");
    return { name, behaviour: first?.behaviour ?? NOTHING, interfaces };
  }

  #part({ name, definition, own, span }: DeclaredPart, within: readonly string[]): Resolved[] {
    if (definition === undefined) return [this.component(name, own, within)];
    const error = this.#definitions.error;
    // sound: test/languages/fractal.test.ts
    if (within.includes(definition)) {
      error("fractal/recursive", span, `'${definition}' contains itself`);
      return [];
    }
    const found = this.#definitions.named(definition, span);
    if (!found) return [];
    if (own.content ?? own.parts[0] ?? own.bindings[0] ?? own.deployment)
      error("fractal/overrides", span, `'${name}' has a definition and contents`, "write one of them");
    for (const each of own.interfaces) {
      const declared = found.interfaces.find((one) => one.name === each.name);
      if (declared?.type !== each.type || declared.isServer !== each.isServer)
        error(
          "fractal/interface",
          each.span,
          `'${each.name}' is not this interface in the definition '${definition}'`,
        );
    }
    return [this.component(name, found, [...within, definition])];
  }

  #interface({ name, isServer, type, isMandatory, span }: DeclaredInterface): {
    readonly isServer: boolean;
    readonly made: ComponentInterface;
  } {
    const { types, error } = this.#definitions;
    if (!types.has(type))
      error(
        "fractal/unknown-type",
        span,
        `there is no interface type '${type}'`,
        suggest(type, types.keys()) ?? `<types>interface ${type} { … }</types> declares it`,
      );
    return { isServer, made: { name, type, isMandatory, span } };
  }

  #primitive(definition: Definition, content: DeclaredContent | undefined): Component["content"] {
    const { interfaces, span } = definition;
    const behaviour = this.#behaviour(definition, content, span);
    const version = {
      name: definition.name,
      behaviour: behaviour ?? NOTHING,
      interfaces: new Set(interfaces.map((each) => each.name)),
    };
    return { kind: "primitive", versions: [version] };
  }

  #behaviour(definition: Definition, content: DeclaredContent | undefined, span: Span): Lts | undefined {
    const { error, diagnostics } = this.#definitions;
    const declared = content?.behaviour;
    if (!declared) {
      error(
        "fractal/no-behaviour",
        content?.span ?? span,
        "a component without parts needs a behaviour",
        '<content><behaviour file="NAME.aut"/></content>',
      );
      return undefined;
    }
    const read =
      declared.file === undefined
        ? { file: declared.span.file, text: "\n".repeat(declared.at) + declared.text }
        : this.#definitions.textOf(declared.file, declared.span);
    if (!read) return undefined;
    const { lts, diagnostics: found } = this.#readBehaviour(read.file, read.text, declared.format);
    diagnostics.push(...found);
    if (lts) this.#labels(lts, definition, declared.span);
    return lts;
  }

  /** Calls must be those of the interfaces. */
  #labels({ labels, error: failing, states }: Lts, { interfaces }: Definition, span: Span): void {
    const { error, types } = this.#definitions;
    if (failing >= 0) error("fractal/error-state", span, "a behaviour has no error state");
    if (states > MOST_STATES)
      error("fractal/too-large", span, `a behaviour has at most ${MOST_STATES} states`);
    for (const label of labels) {
      // Labels in parentheses are conditions of controllers.
      // sound: test/languages/fractal.test.ts
      if (label.startsWith("(") || /^update \d/.test(label))
        error("fractal/label", span, `'${label}' is no label of a behaviour`);
      if (label === TAU_NAME || !/^[!?]/.test(label)) continue;
      const match = /^[!?]([\w-]+)\.([A-Za-z_]\w*)(?:\(.*\))?$/s.exec(label);
      const own = interfaces.find(({ name }) => name === match?.[1]);
      const isServer = label.startsWith("?");
      // sound: test/languages/fractal.test.ts
      if (!match || own?.isServer !== isServer) {
        error(
          "fractal/label",
          span,
          `'${label}' is no call on a ${isServer ? "server" : "client"} interface`,
          suggest(
            match?.[1] ?? "",
            interfaces.map(({ name }) => name),
          ) ?? "?INTERFACE.OPERATION receives, !INTERFACE.OPERATION calls",
        );
        continue;
      }
      const operations = types.get(own.type);
      const operation = match[2] ?? "";
      if (operations && !operations.has(operation))
        error(
          "fractal/unknown-operation",
          span,
          `'${own.type}' has no operation '${operation}'`,
          suggest(operation, operations),
        );
    }
  }

  #distinct(named: readonly { readonly name: string; readonly span: Span }[], what: string): void {
    const seen = new Set<string>();
    for (const { name, span } of named) {
      if (seen.has(name))
        this.#definitions.error("fractal/duplicate-name", span, `a second ${what} '${name}'`);
      seen.add(name);
    }
  }
}

const MOST_STATES = 20_000;

/** Stands for a behaviour that is wrong. */
const NOTHING: Lts = {
  states: 1,
  initial: [0],
  error: -1,
  labels: [TAU_NAME],
  firsts: new Int32Array(2),
  actions: new Int32Array(0),
  targets: new Int32Array(0),
};
