/**
 * The mutants of a marked line: each is the file with one small change, made through TypeScript's syntax tree.
 *
 * Negates conditions, replaces them by true and false, and removes operands; shifts comparisons by one; exchanges `&&`
 * and `||`; removes `!` and call statements. In template literals of generated code, exchanges operators as text.
 */
import ts from "typescript";

export interface Mutant {
  /** Original code and its replacement; with the file they identify the mutant. */
  readonly code: string;
  readonly instead: string;
  readonly text: string;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

export function mutantsOf(file: string, text: string, line: number): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  visit(source, source, line - 1, changes);
  // A mark behind the end of a statement covers the whole of it.
  const inner = changes.length === 0 ? statementAt(source, source, line - 1) : undefined;
  const statement = inner && ts.isIfStatement(inner.parent) ? inner.parent : inner;
  if (statement) collect(statement, source, changes);
  if (changes.length === 0 && statement) coarse(statement, source, changes);
  const seen = new Set<string>();
  return changes.flatMap((change) => {
    const mutated = text.slice(0, change.start) + change.instead + text.slice(change.end);
    if (seen.has(mutated) || change.instead === text.slice(change.start, change.end)) return [];
    seen.add(mutated);
    return [described(text, mutated, change)];
  });
}

/** The code from the first to the last changed line, in one line. */
function described(text: string, mutated: string, { start, end, instead }: Change): Mutant {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = (at: number, whole: string): number => {
    const found = whole.indexOf("\n", at);
    return found < 0 ? whole.length : found;
  };
  const plain = (code: string): string =>
    code
      .replace(/\s*\/\/ sound: .*$/gm, "")
      .replace(/\s+/g, " ")
      .trim();
  return {
    code: plain(text.slice(from, to(end, text))),
    instead: plain(mutated.slice(from, to(start + instead.length, mutated))),
    text: mutated,
  };
}

/** The innermost statement on the line. */
function statementAt(node: ts.Node, source: ts.SourceFile, line: number): ts.Statement | undefined {
  let found: ts.Statement | undefined;
  node.forEachChild((child) => {
    if (lineOf(source, child.getStart(source)) > line || lineOf(source, child.getEnd()) < line) return;
    found ??=
      statementAt(child, source, line) ?? (ts.isStatement(child) && !ts.isBlock(child) ? child : undefined);
  });
  return found;
}

/** If nothing finer applies: another number, no value. */
function coarse(node: ts.Node, source: ts.SourceFile, changes: Change[]): void {
  if (ts.isNumericLiteral(node)) changes.push(instead(node, source, `(${node.text} + 1)`));
  if (ts.isReturnStatement(node) && node.expression)
    changes.push(instead(node.expression, source, "undefined"));
  if (ts.isVariableDeclaration(node) && node.initializer)
    changes.push(instead(node.initializer, source, "undefined"));
  node.forEachChild((child) => coarse(child, source, changes));
}

/** Nodes and operands that begin on the line. */
function visit(node: ts.Node, source: ts.SourceFile, line: number, changes: Change[]): void {
  const startLine = lineOf(source, node.getStart(source));
  if (startLine > line || lineOf(source, node.getEnd()) < line) return;
  if (startLine === line) return collect(node, source, changes);
  if (ts.isBinaryExpression(node) && lineOf(source, node.right.getStart(source)) === line) {
    if (isLogical(node)) changes.push(replaced(node, source, node.left));
    changes.push(...operatorsOf(node, source));
  }
  if (isText(node)) changes.push(...textual(node, source, line));
  node.forEachChild((child) => visit(child, source, line, changes));
}

/** All changes inside a node that begins on the line; statements of inner blocks have separate marks. */
function collect(node: ts.Node, source: ts.SourceFile, changes: Change[]): void {
  if (ts.isTypeNode(node)) return;
  changes.push(...changesOf(node, source));
  if (isText(node)) changes.push(...textual(node, source));
  const outer = lineOf(source, node.getStart(source));
  node.forEachChild((child) => {
    const isInner =
      ts.isBlock(child) && child.statements.some((s) => lineOf(source, s.getStart(source)) !== outer);
    if (!isInner) collect(child, source, changes);
  });
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return conditionsOf(node.expression, source);
  if (ts.isConditionalExpression(node)) return conditionsOf(node.condition, source);
  if (ts.isBinaryExpression(node))
    return [
      ...operatorsOf(node, source),
      ...(isLogical(node) ? [replaced(node, source, node.left), replaced(node, source, node.right)] : []),
      ...(isComparison(node) ? [instead(node, source, "true"), instead(node, source, "false")] : []),
    ];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [replaced(node, source, node.operand)];
  if (ts.isExpressionStatement(node) && !isAssignment(node.expression)) return [instead(node, source, ";")];
  if (ts.isReturnStatement(node) && node.expression) return conditionsOf(node.expression, source, true);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return conditionsOf(node.body, source, true);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [instead(node, source, "false")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [instead(node, source, "true")];
  if (ts.isVariableDeclaration(node) && node.initializer) return conditionsOf(node.initializer, source, true);
  if (ts.isForOfStatement(node)) return [instead(node, source, ";")];
  if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent))
    return [instead(node.expression, source, "[]")];
  if (ts.isPropertyAssignment(node)) return conditionsOf(node.initializer, source, true);
  return [];
}

/** Replaced by true, by false, and negated. `onlyBoolean`: only if the expression looks like a condition. */
function conditionsOf(expression: ts.Expression, source: ts.SourceFile, onlyBoolean = false): Change[] {
  if (onlyBoolean && !looksBoolean(expression)) return [];
  const text = expression.getText(source);
  return [
    instead(expression, source, "true"),
    instead(expression, source, "false"),
    instead(expression, source, `!(${text})`),
  ];
}

/** Names of predicates, by the style guide's rule for booleans. */
const FACT =
  /^#?(is|has|can|may|does|was|are|must|some|every|test|includes|needs|shows|holds|reads|writes|[a-z]*s[A-Z])/;

function looksBoolean(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return looksBoolean(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  if (ts.isBinaryExpression(node))
    return isComparison(node) || (isLogical(node) && looksBoolean(node.left) && looksBoolean(node.right));
  if (!ts.isCallExpression(node)) return false;
  const called = node.expression;
  return FACT.test(ts.isPropertyAccessExpression(called) ? called.name.text : called.getText());
}

const EXCHANGED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
]);

const operatorsOf = ({ operatorToken }: ts.BinaryExpression, source: ts.SourceFile): Change[] => {
  const other = EXCHANGED.get(operatorToken.kind);
  return other === undefined ? [] : [instead(operatorToken, source, other)];
};

const isLogical = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;

const isComparison = (node: ts.BinaryExpression): boolean =>
  EXCHANGED.has(node.operatorToken.kind) && !isLogical(node);

const isAssignment = (node: ts.Expression): boolean =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

const isText = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isStringLiteral(node);

/** Operators of generated code, one at a time. */
function textual(node: ts.Node, source: ts.SourceFile, line?: number): Change[] {
  const text = node.getText(source);
  const start = node.getStart(source);
  return [...text.matchAll(/ (<=?|>=?|===|!==|&&|\|\|) /g)].flatMap((match) => {
    const at = start + match.index;
    if (line !== undefined && lineOf(source, at) !== line) return [];
    const other = TEXTS[match[0].trim()];
    return other === undefined ? [] : [{ start: at, end: at + match[0].length, instead: ` ${other} ` }];
  });
}

const TEXTS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
};

const lineOf = (source: ts.SourceFile, at: number): number => source.getLineAndCharacterOfPosition(at).line;

const instead = (node: ts.Node, source: ts.SourceFile, text: string): Change => ({
  start: node.getStart(source),
  end: node.getEnd(),
  instead: text,
});

const replaced = (node: ts.Node, source: ts.SourceFile, by: ts.Node): Change =>
  instead(node, source, by.getText(source));
