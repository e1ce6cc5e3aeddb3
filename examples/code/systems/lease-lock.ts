/* expected: holds */
/* expected with -D NO_FENCING: violated (no write of an older holder follows a newer one) */
/* expected with -D UNSYNCED: violated (a token is given once) */
/**
 * A lock with leases: the server grants the lock for some time, with a token that grows; the holder writes to a store.
 * Clocks of server and holder differ, so a holder may write after its lease has ended at the server. The store therefore
 * refuses tokens older than the newest it has seen.
 *
 * -D NO_FENCING: the store takes every write. -D UNSYNCED: the server answers before its token is on disk.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

type Message =
  | { type: "acquire" }
  | { type: "granted"; token: number }
  | { type: "release"; token: number }
  | { type: "write"; token: number };

class Server {
  holder: string | null = null;
  token: number;

  constructor(
    readonly environment: Environment,
    readonly bugs: Parameters,
  ) {
    this.token = Number(environment.disk.read("token") ?? 0);
  }

  /** After a crash, a lease may still run somewhere. */
  onStart(): void {
    if (this.token > 0) {
      this.holder = "somebody";
      this.environment.setTimer("lease ends", 1000);
    }
  }

  onMessage(from: string, message: Message): void {
    if (message.type === "release" && message.token === this.token) this.onTimer();
    if (message.type !== "acquire" || this.holder !== null) return;
    this.holder = from;
    this.token++;
    this.environment.setTimer("lease ends", 1000);
    this.environment.disk.write("token", this.token);
    if (!this.bugs["UNSYNCED"]) this.environment.disk.sync();
    this.environment.send(from, { type: "granted", token: this.token });
    if (this.bugs["UNSYNCED"]) this.environment.disk.sync();
  }

  onTimer(): void {
    this.holder = null;
    this.environment.clearTimer("lease ends");
  }
}

class Client {
  token: number | null = null;

  constructor(readonly environment: Environment) {}

  acquire(): void {
    this.environment.send("server", { type: "acquire" });
  }

  write(): void {
    this.environment.send("store", { type: "write", token: this.token ?? 0 });
  }

  onMessage(_from: string, message: Message): void {
    if (message.type !== "granted") return;
    this.token = message.token;
    this.environment.setTimer("lease ends", 900);
  }

  onTimer(): void {
    this.environment.send("server", { type: "release", token: this.token ?? 0 });
    this.token = null;
  }
}

class Store {
  newest = 0;
  last = 0;
  /** By token: the client that used it. */
  writers: Record<string, string> = {};
  hasTwoWriters = false;

  constructor(readonly bugs: Parameters) {}

  onMessage(from: string, { token }: Message & { type: "write" }): void {
    if (token < this.newest && !this.bugs["NO_FENCING"]) return;
    this.last = token;
    this.newest = Math.max(this.newest, token);
    this.hasTwoWriters ||= (this.writers[token] ?? from) !== from;
    this.writers[token] = from;
  }
}

export default defineSystem<Server | Client | Store>((parameters) => {
  const client = (environment: Environment): Client => new Client(environment);
  const acquires = Number(parameters["ACQUIRES"] ?? 2);
  return {
    nodes: {
      server: (environment) => new Server(environment, parameters),
      store: () => new Store(parameters),
      alice: client,
      bob: client,
    },
    network: { capacity: 3 },
    faults: { crashes: 1, crashing: ["server"] },
    actions: {
      acquire: { on: ["alice", "bob"], times: acquires, run: (node) => (node as Client).acquire() },
      write: {
        on: ["alice", "bob"],
        times: 2,
        when: (node) => (node as Client).token !== null,
        run: (node) => (node as Client).write(),
      },
    },
    guide: ({ nodes }) => {
      const { store, alice, bob } = nodes as { store: Store; alice: Client; bob: Client };
      return [store.newest, store.last, Number(alice.token), Number(bob.token)]
        .map((n) => Math.min(n, 4))
        .join(" ");
    },
    // Compared by --refines ../refinement/fencing.pml.
    observe: ({ nodes }) => ({ last: (nodes["store"] as Store).last }),
    always: {
      "no write of an older holder follows a newer one": ({ nodes }) => {
        const { last, newest } = nodes["store"] as Store;
        return last >= newest;
      },
      "a token is given once": ({ nodes }) => !(nodes["store"] as Store).hasTwoWriters,
    },
  };
});
