/* expected: holds */
import { defineSystem, type Environment, type Shape } from "everypath/system";

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

const places: Readonly<Record<string, readonly [number, number]>> = {
  a: [150, 40],
  b: [250, 190],
  c: [50, 190],
};

/** A line between two stations, without the parts inside their circles. */
function between(from: string, to: string): readonly [number, number, number, number] {
  const [[x1, y1], [x2, y2]] = [places[from]!, places[to]!];
  const [dx, dy] = [(x2 - x1) * 0.24, (y2 - y1) * 0.24];
  return [x1 + dx, y1 + dy, x2 - dx, y2 - dy];
}

export default defineSystem<Station>({
  nodes: { a: station, b: station, c: station },
  picture: ({ nodes, names, network }) => ({
    shapes: [
      ...names.map((name): Shape => {
        const { hasToken, rounds } = nodes[name]!;
        return {
          circle: [...places[name]!, 34],
          text: `${name}\n${rounds}`,
          colour: hasToken ? "good" : "plain",
        };
      }),
      ...network.flatMap(({ from, to }) =>
        to.map((other): Shape => ({
          line: between(from, other),
          arrow: true,
          text: "token",
          colour: "accent",
        })),
      ),
    ],
  }),
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
