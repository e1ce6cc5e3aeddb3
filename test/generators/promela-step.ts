/**
 * Random Promela programs for comparing the JavaScript and the WebAssembly of a search (`src/step`).
 *
 * One in four comes from `promela-tiny.ts`, one in four from `promela.ts`. The others add processes with constructs that those generators
 * avoid: loops, choices, rendezvous and process creation inside `atomic` and `d_step`, wide records, values that wrap around in every
 * type, and steps with hundreds of successors. Deterministic in the seed.
 */
import { generateProgram } from "./promela.js";
import { tinyCase } from "./promela-tiny.js";
import { line, type Proctype, type Program, type Statement } from "./promela-tree.js";
import { Random } from "./random.js";

export interface StepCase {
  readonly program: Program;
  readonly invariants: readonly string[];
}

export function stepCase(seed: number): StepCase {
  const random = new Random(Math.imul(seed, 0x85ebca6b));
  const isTiny = random.chance(50);
  const beside: StepCase = isTiny
    ? tinyCase(seed)
    : { program: generateProgram(seed), invariants: random.chance(30) ? ["g0 != 2"] : [] };
  if (seed % 4 < 2) return beside;
  const { program, invariants } = new Writer(random).beside(seed % 8 < 4 ? beside.program : NOTHING);
  return { program, invariants: seed % 8 < 4 ? [...beside.invariants, ...invariants] : invariants };
}

const NOTHING: Program = { globals: [], proctypes: [] };

/** Names begin with `z`, unlike names of the other program. */
class Writer {
  readonly #random: Random;
  /** Elements of the record's arrays: some make states wider than loops are unrolled for. */
  readonly #parts: number;
  readonly #deep: number;
  readonly #processes: number;
  readonly #creates: boolean;
  readonly #isHasty: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#parts = random.between(1, 3);
    this.#deep = random.pick([1, 2, 2, 3, 6, 24, 70]);
    this.#processes = random.between(1, 3);
    this.#creates = random.chance(30);
    this.#isHasty = random.chance(6);
  }

  beside({ globals, proctypes }: Program): StepCase {
    const random = this.#random;
    const own = [
      `typedef ZPart { byte a; short b; bit c; int d[${this.#deep}] };`,
      `typedef ZWide { ZPart p[${this.#parts}]; unsigned u : ${random.pick([1, 3, 5, 9, 17, 31])} };`,
      `ZWide zw;`,
      `int zi; short zs; byte zb; unsigned zu : ${random.pick([1, 2, 7, 8, 15, 16, 30, 31])};`,
      `chan zr = [${this.#isHasty ? 1 : 0}] of { byte, int };`,
      `chan zq = [${random.between(1, 3)}] of { short, byte };`,
      `chan zc = [1] of { chan };`,
    ];
    const processes = Array.from({ length: this.#processes }, (_, i) => this.#process(i));
    return {
      program: {
        globals: [...globals, ...own],
        proctypes: [
          ...(this.#creates ? [this.#created()] : []),
          ...(random.chance(50) ? [...proctypes, ...processes] : [...processes, ...proctypes]),
        ],
      },
      invariants: random.chance(40) ? [this.#observation()] : [],
    };
  }

  #process(index: number): Proctype {
    const random = this.#random;
    const priority = this.#isHasty ? ` priority ${random.between(1, 3)}` : "";
    return {
      head: `active${random.chance(15) ? " [2]" : ""} proctype Z${index}()${priority}`,
      locals: ["byte zk", "int zx", "byte zy", "chan zv"],
      body: random.list(1, 3, () => this.#statement(2, false)),
    };
  }

  #created(): Proctype {
    return {
      head: "proctype ZN(byte zk; int zx)",
      locals: ["byte zy", "chan zv = [1] of { short, byte }"],
      body: this.#random.list(1, 2, () => this.#statement(1, false)),
    };
  }

  // ---- statements ----

  #statement(depth: number, isInside: boolean): Statement {
    const random = this.#random;
    const nested = depth > 0;
    return random.weighted<Statement>([
      [6, () => line(this.#assignment())],
      [2, () => line(this.#communication())],
      [1, () => line(this.#condition())],
      [2, () => line(`assert(${this.#condition()})`)],
      [nested ? 2 : 0, () => this.#choice("if", depth - 1, isInside)],
      [nested ? 2 : 0, () => this.#loop(depth - 1, isInside)],
      [nested && !isInside ? 5 : 0, () => this.#block("atomic", depth)],
      [nested ? 3 : 0, () => this.#dStep()],
      [
        nested && !isInside ? 1 : 0,
        () => ({
          kind: "unless",
          main: this.#some(1, 2, depth - 1, isInside),
          escape: [line(this.#guard()), ...this.#some(0, 1, depth - 1, isInside)],
        }),
      ],
      [this.#creates ? 2 : 0, () => this.#creation()],
      [isInside ? 1 : 0, () => line(`select (zk : ${random.below(2)} .. ${random.between(2, 5)})`)],
      [random.chance(10) ? 1 : 0, () => line(`select (zi : 0 .. ${random.pick([40, 130, 299])})`)],
      [this.#isHasty ? 1 : 0, () => line(`set_priority(_pid, ${random.between(1, 3)})`)],
      [random.chance(4) ? 1 : 0, () => line(`(_pid != 0 && enabled(0))`)],
      [1, () => line("zc!zq")],
      [1, () => this.#throughChannel()],
    ]);
  }

  #some(low: number, high: number, depth: number, isInside: boolean): Statement[] {
    return this.#random.list(low, high, () => this.#statement(depth, isInside));
  }

  #block(head: string, depth: number): Statement {
    return { kind: "block", head, body: this.#some(1, 4, depth, true) };
  }

  /** Usually deterministic; a second enabled option is ignored. */
  #dStep(): Statement {
    const random = this.#random;
    const step = (): Statement =>
      random.weighted<Statement>([
        [4, () => line(this.#assignment())],
        [
          2,
          () => ({
            kind: "choice",
            keyword: "if",
            options: [
              ...random.list(1, 2, () => [line(this.#condition()), line(this.#assignment())]),
              [line("else")],
            ],
          }),
        ],
        [
          2,
          () => ({
            kind: "choice",
            keyword: "do",
            options: [
              [line(`zk < ${random.between(2, 6)}`), line("zk++"), line(this.#assignment())],
              [line("else"), line("zk = 0"), line("break")],
            ],
          }),
        ],
        [1, () => line(`assert(${this.#condition()})`)],
      ]);
    const first = random.chance(40) ? [line(this.#condition())] : [line("skip")];
    return { kind: "block", head: "d_step", body: [...first, ...random.list(1, 3, step)] };
  }

  #choice(keyword: "if" | "do", depth: number, isInside: boolean): Statement {
    const random = this.#random;
    const options = random.list(1, 3, () => [line(this.#guard()), ...this.#some(0, 2, depth, isInside)]);
    if (random.chance(50)) options.push([line("skip"), line(keyword === "do" ? "break" : "skip")]);
    return { kind: "choice", keyword, options };
  }

  /** Ends after a few rounds, or loops forever over few values. */
  #loop(depth: number, isInside: boolean): Statement {
    const random = this.#random;
    const most = random.between(1, 4);
    const options: Statement[][] = [
      [line(`zk < ${most}`), line("zk++"), ...this.#some(0, 2, depth, isInside)],
      ...random.list(0, 2, () => [line(this.#guard()), ...this.#some(0, 1, depth, isInside)]),
      [line(random.pick(["else", `zk >= ${most}`, `zk > 0`])), line("zk = 0"), line("break")],
    ];
    return { kind: "choice", keyword: "do", options };
  }

  #creation(): Statement {
    const run = line(`run ZN(${this.#random.pick(["zb", "1", "zk"])}, ${this.#number()})`);
    return { kind: "choice", keyword: "if", options: [[line("(_nr_pr < 5)"), run], [line("else")]] };
  }

  #throughChannel(): Statement {
    const use = line(this.#random.pick(["zv!zs,zb", "zv?zs,zb", "zv??zs,1", "zv!!3,zb"]));
    return {
      kind: "choice",
      keyword: "if",
      options: [[line("zc?zv"), use], [line("else")]],
    };
  }

  #guard(): string {
    const random = this.#random;
    return random.weighted<string>([
      [4, () => this.#condition()],
      [3, () => this.#communication()],
      [1, () => "timeout"],
      [1, () => this.#assignment()],
    ]);
  }

  #communication(): string {
    const random = this.#random;
    return random.pick([
      `zr!${this.#number()},${this.#number()}`,
      "zr?zb,zi",
      "zr?zy,zx",
      "zr?eval(zb),zx",
      `zq!${this.#number()},${this.#number()}`,
      `zq!!${this.#number()},zb`,
      "zq?zs,zb",
      "zq??zs,1",
      "zq?<zs,zy>",
      "zq??eval(zs),zb",
    ]);
  }

  #assignment(): string {
    const random = this.#random;
    const place = this.#place();
    return random.weighted<string>([
      [5, () => `${place} = ${this.#number()}`],
      [3, () => `${place} = ${this.#operation()}`],
      [1, () => `${place}${random.pick(["++", "--"])}`],
    ]);
  }

  // ---- expressions ----

  #place(): string {
    const random = this.#random;
    const part = `zw.p[${this.#index(this.#parts)}]`;
    return random.pick([
      ...["zi", "zs", "zb", "zu", "zx", "zy", "zw.u"],
      ...["a", "b", "c"].map((field) => `${part}.${field}`),
      `${part}.d[${this.#index(this.#deep)}]`,
    ]);
  }

  /** Usually within the bounds. */
  #index(length: number): string {
    const random = this.#random;
    return random.pick([
      String(random.below(length)),
      `zb % ${length}`,
      `zk % ${length}`,
      random.chance(10) ? "zi" : String(length - 1),
    ]);
  }

  #number(): string {
    const random = this.#random;
    return random.weighted<string>([
      [4, () => String(random.below(4))],
      [3, () => this.#place()],
      [1, () => random.pick(["zk", "_pid", "_nr_pr", "len(zq)"])],
      [1, () => random.pick(["255", "256", "(-1)", "32767", "65535", "2147483647", "(-32768)", "1000003"])],
    ]);
  }

  #operation(): string {
    const random = this.#random;
    const [left, right] = [this.#number(), this.#number()];
    return random.weighted<string>([
      [4, () => `(${left} ${random.pick(["+", "-", "*"])} ${right})`],
      [2, () => `(${left} ${random.pick(["&", "|", "^"])} ${right})`],
      [2, () => `(${left} ${random.pick(["<<", ">>"])} (${right} & 31))`],
      [1, () => `(${left} ${random.pick(["/", "%"])} ${right})`],
      [1, () => `(${random.pick(["-", "~"])}${left})`],
      [1, () => `(${this.#comparison()} -> ${left} : ${right})`],
    ]);
  }

  /** Over globals alone. */
  #observation(): string {
    const random = this.#random;
    const left = random.pick(["zb", "zi", "zs", "zu", "zw.u", "zw.p[0].b", "len(zq)"]);
    return `(${left} ${random.pick(["!=", "<", ">="])} ${random.pick(["0", "2", "200", "(-5)", "zs", "(zi + zb)"])})`;
  }

  #comparison(): string {
    const random = this.#random;
    const left = this.#number();
    const right = random.chance(30) ? this.#operation() : this.#number();
    return `(${left} ${random.pick(["==", "!=", "<", "<=", ">", ">="])} ${right})`;
  }

  #condition(): string {
    const random = this.#random;
    return random.weighted<string>([
      [6, () => this.#comparison()],
      [1, () => `(${this.#comparison()} ${random.pick(["&&", "||"])} ${this.#comparison()})`],
      [1, () => random.pick(["empty(zq)", "nfull(zq)", "zq?[1,0]", "zq??[0,1]", "len(zq) > 1"])],
    ]);
  }
}
