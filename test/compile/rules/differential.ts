/** Generated code, as JavaScript and as WebAssembly, against the interpreter, entry by entry, over all common states. */
import { generateRules, type RuleSystem } from "../../../src/compile/rules/codegen/index.js";
import { choices } from "../../../src/compile/rules/codegen/rules.js";
import { Discarded, interpretRules, RuleFault } from "../../../src/compile/rules/interpreter/index.js";
import { layOutRules } from "../../../src/compile/rules/layout.js";
import { StepBackend } from "../../../src/engines/explicit/step-backend.js";
import { loadMurphi, type MurphiInput } from "../../../src/languages/murphi/index.js";
import { Entry, Sources, Successors, type Words } from "../../../src/model/index.js";
import type { RuleProgram } from "../../../src/model/rules.js";
import type { Symmetry } from "../../../src/model/symmetry.js";
import { NotStepCode, StepMemory } from "../../../src/step/index.js";

/** The program of a valid text. */
export function programOf(
  text: string,
  defines: Readonly<Record<string, string>> = {},
  options: Pick<MurphiInput, "dialect" | "deadlock"> = {},
): RuleProgram {
  const sources = new Sources();
  sources.add("model.m", text);
  const { program, diagnostics } = loadMurphi({
    file: "model.m",
    text,
    sources,
    ...options,
    defines: Object.entries(defines).map(([name, value]) => ({ name, value })),
  });
  if (!program) throw new Error(`${diagnostics.map((d) => `${d.code}: ${d.message}`).join("\n")}\n${text}`);
  return program;
}

export function systemOf(program: RuleProgram, symmetry?: Symmetry): RuleSystem {
  return generateRules(program, layOutRules(program), {
    reached: new Uint8Array(program.rules.length),
    fired: new Float64Array(program.rules.length),
    covered: new Uint8Array(program.covers.length),
    symmetry,
  });
}

export interface Explored {
  /** All but the root. */
  readonly states: readonly Words[];
  /** Steps taken, without failed ones. */
  readonly steps: number;
  /** Sites of the faults met. */
  readonly faults: ReadonlySet<number>;
  /** By state: which invariants do not hold. */
  readonly broken: ReadonlySet<number>;
  readonly isWhole: boolean;
}

export function explore(program: RuleProgram, system: RuleSystem, limit = Infinity): Explored {
  const out = new Successors(system.width);
  system.initial(out);
  const queue: Words[] = [out.words.slice(0, system.width)];
  const seen = new Set<string>();
  const [faults, broken] = [new Set<number>(), new Set<number>()];
  let steps = 0;
  for (const state of queue) {
    if (seen.size > limit) break;
    for (const { words, flags } of entries(system, state, out)) {
      if (flags >> Entry.faultShift > 0) faults.add((flags >> Entry.faultShift) - 1);
      else if (state !== queue[0]) steps++;
      if ((flags & Entry.dead) !== 0 || seen.has(words.join())) continue;
      seen.add(words.join());
      queue.push(words);
      program.invariants.forEach((_, i) => {
        if (!system.holds(i, words, 0)) broken.add(i);
      });
    }
  }
  return { states: queue.slice(1), steps, faults, broken, isWhole: seen.size <= limit };
}

/** The first difference between generated code and interpreter, or undefined; of at most `limit` states. */
export function difference(program: RuleProgram, limit: number): string | undefined {
  const layout = layOutRules(program);
  const system = systemOf(program);
  const steps = interpretRules(program, layout);
  const [ours, theirs] = [new Successors(layout.words), new Successors(layout.words)];
  system.initial(ours);
  const queue: Words[] = [ours.words.slice(0, layout.words)];
  const [root] = queue;
  const [covers, alive] = [program.invariants.length, program.invariants.length + program.covers.length];
  const isJudged = Array.from({ length: alive }, (_, i) => i).some((i) => !system.holds(i, root!, 0));
  if (isJudged) return "a property is judged before a start state is chosen";
  const step = StepEntries.of(system);
  const seen = new Set<string>();
  for (const state of queue) {
    if (seen.size > limit) return undefined;
    const fast = entries(system, state, ours);
    const slow = entries(steps, state, theirs);
    const render = (all: readonly FoundEntry[]): string =>
      all.map(({ flags, words }) => (flags === 0 ? words.join() : `flags ${flags}`)).join("\n");
    if (render(fast) !== render(slow))
      return `in ${state.join()}: generated\n${render(fast)}\ninterpreted\n${render(slow)}`;
    const other = step?.differs(state, fast, alive + program.liveness.length);
    if (other !== undefined)
      return `in ${state.join()}: as WebAssembly ${other}, as JavaScript ${render(fast)}`;
    for (const { flags, words } of fast) {
      if (flags !== 0 || seen.has(words.join())) continue;
      seen.add(words.join());
      queue.push(words);
      const wrong = program.invariants.find((invariant, i) => {
        const holds = system.holds(i, words, 0);
        return holds !== holdsInterpreted(() => steps.allHold(invariant, words, 0));
      });
      if (wrong) return `invariant ${wrong.name} in ${words.join()}`;
      const other = program.covers.find(
        ({ condition }, i) =>
          condition &&
          system.holds(covers + i, words, 0) === holdsInterpreted(() => steps.someHolds(condition, words, 0)),
      );
      if (other) return `cover ${other.name} in ${words.join()}`;
      const instances = program.liveness.flatMap((condition) =>
        choices(condition.binders).map((values) => ({
          condition,
          chosen: values.filter((_, b) => /^(values|elements)$/.test(condition.binders[b]!.kind)),
        })),
      );
      const stuck = instances.find(
        ({ condition, chosen }, i) =>
          system.holds(alive + i, words, 0) !==
          holdsInterpreted(() => steps.holdsFor(condition, chosen, words, 0)),
      );
      if (stuck) return `liveness ${stuck.condition.name} in ${words.join()}`;
    }
  }
  return undefined;
}

/** The same by WebAssembly. */
export class StepEntries {
  readonly #source: Int32Array;
  readonly #out: Successors;
  readonly #system: RuleSystem;
  readonly #functions: { expandOne(): void; ask(index: number): number };

  /** Undefined if the program is more than step code. */
  static of(system: RuleSystem): StepEntries | undefined {
    const backend = StepBackend.create(system, StepMemory.create(64));
    try {
      return backend && new StepEntries(system, backend);
    } catch (error) {
      if (error instanceof NotStepCode) return undefined;
      throw error;
    }
  }

  private constructor(system: RuleSystem, backend: StepBackend) {
    this.#system = system;
    this.#out = backend.newList(system.width);
    this.#source = backend.array(system.width);
    const text = `function expandOne() { offered.clear(); system.successors(source, 0, offered); }
function ask(index) { return model.holds(index, source, 0) ? 1 : 0; }`;
    const bindings = { offered: this.#out, source: this.#source, system, model: system };
    this.#functions = backend.instantiate(text, ["expandOne", "ask"], bindings);
  }

  /** Difference from these entries and from the first query results, if any. */
  differs(state: Words, entries: readonly FoundEntry[], questions: number): string | undefined {
    this.#source.set(state);
    this.#functions.expandOne();
    const { count, words, flags, stride } = this.#out;
    const found = Array.from({ length: count }, (_, i) =>
      flags[i] === 0 ? words.slice(i * stride, (i + 1) * stride).join() : `flags ${flags[i]}`,
    );
    const expected = entries.map((e) => (e.flags === 0 ? e.words.join() : `flags ${e.flags}`));
    if (found.join("\n") !== expected.join("\n")) return found.join("\n");
    for (let i = 0; i < questions; i++)
      if ((this.#functions.ask(i) !== 0) !== this.#system.holds(i, state, 0)) return `another answer to ${i}`;
    return undefined;
  }
}

function holdsInterpreted(ask: () => boolean): boolean {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RuleFault || error instanceof Discarded) return false;
    throw error;
  }
}

interface FoundEntry {
  readonly words: Words;
  readonly flags: number;
}

function entries(
  system: Pick<RuleSystem, "successors">,
  state: Words,
  out: Successors,
): readonly FoundEntry[] {
  out.clear();
  system.successors(state, 0, out);
  return Array.from({ length: out.count }, (_, i) => ({
    words: out.words.slice(i * out.stride, (i + 1) * out.stride),
    flags: out.flags[i]!,
  }));
}
