/** Compares every way to search a Boolean program with an obvious enumeration of its states. */
import { checkBooleanProof } from "../../src/engines/certificates/index.js";
import {
  ParametricSearch,
  proofOf,
  type Fixpoint,
  type SearchAnswer,
  type SearchOptions,
} from "../../src/engines/parametric/index.js";
import { loadBp } from "../../src/languages/bp/index.js";
import {
  isBadAt,
  moved,
  movableThreads,
  type BooleanProgram,
  type BooleanProperty,
  type BooleanState,
  type ScriptRunner,
} from "../../src/model/index.js";
import { Cdcl } from "../../src/solvers/index.js";

export const PLAIN: SearchOptions = {
  fixpoint: "qbf",
  order: "bfs",
  reducesThreads: false,
  dropsDead: false,
  keepsProof: false,
  maxStates: 200_000,
  makeSat: () => new Cdcl(),
};

export const DEFAULT: SearchOptions = { ...PLAIN, reducesThreads: true, dropsDead: true };

/** All combinations of fix-point, order and reductions. */
export const WAYS: readonly (SearchOptions & { readonly name: string })[] = (
  ["qbf", "bdd", "sat-enum"] as readonly Fixpoint[]
).flatMap((fixpoint) =>
  (["bfs", "dfs"] as const).flatMap((order) =>
    [true, false].flatMap((reducesThreads) =>
      [true, false].map((dropsDead) => ({
        ...PLAIN,
        fixpoint,
        order,
        reducesThreads,
        dropsDead,
        name: `${fixpoint} ${order}${reducesThreads ? " por" : ""}${dropsDead ? " dead" : ""}`,
      })),
    ),
  ),
);

export const programIn = (text: string, targets: readonly string[] = []): BooleanProgram => {
  const asked = targets.map((target) => ({ text: target, file: "--target" }));
  const { program, diagnostics } = loadBp("test.bp", text, { targets: asked });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return program;
};

export const keyOf = ({ at, values }: BooleanState): string =>
  `${at.join(",")} ${values.map(Number).join("")}`;

export interface Enumerated {
  readonly states: ReadonlyMap<string, BooleanState>;
  readonly transitions: number;
}

/** Every reachable state; a transition is a pair of states. */
export function enumerate(program: BooleanProgram, most = 200_000): Enumerated | undefined {
  const states = new Map<string, BooleanState>();
  const waiting: BooleanState[] = [];
  const add = (state: BooleanState): string => {
    const key = keyOf(state);
    if (!states.has(key)) {
      states.set(key, state);
      waiting.push(state);
    }
    return key;
  };
  const open = program.variables.flatMap(({ initial }, variable) =>
    initial === undefined ? [variable] : [],
  );
  for (let chosen = 0; chosen < 2 ** open.length; chosen++) {
    const values = program.variables.map(({ initial }) => initial === true);
    open.forEach((variable, bit) => (values[variable] = ((chosen >> bit) & 1) === 1));
    add({ at: program.threads.map(() => 0), values });
  }
  let transitions = 0;
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const next = new Set<string>();
    for (const after of successors(program, state)) next.add(add(after));
    transitions += next.size;
    if (states.size > most) return undefined;
  }
  return { states, transitions };
}

export function successors(program: BooleanProgram, state: BooleanState): BooleanState[] {
  return movableThreads(program, state.at).flatMap((thread) =>
    (program.threads[thread]?.locations[state.at[thread] ?? 0]?.steps ?? []).flatMap(({ choices }, step) =>
      Array.from({ length: 2 ** choices }, (_, chosen) => {
        const bits = Array.from({ length: choices }, (__, bit) => ((chosen >> bit) & 1) === 1);
        return moved(program, state, { thread, step, choices: bits });
      }).flatMap((after) => (after ? [after] : [])),
    ),
  );
}

export const isReachable = ({ states }: Enumerated, property: BooleanProperty): boolean =>
  [...states.values()].some(({ at }) => isBadAt(property, at));

export interface Ran {
  readonly kind: SearchAnswer["kind"];
  readonly answer: SearchAnswer;
  readonly search: ParametricSearch;
}

/** Runs of violations are executed inside the search. */
export function run(program: BooleanProgram, property: BooleanProperty, options: SearchOptions): Ran {
  const search = new ParametricSearch(program, property, options);
  const steps = search.run();
  let step = steps.next();
  while (!step.done) step = steps.next();
  return { kind: step.value.kind, answer: step.value, search };
}

/** Every state that a symbolic search denotes, by enumeration of choices. */
export function symbolicStates(program: BooleanProgram): Set<string> {
  const [property] = program.properties;
  if (!property) throw new Error("the program has no property");
  // Nothing is bad: the whole system is explored.
  const { search } = run(program, { ...property, bad: [] }, PLAIN);
  const found = new Set<string>();
  for (const { at, values, guards } of search.states) {
    const inputs = [...search.formulas.support([...values, ...guards])];
    for (let chosen = 0; chosen < 2 ** inputs.length; chosen++) {
      const isTrue = (input: number): boolean => ((chosen >> inputs.indexOf(input)) & 1) === 1;
      if (search.formulas.evaluate(guards, isTrue).every(Boolean))
        found.add(keyOf({ at, values: search.formulas.evaluate(values, isTrue) }));
    }
  }
  return found;
}

export interface Compared {
  /** The first disagreement; undefined: none. */
  readonly problem: string | undefined;
  /** Comparisons left out, by the name of the limit. */
  readonly limits: readonly string[];
}

/** Explicit states: programs beyond are not enumerated, and those beyond the second not by questions about single valuations. */
const MOST_STATES = 20_000;
const MOST_STATES_ONE_BY_ONE = 1000;

export function compareAll(text: string, checkers: readonly ScriptRunner[]): Compared {
  const program = programIn(text);
  const enumerated = enumerate(program, MOST_STATES);
  if (!enumerated) return { problem: undefined, limits: [`more than ${MOST_STATES} states: not compared`] };
  const isLarge = enumerated.states.size > MOST_STATES_ONE_BY_ONE;
  const ways = WAYS.filter(({ fixpoint }) => !isLarge || fixpoint !== "sat-enum");
  const limits = isLarge ? [`more than ${MOST_STATES_ONE_BY_ONE} states: sat-enum omitted`] : [];
  for (const property of program.properties) {
    const problem = disagreement(program, property, enumerated, ways, checkers);
    if (problem !== undefined) return { problem: `${property.name}: ${problem}`, limits };
  }
  return { problem: undefined, limits };
}

function disagreement(
  program: BooleanProgram,
  property: BooleanProperty,
  enumerated: Enumerated,
  ways: typeof WAYS,
  checkers: readonly ScriptRunner[],
): string | undefined {
  const expected = isReachable(enumerated, property) ? "reachable" : "unreachable";
  const vectors: Record<string, number> = {};
  for (const way of ways) {
    const { kind, search } = run(program, property, way);
    if (kind !== expected) return `${way.name} says ${kind}, expected ${expected}`;
    vectors[way.name] = search.figures().locationVectors;
  }
  if (expected === "reachable") return undefined;
  for (const [name, count] of Object.entries(vectors))
    if (count > (vectors[name.replace(" por", "")] ?? count))
      return `${name} explores more location vectors than without por`;
  return certificateProblem(program, property, checkers);
}

export function certificateProblem(
  program: BooleanProgram,
  property: BooleanProperty,
  checkers: readonly ScriptRunner[],
): string | undefined {
  const search = new ParametricSearch(program, property, { ...PLAIN, dropsDead: true, keepsProof: true });
  const steps = search.run();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const answer = step.value;
  if (answer.kind !== "unreachable" || !answer.proof) return "there is no proof";
  if (checkers.length === 0) return undefined;
  const judgement = checkBooleanProof(program, proofOf(property.name, answer.proof), checkers, 60_000);
  return judgement.kind === "accepted" ? undefined : `the certificate is rejected: ${judgement.why}`;
}
