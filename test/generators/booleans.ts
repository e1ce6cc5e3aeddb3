/** Random Boolean programs from a seed: up to three threads, choices, constraints, calls, atomic sections, assertions. */
import { Random } from "./random.js";

export function randomBooleans(seed: number): string {
  const random = new Random(seed);
  const globals = ["x", "y", "z"].slice(0, random.between(1, 3));
  const threads = random.between(1, 3);
  const lines = globals.map((name) => `bool ${name} = ${random.chance(12) ? "*" : random.between(0, 1)};`);
  const hasCall = random.chance(30);
  if (hasCall)
    lines.push(
      `bool f(a) { bool b; b = ${random.pick(["!a", "*", "a ^ " + random.pick(globals)])}; return ${random.pick(["b", "a && b", "schoose[a, b]"])}; }`,
    );
  for (let t = 0; t < threads; t++) lines.push(`thread T${t} ${body(random, globals, t, threads, hasCall)}`);
  return `${lines.join("\n")}\n`;
}

function body(
  random: Random,
  globals: readonly string[],
  t: number,
  threads: number,
  hasCall: boolean,
): string {
  const names = [...globals, "l"];
  const expr = (depth: number, primed: readonly string[] = []): string => {
    if (depth === 0 || random.chance(25)) {
      if (random.chance(15)) return "*";
      if (random.chance(8)) return `${random.between(0, 1)}`;
      return primed.length > 0 && random.chance(60) ? `${random.pick(primed)}'` : random.pick(names);
    }
    const inner = (): string => expr(depth - 1, primed);
    if (random.chance(20)) return `!(${inner()})`;
    if (random.chance(6)) return `schoose[${inner()}, ${inner()}]`;
    return `(${inner()} ${random.pick(["&&", "||", "^", "=", "!=", "=>"])} ${inner()})`;
  };
  const statement = (depth: number): string => {
    const kind = random.between(0, 13);
    if (kind <= 3) {
      const targets = random.chance(40) ? shuffled(random, names).slice(0, 2) : [random.pick(names)];
      const values = targets.map(() => (random.chance(35) ? "*" : expr(1)));
      const constrain = random.chance(30) ? ` constrain(${expr(2, targets)})` : "";
      return `${targets.join(", ")} = ${values.join(", ")}${constrain};`;
    }
    if (kind <= 5) return `assume(${expr(2)});`;
    if (kind === 6) return "skip;";
    if (kind === 7 && depth > 0)
      return `if (${expr(1)}) { ${block(depth - 1)} } else { ${random.chance(50) ? block(depth - 1) : ""} }`;
    if (kind === 8 && depth > 0) return `while (${expr(1)}) { ${block(depth - 1)} }`;
    if (kind === 9 && depth > 0) return `atomic { ${block(depth - 1)} }`;
    if (kind === 10 && hasCall) return `${random.pick(names)} = f(${expr(1)});`;
    if (kind === 11) return `dead ${random.pick(names)};`;
    if (kind === 12) return random.chance(50) ? `assert(${expr(2)} || ${expr(1)} || ${expr(1)});` : "skip;";
    return `goto L${random.between(0, 1)}${random.chance(50) ? `, L${random.between(0, 1)}` : ""};`;
  };
  const block = (depth: number): string =>
    Array.from({ length: random.between(1, 2) }, () => statement(depth)).join(" ");
  const count = random.between(2, threads === 1 ? 6 : 4);
  const statements = Array.from({ length: count }, () => statement(1));
  const enforce = random.chance(8) ? ` enforce(${expr(1)});` : "";
  return `{ bool l${random.chance(15) ? " = *" : ""};${enforce} L0: ${statements[0] ?? "skip;"} L1: ${statements
    .slice(1)
    .join(" ")} ${t === threads - 1 || random.chance(30) ? `assume(${expr(2)}); ERROR: skip;` : ""} }`;
}

const shuffled = (random: Random, names: readonly string[]): string[] => {
  const left = [...names];
  const result: string[] = [];
  while (left.length > 0) result.push(...left.splice(random.between(0, left.length - 1), 1));
  return result;
};
