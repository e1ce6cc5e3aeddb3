/**
 * One model with interchangeable processes, searched in full and by representatives. The orbits of all states are counted by brute
 * force: every state of the plain graph with its elements renamed in every way.
 */
import type { CheckReport } from "../../../src/index.js";
import { compile, settle, ProcessRenamer, type CompiledModel } from "../../../src/compile/index.js";
import { Canonicaliser } from "../../../src/compile/symmetry/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Entry, Sources, Status, Successors, type Words } from "../../../src/model/index.js";
import type { ProcessSymmetry } from "../../../src/model/symmetry.js";
import { checkInput, type CheckOptions } from "../../../src/session/index.js";
import { planProcesses } from "../../../src/transforms/symmetry/processes/index.js";
import type { SymmetricCase } from "../../generators/promela-symmetric.js";
import { loadingOnce } from "../../peers/loading-once.js";
import { testingAll } from "../../session/sampling.js";

export type OrbitOutcome =
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "too large" }
  | {
      readonly kind: "compared";
      /** All properties were checked on representatives. */
      readonly isReduced: boolean;
      readonly isSmaller: boolean;
      readonly isViolated: boolean;
      readonly refused: readonly string[];
      readonly difference: string | undefined;
    };

const MOST_STATES = 3000;

export async function compareOrbits({ text, invariants }: SymmetricCase): Promise<OrbitOutcome> {
  const input = { file: "symmetric.pml", text };
  const once = testingAll(loadingOnce("promela"));
  const check = async (options: CheckOptions): Promise<CheckReport> =>
    (await checkInput(input, { invariants, maxErrors: Infinity, ...options }, once)).report;
  const plain = await check({ isPlain: true, budget: { maxStates: MOST_STATES } });
  const error = plain.diagnostics.find(({ severity }) => severity === "error");
  if (error) return { kind: "invalid", why: error.message };
  if (plain.stats.states >= MOST_STATES) return { kind: "too large" };
  let reduced: CheckReport;
  try {
    reduced = await check({ reductions: ["symmetry"] });
  } catch (thrown) {
    const difference = `internal error: ${(thrown as Error).message}`;
    return {
      kind: "compared",
      isReduced: true,
      isSmaller: false,
      isViolated: false,
      refused: [],
      difference,
    };
  }
  const isReduced = reduced.runs.every(({ reductions }) => reductions.includes("symmetry"));
  const counted = isReduced ? await countDifference(text, invariants, reduced) : undefined;
  return {
    kind: "compared",
    isReduced,
    isSmaller: reduced.stats.states < plain.stats.states,
    isViolated: plain.properties.some(({ verdict }) => verdict === "violated"),
    refused: reduced.diagnostics.filter(({ code }) => code === "session/reduction-off").map((d) => d.message),
    difference: answerDifference(plain, reduced) ?? counted,
  };
}

/** Every property fails in the same ways. */
function answerDifference(plain: CheckReport, reduced: CheckReport): string | undefined {
  const answers = ({ properties }: CheckReport): string[] =>
    [
      ...new Set(
        properties.flatMap(({ property, verdict, violations }) => [
          `${property.name}: ${verdict}`,
          ...violations.map(({ reason }) => `${property.name}: ${reason}`),
        ]),
      ),
    ].sort();
  const [a, b] = [answers(plain).join("; "), answers(reduced).join("; ")];
  return a === b ? undefined : `plain ${a}, symmetry ${b}`;
}

async function countDifference(
  text: string,
  invariants: readonly string[],
  reduced: CheckReport,
): Promise<string | undefined> {
  const orbits = countOrbits(text, invariants);
  return orbits === reduced.stats.states
    ? undefined
    : `${orbits} orbits, ${reduced.stats.states} representatives`;
}

/** The orbits of the plain graph. States in which a process was removed are omitted: representatives keep ended processes. */
export function countOrbits(text: string, invariants: readonly string[] = []): number {
  const { program } = loadPromela({
    file: "symmetric.pml",
    text,
    defines: [],
    readFile: () => undefined,
    sources: new Sources(),
    invariants,
  });
  if (!program) throw new Error("the model is not valid");
  const settled = settle(program);
  if (typeof settled === "string") throw new Error(settled);
  const { symmetry } = planProcesses(program, settled, "canonical");
  if (!symmetry) throw new Error("nothing is interchangeable");
  const model = compile(program, new Sources());
  const renamer = new ProcessRenamer(program, model.layout, symmetry);
  // Asked only whether a state is settled.
  const { isSettled } = settledBy(new Canonicaliser(program, model.layout, symmetry));
  const seen = new Set<string>();
  for (const { state, wasSettled } of plainStates(model, isSettled))
    if (isSettled(state)) seen.add(nameOf(state, symmetry, renamer));
    else if (!wasSettled) seen.add(trimmed(state).join());
  return seen.size;
}

const settledBy = (canonicaliser: Canonicaliser) => ({
  isSettled: (state: Words): boolean => canonicaliser.isSettled(state, 0, state.length),
});

/** The same for all states of an orbit, and for no other. */
function nameOf(state: Words, { sets }: ProcessSymmetry, renamer: ProcessRenamer): string {
  const ways = sets.reduce<(readonly number[])[][]>(
    (all, size) => all.flatMap((before) => permutations(size).map((one) => [...before, one])),
    [[]],
  );
  return ways.map((to) => trimmed(renamer.renamed(state, to)).join()).sort()[0]!;
}

/** States that a user would count, each once, with whether all processes were there on the way to it. */
function* plainStates(
  { system, layout }: CompiledModel,
  isSettled: (state: Words) => boolean,
): Generator<{ readonly state: Words; readonly wasSettled: boolean }> {
  const out = new Successors(system.width);
  system.initial(out);
  const first = { state: out.words.slice(0, out.stride), wasSettled: false };
  const queue = [first];
  const seen = new Set([trimmed(first.state).join()]);
  for (const { state, wasSettled } of queue) {
    const isIntermediate = (system.status(extended(state, system.width), 0) & Status.intermediate) !== 0;
    if (!isIntermediate) yield { state, wasSettled };
    out.clear();
    if (out.stride < system.width) out.widen(system.width);
    system.successors(extended(state, system.width), 0, out);
    for (let entry = 0; entry < out.count; entry++) {
      if ((out.flags[entry]! & Entry.dead) !== 0) continue;
      const next = out.words.slice(entry * out.stride, (entry + 1) * out.stride);
      const key = trimmed(next).slice(layout.compareFrom).join();
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ state: next, wasSettled: wasSettled || isSettled(state) });
    }
  }
}

function extended(state: Words, width: number): Words {
  const wide = new Int32Array(Math.max(width, state.length));
  wide.set(state);
  return wide;
}

const trimmed = (state: Words): Words => state.slice(0, state.findLastIndex((word) => word !== 0) + 1);

const permutations = (size: number): number[][] =>
  size === 0
    ? [[]]
    : permutations(size - 1).flatMap((shorter) =>
        Array.from({ length: size }, (_, at) => [...shorter.slice(0, at), size - 1, ...shorter.slice(at)]),
      );
