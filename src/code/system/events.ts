/** What can happen in a system of nodes, and how it is called. */
import type { Outcome } from "./local-steps.js";

export type Event =
  | {
      readonly kind: "action";
      readonly action: number;
      readonly value: number;
      readonly node: number;
      readonly call: number;
    }
  | {
      readonly kind: "deliver";
      readonly packet: number;
      readonly node: number;
      readonly call: number;
      readonly keeps: boolean;
    }
  /** To a node that is down. */
  | { readonly kind: "miss"; readonly packet: number; readonly node: number }
  /** `left`: what is under way after it. `isCut`: it was on its way from one part of the network to the other. */
  | { readonly kind: "lose"; readonly packet: number; readonly left: number; readonly isCut: boolean }
  | { readonly kind: "timer"; readonly name: string; readonly node: number; readonly call: number }
  | { readonly kind: "pending"; readonly label: string; readonly node: number; readonly call: number }
  | {
      readonly kind: "crash";
      readonly node: number;
      /** Of how many unsynced writes which ones survive. */
      readonly unsynced: number;
      readonly kept: readonly number[];
      /** The state of the node after it. */
      readonly next: number;
    }
  /** From the root, where there are several ways to start. */
  | { readonly kind: "start"; readonly start: Start }
  | { readonly kind: "restart"; readonly node: number; readonly call: number }
  | { readonly kind: "partition"; readonly mask: number }
  | { readonly kind: "heal" };

/** A way in which the system starts. */
export interface Start {
  readonly words: Int32Array;
  /** The places of the properties that messages violate. */
  readonly sites: readonly number[];
  /** The place of what a node fails by, so that there is no state; or -1. */
  readonly site: number;
  /** Nodes that crash in the middle of it, or in which something fails. */
  readonly told: readonly { readonly node: number; readonly outcome: Outcome }[];
}

/** Those that run code. */
export type Running = Extract<Event, { readonly call: number }>;
