/**
 * Constrained Horn clauses: the program as clauses over an unknown invariant, solved by Z3's Spacer.
 *
 * Spacer's invariant is text, which the caller has checked by the checker of certificates before it counts as a proof. If there is
 * none, runs of growing length are sought until one violates the property.
 */
import { inputsOf, type GuardedProgram, type GuardedProperty, type GuardedRun } from "../../model/guarded.js";
import type { BackgroundRunner, ScriptAnswer, ScriptRunner } from "../../model/solver.js";
import type { GuardedAnswer } from "./ase.js";
import { conditionText, initialText, nextValues } from "./horn-text.js";
import { confirmed } from "./runs.js";
import { printExpression, readExpressions, type SExpression } from "../../model/s-expressions.js";

export interface ChcOptions {
  readonly timeMs: number;
  /** Longest run that is sought. */
  readonly maxDepth: number;
  /** Wait for Spacer before each yield; absent: until it answers. */
  readonly waitMs?: () => number;
}

/** Yields while Spacer is at work, and between lengths of runs. Ending it early gives Spacer up. */
export function* chc(
  program: GuardedProgram,
  property: GuardedProperty,
  runner: BackgroundRunner,
  options: ChcOptions,
): Generator<undefined, GuardedAnswer> {
  const deadline = performance.now() + options.timeMs;
  const answer = yield* spacer(hornClauses(program, property), runner, options);
  if (answer.kind === "failed") return { kind: "undecided", reason: answer.reason };
  const [word = ""] = answer.output.trim().split(/\s/);
  if (word === "sat") {
    const invariant = invariantIn(program, answer.output);
    if (invariant === undefined) return { kind: "undecided", reason: "Spacer states no invariant" };
    return { kind: "safe", by: "Horn clauses", isVacuous: false, invariant };
  }
  if (word !== "unsat") return { kind: "undecided", reason: `${runner.name} gives up on the Horn clauses` };
  for (let depth = 0; depth <= options.maxDepth; depth++) {
    yield;
    const left = deadline - performance.now();
    if (left <= 0) break;
    const run = runOfLength(program, property, runner, depth, left);
    if (run) return { kind: "unsafe", run: confirmed(program, property, run) };
  }
  return { kind: "undecided", reason: "Spacer finds a violation, but its run is not found in time" };
}

function* spacer(
  script: string,
  runner: BackgroundRunner,
  { timeMs, waitMs }: ChcOptions,
): Generator<undefined, ScriptAnswer> {
  if (!waitMs) return runner.run(script, timeMs, "(get-model)");
  const running = runner.begin(script, timeMs, "(get-model)");
  try {
    for (;;) {
      const answer = running.poll(waitMs());
      if (answer) return answer;
      yield;
    }
  } finally {
    running.cancel();
  }
}

const name = (index: number): string => `v${index}`;

/** Satisfiable if and only if an invariant proves the property. */
export function hornClauses(program: GuardedProgram, property: GuardedProperty): string {
  const count = program.variables.length;
  const sorts = Array.from({ length: count }, () => "Int").join(" ");
  const bound = Array.from({ length: count }, (_, index) => `(${name(index)} Int)`).join(" ");
  const at = (values: readonly string[]): string => (count === 0 ? "inv" : `(inv ${values.join(" ")})`);
  const here = at(program.variables.map((_, index) => name(index)));
  const clause = (more: string, body: string, head: string): string =>
    count === 0 && more === ""
      ? `(assert (=> ${body} ${head}))`
      : `(assert (forall (${bound} ${more}) (=> ${body} ${head})))`;
  const steps = program.transitions.map((transition) => {
    const inputs = Array.from({ length: inputsOf(transition) }, (_, index) => `in${index}`);
    const next = at(nextValues(program, transition, name, (index) => `in${index}`));
    const declared = inputs.map((input) => `(${input} Int)`).join(" ");
    return clause(declared, `(and ${here} ${conditionText(transition.guard, name)})`, next);
  });
  return [
    // Inlined clauses lose their part of the invariant: Z3 5.2 and 4.8 then state invariants that do not imply the property.
    "(set-option :fp.xform.inline_linear false)(set-option :fp.xform.inline_eager false)",
    "(set-logic HORN)",
    `(declare-fun inv (${sorts}) Bool)`,
    clause("", initialText(program, name), here),
    ...steps,
    clause("", `(and ${here} (not ${conditionText(property.condition, name)}))`, "false"),
    "(check-sat)",
  ].join("\n");
}

/** The body of `inv`, with its parameters renamed to the variables of the program. */
function invariantIn(program: GuardedProgram, output: string): string | undefined {
  const found = definitionOf(readExpressions(output));
  if (!found) return undefined;
  const [, , parameters, , body] = found;
  if (!Array.isArray(parameters) || body === undefined) return undefined;
  const names = new Map(
    parameters.map((parameter: SExpression, index) => [
      String(parameter[0]),
      `|${program.variables[index]?.name ?? ""}|`,
    ]),
  );
  const renamed = (expression: SExpression): SExpression =>
    typeof expression === "string" ? (names.get(expression) ?? expression) : expression.map(renamed);
  return printExpression(renamed(body));
}

function definitionOf(all: readonly SExpression[]): readonly SExpression[] | undefined {
  for (const each of all) {
    if (typeof each === "string") continue;
    if (each[0] === "define-fun" && each[1] === "inv") return each;
    const inner = definitionOf(each);
    if (inner) return inner;
  }
  return undefined;
}

/** A run of exactly `depth` steps that ends in a violation. */
function runOfLength(
  program: GuardedProgram,
  property: GuardedProperty,
  runner: ScriptRunner,
  depth: number,
  timeMs: number,
): GuardedRun | undefined {
  const copy =
    (step: number) =>
    (index: number): string =>
      `s${step}_${index}`;
  const most = Math.max(0, ...program.transitions.map(inputsOf));
  const input =
    (step: number) =>
    (index: number): string =>
      `i${step}_${index}`;
  const lines = ["(set-logic QF_LIA)"];
  for (let step = 0; step <= depth; step++) {
    program.variables.forEach((_, index) => lines.push(`(declare-fun ${copy(step)(index)} () Int)`));
    if (step === depth) break;
    lines.push(`(declare-fun c${step} () Int)`);
    for (let index = 0; index < most; index++) lines.push(`(declare-fun ${input(step)(index)} () Int)`);
  }
  lines.push(`(assert ${initialText(program, copy(0))})`);
  for (let step = 0; step < depth; step++) {
    const steps = program.transitions.map((transition, number) => {
      const next = nextValues(program, transition, copy(step), input(step));
      const equal = next.map((value, index) => `(= ${copy(step + 1)(index)} ${value})`);
      return `(and (= c${step} ${number}) ${conditionText(transition.guard, copy(step))} ${equal.join(" ")})`;
    });
    lines.push(`(assert (or false ${steps.join(" ")}))`);
  }
  lines.push(`(assert (not ${conditionText(property.condition, copy(depth))}))`, "(check-sat)");
  const firsts = program.variables.map((_, index) => copy(0)(index));
  const chosen = Array.from({ length: depth }, (_, step) => `c${step}`);
  const inputs = Array.from({ length: depth }, (_, step) =>
    Array.from({ length: most }, (__, index) => input(step)(index)),
  );
  const wanted = [...firsts, ...chosen, ...inputs.flat()];
  const asking = wanted.length > 0 ? `(get-value (${wanted.join(" ")}))` : undefined;
  const answer = runner.run(lines.join("\n"), timeMs, asking);
  if (answer.kind === "failed" || !answer.output.trim().startsWith("sat")) return undefined;
  const rows = readExpressions(answer.output)[1];
  const values = new Map(
    Array.isArray(rows) ? rows.map((row: SExpression) => [String(row[0]), integer(row[1])]) : [],
  );
  const value = (of: string): bigint => values.get(of) ?? 0n;
  return {
    first: firsts.map(value),
    steps: chosen.map((choice, step) => {
      const transition = Number(value(choice));
      const taken = program.transitions[transition];
      const count = taken ? inputsOf(taken) : 0;
      return { transition, inputs: (inputs[step] ?? []).slice(0, count).map(value) };
    }),
  };
}

const integer = (expression: SExpression | undefined): bigint => {
  if (typeof expression === "string") return BigInt(expression);
  return expression ? -integer(expression[1]) : 0n;
};
