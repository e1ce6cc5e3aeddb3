/** Names that the user's file imports from a module of Node's, and where: those that it uses as values. */
import { existsSync, readFileSync } from "node:fs";
import type { PartialMessage } from "esbuild";
import type TypeScript from "typescript";

/** For each name of `missing` that the file imports from that module and uses, an error at the import. */
export async function missingImports(
  file: string,
  module: string,
  missing: readonly string[],
): Promise<PartialMessage[]> {
  // A text that is in no file is looked at when it runs.
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  // Reading a file as syntax takes longer than looking for a word; hardly any file has one.
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
      const lineText = text.split("\n")[line]!;
      errors.push({
        text: `${name} of node:${module} is not supported: a world does not have it`,
        location: { file, line: line + 1, column: character, length: name.length, lineText },
        detail: { code: "code/not-supported", hint: "import() the module where it is used" },
      });
    }
  }
  return errors;
}
