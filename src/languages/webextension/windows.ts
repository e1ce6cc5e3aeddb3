/** Conditions about private windows: what they come to in one of them. All others may go either way. */
import type TypeScript from "typescript";
import type { ComponentFacts } from "./component.js";
import { isAnswer } from "./flags.js";
import { boundNames, pathIn } from "./names.js";
import { isAsync, isFunction, isPrivateName, unwrapped, type FunctionNode } from "./syntax.js";

export type Mode = "Norm" | "Priv";

export interface Question {
  readonly ts: typeof TypeScript;
  readonly facts: ComponentFacts;
  readonly mode: Mode;
  /** Do pages of the extension send messages? */
  readonly pagesSend: boolean;
  /** Is anybody answered with tabs of all windows? */
  readonly seesOthers: boolean;
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
    return isAnswered(question, inner) && !mayBeOfAny(question) ? mode === "Priv" : undefined; // sound: test/languages/webextension/windows.test.ts
  }
  // A script in a tab has sent it, if no page of the extension sends any.
  if (ts.isPropertyAccessExpression(inner) && !question.pagesSend && facts.answers.isSendersTab(inner))
    return true;
  if (ts.isIdentifier(inner)) {
    const flag = facts.flags.get(inner.text);
    if (!flag || mayBeOfAny(question) || isOfAnotherWindow(question, inner)) return undefined; // sound: test/languages/webextension/windows.test.ts
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

/** A page that is there for all windows: what a normal one does may be about tabs of private ones, if it is answered with any. */
const mayBeOfAny = ({ facts, mode, seesOthers }: Question): boolean =>
  seesOthers && mode === "Norm" && facts.sharesVariables; // sound: test/languages/webextension/windows.test.ts

function isAwaited(ts: typeof TypeScript, { parent }: TypeScript.Node): boolean {
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent)) return isAwaited(ts, parent);
  return ts.isAwaitExpression(parent);
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
  // What is not awaited is a promise, and true.
  if (own && (own.asteriskToken || (isAsync(ts, own) && !isAwaited(ts, node)))) return undefined; // sound: test/languages/webextension/windows.test.ts
  if (!own?.body || another || isOfAnotherWindow(question, node)) return undefined; // sound: test/languages/webextension/windows.test.ts
  if (!ts.isBlock(own.body)) return decide(question, own.body);
  const [only, more] = own.body.statements;
  return only && !more && ts.isReturnStatement(only) && only.expression
    ? decide(question, only.expression)
    : undefined;
}

/** Is it the browser that says so? Where it may be of another window than the handler's own, that is noted. */
function isAnswered(question: Question, node: TypeScript.PropertyAccessExpression): boolean {
  const { ts, facts, note } = question;
  if (!isAnswer(ts, node, facts.roles, facts.answers)) return false;
  if (node.name.text === "inIncognitoContext") return true;
  if (isOfAnotherWindow(question, node.expression)) return false; // sound: test/languages/webextension/windows.test.ts
  // Messages of the extension's own pages have no tab: the question is answered with nothing then.
  if (node.questionDotToken && question.pagesSend && facts.answers.isSendersTab(node.expression))
    return false; // sound: test/languages/webextension/windows.test.ts
  const [root = ""] = identifiersIn(ts, node);
  if (!facts.parameters.has(root) && !/^(browser|chrome)$/.test(root))
    note(node, `\`${node.getText()}\` is taken to be about the window whose data this is`);
  return true;
}

/**
 * An event brings a tab, and the question is asked of whatever window has the focus: `tabs.onUpdated` comes from any window. What is looked up
 * by what the event brought is that of the event.
 */
function isOfAnotherWindow(question: Question, asked: TypeScript.Expression): boolean {
  const { ts } = question;
  const listener = listenerAround(question, asked);
  if (!listener || listener.parameters.length === 0) return false;
  const brought = new Set(listener.parameters.flatMap((each) => boundNames(ts, each.name)));
  const seen = new Set<string>();
  const isOfEvent = (each: string, met = new Set<string>()): boolean => {
    if (brought.has(each)) return true;
    if (met.has(each)) return false;
    met.add(each);
    return originsOf(ts, listener, each).some((origin) =>
      identifiersIn(ts, origin).some((inner) => isOfEvent(inner, met)),
    );
  };
  const looksElsewhere = (node: TypeScript.Node, names: readonly string[]): boolean =>
    looksAround(question, node, LOOKS_AROUND) ||
    (!names.some((each) => isOfEvent(each)) && looksAround(question, node, LOOKS_UP)); // sound: test/languages/webextension/windows.test.ts
  const isElsewhere = (each: string): boolean => {
    if (brought.has(each) || seen.has(each)) return false;
    seen.add(each);
    return originsOf(ts, listener, each).some((origin) => {
      const names = identifiersIn(ts, origin);
      if (names.some((inner) => brought.has(inner))) return false;
      return looksElsewhere(origin, names) || names.some((inner) => inner !== each && isElsewhere(inner));
    });
  };
  const inside = identifiersIn(ts, asked);
  const result =
    !inside.some((each) => brought.has(each)) &&
    (looksElsewhere(asked, inside) || inside.some((each) => isElsewhere(each)));
  if (result)
    question.note(
      asked,
      `\`${asked.getText()}\` is the window that has the focus, not the one whose data this is`,
    );
  return result;
}

const LOOKS_AROUND = /\b(tabs\.(query|getCurrent|getSelected)|windows\.(getLastFocused|getCurrent|getAll))\b/;

/** By a number that may be that of any tab. */
const LOOKS_UP = /\b(tabs|windows)\.get\s*\(/;

/** Also by a function of ours. */
function looksAround(
  { ts, facts }: Question,
  node: TypeScript.Node,
  how: RegExp,
  seen = new Set<TypeScript.Node>(),
): boolean {
  if (how.test(node.getText())) return true;
  return identifiersIn(ts, node).some((name) =>
    (facts.functions.get(name) ?? []).some((own) => {
      if (seen.has(own) || !own.body) return false;
      seen.add(own);
      return looksAround({ ts, facts } as Question, own.body, how, seen);
    }),
  ); // sound: test/languages/webextension/windows.test.ts
}

/** The user is in the window that has the focus, or the event is of no window. */
const OF_FOCUS =
  /^(commands\.onCommand|(action|browserAction|pageAction)\.onClicked|alarms\.onAlarm|idle\.\w+|runtime\.on(Installed|Startup|Suspend))\.addListener$/;

/** The function that something else than the focus calls, around a node: a listener, or one that is given something. */
function listenerAround({ ts, facts }: Question, node: TypeScript.Node): FunctionNode | undefined {
  let found: FunctionNode | undefined;
  for (let at = node.parent; at; at = at.parent) {
    if (!ts.isFunctionLike(at) || !("body" in at)) continue;
    const call = at.parent;
    const path =
      ts.isCallExpression(call) && isFunction(ts, at) ? pathIn(ts, facts.roles, call.expression) : undefined;
    if (path !== undefined && OF_FOCUS.test(path)) found = undefined;
    else if (path === undefined || /\.(addListener|addEventListener)$/.test(path)) {
      if (at.parameters.length > 0) found = at as FunctionNode; // sound: test/languages/webextension/windows.test.ts
    }
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
