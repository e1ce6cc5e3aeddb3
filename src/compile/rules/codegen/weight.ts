/** Estimates the size of code in nodes: decides between writing out each value and a loop. */
import { NO_SITE, type Iteration, type PathStep } from "../../../model/rules.js";

/** Limits on rounds and nodes up to which loops and quantifiers are written out. */
const MOST_ROUNDS = 9;
const MOST_NODES = 400;

export const isWrittenOut = (over: Iteration, body: unknown): over is Iteration & { kind: "values" } =>
  over.kind === "values" &&
  over.high - over.low < MOST_ROUNDS &&
  (over.high - over.low + 1) * weight(body) <= MOST_NODES;

/** Types and positions weigh nothing. */
export function weight(node: unknown): number {
  return typeof node === "object" && node !== null ? weightOf(node) : 0;
}

const weightOf = askedOnce((node: object): number => {
  if (Array.isArray(node)) return node.reduce((sum: number, item) => sum + weight(item), 0);
  let total = "kind" in node ? 1 : 0;
  for (const [key, value] of Object.entries(node)) if (!WEIGHTLESS.has(key)) total += weight(value);
  const rounds = roundsOf(node);
  return rounds === undefined ? total : total * rounds;
});

const WEIGHTLESS = new Set(["type", "span", "array", "multiset", "slots"]);

function roundsOf(node: object): number | undefined {
  if (!("over" in node) || !("body" in node)) return undefined;
  const over = node.over as Iteration;
  return isWrittenOut(over, node.body) ? over.high - over.low + 1 : undefined;
}

/** Everything below a node that is an expression, place or statement, itself first. */
export function* within(node: unknown): Generator<object> {
  if (Array.isArray(node)) for (const item of node) yield* within(item);
  else if (typeof node === "object" && node !== null) {
    yield node;
    for (const [key, value] of Object.entries(node))
      if (key !== "type" && key !== "span" && key !== "array") yield* within(value);
  }
}

/** Is a procedure called in it, which may change what the code around it reads or writes? */
export const hasCall = askedOnce((node: object): boolean => {
  for (const part of within(node)) if ("procedure" in part) return true; // sound: test/compile/rules/conditions.test.ts
  return false;
});

/** Can evaluating it be a fault? Indices that stay inside their array cannot. */
export const mayFail = askedOnce((node: object): boolean => {
  for (const part of within(node)) {
    if ("procedure" in part) return true; // sound: test/compile/rules/conditions.test.ts
    if (!("site" in part) || part.site === NO_SITE) continue; // sound: test/compile/rules/conditions.test.ts
    const { kind, index, array } = part as PathStep & { kind: "index" };
    // sound: test/compile/rules/conditions.test.ts
    if (kind !== "index" || index.type.low < array.index.low || index.type.high > array.index.high)
      return true;
  }
  return false;
});

/** Code is written once for each instance of a rule, and asks the same of a node each time. */
export function askedOnce<Node extends object, Answer>(ask: (node: Node) => Answer): (node: Node) => Answer {
  const answers = new WeakMap<Node, { readonly answer: Answer }>();
  return (node) => {
    const known = answers.get(node) ?? { answer: ask(node) };
    answers.set(node, known);
    return known.answer;
  };
}
