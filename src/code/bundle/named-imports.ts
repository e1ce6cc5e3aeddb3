/** Names that the user's file imports from a Node module and uses as values, with positions. */
import { existsSync, readFileSync } from "node:fs";
import type { PartialMessage } from "esbuild";
import type TypeScript from "typescript";
import { nth } from "../../model/known.js";

/** An error at the import of each `missing` name that the file imports from that module and uses. */
export async function missingImports(
  file: string,
  module: string,
  missing: readonly string[],
): Promise<PartialMessage[]> {
  // Text without a file is checked at run time.
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  // A textual search is faster than parsing, and rarely succeeds.
  if (!missing.some((name) => text.includes(name))) return [];
  const { default: ts } = await import("typescript");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const used = new Set<string>();
  const visit = (node: TypeScript.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node))
      used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const errors: PartialMessage[] = [];
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (statement.moduleSpecifier.text.replace(/^node:/, "") !== module) continue;
    if (statement.importClause?.isTypeOnly || !bindings || !ts.isNamedImports(bindings)) continue;
    for (const element of bindings.elements) {
      const name = (element.propertyName ?? element.name).text;
      if (element.isTypeOnly || !missing.includes(name) || !used.has(element.name.text)) continue;
      const { line, character } = source.getLineAndCharacterOfPosition(element.getStart());
      const lineText = nth(text.split("\n"), line);
      errors.push({
        text: `${name} of node:${module} is not supported: a world does not have it`,
        location: { file, line: line + 1, column: character, length: name.length, lineText },
        detail: { code: "code/not-supported", hint: "import() the module where it is used" },
      });
    }
  }
  return errors;
}
