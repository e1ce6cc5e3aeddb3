/* expected: holds */
/* expected with -D LOCAL_READS: violated (answers are linearizable) */
/**
 * A register on a primary and a backup, with two clients in one node, which records their history. The primary answers a write when the
 * backup has it, and reads go to the primary.
 *
 * -D LOCAL_READS: the second client reads from the backup, which may have a value that the primary has not acknowledged, or an old one.
 * -D OPERATIONS=3: operations of both clients together.
 */
import {
  History,
  defineSystem,
  registerModel,
  type Environment,
  type RegisterOperation,
  type SystemDefinition,
} from "everypath/system";

type Operation = RegisterOperation<number>;
type Message =
  | { type: "ask"; call: number; operation: Operation }
  | { type: "copy"; call: number; value: number }
  | { type: "copied"; call: number }
  | { type: "answer"; call: number; output: number | null };

class Replica {
  value = 0;

  constructor(readonly environment: Environment) {}

  onMessage(from: string, message: Message): void {
    const { environment } = this;
    switch (message.type) {
      case "ask": {
        const { call, operation } = message;
        if (operation.op === "read") environment.send(from, { type: "answer", call, output: this.value });
        if (operation.op !== "write") return;
        this.value = operation.value;
        environment.send("backup", { type: "copy", call, value: operation.value });
        break;
      }
      case "copy":
        this.value = message.value;
        environment.send(from, { type: "copied", call: message.call });
        break;
      case "copied":
        environment.send("clients", { type: "answer", call: message.call, output: null });
        break;
      case "answer":
    }
  }
}

/** The clients share a node, so that the order of their calls and answers is known. */
class Clients {
  readonly history = new History<Operation, number | boolean | undefined>();
  waiting: string[] = [];
  #writes = 0;

  constructor(
    readonly environment: Environment,
    readonly readsLocally: boolean,
  ) {}

  write(): void {
    this.#ask("writer", { op: "write", value: ++this.#writes });
  }

  read(client: string): void {
    this.#ask(client, { op: "read" });
  }

  #ask(client: string, operation: Operation): void {
    this.waiting = [...this.waiting, client];
    const call = this.history.begin(client, operation);
    const isLocal = this.readsLocally && client === "second";
    this.environment.send(isLocal ? "backup" : "primary", { type: "ask", call, operation: { ...operation } });
  }

  onMessage(_from: string, message: Message & { type: "answer" }): void {
    const { client } = this.history.operations[message.call]!;
    this.waiting = this.waiting.filter((name) => name !== client);
    this.history.end(message.call, message.output ?? undefined);
  }
}

export default defineSystem(
  { LOCAL_READS: false, OPERATIONS: 3 },
  ({ LOCAL_READS, OPERATIONS }): SystemDefinition<Replica | Clients> => ({
    nodes: {
      primary: (environment) => new Replica(environment),
      backup: (environment) => new Replica(environment),
      clients: (environment) => new Clients(environment, LOCAL_READS),
    },
    network: { order: "fifo" },
    budgets: { operations: OPERATIONS },
    actions: {
      write: {
        on: "clients",
        budget: "operations",
        when: (node) => !(node as Clients).waiting.includes("writer"),
        run: (node) => (node as Clients).write(),
      },
      read: {
        on: "clients",
        budget: "operations",
        values: ["first", "second"],
        when: (node, client) => !(node as Clients).waiting.includes(client),
        run: (node, client) => (node as Clients).read(client),
      },
    },
    always: {
      "answers are linearizable": ({ nodes }) =>
        (nodes["clients"] as Clients).history.judge(registerModel(0)),
    },
  }),
);
