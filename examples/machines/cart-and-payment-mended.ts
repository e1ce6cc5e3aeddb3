// expected: holds
// The machines of cart-and-payment.ts, mended: the service refunds what it has charged, and a cart that is cancelling waits for that alone.
import { createMachine, sendTo } from "xstate";
import { defineMachines } from "everypath/machines";

const cart = createMachine({
  id: "cart",
  initial: "open",
  states: {
    open: {
      on: {
        BUY: {
          target: "waiting",
          actions: sendTo(({ system }) => system.get("payment"), { type: "CHARGE" }),
        },
      },
    },
    waiting: {
      on: {
        PAID: "done",
        ABORT: {
          target: "cancelling",
          actions: sendTo(({ system }) => system.get("payment"), { type: "REFUND" }),
        },
      },
    },
    cancelling: { on: { REFUNDED: "open" } },
    done: { type: "final" },
  },
});

const payment = createMachine({
  id: "payment",
  initial: "idle",
  states: {
    idle: { on: { CHARGE: "charging" } },
    charging: {
      after: {
        2000: { target: "charged", actions: sendTo(({ system }) => system.get("cart"), { type: "PAID" }) },
      },
      on: {
        REFUND: { target: "idle", actions: sendTo(({ system }) => system.get("cart"), { type: "REFUNDED" }) },
      },
    },
    charged: {
      on: {
        REFUND: { target: "idle", actions: sendTo(({ system }) => system.get("cart"), { type: "REFUNDED" }) },
      },
    },
  },
});

export default defineMachines({
  machines: { cart, payment },
  events: { cart: ["BUY", "ABORT"] },
  // Nothing more happens once the cart is done.
  mayStop: { payment: ["charged"] },
  always: {
    "a paid cart was charged": ({ nodes }) =>
      nodes.cart?.value !== "done" || nodes.payment?.value === "charged",
  },
});
