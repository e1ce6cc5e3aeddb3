/** Prints a Boolean program as Promela, so that Spin can confirm our verdicts. */
import type { BooleanExpr, BooleanProgram, BooleanStep } from "../../model/boolean.js";
import { nth } from "../../model/known.js";
import { distinctNames } from "../toolkit/names.js";

/** Violations of the properties are failed assertions. Properties about locations of several threads cannot be written: undefined. */
export function promelaOf(program: BooleanProgram): string | undefined {
  const { properties, threads, variables } = program;
  if (properties.some(({ bad }) => bad.some((places) => places.length !== 1))) return undefined;
  const names = distinctNames(
    variables.map(({ name }) => name),
    RESERVED,
    (name) => `v_${name.replace(/\W+/g, "_")}`,
  );
  const most = Math.max(0, ...stepsOf(program).map(({ assignments }) => assignments.length));
  const choices = Math.max(0, ...stepsOf(program).map((step) => step.choices));
  const isAtomic = threads.some(({ locations }) => locations.some((location) => location.isAtomic));
  const open = variables.flatMap(({ initial }, variable) =>
    initial === undefined ? [nth(names, variable)] : [],
  );
  const printer = new Printer(program, names, isAtomic);
  return [
    `/* ${program.name}: a Boolean program; a violation is a failed assertion */`,
    ...variables.map(({ initial }, index) => `bit ${nth(names, index)} = ${initial === true ? 1 : 0};`),
    ...(isAtomic ? ["byte owner = 0; /* the thread inside an atomic section, plus 1 */"] : []),
    ...(open.length > 0 ? ["bit begun = 0;", ...chooser(open)] : []),
    ...threads.map((_, thread) => printer.thread(thread, { most, choices, waits: open.length > 0 })),
    "",
  ].join("\n");
}

const RESERVED = ["owner", "begun"];

const stepsOf = ({ threads }: BooleanProgram): readonly BooleanStep[] =>
  threads.flatMap(({ locations }) => locations.flatMap(({ steps }) => steps));

const chooser = (names: readonly string[]): string[] => [
  "active proctype initially() {",
  ...names.map((name) => `  if :: ${name} = 0 :: ${name} = 1 fi;`),
  "  begun = 1",
  "}",
];

class Printer {
  readonly #program: BooleanProgram;
  readonly #names: readonly string[];
  readonly #isAtomic: boolean;

  constructor(program: BooleanProgram, names: readonly string[], isAtomic: boolean) {
    this.#program = program;
    this.#names = names;
    this.#isAtomic = isAtomic;
  }

  thread(number: number, needs: { most: number; choices: number; waits: boolean }): string {
    const { name, locations } = nth(this.#program.threads, number);
    const bad = new Set(
      this.#program.properties.flatMap((property) =>
        property.bad.flatMap(([place]) => (place?.thread === number ? [place.location] : [])),
      ),
    );
    const list = (prefix: string, count: number): string[] =>
      count === 0
        ? []
        : [`  bit ${Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(", ")};`];
    const lines = [`active proctype t${number}_${name.replace(/\W+/g, "_")}() {`];
    lines.push(...list("c", needs.choices), ...list("n", needs.most));
    if (needs.waits) lines.push("  begun == 1;");
    locations.forEach(({ steps, isAtomic }, location) => {
      const check = bad.has(location) ? "assert(false); " : "";
      if (steps.length === 0) lines.push(`L${location}: ${check}goto done;`);
      else {
        lines.push(`L${location}: ${check}if`);
        for (const step of steps) lines.push(`  :: ${this.#step(number, step, isAtomic)}`);
        lines.push("  fi;");
      }
    });
    // A blocked thread is not an error: with Spin's -E every location is a valid end.
    lines.push("done: skip", "}");
    return lines.join("\n");
  }

  #step(thread: number, step: BooleanStep, isInside: boolean): string {
    const { assignments, constraint, choices, to } = step;
    const isAfter = nth(nth(this.#program.threads, thread).locations, to).isAtomic;
    const fresh = Array.from({ length: choices }, (_, index) => `if :: c${index} = 0 :: c${index} = 1 fi; `);
    const values = assignments.map(({ value }) => this.#expr(value, new Map()));
    const after = new Map(assignments.map(({ variable }, index) => [variable, `(${nth(values, index)})`]));
    const free = !this.#isAtomic || isInside ? [] : ["owner == 0"];
    const condition = this.#expr(constraint, after);
    const guard = [...free, ...(condition === "1" ? [] : [`(${condition})`])].join(" && ") || "true";
    const effects = [
      ...assignments.map((_, index) => `n${index} = ${nth(values, index)}`),
      ...assignments.map(({ variable }, index) => `${nth(this.#names, variable)} = n${index}`),
      ...assignments.map((_, index) => `n${index} = 0`),
      ...Array.from({ length: choices }, (_, index) => `c${index} = 0`),
      ...(isInside === isAfter ? [] : [`owner = ${isAfter ? thread + 1 : 0}`]),
    ];
    const taken = effects.length === 0 ? `${guard} -> ` : `d_step { ${guard} -> ${effects.join("; ")} }; `;
    return `atomic { ${fresh.join("")}${taken}goto L${to} }`;
  }

  #expr(expr: BooleanExpr, after: ReadonlyMap<number, string>): string {
    const inner = (each: BooleanExpr): string => this.#expr(each, after);
    switch (expr.kind) {
      case "constant":
        return expr.value ? "1" : "0";
      case "choice":
        return `c${expr.choice}`;
      case "variable":
        return (expr.isPrimed ? after.get(expr.variable) : undefined) ?? nth(this.#names, expr.variable);
      case "not":
        return `!(${inner(expr.of)})`;
      case "and":
        return `(${inner(expr.left)} && ${inner(expr.right)})`;
      case "or":
        return `(${inner(expr.left)} || ${inner(expr.right)})`;
      case "xor":
        return `(${inner(expr.left)} != ${inner(expr.right)})`;
    }
  }
}
