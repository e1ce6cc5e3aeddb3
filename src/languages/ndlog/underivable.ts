/** Warns of predicates of which no tuple can ever be derived: every rule needs one of them. */
import type { Diagnostic } from "../../model/diagnostic.js";
import type { NdlogProgram } from "../../model/ndlog.js";

export function underivable({ predicates, rules }: NdlogProgram): Diagnostic[] {
  const possible = new Set(predicates.flatMap(({ isBase }, index) => (isBase ? [index] : [])));
  for (let size = -1; size < possible.size;) {
    size = possible.size;
    for (const { head, body } of rules)
      if (body.atoms.every(({ predicate }) => possible.has(predicate))) possible.add(head.predicate);
  }
  const warned = new Set<number>();
  return rules.flatMap(({ head, span }): Diagnostic[] => {
    const { predicate } = head;
    if (possible.has(predicate) || warned.has(predicate)) return [];
    warned.add(predicate);
    const name = predicates[predicate]?.name ?? "";
    return [
      {
        code: "ndlog/underivable",
        severity: "warning",
        message: `no tuple of \`${name}\` can be derived: each needs another one first`,
        span,
        hint: `if there are initial tuples, write \`base ${name}.\``,
      },
    ];
  });
}
