/** Random guarded commands from a seed: a program counter, a flag, integers, inputs, undefined values. */
import { Random } from "./random.js";

/** With a range, all variables stay inside it: the program has finitely many states. */
export function randomGuarded(seed: number, range?: { readonly low: number; readonly high: number }): string {
  const random = new Random(seed);
  const ints = ["x", "y", "z"].slice(0, random.between(1, 3));
  const isConcrete = random.chance(40);
  const places = random.between(2, 3);
  const lines = [
    "explicit var pc : pc = 1;",
    "var f : bool = 0;",
    ...ints.map((name) => {
      const isOpen = !isConcrete && random.chance(40);
      const type = range ? `${range.low}..${range.high}` : "int";
      return `abstract var ${name} : ${type} = ${isOpen ? "*" : random.between(-1, 2)};`;
    }),
  ];
  const term = (): string => {
    const name = random.pick(ints);
    const scaled = random.chance(15) ? `${random.between(2, 3)} * ${name}` : name;
    return random.chance(30)
      ? `${random.between(-2, 3)}`
      : random.chance(40)
        ? `${scaled} + ${random.between(-2, 2)}`
        : scaled;
  };
  const atom = (): string =>
    random.chance(10)
      ? `${random.pick(ints)} % ${random.between(2, 3)} == ${random.between(0, 1)}`
      : random.chance(15)
        ? `f == ${random.between(0, 1)}`
        : `${random.pick(ints)} ${random.pick(["<=", "<", "==", "!=", ">="])} ${term()}`;
  const condition = (): string =>
    random.chance(60)
      ? atom()
      : `(${atom()} ${random.pick(["&&", "||"])} ${random.chance(20) ? "!" : ""}(${atom()}))`;
  if (!isConcrete && random.chance(60)) lines.push(`init ${condition()};`);
  const count = random.between(2, 5);
  for (let i = 0; i < count; i++) {
    const from = random.between(1, places);
    const guard = random.chance(65) ? ` && ${condition()}` : "";
    const effects = [`pc := ${random.between(1, places)}`];
    let bounds = "";
    for (const name of ints)
      if (random.chance(45)) {
        const isInput = !isConcrete && random.chance(25);
        const value = isInput
          ? "nondet"
          : random.chance(50)
            ? `${name} ${random.pick(["+", "-"])} 1`
            : term();
        effects.push(`${name} := ${value}`);
        if (range && !isInput) bounds += ` && ${value} >= ${range.low} && ${value} <= ${range.high}`;
      }
    if (random.chance(25)) effects.push(`f := ${random.between(0, 1)}`);
    lines.push(`t${i}: pc == ${from}${guard}${bounds} -> ${effects.join(", ")};`);
  }
  lines.push(`error bad: pc == ${random.between(1, places)} && ${condition()};`);
  return lines.join("\n");
}
