/**
 * Tiny systems of nodes as data: reactions of each node, a network, faults and conditions. `under-test.ts` turns them
 * into system definitions, `oracle.ts` defines their meaning.
 */
import { randomBelow } from "../../../src/model/index.js";

export type Field = "mode" | "x" | "y";

/** `sender`: of the handled message, otherwise the node itself; `peer`: the remembered node; `others`: all other nodes. */
export type Who = { readonly name: string } | "sender" | "peer" | "others" | "everyone";

export type Op =
  | { readonly op: "set"; readonly field: Field; readonly value: number }
  | { readonly op: "next"; readonly field: Field }
  | { readonly op: "remember"; readonly whom: "sender" | "named" }
  | { readonly op: "send"; readonly to: Who; readonly kind: Kind; readonly with?: "x" | "self" | "peer" }
  | { readonly op: "write"; readonly key: Key; readonly value: number | "x" }
  | { readonly op: "sync" }
  | { readonly op: "read"; readonly key: Key; readonly field: Field }
  | { readonly op: "timer"; readonly name: Timer; readonly delay: number }
  | { readonly op: "clear"; readonly name: Timer }
  | { readonly op: "choose"; readonly ways: readonly (readonly Op[])[] }
  | { readonly op: "fails"; readonly then: readonly Op[] }
  | { readonly op: "if"; readonly field: Field; readonly is: number; readonly then: readonly Op[] }
  | { readonly op: "throw"; readonly asserts: boolean }
  /** No effect: promise jobs are part of a step. */
  | { readonly op: "await" };

export type Kind = "m" | "n";
export type Key = "k" | "l";
export type Timer = "t" | "u";
export type Happening = "start" | "go" | Kind | Timer;

/** By event and the node's mode, as in `m0`. */
export type Table = Readonly<Record<string, readonly Op[]>>;

export type Term =
  | { readonly node: string; readonly field: Field; readonly is: number }
  | { readonly down: string }
  /** More than the given number of these nodes have that value. */
  | {
      readonly among: readonly string[];
      readonly field: Field;
      readonly is: number;
      readonly moreThan: number;
    }
  /** Some of these nodes remembers another node, or none. */
  | { readonly among: readonly string[]; readonly remembers: boolean }
  | { readonly underWay: Kind };

/** Not all of these at once. */
export type Condition = readonly Term[];

export interface Case {
  readonly names: readonly string[];
  readonly tables: Readonly<Record<string, Table>>;
  /** Number of events a node takes part in; -1: unlimited. */
  readonly fuel: number;
  /** Representation of the nodes' memory. */
  readonly style: "fields" | "map" | "hidden" | "module";
  readonly network: {
    readonly capacity?: number;
    readonly loss?: true | number;
    readonly duplicates?: number;
    readonly order?: "fifo";
    readonly links?: readonly (readonly [string, string])[];
  };
  readonly faults: {
    readonly crashes?: number;
    readonly crashing?: readonly string[];
    readonly crashesAt?: "between-handlers";
    readonly unsynced?: "kept" | "lost-in-order";
    readonly failures?: number;
    readonly partitions?: number;
  };
  readonly go?: { readonly on?: readonly string[]; readonly when?: number; readonly times: number };
  readonly timers: "any" | "in-order";
  readonly symmetric?: readonly string[];
  readonly discards: boolean;
  readonly finished?: Condition;
  readonly always?: Condition;
  readonly sometimes?: Condition;
  readonly eventually?: Condition;
  readonly recoverable?: Condition;
  readonly returns?: Condition;
  /** No message of that kind, with that number. */
  readonly messages: readonly { readonly kind: Kind; readonly with?: number }[];
}

export function makeCase(seed: number): Case {
  const maker = new Maker(seed);
  return seed % 9 === 0 ? maker.scene() : maker.make();
}

const NAMES = ["a", "b", "c"];
const HAPPENINGS: readonly Happening[] = ["start", "go", "m", "n", "t", "u"];

/** Main feature of a system; others are rare in it. */
type Theme = "messages" | "disk" | "timers" | "mixed";

class Maker {
  readonly #below: (limit: number) => number;
  readonly #theme: Theme;
  #names: readonly string[] = [];
  #group: readonly string[] = [];

  /** Not drawn from the seed's sequence, so that older seeds keep their cases. */
  readonly #failures: number;

  constructor(seed: number) {
    this.#failures = seed % 7 === 0 || seed % 7 === 4 ? 2 : 1;
    this.#below = randomBelow(Math.imul(seed, 0x9e3779b1) | 1);
    this.#theme = this.#of(["messages", "disk", "timers", "mixed"]);
  }

  make(): Case {
    this.#names = NAMES.slice(0, this.#of([1, 2, 2, 2, 3]));
    const isSymmetric = this.#names.length > 1 && this.#once(3);
    this.#group = isSymmetric ? this.#names.slice(-2 - (this.#once(3) ? 1 : 0)) : [];
    const alike = this.#table();
    const tables = Object.fromEntries(
      this.#names.map((name) => [name, this.#group.includes(name) ? alike : this.#table()]),
    );
    const fuel = this.#once(2) ? 1 + this.#below(3) : -1;
    return {
      names: this.#names,
      tables,
      fuel,
      style: this.#of(["fields", "fields", "map", "hidden", "module"]),
      network: this.#network(fuel < 0),
      faults: this.#faults(),
      ...(this.#once(4) ? {} : { go: this.#action() }),
      timers: this.#once(4) ? "in-order" : "any",
      ...(isSymmetric ? { symmetric: this.#group } : {}),
      discards: this.#once(12),
      ...this.#conditions(),
    };
  }

  /**
   * A rare situation: a node that sends and fails at every restart, so that its message stays only if it crashes at that
   * moment. Another node may take the last crash instead.
   */
  scene(): Case {
    this.#names = NAMES;
    const [failing, rival, hearer] = this.#once(2) ? this.#names.toReversed() : this.#names;
    const kind = this.#kind();
    const field = this.#of(["x", "y"] as const);
    const start: readonly Op[] = [
      { op: "read", key: "k", field: "x" },
      {
        op: "if",
        field: "x",
        is: 1,
        then: [
          { op: "send", to: { name: hearer! }, kind },
          { op: "throw", asserts: this.#once(2) },
        ],
      },
    ];
    return {
      names: this.#names,
      tables: {
        [failing!]: { start0: start, go0: [{ op: "write", key: "k", value: 1 }, { op: "sync" }] },
        [rival!]: {},
        [hearer!]: { [`${kind}0`]: [{ op: "set", field, value: 2 }] },
      },
      fuel: -1,
      style: this.#of(["fields", "fields", "map", "hidden", "module"]),
      network: this.#once(3) ? { capacity: 2 } : {},
      faults: { crashes: 2, crashing: [failing!, rival!] },
      go: { on: [failing!], times: 1 },
      timers: "any",
      discards: false,
      always: [{ node: hearer!, field, is: 2 }],
      messages: [],
    };
  }

  #conditions(): Pick<Case, "messages"> & Partial<Case> {
    return {
      ...(this.#once(3) ? { finished: this.#condition() } : {}),
      ...(this.#once(4) ? {} : { always: this.#condition() }),
      ...(this.#once(3) ? { sometimes: this.#condition() } : {}),
      ...(this.#once(8) ? { eventually: this.#condition() } : {}),
      ...(this.#once(8) ? { recoverable: this.#condition() } : {}),
      ...(this.#once(10) ? { returns: this.#condition() } : {}),
      messages: Array.from({ length: this.#once(4) ? 1 + this.#below(2) : 0 }, () => ({
        kind: this.#kind(),
        ...(this.#once(2) ? { with: this.#below(3) } : {}),
      })),
    };
  }

  #table(): Table {
    const table: Record<string, readonly Op[]> = {};
    for (const what of HAPPENINGS)
      for (let mode = 0; mode < 3; mode++)
        if (mode === 0 || this.#once(2)) table[`${what}${mode}`] = this.#ops(what === "start", 3);
    return table;
  }

  #ops(isStart: boolean, most: number): readonly Op[] {
    return Array.from({ length: this.#below(most + 1) }, () => this.#op(isStart));
  }

  /** A starting node must not choose. */
  #op(isStart: boolean): Op {
    const kinds: Record<Theme, readonly Op["op"][]> = {
      messages: ["send", "send", "set", "next", "remember"],
      disk: ["write", "write", "sync", "read", "send", "set"],
      timers: ["timer", "timer", "set", "next", "send", "clear"],
      mixed: ["send", "set", "next", "timer", "write", "sync", "read", "remember", "clear"],
    };
    const rare: readonly Op["op"][] = isStart
      ? ["if", "throw", "await"]
      : ["choose", "choose", "fails", "fails", "if", "if", "throw", "await"];
    const op = this.#once(5) ? this.#of(rare) : this.#of(kinds[this.#theme]);
    switch (op) {
      case "set":
        return { op, field: this.#field(), value: this.#below(3) };
      case "next":
        return { op, field: this.#field() };
      case "remember":
        return { op, whom: this.#of(["sender", "named"]) };
      case "send":
        return this.#send();
      case "write":
        return { op, key: this.#key(), value: this.#once(2) ? "x" : this.#below(3) };
      case "read":
        return { op, key: this.#key(), field: this.#field() };
      case "timer":
        return { op, name: this.#of(["t", "u"]), delay: this.#below(3) };
      case "clear":
        return { op, name: this.#of(["t", "u"]) };
      case "choose":
        return { op, ways: [this.#ops(isStart, 1), this.#ops(isStart, 2)] };
      case "fails":
        return { op, then: this.#ops(isStart, 2) };
      case "if":
        return { op, field: this.#field(), is: this.#below(3), then: this.#ops(isStart, 2) };
      case "throw":
        return this.#once(3) ? { op, asserts: this.#once(2) } : { op: "await" };
      default:
        return { op };
    }
  }

  #send(): Op {
    const outsiders = this.#names.filter((name) => !this.#group.includes(name));
    const whom: readonly Who[] = [
      "sender",
      "peer",
      "others",
      "everyone",
      ...outsiders.map((name) => ({ name })),
    ];
    const more = this.#of([undefined, undefined, "x", "self", "peer"] as const);
    return {
      op: "send",
      to: this.#of(whom),
      kind: this.#kind(),
      ...(more === undefined ? {} : { with: more }),
    };
  }

  /** If nodes have unlimited fuel, the network must limit their messages. */
  #network(mustEnd: boolean): Case["network"] {
    const links = this.#names.slice(1).map((name, i) => [this.#names[i]!, name] as const);
    return {
      ...(mustEnd || this.#once(5) ? { capacity: 1 + this.#below(3) } : {}),
      ...(this.#once(4) ? { loss: this.#of([true, 1] as const) } : {}),
      ...(this.#once(6) ? { duplicates: 1 } : {}),
      ...(this.#once(3) ? { order: "fifo" } : {}),
      ...(this.#group.length === 0 && this.#once(6) ? { links } : {}),
    };
  }

  #faults(): Case["faults"] {
    const crashes = this.#once(this.#theme === "disk" ? 1 : 3);
    return {
      ...(crashes ? { crashes: 1 + (this.#once(4) ? 1 : 0) } : {}),
      ...(crashes && this.#group.length === 0 && this.#once(3) ? { crashing: [this.#of(this.#names)] } : {}),
      ...(this.#once(6) ? { crashesAt: "between-handlers" } : {}),
      ...(this.#once(4) ? { unsynced: this.#of(["kept", "lost-in-order"] as const) } : {}),
      ...(this.#once(3) ? { failures: this.#failures } : {}),
      ...(this.#names.length > 1 && this.#once(15) ? { partitions: 1 } : {}),
    };
  }

  #action(): NonNullable<Case["go"]> {
    const isOne = this.#group.length === 0 && !this.#once(3);
    return {
      ...(isOne ? { on: [this.#of(this.#names)] } : {}),
      ...(this.#once(3) ? { when: this.#below(3) } : {}),
      times: 1 + this.#below(2),
    };
  }

  #condition(): Condition {
    return Array.from({ length: 1 + this.#below(3) }, () => this.#term());
  }

  /** Conditions rarely distinguish like nodes. */
  #term(): Term {
    const outsiders = this.#names.filter((name) => !this.#group.includes(name));
    const single = this.#group.length === 0 || this.#once(20) ? this.#names : outsiders;
    const among = this.#group.length > 0 ? this.#group : this.#names;
    const kind = this.#below(12);
    if (kind === 0) return { underWay: this.#kind() };
    if (kind === 1) return { among, remembers: this.#once(2) };
    if (kind === 2 && single.length > 0) return { down: this.#of(single) };
    if (kind < 5 || single.length === 0)
      return { among, field: this.#field(), is: this.#below(3), moreThan: this.#below(among.length) };
    return { node: this.#of(single), field: this.#field(), is: this.#below(3) };
  }

  #field = (): Field => this.#of(["mode", "x", "x", "y", "y"]);
  #kind = (): Kind => this.#of(["m", "n"]);
  #key = (): Key => this.#of(["k", "l"]);

  #of<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!;
  }

  /** True once in `times`. */
  #once(times: number): boolean {
    return this.#below(times) === 0;
  }
}
