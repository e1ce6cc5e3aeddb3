/**
 * Architectures of hierarchical components: a composite contains components, a primitive has a behaviour. Interfaces are provided
 * (they receive calls) or required (they emit calls), and required ones are bound to provided ones by control operations.
 *
 * Labels of a behaviour: `?p.m` receives the call `m` on the interface `p`, `!r.m` emits one, anything else is internal.
 */
import type { Span } from "./diagnostic.js";
import type { Lts } from "./lts.js";

export interface Architecture {
  readonly root: Component;
  /** The control operations that are executed, in order; absent: any, at any time. */
  readonly plan?: ControlPlan;
  readonly errors: ReadonlySet<ComponentError>;
  /** May parts of a composite be started and stopped separately? */
  readonly exposesSubcontrol: boolean;
  readonly span: Span;
}

/** A call on an unbound interface, a call to a stopped component, a start while a mandatory interface is unbound. */
export const componentErrors = ["unbound", "stopped", "mandatory"] as const;
export type ComponentError = (typeof componentErrors)[number];

export interface Component {
  readonly name: string;
  readonly provides: readonly ComponentInterface[];
  readonly requires: readonly ComponentInterface[];
  readonly content: ComponentContent;
  /** An operation of the plan adds it. */
  readonly isAdded?: boolean;
  readonly span: Span;
}

export interface ComponentInterface {
  readonly name: string;
  readonly type: string;
  /** A component must not be started while it is unbound. */
  readonly isMandatory: boolean;
  readonly span: Span;
}

export type ComponentContent =
  | { readonly kind: "composite"; readonly parts: readonly Component[] }
  | {
      readonly kind: "primitive";
      /** The first, then those that updates put in its place. The interfaces of the component are those of all versions. */
      readonly versions: readonly ComponentVersion[];
    };

export interface ComponentVersion {
  readonly name: string;
  readonly behaviour: Lts;
  /** Names of its interfaces. */
  readonly interfaces: ReadonlySet<string>;
}

/** The operations before `deployed` deploy the system; those after it change the running system, and need not happen. */
export interface ControlPlan {
  readonly operations: readonly ControlOperation[];
  readonly deployed: number;
}

/** Names from the root on, without it. */
export type ComponentPath = readonly string[];

/** An interface of a part of a composite, or of the composite itself. */
export interface ComponentEnd {
  readonly component: string | undefined;
  readonly interface: string;
}

export type ControlOperation = { readonly span: Span } & (
  | { readonly kind: "start" | "stop" | "add" | "remove"; readonly component: ComponentPath }
  | {
      readonly kind: "bind";
      readonly within: ComponentPath;
      readonly client: ComponentEnd;
      readonly server: ComponentEnd;
    }
  | { readonly kind: "unbind"; readonly within: ComponentPath; readonly client: ComponentEnd }
  | {
      readonly kind: "update";
      readonly component: ComponentPath;
      readonly version: number;
      /** By state of the version before: its image, or -1; undefined: the new behaviour is where the same actions lead it. */
      readonly map: readonly number[] | undefined;
    }
);

/** What stands outside of the root. */
export const ENVIRONMENT = "env";
