import type * as ast from "./ast.js";
import { printExpression, printTemplate } from "./print-expressions.js";

export function printBlock({ statements }: ast.Block): string {
  if (statements.length === 0) return "{ }";
  const lines = statements.map((statement) => `  ${printStatement(statement).replaceAll("\n", "\n  ")}`);
  return ["{", ...lines, "}"].join("\n");
}

function printStatement(statement: ast.Statement): string {
  switch (statement.kind) {
    case "let":
      return `let ${statement.name.text} = ${printExpression(statement.value)};`;
    case "assign":
      return `${printExpression(statement.target)} = ${printExpression(statement.value)};`;
    case "if": {
      const head = `if (${printExpression(statement.test)}) ${printBlock(statement.then)}`;
      return statement.otherwise ? `${head} else ${printElse(statement.otherwise)}` : head;
    }
    case "for":
      return `for ${statement.name.text} in ${printExpression(statement.over)} ${printBlock(statement.body)}`;
    case "choose": {
      const branches = statement.branches.map(
        (branch) => `  [] ${printBlock(branch).replaceAll("\n", "\n  ")}`,
      );
      return ["choose {", ...branches, "}"].join("\n");
    }
    case "install":
    case "remove":
      return `${statement.kind}(${printExpression(statement.at)}, ${printExpression(statement.rule)});`;
    case "barrier":
      return `barrier(${printExpression(statement.at)});`;
    case "forward":
      return `forward(${printExpression(statement.ports)});`;
    case "flood":
    case "drop":
      return `${statement.kind}();`;
    case "emit": {
      const { template, at } = statement;
      return `emit ${printTemplate(template)}${at ? ` at ${at.node.text}:${at.port}` : ""};`;
    }
    case "error":
      return `error("${statement.message}");`;
    case "return":
      return statement.value ? `return ${printExpression(statement.value)};` : "return;";
    case "call":
      return `${printExpression(statement.call)};`;
  }
}

/** Prints `else if` chains without nesting. */
function printElse(block: ast.Block): string {
  const [only, ...others] = block.statements;
  return only?.kind === "if" && others.length === 0 ? printStatement(only) : printBlock(block);
}
