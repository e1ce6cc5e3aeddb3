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
  /** Nodes crash while the system starts. */
  | { readonly kind: "start"; readonly other: OtherStart }
  | { readonly kind: "restart"; readonly node: number; readonly call: number }
  | { readonly kind: "partition"; readonly mask: number }
  | { readonly kind: "heal" };

/** A start of the system in which some nodes crash in the middle of theirs; none: the start itself, of which there is more to say. */
export interface OtherStart {
  readonly words: Int32Array;
  /** The places of the properties that messages violate. */
  readonly sites: readonly number[];
  readonly crashed: readonly { readonly node: number; readonly outcome: Outcome }[];
}

/** Those that run code. */
export type Running = Extract<Event, { readonly call: number }>;
