// expected: holds
// The rewrite of checkout-rewrite.ts with CANCEL where it belongs: nobody outside can tell it from checkout.ts.
import { assign, fromPromise, setup } from "xstate";

export const checkout = setup({
  types: { context: {} as { items: number }, events: {} as { type: "ADD" | "PAY" | "CANCEL" } },
  actors: { charge: fromPromise(() => fetch("https://payments.example/charge")) },
  actions: {
    add: assign({ items: ({ context }) => context.items + 1 }),
    empty: assign({ items: 0 }),
  },
}).createMachine({
  id: "checkout",
  initial: "shopping",
  context: { items: 0 },
  states: {
    shopping: {
      initial: "empty",
      on: {
        ADD: {
          guard: ({ context }) => context.items < 2,
          actions: "add",
          target: ".filled",
        },
      },
      states: { empty: {}, filled: { on: { PAY: "#checkout.paying" } } },
    },
    paying: {
      on: { CANCEL: { target: "shopping.empty", actions: "empty" } },
      invoke: { src: "charge", onDone: "paid", onError: "shopping.filled" },
      after: { 30000: "shopping.filled" },
    },
    paid: { type: "final" },
  },
});
