/* expected: holds */
/* expected with -D BLIND: violated (nothing is delivered twice) */
/**
 * A shop that takes orders by HTTP and a customer who orders once: both plain programs that use `node:http`. If the response takes too
 * long, the customer gives up, which resets the connection, and the order may have been served or not. The customer retries
 * with the same order number; the shop keeps deliveries on disk.
 *
 * -D BLIND: the shop ignores the number.
 */
import * as fs from "node:fs";
import { createServer, request } from "node:http";
import { defineSystem } from "everypath/system";

const port = 80;

/** Delivers undelivered orders and records them. */
function shop(looks: boolean): { delivered: string[] } {
  const state = { delivered: fs.existsSync("/delivered") ? read() : [] };
  createServer((req, res) => {
    const number = String(req.headers["x-order"]);
    if (!looks || !state.delivered.includes(number)) {
      state.delivered.push(number);
      const file = fs.openSync("/delivered", "w");
      fs.writeSync(file, JSON.stringify(state.delivered));
      fs.fsyncSync(file);
      fs.closeSync(file);
    }
    res.end("done");
  }).listen(port);
  return state;
}

const read = (): string[] => JSON.parse(fs.readFileSync("/delivered", "utf8")) as string[];

interface Customer {
  answers: number;
  errors: number;
  order(): void;
}

function customer(): Customer {
  const state: Customer = {
    answers: 0,
    errors: 0,
    order() {
      const headers = { "X-Order": "1" };
      // The second request has no timeout.
      const timeout = state.errors === 0 ? 1000 : 0;
      const order = request({ host: "shop", port, method: "POST", headers, timeout }, (res) => {
        if (res.statusCode === 200) state.answers++;
        res.resume();
      });
      order.on("timeout", () => order.destroy(new Error("no answer")));
      order.on("error", () => void state.errors++);
      order.end("a book");
    },
  };
  return state;
}

export default defineSystem(({ BLIND = false }) => ({
  nodes: { shop: () => shop(!BLIND) as never, customer: () => customer() as never },
  network: { order: "fifo" },
  actions: {
    order: { on: "customer", times: 1, run: (node) => (node as unknown as Customer).order() },
    again: {
      on: "customer",
      times: 1,
      when: (node) => (node as unknown as Customer).errors > 0,
      run: (node) => (node as unknown as Customer).order(),
    },
  },
  always: {
    "nothing is delivered twice": ({ nodes, isUp }) =>
      !isUp("shop") || (nodes["shop"] as unknown as { delivered: string[] }).delivered.length <= 1,
  },
  sometimes: {
    "the customer is answered": ({ nodes }) => (nodes["customer"] as unknown as Customer).answers > 0,
    "an order fails": ({ nodes }) => (nodes["customer"] as unknown as Customer).errors > 0,
  },
}));
