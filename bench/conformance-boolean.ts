/**
 * Boolean programs compared with the figures of the method's description: the acceptance checks as M1–M11, the rebuilt programs of the
 * published table as B1–B5, the last two beside Spin's verifier. Prints expected and obtained; a difference is exit code 1. Times are printed, not compared.
 * `-- M5` runs the rows whose names begin so.
 */
import { readFileSync } from "node:fs";
import { loadBp } from "../src/languages/bp/index.js";
import type { BooleanProgram, BooleanProperty } from "../src/model/index.js";
import { openCheckers } from "../src/solvers/index.js";
import {
  certificateProblem,
  DEFAULT,
  enumerate,
  isReachable,
  PLAIN,
  programIn,
  run,
  symbolicStates,
  WAYS,
} from "../test/engines/boolean-agreement.js";
import { covers, randomPair, valuations } from "../test/engines/boolean-depqbf.js";
import {
  freeChoices,
  multiplier,
  race,
  sequentialDriver,
  smallProgram,
  threadedDriver,
} from "../test/engines/boolean-programs.js";
import { randomBooleans } from "../test/generators/booleans.js";
import { inRepository } from "../test/repository.js";
import { besidePan } from "./beside-pan.js";

const only = process.argv[2] ?? "";
const checkers = openCheckers("all");
let failures = 0;

function row(name: string, expected: string, obtain: () => string): void {
  if (!name.startsWith(only)) return;
  const started = process.cpuUsage().user;
  let obtained: string;
  try {
    obtained = obtain();
  } catch (error) {
    obtained = (error as Error).message;
  }
  const seconds = ((process.cpuUsage().user - started) / 1e6).toFixed(2);
  if (obtained !== expected) failures++;
  console.log(`${obtained === expected ? "ok  " : "DIFF"} ${name} (${seconds} s)`);
  console.log(`     expected ${expected}\n     obtained ${obtained}`);
}

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/bp/conformance/${name}.bp`), "utf8");
const one = (program: BooleanProgram): BooleanProperty => {
  const [property] = program.properties;
  if (!property) throw new Error("the program has no property");
  return property;
};
const counts = (program: BooleanProgram): string => {
  const found = enumerate(program);
  return found ? `${found.states.size} states, ${found.transitions} transitions` : "too many states";
};
/** The verdict, with the checkers' opinion on proofs. */
function decided(program: BooleanProgram): string {
  const property = one(program);
  const { kind } = run(program, property, DEFAULT);
  const problem = kind === "unreachable" ? certificateProblem(program, property, checkers) : undefined;
  return problem ?? (kind === "unreachable" ? "unreachable, certified" : kind);
}

const fragment = programIn(fixture("driver-fragment"), ["Main:L5"]);
row("M1 driver fragment, explicit", "99 states, 107 transitions", () => counts(fragment));
row("M1 driver fragment, symbolic", "the same 99 states", () => {
  const explicit = enumerate(fragment);
  const symbolic = symbolicStates(fragment);
  const isSame =
    explicit &&
    symbolic.size === explicit.states.size &&
    [...symbolic].every((key) => explicit.states.has(key));
  return `${isSame ? "the same" : "other"} ${symbolic.size} states`;
});
for (const n of [2, 4, 8])
  row(`M2 nd(${n}), explicit`, `${3 * 2 ** n} states, ${2 ** (2 * n) + 2 ** (n + 1)} transitions`, () =>
    counts(programIn(freeChoices(n), ["T:L2"])),
  );
for (const n of [2, 4, 8, 16, 32, 64])
  row(`M2 nd(${n}), symbolic`, "4 inserted, 1 covered", () => {
    const program = programIn(freeChoices(n), ["T:L2"]);
    // Nothing is bad: the whole system is explored.
    const { inserted, covered } = run(program, { ...one(program), bad: [] }, PLAIN).search.figures();
    return `${inserted} inserted, ${covered} covered`;
  });
row("M3 10,000 random pairs, brute force", "0 differ", () => {
  let differ = 0;
  for (let seed = 0; seed < 10_000; seed++) {
    const pair = randomPair(seed);
    const [fresh, known] = [valuations(pair, pair.fresh), valuations(pair, pair.known)];
    const ours = covers(pair);
    const expected = fresh.size === 0 ? undefined : [...fresh].every((each) => known.has(each));
    if (ours !== expected) differ++;
  }
  return `${differ} differ`;
});
for (const name of ["por-trap", "por-trap-swapped"]) {
  row(`M4 ${name}`, "reachable", () => decided(programIn(fixture(name))));
  row(`M4 ${name}, explicit`, "6 states, 6 transitions", () => counts(programIn(fixture(name))));
}
const peterson = programIn(fixture("peterson"), ["T0:cs,T1:cs"]);
row("M5 Peterson, explicit", "42 states, 76 transitions", () => counts(peterson));
row("M5 Peterson", "unreachable, certified", () => decided(peterson));
const figures: Readonly<Record<string, readonly string[]>> = {
  race: ["110 states, 190 transitions", "1344 states, 3406 transitions", "16418 states, 54610 transitions"],
  fixed: ["84 states, 145 transitions", "774 states, 1974 transitions", "7134 states, 24014 transitions"],
};
for (const kind of ["race", "fixed"])
  for (const adders of [1, 2, 3]) {
    const program = programIn(race(adders, kind === "fixed"));
    row(`M5 stop ${kind}, ${adders} adders, explicit`, figures[kind]?.[adders - 1] ?? "", () =>
      counts(program),
    );
    row(`M5 stop ${kind}, ${adders} adders`, kind === "race" ? "reachable" : "unreachable, certified", () =>
      decided(program),
    );
  }
row("M6 1,000 random programs: por and order", "0 differ", () => {
  let differ = 0;
  const ways = WAYS.filter(({ fixpoint, dropsDead }) => fixpoint === "qbf" && dropsDead);
  for (let seed = 50_000; seed < 51_000; seed++) {
    const program = programIn(randomBooleans(seed));
    for (const property of program.properties) {
      const ran = ways.map((way) => run(program, property, way));
      const vectors = (index: number): number => ran[index]?.search.figures().locationVectors ?? 0;
      const isLarger = ran[0]?.kind === "unreachable" && (vectors(0) > vectors(1) || vectors(2) > vectors(3));
      if (new Set(ran.map(({ kind }) => kind)).size > 1 || isLarger) differ++;
    }
  }
  return `${differ} differ`;
});
row("M7 local loop beside a failing assertion", "reachable", () =>
  decided(programIn("thread A { bool l; while (1) { l = !l; } } thread B { assert(0); }")),
);
row("M8 recursion", "bp/recursion: f -> g -> f", () => {
  const { diagnostics } = loadBp(
    "test.bp",
    "void f() { g(); } void g() { f(); } thread T { f(); ERROR: skip; }",
  );
  return diagnostics.map(({ code, message }) => `${code}: ${message.replace(/^.*: /, "")}`).join("; ");
});
row("M9 one choice for both branches", "unreachable, certified", () =>
  decided(
    programIn(
      "thread T { bool a, b; if (*) { a = 1; } else { b = 1; } while (*) { skip; } assert(a != b); }",
    ),
  ),
);
row("M10 multiplier, K = 10403", "101 and 103", () => {
  const program = programIn(multiplier(10403));
  const { answer } = run(program, one(program), DEFAULT);
  if (answer.kind !== "reachable") return answer.kind;
  const chosen = answer.run.moves[0]?.choices ?? [];
  const number = (from: number): number =>
    chosen.slice(from, from + 7).reduce((so, bit, i) => so + (bit ? 2 ** i : 0), 0);
  return [number(0), number(7)].sort((a, b) => a - b).join(" and ");
});
row("M10 multiplier, K = 8191", "unreachable, certified", () => decided(programIn(multiplier(8191))));
row("B1 nd(30)", "reachable", () => decided(programIn(freeChoices(30), ["T:L2"])));
row("B2 multiplier, K = 6", "reachable", () => decided(programIn(multiplier(6))));
/** All 572 take minutes: they run if asked for by `-- B3`, otherwise every tenth. */
const small = Array.from({ length: 572 }, (_, seed) => seed).filter(
  (seed) => only === "B3" || seed % 10 === 0,
);
row(`B3 ${small.length} of 572 small programs`, "0 differ", () => {
  let differ = 0;
  const started = process.cpuUsage().user;
  for (const seed of small) {
    const program = programIn(smallProgram(seed));
    const { kind } = run(program, one(program), DEFAULT);
    // Small ones are also enumerated.
    const found = program.variables.length <= 7 ? enumerate(program, 20_000) : undefined;
    if (kind === "undecided" || (found && isReachable(found, one(program)) !== (kind === "reachable")))
      differ++;
  }
  console.log(
    `     mean ${((process.cpuUsage().user - started) / (1e3 * small.length)).toFixed(1)} ms of processor time`,
  );
  return `${differ} differ`;
});
const threaded = programIn(threadedDriver(48));
const sequential = programIn(sequentialDriver(48));
row("B4 sequential driver, 48 predicates", "unreachable, certified", () => decided(sequential));
/** The proof covers every interleaving: it is certified if asked for by `-- B5`, which takes minutes. */
row("B5 three threads", only === "B5" ? "unreachable, certified" : "unreachable", () =>
  only === "B5" ? decided(threaded) : run(threaded, one(threaded), DEFAULT).kind,
);
for (const [name, program] of [
  ["B4", sequential],
  ["B5", threaded],
] as const)
  row(`${name} beside pan`, "ours unreachable, pan unfinished", () => besidePan(program, one(program)));
for (const checker of checkers) checker.close();
console.log(failures === 0 ? "all rows agree" : `${failures} rows differ`);
process.exitCode = failures === 0 ? 0 : 1;
