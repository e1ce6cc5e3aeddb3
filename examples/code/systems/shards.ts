/* expected: holds */
/* expected with -D HASTY: violated (values acknowledged by shard 1 are on both) */
/**
 * A sharded store: each shard has a separate client, primary and backup. A primary acknowledges data that its backup has. Shards are
 * independent, so one order of their steps suffices: partial-order reduction omits the rest.
 *
 * -D SHARDS=3 shards; -D PUTS=2 values of each client. -D HASTY: a primary acknowledges at once.
 */
import { defineSystem, type Environment, type SystemView } from "everypath/system";

type Message = { type: "put" | "copy" | "copied" | "done"; value: number };

class Client {
  acknowledged = 0;

  constructor(
    readonly environment: Environment,
    readonly shard: number,
    readonly puts: number,
  ) {}

  onStart(): void {
    this.environment.setTimer("next");
  }

  onTimer(): void {
    this.environment.send(`primary${this.shard}`, { type: "put", value: this.acknowledged + 1 });
  }

  onMessage(_from: string, { value }: Message): void {
    this.acknowledged = value;
    if (value < this.puts) this.environment.setTimer("next");
  }
}

class Primary {
  stored = 0;

  constructor(
    readonly environment: Environment,
    readonly shard: number,
    readonly isHasty: boolean,
  ) {}

  onMessage(_from: string, { type, value }: Message): void {
    const { environment, shard } = this;
    if (type === "put") {
      this.stored = value;
      environment.send(`backup${shard}`, { type: "copy", value });
    }
    if (type === (this.isHasty ? "put" : "copied"))
      environment.send(`client${shard}`, { type: "done", value });
  }
}

class Backup {
  stored = 0;

  constructor(readonly environment: Environment) {}

  onMessage(from: string, { value }: Message): void {
    this.stored = value;
    this.environment.send(from, { type: "copied", value });
  }
}

type Member = Client | Primary | Backup;

export default defineSystem<Member>(({ SHARDS = 3, PUTS = 2, HASTY = false }) => {
  const shards = Array.from({ length: Number(SHARDS) }, (_, shard) => shard + 1);
  return {
    nodes: Object.fromEntries(
      shards.flatMap((shard): [string, (environment: Environment) => Member][] => [
        [`client${shard}`, (environment) => new Client(environment, shard, Number(PUTS))],
        [`primary${shard}`, (environment) => new Primary(environment, shard, Boolean(HASTY))],
        [`backup${shard}`, (environment) => new Backup(environment)],
      ]),
    ),
    always: Object.fromEntries(
      shards.map((shard) => [
        `values acknowledged by shard ${shard} are on both`,
        ({ nodes }: SystemView<Member>) => {
          const { acknowledged } = nodes[`client${shard}`] as Client;
          const [primary, backup] = [nodes[`primary${shard}`] as Primary, nodes[`backup${shard}`] as Backup];
          return acknowledged <= primary.stored && acknowledged <= backup.stored;
        },
      ]),
    ),
  };
});
