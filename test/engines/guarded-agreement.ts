/** Compares every mode, check and back end with an explicit search of a window of values. */
import { checkInvariant } from "../../src/engines/certificates/index.js";
import {
  ase,
  chc,
  DEFAULT_ASE,
  isConcrete,
  ur,
  type GuardedAnswer,
} from "../../src/engines/guarded/index.js";
import { loadGcl } from "../../src/languages/gcl/index.js";
import {
  fire,
  inputsOf,
  isInitial,
  isTrue,
  type GuardedProgram,
  type GuardedProperty,
  type GuardedState,
} from "../../src/model/index.js";
import { runOfSchedule, scheduleOf } from "../../src/report/index.js";
import { formatSchedule } from "../../src/model/index.js";
import type { BackendScripts } from "../../src/solvers/scripts.js";
import type { FrontSolver } from "../../src/solvers/front.js";

export interface Way {
  readonly name: string;
  readonly run: (program: GuardedProgram, property: GuardedProperty) => GuardedAnswer;
}

export interface Compared {
  /** Undefined: no disagreement. */
  readonly problem: string | undefined;
  readonly kinds: Readonly<Record<string, string>>;
}

/** At most this many steps of an analysis; then it counts as undecided. */
const PATIENCE = 1500;

function driven<T>(steps: Generator<undefined, T>): T | undefined {
  for (let count = 0; count < PATIENCE; count++) {
    const { done, value } = steps.next();
    if (done) return value;
  }
  return undefined;
}

const undecided: GuardedAnswer = { kind: "undecided", reason: "patience" };

export function waysOf(makeSolver: () => FrontSolver, horn: BackendScripts | undefined): Way[] {
  const modes = ["path", "path-memo", "concrete-cache", "subsume"] as const;
  const analysed = modes.flatMap((mode) =>
    (["trap", "printed"] as const).map((check): Way => ({
      name: `ase ${mode} ${check}`,
      run: (program, property) => {
        const options = { ...DEFAULT_ASE, mode, check, maxIterations: 4 };
        return driven(ase(program, property, makeSolver(), options))?.answer ?? undecided;
      },
    })),
  );
  const baseline: Way = {
    name: "ur",
    run: (program, property) =>
      isConcrete(program)
        ? (driven(ur(program, property, makeSolver(), { maxIterations: 4 }))?.answer ?? undecided)
        : undecided,
  };
  const byClauses: Way | undefined = horn && {
    name: "chc",
    run: (program, property) =>
      driven(chc(program, property, horn, { timeMs: 2000, maxDepth: 12 })) ?? undecided,
  };
  return [...analysed, baseline, ...(byClauses ? [byClauses] : [])];
}

export function compareAll(
  text: string,
  ways: readonly Way[],
  checkers: readonly BackendScripts[],
): Compared {
  const { program, diagnostics } = loadGcl("random.gcl", text);
  const [property] = program?.properties ?? [];
  if (!program || !property)
    return { problem: diagnostics.map(({ message }) => message).join("; "), kinds: {} };
  const known = explicitly(program, property);
  const kinds: Record<string, string> = { explicit: known };
  const say = (problem: string): Compared => ({ problem, kinds });
  for (const { name, run } of ways) {
    const answer = run(program, property);
    kinds[name] = answer.kind;
    if (answer.kind === "safe" && known === "unsafe") return say(`${name} proves what an execution violates`);
    if (answer.kind === "unsafe" && known === "safe") return say(`${name} finds a run where there is none`);
    if (answer.kind === "unsafe") {
      const { choices, inputs } = scheduleOf(program, answer.run);
      const replayed = runOfSchedule(program, formatSchedule(choices, undefined, inputs));
      if ("problem" in replayed) return say(`${name}: ${replayed.problem}`);
    }
    if (answer.kind === "safe") {
      if (answer.invariant === undefined) continue;
      const proof = {
        kind: "invariant",
        property: property.name,
        by: name,
        invariant: answer.invariant,
      } as const;
      const judgement = checkInvariant(program, proof, checkers, 20_000);
      if (judgement.kind === "rejected") return say(`${name}: certificate rejected: ${judgement.why}`);
    }
  }
  const decided = new Set(Object.values(kinds).filter((kind) => kind === "safe" || kind === "unsafe"));
  return decided.size > 1 ? say("two ways disagree") : { problem: undefined, kinds };
}

const WINDOW = [-3n, -2n, -1n, 0n, 1n, 2n, 3n, 4n];
const MOST_STATES = 1500;

/** `unsafe`: an execution with inputs in the window; `safe`: no inputs, and every state was visited. */
function explicitly(program: GuardedProgram, property: GuardedProperty): "safe" | "unsafe" | "open" {
  let open: readonly GuardedState[] = [[]];
  for (const { initial, range } of program.variables) {
    const values =
      initial === undefined
        ? WINDOW.filter((value) => !range || (range.low <= value && value <= range.high))
        : [initial];
    open = open.flatMap((state) => values.map((value) => [...state, value]));
  }
  const seen = new Set<string>();
  const queue = open.filter((state) => isInitial(program, state));
  for (const state of queue) seen.add(state.join());
  for (let state = queue.shift(); state; state = queue.shift()) {
    if (!isTrue(property.condition, state)) return "unsafe";
    if (seen.size > MOST_STATES) continue;
    for (const transition of program.transitions) {
      if (!isTrue(transition.guard, state)) continue;
      let inputs: readonly (readonly bigint[])[] = [[]];
      for (let i = inputsOf(transition); i > 0; i--)
        inputs = inputs.flatMap((given) => WINDOW.map((value) => [...given, value]));
      for (const given of inputs) {
        const next = fire(transition, state, given);
        if (seen.has(next.join())) continue;
        seen.add(next.join());
        queue.push(next);
      }
    }
  }
  return isConcrete(program) && seen.size <= MOST_STATES ? "safe" : "open";
}
