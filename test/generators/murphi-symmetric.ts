/**
 * Random Murphi models with scalarsets, unions and multisets, from a seed: small enough to be explored whole, and full of what
 * symmetry has to get right. Many of their steps fail, which is as good to compare as any other step.
 */
import { Random } from "./random.js";

export function symmetricModel(seed: number): string {
  return new Generator(new Random(seed)).model();
}

type Type = "int" | "bool" | "enum" | "s" | "t" | "u";

/** Names that are bound around a place in the text. */
type Bound = readonly { readonly name: string; readonly type: Type }[];

/** A declaration, and what designators it gives: `#s` stands for an index of type s. */
interface Declaration {
  readonly text: string;
  /** Gives it a value, where i and j are elements of s and t. */
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
  #declared: readonly Declaration[] = [];
  #hasBag = false;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  model(): string {
    const r = this.#random;
    this.#declared = r.list(2, 4, () => r.pick(DECLARATIONS)).filter((d, i, all) => all.indexOf(d) === i);
    this.#hasBag = r.chance(35);
    const rules = r.list(2, 4, () => this.#rule());
    return `type s: scalarset(${r.between(2, 3)}); t: scalarset(2); kind: enum { red, blue }; u: union { s, kind };
  msg: record k: kind; d: s; end;
var pick_s: s; pick_t: t; ${this.#declared.map((d) => d.text).join(" ")} ${this.#hasBag ? "net: multiset [2] of msg; mail: msg;" : ""}
procedure change(var x: s; y: s); begin x := y; end;
function same(x: s; y: s): boolean; begin return x = y; end;
ruleset i: s; j: t do startstate begin pick_s := i; pick_t := j; ${this.#start()} end; end;
${rules.join("\n")}
invariant "always" ${this.#condition([], 2)};
`;
  }

  /** Now and then something stays undefined. */
  #start(): string {
    return this.#declared.map(({ start }) => (this.#random.chance(85) ? start : "")).join(" ");
  }

  #rule(): string {
    const r = this.#random;
    const parameters: Bound = r.list(0, 2, () => ({
      name: this.#name(),
      type: r.pick(["s", "s", "t", "u"] as const),
    }));
    const guard = this.#condition(parameters, 2);
    const inner = `rule ${guard} ==> begin ${this.#statements(parameters, 1, 3)} end;`;
    if (this.#hasBag && r.chance(30)) {
      const i = this.#name();
      const bound = [...parameters, { name: `net[${i}].d`, type: "s" as const }];
      const remove = r.chance(70) ? `multisetremove(${i}, net);` : "";
      const chosen = `choose ${i}: net do rule ${this.#condition(bound, 1)} ==> begin ${this.#statements(bound, 1, 2)} ${remove} end; end;`;
      return this.#ruleset(parameters, chosen);
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
      [2, () => `undefine ${this.#target(bound)[1]};`],
      [
        isDeep ? 2 : 0,
        () => `if ${this.#condition(bound, 1)} then ${this.#statements(bound, 1, 2, depth - 1)} end;`,
      ],
      [isDeep ? 2 : 0, () => this.#loop(bound, depth)],
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
      [this.#hasBag ? 1 : 0, () => `multisetremovepred(z: net, net[z].d = ${this.#value("s", bound, 0)});`],
      [this.#random.chance(20) ? 1 : 0, () => `assume ${this.#condition(bound, 0)};`],
    ]);
  }

  #loop(bound: Bound, depth: number): string {
    const type = this.#random.pick(["s", "t"] as const);
    const name = this.#name();
    // Mostly about itself: a loop that writes elsewhere is seldom symmetric.
    const others = this.#random.chance(80) ? bound.filter((b) => b.type !== type) : bound;
    return `for ${name}: ${type} do ${this.#statements([...others, { name, type }], 1, 2, depth - 1)} end;`;
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
    const [type, designator] = r.pick(r.pick(this.#declared).gives);
    return [type, this.#indexed(designator, bound)];
  }

  /** Every place of a type. */
  #places(type: Type, bound: Bound): string[] {
    return this.#declared.flatMap((d) =>
      d.gives.filter(([given]) => given === type).map(([, designator]) => this.#indexed(designator, bound)),
    );
  }

  #indexed(designator: string, bound: Bound): string {
    return designator.replace(/#(\w+)/g, (_, type: Type) =>
      type === "int" ? String(this.#random.below(2)) : this.#value(type, bound, 0),
    );
  }

  #value(type: Type, bound: Bound, depth: number): string {
    const r = this.#random;
    const names = bound.filter((b) => b.type === type).map((b) => b.name);
    if (names.length > 0 && r.chance(90)) return r.pick(names);
    const places = depth > 0 || type === "s" || type === "t" ? this.#placesWithout(type, bound) : [];
    if (places.length > 0 && r.chance(50)) return r.pick(places);
    switch (type) {
      case "int":
        return String(r.below(3));
      case "bool":
        return depth > 0 ? `(${this.#condition(bound, depth - 1)})` : r.pick(["true", "false"]);
      case "enum":
        return r.pick(["red", "blue"]);
      case "u":
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
    const type = r.pick(["int", "enum", "s", "t", "u", "bool"] as const);
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
    const type = this.#random.pick(["s", "t", "u"] as const);
    const name = this.#name();
    const op = this.#random.pick(["forall", "exists"]);
    return `${op} ${name}: ${type} do ${this.#condition([...bound, { name, type }], depth - 1)} end`;
  }

  #name(): string {
    return `v${this.#names++}`;
  }
}
