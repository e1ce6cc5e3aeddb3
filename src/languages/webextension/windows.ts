/** Conditions about private windows: what they come to in one of them. All others may go either way. */
import type TypeScript from "typescript";
import { isPrivateName, unwrapped, type ComponentFacts } from "./component.js";

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
    if (!flag) return undefined;
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
function isAnswer({ ts, facts, note }: Question, node: TypeScript.PropertyAccessExpression): boolean {
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
  if (!facts.parameters.has(root.text))
    note(node, `\`${node.getText()}\` is taken to be about the window whose data this is`);
  return facts.declared.has(root.text);
}
