/**
 * Random Murphi models with scalarsets, unions and multisets, from a seed: small enough for an exhaustive search, and
 * rich in constructs that symmetry must handle: loops whose order may matter, reference parameters, aliases of all
 * kinds, locals that read themselves, functions with effects, undefined values, assertions next to other errors. Many
 * of their steps fault, and are compared like any other. One in five is a scene of `murphi-scenes.ts`.
 */
import { drawScene } from "./murphi-scenes.js";
import { Random } from "./random.js";

export interface SymmetricChoices {
  /**
   * Only constructs of Rumur, and no undefined values in quantifiers: ours evaluate all elements, Rumur's only the
   * first ones.
   */
  readonly isForPeer: boolean;
}

export function symmetricModel(seed: number, choices: SymmetricChoices = { isForPeer: false }): string {
  const random = new Random(seed);
  return seed % 5 === 0 && !choices.isForPeer ? drawScene(random) : new Generator(random, choices).model();
}

type Type = "int" | "bool" | "enum" | "s" | "t" | "u";

/** Names in scope; `isPlace`: writable and possibly undefined. */
type Bound = readonly { readonly name: string; readonly type: Type; readonly isPlace?: boolean }[];

const TYPE_NAMES: Readonly<Record<Type, string>> = {
  int: "0..2",
  bool: "boolean",
  enum: "kind",
  s: "s",
  t: "t",
  u: "u",
};

/** A procedure or function of the model; both may have effects. */
interface Routine {
  readonly name: string;
  readonly parameters: readonly { readonly type: Type; readonly isVar: boolean }[];
  readonly result: Type | undefined;
}

/** A declaration and its designators: `#s` stands for an index of type s. */
interface Declaration {
  readonly text: string;
  /** Assigns a value, where i and j are elements of s and t. */
  readonly start: string;
  readonly gives: readonly (readonly [type: Type, designator: string])[];
}

const DECLARATIONS: readonly Declaration[] = [
  { text: "n: 0..2;", start: "n := 0;", gives: [["int", "n"]] },
  { text: "b: boolean;", start: "b := false;", gives: [["bool", "b"]] },
  { text: "e: kind;", start: "e := red;", gives: [["enum", "e"]] },
  { text: "p: s;", start: "p := i;", gives: [["s", "p"]] },
  { text: "q: t;", start: "q := j;", gives: [["t", "q"]] },
  { text: "w: u;", start: "w := i;", gives: [["u", "w"]] },
  {
    text: "count: array [s] of 0..2;",
    start: "for k: s do count[k] := 0; end;",
    gives: [["int", "count[#s]"]],
  },
  { text: "next: array [s] of s;", start: "for k: s do next[k] := k; end;", gives: [["s", "next[#s]"]] },
  { text: "home: array [t] of s;", start: "for k: t do home[k] := i; end;", gives: [["s", "home[#t]"]] },
  {
    text: "has: array [s] of array [t] of boolean;",
    start: "for k: s do for l: t do has[k][l] := false; end; end;",
    gives: [["bool", "has[#s][#t]"]],
  },
  { text: "top: array [0..1] of s;", start: "top[0] := i; top[1] := i;", gives: [["s", "top[#int]"]] },
  {
    text: "flag: array [u] of boolean;",
    start: "for k: u do flag[k] := false; end;",
    gives: [["bool", "flag[#u]"]],
  },
  {
    text: "cell: array [s] of record x: kind; y: t; end;",
    start: "for k: s do cell[k].x := red; cell[k].y := j; end;",
    gives: [
      ["enum", "cell[#s].x"],
      ["t", "cell[#s].y"],
    ],
  },
];

class Generator {
  readonly #random: Random;
  readonly #isForPeer: boolean;
  #declared: readonly Declaration[] = [];
  #routines: Routine[] = [];
  #hasBag = false;
  /** Whether functions with effects may be called. */
  #mayAct = false;
  #names = 0;

  constructor(random: Random, { isForPeer }: SymmetricChoices) {
    this.#random = random;
    this.#isForPeer = isForPeer;
  }

  model(): string {
    const r = this.#random;
    const known = this.#isForPeer ? DECLARATIONS.filter((d) => !/\bu\b/.test(d.text)) : DECLARATIONS;
    this.#declared = r.list(2, 4, () => r.pick(known)).filter((d, i, all) => all.indexOf(d) === i);
    this.#hasBag = !this.#isForPeer && r.chance(30);
    const routines = r.chance(55) ? r.list(1, 2, () => this.#routine()) : [];
    const rules = r.list(1, 4, () => this.#rule());
    const union = this.#isForPeer ? "" : " u: union { s, kind };";
    return `type s: scalarset(${r.chance(70) ? 2 : 3}); t: scalarset(2); kind: enum { red, blue };${union}
  msg: record k: kind; d: s; end;
var pick_s: s; pick_t: t; ${this.#declared.map((d) => d.text).join(" ")} ${this.#hasBag ? "net: multiset [2] of msg; mail: msg;" : ""}
procedure change(var x: s; y: s); begin x := y; end;
function same(x: s; y: s): boolean; begin return x = y; end;
${routines.join("\n")}
ruleset i: s; j: t do startstate begin pick_s := i; pick_t := j; ${this.#start()} end; end;
${rules.join("\n")}
invariant "always" ${this.#condition([], 2)};
${this.#properties().join("\n")}
`;
  }

  /** Some variables stay undefined. */
  #start(): string {
    const most = this.#isForPeer ? 100 : 85;
    return this.#declared.map(({ start }) => (this.#random.chance(most) ? start : "")).join(" ");
  }

  #properties(): string[] {
    const r = this.#random;
    const about = (word: string, name: string): string => {
      const element = { name: "one", type: "s" } as const;
      if (r.chance(50)) return `${word} "${name}" ${this.#condition([], 1)};`;
      return `ruleset one: s do ${word} "${name}" ${this.#condition([element], 1)}; end;`;
    };
    return [
      ...(r.chance(30) ? [about("invariant", "second")] : []),
      ...(r.chance(20) ? [about("cover", "met")] : []),
      ...(r.chance(20) ? [about("liveness", "alive")] : []),
      ...(r.chance(8) ? [about("assume", "given")] : []),
    ];
  }

  /** A routine with parameters and an optional result. */
  #routine(): string {
    const r = this.#random;
    const types: readonly Type[] = this.#isForPeer
      ? ["int", "bool", "enum", "s", "s"]
      : ["int", "bool", "enum", "s", "s", "u"];
    const parameters = r.list(0, 2, () => ({ name: this.#name(), type: r.pick(types), isVar: r.chance(60) }));
    const result = r.chance(45) ? r.pick(["bool", "s", "int"] as const) : undefined;
    const bound: Bound = parameters.map(({ name, type, isVar }) => ({ name, type, isPlace: isVar }));
    const [locals, inside] = this.#locals(bound);
    const body = this.#acting(() => this.#statements(inside, 1, 2));
    const end = result === undefined ? "" : `return ${this.#value(result, inside, 1)};`;
    const name = this.#name();
    this.#routines.push({ name, parameters, result });
    const formals = parameters.map((p) => `${p.isVar ? "var " : ""}${p.name}: ${TYPE_NAMES[p.type]}`);
    return `${result === undefined ? "procedure" : "function"} ${name}(${formals.join("; ")})${result === undefined ? "" : `: ${TYPE_NAMES[result]}`}; ${locals} begin ${body} ${end} end;`;
  }

  #acting<T>(make: () => T): T {
    const outer = this.#mayAct;
    this.#mayAct = true;
    const made = make();
    this.#mayAct = outer;
    return made;
  }

  /** Declarations of locals, and the extended scope; some are initialised. */
  #locals(bound: Bound): readonly [string, Bound] {
    const r = this.#random;
    if (!r.chance(35)) return ["", bound];
    const own = r.list(1, 2, () => ({
      name: this.#name(),
      type: r.pick(["int", "bool", "s"] as const),
      isPlace: true,
    }));
    return [
      `var ${own.map(({ name, type }) => `${name}: ${TYPE_NAMES[type]};`).join(" ")}`,
      [...bound, ...own],
    ];
  }

  #rule(): string {
    const r = this.#random;
    const parameters: Bound = r.list(0, 2, () => ({
      name: this.#name(),
      type: r.pick(this.#isForPeer ? (["s", "s", "t"] as const) : (["s", "s", "t", "u"] as const)),
    }));
    const guard = this.#condition(parameters, 2);
    const [locals, bound] = this.#locals(parameters);
    const body = this.#acting(() => this.#statements(bound, 1, 3));
    const inner = `rule ${guard} ==> ${locals} begin ${body} end;`;
    if (this.#hasBag && r.chance(30)) {
      const i = this.#name();
      const chosen = [...parameters, { name: `net[${i}].d`, type: "s" as const }];
      const remove = r.chance(70) ? `multisetremove(${i}, net);` : "";
      const acts = this.#acting(() => this.#statements(chosen, 1, 2));
      const text = `choose ${i}: net do rule ${this.#condition(chosen, 1)} ==> begin ${acts} ${remove} end; end;`;
      return this.#ruleset(parameters, text);
    }
    if (r.chance(12)) {
      const alias = this.#name();
      const [type, place] = this.#target(parameters);
      const seen = [...parameters, { name: alias, type, isPlace: true }];
      const acts = this.#acting(() => this.#statements(seen, 1, 2));
      return this.#ruleset(
        parameters,
        `alias ${alias}: ${place} do rule ${this.#condition(parameters, 1)} ==> begin ${acts} end; end;`,
      );
    }
    return this.#ruleset(parameters, inner);
  }

  #ruleset(parameters: Bound, inside: string): string {
    if (parameters.length === 0) return inside;
    return `ruleset ${parameters.map((p) => `${p.name}: ${p.type}`).join("; ")} do ${inside} end;`;
  }

  #statements(bound: Bound, low: number, high: number, depth = 2): string {
    return this.#random.list(low, high, () => this.#statement(bound, depth)).join(" ");
  }

  #statement(bound: Bound, depth: number): string {
    const r = this.#random;
    const isDeep = depth > 0;
    return r.weighted([
      [10, () => this.#assignment(bound)],
      [this.#isForPeer ? 0 : 2, () => `undefine ${this.#target(bound)[1]};`],
      [this.#isForPeer ? 0 : 1, () => `clear ${this.#target(bound)[1]};`],
      [
        isDeep ? 3 : 0,
        () => `if ${this.#condition(bound, 1)} then ${this.#statements(bound, 1, 2, depth - 1)} end;`,
      ],
      [isDeep ? 5 : 0, () => this.#loop(bound, depth)],
      [isDeep ? 2 : 0, () => this.#alias(bound, depth)],
      [
        isDeep ? 1 : 0,
        () =>
          `switch ${this.#value("enum", bound, 0)} case red: ${this.#statements(bound, 1, 1, 0)} else ${this.#statements(bound, 1, 1, 0)} end;`,
      ],
      [this.#hasBag ? 2 : 0, () => this.#send(bound)],
      [
        this.#places("s", bound).length > 0 ? 1 : 0,
        () => `change(${r.pick(this.#places("s", bound))}, ${this.#value("s", bound, 0)});`,
      ],
      [3, () => this.#call(bound)],
      [this.#hasBag ? 1 : 0, () => `multisetremovepred(z: net, net[z].d = ${this.#value("s", bound, 0)});`],
      [this.#hasBag ? 1 : 0, () => `multisetremovepred(z: net, ${this.#condition(bound, 1)});`],
      [r.chance(20) ? 1 : 0, () => `assume ${this.#condition(bound, 0)};`],
      [r.chance(20) ? 1 : 0, () => `assert ${this.#condition(bound, 1)};`],
      [r.chance(10) ? 1 : 0, () => `cover "c${this.#names++}" ${this.#condition(bound, 0)};`],
      [r.chance(10) ? 1 : 0, () => `error "no";`],
    ]);
  }

  #loop(bound: Bound, depth: number): string {
    const r = this.#random;
    const type = r.pick(["s", "s", "t", ...(this.#isForPeer ? [] : (["u"] as const))] as const);
    const name = this.#name();
    // Mostly local: a loop that writes elsewhere is rarely symmetric.
    const others = r.chance(70) ? bound.filter((b) => b.type !== type || b.isPlace) : bound;
    const inside = [...others, { name, type }];
    const places = inside.filter((b) => b.isPlace);
    if (places.length === 0 || r.chance(60))
      return `for ${name}: ${type} do ${this.#statements(inside, 1, 2, depth - 1)} end;`;
    // A local, parameter or alias is written first: it is, or seems, local to the iteration.
    const first = r.pick(places);
    const value = this.#value(first.type, inside, 1);
    const own = r.chance(40)
      ? `${first.name} := isundefined(${first.name}) ? ${value} : ${first.name};`
      : r.chance(15)
        ? `if isundefined(${first.name}) then ${first.name} := ${value}; end;`
        : `${first.name} := ${value};`;
    return `for ${name}: ${type} do ${own} ${this.#statements(inside, 0, 2, depth - 1)} end;`;
  }

  #alias(bound: Bound, depth: number): string {
    const name = this.#name();
    const [type, place] = this.#target(bound);
    return `alias ${name}: ${place} do ${this.#statements([...bound, { name, type, isPlace: true }], 1, 2, depth - 1)} end;`;
  }

  /** A call of a routine, if effects are allowed; otherwise no statement. */
  #call(bound: Bound): string {
    const r = this.#random;
    if (!this.#mayAct || this.#routines.length === 0) return this.#assignment(bound);
    const routine = r.pick(this.#routines);
    const text = this.#callOf(routine, bound);
    if (text === undefined) return this.#assignment(bound);
    if (routine.result === undefined) return `${text};`;
    if (routine.result === "bool" && r.chance(50))
      return r.chance(50)
        ? `if ${text} then ${this.#assignment(bound)} end;`
        : `if ${this.#actingQuantified(routine, bound)} then ${this.#assignment(bound)} end;`;
    const places = this.#places(routine.result, bound);
    return places.length > 0 ? `${r.pick(places)} := ${text};` : this.#assignment(bound);
  }

  #actingQuantified(routine: Routine, bound: Bound): string {
    const name = this.#name();
    const type = this.#random.pick(["s", "t"] as const);
    const call = this.#callOf(routine, [...bound, { name, type }]) ?? "true";
    return `${this.#random.pick(["forall", "exists"])} ${name}: ${type} do ${call} end`;
  }

  #callOf({ name, parameters }: Routine, bound: Bound): string | undefined {
    const given = parameters.map(({ type, isVar }) => {
      const places = this.#places(type, bound);
      if (!isVar) return this.#value(type, bound, 0);
      return places.length > 0 ? this.#random.pick(places) : undefined;
    });
    return given.includes(undefined) ? undefined : `${name}(${given.join(", ")})`;
  }

  #send(bound: Bound): string {
    const loop = this.#name();
    const who = this.#random.chance(30) ? loop : this.#value("s", bound, 0);
    const body = `mail.k := ${this.#value("enum", bound, 0)}; mail.d := ${who}; multisetadd(mail, net);`;
    return who === loop ? `for ${loop}: s do ${body} end;` : body;
  }

  #assignment(bound: Bound): string {
    const [type, place] = this.#target(bound);
    return `${place} := ${this.#value(type, bound, 1)};`;
  }

  #target(bound: Bound): [Type, string] {
    const r = this.#random;
    const own = bound.filter((b) => b.isPlace);
    if (own.length > 0 && r.chance(30)) {
      const { type, name } = r.pick(own);
      return [type, name];
    }
    const [type, designator] = r.pick(r.pick(this.#declared).gives);
    return [type, this.#indexed(designator, bound)];
  }

  /** All places of a type. */
  #places(type: Type, bound: Bound): string[] {
    const own = bound.filter((b) => b.isPlace && b.type === type).map((b) => b.name);
    const declared = this.#declared.flatMap((d) =>
      d.gives.filter(([given]) => given === type).map(([, designator]) => this.#indexed(designator, bound)),
    );
    return [...own, ...declared];
  }

  #indexed(designator: string, bound: Bound): string {
    return designator.replace(/#(\w+)/g, (_, type: Type) =>
      type === "int" ? String(this.#random.below(2)) : this.#value(type, bound, 0),
    );
  }

  #value(type: Type, bound: Bound, depth: number): string {
    const r = this.#random;
    const names = bound.filter((b) => b.type === type).map((b) => b.name);
    if (names.length > 0 && r.chance(type === "s" || type === "t" ? 90 : 60)) return r.pick(names);
    const places = depth > 0 || type === "s" || type === "t" ? this.#placesWithout(type, bound) : [];
    if (places.length > 0 && r.chance(50)) return r.pick(places);
    switch (type) {
      case "int": {
        const counted = depth > 0 ? this.#places("int", bound) : [];
        return counted.length > 0 && r.chance(40) ? `${r.pick(counted)} + 1` : String(r.below(3));
      }
      case "bool":
        return depth > 0 ? `(${this.#condition(bound, depth - 1)})` : r.pick(["true", "false"]);
      case "enum":
        return r.pick(["red", "blue"]);
      case "u":
        if (this.#isForPeer) throw new Error("Rumur has no unions");
        return bound.some((b) => b.type === "s") && r.chance(50)
          ? bound.find((b) => b.type === "s")!.name
          : r.pick(["red", "blue"]);
      case "s":
      case "t":
        return names.length > 0 ? r.pick(names) : `pick_${type}`;
    }
  }

  /** Places without indices that would need values themselves. */
  #placesWithout(type: Type, bound: Bound): string[] {
    const isBound = (index: string): boolean => bound.some((b) => b.type === index) || index === "int";
    return this.#declared.flatMap((d) =>
      d.gives
        .filter(
          ([given, text]) =>
            given === type && [...text.matchAll(/#(\w+)/g)].every(([, index]) => isBound(index!)),
        )
        .map(([, text]) =>
          text.replace(/#(\w+)/g, (_, index: Type) =>
            index === "int"
              ? String(this.#random.below(2))
              : this.#random.pick(bound.filter((b) => b.type === index)).name,
          ),
        ),
    );
  }

  #condition(bound: Bound, depth: number): string {
    const r = this.#random;
    const type = r.pick([
      "int",
      "enum",
      "s",
      "t",
      ...(this.#isForPeer ? [] : (["u"] as const)),
      "bool",
    ] as const);
    const places = this.#places(type, bound);
    return r.weighted([
      [
        places.length > 0 ? 4 : 0,
        () => `${r.pick(places)} ${r.pick(["=", "!="])} ${this.#value(type, bound, 0)}`,
      ],
      [places.length > 0 ? 3 : 0, () => `isundefined(${r.pick(places)})`],
      [
        depth > 0 ? 2 : 0,
        () =>
          `(${this.#condition(bound, depth - 1)} ${r.pick(["&", "|", "->"])} ${this.#condition(bound, depth - 1)})`,
      ],
      [depth > 0 ? 1 : 0, () => `!(${this.#condition(bound, depth - 1)})`],
      [depth > 0 ? 3 : 0, () => this.#quantified(bound, depth)],
      [1, () => `same(${this.#value("s", bound, 0)}, ${this.#value("s", bound, 0)})`],
      [this.#hasBag ? 1 : 0, () => `multisetcount(z: net, net[z].k = red) < 2`],
      [1, () => "true"],
    ]);
  }

  #quantified(bound: Bound, depth: number): string {
    const type = this.#random.pick(["s", "t", ...(this.#isForPeer ? [] : (["u"] as const))] as const);
    const name = this.#name();
    const op = this.#random.pick(["forall", "exists"]);
    return `${op} ${name}: ${type} do ${this.#condition([...bound, { name, type }], depth - 1)} end`;
  }

  #name(): string {
    return `v${this.#names++}`;
  }
}
