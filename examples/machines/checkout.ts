// expected: holds
// A checkout as an XState statechart. While the payment is on its way, the customer may still cancel.
import { assign, fromPromise, setup } from "xstate";

export const checkout = setup({
  types: { context: {} as { items: number }, events: {} as { type: "ADD" | "PAY" | "CANCEL" } },
  actors: { charge: fromPromise(() => fetch("https://payments.example/charge")) },
  guards: {
    hasRoom: ({ context }) => context.items < 2,
    hasItems: ({ context }) => context.items > 0,
  },
  actions: {
    add: assign({ items: ({ context }) => context.items + 1 }),
    empty: assign({ items: 0 }),
  },
}).createMachine({
  id: "checkout",
  initial: "browsing",
  context: { items: 0 },
  states: {
    browsing: {
      on: {
        ADD: { guard: "hasRoom", actions: "add" },
        PAY: { guard: "hasItems", target: "paying" },
      },
    },
    paying: {
      invoke: { src: "charge", onDone: "paid", onError: "browsing" },
      after: { 30000: "browsing" },
      on: { CANCEL: { target: "browsing", actions: "empty" } },
    },
    paid: { type: "final" },
  },
});
