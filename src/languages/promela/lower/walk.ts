/** All statements of a body, including nested ones, in textual order. */
import type { Sequence, Statement } from "../ast.js";

export function* statementsIn(sequence: Sequence): Iterable<Statement> {
  for (const step of sequence.steps) yield* withInner(step);
}

function* withInner(statement: Statement): Iterable<Statement> {
  yield statement;
  switch (statement.kind) {
    case "labelled":
      if (statement.statement) yield* withInner(statement.statement);
      break;
    case "unless":
      yield* withInner(statement.main);
      yield* withInner(statement.escape);
      break;
    case "if":
    case "do":
      for (const option of statement.options) yield* statementsIn(option);
      break;
    case "block":
    case "atomic":
    case "dStep":
    case "forRange":
    case "forIn":
      yield* statementsIn(statement.body);
  }
}
