/** Checks annotations: every rule must preserve them. Also reports whether they include tuples that no rule derives. */
import type { Diagnostic } from "../../model/diagnostic.js";
import { evaluate, variablesOf, type Term, type VariableTerm } from "../../model/terms.js";
import { ruleOf } from "./lemmas.js";
import { nodesOf, type Entry } from "./pool.js";
import type { Queries } from "./query.js";

export interface AnnotationReport {
  readonly diagnostics: readonly Diagnostic[];
  /** The solver does not decide: nothing may be concluded with the annotations. */
  readonly undecided: string | undefined;
}

export function checkAnnotations(queries: Queries): AnnotationReport {
  const { pool } = queries;
  const diagnostics: Diagnostic[] = [];
  let undecided: string | undefined;
  for (const { predicate, span } of pool.program.annotations) {
    const name = pool.program.predicates[predicate]?.name ?? "";
    let isInductive = true;
    for (const entry of pool.entries(predicate).map((each) => pool.instance(each))) {
      const { condition, node } = entry;
      const annotation = pool.annotationOf(predicate, node.args);
      const holds = annotation.at(-1);
      if (!holds) continue;
      const formulas = [
        ...condition,
        ...annotation.slice(0, -1),
        ...pool.constraintsOn([node], "several"),
        pool.encoder.terms.not(holds), // sound: test/engines/pools/annotations.test.ts
      ];
      const answer = queries.solve(formulas, "annotation");
      if (answer.kind === "unsat") continue;
      isInductive = false;
      if (answer.kind === "unknown") undecided ??= `the annotation of ${name}: ${answer.reason}`;
      else diagnostics.push(notInductive(queries, entry, formulas, name, span));
    }
    if (isInductive && isOverApproximation(queries, predicate))
      diagnostics.push({
        code: "ndlog/annotation-too-weak",
        severity: "warning",
        message: `the annotation of \`${name}\` allows tuples that no rule derives`,
        span,
        hint: "violations behind it may need more unfolding; proofs are not affected",
      });
  }
  return { diagnostics, undecided };
}

function notInductive(
  queries: Queries,
  { node }: Entry,
  formulas: readonly Term[],
  name: string,
  span: Diagnostic["span"],
): Diagnostic {
  const { program } = queries.pool;
  const model = queries.model(formulas, [node]);
  const tuple = ({ args, predicate }: Entry["node"]): string =>
    `${program.predicates[predicate]?.name ?? ""}(${args.map((arg) => (model ? evaluate(arg, model) : "…")).join(", ")})`;
  const from = nodesOf(node).slice(1).map(tuple);
  const rule = ruleOf(program, node.by);
  const where = typeof node.by === "number" ? program.rules[node.by]?.span : undefined;
  return {
    code: "ndlog/annotation-not-inductive",
    severity: "error",
    message: `the annotation of \`${name}\` is not inductive: ${rule} derives ${tuple(node)}${from.length > 0 ? ` from ${from.join(", ")}` : ""}`,
    span,
    hint: "weaken the annotation, or add a network constraint that excludes these tuples",
    ...(where ? { notes: [{ span: where, message: `${rule} is here` }] } : {}),
  };
}

/** True only if it is certain. */
function isOverApproximation(queries: Queries, predicate: number): boolean {
  const { pool, solver } = queries;
  const { encoder } = pool;
  const { terms } = encoder;
  const args = encoder.freshAll(pool.program.predicates[predicate]?.arity ?? 0);
  const own = new Set(args.map(({ id }) => id));
  const uncovered: Term[] = [];
  for (const { condition, node } of pool.entries(predicate).map((each) => pool.instance(each))) {
    const equal = args.map((arg, index) => terms.equal(arg, node.args[index] ?? arg));
    const formula = terms.and([...condition, ...pool.constraintsOn([node], "several"), ...equal]);
    const inside = [...variablesOf(formula).values()];
    if (inside.some(({ kind }) => kind === "apply")) return false;
    const others = inside.filter(
      (each): each is VariableTerm => each.kind === "variable" && !own.has(each.id),
    );
    const projected = solver.project(formula, others);
    if (!projected) return false;
    uncovered.push(terms.not(projected));
  }
  return queries.solve([...pool.annotationOf(predicate, args), ...uncovered], "annotation").kind === "sat";
}
