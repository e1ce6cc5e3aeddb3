import type { Expression, Sequence, Statement } from "../ast.js";

/** The guard of a sequence: its first statement other than a declaration, inside blocks and labels. */
export function firstStatement(sequence: Sequence): Statement | undefined {
  const first = sequence.steps.find((step) => step.kind !== "declaration" && step.kind !== "exclusive");
  return first && unwrap(first);
}

function unwrap(statement: Statement): Statement {
  switch (statement.kind) {
    case "labelled":
      return statement.statement ? unwrap(statement.statement) : statement;
    case "block":
    case "atomic":
    case "dStep":
      return firstStatement(statement.body) ?? statement;
    case "unless":
      return unwrap(statement.main);
    default:
      return statement;
  }
}

export function isCommunication(statement: Statement): boolean {
  return statement.kind === "send" || statement.kind === "receive";
}

export function containsRemote(expression: Expression): Expression | undefined {
  const pending: object[] = [expression];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if ("kind" in node && (node.kind === "remoteLabel" || node.kind === "remoteVariable"))
      return node as Expression;
    for (const child of Object.values(node))
      if (typeof child === "object" && child !== null) pending.push(child);
  }
  return undefined;
}
