/**
 * Cuts the parser and the binder out of the TypeScript compiler, for the published package.
 *
 * The compiler is one file: a function whose statements declare the variables, functions and classes of all its modules.
 * Keeps the statements that the requested exports reach by name, in their order. Names are not resolved by scope, so a
 * local name may keep too much, never too little. Keeps the entries of the table of messages that kept code mentions.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * An esbuild plugin: `import ts from "typescript"` gets an object with the cut functions. `names`: the exports of the
 * compiler that the sources use, types among them.
 */
export const typescriptParser = (names) => ({
  name: "typescript-parser",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]typescript[\\/]lib[\\/]typescript\.js$/ }, ({ path }) => ({
      contents: cutParser(readFileSync(path, "utf8"), names),
      loader: "js",
    }));
  },
});

/** Names that text uses as `ts.NAME`, or takes from `ts` by a pattern. */
export function namesUsed(texts) {
  const names = new Set();
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\bts\.(\w+)/g)) names.add(name);
    for (const [, list] of text.matchAll(/const \{([^}]*)\} = ts\b/g))
      for (const [name] of list.matchAll(/\w+/g)) names.add(name);
  }
  return [...names].sort();
}

/** The text of an ES module whose default export has `names`; types are omitted. */
export function cutParser(compiler, names) {
  const statements = statementsOf(compiler);
  const owners = ownersOf(statements);
  const internalNames = exportedNames(statements);
  const exported = names
    .filter((name) => internalNames.has(name))
    .map((name) => [name, internalNames.get(name)]);
  if (exported.length === 0) throw new Error("TypeScript exports none of the names that the sources use");
  const roots = [...exported.map(([, internal]) => internal), "setObjectAllocator", ...CLASSES.values()];
  for (const root of roots)
    if (!owners.has(root)) throw new Error(`TypeScript ${ts.version} no longer declares ${root}`);
  const kept = reached(roots, owners);
  const text = withoutUnusedMessages(statements.filter((statement) => kept.has(statement)));
  const constructors = [...CLASSES].map(([kind, name]) => `get${kind}Constructor: () => ${name}`);
  return [
    text,
    // Nodes with methods, such as getStart: the compiler installs them with its language service.
    `setObjectAllocator({ ...objectAllocator, ${constructors.join(", ")} });`,
    `export default { ${exported.map(([name, internal]) => `${name}: ${internal}`).join(", ")} };`,
  ].join("\n");
}

const CLASSES = new Map([
  ["Node", "NodeObject"],
  ["Token", "TokenObject"],
  ["Identifier", "IdentifierObject"],
  ["PrivateIdentifier", "PrivateIdentifierObject"],
  ["SourceFile", "SourceFileObject"],
]);

/** The statements of the function around the compiler. */
function statementsOf(compiler) {
  const file = ts.createSourceFile("typescript.js", compiler, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  for (const statement of file.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) continue;
    let { expression } = statement.expression;
    while (ts.isParenthesizedExpression(expression)) ({ expression } = expression);
    if (ts.isArrowFunction(expression) && ts.isBlock(expression.body)) return [...expression.body.statements];
  }
  throw new Error(`TypeScript ${ts.version} is no longer one function in one file`);
}

/** Statements by the name that they declare or complete. Effects on other modules, such as registering refactorings, have none. */
function ownersOf(statements) {
  const owners = new Map();
  for (const statement of statements)
    for (const name of declaredBy(statement)) owners.set(name, [...(owners.get(name) ?? []), statement]);
  return owners;
}

function declaredBy(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.text);
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name.text];
  const text = statement.getText();
  const [, name] =
    /^__export\((\w+),/.exec(text) ?? // the exports of a module, as an object
    /\}\)\((\w+) \|\| \(\1 = \{\}\)\);$/.exec(text) ?? // a namespace
    /^(\w+)\.\w+ = /.exec(text) ?? // a static field
    [];
  return name === undefined || name === "module" ? [] : [name];
}

/** The compiler's internal names by exported names. */
function exportedNames(statements) {
  const [table] = statements.filter((each) => each.getText().startsWith("__export(typescript_exports, {"));
  if (!table) throw new Error(`TypeScript ${ts.version} has no table of exports`);
  return new Map(
    table.expression.arguments[1].properties.map((each) => [each.name.text, each.initializer.body.text]),
  );
}

function reached(roots, owners) {
  const seen = new Set(roots);
  const queue = [...seen];
  const kept = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node) && owners.has(node.text) && !isPropertyName(node) && !seen.has(node.text)) {
      seen.add(node.text);
      queue.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  for (const name of queue)
    for (const statement of owners.get(name)) {
      if (kept.has(statement)) continue;
      kept.add(statement);
      visit(statement);
    }
  return kept;
}

function isPropertyName(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  const isMember = ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isAccessor(parent);
  return isMember && parent.name === node;
}

/** Half of the kept text would be messages of the type checker. */
function withoutUnusedMessages(statements) {
  const isTable = (statement) => statement.getText().startsWith("var Diagnostics = {");
  const rest = statements
    .filter((statement) => !isTable(statement))
    .map((statement) => statement.getFullText());
  const text = rest.join("");
  const used = new Set([...text.matchAll(/\bDiagnostics\.(\w+)/g)].map(([, name]) => name));
  if (/\bDiagnostics\b(?!\.\w)/.test(text)) throw new Error("the table of messages is used as a whole");
  const entries = statements.filter(isTable).flatMap((statement) => {
    const [{ initializer }] = statement.declarationList.declarations;
    return initializer.properties.filter(({ name }) => used.has(name.text)).map((each) => each.getText());
  });
  return `var Diagnostics = {\n${entries.join(",\n")}\n};\n${text}`;
}
