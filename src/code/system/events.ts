/** Events of a system of nodes, and their names. */
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
  /** Message to a crashed node. */
  | { readonly kind: "miss"; readonly packet: number; readonly node: number }
  /** `left`: contents of the network afterwards. `isCut`: lost because of a partition. */
  | { readonly kind: "lose"; readonly packet: number; readonly left: number; readonly isCut: boolean }
  | { readonly kind: "timer"; readonly name: string; readonly node: number; readonly call: number }
  | { readonly kind: "pending"; readonly label: string; readonly node: number; readonly call: number }
  | {
      readonly kind: "crash";
      readonly node: number;
      /** Number of unsynced writes, and indices of the surviving ones. */
      readonly unsynced: number;
      readonly kept: readonly number[];
      /** Index of the unsynced write that survives in part, if any. */
      readonly torn: number | undefined;
      readonly next: number;
    }
  /** An entry on the disk of a node that is down changes. */
  | {
      readonly kind: "corrupt";
      readonly node: number;
      readonly key: string;
      readonly how: "garbled" | "flipped";
      readonly next: number;
    }
  /** Leaves the root, if the system has several initial states. */
  | { readonly kind: "start"; readonly start: Start }
  | { readonly kind: "restart"; readonly node: number; readonly call: number }
  | { readonly kind: "partition"; readonly mask: number }
  | { readonly kind: "heal" };

export interface Start {
  readonly words: Int32Array;
  /** Sites of properties that messages violate. */
  readonly sites: readonly number[];
  /** Site of a node's failure, which leaves no state; or -1. */
  readonly site: number;
  /** Nodes that crash meanwhile, or whose operations fail. */
  readonly incidents: readonly { readonly node: number; readonly outcome: Outcome }[];
}

/** Events that run code. */
export type Running = Extract<Event, { readonly call: number }>;
