/**
 * Facts about a component: functions, variables shared by its handlers, aliases of browser APIs, and flags for private
 * windows.
 *
 * Read `declarations.ts` first, which visits the scripts; `constants.ts`, `settings.ts`, `flags.ts` and `foreign.ts`
 * use its results.
 */
import type TypeScript from "typescript";
import { Answers } from "./answers.js";
import { HOLDERS } from "./apis.js";
import { constantsIn } from "./constants.js";
import { Declarations } from "./declarations.js";
import { flagsIn, type Flag } from "./flags.js";
import { foreignIn } from "./foreign.js";
import type { Component } from "./pages.js";
import { leavesPrivateOut } from "./other-windows.js";
import type { FunctionNode } from "./syntax.js";

export interface ComponentFacts {
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  readonly sharesVariables: boolean;
  /** By name, including methods; functions of the same name are alternatives. */
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  readonly variables: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** Variables with the result of a test for private windows, and their polarity. */
  readonly flags: ReadonlyMap<string, Flag>;
  /** Aliases of browser APIs, object stores and ports. */
  readonly roles: ReadonlyMap<string, string>;
  /** Names imported from packages, or assigned from unknown code. */
  readonly unseen: ReadonlySet<string>;
  readonly emitters: ReadonlySet<string>;
  /** A page of the extension: popup, sidebar, options. */
  readonly isPage: boolean;
  /** The options page, where users type only settings. */
  readonly isOptions: boolean;
  /** Constant strings and numbers, with their text. */
  readonly constants: ReadonlyMap<string, string>;
  /** Names that hold only data read from the extension's storage. */
  readonly settings: ReadonlySet<string>;
  /** Names of lists without data of private windows. */
  readonly normal: ReadonlySet<string>;
  /** Names of elements of a page of the extension. */
  readonly elements: ReadonlySet<string>;
  /** Names of text typed into a page of the extension. */
  readonly typed: ReadonlySet<string>;
  /** Names of elements that the component creates. */
  readonly made: ReadonlySet<string>;
  /** Names of lists, maps and elements that the component creates; their contents stay in them. */
  readonly held: ReadonlySet<string>;
  /** Names of built-in objects, lists and maps. */
  readonly plain: ReadonlySet<string>;
  /** Names of `new URL(…)`. */
  readonly urls: ReadonlySet<string>;
  /** Whether only data from the extension's storage is ticked in a page. */
  readonly ticksSettings: boolean;
  /** Whether only such data is filled in. */
  readonly fillsInSettings: boolean;
  /** Whether a form of the page is sent to an address. */
  readonly sendsForms: boolean;
  readonly showsOthers: boolean;
  /** Decides which values have an authentic `incognito`. */
  readonly answers: Answers;
}

export function factsOf(component: Component, ts: typeof TypeScript): ComponentFacts {
  const { name, scripts, sharesVariables } = component;
  const found = new Declarations(ts);
  scripts.forEach((script) => found.visit(script));
  const { functions, variables, roles, values } = found;
  found.joinAliases();
  const constants = constantsIn(ts, found);
  for (const constant of constants.keys()) variables.delete(constant);
  const unseen = foreignIn(ts, found);
  const answers = new Answers(ts, { scripts, functions, roles, declared: found.declared });
  const flags = flagsIn(ts, found, answers);
  for (const flag of flags.keys()) variables.delete(flag);
  found.dropDoubtfulRoles();
  const elements = found.only((node) =>
    /^document\.(querySelector|getElementById)\(\s*["'`][^"'`]*["'`]\s*\)$/.test(node.getText()),
  );
  for (const key of found.constantFunctions()) variables.delete(key);
  for (const role of roles.keys()) if (found.isDeclaredOnce(role)) variables.delete(role);
  return {
    name,
    scripts,
    sharesVariables,
    functions,
    variables,
    declared: found.declared,
    parameters: found.parameters,
    flags,
    roles,
    unseen,
    emitters: new Set(
      [...values].filter(([, all]) => all.every(({ node }) => isEmitter(ts, node))).map(([each]) => each),
    ),
    answers,
    isPage: component.isPage === true,
    isOptions: component.isPage === true && name.startsWith("Options"),
    constants,
    settings: found.settings.names(),
    normal: found.onlyRead(found.only((node) => leavesPrivateOut(ts, node, answers))),
    elements,
    typed: found.only(
      (node) =>
        ts.isPropertyAccessExpression(node) &&
        /^(value|checked|valueAsNumber)$/.test(node.name.text) &&
        (elements.has(node.expression.getText()) || ELEMENT.test(node.expression.getText())),
    ),
    made: found.only((node) => /^document\.createElement\(\s*["'`][^"'`]*["'`]\s*\)$/.test(node.getText())),
    held: found.only((node) => isHolder(ts, node)),
    plain: found.only(
      (node) =>
        ts.isArrayLiteralExpression(node) ||
        ts.isObjectLiteralExpression(node) ||
        (ts.isNewExpression(node) && HOLDERS.has(node.expression.getText())),
    ),
    urls: found.only((node) => ts.isNewExpression(node) && node.expression.getText() === "URL"),
    ticksSettings: found.settings.ticksSettings(),
    fillsInSettings: found.settings.fillsInSettings(),
    sendsForms: component.sendsForms === true,
    showsOthers: component.showsOthers === true,
  };
}

/** An element of a page, by id or selector, or as the target of an event. */
export const ELEMENT =
  /^(document\.(querySelector|getElementById)\(\s*["'`][^"'`]*["'`]\s*\)|(e|ev|evt|event)\.(target|currentTarget))$/;

/** `new Map()`, `[]`, an element of the page: not a persistent store. */
const isHolder = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isArrayLiteralExpression(node) ||
  (ts.isNewExpression(node) && HOLDERS.has(node.expression.getText())) ||
  /^(document\.|Array\.from\(|Object\.(keys|values|entries)\()/.test(node.getText());

const isEmitter = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isNewExpression(node) && /^(EventEmitter|EventTarget)$/.test(node.expression.getText());
