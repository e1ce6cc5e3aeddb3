/* expected: holds */
/* expected with -D NO_TOMBSTONES: violated (replicas with the same updates agree) */
/* expected with -D LAST_SEEN: violated (replicas with the same updates agree) */
/**
 * A replicated set that needs no agreement (observed-remove set): every addition has a tag, a removal removes the tags
 * that the replica has seen, and replicas merge their states whenever one arrives.
 *
 * -D NO_TOMBSTONES: a merge forgets which tags were removed. -D LAST_SEEN: a removal by one replica also takes the tags
 * that others removed the same thing from concurrently, by name instead of by tag.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

interface State {
  /** `thing tag`. */
  added: string[];
  removed: string[];
  [key: string]: string[];
}

class Replica {
  added: string[] = [];
  removed: string[] = [];
  /** Updates whose effect this replica has, and the tags that it removed itself. */
  known: string[] = [];
  own: string[] = [];
  #updates = 0;

  constructor(
    readonly environment: Environment,
    readonly bugs: Parameters,
  ) {}

  get things(): string[] {
    const live = this.added.filter((tag) => !this.removed.includes(tag));
    return [...new Set(live.map((tag) => tag.split(" ")[0]!))].sort();
  }

  add(thing: string): void {
    this.added = united(this.added, [`${thing} ${this.#tag()}`]);
    this.#tell();
  }

  remove(thing: string): void {
    const seen = this.added.filter((tag) => tag.startsWith(`${thing} `));
    this.removed = united(this.removed, seen);
    this.own = united(this.own, seen);
    this.#tag();
    this.#tell();
  }

  onMessage(_from: string, { added, removed, known }: State): void {
    if (this.bugs["NO_TOMBSTONES"]) {
      this.added = united(this.added, added);
      this.removed = this.removed.filter((tag) => !added.includes(tag) || removed.includes(tag));
    } else {
      this.added = united(this.added, added);
      this.removed = united(this.removed, removed);
    }
    if (this.bugs["LAST_SEEN"]) {
      const names = removed.map((tag) => tag.split(" ")[0]!);
      this.removed = united(
        this.removed,
        this.added.filter((tag) => names.includes(tag.split(" ")[0]!)),
      );
    }
    this.known = united(this.known, known!);
  }

  #tag(): string {
    const tag = `${this.environment.name}${++this.#updates}`;
    this.known = united(this.known, [tag]);
    return tag;
  }

  #tell(): void {
    const { added, removed, known } = this;
    this.environment.broadcast({ added, removed, known });
  }
}

const united = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])].sort();

export default defineSystem<Replica>((parameters) => {
  const replica = (environment: Environment): Replica => new Replica(environment, parameters);
  return {
    nodes: { a: replica, b: replica, c: replica },
    network: { loss: true, duplicates: 1 },
    actions: {
      add: { on: ["a", "b"], values: ["x"], times: 2, run: (node) => node.add("x") },
      remove: {
        on: ["a", "b"],
        times: 1,
        when: (node) => node.things.includes("x"),
        run: (node) => node.remove("x"),
      },
    },
    guide: ({ nodes }) =>
      Object.values(nodes)
        .flatMap((node) => node ?? [])
        .map((node) => `${node.things.length}/${node.known.length}`)
        .sort()
        .join(" "),
    always: {
      "removed things stay away": ({ nodes }) =>
        Object.values(nodes)
          .flatMap((node) => node ?? [])
          .every(({ own, removed }) => own.every((tag) => removed.includes(tag))),
      "replicas with the same updates agree": ({ nodes }) => {
        const all = Object.values(nodes).flatMap((node) => node ?? []);
        return all.every((one) =>
          all.every(
            (other) => one.known.join() !== other.known.join() || one.things.join() === other.things.join(),
          ),
        );
      },
    },
  };
});
