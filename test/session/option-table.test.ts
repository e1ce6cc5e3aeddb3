/**
 * Every option of `check` with every language: applied or refused with exit code 3, never ignored. Options that are missing from the
 * table fail the test; `every-language.test.ts` finds missing languages.
 */
import { Command } from "commander";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCheckOptions, checkOptions, type CheckFlags } from "../../src/cli/check-options.js";
import { writeOutputs } from "../../src/cli/check-outputs.js";
import { exitCodeOfCheck } from "../../src/cli/exit.js";
import { checkJson } from "../../src/report/index.js";
import { checkInput, readInput, registry, type Input } from "../../src/session/index.js";
import { clang } from "../peers.js";
import { useCli } from "../cli/built-cli.js";
import { expectRefusal, here, rows, REFUSED, runnable, unexpected } from "./option-rows.js";

const all = runnable;
/** Languages that are lowered to a `Program`. */
const programs = ["promela"];
const searched = [
  ...programs,
  "murphi",
  "sdn",
  "mpp",
  "webextension",
  "typescript",
  "machines",
  "lts",
  "fsp",
  "fractal",
  "compose",
  "chi",
];
const explored = [
  ...programs,
  "murphi",
  "sdn",
  "typescript",
  "machines",
  "lts",
  "fsp",
  "fractal",
  "compose",
  "chi",
];
/** Transition systems. */
const graphs = ["lts", "fsp", "fractal", "compose"];
const learning = ["--engine", "learning", "--property", "ONE"];
const messages = ["mpp", "webextension"];
const nets = ["mist", "pnml"];
const stored = all.filter((language) => language !== "schedules");
const guarded = ["gcl"];
/** Languages whose engines ask a solver. */
const solved = [...guarded, "ndlog"];
/** Their default engine searches symbolically; `--engine explicit` takes the options of programs. */
const booleans = ["bp"];
/** Languages whose example is branching. */
const branching = ["bvas", "rpp"];

/**
 * Evidence that an option was applied: a different answer (`answer`), an existing file (`file`), or none (`limit`: a budget that
 * suffices, an order, store or random choice with the same answer, a form of output).
 */
type Effect = "answer" | "file" | "limit";
type Case = readonly [args: readonly string[], taken: readonly string[], effect: Effect];

const table: Readonly<Record<string, readonly Case[]>> = {
  "--property": [[["--property", "no such"], [], "limit"]],
  "--no-deadlock": [
    [["--no-deadlock"], [...programs, "murphi", "typescript", "machines", "sdn", "chi", ...graphs], "limit"],
  ],
  "--engine": [
    [
      ["--engine", "explicit", "--max-states", "50"],
      all.filter((l) => !["typescript", "machines", "schedules", "c", ...branching, ...solved].includes(l)),
      "limit",
    ],
    [["--engine", "schedules"], ["schedules"], "limit"],
    [["--engine", "egt"], ["c"], "limit"],
    [["--engine", "llsplat"], ["c"], "limit"],
    [["--engine", "bmc"], ["c"], "limit"],
    [["--engine", "bbs", "--tasks", "plain"], ["c"], "limit"],
    [["--engine", "eec"], [...nets, ...branching], "limit"],
    [["--engine", "backward"], nets, "limit"],
    [["--engine", "karp-miller"], nets, "limit"],
    [
      ["--engine", "explicit", "--max-states", "50", "--reduction", "por"],
      [...programs, ...booleans, "murphi"],
      "limit",
    ],
    [["--engine", "parametric"], booleans, "limit"],
    [["--engine", "compositional"], graphs, "limit"],
    [["--engine", "explicit", "--count", "1"], [], "limit"],
  ],
  "--search": [
    [["--search", "bfs"], [...searched, ...booleans, "c"], "limit"],
    [["--search", "dfs"], [...searched, ...booleans, "c"], "limit"],
    [["--search", "random"], [...searched, "c"], "limit"],
    [["--search", "guided"], searched, "limit"],
    [["--search", "random", "--ltl", "<> (total == 7)"], [], "limit"],
    [["--search", "guided", "--claim", here("claim.pml")], [], "limit"],
    [["--search", "random", "--ltl", "<> (count = 2)"], [], "limit"],
    [["--search", "dfs", "--ltl", "<> (total == 7)"], ["promela"], "answer"],
    [["--search", "dfs", "--ltl", "<> (count = 2)"], ["murphi"], "answer"],
    [["--search", "delays"], ["typescript", "machines"], "answer"],
    [["--search", "preemptions"], ["typescript", "machines"], "answer"],
    [["--search", "pct"], ["typescript", "machines"], "answer"],
  ],
  "--bound": [[["--search", "delays", "--bound", "0"], ["typescript", "machines"], "answer"]],
  "--runs": [[["--search", "pct", "--runs", "2"], ["typescript", "machines"], "answer"]],
  "--fairness": [
    [["--fairness", "weak"], [...programs, "typescript", "machines", "sdn", "chi"], "limit"],
    [["--fairness", "strong"], [...programs, "typescript", "machines", "sdn", "chi"], "limit"],
    [["--ltl", "<> (count = 2)", "--fairness", "weak"], ["murphi"], "answer"],
    [["--ltl", "<> (count = 2)", "--fairness", "strong"], ["murphi"], "answer"],
  ],
  "--emptiness": [
    [["--emptiness", "cou99"], [...programs, "typescript", "machines", "sdn", "chi"], "limit"],
    [["--ltl", "<> (count = 2)", "--emptiness", "cou99"], ["murphi"], "answer"],
    [["--ltl", "<> (count = 2)", "--emptiness", "cou99", "--fairness", "strong"], [], "limit"],
  ],
  "--store": [
    [["--store", "exact"], searched, "limit"],
    [["--store", "tree"], searched, "limit"],
    [["--store", "delta"], searched, "limit"],
    [["--store", "compact"], searched, "limit"],
    [["--store", "bitstate"], searched, "limit"],
  ],
  "--table": [
    [["--store", "compact", "--table", "64k"], searched, "limit"],
    [["--table", "64k"], [], "limit"],
  ],
  "--expect-states": [
    [["--store", "bitstate", "--expect-states", "100"], searched, "limit"],
    [["--expect-states", "100"], [], "limit"],
  ],
  "--hash-functions": [
    [["--store", "bitstate", "--hash-functions", "2"], searched, "limit"],
    [["--store", "compact", "--hash-functions", "2"], [], "limit"],
  ],
  "--hash-bits": [
    [["--store", "compact", "--hash-bits", "32"], searched, "limit"],
    [["--hash-bits", "32"], [], "limit"],
  ],
  "--hash": [
    [["--store", "compact", "--hash", "h3"], searched, "limit"],
    [["--hash", "h3"], [], "limit"],
  ],
  "--delta-distance": [
    [["--store", "delta", "--delta-distance", "2"], searched, "limit"],
    [["--delta-distance", "2"], [], "limit"],
  ],
  "--reduction": [
    [["--reduction", "none"], all, "limit"],
    [["--reduction", "por"], [...programs, ...booleans, "murphi", "typescript", ...messages], "limit"],
    [["--reduction", "merge"], [...programs, ...messages], "limit"],
    [["--reduction", "dead"], [...programs, ...booleans, ...messages], "limit"],
    [["--reduction", "slice"], programs, "limit"],
    [["--reduction", "symmetry"], [...programs, "murphi", "typescript"], "limit"],
    [["--reduction", "counter"], ["sdn"], "limit"],
    [["--plain", "--reduction", "por"], [], "limit"],
  ],
  "--check-reduction": [
    [["--check-reduction"], searched.filter((l) => ![...graphs, "chi"].includes(l)), "limit"],
    [["--check-reduction", "--plain"], [], "limit"],
  ],
  "--plain": [[["--plain"], all, "limit"]],
  "--max-states": [[["--max-states", "1"], stored.filter((l) => l !== "gcl"), "limit"]],
  "--max-depth": [[["--max-depth", "1"], [...searched, "c"], "limit"]],
  "--memory": [[["--memory", "1G"], stored.filter((l) => l !== "bp"), "limit"]],
  "--time": [[["--time", "5m"], all, "limit"]],
  "--workers": [
    [["--workers", "1"], all, "limit"],
    [["--workers", "2"], explored.filter((l) => !graphs.includes(l)), "limit"],
    [["--workers", "2", "--search", "dfs"], [], "limit"],
    [["--workers", "2", "--store", "bitstate"], [], "limit"],
  ],
  // The engine 'gpu' takes them (test/engines/gpu).
  "--device": [[["--device", "0"], [], "limit"]],
  "--gpu-memory": [[["--gpu-memory", "1G"], [], "limit"]],
  "--disk": [
    [["--disk", "OUT"], explored, "limit"],
    [["--disk", "OUT", "--reduction", "por"], [], "limit"],
    [["--disk", "OUT", "--workers", "2"], [], "limit"],
  ],
  "--resume": [[["--resume", "OUT"], [], "limit"]],
  "--errors": [[["--errors", "all"], [...explored, "c"], "limit"]],
  "--coverage": [[["--coverage"], ["typescript", "machines"], "limit"]],
  "--warn-truncation": [[["--warn-truncation"], ["promela"], "answer"]],
  "--seed": [[["--seed", "7"], [...searched, "c"], "limit"]],
  "--accept": [
    [["--accept", "bounded"], all, "limit"],
    [["--accept", "probabilistic"], searched, "limit"],
  ],
  "--count": [[["--count", "0,1"], messages, "limit"]],
  "--certificate": [[["--certificate", "OUT"], [...messages, ...solved, ...booleans], "limit"]],
  "--solver": [[["--solver", "z3"], [...solved, "c"], "limit"]],
  "--dump-smt": [[["--dump-smt", "OUT"], [...solved, "c"], "limit"]],
  "--explore": [
    [["--engine", "ase", "--explore", "path-memo"], guarded, "limit"],
    [["--engine", "chc", "--explore", "path-memo"], [], "limit"],
  ],
  "--closure": [[["--engine", "ase", "--closure", "printed"], guarded, "answer"]],
  "--refine-from": [[["--engine", "ase", "--closure", "printed", "--refine-from", "all"], guarded, "limit"]],
  "--model": [
    [["--engine", "ase", "--model", "must"], guarded, "answer"],
    [["--engine", "chc", "--model", "must"], [], "limit"],
  ],
  "--dot": [
    [["--engine", "ase", "--dot", "OUT"], guarded, "file"],
    [["--engine", "chc", "--dot", "OUT"], [], "limit"],
  ],
  "--refine-atoms": [[["--engine", "ase", "--refine-atoms", "all"], guarded, "limit"]],
  "--fixpoint": [[["--fixpoint", "bdd"], booleans, "limit"]],
  "--formula": [[["--formula", "AG !deadlock"], graphs, "answer"]],
  "--relation": [
    [["--engine", "compositional", "--relation", "strong"], graphs, "limit"],
    [["--relation", "strong"], [], "limit"],
  ],
  "--unwind": [
    [["--engine", "bmc", "--unwind", "9"], ["c"], "limit"],
    [["--unwind", "9"], [], "limit"],
  ],
  "--strategy": [
    [["--engine", "llsplat", "--strategy", "dfs"], ["c"], "limit"],
    [["--strategy", "dfs"], [], "limit"],
  ],
  "--rule": [
    [[...learning, "--rule", "sym"], ["fsp"], "limit"],
    [["--rule", "sym"], [], "limit"],
  ],
  "--order": [[[...learning, "--order", "given"], ["fsp"], "limit"]],
  "--alphabet": [[[...learning, "--alphabet", "refined"], ["fsp"], "limit"]],
  "--assumptions": [[[...learning, "--assumptions", "OUT"], ["fsp"], "limit"]],
  "--hierarchy": [[["--engine", "compositional", "--hierarchy", here("as-built.json")], ["lts"], "limit"]],
  "--certify-laws": [[["--certify-laws", "OUT"], ["chi"], "file"]],
  "--emit-promela": [[["--emit-promela", "OUT"], [...booleans, "chi"], "file"]],
  "--emit-net": [[["--emit-net", "OUT"], [...messages, ...nets], "limit"]],
  "--net-encoding": [[["--emit-net", "OUT", "--net-encoding", "product"], messages, "limit"]],
  "--emit-program": [[["--emit-program", "OUT"], nets, "limit"]],
  "--language": [[["--language", "no such"], [], "limit"]],
  "--define": [
    [["-D", "NONSENSE"], [], "limit"],
    [["-D", "BOUND=1"], ["promela", "murphi"], "answer"],
    [["-D", "N=1"], solved, "answer"],
    [["-D", "init=nondet"], booleans, "answer"],
    [["-D", "HASTY"], ["typescript"], "answer"],
    [["-D", "CAREFUL"], ["c"], "answer"],
    [["-D", "LEARN=false"], ["sdn"], "answer"],
  ],
  "--faults": [
    [["--faults", "duplicates=1"], ["typescript"], "answer"],
    [["--faults", "no such"], [], "limit"],
  ],
  // Explored before the system is loaded: test/session/refinement.test.ts.
  "--refines": [[["--refines", here("counter.pml")], [], "limit"]],
  "--invariant": [
    [["--invariant", "total < 200"], ["promela"], "answer"],
    [["--invariant", "count < 2"], ["murphi"], "answer"],
    [["--invariant", "critical < 2"], ["mist"], "answer"],
    [["--invariant", "item < 2"], ["pnml"], "answer"],
  ],
  "--ltl": [
    [["--ltl", "<> (total == 7)"], ["promela"], "answer"],
    [["--ltl", "<> (count = 2)"], ["murphi"], "answer"],
    [["--ltl", "<> (count = 2)", "--reduction", "symmetry"], ["murphi"], "answer"],
    [["--ltl", "<> (count = 2)", "--store", "bitstate"], ["murphi"], "answer"],
    [["--ltl", "<> critical", "--max-states", "50"], ["mist"], "answer"],
    [["--ltl", "<> item", "--max-states", "50"], ["pnml"], "answer"],
  ],
  "--claim": [[["--claim", here("claim.pml")], ["promela"], "answer"]],
  "--lose-when-full": [[["--lose-when-full"], ["promela"], "answer"]],
  "--end-needs-empty-channels": [[["--end-needs-empty-channels"], ["promela"], "limit"]],
  "--integers": [[["--integers", "bounded"], programs, "limit"]],
  "--refactor": [[["--refactor", "apply"], programs, "limit"]],
  "--arrays": [[["--arrays", "allow"], programs, "limit"]],
  "--limit-processes": [[["--limit-processes", "2"], ["promela"], "limit"]],
  "--concrete": [[["--concrete", "1"], ["sdn"], "answer"]],
  "--dialect": [[["--dialect", "cmurphi"], ["murphi"], "limit"]],
  "--deadlock": [
    [["--deadlock", "off"], ["murphi", "sdn", "mpp", ...nets], "limit"],
    [["--deadlock", "stuck", "--max-states", "50"], ["murphi", "sdn", "mpp", ...nets], "answer"],
    [["--deadlock", "stuttering"], ["murphi"], "limit"],
  ],
  "--symmetry": [[["--symmetry", "heuristic"], ["murphi"], "limit"]],
  "--loop-limit": [[["--loop-limit", "1"], ["murphi"], "answer"]],
  "--call-depth": [[["--call-depth", "1"], ["murphi"], "limit"]],
  "--target": [
    [["--target", "waiting >= 3"], ["mist"], "answer"],
    [["--target", "item >= 9"], ["pnml"], "answer"],
    [["--target", "Stopper:last"], booleans, "answer"],
  ],
  "--bounded": [[["--bounded"], ["mist", "pnml"], "answer"]],
  "--tasks": [[["--tasks", "plain,unwind=9"], ["c"], "limit"]],
  "--emit-seq": [[["--emit-seq", "OUT", "--tasks", "plain"], ["c"], "file"]],
  "--sym-arg": [[["--sym-arg", "1:2"], ["c"], "limit"]],
  "--sym-stdin": [[["--sym-stdin", "2"], ["c"], "limit"]],
  "--cc": [
    [["--cc", clang], ["c"], "limit"],
    [["--cc", "no such clang"], [], "limit"],
  ],
  "--compat": [[["--compat", "published"], ["sdn"], "answer"]],
  "--emit-murphi": [[["--emit-murphi", "OUT"], ["sdn"], "file"]],
  "--slice": [[["--slice", "auto"], ["typescript", "machines"], "limit"]],
  "--slice-values": [
    [["--slice", "auto", "--slice-values", "2"], ["typescript", "machines"], "limit"],
    [["--slice", "counter.count", "--slice-values", "2"], [], "limit"],
  ],
  "--no-minimise": [[["--no-minimise"], ["typescript", "machines"], "limit"]],
  "--html": [[["--html", "OUT"], all, "file"]],
  "--trace": [[["--trace", "OUT"], all.filter((l) => !branching.includes(l)), "limit"]],
  "--trace-format": [[["--trace-format", "rumur"], ["murphi"], "limit"]],
  "--svg": [[["--svg", "OUT"], all.filter((l) => !branching.includes(l)), "limit"]],
  "--emit-code": [
    [["--emit-code", "OUT"], [...programs, ...booleans, "murphi", "webextension", "chi"], "file"],
  ],
  // Forms of output are the same for every language.
  "--json": [[["--json"], all, "limit"]],
  "--quiet": [[["--quiet"], all, "limit"]],
  "--color": [[["--color", "never"], all, "limit"]],
  "--progress": [[["--progress", "none"], all, "limit"]],
};

const TABLE = "test/session/option-table.test.ts";
const directory = mkdtempSync(join(tmpdir(), "everypath-options-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Threads need files that Node can run. */
const cli = useCli();

const definition = (): Command => addCheckOptions(new Command().exitOverride().argument("<file...>"));

test("every option is in the table", () => {
  expect(Object.keys(table).sort()).toEqual(
    definition()
      .options.map(({ long }) => long!)
      .sort(),
  );
});

describe.each(all)("%s", (row) => {
  let plain: string;
  beforeAll(async () => {
    plain = (await cell(row, [])).answer;
  }, 240_000);

  for (const cases of Object.values(table))
    for (const [args, taken, effect] of cases)
      test(`${args.join(" ")} is ${taken.includes(row) ? "taken" : "refused"}`, async () => {
        if (taken.includes(row) && args.join(" ") === "--workers 2") {
          const { exitCode, stderr } = await cli.run(["check", rows[row]!.file, ...args]);
          expect([0, 1, 2], stderr).toContain(exitCode);
          return;
        }
        // Loading is long enough for threads to start, from files that Node cannot run.
        if (row === "schedules" && args.join(" ").includes("--workers 2")) {
          expect((await cli.run(["check", rows[row]!.file, ...args])).exitCode).toBe(3);
          return;
        }
        const { code, diagnostics, answer, file } = await cell(row, args);
        if (!taken.includes(row)) {
          expect(code, `${unexpected(row, args, "takes", TABLE)}\n${diagnostics.join("\n")}`).toBe(3);
          expectRefusal(diagnostics.join("\n"));
          return;
        }
        expect(
          diagnostics.filter((text) => REFUSED.test(text)),
          unexpected(row, args, "refuses", TABLE),
        ).toEqual([]);
        expect([0, 1, 2], diagnostics.join("\n")).toContain(code);
        if (effect === "answer") expect(answer).not.toBe(plain);
        if (effect === "file") expect(existsSync(file), diagnostics.join("\n")).toBe(true);
      });
});

let files = 0;

/** Runs the command in this process. */
async function cell(
  row: string,
  args: readonly string[],
): Promise<{ code: number; diagnostics: string[]; answer: string; file: string }> {
  const { file: model, args: usual = [] } = rows[row]!;
  const file = join(directory, `${files++}`);
  const argv = [model, ...usual, ...args].map((word) => (word === "OUT" ? file : word));
  const flags = definition().parse(argv, { from: "user" }).opts<CheckFlags>();
  const checked = await checkInput(
    readInput(model) as Input,
    { ...checkOptions(flags), isolation: "none" },
    registry,
  );
  const { diagnostics: problems } = await writeOutputs(checked, flags);
  const report = { ...checked.report, diagnostics: [...checked.report.diagnostics, ...problems] };
  const diagnostics = report.diagnostics.map(
    ({ code, severity, message }) => `${severity} ${code}: ${message}`,
  );
  const { stats, runs, ...json } = checkJson(report);
  const answer = JSON.stringify([json, stats.states, stats.transitions, runs.length]);
  return { code: exitCodeOfCheck(report), diagnostics, answer, file };
}
