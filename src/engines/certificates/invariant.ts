/**
 * Checks the invariant of a guarded program: it holds at first, every transition preserves it, and it implies the property.
 *
 * Shares no code with the engines: it reads the program, prints SMT-LIB independently and has a solver refute the three negations. The
 * text of the invariant is parsed and printed again with known operators alone, so that it cannot contain commands.
 */
import type { InvariantProof } from "../../model/certificate.js";
import type { Condition, GuardedProgram, LinearSum } from "../../model/guarded.js";
import { readExpressions, type SExpression } from "../../model/s-expressions.js";
import type { ScriptRunner } from "../../model/solver.js";

export type InvariantJudgement =
  | { readonly kind: "accepted"; readonly queries: number }
  | { readonly kind: "rejected"; readonly why: string };

/** Every runner must refute every negation. */
export function checkInvariant(
  program: GuardedProgram,
  proof: InvariantProof,
  runners: readonly ScriptRunner[],
  timeMs: number,
): InvariantJudgement {
  const property = program.properties.find(({ name }) => name === proof.property);
  if (!property) return { kind: "rejected", why: "the model has no such property" };
  if (runners.length === 0) return { kind: "rejected", why: "there is no solver to check it with" }; // sound: test/engines/certificates/invariant.test.ts
  const names = new Map(program.variables.map(({ name }, index) => [`|${name}|`, `x${index}`]));
  let invariant: string;
  try {
    invariant = printed(proof.invariant, names);
  } catch (error) {
    return { kind: "rejected", why: `the invariant cannot be read: ${(error as Error).message}` };
  }
  const claims = claimsOf(program, property.condition);
  for (const runner of runners) {
    const why = refuted(runner, program, invariant, claims, timeMs);
    if (why !== undefined) return { kind: "rejected", why };
  }
  return { kind: "accepted", queries: claims.length };
}

/** A formula that must be unsatisfiable, and its meaning if it is not. */
interface Claim {
  readonly negation: string;
  readonly failure: string;
}

const before = (index: number): string => `x${index}`;

function claimsOf(program: GuardedProgram, wanted: Condition): Claim[] {
  const holds = invariantAt(
    program,
    program.variables.map((_, index) => before(index)),
  );
  const steps = program.transitions.map(({ guard, assignments, label, process }, number): Claim => {
    const after = program.variables.map((_, index) => before(index));
    let inputs = 0;
    for (const { variable, value } of assignments)
      after[variable] = value === "nondet" ? `input${inputs++}` : linear(value); // sound: test/engines/certificates/invariant.test.ts
    const negation = `(and ${holds} ${logical(guard)} (not ${invariantAt(program, after)}))`; // sound: test/engines/certificates/invariant.test.ts
    return {
      negation,
      failure: `transition ${number} (${process} ${label}) leaves the invariant`.replace(" )", ")"),
    };
  });
  return [
    {
      negation: `(and ${first(program)} (not ${holds}))`,
      failure: "an initial state is outside the invariant",
    }, // sound: test/engines/certificates/invariant.test.ts
    ...steps,
    {
      negation: `(and ${holds} (not ${logical(wanted)}))`,
      failure: "the invariant does not imply the property",
    }, // sound: test/engines/certificates/invariant.test.ts
  ];
}

const invariantAt = ({ variables }: GuardedProgram, values: readonly string[]): string =>
  variables.length === 0 ? "invariant" : `(invariant ${values.join(" ")})`;

function first({ variables, initial }: GuardedProgram): string {
  const parts = variables.flatMap(({ initial: value, range }, index) => [
    ...(value === undefined ? [] : [`(= ${before(index)} ${integer(value)})`]),
    ...(range
      ? [`(>= ${before(index)} ${integer(range.low)})`, `(<= ${before(index)} ${integer(range.high)})`]
      : []),
  ]);
  return `(and ${[...parts, logical(initial)].join(" ")})`;
}

function refuted(
  runner: ScriptRunner,
  program: GuardedProgram,
  invariant: string,
  claims: readonly Claim[],
  timeMs: number,
): string | undefined {
  const most = Math.max(0, ...program.transitions.map(({ assignments }) => assignments.length));
  const declared = [
    ...program.variables.map((_, index) => `(declare-fun ${before(index)} () Int)`),
    ...Array.from({ length: most }, (_, index) => `(declare-fun input${index} () Int)`),
  ];
  const parameters = program.variables.map((_, index) => `(${before(index)} Int)`).join(" ");
  const script = [
    "(set-logic ALL)",
    `(define-fun invariant (${parameters}) Bool ${invariant})`,
    ...declared,
    ...claims.map(({ negation }) => `(push 1)(assert ${negation})(check-sat)(pop 1)`),
  ].join("\n");
  const answer = runner.run(script, timeMs);
  if (answer.kind === "failed") return answer.reason;
  const lines = answer.output.trim().split(/\s*\n\s*/);
  // sound: test/engines/certificates/invariant.test.ts
  if (lines.length !== claims.length) return `${runner.name} answers ${answer.output.trim().slice(0, 200)}`;
  const open = lines.findIndex((line) => line !== "unsat"); // sound: test/engines/certificates/invariant.test.ts
  if (open < 0) return undefined;
  return lines[open] === "sat"
    ? claims[open]?.failure
    : `${runner.name} does not decide: ${claims[open]?.failure ?? ""}`;
}

function logical(condition: Condition): string {
  switch (condition.kind) {
    case "constant":
      return condition.value ? "true" : "false";
    case "not":
      return `(not ${logical(condition.of)})`;
    case "and":
      return condition.all.reduceRight((rest, each) => `(and ${logical(each)} ${rest})`, "true");
    case "or":
      return condition.all.reduceRight((rest, each) => `(or ${logical(each)} ${rest})`, "false");
    case "atMost":
      return `(<= ${linear(condition.sum)} 0)`;
    case "zero":
      return `(= ${linear(condition.sum)} 0)`;
    case "divides":
      return `(= 0 (mod ${linear(condition.sum)} ${condition.divisor}))`;
  }
}

const linear = ({ parts, constant }: LinearSum): string =>
  parts.reduce(
    (so, { variable, coefficient }) => `(+ ${so} (* ${integer(coefficient)} ${before(variable)}))`,
    integer(constant),
  );

const integer = (value: bigint): string => (value >= 0n ? value.toString() : `(- ${(-value).toString()})`);

const OPERATORS: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "=>",
  "=",
  "<=",
  "<",
  ">=",
  ">",
  "+",
  "-",
  "*",
  "mod",
  "div",
  "ite",
  "distinct",
]);

/** Prints a term of known operators over known names. Throws on everything else. */
function printed(text: string, names: ReadonlyMap<string, string>): string {
  const [tree, ...more] = readExpressions(text);
  if (tree === undefined || more.length > 0) throw new Error("it is not one formula"); // sound: test/engines/certificates/invariant.test.ts
  const known = new Map(names);
  // Names that need no bars may lack them.
  for (const [name, value] of names) known.set(name.slice(1, -1), value);
  return printTerm(tree, known, 0);
}

function printTerm(tree: SExpression, names: ReadonlyMap<string, string>, depth: number): string {
  if (depth > 5000) throw new Error("it is nested too deeply");
  if (typeof tree === "string") {
    if (/^\d+$/.test(tree) || tree === "true" || tree === "false") return tree;
    const name = names.get(tree);
    if (name === undefined) throw new Error(`${tree.slice(0, 40)} is no variable`);
    return name;
  }
  const [head, ...rest] = tree;
  if (head === "let" && Array.isArray(rest[0]) && rest[1] !== undefined && rest.length === 2) {
    const inner = new Map(names);
    const bindings = (rest[0] as readonly SExpression[]).map((binding, index) => {
      if (
        typeof binding === "string" ||
        typeof binding[0] !== "string" ||
        binding[1] === undefined ||
        binding.length !== 2
      )
        throw new Error("a binding is damaged");
      const own = `let${depth}_${index}`;
      inner.set(binding[0], own);
      return `(${own} ${printTerm(binding[1], names, depth + 1)})`;
    });
    return `(let (${bindings.join(" ")}) ${printTerm(rest[1], inner, depth + 1)})`;
  }
  if (
    (head === "exists" || head === "forall") &&
    Array.isArray(rest[0]) &&
    rest[1] !== undefined &&
    rest.length === 2
  )
    return printQuantified(head, rest[0] as readonly SExpression[], rest[1], names, depth);
  // Annotations of quantifiers guide the search and do not change the meaning.
  if (head === "!" && rest[0] !== undefined) return printTerm(rest[0], names, depth + 1);
  if (typeof head !== "string" || !OPERATORS.has(head) || rest.length === 0)
    throw new Error("it contains an unknown operator");
  return `(${head} ${rest.map((each) => printTerm(each, names, depth + 1)).join(" ")})`;
}

function printQuantified(
  head: string,
  bound: readonly SExpression[],
  body: SExpression,
  names: ReadonlyMap<string, string>,
  depth: number,
): string {
  const inner = new Map(names);
  const own = bound.map((each, index) => {
    if (typeof each === "string" || typeof each[0] !== "string" || each[1] !== "Int" || each.length !== 2)
      throw new Error("a quantified variable is not an integer");
    inner.set(each[0], `any${depth}_${index}`);
    return `(any${depth}_${index} Int)`;
  });
  return `(${head} (${own.join(" ")}) ${printTerm(body, inner, depth + 1)})`;
}
