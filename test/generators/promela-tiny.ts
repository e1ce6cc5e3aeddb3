/**
 * Tiny random Promela programs: two or three processes of a few statements each, biased towards constructs that
 * reductions treat specially.
 *
 * Each program mixes a few `themes` (sorted sends, rendezvous with `else`, channels that end with their creator, faults
 * in the middle of a chain, …), so that rare combinations occur in programs of about ten states. One in five is a scene
 * of `promela-scenes.ts`. Deterministic in the seed. `promela.ts` generates larger programs over the whole language.
 */
import { drawFairScene, drawScene, sceneObservation } from "./promela-scenes.js";
import { line, type Proctype, type Program, type Statement } from "./promela-tree.js";
import { Random } from "./random.js";

export interface TinyCase {
  readonly program: Program;
  readonly invariants: readonly string[];
  /** Checked in addition to invariants; present only on request. */
  readonly formula?: string;
  readonly fairness: "none" | "weak" | "strong";
}

export interface TinyRequest {
  readonly hasFormula?: boolean;
  /** Omits constructs that pan handles wrongly, or cannot continue after. */
  readonly isForPeer?: boolean;
}

export function tinyCase(seed: number, request: TinyRequest = {}): TinyCase {
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  if (seed % 50 === 35 && request.hasFormula && !request.isForPeer) return fairCase(random);
  if (seed % 5 === 0 && !request.isForPeer) return sceneCase(random, request);
  const labels = request.hasFormula ? ["end0", "end0", "progress0", "accept0"] : ["end0"];
  const writer = new Writer(random, drawThemes(random, request), labels);
  const program = writer.program();
  return {
    program,
    invariants: !request.isForPeer && random.chance(25) ? [writer.observation()] : [],
    ...asked(random, request, () => writer.observation()),
  };
}

/** One program in five is a scene. */
function sceneCase(random: Random, request: TinyRequest): TinyCase {
  const program = drawScene(random);
  const observation = (): string => sceneObservation(random);
  return {
    program,
    invariants: random.chance(25) ? [observation()] : [],
    ...asked(random, request, observation),
  };
}

/** With a formula, one in fifty is about fairness. */
const fairCase = (random: Random): TinyCase => ({
  ...drawFairScene(random),
  invariants: [],
  fairness: random.pick(["weak", "weak", "strong"] as const),
});

function asked(
  random: Random,
  { hasFormula }: TinyRequest,
  observation: () => string,
): Pick<TinyCase, "formula" | "fairness"> {
  if (!hasFormula) return { fairness: "none" };
  return {
    formula: formulaText(random, random.between(1, 2), observation),
    fairness: random.pick(["none", "none", "none", "weak", "strong"] as const),
  };
}

const themeNames = [
  "buffer", // one buffered channel
  "sorted", // sorted sends into it, random receives from it
  "claims", // xr and xs, valid and violated
  "observed", // len, empty, full, polls: in conditions, indices, initialisers
  "rendezvous",
  "dying", // a channel that ends with its creator, passed in a message
  "faults", // bad indices, divisions by zero, undefined channels
  "constant", // constant indices out of bounds
  "atomic",
  "dStep",
  "unless",
  "else",
  "dynamic", // run, parameters, initialisers that observe
  "remote", // P0@there, P0:x
  "provided",
  "priorities",
  "timeout",
  "loops",
  "local", // chains of local steps, for merging, resetting and omission
  "channelArray",
  "printing",
  "talk", // consecutive messages, and assertions about received values
] as const;

type Theme = (typeof themeNames)[number];

const weights: Readonly<Record<Theme, number>> = {
  buffer: 45,
  sorted: 25,
  claims: 15,
  observed: 30,
  rendezvous: 35,
  dying: 10,
  faults: 22,
  constant: 8,
  atomic: 30,
  dStep: 15,
  unless: 15,
  else: 30,
  dynamic: 20,
  remote: 12,
  provided: 5,
  priorities: 4,
  timeout: 10,
  loops: 20,
  local: 45,
  channelArray: 12,
  printing: 12,
  talk: 35,
};

/** Refused by Spin next to a rendezvous, or not undone by pan. */
const notForPeer: readonly Theme[] = ["claims", "constant"];

function drawThemes(random: Random, { isForPeer = false }: TinyRequest): ReadonlySet<Theme> {
  const drawn = new Set(themeNames.filter((name) => random.chance(weights[name])));
  if (isForPeer) for (const name of notForPeer) drawn.delete(name);
  if (drawn.has("priorities")) for (const name of ["rendezvous", "provided"] as const) drawn.delete(name);
  if (drawn.has("sorted") || drawn.has("claims")) drawn.add("buffer");
  if (drawn.has("faults") && isForPeer && random.chance(50)) drawn.delete("faults");
  return drawn;
}

interface Channel {
  readonly name: string;
  readonly isBuffered: boolean;
  /** Number of the sending or receiving process; undefined: any. */
  readonly sender: number | undefined;
  readonly receiver: number | undefined;
}

interface Place {
  readonly process: number;
  readonly depth: number;
  readonly inLoop: boolean;
  readonly inAtomic: boolean;
  readonly inDStep: boolean;
}

/** Generates one program: declarations first, then processes. */
class Writer {
  readonly #random: Random;
  readonly #themes: ReadonlySet<Theme>;
  /** Acceptance and progress labels declare temporal properties, each of which takes a search. */
  readonly #labels: readonly string[];
  readonly #channels: Channel[] = [];
  readonly #processes: number;

  constructor(random: Random, themes: ReadonlySet<Theme>, labels: readonly string[]) {
    this.#labels = labels;
    this.#random = random;
    this.#themes = themes;
    this.#processes = random.weighted([
      [1, () => 1],
      [6, () => 2],
      [4, () => 3],
    ]);
  }

  program(): Program {
    const globals = this.#globals();
    const actives = Array.from({ length: this.#processes }, (_, index) => this.#process(index));
    const helpers = this.#helpers();
    // Processes end in reverse order: the lender of a channel is the last, and ends while others use it.
    return {
      globals,
      proctypes: this.#has("dying") ? [...actives, ...helpers] : [...helpers, ...actives],
    };
  }

  /** A condition for a property. */
  observation(): string {
    const random = this.#random;
    const buffered = this.#channels.filter(({ isBuffered }) => isBuffered);
    return random.weighted<string>([
      [4, () => `(g ${random.pick(["==", "!=", "<"])} ${random.below(3)})`],
      [2, () => `(h ${random.pick(["==", "!=", "<"])} ${random.below(3)})`],
      [1, () => `(a[${random.below(2)}] == ${random.below(3)})`],
      [buffered.length > 0 ? 2 : 0, () => `(len(${random.pick(buffered).name}) < ${random.between(1, 2)})`],
      [1, () => `(P0:x < ${random.between(1, 3)})`],
    ]);
  }

  // ---- declarations ------------------------------------------------------------------------------

  #globals(): string[] {
    const random = this.#random;
    const lines = [`byte g${random.chance(25) ? ` = ${random.below(3)}` : ""};`, "byte h;", "byte a[2];"];
    if (this.#has("buffer")) {
      lines.push(`chan c = [${random.pick([1, 2, 2, this.#has("sorted") ? 3 : 1])}] of {byte};`);
      this.#channels.push(this.#channel("c", true));
    }
    if (this.#has("rendezvous")) {
      lines.push("chan r = [0] of {byte};");
      this.#channels.push(this.#channel("r", false));
    }
    if (this.#has("channelArray")) {
      lines.push("chan d[2] = [1] of {byte};");
      const index = random.pick(["0", "1", "g % 2", this.#has("faults") ? "g" : "1", this.#lengthIndex()]);
      this.#channels.push(this.#channel(`d[${index}]`, true));
    }
    if (this.#has("dying")) lines.push("chan t = [1] of {chan};");
    if (this.#has("faults")) lines.push("chan u;");
    return lines;
  }

  #lengthIndex(): string {
    return this.#has("buffer") && this.#has("observed") ? "len(c) % 2" : "0";
  }

  #channel(name: string, isBuffered: boolean): Channel {
    const random = this.#random;
    const someone = (): number | undefined => (random.chance(70) ? random.below(this.#processes) : undefined);
    return { name, isBuffered, sender: someone(), receiver: someone() };
  }

  // ---- processes ---------------------------------------------------------------------------------

  /** Proctypes created by `run`, and the lender of a channel. */
  #helpers(): Proctype[] {
    const random = this.#random;
    const helpers: Proctype[] = [];
    if (this.#has("dying")) {
      const inside = random.chance(40) ? [line(random.pick(["l?_", "l!1", "g = 1", "len(l) == 1"]))] : [];
      helpers.push({
        head: "active proctype W()",
        locals: ["chan l = [1] of {byte}"],
        body: [line("t!l"), ...inside],
      });
    }
    if (this.#has("dynamic")) {
      const start = random.pick([
        "k",
        "1",
        ...Array<string>(3).fill(this.#observes("len(c)", "g")),
        "g",
        this.#has("faults") ? "a[g]" : "h",
      ]);
      const place: Place = { process: -1, depth: 0, inLoop: false, inAtomic: false, inDStep: false };
      helpers.push({
        head: "proctype D(byte k)",
        locals: [`byte x = ${start}`, "byte i"],
        body: [
          ...this.#sequence(place, 0, 2),
          line(`assert(x ${random.pick(["==", "!=", "<"])} ${random.below(3)})`),
        ],
      });
    }
    return helpers;
  }

  #observes(observed: string, otherwise: string): string {
    return this.#has("observed") && this.#has("buffer") ? observed : otherwise;
  }

  #process(index: number): Proctype {
    const random = this.#random;
    const priority = this.#has("priorities") ? ` priority ${random.between(1, 3)}` : "";
    const provided =
      this.#has("provided") && random.chance(50) ? ` provided (${random.pick(["g < 2", "h == 0"])})` : "";
    const locals = ["byte x", `byte i${random.chance(40) ? ` = ${random.between(1, 3)}` : ""}`];
    if (random.chance(40)) locals.push("byte b[2]");
    if (this.#has("dying")) locals.push("chan q");
    if (this.#has("claims") && random.chance(60)) locals.push(random.pick(["xs c", "xr c"]));
    const place: Place = { process: index, depth: 2, inLoop: false, inAtomic: false, inDStep: false };
    const isTalking = this.#has("talk") && this.#roles(place).length > 0;
    const body = this.#sequence(place, isTalking ? 0 : 1, isTalking ? 2 : 4, locals.includes("byte b[2]"));
    if (isTalking) body.splice(random.below(body.length + 1), 0, ...this.#talk(place));
    const copies = random.chance(6) ? "active [2]" : "active";
    return {
      head: `${copies} proctype P${index}()${priority}${provided}`,
      locals,
      body: this.#labelled(body),
    };
  }

  /** Adds an occasional end label, and the target of remote references. */
  #labelled(body: Statement[]): Statement[] {
    const random = this.#random;
    const result = [...body];
    if (this.#has("remote")) {
      const at = random.below(result.length);
      result.splice(at, 0, { ...line("h = 1"), label: "there" });
    }
    const index = random.below(result.length);
    const chosen = result[index]!;
    if (random.chance(55) && !chosen.label && !isDStep(chosen))
      result[index] = { ...chosen, label: random.pick(this.#labels) };
    return result;
  }

  #has(theme: Theme): boolean {
    return this.#themes.has(theme);
  }

  // ---- statements --------------------------------------------------------------------------------

  #sequence(place: Place, low: number, high: number, hasArray = false): Statement[] {
    const made = this.#random.list(low, high, () => this.#statement(place, hasArray));
    // For Spin, leaving a loop directly into a `d_step` is a jump into it.
    return made.flatMap((one, index) =>
      isDStep(one) && index > 0 && made[index - 1]!.kind !== "line" ? [line("skip"), one] : [one],
    );
  }

  #statement(place: Place, hasArray: boolean): Statement {
    const random = this.#random;
    const inner: Place = { ...place, depth: place.depth - 1 };
    const nests = place.depth > 0;
    const body = (at: Place, low: number, high: number): Statement[] =>
      this.#sequence(at, low, high, hasArray);
    const theme = (name: Theme, weight: number): number => (this.#has(name) ? weight : 0);
    const roles = this.#roles(place);
    return random.weighted<Statement>([
      [4, () => line(this.#assignment(hasArray))],
      [theme("local", 5), () => line(this.#localStep(hasArray))],
      [roles.length > 0 && !place.inDStep ? 7 : 0, () => line(this.#communication(random.pick(roles)))],
      [2, () => line(this.#condition(place))],
      [2, () => line(`assert(${this.#condition(place)})`)],
      [theme("faults", 2), () => line(this.#fault(place, hasArray))],
      [
        theme("constant", 2),
        () => line(random.pick(["a[2] = 1", "x = a[2]", "x = a[3]", "a[_pid + 2] = 1"])),
      ],
      [theme("printing", 1), () => line(`printf("%d", ${this.#number(place)})`)],
      [nests ? 2 : 0, () => this.#choice("if", inner, hasArray)],
      [nests ? theme("loops", 2) : 0, () => this.#choice("do", { ...inner, inLoop: true }, hasArray)],
      [place.inLoop ? 1 : 0, () => line("break")],
      [
        nests && !place.inAtomic ? theme("atomic", 3) : 0,
        () => ({
          kind: "block",
          head: "atomic",
          body: body({ ...inner, inAtomic: true, inLoop: false }, 1, 3),
        }),
      ],
      [nests ? theme("dStep", 2) : 0, () => this.#dStep(place, hasArray)],
      [
        nests && !place.inAtomic ? theme("unless", 3) : 0,
        () => ({
          kind: "unless",
          main: body({ ...inner, inLoop: false }, 1, 3),
          escape: [line(this.#guard(place)), ...body({ ...inner, inLoop: false }, 0, 1)],
        }),
      ],
      [
        place.process >= 0 && !place.inLoop && !place.inDStep ? theme("dynamic", 3) : 0,
        () =>
          line(
            random.pick([
              "run D(1)",
              "run D(g)",
              "run D(x)",
              "x = run D(0)",
              this.#has("faults") ? "run D(a[i])" : "run D(2)",
            ]),
          ),
      ],
      [this.#has("priorities") ? 1 : 0, () => line(`set_priority(_pid, ${random.between(1, 3)})`)],
      [
        place.process >= 0 && !place.inDStep ? theme("dying", 4) : 0,
        () => line(random.pick(["t?q", "q!1", "q?x", "q?_", "len(q) == 0", "t?q; q!1"])),
      ],
      [1, () => line("skip")],
    ]);
  }

  #assignment(hasArray: boolean): string {
    const random = this.#random;
    const value = random.pick(["0", "1", "2", "x", "i", "g", "_pid", "1 - h", "x + 1"]);
    const target = random.pick(["g", "g", "h", "x", "a[0]", "a[1]", hasArray ? "b[0]" : "x"]);
    return `${target} = ${value}`;
  }

  #localStep(hasArray: boolean): string {
    const random = this.#random;
    const steps = ["x = 1", "x = 2", "i = 0", "i = x", "x = i", "x = x + 1", "skip", "x == 0", "x = g"];
    const arrays = ["b[0] = 1", "b[i] = 3", "b[x] = i", "x = b[0]", "b[1] == 0", "x = b[i]"];
    return random.pick(hasArray && this.#has("faults") ? [...steps, ...arrays] : steps);
  }

  /** Faults in some states: a bad index, a division, a shift, an undefined channel, in every position. */
  #fault(place: Place, hasArray: boolean): string {
    const random = this.#random;
    const bad = random.pick([
      "a[i]",
      "a[x + 1]",
      "1 / x",
      "2 % x",
      "a[g]",
      "1 / g",
      ...(hasArray ? ["b[i]", "b[g]"] : []),
    ]);
    const channels = this.#roles(place).map(({ channel }) => channel.name);
    return random.weighted<string>([
      [3, () => `${random.pick(["x", "g", "a[0]"])} = ${bad}`],
      [2, () => `a[${random.pick(["i", "g", "x + 1", "1 / x"])}] = 1`],
      [2, () => `${bad} == 1`],
      [1, () => `assert(${bad} < 3)`],
      [1, () => `printf("%d", ${bad})`],
      [1, () => `x = (g == 1 -> ${bad} : 0)`],
      [place.inDStep ? 0 : 1, () => random.pick(["u?_", "u!1", "u?x", "len(u) == 0", "nempty(u)"])],
      [channels.length > 0 && !place.inDStep ? 1 : 0, () => `${random.pick(channels)}!${bad}`],
      [
        channels.length > 0 && !place.inDStep ? 1 : 0,
        () => `${random.pick(channels)}?${random.pick(["a[i]", "a[g]", `eval(${bad})`])}`,
      ],
    ]);
  }

  #roles(place: Place): { readonly channel: Channel; readonly sends: boolean }[] {
    const may = (who: number | undefined): boolean => who === undefined || who === place.process;
    return this.#channels.flatMap((channel) => [
      ...(may(channel.sender) ? [{ channel, sends: true }] : []),
      ...(may(channel.receiver) ? [{ channel, sends: false }] : []),
    ]);
  }

  #communication({ channel, sends }: { readonly channel: Channel; readonly sends: boolean }): string {
    const random = this.#random;
    const { name, isBuffered } = channel;
    if (sends) {
      const isSorted = isBuffered && this.#has("sorted") && random.chance(60);
      const value = random.pick([
        "0",
        "1",
        "2",
        "3",
        "x",
        "g",
        isSorted ? "5" : "i",
        this.#observes("len(c)", "h"),
      ]);
      return `${name}${isSorted ? "!!" : "!"}${value}`;
    }
    const operator = isBuffered && this.#has("sorted") && random.chance(35) ? "??" : "?";
    const pattern = random.pick([
      "x",
      "x",
      "x",
      "g",
      "_",
      "1",
      "2",
      this.#observes("eval(len(c))", "eval(g)"),
      this.#observes("a[len(c) % 2]", "a[0]"),
      this.#has("faults") ? "a[i]" : "h",
    ]);
    return isBuffered && random.chance(12)
      ? `${name}${operator}<${pattern}>`
      : `${name}${operator}${pattern}`;
  }

  /** Several distinct messages, or an assertion about each received message. */
  #talk(place: Place): Statement[] {
    const random = this.#random;
    const { channel, sends } = random.pick(this.#roles(place));
    const isSorted = channel.isBuffered && this.#has("sorted");
    const value = (): number => random.pick([1, 2, 3, 5]);
    if (sends)
      return random.list(2, 3, () =>
        line(`${channel.name}${isSorted && random.chance(75) ? "!!" : "!"}${value()}`),
      );
    const receive = `${channel.name}${isSorted && random.chance(20) ? "??" : "?"}x`;
    const look = (): Statement => line(`assert(x ${random.pick(["==", "!=", "<", ">"])} ${value()})`);
    return random.list(1, 2, () => [line(receive), look()]).flat();
  }

  #choice(keyword: "if" | "do", place: Place, hasArray: boolean): Statement {
    const random = this.#random;
    const options = random.list(1, 2, () => [
      line(this.#guard(place)),
      ...this.#sequence(place, 0, 2, hasArray),
    ]);
    if (this.#has("else") && random.chance(65))
      options.push([
        line("else"),
        ...(keyword === "do" ? [line("break")] : this.#sequence(place, 0, 1, hasArray)),
      ]);
    else if (this.#has("timeout") && random.chance(50))
      options.push([line("timeout"), line(keyword === "do" ? "break" : "g = 2")]);
    else if (keyword === "do") options.push([line(this.#guard(place)), line("break")]);
    return { kind: "choice", keyword, options };
  }

  #guard(place: Place): string {
    const random = this.#random;
    const roles = this.#roles(place);
    return random.weighted<string>([
      [3, () => this.#condition(place)],
      [roles.length > 0 && !place.inDStep ? 5 : 0, () => this.#communication(random.pick(roles))],
      [1, () => this.#assignment(false)],
      [this.#has("timeout") && !place.inDStep ? 1 : 0, () => "timeout"],
    ]);
  }

  /** Deterministic; may block inside, or communicate. */
  #dStep(place: Place, hasArray: boolean): Statement {
    const random = this.#random;
    const at: Place = { ...place, depth: 0, inDStep: true, inLoop: false };
    const roles = this.#roles(place).filter(({ channel }) => channel.isBuffered);
    const first =
      roles.length > 0 && random.chance(30)
        ? [line(this.#communication(random.pick(roles)))]
        : random.chance(40)
          ? [line(this.#condition(at))]
          : [];
    return { kind: "block", head: "d_step", body: [...first, ...this.#sequence(at, 1, 3, hasArray)] };
  }

  // ---- expressions -------------------------------------------------------------------------------

  #number(place: Place): string {
    const random = this.#random;
    return random.weighted<string>([
      [4, () => random.pick(["x", "g", "h", "i", "a[0]", "_pid"])],
      [1, () => "_nr_pr"],
      [this.#has("faults") ? 1 : 0, () => random.pick(["a[i]", "1 / x", "a[g]"])],
      [this.#has("observed") && this.#has("buffer") ? 2 : 0, () => random.pick(["len(c)", "a[len(c) % 2]"])],
      [this.#has("remote") && place.process !== 0 ? 1 : 0, () => "P0:x"],
    ]);
  }

  #condition(place: Place): string {
    const random = this.#random;
    const buffered = this.#channels.filter(({ isBuffered }) => isBuffered);
    return random.weighted<string>([
      [6, () => `(${this.#number(place)} ${random.pick(["==", "==", "!=", "<", ">"])} ${random.below(3)})`],
      [
        this.#has("observed") && buffered.length > 0 ? 3 : 0,
        () => {
          const { name } = random.pick(buffered);
          return random.pick([
            `empty(${name})`,
            `nempty(${name})`,
            `full(${name})`,
            `nfull(${name})`,
            `${name}?[1]`,
            `${name}??[2]`,
          ]);
        },
      ],
      // A fault in any state of the channel's partners.
      [this.#has("observed") && this.#has("rendezvous") ? 1 : 0, () => "r?[1]"],
      [this.#has("remote") && place.process !== 0 ? 2 : 0, () => "P0@there"],
      [1, () => random.pick(["false", "true", "(g == h)"])],
    ]);
  }
}

const isDStep = (made: Statement): boolean => made.kind === "block" && made.head === "d_step";

function formulaText(random: Random, depth: number, observation: () => string): string {
  if (depth === 0) return observation();
  const one = (): string => formulaText(random, depth - 1, observation);
  return random.pick([
    () => `(<> ${one()})`,
    () => `([] ${one()})`,
    () => `(! ${one()})`,
    () => `(${one()} U ${one()})`,
    () => `([] (<> ${one()}))`,
    () => `(<> ([] ${one()}))`,
    () => `([] (${one()} -> (<> ${one()})))`,
  ])();
}
