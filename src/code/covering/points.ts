/** Counted points of a script: statements, and branches. */
import ts from "typescript";

export interface Point {
  readonly at: number;
  readonly end: number;
  /** A point that must be executed before this one: the preceding statement, or the enclosing point. */
  readonly after: number | undefined;
  readonly isStatement: boolean;
  readonly isBranch: boolean;
  /** Of an implicit `else`: executed if the condition was evaluated and the other branch was not entered. */
  readonly unless?: { readonly condition: number; readonly then: number };
}

/** Syntactic position of a node, for inserting counters. */
export type Role =
  /** In a list of statements, so that a statement can precede it. */
  | "listed"
  /** A single statement. */
  | "single"
  | "block"
  | "expression";

export function pointsOf(script: string): Point[] {
  const points: Point[] = [];
  eachPoint(parse(script), (point) => points.push(point));
  return points;
}

export const parse = (script: string): ts.SourceFile =>
  ts.createSourceFile("bundle.js", script, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);

/** Deterministic order: a point's position is its number. */
export function eachPoint(
  file: ts.SourceFile,
  found: (point: Point, node: ts.Node, role: Role | "else") => void,
): void {
  const numbers = new Map<ts.Node, number>();
  const lastIn = new Map<ts.Node, number>();
  let number = 0;
  const visit = (node: ts.Node): void => {
    const role = roleOf(node);
    const common = { at: node.getStart(file), end: node.end };
    if (role) {
      const after = (role === "listed" ? lastIn.get(node.parent) : undefined) ?? around(node, numbers);
      const isStatement = isCountedStatement(node, role);
      found({ ...common, after, isStatement, isBranch: isArm(node) }, node, role);
      numbers.set(node, number);
      if (role === "listed") lastIn.set(node.parent, number);
      number++;
    }
    if (ts.isIfStatement(node) && !node.elseStatement) {
      const unless = { condition: node.expression.end, then: node.thenStatement.getStart(file) };
      const after = numbers.get(node) ?? around(node, numbers);
      found({ ...common, after, isStatement: false, isBranch: true, unless }, node, "else");
      number++;
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
}

/** The enclosing point within the function. */
function around(node: ts.Node, numbers: ReadonlyMap<ts.Node, number>): number | undefined {
  for (
    let at = node.parent;
    !ts.isFunctionLike(at) && !ts.isClassLike(at) && !ts.isSourceFile(at);
    at = at.parent
  ) {
    const number = numbers.get(at);
    if (number !== undefined) return number;
  }
  return undefined;
}

function roleOf(node: ts.Node): Role | undefined {
  if (ts.isStatement(node)) return roleOfStatement(node);
  const isCounted = isArm(node) || (ts.isArrowFunction(node.parent) && node.parent.body === node);
  return isCounted && !ts.isBlock(node) ? "expression" : undefined;
}

function roleOfStatement(node: ts.Statement): Role | undefined {
  if (ts.isBlock(node)) return isArm(node) ? "block" : undefined;
  if (ts.isFunctionDeclaration(node) || ts.isEmptyStatement(node) || isDirective(node)) return undefined;
  const { parent } = node;
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)) return "listed";
  // A label belongs to its loop: no statement can come between.
  return ts.isLabeledStatement(parent) ? undefined : "single";
}

const isCountedStatement = (node: ts.Node, role: Role): boolean =>
  role === "listed" || role === "single" || (ts.isArrowFunction(node.parent) && node.parent.body === node);

function isArm(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return node === parent.thenStatement || node === parent.elseStatement;
  if (ts.isConditionalExpression(parent)) return node === parent.whenTrue || node === parent.whenFalse;
  if (ts.isCaseOrDefaultClause(parent)) return node === parent.statements[0];
  return (
    ts.isBinaryExpression(parent) && node === parent.right && shortCircuits.has(parent.operatorToken.kind)
  );
}

const shortCircuits = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const isDirective = (node: ts.Statement): boolean =>
  ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression);
