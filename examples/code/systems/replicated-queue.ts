/* expected: holds */
/* expected with -D GIVES_FIRST: violated (nothing is given twice) */
/* expected with -D ACKNOWLEDGES_FIRST: violated (acknowledged items are kept) */
/**
 * A queue on a primary and a backup. The primary answers the client when the backup has its change; after a crash of the
 * primary the backup leads, and the client repeats what was not answered.
 *
 * -D GIVES_FIRST: the primary gives an item away before the backup knows. -D ACKNOWLEDGES_FIRST: it acknowledges an item
 * before the backup has it.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

type Request = { type: "put"; id: number } | { type: "get"; id: number };
type Message =
  | Request
  | { type: "copy"; request: Request; client: string }
  | { type: "copied"; request: Request; client: string }
  | { type: "done"; request: Request; item: number }
  | { type: "retired" }
  | { type: "leader" };

class Replica {
  role: "leader" | "backup" | "retired";
  queue: number[] = [];
  /** Items that were put, and the item that each `get` received. */
  put: number[] = [];
  given: Record<string, number> = {};

  constructor(
    readonly environment: Environment,
    readonly bugs: Parameters,
  ) {
    this.role = environment.name === "backup" ? "backup" : "leader";
    if (environment.disk.read("begun") === true) this.role = "retired";
  }

  onStart(): void {
    if (this.role === "retired") return this.environment.send("backup", { type: "retired" });
    if (this.role !== "leader") return;
    this.environment.disk.write("begun", true);
    this.environment.disk.sync();
  }

  onMessage(from: string, message: Message): void {
    if (this.role === "retired") return;
    switch (message.type) {
      case "put":
      case "get":
        if (this.role === "leader") this.#serve(from, message);
        break;
      case "copy":
        if (this.role !== "backup") return;
        this.#apply(message.request);
        this.environment.send(from, { ...message, type: "copied" });
        break;
      case "copied":
        this.#answer(message.client, message.request);
        break;
      case "retired":
        this.role = "leader";
        this.environment.send("client", { type: "leader" });
    }
  }

  #serve(client: string, request: Request): void {
    const isReady = this.#apply(request);
    if (!isReady) return;
    const isLast = this.environment.name === "backup";
    const isEarly = Boolean(this.bugs[request.type === "get" ? "GIVES_FIRST" : "ACKNOWLEDGES_FIRST"]);
    if (isLast || isEarly) this.#answer(client, request);
    if (!isLast) this.environment.send("backup", { type: "copy", request, client });
  }

  /** Applies a request once; false: there is nothing to give. */
  #apply({ type, id }: Request): boolean {
    if (type === "put") {
      if (!this.put.includes(id))
        [this.put, this.queue] = [
          [...this.put, id],
          [...this.queue, id],
        ];
      return true;
    }
    if (this.given[id] !== undefined) return true;
    const [first, ...rest] = this.queue;
    if (first === undefined) return false;
    this.given[id] = first;
    this.queue = rest;
    return true;
  }

  #answer(client: string, request: Request): void {
    const item = request.type === "put" ? request.id : (this.given[request.id] ?? -1);
    this.environment.send(client, { type: "done", request, item });
  }
}

class Client {
  leader = "primary";
  open: Request[] = [];
  acknowledged: number[] = [];
  received: number[] = [];
  #puts = 0;
  #gets = 0;

  constructor(readonly environment: Environment) {}

  put(): void {
    this.#ask({ type: "put", id: ++this.#puts });
  }

  get(): void {
    this.#ask({ type: "get", id: ++this.#gets });
  }

  #ask(request: Request): void {
    this.open = [...this.open, request];
    this.environment.send(this.leader, request);
  }

  onMessage(_from: string, message: Message): void {
    if (message.type === "leader") {
      this.leader = "backup";
      for (const request of this.open) this.environment.send(this.leader, request);
    }
    if (message.type !== "done") return;
    const { type, id } = message.request;
    if (!this.open.some((request) => request.type === type && request.id === id)) return;
    this.open = this.open.filter((request) => request.type !== type || request.id !== id);
    if (type === "put") this.acknowledged = [...this.acknowledged, id];
    else this.received = [...this.received, message.item];
  }
}

export default defineSystem<Replica | Client>((parameters) => {
  const replica = (environment: Environment): Replica => new Replica(environment, parameters);
  const puts = Number(parameters["PUTS"] ?? 1);
  const gets = Number(parameters["GETS"] ?? 2);
  return {
    nodes: { primary: replica, backup: replica, client: (environment) => new Client(environment) },
    network: { order: "fifo" },
    faults: { crashes: 1, crashing: ["primary"] },
    actions: {
      put: { on: "client", times: puts, run: (node) => (node as Client).put() },
      get: { on: "client", times: gets, run: (node) => (node as Client).get() },
    },
    guide: ({ nodes }) => {
      const { backup, client } = nodes as { backup: Replica; client: Client };
      return `${backup.role} ${backup.queue.length} ${client.open.length} ${client.received.length}`;
    },
    // Compared by --refines ../refinement/queue.ts.
    observe: ({ nodes }) => {
      const { acknowledged, received } = nodes["client"] as Client;
      return { acknowledged, received };
    },
    always: {
      "nothing is given twice": ({ nodes }) => {
        const { received } = nodes["client"] as Client;
        return new Set(received).size === received.length;
      },
      "acknowledged items are kept": ({ nodes }) => {
        const { role, put } = nodes["backup"] as Replica;
        return role !== "leader" || (nodes["client"] as Client).acknowledged.every((id) => put.includes(id));
      },
    },
    sometimes: {
      "an item passes through": ({ nodes }) => (nodes["client"] as Client).received.length > 0,
    },
  };
});
