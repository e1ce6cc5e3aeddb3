import type TypeScript from "typescript";
import { nth } from "../../model/known.js";
import { ANY_TOPIC, effectOf, KEEPS_NOTHING, PAGE, RUNTIME, TABS } from "./apis.js";
import type { ComponentFacts } from "./component.js";
import { pathIn } from "./names.js";
import { isFunction, type FunctionNode } from "./syntax.js";

export interface Handler {
  /** The topic that triggers it; undefined: none. */
  readonly topic: string | undefined;
  /** Boxes from which its arguments may come. */
  readonly boxes: readonly string[];
  /** It may run without received data: by a message without content, or from outside. */
  readonly isTriggered: boolean;
  readonly node: TypeScript.Node;
  readonly functions: readonly FunctionNode[];
}

/** Functions called on events, in any script. */
export function handlersOf(facts: ComponentFacts, ts: typeof TypeScript): Handler[] {
  const handlers: Handler[] = [];
  const add = (
    node: TypeScript.Node,
    topic: string | undefined,
    candidates: readonly TypeScript.Node[],
    boxes: readonly string[] = [],
  ): void => {
    const functions = candidates.flatMap((each) => functionsIn(facts, ts, each));
    if (functions.length > 0) handlers.push({ topic, boxes, node, functions, isTriggered: true });
  };
  const posted = new Set<string>();
  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node)) {
      const effect = effectOf(pathIn(ts, facts.roles, node.expression), topicOf(ts, node));
      if (effect?.kind === "listen") add(node, effect.topic, node.arguments);
      if (effect?.kind === "event")
        add(node, undefined, node.arguments, [TABS, ...(effect.box === undefined ? [] : [effect.box])]); // sound: test/languages/webextension/flows.test.ts
      if (effect?.kind === "post") for (const topic of effect.topics) posted.add(topic);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const name = ts.isPropertyAccessExpression(node.left) ? node.left.name.text : node.left.getText();
      if (/^on[a-z]+$/.test(name)) add(node, name === "onmessage" ? "page" : undefined, [node.right]);
    }
    ts.forEachChild(node, visit);
  };
  facts.scripts.forEach(visit);
  // Only the component posts to an emitter that it created.
  const isSilent = ({ topic, node }: Handler): boolean =>
    topic !== undefined &&
    topic !== RUNTIME &&
    topic !== PAGE &&
    !posted.has(topic) &&
    !posted.has(ANY_TOPIC) &&
    facts.emitters.has(
      nth(pathIn(ts, facts.roles, (node as TypeScript.CallExpression).expression).split("."), 0),
    );
  return handlers.map((handler) => ({ ...handler, isTriggered: !isSilent(handler) }));
}

export function topicOf(
  ts: typeof TypeScript,
  { arguments: [first] }: TypeScript.CallExpression,
): string | undefined {
  return first && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** The function itself, or the functions of this name. */
export function functionsIn(
  facts: ComponentFacts,
  ts: typeof TypeScript,
  node: TypeScript.Node,
): readonly FunctionNode[] {
  if (isFunction(ts, node)) return [node];
  if (ts.isIdentifier(node)) return facts.functions.get(node.text) ?? [];
  if (ts.isPropertyAccessExpression(node)) return facts.functions.get(node.name.text) ?? [];
  return [];
}

/** Whether the user triggers it through the extension: in its pages, by its button or keys. */
export function isOfUser(facts: ComponentFacts, ts: typeof TypeScript, node: TypeScript.Node): boolean {
  if (!ts.isCallExpression(node)) {
    const left = ts.isBinaryExpression(node) ? node.left.getText() : "";
    return facts.isPage && /(^|\.)on(click|change|input|submit)$/.test(left); // sound: test/languages/webextension/flows.test.ts
  }
  const path = pathIn(ts, facts.roles, node.expression);
  if (/(^|\.)addEventListener$/.test(path))
    return facts.isPage && /^(click|change|input|submit|keydown|keyup)$/.test(topicOf(ts, node) ?? ""); // sound: test/languages/webextension/flows.test.ts
  return /^((browserAction|pageAction|action)\.onClicked|commands\.onCommand)\.addListener$/.test(path); // sound: test/languages/webextension/flows.test.ts
}

/**
 * Whether the event belongs to no window and the handler asks for none: `runtime.onInstalled`, an alarm. Any data it
 * reads comes from other handlers.
 */
export function isOfNoWindow(
  facts: ComponentFacts,
  ts: typeof TypeScript,
  node: TypeScript.Node,
  functions: readonly FunctionNode[],
): boolean {
  if (!facts.sharesVariables || facts.isPage || !ts.isCallExpression(node)) return false;
  if (!OF_NO_WINDOW.test(pathIn(ts, facts.roles, node.expression))) return false; // sound: test/languages/webextension/flows.test.ts
  const isFine = (at: TypeScript.Node): boolean => {
    if (ts.isNewExpression(at) || ts.isTaggedTemplateExpression(at)) return false;
    if (ts.isIdentifier(at) && facts.functions.has(at.text)) return false; // sound: test/languages/webextension/flows.test.ts
    if (ts.isCallExpression(at) && !asksForNoWindow(pathIn(ts, facts.roles, at.expression), facts))
      return false; // sound: test/languages/webextension/flows.test.ts
    return ts.forEachChild(at, (child) => (isFine(child) ? undefined : true)) === undefined;
  };
  return functions.every((each) => each.body !== undefined && isFine(each.body));
}

/** The history has no visits in private windows. */
const OF_NO_WINDOW =
  /^(runtime\.on(Installed|Startup|Suspend|UpdateAvailable)|alarms\.onAlarm|idle\.onStateChanged|history\.on\w+)\.addListener$/;

function asksForNoWindow(path: string, facts: ComponentFacts): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const [root = ""] = path.split(".");
  if (facts.functions.has(name)) return false;
  if (
    /^(storage|history|alarms|action|browserAction|menus|contextMenus|i18n|JSON|Math|Object|Array|Number|String|console)$/.test(
      root,
    )
  )
    return true;
  if (/^(fetch|Date\.now|Boolean|Number|String|runtime\.(getURL|getManifest|openOptionsPage))$/.test(path))
    return true;
  return (
    !facts.unseen.has(root) && path.includes(".") && KEEPS_NOTHING.has(name) && !/^(tabs|windows)$/.test(root)
  );
}
