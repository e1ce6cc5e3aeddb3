/**
 * Published examples of phase-bounded testing: prints expected and obtained results of the acceptance checks A1 to A11 and of every value
 * that was checked with another implementation.
 *
 *     npm run conformance:bbs [-- ONLY]
 */
import { sequentialC } from "../src/programs/index.js";
import { blinkfail, FIGURE, SEMANTICS, TOSMINI } from "./bbs-programs.js";
import { answerOf, leastPhase, shownNatively, taskProgramOf, type Instrument } from "./bbs-run.js";
import { compareBackEnds, randomTasks } from "./bbs-random.js";
import { NESC } from "./bbs-nesc.js";

const [only] = process.argv.slice(2);
let failures = 0;
function row(name: string, expected: string, obtain: () => string): void {
  if (only !== undefined && !name.startsWith(only)) return;
  const started = performance.now();
  const before = process.cpuUsage();
  const obtained = obtain();
  const { user } = process.cpuUsage(before);
  if (obtained !== expected) failures++;
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s, processor ${(user / 1e6).toFixed(1)} s`;
  console.log(
    `${obtained === expected ? "ok  " : "FAIL"} ${name}: expected ${expected}, obtained ${obtained} (${seconds})`,
  );
}

const both = ["direct", "sequential"] as const;
const phaseText = ({ phase, open }: ReturnType<typeof leastPhase>): string => open ?? `${phase ?? "safe"}`;

// A1: the worked example.
for (const backEnd of both) {
  row(`A1 figure, ${backEnd}: least phase`, "2", () =>
    phaseText(leastPhase(taskProgramOf(FIGURE), backEnd, { phases: 2 })),
  );
}
row("A1 figure: the guess for phase 2", "x in phase 2: 7", () =>
  answerOf(taskProgramOf(FIGURE)({ phases: 2 }), "sequential").guesses.join(", "),
);
row("A1 figure, exported: the same error natively", "same", () => {
  const program = taskProgramOf(FIGURE)({ phases: 2 });
  const { error } = answerOf(program, "direct");
  return error ? shownNatively(program, error) : "no error";
});

// A2: meaning of posts, phases, interrupts and assumptions.
for (const { name, text, fifo, tinyos } of SEMANTICS) {
  let instrument: Instrument | undefined;
  for (const queue of ["fifo", "tinyos"] as const)
    for (const backEnd of both)
      row(
        `A2 ${name}, ${queue}, ${backEnd}, L = 1 to 5`,
        `${(queue === "fifo" ? fifo : tinyos) ?? "safe"}`,
        () => {
          instrument ??= taskProgramOf(text);
          return phaseText(leastPhase(instrument, backEnd, { phases: 5, queue }));
        },
      );
}
row("A2 S15 and S17 stay violated at L = 2, 3", "violated, violated, violated, violated", () =>
  SEMANTICS.filter(({ name }) => name === "S15" || name === "S17")
    .flatMap(({ text }) =>
      [2, 3].map((phases) =>
        answerOf(taskProgramOf(text)({ phases }), "sequential").error ? "violated" : "safe",
      ),
    )
    .join(", "),
);

// A3, A7, A9: the nine bugs.
for (const { name, text, kind, line, minimal, twin } of TOSMINI) {
  const instrument = taskProgramOf(text);
  const bounds = { phases: minimal, atTaskEnd: name === "blinkfail" ? 3 : 1 };
  row(`A3 ${name}: least phase, kind, line`, `${minimal}, ${kind}, ${line}`, () => {
    const { error, phase, open } = leastPhase(instrument, "direct", bounds);
    return open ?? `${phase ?? "safe"}, ${error?.kind ?? ""}, ${error?.line ?? ""}`;
  });
  row(`A3 ${name}, sequential`, `${minimal}, ${kind}, ${line}`, () => {
    const { error, phase, open } = leastPhase(instrument, "sequential", bounds, 60_000);
    return open ?? `${phase ?? "safe"}, ${error?.kind ?? ""}, ${error?.line ?? ""}`;
  });
  row(`A3 ${name}: its twin, one phase more`, "safe", () =>
    phaseText(leastPhase(taskProgramOf(twin), "direct", { ...bounds, phases: minimal + 1 }, 200_000)),
  );
  row(`A7 ${name}: the exported program shows the error`, "same", () => {
    const program = instrument(bounds);
    const { error } = answerOf(program, "direct");
    return error ? shownNatively(program, error) : "no error";
  });
  row(`A7 ${name}: flavours cbmc and svcomp`, "text, text", () =>
    (["cbmc", "svcomp"] as const)
      .map((flavour) => (typeof sequentialC(instrument(bounds), flavour) === "string" ? "text" : "refused"))
      .join(", "),
  );
  row(`A9 ${name}: phases never decrease`, "true", () => {
    const { error } = answerOf(instrument(bounds), "direct");
    const phases = (error?.shown.entries ?? []).flatMap((entry) =>
      entry.kind === "event" && entry.event.kind === "task" ? [entry.event.phase] : [],
    );
    return `${phases.length > 0 && phases.every((phase, at) => at === 0 || phase >= (phases[at - 1] ?? 0))}`;
  });
}

// A4: BlinkFail.
for (const n of [1, 2, 10]) {
  const instrument = taskProgramOf(blinkfail(n));
  row(`A4 blinkfail, N = ${n}, fifo, at-end ${n === 10 ? 11 : 3}`, "3", () =>
    phaseText(leastPhase(instrument, "direct", { phases: 3, atTaskEnd: n === 10 ? 11 : 3 }, 500_000)),
  );
  row(`A4 blinkfail, N = ${n}, tinyos`, `${n + 3}`, () =>
    phaseText(leastPhase(instrument, "direct", { phases: n + 3, queue: "tinyos" }, 500_000)),
  );
}

// A5, A6: random programs.
const count = Number(process.env["PROGRAMS"] ?? 40);
row(`A5 ${count} random programs: back ends that disagree`, "0", () => {
  let differing = 0;
  for (let seed = 1; seed <= count; seed++) if (compareBackEnds(randomTasks(seed)).length > 0) differing++;
  return `${differing}`;
});
row("A6 reductions of interrupt points: verdicts that differ, points that increase", "0, 0", () => {
  let differing = 0;
  let increasing = 0;
  for (const { text } of [...SEMANTICS, ...TOSMINI]) {
    const instrument = taskProgramOf(text);
    const answers = (["none", "global", "per-handler"] as const).map((reduction) => ({
      phase: leastPhase(instrument, "direct", { phases: 3, reduction }, 500_000).phase,
      points: instrument({ reduction }).statistics.points,
    }));
    if (new Set(answers.map(({ phase }) => phase)).size > 1) differing++;
    if (answers.some(({ points }, at) => points > (answers[at - 1]?.points ?? Infinity))) increasing++;
  }
  return `${differing}, ${increasing}`;
});
row(
  "claim 3: statements without an interrupt point, blinkfail and testserial",
  "at least 3 times fewer",
  () => {
    const figures = [TOSMINI[3], TOSMINI[4]].map((each) => taskProgramOf(each?.text ?? "")({}).statistics);
    const ratios = figures.map(({ points, pointsWithout }) => pointsWithout / points);
    return ratios.every((ratio) => ratio >= 3)
      ? "at least 3 times fewer"
      : ratios.map((ratio) => ratio.toFixed(1)).join(", ");
  },
);

// A8: output of the nesC compiler.
row("A8 nescc: tasks, handlers, raced variables", NESC.expected, () => {
  const { statistics } = taskProgramOf(NESC.text, "nescc")({ queue: "tinyos" });
  return `${statistics.tasks.join(" ")}; ${statistics.handlers.join(" ")}; ${statistics.raced.join(" ")}`;
});
for (const backEnd of both)
  row(`A8 nescc: null pointer, ${backEnd}`, `${NESC.phase}, null pointer`, () => {
    const { phase, error, open } = leastPhase(taskProgramOf(NESC.text, "nescc"), backEnd, {
      queue: "tinyos",
      phases: 4,
    });
    return open ?? `${phase ?? "safe"}, ${error?.kind ?? ""}`;
  });

// A10: times.
row("A10 direct, the nine programs: at most 5 s of processor time", "true", () => {
  const before = process.cpuUsage();
  for (const { text, minimal, name } of TOSMINI)
    leastPhase(taskProgramOf(text), "direct", { phases: minimal, atTaskEnd: name === "blinkfail" ? 3 : 1 });
  const { user, system } = process.cpuUsage(before);
  return user + system <= 5e6 ? "true" : `${((user + system) / 1e6).toFixed(1)} s`;
});
console.log(
  "A11: mutations: npm run mutate -- --only src/engines/programs/phases, and src/programs/tasks (test/programs/tasks/traps.test.ts)",
);
process.exit(failures > 0 ? 1 : 0);
