/** Conditions about private windows: what they come to in one of them. All others may go either way. */
import type TypeScript from "typescript";
import { boundNames, pathIn, type ComponentFacts } from "./component.js";
import { isPrivateName, unwrapped } from "./syntax.js";

export type Mode = "Norm" | "Priv";

export interface Question {
  readonly ts: typeof TypeScript;
  readonly facts: ComponentFacts;
  readonly mode: Mode;
  note(node: TypeScript.Node, message: string): void;
}

/** Undefined where the condition asks for something else, too. */
export function decide(question: Question, node: TypeScript.Expression): boolean | undefined {
  const { ts, facts, mode } = question;
  const inner = unwrapped(ts, node);
  if (ts.isPropertyAccessExpression(inner) && isPrivateName(inner.name.text)) {
    // A page that is there for all windows is not in a private one, whatever it works on.
    if (inner.name.text === "inIncognitoContext" && facts.sharesVariables) {
      question.note(inner, "always false here, for private windows, too: the page is one for all windows");
      return false;
    }
    return isAnswer(question, inner) ? mode === "Priv" : undefined;
  }
  if (ts.isIdentifier(inner)) {
    const flag = facts.flags.get(inner.text);
    if (!flag || isOfAnotherWindow(question, inner)) return undefined; // sound: test/languages/webextension/fixtures.test.ts
    if (flag.isKept) question.note(inner, `\`${inner.text}\` is taken to say what window it is at any time`);
    return flag.isTrueInPrivate === (mode === "Priv");
  }
  if (inner.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (inner.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken) {
    const operand = decide(question, inner.operand);
    return operand === undefined ? undefined : !operand;
  }
  if (ts.isCallExpression(inner)) return decideCall(question, inner);
  return ts.isBinaryExpression(inner) ? decideBinary(question, inner) : undefined;
}

function decideBinary(question: Question, node: TypeScript.BinaryExpression): boolean | undefined {
  const { ts } = question;
  const [left, right] = [decide(question, node.left), decide(question, node.right)];
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return left === false || right === false ? false : left === undefined ? undefined : right;
    case ts.SyntaxKind.BarBarToken:
      return left === true || right === true ? true : left === undefined ? undefined : right;
    case ts.SyntaxKind.EqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
      return left === undefined || right === undefined ? undefined : left === right;
    case ts.SyntaxKind.ExclamationEqualsToken:
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
      return left === undefined || right === undefined ? undefined : left !== right;
    default:
      return undefined;
  }
}

/** A function that does nothing but answer the question. */
function decideCall(question: Question, node: TypeScript.CallExpression): boolean | undefined {
  const { ts, facts } = question;
  const [own, another] = facts.functions.get(node.expression.getText()) ?? [];
  if (!own?.body || another) return undefined;
  if (!ts.isBlock(own.body)) return decide(question, own.body);
  const [only, more] = own.body.statements;
  return only && !more && ts.isReturnStatement(only) && only.expression
    ? decide(question, only.expression)
    : undefined;
}

/** Is it the browser that says so? Where it may be of another window than the handler's own, that is noted. */
function isAnswer({ ts, facts, mode, note }: Question, node: TypeScript.PropertyAccessExpression): boolean {
  let root: TypeScript.Expression = node;
  for (;;) {
    const next = unwrapped(ts, root);
    if (
      ts.isPropertyAccessExpression(next) ||
      ts.isElementAccessExpression(next) ||
      ts.isCallExpression(next)
    )
      root = next.expression;
    else {
      root = next;
      break;
    }
  }
  if (!ts.isIdentifier(root)) return false;
  if (/^(browser|chrome)$/.test(facts.roles.get(root.text) ?? root.text)) return true;
  if (!facts.isWindow(root.text) || facts.unseen.has(root.text)) return false;
  if (isOfAnotherWindow({ ts, facts, mode, note }, root)) return false; // sound: test/languages/webextension/fixtures.test.ts
  if (!facts.parameters.has(root.text))
    note(node, `\`${node.getText()}\` is taken to be about the window whose data this is`);
  return facts.declared.has(root.text);
}

/**
 * An event brings a tab, and the question is asked of whatever window has the focus: `tabs.onUpdated` comes from any window. What is looked up
 * by what the event brought is that of the event.
 */
function isOfAnotherWindow(question: Question, name: TypeScript.Identifier): boolean {
  const { ts } = question;
  const listener = listenerAround(question, name);
  if (!listener || listener.parameters.length === 0) return false;
  const brought = new Set(listener.parameters.flatMap((each) => boundNames(ts, each.name)));
  const seen = new Set<string>();
  const isElsewhere = (each: string): boolean => {
    if (brought.has(each) || seen.has(each)) return false;
    seen.add(each);
    return originsOf(ts, listener, each).some((origin) => {
      const names = identifiersIn(ts, origin);
      if (names.some((inner) => brought.has(inner))) return false;
      return (
        LOOKS_AROUND.test(origin.getText()) || names.some((inner) => inner !== each && isElsewhere(inner))
      );
    });
  };
  const result = isElsewhere(name.text);
  if (result)
    question.note(name, `\`${name.text}\` is the window that has the focus, not the one whose data this is`);
  return result;
}

const LOOKS_AROUND = /\b(tabs\.(query|getCurrent|getSelected)|windows\.(getLastFocused|getCurrent|getAll))\b/;
/** The user is in the window that has the focus, or the event is of no window. */
const OF_FOCUS =
  /^(commands\.onCommand|(action|browserAction|pageAction)\.onClicked|alarms\.onAlarm|idle\.\w+|runtime\.on(Installed|Startup|Suspend))\.addListener$/;

/** The function that an event calls, around a node. */
function listenerAround(
  { ts, facts }: Question,
  node: TypeScript.Node,
): TypeScript.ArrowFunction | TypeScript.FunctionExpression | undefined {
  let found: TypeScript.ArrowFunction | TypeScript.FunctionExpression | undefined;
  for (let at = node.parent; at; at = at.parent) {
    if (!ts.isArrowFunction(at) && !ts.isFunctionExpression(at)) continue;
    if (!ts.isCallExpression(at.parent)) continue;
    const path = pathIn(ts, facts.roles, at.parent.expression);
    if (/(^|\.)on[A-Z]\w*\.addListener$/.test(path)) found = OF_FOCUS.test(path) ? undefined : at;
  }
  return found;
}

/** Where the values of a name come from: initialisers, and calls whose answer a function is given. */
function originsOf(ts: typeof TypeScript, scope: TypeScript.Node, name: string): TypeScript.Node[] {
  const origins: TypeScript.Node[] = [];
  const visit = (node: TypeScript.Node): void => {
    const isBound =
      (ts.isVariableDeclaration(node) || ts.isParameter(node)) && boundNames(ts, node.name).includes(name);
    if (isBound && ts.isVariableDeclaration(node)) {
      const loop = node.parent.parent;
      if (node.initializer) origins.push(node.initializer);
      else if (ts.isForOfStatement(loop)) origins.push(loop.expression);
    }
    if (isBound && ts.isParameter(node) && node.parent !== scope && ts.isCallExpression(node.parent.parent))
      origins.push(
        ...[
          node.parent.parent.expression,
          ...node.parent.parent.arguments.filter((each) => each !== node.parent),
        ],
      );
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return origins;
}

function identifiersIn(ts: typeof TypeScript, node: TypeScript.Node): string[] {
  const names: string[] = [];
  const visit = (at: TypeScript.Node): void => {
    const isName =
      ts.isIdentifier(at) && !(ts.isPropertyAccessExpression(at.parent) && at.parent.name === at);
    if (isName) names.push(at.text);
    ts.forEachChild(at, visit);
  };
  visit(node);
  return names;
}
