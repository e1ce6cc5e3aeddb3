/** A derivation for a terminal: a tree, the last step at the top, premises indented below their conclusion. */
import { isOfTuples, rootsOf, type DerivationStep, type Evidence, type TupleStep } from "../model/index.js";
import { visible } from "./diagnostics.js";
import { counted } from "./figures.js";
import { renderPosition, type TraceStyle } from "./trace-text.js";
import { clip } from "./wrap.js";
import { nth } from "../model/known.js";

export function derivationLines(derivation: Evidence, style: TraceStyle): string[] {
  const { steps } = derivation;
  const { colors, width } = style;
  const lines = [`${colors.bold("Derivation")}  ${counted(steps.length, "step")}, the last one first`];
  const printed = new Set<number>();
  const waiting: { readonly number: number; readonly depth: number }[] = rootsOf(derivation)
    .map((number) => ({ number, depth: 0 }))
    .reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (lines.length > LONGEST) {
      lines.push(colors.dim("  … and more: --json has all of it"));
      break;
    }
    const { number, depth } = next;
    const { rule, premises } = nth<TupleStep | DerivationStep>(steps, number);
    const again = printed.has(number) ? " (as above)" : "";
    const indent = "  ".repeat(1 + Math.min(depth, DEEPEST));
    const text = `${number + 1}: ${renderConclusion(derivation, number)}${again}`;
    const place = `${visible(rule.name)}  ${renderPosition(rule.span, style)}`;
    lines.push(`${indent}${clip(visible(text), width - indent.length - 2)}  ${colors.dim(place)}`);
    if (printed.has(number)) continue;
    printed.add(number);
    for (const premise of premises.toReversed()) waiting.push({ number: premise, depth: depth + 1 });
  }
  return lines;
}

/** A tuple, or `p = 1, q = 2`: the non-zero entries of a vector. */
export function renderConclusion(derivation: Evidence, number: number): string {
  if (isOfTuples(derivation)) return nth(derivation.steps, number).tuple;
  const { places, steps } = derivation;
  const parts = nth(steps, number).vector.flatMap((value, k) =>
    value === 0 ? [] : [`${nth(places, k)} = ${value}`],
  );
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

const LONGEST = 60;
/** Deeper steps are not indented further: a line must have room for its vector. */
const DEEPEST = 16;
