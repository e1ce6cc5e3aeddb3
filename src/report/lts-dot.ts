/** Draws a labelled transition system for Graphviz. */
import { TAU, type Lts } from "../model/index.js";

export function renderLtsDot({ states, initial, error, labels, firsts, actions, targets }: Lts): string {
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  const lines = ["digraph lts {", "  rankdir = LR;", "  node [shape = circle];"];
  for (const [index, state] of initial.entries())
    lines.push(`  start${index} [shape = point];`, `  start${index} -> ${state};`);
  for (let s = 0; s < states; s++) {
    lines.push(s === error ? `  ${s} [label = "error", shape = doublecircle];` : `  ${s};`);
    for (let t = firsts[s]; t < firsts[s + 1]; t++) {
      const label = actions[t] === TAU ? "τ" : labels[actions[t]];
      lines.push(`  ${s} -> ${targets[t]} [label = ${quoted(label)}];`);
    }
  }
  return `${lines.join("\n")}\n}\n`;
}
