/** Evaluates conditions about private windows; all others are undecided. */
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
  readonly pagesSend: boolean;
  /** Whether a call returns tabs of all windows. */
  readonly seesOthers: boolean;
  note(node: TypeScript.Node, message: string): void;
}

/** Undefined if the condition also depends on other facts. */
export function decide(question: Question, node: TypeScript.Expression): boolean | undefined {
  const { ts, facts, mode } = question;
  const inner = unwrapped(ts, node);
  if (ts.isPropertyAccessExpression(inner) && isPrivateName(inner.name.text)) {
    // A page shared by all windows is never in a private one.
    if (inner.name.text === "inIncognitoContext" && facts.sharesVariables) {
      question.note(inner, "always false here, even for private windows: they all share the page");
      return false;
    }
    return isAnswered(question, inner) && !mayBeOfAny(question) ? mode === "Priv" : undefined; // sound: test/languages/webextension/windows.test.ts
  }
  // If no page of the extension sends messages, a script in a tab did.
  if (ts.isPropertyAccessExpression(inner) && !question.pagesSend && facts.answers.isSendersTab(inner))
    return true;
  if (ts.isIdentifier(inner)) {
    const flag = facts.flags.get(inner.text);
    if (!flag || mayBeOfAny(question) || isOfAnotherWindow(question, inner)) return undefined; // sound: test/languages/webextension/windows.test.ts
    if (flag.isKept)
      question.note(inner, `\`${inner.text}\` is assumed to describe the current window at any time`);
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

/** A page shared by all windows: its normal principal may handle private tabs, if a call returns them. */
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

/** Evaluates a call of a function whose body is a single `return`. */
function decideCall(question: Question, node: TypeScript.CallExpression): boolean | undefined {
  const { ts, facts } = question;
  const [own, another] = facts.functions.get(node.expression.getText()) ?? [];
  // Without `await` the value is a promise, and truthy.
  if (own && (own.asteriskToken || (isAsync(ts, own) && !isAwaited(ts, node)))) return undefined; // sound: test/languages/webextension/windows.test.ts
  if (!own?.body || another || isOfAnotherWindow(question, node)) return undefined; // sound: test/languages/webextension/windows.test.ts
  if (!ts.isBlock(own.body)) return decide(question, own.body);
  const [only, more] = own.body.statements;
  return only && !more && ts.isReturnStatement(only) && only.expression
    ? decide(question, only.expression)
    : undefined;
}

/** Whether the value is authentic for the window of the handler; notes assumptions about the window. */
function isAnswered(question: Question, node: TypeScript.PropertyAccessExpression): boolean {
  const { ts, facts, note } = question;
  if (!isAnswer(ts, node, facts.roles, facts.answers)) return false;
  if (node.name.text === "inIncognitoContext") return true;
  if (isOfAnotherWindow(question, node.expression)) return false; // sound: test/languages/webextension/windows.test.ts
  // Messages from pages of the extension have no tab: the condition is then undefined.
  if (node.questionDotToken && question.pagesSend && facts.answers.isSendersTab(node.expression))
    return false; // sound: test/languages/webextension/windows.test.ts
  const [root = ""] = identifiersIn(ts, node);
  if (!facts.parameters.has(root) && !/^(browser|chrome)$/.test(root))
    note(node, `\`${node.getText()}\` is assumed to describe the window that the data comes from`);
  return true;
}

/**
 * Whether the condition is about the focused window although the event passes a tab: `tabs.onUpdated` comes from any
 * window. Values looked up by arguments of the event belong to the event.
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

/** Lookup by an id that may belong to any tab. */
const LOOKS_UP = /\b(tabs|windows)\.get\s*\(/;

/** Includes functions of the component. */
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

/** The user is in the focused window, or the event belongs to no window. */
const OF_FOCUS =
  /^(commands\.onCommand|(action|browserAction|pageAction)\.onClicked|alarms\.onAlarm|idle\.\w+|runtime\.on(Installed|Startup|Suspend))\.addListener$/;

/** The enclosing function with parameters that is not called for the focused window: a listener or a named function. */
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

/** Sources of a name's values: initialisers, and calls whose result a callback receives. */
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
