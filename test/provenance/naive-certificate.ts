/**
 * A naive checker of proofs: configurations as plain data, statements interpreted directly, words up to a length instead of automata.
 * Slow, and independent of the product's.
 */
import {
  isInPolicy,
  type Configurations,
  type MessageEdge,
  type MessageProgram,
  type ProvenanceProof,
} from "../../src/model/index.js";

type Content = readonly [string, number] | "open";
interface Actor {
  name: string;
  at: number;
  holds: Content[];
}
interface World {
  actors: Actor[];
  pending: Record<string, number>;
  spawned: Record<string, number>;
}

export function isNaivelyValid(program: MessageProgram, proof: ProvenanceProof): boolean {
  try {
    return classesAreRight(program, proof) && new Naive(program, proof).isInductive();
  } catch (error) {
    if (error === INVALID) return false;
    throw error;
  }
}

const INVALID = new Error("invalid");

/** All words up to a length that suffices for automata of this size. */
function classesAreRight(program: MessageProgram, { classes, property }: ProvenanceProof): boolean {
  const asked = program.properties.find(({ name }) => name === property)!;
  const reach = (word: number[], at: number, depth: number): boolean => {
    if (classes.bad[at] === undefined || classes.sent[at] === undefined) return false;
    if ((isInPolicy(asked.policy, word) !== asked.isAllowed) !== classes.bad[at]) return false;
    if (depth === 0) return true;
    return program.principals.every((_, p) => reach([...word, p], classes.sent[at]![p]!, depth - 1));
  };
  return reach([], 0, 6);
}

class Naive {
  readonly #worlds: World[];

  constructor(
    readonly program: MessageProgram,
    readonly proof: ProvenanceProof,
  ) {
    this.#worlds = proof.invariant.map((each) => this.#world(each));
  }

  isInductive(): boolean {
    const start: World = {
      actors: this.program.principals
        .filter(({ isSpawned }) => !isSpawned)
        .map(({ name, variables }) =>
          this.#forget({ name, at: 0, holds: variables.map(() => ["none", 0] as const) }),
        ),
      pending: {},
      spawned: {},
    };
    return this.#isInside(start) && this.#worlds.every((world) => !this.#isBad(world) && this.#stays(world));
  }

  #world({ at, holds, pending, instances }: Configurations): World {
    const actors = this.program.principals
      .filter(({ isSpawned }) => !isSpawned)
      .map(({ name, variables, locations }) => {
        if (locations[at[name]!] === undefined) throw INVALID;
        return this.#forget({
          name,
          at: at[name]!,
          holds: variables.map((variable) =>
            this.#isOpen(name, at[name]!, variable) ? "open" : (holds[`${name}.${variable}`] ?? fail()),
          ),
        });
      });
    const amounts = (all: readonly (readonly [string, number | "any"])[]): Record<string, number> => {
      const sums: Record<string, number> = {};
      for (const [key, amount] of all) sums[key] = (sums[key] ?? 0) + (amount === "any" ? Infinity : amount);
      return sums;
    };
    return {
      actors,
      pending: amounts(pending.map(([c, m, q, n]) => [JSON.stringify([c, m, q]), n])),
      spawned: amounts(
        instances.map(([name, location, values, n]) => [
          JSON.stringify({ name, at: location, holds: values.map((value) => value ?? "open") }),
          n,
        ]),
      ),
    };
  }

  #isOpen(name: string, at: number, variable: string): boolean {
    return this.proof.open.some(([n, l, v]) => n === name && l === at && v === variable);
  }

  #forget(actor: Actor): Actor {
    const { variables } = this.program.principals.find(({ name }) => name === actor.name)!;
    return {
      ...actor,
      holds: actor.holds.map((value, x) =>
        this.#isOpen(actor.name, actor.at, variables[x]!) ? "open" : value,
      ),
    };
  }

  #isInside(world: World): boolean {
    return this.#worlds.some(
      (other) =>
        JSON.stringify(other.actors) === JSON.stringify(world.actors) &&
        Object.entries(world.pending).every(([key, n]) => n <= (other.pending[key] ?? 0)) &&
        Object.entries(world.spawned).every(([key, n]) => n <= (other.spawned[key] ?? 0)),
    );
  }

  #isBad(world: World): boolean {
    const asked = this.program.properties.find(({ name }) => name === this.proof.property)!;
    const { name } = this.program.principals[asked.principal]!;
    const all = [
      ...world.actors,
      ...Object.entries(world.spawned).flatMap(([key, n]) => (n > 0 ? [JSON.parse(key) as Actor] : [])),
    ];
    return all.some((actor) => {
      if (actor.name !== name) return false;
      const value = actor.holds[asked.variable]!;
      if (value === "open") throw INVALID;
      return this.proof.classes.bad[value[1]]!;
    });
  }

  /** Every run of every actor, up to a possible receive, stays inside. */
  #stays(world: World): boolean {
    const singles = Object.keys(world.spawned).filter((key) => world.spawned[key]! >= 1);
    return (
      world.actors.every((actor, index) =>
        this.#runStays(actor, (w, a) => ({ ...w, actors: w.actors.with(index, a) }), world, 0),
      ) &&
      singles.every((key) =>
        this.#runStays(
          JSON.parse(key) as Actor,
          (w, a) => ({
            ...w,
            spawned: { ...w.spawned, [JSON.stringify(a)]: (w.spawned[JSON.stringify(a)] ?? 0) + 1 },
          }),
          { ...world, spawned: { ...world.spawned, [key]: world.spawned[key]! - 1 } },
          0,
        ),
      )
    );
  }

  #runStays(
    actor: Actor,
    place: (world: World, actor: Actor) => World,
    world: World,
    depth: number,
  ): boolean {
    if (depth > 40) return false;
    const steps = this.#edges(actor).flatMap((edge) => this.#step(actor, edge, world));
    if (depth > 0 && steps.length === 0) return false;
    return steps.every(([next, rest]) => {
      const here = place(rest, next);
      if (this.#isBad(here)) return false;
      if (this.#isInside(here)) return true;
      if (this.proof.grain === "statement") return false;
      if (this.#edges(next).some(({ action }) => action.kind === "receive")) return false;
      return this.#runStays(next, place, rest, depth + 1);
    });
  }

  #edges({ name, at }: Actor): readonly MessageEdge[] {
    return this.program.principals.find((p) => p.name === name)!.locations[at]!;
  }

  #step(actor: Actor, { action, to }: MessageEdge, world: World): [Actor, World][] {
    const { messages, channels, principals } = this.program;
    const self = principals.findIndex(({ name }) => name === actor.name);
    const go = (holds: Content[], rest = world): [Actor, World] => [
      this.#forget({ ...actor, at: to, holds }),
      rest,
    ];
    const read = (x: number): readonly [string, number] => {
      const value = actor.holds[x]!;
      if (value === "open") throw INVALID;
      return value;
    };
    switch (action.kind) {
      case "skip":
        return [go(actor.holds)];
      case "fresh":
        return [go(actor.holds.with(action.target, [messages[action.message]!, 0]))];
      case "apply": {
        const value = actor.holds[action.source]!;
        const image: Content =
          value === "open" ? "open" : [messages[action.image[messages.indexOf(value[0])]!]!, value[1]];
        return [go(actor.holds.with(action.target, image))];
      }
      case "assume":
        return (read(action.variable)[0] === messages[action.message]) === action.isEqual
          ? [go(actor.holds)]
          : [];
      case "test":
        throw new Error("the programs here have no tests");
      case "send": {
        const [message, q] = read(action.variable);
        const key = JSON.stringify([channels[action.channel], message, this.proof.classes.sent[q]![self]]);
        return [
          go(actor.holds, { ...world, pending: { ...world.pending, [key]: (world.pending[key] ?? 0) + 1 } }),
        ];
      }
      case "receive":
        return Object.entries(world.pending).flatMap(([key, n]): [Actor, World][] => {
          const [channel, message, q] = JSON.parse(key) as [string, string, number];
          if (channel !== channels[action.channel] || n < 1) return [];
          const pending = { ...world.pending, [key]: n - 1 };
          return [go(actor.holds.with(action.variable, [message, q]), { ...world, pending })];
        });
      case "spawn": {
        const { name, variables } = principals[action.principal]!;
        const born = this.#forget({ name, at: 0, holds: variables.map(() => ["none", 0] as const) });
        const key = JSON.stringify(born);
        return [
          go(actor.holds, { ...world, spawned: { ...world.spawned, [key]: (world.spawned[key] ?? 0) + 1 } }),
        ];
      }
    }
  }
}

function fail(): never {
  throw INVALID;
}
