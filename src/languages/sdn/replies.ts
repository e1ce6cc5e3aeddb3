/** Checks that no path through `packetIn` has two replies. */
import type { Block, Statement } from "./ast.js";
import type { Shared } from "./scope.js";

export function checkReplies(body: Block, report: Shared["report"]): void {
  repliesIn(body.statements, false, report);
}

/** Whether a reply has been sent at the end; undefined if the end is unreachable. */
type Answered = boolean | undefined;

function repliesIn(statements: readonly Statement[], before: Answered, report: Shared["report"]): Answered {
  let answered: Answered = before;
  for (const statement of statements) {
    if (answered === undefined) return undefined;
    answered = afterStatement(statement, answered, report);
  }
  return answered;
}

function afterStatement(statement: Statement, before: boolean, report: Shared["report"]): Answered {
  switch (statement.kind) {
    case "forward":
    case "flood":
    case "drop":
      if (before)
        report(
          "sdn/second-reply",
          "a reply to the packet may have been sent already",
          statement.span,
          "put a `return;` after the first answer",
        );
      return true;
    case "return":
    case "error":
      return undefined;
    case "if":
      return either([
        repliesIn(statement.then.statements, before, report),
        repliesIn(statement.otherwise?.statements ?? [], before, report),
      ]);
    case "choose":
      return either(statement.branches.map((branch) => repliesIn(branch.statements, before, report)));
    case "for": {
      const once = repliesIn(statement.body.statements, before, report);
      if (once === true && !before)
        report(
          "sdn/second-reply",
          "every iteration may reply to the packet",
          statement.span,
          "answer behind the loop, or `return;`",
        );
      return either([before, once]);
    }
    default:
      return before;
  }
}

const either = (ways: readonly Answered[]): Answered =>
  ways.every((way) => way === undefined) ? undefined : ways.some((way) => way === true);
