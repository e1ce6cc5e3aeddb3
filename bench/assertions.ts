/**
 * Counts non-null assertions in `src` by folder: `npm run assertions [-- --list PATH… | --most N]`.
 *
 * Omits `compile` and `engines/explicit`, whose loops over typed arrays need them. `--list` prints each with its
 * position, `--most N` fails if there are more than N.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, most: { type: "string" } },
});
const LEFT_OUT = ["compile/", "engines/explicit/"];

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !LEFT_OUT.some((folder) => file.startsWith(folder)))
  .map((file) => join("src", file))
  .filter((file) => positionals.length === 0 || positionals.some((path) => file.startsWith(path)))
  .sort();
const counts = new Map<string, number>();
let total = 0;
for (const file of files)
  for (const line of assertionsIn(file)) {
    const folder = dirname(file).split("/").slice(0, 3).join("/");
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
    total++;
    if (values.list) console.log(line);
  }
if (!values.list)
  for (const [folder, count] of [...counts].sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(6)}  ${folder}`);
console.log(`${String(total).padStart(6)}  non-null assertions in ${files.length} files`);
if (values.most !== undefined && total > Number(values.most)) process.exitCode = 1;

function assertionsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getEnd());
      found.push(`${file}:${line + 1}: ${node.getText().replace(/\s+/g, " ")}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
