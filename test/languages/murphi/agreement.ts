/** Compares generated code with the interpreter: the same successors of every state, in the same order. */
import { compileRules } from "../../../src/compile/rules/index.js";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { Entry, Sources, Successors, type Words } from "../../../src/model/index.js";

/** Describes the first difference within `mostStates` states, if any. */
export function firstDisagreement(text: string, mostStates: number): string | undefined {
  const sources = new Sources();
  sources.add("m.m", text);
  // Fixtures for CMurphi's dialect only have its option in every expectation.
  const dialect = /^-- expect:/m.test(text) || !text.includes("--dialect cmurphi") ? "rumur" : "cmurphi";
  const { program, diagnostics } = loadMurphi({ file: "m.m", text, sources, dialect });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const { steps, system } = compileRules(program);
  const slow = new Successors(steps.width);
  const fast = new Successors(system.width);
  steps.initial(slow);
  const queue: Words[] = [slow.words.slice(0, steps.width)];
  const seen = new Set(queue.map((state) => state.join()));
  for (const state of queue) {
    slow.clear();
    fast.clear();
    steps.successors(state, 0, slow);
    system.successors(state, 0, fast);
    const [expected, got] = [entriesOf(slow), entriesOf(fast)];
    const at = expected.findIndex((entry, i) => entry !== got[i]);
    if (at >= 0 || expected.length !== got.length)
      return `${show(steps.snapshot(state, 0))} --${at >= 0 ? steps.describe(state, 0, at).action : "?"}--> ${expected.length} entries, ${got.length} by the code`;
    for (let i = 0; i < slow.count; i++) {
      const next = wordsOf(slow, i);
      if ((slow.flags[i]! & Entry.dead) !== 0 || seen.has(next.join()) || seen.size > mostStates) continue;
      seen.add(next.join());
      queue.push(next);
    }
  }
  return undefined;
}

const wordsOf = ({ words, stride }: Successors, entry: number): Words =>
  words.slice(entry * stride, (entry + 1) * stride);

const entriesOf = (list: Successors): string[] =>
  Array.from({ length: list.count }, (_, i) =>
    (list.flags[i]! & Entry.dead) !== 0 ? `dead ${list.flags[i]}` : wordsOf(list, i).join(),
  );

const show = (values: readonly { name: string; value: string }[]): string =>
  values.map(({ name, value }) => `${name} = ${value}`).join(", ");
