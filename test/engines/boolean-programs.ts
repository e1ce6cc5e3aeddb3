/** Programs of the published table, rebuilt: free choices, a multiplier, a driver with and without threads. */
import { readFileSync } from "node:fs";
import { inRepository } from "../repository.js";
import { Random } from "../generators/random.js";

const bits = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, bit) => `${name}${bit}`);

/** `n` variables that are chosen again and again: 3·2^n states. */
export const freeChoices = (n: number): string => {
  const names = bits("b", n);
  return `thread T { bool ${names.join(", ")};
L0: ${names.join(", ")} := ${names.map(() => "*").join(", ")};
goto L0, L2; L2: }`;
};

/** Multiplies two numbers of seven bits bit by bit; ERROR if the product is `product`. */
export function multiplier(product: number): string {
  const [a, b, p] = [bits("a", 7), bits("b", 7), bits("p", 14)];
  const lines = [`bool ${[...a, ...b, ...p, "c"].join(", ")};`, "thread T {"];
  lines.push(`${[...a, ...b].join(", ")} := ${[...a, ...b].map(() => "*").join(", ")};`);
  for (let i = 0; i < 7; i++) {
    lines.push("c := 0;");
    for (let k = 0; k < 7; k++) {
      const [sum, partial] = [`p${i + k}`, `(a${k} && b${i})`];
      lines.push(
        `${sum}, c := ${sum} ^ ${partial} ^ c, (${sum} && ${partial}) || (${sum} && c) || (${partial} && c);`,
      );
    }
    lines.push(`p${i + 7} := c;`);
  }
  const equal = p.map((name, bit) => ((product >> bit) & 1 ? name : `!${name}`)).join(" && ");
  lines.push(`assume(${equal});`, "ERROR: skip;", "}");
  return lines.join("\n");
}

export const race = (adders: number, isFixed: boolean): string =>
  readFileSync(
    inRepository(`test/fixtures/bp/conformance/stop-race${isFixed ? "-fixed" : ""}.bp`),
    "utf8",
  ).replace("ADDERS", `${adders}`);

/** Small sequential programs with random conditions and constraints. */
export function smallProgram(seed: number): string {
  const random = new Random(seed);
  const names = bits("v", random.between(5, 15));
  const literal = (): string => `${random.chance(50) ? "!" : ""}${random.pick(names)}`;
  const condition = (): string => `(${literal()} ${random.pick(["&&", "||", "^"])} ${literal()})`;
  const lines = Array.from({ length: random.between(20, 80) }, (_, index) => {
    const label = `L${index}: `;
    const kind = random.between(0, 9);
    if (kind < 4) return `${label}${random.pick(names)} := ${random.chance(50) ? "*" : condition()};`;
    if (kind < 6) {
      const [x, y] = [random.pick(names), random.pick(names)];
      return x === y
        ? `${label}skip;`
        : `${label}${x}, ${y} := *, * constrain(${x}' || !${y}' || ${condition()});`;
    }
    if (kind < 8) return `${label}assume(${condition()} || ${condition()});`;
    return `${label}goto L${random.between(0, index)}, L${index + 1};`;
  });
  return `thread T { bool ${names.join(", ")}; ${lines.join("\n")} L${lines.length}: assume(${condition()} && ${condition()}); ERROR: skip; }`;
}

/**
 * The skeleton of a driver: a loop that dispatches to twelve routines over `predicates` predicates, each of which locks, chooses a status
 * code, and unlocks.
 */
export function driver(predicates: number): { declarations: string; body: string } {
  const status = bits("s", predicates);
  const routines = Array.from({ length: 12 }, (_, routine) => {
    const own = status.filter((_name, index) => index % 12 === routine);
    const set = `${own.join(", ")} := ${own.map(() => "*").join(", ")} constrain(${own.map((name) => `(${name}' => !failed)`).join(" && ")});`;
    return `void routine${routine}() {
  acquire(); ${set}
  if (${own.join(" || ")}) { pending := *; } else { pending := 0; }
  if (pending && *) { failed := 0; } release(); }`;
  });
  const choice = routines.reduceRight(
    (so, _, routine) => `if (*) { routine${routine}(); } else { ${so} }`,
    "skip;",
  );
  return {
    declarations: `bool ${status.join(", ")};
bool failed;
bool locked, pending;
void acquire() { assert(!locked); locked := 1; }
void release() { assert(locked); locked := 0; }
${routines.join("\n")}`,
    body: `while (1) { ${choice} }`,
  };
}

export const sequentialDriver = (predicates: number): string => {
  const { declarations, body } = driver(predicates);
  return `${declarations}\nthread Main { ${body} }`;
};

/** Two threads that count themselves in and dispatch in a loop, and a third that stops the driver. */
export function threadedDriver(predicates: number): string {
  const status = bits("s", predicates);
  const use = (own: readonly string[]): string =>
    `${own.join(", ")} := ${own.map(() => "*").join(", ")} constrain(${own[0]}' || !${own[1]}');
  if (${own[0]} && !${own[1]}) { pend := *; } else { pend := 0; }`;
  const routines = Array.from({ length: 12 }, (_, routine) => {
    const own = status.filter((_name, index) => index % 12 === routine);
    return `void routine${routine}() { bool pend, ${own.join(", ")}; ${use(own)} }`;
  });
  const choice = routines.reduceRight(
    (so, _, routine) => `if (*) { routine${routine}(); } else { ${so} }`,
    "skip;",
  );
  return `bool flag, stopped, ev, p1, p0 = 0, 0, 0, 0, 1;
${routines.join("\n")}
void leave() { p1, p0 := !(p1 ^ p0), !p0; if (!p1 && !p0) { ev := 1; } }
thread Adder[2] {
  p1, p0 := p1 ^ p0, !p0 constrain(!flag);
  if (stopped) { ERROR: skip; }
  while (*) { ${choice} if (stopped) { ERROR2: assert(0); } }
  leave();
}
thread Stopper { flag := 1; leave(); assume(ev); stopped := 1; }`;
}
