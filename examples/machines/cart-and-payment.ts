// expected: violated (deadlock)
// A cart and a payment service as two machines that send each other events. The customer aborts while the payment is being charged: the service
// has charged already and drops REFUND, the cart no longer listens to PAID, and both wait for ever.
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
    charged: { type: "final" },
  },
});

export default defineMachines({
  machines: { cart, payment },
  events: { cart: ["BUY", "ABORT"] },
});
