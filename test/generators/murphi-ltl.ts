/**
 * Tiny random systems of guarded rules with a temporal formula, printed twice: in Murphi, and in Promela with a process
 * for each rule instance, whose `d_step` is the rule. Both have the same states and steps, and fairness has the same
 * meaning in both.
 *
 * One in four has undefined values and assumptions, which Promela lacks. Promela has one initial state: a step of
 * another process chooses the start state, and the formula begins after that step.
 */
import { Random } from "./random.js";

export interface RuleCase {
  readonly murphi: string;
  /** Absent if Promela has no equivalent. */
  readonly promela: string | undefined;
  /** Formula of the Murphi model, for `--ltl`. */
  readonly formula: string;
}

export function ruleCase(seed: number): RuleCase {
  const random = new Random(seed);
  const found = random.list(1, 4, (index) => anyRule(random, index));
  // With an idle rule, progress depends on fairness.
  const rules = random.chance(50) ? [IDLE, ...found] : found;
  const starts = random.list(1, 2, () => [
    random.below(3),
    random.below(3),
    random.below(2),
    random.below(2),
  ]);
  const formula = anyFormula(random);
  const isWild = seed % 4 === 3;
  const instances = rules.flatMap((rule) =>
    rule.isFamily ? [0, 1].map((i) => ({ rule, i })) : [{ rule, i: 0 }],
  );
  const murphi = [
    "var x, y: 0..2; a: array [0..1] of 0..1;",
    ...starts.map(([x, y, p, q]) => `startstate x := ${x}; y := ${y}; a[0] := ${p}; a[1] := ${q}; end;`),
    ...rules.map(murphiRule),
    ...(isWild ? wildParts(random) : []),
  ];
  const promela = [
    "byte x, y; byte a[2]; bool started;",
    ...instances.map(({ rule, i }, n) => promelaProcess(rule, i, n)),
    `active proctype Start() {\n  if\n${starts
      .map(
        ([x, y, p, q]) =>
          `  :: d_step { !started -> x = ${x}; y = ${y}; a[0] = ${p}; a[1] = ${q}; started = true }`,
      )
      .join("\n")}\n  fi;\n  false\n}`,
    `ltl asked { X ${formula("promela")} }`,
  ];
  return {
    murphi: `${murphi.join("\n")}\n`,
    promela: isWild ? undefined : `${promela.join("\n")}\n`,
    formula: formula("murphi"),
  };
}

function wildParts(random: Random): string[] {
  const name = random.pick(["x", "y", "a[0]"]);
  const guard = comparison(random, false)("murphi", "");
  return random.pick([
    [`rule "lose" ${guard} ==> undefine ${name}; end;`],
    [`assume isundefined(${name}) | ${guard};`],
    [`rule "local" begin ${name} := 1; assume ${guard}; end;`],
    [`rule "fail" begin assert ${guard}; ${name} := 0; end;`],
  ]);
}

type Language = "murphi" | "promela";

/** Text in either language; `i` is the parameter of a family of rules. */
type Text = (language: Language, i: string) => string;

interface RandomRule {
  readonly name: string;
  /** One instance for each of two parameter values. */
  readonly isFamily: boolean;
  readonly guard: Text;
  readonly body: readonly Text[];
}

function anyRule(random: Random, index: number): RandomRule {
  const isFamily = random.chance(40);
  return {
    name: `r${index}`,
    isFamily,
    guard: anyGuard(random, isFamily, random.between(0, 2)),
    body: random.list(1, 2, () => anyAssignment(random, isFamily)),
  };
}

const IDLE: RandomRule = {
  name: "idle",
  isFamily: false,
  guard: (language) => (language === "murphi" ? "(x = x)" : "(x == x)"),
  body: [(language) => (language === "murphi" ? "x := x;" : "x = x;")],
};

const murphiRule = ({ name, isFamily, guard, body }: RandomRule): string => {
  const rule = `rule "${name}" ${guard("murphi", "i")} ==> ${body.map((text) => text("murphi", "i")).join(" ")} end;`;
  return isFamily ? `ruleset i: 0..1 do ${rule} end;` : rule;
};

const promelaProcess = ({ guard, body }: RandomRule, i: number, number: number): string => {
  const statements = body.map((text) => text("promela", `${i}`)).join(" ");
  return `active proctype R${number}() {\n  do\n  :: d_step { started && ${guard("promela", `${i}`)} -> ${statements} }\n  od\n}`;
};

function anyGuard(random: Random, isFamily: boolean, depth: number): Text {
  if (depth === 0) return comparison(random, isFamily);
  const [left, right] = [anyGuard(random, isFamily, depth - 1), anyGuard(random, isFamily, depth - 1)];
  const [murphi, promela] = random.pick([
    ["&", "&&"],
    ["|", "||"],
  ] as const);
  return (language, i) =>
    `(${left(language, i)} ${language === "murphi" ? murphi : promela} ${right(language, i)})`;
}

function comparison(random: Random, isFamily: boolean): Text {
  const variable = anyVariable(random, isFamily);
  const op = random.pick(["=", "!=", "<", ">"]);
  const other = random.chance(30) ? anyVariable(random, isFamily) : constant(random.below(3));
  return (language, i) =>
    `(${variable(language, i)} ${language === "promela" && op === "=" ? "==" : op} ${other(language, i)})`;
}

/** Values stay within their ranges. */
function anyAssignment(random: Random, isFamily: boolean): Text {
  const target = anyVariable(random, isFamily);
  const source = random.chance(50) ? target : anyVariable(random, isFamily);
  const added = random.below(3);
  return (language, i) => {
    const name = target(language, i);
    const size = name.startsWith("a") ? 2 : 3;
    return `${name} ${language === "murphi" ? ":=" : "="} (${source(language, i)} + ${added}) % ${size};`;
  };
}

function anyVariable(random: Random, isFamily: boolean): Text {
  const name = random.pick(["x", "y", "a[0]", "a[1]", ...(isFamily ? ["a[i]", "a[i]", "a[i]"] : [])]);
  return (_, i) => name.replace("[i]", `[${i}]`);
}

const constant =
  (value: number): Text =>
  () =>
    `${value}`;

/** A formula over one to three conditions. */
function anyFormula(random: Random): (language: Language) => string {
  const atoms = random.list(1, 3, () => anyAtom(random));
  const formula = (left: number): Text => {
    const inner = (): Text => formula(left - 1);
    const unary = (op: string): Text => {
      const operand = inner();
      return (language, i) => `(${op} ${operand(language, i)})`;
    };
    const binary = (promela: string, murphi = promela): Text => {
      const [first, second] = [inner(), inner()];
      return (language, i) =>
        `(${first(language, i)} ${language === "murphi" ? murphi : promela} ${second(language, i)})`;
    };
    if (left === 0) return random.pick(atoms);
    return random.weighted<Text>([
      [2, () => random.pick(atoms)],
      [2, () => unary("!")],
      [3, () => unary("[]")],
      [3, () => unary("<>")],
      [2, () => unary("[] <>")],
      [2, () => unary("<> []")],
      [2, () => unary("X")],
      [2, () => binary("U")],
      [1, () => binary("V")],
      [1, () => binary("W")],
      [2, () => binary("&&", random.pick(["&&", "&"]))],
      [2, () => binary("||", random.pick(["||", "|"]))],
      [2, () => binary("->")],
      [1, () => binary("<->")],
    ]);
  };
  const text = random.weighted<Text>([
    [3, () => formula(3)],
    [1, () => progress(random, atoms)],
  ]);
  return (language) => text(language, "");
}

/** Liveness formulas. */
function progress(random: Random, atoms: readonly Text[]): Text {
  const [p, q] = [random.pick(atoms), random.pick(atoms)];
  return random.pick<Text>([
    (language, i) => `(<> ${p(language, i)})`,
    (language, i) => `([] <> ${p(language, i)})`,
    (language, i) => `([] (${p(language, i)} -> <> ${q(language, i)}))`,
  ]);
}

function anyAtom(random: Random): Text {
  if (random.chance(75)) return comparison(random, false);
  const [quantifier, op] = random.pick([
    ["forall", "&&"],
    ["exists", "||"],
  ] as const);
  const value = random.below(2);
  return (language) =>
    language === "murphi"
      ? `(${quantifier} j: 0..1 do a[j] = ${value} end)`
      : `(a[0] == ${value} ${op} a[1] == ${value})`;
}
