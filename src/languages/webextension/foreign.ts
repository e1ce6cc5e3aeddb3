/** Names that are neither declared in the component nor built into browsers. */
import type TypeScript from "typescript";
import { GLOBALS, HOLDERS } from "./apis.js";
import type { Declarations } from "./declarations.js";
import { pathIn } from "./names.js";

/** Names imported from packages, or assigned from code that is neither declared here nor the browser's. */
export function foreignIn(ts: typeof TypeScript, found: Declarations): Set<string> {
  const unseen = new Set(found.imported);
  const isForeign = (root: string): boolean =>
    unseen.has(root) ||
    (!found.declared.has(root) && !KNOWN.test(root) && !GLOBALS.has(root) && !HOLDERS.has(root));
  for (let size = -1; size < unseen.size;) {
    size = unseen.size;
    const of = [...found.values].flatMap(([name, all]) => all.map(({ node }) => [name, node] as const));
    const inside = [...found.parts].flatMap(([name, all]) => all.map((node) => [name, node] as const));
    for (const [name, node] of [...of, ...inside]) {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) continue;
      const [root = ""] = pathIn(ts, found.roles, node.expression).split(".");
      if (root !== "" && isForeign(root)) unseen.add(name); // sound: test/languages/webextension/flows.test.ts
    }
  }
  return unseen;
}

/** Globals of pages and extensions. */
export const KNOWN =
  /^(browser|chrome|window|self|globalThis|document|location|navigator|console|storage|runtime|tabs|windows|extension|localStorage|sessionStorage|indexedDB|fetch|caches|history|JSON|Math|Reflect|Intl|performance|crypto|undefined|this|screen|module|exports|arguments|super|)$/;
