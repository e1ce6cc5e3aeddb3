/**
 * Multisets at the end of a step: their elements fill the first positions, in a fixed order, so that equal bags are equal words.
 * An absent element is all zeros. Bags inside bags come first.
 */
import type { Column, LayoutNode, RuleLayout } from "../layout.js";
import { emitColumnCode, emitColumnPut } from "./cells.js";
import { leafNumber } from "./places.js";
import { FunctionText, block, indent, type Scope } from "./scope.js";

export const hasBags = ({ variables }: RuleLayout): boolean =>
  variables.some((node) => [...bagsIn(node, [])].length > 0);

/** `sortBags(w, o)`. */
export function emitSortBags({ variables }: RuleLayout): string {
  const bags = variables.flatMap((node) => [...bagsIn(node, [])]);
  const functions = bags.map(({ node }, i) => emitSort(node, `sortBag_${i}`));
  const calls = bags.map(({ dimensions }, i) => {
    const names = dimensions.map((_, d) => `i${d}`);
    const loops = dimensions.map((length, d) => `for (let i${d} = 0; i${d} < ${length}; i${d}++)`);
    return `${loops.join(" ")} sortBag_${i}(${["w", "o", ...names].join(", ")});`;
  });
  const room = Math.max(...bags.map(({ node }) => node.length * (node.element.leafCount + 1)));
  return `// An element a number, or several.
const bag = new Int32Array(${room});
${SORT}\n${functions.join("\n")}\n${block("function sortBags(w, o)", calls.join("\n"))}`;
}

type Bag = LayoutNode & { kind: "multiset" };

function* bagsIn(
  node: LayoutNode,
  dimensions: readonly number[],
): Generator<{ readonly node: Bag; readonly dimensions: readonly number[] }> {
  switch (node.kind) {
    case "simple":
      break;
    case "record":
      for (const field of node.fields) yield* bagsIn(field, dimensions);
      break;
    case "array":
      yield* bagsIn(node.element, [...dimensions, node.length]);
      break;
    case "multiset":
      yield* bagsIn(node.element, [...dimensions, node.length]);
      yield { node, dimensions };
  }
}

function emitSort(bag: Bag, name: string): string {
  const { column } = bag.presence;
  const enclosing = column.dimensions.slice(0, -1).map((_, d) => `i${d}`);
  const head = `function ${name}(${["w", "o", ...enclosing].join(", ")})`;
  const parts = bag.element.leafCount + 1;
  // sound: test/compile/rules/conditions.test.ts
  if (column.stride === 1) {
    const first = leafNumber({
      kind: "state",
      node: bag.presence,
      type: bag.presence.type,
      indices: [...enclosing, 0],
    });
    return block(head, `sortByLeaves(w, o, ${first}, ${bag.length}, ${parts});`);
  }
  // The whole element is one number, the presence bit lowest.
  const whole: Column = { ...column, bits: column.stride };
  const text = new FunctionText();
  const scope: Scope = { text, array: "w", base: "o", bindings: new Map(), body: { kind: "condition" } };
  // Numbers of 32 bits are ordered as unsigned ones.
  const flip = column.stride === 32 ? " ^ -2147483648" : ""; // sound: test/compile/rules/conditions.test.ts
  const read = emitColumnCode(whole, [...enclosing, "i"], scope) + flip;
  const write = emitColumnPut(whole, [...enclosing, "i"], `bag[i]${flip}`, scope);
  // sound: test/compile/rules/conditions.test.ts
  return block(
    head,
    `${text.declarations()}
let isSorted = true;
for (let i = 0; i < ${bag.length}; i++) {
  bag[i] = ${read};
  if (i > 0 && bag[i] > bag[i - 1]) isSorted = false;
}
if (isSorted) return;
sortBag(${bag.length});
for (let i = 0; i < ${bag.length}; i++) {
${indent(write)}
}`,
  );
}

// sound: test/compile/rules/conditions.test.ts
const SORT = `
/** The first numbers in \`bag\`, the greatest first. */
function sortBag(length) {
  for (let i = 1; i < length; i++) {
    const key = bag[i];
    let j = i;
    for (; j > 0 && bag[j - 1] < key; j--) bag[j] = bag[j - 1];
    bag[j] = key;
  }
}
/** Elements of several parts, as leaves one after another: compared part by part, the greatest first. */
function sortByLeaves(w, o, first, length, parts) {
  for (let e = 0; e < length; e++) {
    // The elements before this one are in order; \`at\` is where it goes.
    let at = e;
    for (; at > 0; at--) {
      let p = 0;
      while (p < parts && leafCode(w, o, 0, first + e * parts + p) === bag[(at - 1) * parts + p]) p++;
      if (p === parts || leafCode(w, o, 0, first + e * parts + p) < bag[(at - 1) * parts + p]) break;
      for (let q = 0; q < parts; q++) bag[at * parts + q] = bag[(at - 1) * parts + q];
    }
    for (let p = 0; p < parts; p++) bag[at * parts + p] = leafCode(w, o, 0, first + e * parts + p);
  }
  for (let i = 0; i < length * parts; i++) putLeaf(w, o, first + i, LM[first + i], bag[i]);
}`;
