/**
 * Small random Promela models with interchangeable processes: two to four of one proctype, which use their identity in
 * variables, indices and messages. One model in four has a statement that may distinguish processes. Deterministic in
 * the seed.
 */
import { Random } from "./random.js";

export interface SymmetricCase {
  readonly text: string;
  readonly invariants: readonly string[];
  /** The statement that may break the symmetry. */
  readonly breaker: string | undefined;
}

export function symmetricCase(seed: number): SymmetricCase {
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  return new Writer(random).model();
}

/** Creation and identification of processes. */
type Style = "number" | "argument" | "loop" | "local" | "channel" | "pair";

const NONE = 200;

class Writer {
  readonly #random: Random;
  readonly #size: number;
  readonly #style: Style;
  readonly #id: string;
  /** The identity of the first process. */
  readonly #first: number;
  readonly #isEndless: boolean;
  readonly #hasOwnChannels: boolean;
  readonly #used = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
    this.#style = random.pick(["number", "number", "argument", "loop", "local", "channel", "pair"] as const);
    this.#size = this.#style === "pair" ? 2 : random.pick([2, 2, 3, 3, 3, 4]);
    this.#id = this.#style === "number" ? "_pid" : "id";
    this.#first = this.#style === "number" ? (random.chance(30) ? 1 : 0) : 0;
    this.#isEndless = random.chance(60);
    this.#hasOwnChannels = this.#isEndless && random.chance(20);
  }

  model(): SymmetricCase {
    const breaker = this.#random.chance(25) ? this.#breaker() : undefined;
    const body = this.#body(breaker);
    const helper = this.#random.chance(35) ? this.#helper() : "";
    const processes = this.#processes(body);
    const invariants = this.#random.chance(30) ? [this.#invariant()] : [];
    const text = [this.#globals(), processes, helper].filter((part) => part !== "").join("\n");
    return { text: `${text}\n`, invariants, breaker };
  }

  // ---- declarations ----

  get #length(): number {
    return this.#size + this.#first;
  }

  #globals(): string {
    const { length } = { length: this.#length };
    const all: Record<string, string> = {
      x: "byte x;",
      turn: "byte turn;",
      owner: `byte owner = ${NONE};`,
      flag: `byte flag[${length}];`,
      friend: `byte friend[${length}];`,
      rec: `typedef R { byte f; byte w; byte g[${length}] }; R rec[${length}];`,
      shared: "chan shared = [2] of { byte, byte };",
      box: `chan box[${length}] = [1] of { byte };`,
      rv: "chan rv = [0] of { byte };",
      pool: "chan pool = [2] of { chan };",
      own: this.#style === "channel" ? "" : "",
    };
    const always = this.#style === "channel" ? [`chan own[${this.#size}] = [1] of { byte };`] : [];
    return [
      ...always,
      ...Object.keys(all).flatMap((name) => (this.#used.has(name) ? [all[name]!] : [])),
    ].join("\n");
  }

  #processes(body: string): string {
    const locals = [
      "byte v; byte y;",
      ...(this.#hasOwnChannels ? ["chan mine = [1] of { byte }; chan c;"] : []),
    ].join(" ");
    const n = this.#size;
    const range = Array.from({ length: n }, (_, i) => i);
    switch (this.#style) {
      case "number": {
        const before = this.#first === 1 ? "active proctype Zero() { end0: false }\n" : "";
        return `${before}active [${n}] proctype P() { ${locals}\n${body}}`;
      }
      case "local":
        return `active proctype Zero() { end0: false }\nactive [${n}] proctype P() { byte id = _pid - 1; ${locals}\n${body}}`;
      case "argument":
        return `proctype P(byte id) { ${locals}\n${body}}\ninit { atomic { ${range.map((i) => `run P(${i})`).join("; ")} } }`;
      case "channel":
        return `proctype P(byte id; chan in) { ${locals}\n${body}}\ninit { atomic { ${range.map((i) => `run P(${i}, own[${i}])`).join("; ")} } }`;
      case "loop":
        return `proctype P(byte id) { ${locals}\n${body}}\ninit { byte i; atomic { do :: i < ${n} -> run P(i); i++ :: else -> break od } }`;
      case "pair":
        return [
          `proctype P(byte id) { ${locals}\n${body}}`,
          `proctype Q(byte id) { ${locals}\n${this.#body(undefined)}}`,
          `init { atomic { ${range.map((i) => `run P(${i}); run Q(${i})`).join("; ")} } }`,
        ].join("\n");
    }
  }

  /** A singleton process. */
  #helper(): string {
    const statement = this.#random.weighted<() => string>([
      [3, () => () => `${this.#use("shared")}?v,y; ${this.#use("flag")}[v] = y`],
      [2, () => () => `${this.#use("rv")}?v; ${this.#use("turn")} = v`],
      [2, () => () => `${this.#use("owner")} != ${NONE}; owner = ${NONE}`],
      [2, () => () => `v = ${this.#use("turn")}; ${this.#use("box")}[v]!1`],
      [1, () => () => `${this.#use("x")} = (x + 1) % 3`],
    ])();
    return `active proctype Helper() { byte v; byte y; end1: do :: ${statement} od }`;
  }

  // ---- statements ----

  #body(breaker: string | undefined): string {
    const alternatives = this.#random.list(1, 3, () => this.#sequence(1, 3));
    if (breaker !== undefined) alternatives[this.#random.below(alternatives.length)] += `; ${breaker}`;
    const lines = alternatives.map((sequence) => `  :: ${sequence}`).join("\n");
    if (this.#isEndless) return `${this.#random.chance(50) ? "end2: " : ""}do\n${lines}\nod\n`;
    return `  ${this.#sequence(1, 2)};\n  if\n${lines}\n  fi${this.#random.chance(40) ? `;\n  ${this.#sequence(1, 1)}` : ""}\n`;
  }

  #sequence(low: number, high: number): string {
    const all = this.#random.list(low, high, () => this.#statement()).join("; ");
    if (this.#random.chance(12)) return `atomic { ${all} }`;
    return all;
  }

  #use(name: string): string {
    this.#used.add(name);
    return name;
  }

  #k(): number {
    return this.#random.below(2);
  }

  #statement(): string {
    const id = this.#id;
    const u = (name: string): string => this.#use(name);
    const r = this.#random;
    return r.weighted<string>([
      [4, () => `${u("flag")}[${id}] = ${this.#k()}`],
      [3, () => `${u("flag")}[${id}] == ${this.#k()}`],
      [2, () => `${u("flag")}[${this.#name()}] = ${this.#k()}`],
      [3, () => `${u("x")} = (x + 1) % 3`],
      [3, () => `${u("x")} ${r.pick(["==", "!=", "<"])} ${this.#k()}`],
      [3, () => `${u("owner")} == ${NONE} -> owner = ${id}`],
      [2, () => `${u("owner")} == ${id} -> owner = ${NONE}`],
      [3, () => `${u("turn")} = ${id}`],
      [3, () => `${u("turn")} ${r.pick(["==", "!="])} ${id}`],
      [2, () => `v = ${u("turn")}`],
      [2, () => `v ${r.pick(["==", "!="])} ${id}`],
      [2, () => `v = ${id}`],
      [3, () => `${u("friend")}[${id}] = ${this.#name()}`],
      [2, () => `${u("friend")}[${this.#name()}] == ${id}`],
      [2, () => `v = (${u("friend")}[${id}] == ${id} -> ${u("turn")} : ${id})`],
      [2, () => `${u("rec")}[${id}].${r.pick(["f", `g[${this.#name()}]`])} = ${this.#k()}`],
      [1, () => `${u("rec")}[${id}].w = ${this.#name()}`],
      [1, () => `${u("rec")}[${this.#name()}].w == ${id}`],
      [3, () => `${u("shared")}!${id},${this.#k()}`],
      [2, () => `${u("shared")}?v,y`],
      [1, () => `${u("shared")}${r.pick(["?", "??"])}eval(${id}),y`],
      [1, () => `${u("shared")}?[eval(${id}),y]`],
      [1, () => `${r.pick(["nfull", "empty", "nempty"])}(${u("shared")})`],
      [2, () => `${u("box")}[${id}]?y`],
      [2, () => `${u("box")}[${this.#name()}]!${this.#k()}`],
      [1, () => `len(${u("box")}[${id}]) == ${this.#k()}`],
      [1, () => `${u("rv")}!${id}`],
      [1, () => `${u("rv")}?v`],
      [2, () => `assert(${this.#condition()})`],
      [1, () => `d_step { ${u("flag")}[${id}] = 1; ${u("turn")} = ${id} }`],
      [1, () => `if :: ${this.#condition()} -> y = 1 :: else -> y = 0 fi`],
      [1, () => `printf("%d\\n", ${id})`],
      [this.#isEndless ? 1 : 0, () => `timeout`],
      [this.#hasOwnChannels ? 3 : 0, () => `${u("pool")}!mine`],
      [this.#hasOwnChannels ? 3 : 0, () => `${u("pool")}?c; c!1`],
      [this.#hasOwnChannels ? 2 : 0, () => `mine?y`],
      [this.#style === "channel" ? 3 : 0, () => r.pick(["in?y", "in!1", "len(in) == 0"])],
    ]);
  }

  #name(): string {
    const from = this.#random.pick(["v", "v", this.#id, "turn"]);
    return from === "turn" ? this.#use("turn") : from;
  }

  #condition(): string {
    const id = this.#id;
    return this.#random.pick([
      () => `${this.#use("turn")} == ${id}`,
      () => `${this.#use("owner")} != ${id} || ${this.#use("x")} == 0`,
      () => `${this.#use("flag")}[${id}] == 0`,
      () => `${this.#use("x")} < 2`,
      () => `v != ${id}`,
      () => "y == 0",
    ])();
  }

  /** A statement that may distinguish a process. */
  #breaker(): string {
    const id = this.#id;
    const u = (name: string): string => this.#use(name);
    const one = this.#random.between(0, this.#length);
    return this.#random.pick([
      () => `${id} == ${one}`,
      () => `${u("turn")} = ${one}`,
      () => `${u("turn")} != ${one}`,
      () => `${id} < ${Math.max(1, one)}`,
      () => `v < ${id}`,
      () => `v = (${id} + 1) % ${this.#size}`,
      () => `${u("x")} = ${id}`,
      () => `${u("x")} == ${id}`,
      () => `${u("flag")}[0] = 1`,
      () => `${u("shared")}!!${id},1`,
      () => `${u("shared")}?${one},y`,
      () => `y = ${id}; y == ${one}`,
      () => `if :: ${id} -> skip :: else -> ${u("x")} = 1 fi`,
      () => `assert(${id} != ${one})`,
      () => `_nr_pr > 2`,
      () => `_last == ${one}`,
      () => `bit b = ${id}; b == 0`,
      () => `${u("friend")}[${id}] = ${one}`,
      () => `v++`,
      () => `x = x / ${id}`.replace("x = x", `${u("x")} = x`),
    ])();
  }

  #invariant(): string {
    const u = (name: string): string => this.#use(name);
    return this.#random.pick([
      () => `${u("x")} < 2`,
      () => `${u("owner")} == ${NONE} || ${u("flag")}[owner] == 0`,
      () => `${u("turn")} == ${u("owner")} || x < 2`.replace("x <", `${u("x")} <`),
      () => `${u("turn")} != ${this.#random.between(0, this.#length)}`,
      () => `${u("flag")}[${this.#random.below(this.#length)}] == 0`,
      () => `${u("owner")} < 3 || ${u("owner")} == ${NONE}`,
      () => `len(${u("shared")}) < 2`,
    ])();
  }
}
