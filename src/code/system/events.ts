/** What can happen in a system of nodes, and how it is called. */
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
  | { readonly kind: "lose"; readonly packet: number }
  | { readonly kind: "timer"; readonly name: string; readonly node: number; readonly call: number }
  | { readonly kind: "pending"; readonly label: string; readonly node: number; readonly call: number }
  | { readonly kind: "crash"; readonly node: number; readonly kept: number; readonly unsynced: number }
  | { readonly kind: "restart"; readonly node: number; readonly call: number }
  | { readonly kind: "partition"; readonly mask: number }
  | { readonly kind: "heal" };

/** Those that run code. */
export type Running = Extract<Event, { readonly call: number }>;
