/**
 * What is known of a component: its functions, the variables its handlers share, names that stand for interfaces, and flags that tell private
 * windows apart.
 *
 * Read `declarations.ts` first, which visits the scripts; `constants.ts`, `settings.ts`, `flags.ts` and `foreign.ts` work on what it found.
 */
import type TypeScript from "typescript";
import { Answers } from "./answers.js";
import { HOLDERS } from "./apis.js";
import { constantsIn } from "./constants.js";
import { Declarations } from "./declarations.js";
import { flagsIn, type Flag } from "./flags.js";
import { foreignIn } from "./foreign.js";
import type { Component } from "./manifest.js";
import { leavesPrivateOut } from "./other-windows.js";
import type { FunctionNode } from "./syntax.js";

export interface ComponentFacts {
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  readonly sharesVariables: boolean;
  /** By name, methods too; two of one name are both possible. */
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  /** Variables outside of functions: what is put into them can be read by every handler. */
  readonly variables: ReadonlySet<string>;
  /** Everything that is declared somewhere: variables, parameters, functions, classes, imports. */
  readonly declared: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** Variables that say whether the window is private: true when they are true there. */
  readonly flags: ReadonlyMap<string, Flag>;
  /** Names that stand for an interface of the browser's, an object store, or a port. */
  readonly roles: ReadonlyMap<string, string>;
  /** Names imported from packages, or made by what is not seen. */
  readonly unseen: ReadonlySet<string>;
  /** Emitters that the component made itself. */
  readonly emitters: ReadonlySet<string>;
  /** A page of the extension: a popup, a sidebar, options. */
  readonly isPage: boolean;
  /** The page of its options, where nothing but settings is typed. */
  readonly isOptions: boolean;
  /** Names of texts and numbers that never change, with what is written there. */
  readonly constants: ReadonlyMap<string, string>;
  /** Names of what was read from the extension's own storage, and of nothing else. */
  readonly settings: ReadonlySet<string>;
  /** Names of lists that nothing of private windows is in. */
  readonly normal: ReadonlySet<string>;
  /** Names of elements of a page of the extension. */
  readonly elements: ReadonlySet<string>;
  /** Names of what is typed into elements of a page of the extension. */
  readonly typed: ReadonlySet<string>;
  /** Names of elements that the component makes. */
  readonly made: ReadonlySet<string>;
  /** Names of lists, maps and elements that the component makes itself: what is put into them stays there. */
  readonly held: ReadonlySet<string>;
  /** Names of objects, lists and maps of the language's own. */
  readonly plain: ReadonlySet<string>;
  /** Names of addresses in pieces: `new URL(…)`. */
  readonly urls: ReadonlySet<string>;
  /** Is nothing ticked in a page but what was read from the extension's own storage? */
  readonly ticksSettings: boolean;
  /** And nothing else filled in? */
  readonly fillsInSettings: boolean;
  /** A form of the page is sent to an address. */
  readonly sendsForms: boolean;
  /** There is something of another host in the page. */
  readonly showsOthers: boolean;
  /** What has an `incognito` that is the browser's own answer. */
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

/** An element of a page, by its name or as the target of an event. */
export const ELEMENT =
  /^(document\.(querySelector|getElementById)\(\s*["'`][^"'`]*["'`]\s*\)|(e|ev|evt|event)\.(target|currentTarget))$/;

/** `new Map()`, `[]`, an element of the page: no store of anybody's. */
const isHolder = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isArrayLiteralExpression(node) ||
  (ts.isNewExpression(node) && HOLDERS.has(node.expression.getText())) ||
  /^(document\.|Array\.from\(|Object\.(keys|values|entries)\()/.test(node.getText());

const isEmitter = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isNewExpression(node) && /^(EventEmitter|EventTarget)$/.test(node.expression.getText());
