/** The call graph: calls are inlined, so recursion is an error, reported with its cycle. */
import type { ReportError } from "../toolkit/diagnostics.js";
import type { Block, FunctionTree, Named } from "./ast.js";

/** Reports every call that closes a cycle; true if there is one. */
export function reportRecursion(functions: readonly FunctionTree[], error: ReportError): boolean {
  const known = new Map(functions.map((each) => [each.name, each]));
  const finished = new Set<string>();
  const path: string[] = [];
  let isRecursive = false;
  const visit = ({ name, body }: FunctionTree): void => {
    path.push(name);
    for (const callee of callsIn(body)) {
      const from = path.indexOf(callee.name);
      if (from >= 0) {
        isRecursive = true;
        const cycle = [...path.slice(from), callee.name].join(" -> ");
        error(
          "bp/recursion",
          callee.span,
          `calls are inlined, and this one is recursive: ${cycle}`,
          "remove the recursion, or write it as a loop",
        );
        continue;
      }
      const next = known.get(callee.name);
      if (next && !finished.has(callee.name)) visit(next);
    }
    path.pop();
    finished.add(name);
  };
  for (const each of functions) if (!finished.has(each.name)) visit(each);
  return isRecursive;
}

function callsIn({ statements }: Block): Named[] {
  return statements.flatMap(({ what }) => {
    switch (what.kind) {
      case "call":
        return [what.callee];
      case "if":
        return [...callsIn(what.then), ...(what.otherwise ? callsIn(what.otherwise) : [])];
      case "while":
      case "atomic":
        return callsIn(what.body);
      default:
        return [];
    }
  });
}
