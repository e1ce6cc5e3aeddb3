/**
 * Random Murphi models from a seed: small state spaces, all of Rumur's constructs (and, with `hasBags`, CMurphi's
 * multisets and unions). Most writes stay in range, so that most searches complete; some do not, and some read
 * undefined values.
 *
 * Quantifiers over scalarsets read only defined values: ours evaluate all elements, Rumur's only the first ones.
 */
import { Random } from "./random.js";

export interface MurphiChoices {
  readonly hasBags: boolean;
}

export function generateMurphi(seed: number, choices: MurphiChoices = { hasBags: false }): string {
  return new Generator(new Random(seed), choices).model();
}

type Kind = {
  readonly type: string;
  readonly values: "integer" | "boolean" | "enum" | "set";
  readonly high: number;
};

const integer = (high: number): Kind => ({ type: `0..${high}`, values: "integer", high });
const BOOLEAN: Kind = { type: "boolean", values: "boolean", high: 1 };
const COLOUR: Kind = { type: "colour", values: "enum", high: 2 };
const NODE: Kind = { type: "node", values: "set", high: 1 };
const COLOURS = ["red", "green", "blue"];

interface Variable {
  readonly name: string;
  readonly kind: Kind;
  /** Initially undefined, or undefined by a statement. */
  readonly mayBeUndefined: boolean;
}

/** Names usable in an expression. */
interface Scope {
  readonly variables: readonly Variable[];
  readonly constants: readonly { readonly name: string; readonly kind: Kind }[];
}

class Generator {
  readonly #random: Random;
  readonly #hasBags: boolean;
  readonly #arrays: { readonly name: string; readonly index: Kind; readonly element: Kind }[] = [];
  readonly #variables: Variable[] = [];
  #hasFunction = false;
  #serial = 0;

  constructor(random: Random, { hasBags }: MurphiChoices) {
    this.#random = random;
    this.#hasBags = hasBags;
  }

  model(): string {
    const head = this.#declarations();
    const procedures = this.#procedures();
    const rules = this.#random.list(2, 5, () => this.#rule());
    const bags = this.#hasBags ? this.#bagRules() : [];
    return [head, procedures, this.#start(), ...rules, ...bags, ...this.#properties(), ""].join("\n");
  }

  #declarations(): string {
    const random = this.#random;
    const kinds = [integer(random.between(1, 3)), BOOLEAN, COLOUR, NODE];
    for (let i = random.between(2, 4); i > 0; i--)
      this.#variables.push({ name: `v${i}`, kind: random.pick(kinds), mayBeUndefined: random.chance(12) });
    for (let i = random.between(1, 2); i > 0; i--)
      this.#arrays.push({
        name: `a${i}`,
        index: random.pick([integer(1), COLOUR, NODE, BOOLEAN]),
        element: random.pick([integer(1), BOOLEAN]),
      });
    return [
      `const TOP: ${random.between(2, 3)};`,
      `type colour: enum { ${COLOURS.join(", ")} }; node: scalarset(2);`,
      `  pair: record first: 0..1; second: boolean; end;`,
      ...(this.#hasBags ? ["  who: union { node, colour };"] : []),
      `var`,
      ...this.#variables.map(({ name, kind }) => `  ${name}: ${kind.type};`),
      ...this.#arrays.map(
        ({ name, index, element }) => `  ${name}: array [${index.type}] of ${element.type};`,
      ),
      `  p, q: pair;`,
      ...(this.#hasBags ? ["  net: multiset [2] of pair; w: who;"] : []),
    ].join("\n");
  }

  #procedures(): string {
    this.#hasFunction = this.#random.chance(60);
    if (!this.#hasFunction) return "";
    const scope: Scope = {
      variables: [],
      constants: [
        { name: "n", kind: integer(3) },
        { name: "b", kind: BOOLEAN },
      ],
    };
    return `function f(n: 0..3; b: boolean): 0..3;
var r: 0..3;
begin
  r := ${this.#integer(scope, 2)} % 4;
  if ${this.#boolean(scope, 2)} then return r; end;
  return ${this.#random.chance(50) ? "n > 0 ? f(n - 1, !b) : r" : "3 - n"};
end;
procedure turn(var x: pair; k: 0..1);
begin
  x.first := (x.first + k) % 2;
  if x.first = 0 then x.second := !x.second; end;
end;`;
  }

  #scope(constants: Scope["constants"] = []): Scope {
    const fields: Variable[] = [
      { name: "p.first", kind: integer(1), mayBeUndefined: false },
      { name: "q.second", kind: BOOLEAN, mayBeUndefined: false },
    ];
    return {
      variables: [...this.#variables, ...fields],
      constants: [...constants, { name: "TOP", kind: integer(3) }],
    };
  }

  #start(): string {
    const scope: Scope = { variables: [], constants: [] };
    const assignments = this.#variables
      .filter(({ mayBeUndefined, kind }) => !mayBeUndefined && kind !== NODE)
      .map(({ name, kind }) => `  ${name} := ${this.#value(kind, scope, 0)};`);
    const arrays = this.#arrays.map(
      ({ name, index, element }) =>
        `  for i: ${index.type} do ${name}[i] := ${this.#value(element, scope, 0)}; end;`,
    );
    const nodes = this.#variables.filter(({ mayBeUndefined, kind }) => !mayBeUndefined && kind === NODE);
    const body = [
      ...assignments,
      ...arrays,
      ...nodes.map(({ name }) => `  ${name} := s;`),
      "  clear p; q := p;",
    ];
    if (this.#hasBags) body.push("  undefine net; w := red;");
    const start = `startstate "start" begin\n${body.join("\n")}\nend;`;
    return nodes.length > 0 || this.#random.chance(20) ? `ruleset s: node do ${start} end;` : start;
  }

  #rule(): string {
    const random = this.#random;
    const name = random.chance(70) ? `"r${++this.#serial}" ` : "";
    const parameters = random.chance(55)
      ? [
          { name: "i", kind: random.pick([NODE, integer(1), COLOUR]) },
          ...(random.chance(25) ? [{ name: "j", kind: random.pick([NODE, BOOLEAN]) }] : []),
        ]
      : [];
    const scope = this.#scope(parameters);
    const guard = random.chance(85) ? `${this.#boolean(scope, 2)} ==> ` : "";
    const hasLocal = random.chance(25);
    const inner: Scope = hasLocal
      ? { ...scope, variables: [...scope.variables, { name: "t", kind: integer(3), mayBeUndefined: false }] }
      : scope;
    const local = hasLocal ? `var t: 0..3; begin\n  t := ${this.#integer(scope, 1)} % 4;\n` : "begin\n";
    const body = random.list(1, 3, () => this.#statement(inner, 2, "  ")).join("\n");
    const rule = `rule ${name}${guard}${local}${body}\nend;`;
    if (parameters.length === 0) return rule;
    return `ruleset ${parameters.map((each) => `${each.name}: ${each.kind.type}`).join("; ")} do\n${rule}\nend;`;
  }

  #properties(): string[] {
    const scope = this.#scope();
    const random = this.#random;
    return [
      ...(random.chance(60) ? [`invariant "i" ${this.#boolean(scope, 1)} | true;`] : []),
      ...(random.chance(15) ? [`invariant "risky" ${this.#boolean(scope, 2)};`] : []),
      ...(random.chance(20) ? [`assume "a" ${this.#boolean(this.#defined(scope), 1)} | p.first = 0;`] : []),
      ...(random.chance(20) ? [`cover "c" ${this.#boolean(this.#defined(scope), 1)};`] : []),
      ...(random.chance(20) ? [`liveness "l" ${this.#boolean(this.#defined(scope), 1)};`] : []),
    ];
  }

  #defined(scope: Scope): Scope {
    return { ...scope, variables: scope.variables.filter(({ mayBeUndefined }) => !mayBeUndefined) };
  }

  #bagRules(): string[] {
    const scope = this.#scope();
    return [
      `rule "send" multisetcount(k: net, true) < ${this.#random.chance(85) ? 2 : 3} & ${this.#boolean(scope, 1)} ==> begin multisetadd(${this.#random.pick(["p", "q"])}, net); end;`,
      `choose k: net do
  rule "receive" net[k].second = ${this.#boolean(scope, 1)} ==> begin ${this.#random.pick(["p", "q"])} := net[k]; multisetremove(k, net); end;
  rule "change" net[k].first = 0 ==> begin net[k].first := 1; end;
end;`,
      `ruleset x: who do rule "who" w != x ==> begin w := x; end; end;`,
      `rule "drop" ismember(w, colour) ==> begin multisetremovepred(k: net, net[k].first = 1); end;`,
    ];
  }

  // ---- statements -------------------------------------------------------------------------------

  #statement(scope: Scope, depth: number, indent: string): string {
    const random = this.#random;
    const deeper = (): string =>
      random.list(1, 2, () => this.#statement(scope, depth - 1, `${indent}  `)).join("\n");
    const nested = depth > 0 ? 1 : 0;
    return random.weighted<string>([
      [8, () => `${indent}${this.#assignment(scope)};`],
      [3, () => `${indent}${this.#arrayAssignment(scope)};`],
      [
        2,
        () =>
          `${indent}${random.pick(["p := q", "q := p", "clear p", "p.first := 1 - p.first", "q.second := !q.second"])};`,
      ],
      [
        this.#hasFunction ? 2 : 0,
        () => `${indent}turn(${random.pick(["p", "q"])}, ${this.#integer(scope, 1)} % 2);`,
      ],
      [2, () => `${indent}${this.#forget()};`],
      [
        3 * nested,
        () =>
          `${indent}if ${this.#boolean(scope, 1)} then\n${deeper()}\n${indent}else\n${deeper()}\n${indent}end;`,
      ],
      [nested, () => this.#switch(scope, indent, deeper)],
      [
        nested,
        () =>
          `${indent}for z: 0..1 do\n${this.#statement({ ...scope, constants: [...scope.constants, { name: "z", kind: integer(1) }] }, depth - 1, `${indent}  `)}\n${indent}end;`,
      ],
      [
        nested,
        () => `${indent}alias e: p do\n${indent}  e.first := ${this.#integer(scope, 1)} % 2;\n${indent}end;`,
      ],
      [1, () => `${indent}assert ${this.#boolean(this.#defined(scope), 1)} | true;`],
      [random.chance(10) ? 1 : 0, () => `${indent}assume ${this.#boolean(this.#defined(scope), 1)};`],
    ]);
  }

  #switch(scope: Scope, indent: string, deeper: () => string): string {
    const subject = this.#integer(scope, 1);
    return `${indent}switch (${subject}) % 3\n${indent}case 0: ${deeper().trim()}\n${indent}case 1, TOP: ${deeper().trim()}\n${indent}else ${deeper().trim()}\n${indent}end;`;
  }

  #assignment(scope: Scope): string {
    const { name, kind } = this.#random.pick(this.#variables);
    const value = this.#value(kind, scope, 2);
    const isChecked = kind.values === "integer" && !this.#random.chance(4);
    return `${name} := ${isChecked ? `(${value}) % ${kind.high + 1}` : value}`;
  }

  #arrayAssignment(scope: Scope): string {
    const { name, index, element } = this.#random.pick(this.#arrays);
    const at = this.#index(index, scope);
    if (at === undefined) return "clear q";
    const value = this.#value(element, scope, 1);
    return `${name}[${at}] := ${element.values === "integer" ? `(${value}) % 2` : value}`;
  }

  #forget(): string {
    const able = this.#variables.filter(({ mayBeUndefined }) => mayBeUndefined);
    return able.length > 0 ? `undefine ${this.#random.pick(able).name}` : "clear q";
  }

  // ---- expressions ------------------------------------------------------------------------------

  #value(kind: Kind, scope: Scope, depth: number): string {
    switch (kind.values) {
      case "integer":
        return depth === 0 ? `${this.#random.between(0, kind.high)}` : this.#integer(scope, depth);
      case "boolean":
        return depth === 0 ? this.#random.pick(["true", "false"]) : this.#boolean(scope, depth);
      case "enum":
        return this.#random.pick([...COLOURS, ...this.#names(COLOUR, scope)]);
      case "set": {
        const names = this.#names(NODE, scope);
        // A scalarset has no constants: without a name in scope, assigns another variable to itself.
        return names.length > 0
          ? this.#random.pick(names)
          : this.#variables.find((each) => each.kind === NODE)!.name;
      }
    }
  }

  #names(kind: Kind, { variables, constants }: Scope): string[] {
    const isAlike = (each: Kind): boolean => each.values === kind.values;
    return [...constants.filter((c) => isAlike(c.kind)), ...variables.filter((v) => isAlike(v.kind))].map(
      ({ name }) => name,
    );
  }

  /** Undefined if no index is in scope. */
  #index(kind: Kind, scope: Scope): string | undefined {
    if (kind.values === "integer") return `(${this.#integer(scope, 1)}) % 2`;
    if (kind.values !== "set") return this.#value(kind, scope, 1);
    const names = this.#names(NODE, scope);
    return names.length > 0 ? this.#random.pick(names) : undefined;
  }

  #integer(scope: Scope, depth: number): string {
    const random = this.#random;
    const names = this.#names(integer(1), scope);
    const leaf = (): string =>
      names.length > 0 && random.chance(65) ? random.pick(names) : `${random.between(0, 3)}`;
    if (depth === 0) return leaf();
    const inner = (): string => this.#integer(scope, depth - 1);
    return random.weighted<string>([
      [4, leaf],
      [4, () => `(${inner()} ${random.pick(["+", "*"])} ${inner()})`],
      [1, () => `(4 - ${leaf()})`],
      [1, () => `(${inner()} ${random.pick(["&", "|", "^"])} ${leaf()})`],
      [1, () => `(${this.#boolean(scope, depth - 1)} ? ${inner()} : ${inner()})`],
      [
        this.#hasFunction && scope.variables.length > 0 ? 2 : 0,
        () => `f(${inner()} % 4, ${this.#boolean(scope, 0)})`,
      ],
      [random.chance(8) ? 1 : 0, () => `(${inner()} ${random.pick(["/", "%"])} ${leaf()})`],
    ]);
  }

  #boolean(scope: Scope, depth: number): string {
    const random = this.#random;
    const names = this.#names(BOOLEAN, scope);
    const arrays = this.#arrays.filter(({ element, index }) => element === BOOLEAN && index !== NODE);
    const leaf = (): string =>
      random.weighted<string>([
        [1, () => random.pick(["true", "false"])],
        [names.length > 0 ? 3 : 0, () => random.pick(names)],
        [scope.variables.length > 0 && arrays.length > 0 ? 2 : 0, () => this.#element(arrays, scope)],
      ]);
    if (depth === 0) return leaf();
    const inner = (): string => this.#boolean(scope, depth - 1);
    const sets = this.#names(NODE, scope);
    const forgetful = scope.variables.filter(({ mayBeUndefined }) => mayBeUndefined);
    return random.weighted<string>([
      [2, leaf],
      [4, () => `(${inner()} ${random.pick(["&", "|", "->", "&&", "||"])} ${inner()})`],
      [2, () => `(!${inner()})`],
      [
        4,
        () =>
          `(${this.#integer(scope, depth - 1)} ${random.pick(["<", "<=", "=", "!=", ">", ">="])} ${this.#integer(scope, depth - 1)})`,
      ],
      [
        2,
        () =>
          `(${this.#value(COLOUR, scope, 1)} ${random.pick(["=", "!="])} ${this.#value(COLOUR, scope, 1)})`,
      ],
      [
        sets.length > 1 ? 2 : 0,
        () => `(${random.pick(sets)} ${random.pick(["=", "!="])} ${random.pick(sets)})`,
      ],
      [forgetful.length > 0 ? 3 : 0, () => `isundefined(${random.pick(forgetful).name})`],
      [scope.variables.length > 0 ? 1 : 0, () => `(p ${random.pick(["=", "!="])} q)`],
      [scope.variables.length > 0 ? 2 : 0, () => this.#quantified()],
    ]);
  }

  #element(arrays: readonly { readonly name: string; readonly index: Kind }[], scope: Scope): string {
    const { name, index } = this.#random.pick(arrays);
    return `${name}[${this.#index(index, scope)!}]`;
  }

  /** Over an array with defined elements only. */
  #quantified(): string {
    const { name, index, element } = this.#random.pick(this.#arrays);
    const test = element === BOOLEAN ? `${name}[u]` : `${name}[u] = ${this.#random.between(0, 1)}`;
    return `(${this.#random.pick(["forall", "exists"])} u: ${index.type} do ${test} end)`;
  }
}
