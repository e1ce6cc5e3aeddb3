/** XState machines as models: names of their actions, and positions of their problems. `../nodes/load.ts` does the rest. */
import type { SystemModel } from "../../code/system/index.js";
import type { Actions, Diagnostic, Sources, Span, Successors, Words } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** Names actions by events, as two versions of a machine share them; `cart: PAY` if there are several machines. */
export function machineActions({ steps, summary }: SystemModel): { readonly actions: Actions } {
  const isAlone = summary.nodes.length === 1;
  const known: { readonly name: string; readonly sources: readonly Span[] }[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (state: Words, at: number, choice: number): number => {
    const { action, participants, sources } = steps.describe(state, at, choice);
    const text = action.replace(/^timer /, "");
    const name = isAlone ? text : `${participants.join(", ")}: ${text}`;
    const key = `${sources.map(({ file, start }) => `${file}:${start}`).join()} ${name}`;
    const number = numbers.get(key) ?? known.push({ name, sources }) - 1;
    numbers.set(key, number);
    return number;
  };
  const successors = (state: Words, at: number, out: Successors): void => {
    const before = out.count;
    steps.successors(state, at, out);
    for (let i = before; i < out.count; i++) out.labels[i] = numberOf(state, at, i - before);
  };
  return {
    actions: {
      system: {
        width: steps.width,
        compareFrom: steps.compareFrom,
        labels: "actions",
        ...(steps.hasRoot === undefined ? {} : { hasRoot: steps.hasRoot }),
        initial: (out) => steps.initial(out),
        successors,
        status: (state, at) => steps.status(state, at),
      },
      nameOf: (action) => nth(known, action).name,
      sourcesOf: (action) => nth(known, action).sources,
    },
  };
}

/** Moves a problem that the code in the realm found to its position. */
export function machineProblem(problem: Diagnostic, sources: Sources): Diagnostic {
  if (problem.code === "code/no-system")
    return {
      ...problem,
      code: "machines/none",
      message: "the file exports no machine",
      hint: "export const checkout = createMachine({ … }), or export default defineMachines({ … })",
    };
  const found = /MachineProblem: (\{.*\})$/s.exec(problem.message);
  if (!found) return problem;
  const { code, about, message } = JSON.parse(nth(found, 1)) as Readonly<
    Record<"code" | "about" | "message", string>
  >;
  return { ...problem, code: `machines/${code}`, message, span: placeOf(about, problem.span.file, sources) };
}

/** The name in quotes, as a key, or as a word. */
function placeOf(name: string, file: string, sources: Sources): Span {
  const text = sources.text(file) ?? "";
  const word = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const [start] = [
    `(?<=["'\`])${word}(?=["'\`])`,
    `(?<![\\w$])${word}(?=\\s*:)`,
    `(?<![\\w$])${word}(?![\\w$])`,
  ]
    .map((pattern) => text.search(new RegExp(pattern)))
    .filter((found) => found >= 0);
  return start === undefined ? { file, start: 0, end: 0 } : { file, start, end: start + name.length };
}
