/* expected: holds */
/* expected with -D TIMEOUTS: violated (loop freedom) */
/**
 * The skeleton of a routing protocol: ask the neighbours, answer with known routes, store answers. It has no notion of
 * freshness; with -D TIMEOUTS routes expire, and an old answer makes a loop.
 */
import { defineSystem, type Environment } from "everypath/system";

type Message = { type: "request" } | { type: "response" };

class Router {
  /** The next hop towards d; null: unknown. */
  nextHop: string | null;
  isAsking = false;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.nextHop = environment.name === "d" ? "d" : null;
  }

  request(): void {
    this.isAsking = true;
    this.#environment.broadcast({ type: "request" });
  }

  onMessage(from: string, message: Message): void {
    if (message.type === "request" && this.nextHop !== null && this.nextHop !== from)
      this.#environment.send(from, { type: "response" });
    if (message.type === "response" && this.isAsking) {
      this.isAsking = false;
      this.nextHop = from;
    }
  }

  timeOut(): void {
    this.nextHop = null;
  }
}

const router = (environment: Environment): Router => new Router(environment);

export default defineSystem<Router>((parameters) => ({
  nodes: { a: router, b: router, d: router },
  network: { loss: true, capacity: 2 },
  actions: {
    request: {
      on: ["a", "b"],
      when: (node) => node.nextHop === null && !node.isAsking,
      run: (node) => node.request(),
    },
    giveUp: { on: ["a", "b"], when: (node) => node.isAsking, run: (node) => void (node.isAsking = false) },
    ...(parameters["TIMEOUTS"]
      ? {
          timeOut: {
            on: ["a", "b"],
            when: (node: Router) => node.nextHop !== null,
            run: (node: Router) => node.timeOut(),
          },
        }
      : {}),
  },
  always: {
    "loop freedom": ({ nodes }) => !(nodes["a"]!.nextHop === "b" && nodes["b"]!.nextHop === "a"),
  },
}));
