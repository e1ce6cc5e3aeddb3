/* expected: holds */
import { defineSystem, type Environment } from "everypath/system";

/** A node of a ring: the holder of the token may work, then passes it on. */
class Station {
  hasToken: boolean;
  rounds = 0;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.hasToken = environment.name === "a";
  }

  onStart(): void {
    if (this.hasToken) this.#environment.setTimer("pass");
  }

  onMessage(_from: string, _message: { type: "token" }): void {
    this.hasToken = true;
    this.#environment.setTimer("pass");
  }

  onTimer(): void {
    const { name, nodes } = this.#environment;
    this.hasToken = false;
    this.rounds = (this.rounds + 1) % 2;
    this.#environment.send(nodes[(nodes.indexOf(name) + 1) % nodes.length]!, { type: "token" });
  }
}

const station = (environment: Environment): Station => new Station(environment);

export default defineSystem<Station>({
  nodes: { a: station, b: station, c: station },
  always: {
    "at most one token": ({ nodes }) =>
      Object.values(nodes)
        .flatMap((node) => node ?? [])
        .filter((node) => node.hasToken).length <= 1,
  },
  sometimes: {
    "c has the token": ({ nodes }) => nodes["c"]!.hasToken,
  },
  eventually: {
    "c gets the token": ({ nodes }) => nodes["c"]!.hasToken,
  },
});
