/** Random NDLog from a seed: layers of rules over two base predicates, sometimes recursive, with functions, constraints and properties. */
import { Random } from "./random.js";

export interface RandomNdlog {
  readonly text: string;
  /** The rules alone, for tools that derive tuples. */
  readonly rules: readonly string[];
  readonly hasFunctions: boolean;
  readonly isRecursive: boolean;
}

/** Values of base tuples. */
export const DOMAIN = [0n, 1n];

export function randomNdlog(seed: number): RandomNdlog {
  const random = new Random(seed);
  const hasFunctions = random.chance(25);
  const isRecursive = random.chance(30);
  const rules: string[] = [];
  const rule = (head: string, sources: readonly string[], forced?: string): void => {
    const atoms = Array.from({ length: random.between(1, 2) }, (_, k) => {
      const [first, second] = [
        variable(random),
        random.chance(10) ? `${random.between(0, 1)}` : variable(random),
      ];
      return `${k === 0 && forced !== undefined ? forced : random.pick(sources)}(@${first},${second})`;
    });
    const bound = [...new Set(atoms.join().match(/[XYZ]/g) ?? [])];
    const parts = [...atoms];
    if (random.chance(45)) parts.push(comparison(random, bound));
    let second = random.pick(bound);
    if (random.chance(35)) {
      second = "N";
      parts.push(
        random.chance(50)
          ? `N := ${expression(random, bound, hasFunctions)}`
          : `N = ${expression(random, bound, hasFunctions)}`,
      );
    }
    if (random.chance(20)) parts.reverse();
    rules.push(`r${rules.length + 1} ${head}(@${random.pick(bound)},${second}) :- ${parts.join(", ")}.`);
  };
  for (let k = random.between(1, 2); k > 0; k--) rule("p", ["b", "c"]);
  for (let k = random.between(1, 2); k > 0; k--) rule("q", ["b", "c", "p"]);
  if (isRecursive) rule(random.pick(["p", "q"]), ["b", "c", "p"], random.pick(["p", "q"]));
  // Both base predicates occur.
  rules.push(`r${rules.length + 1} o(@X,Y) :- b(@X,Y), c(@Y,X).`);
  const lines = [
    ...rules,
    ...(random.chance(15) ? ["base p.", "constraint initial { p(X,Y) => 0 <= X && X <= 1 && Y == 0 }"] : []),
    ...["b", "c"].map(
      (name) => `constraint small_${name} { ${name}(X,Y) => 0 <= X && X <= 1 && 0 <= Y && Y <= 1 }`,
    ),
    ...(random.chance(35) ? [constraint(random)] : []),
    property(random, "first"),
    property(random, "second"),
    `derivable third { ${random.pick(["p", "q"])}(X,Y), ${comparison(random, ["X", "Y"])} }`,
  ];
  return { text: lines.join("\n"), rules, hasFunctions, isRecursive };
}

const variable = (random: Random): string => random.pick(["X", "Y", "Z"]);

const comparison = (random: Random, bound: readonly string[]): string => {
  const right = random.chance(50) ? random.pick(bound) : `${random.between(0, 1)}`;
  return `${random.pick(bound)} ${random.pick(["==", "!=", "<", "<=", ">", ">="])} ${right}`;
};

function expression(random: Random, bound: readonly string[], hasFunctions: boolean): string {
  const name = random.pick(bound);
  if (hasFunctions && random.chance(50)) return `f_h(${name})`;
  if (hasFunctions && random.chance(30)) return `(${name} + 3) % 2`;
  return random.pick([`${name} + 1`, `${name} + ${random.pick(bound)}`, `1 - ${name}`, `2 * ${name}`]);
}

function constraint(random: Random): string {
  const [one, two] = [random.pick(["b", "c"]), random.pick(["b", "c"])];
  return random.pick([
    `constraint key { ${one}(X,Y), ${two}(X,Z) => Y == Z }`,
    `constraint apart { ${one}(X,Y), ${two}(Z,W) => X != W || Y != Z }`,
    `constraint order { ${one}(X,Y) => X <= Y }`,
  ]);
}

function property(random: Random, name: string): string {
  const second = random.chance(30) ? `, ${random.pick(["p", "q", "b"])}(${random.pick(["X", "Z"])},W)` : "";
  const bound = ["X", "Y", ...(second === "" ? [] : ["W"])];
  const when = `${random.pick(["p", "q", "q"])}(X,Y)${second}${random.chance(40) ? `, ${comparison(random, bound)}` : ""}`;
  const inner = (): string => {
    if (random.chance(25)) return comparison(random, bound);
    const extra = random.chance(60) ? `, ${comparison(random, [...bound, "U", "V"])}` : "";
    return `exists U, V: ${random.pick(["b", "c", "p"])}(${random.pick(["U", "X"])},V)${extra}`.replace(
      "exists U, V: b(X",
      "exists V: b(X",
    );
  };
  const text = (): string => {
    const made = inner();
    return made.includes("exists U, V") && !/\(U,/.test(made)
      ? made.replace("exists U, V", "exists V").replaceAll("U", "V")
      : made.includes("exists V")
        ? made.replaceAll("U", "V")
        : made;
  };
  return `property ${name} { ${when} => ${text()}${random.chance(20) ? ` | ${text()}` : ""} }`;
}
