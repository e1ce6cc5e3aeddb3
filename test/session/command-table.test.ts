/**
 * Every option of every command except `check` with every language: applied or refused with exit code 3, never ignored. Options and
 * commands that are missing from the table fail the test. `option-table.test.ts` covers `check`.
 */
import { Command } from "commander";
import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { addExploreOptions, mistakesOf, type ExploreFlags } from "../../src/cli/explore.js";
import { modelOptions } from "../../src/cli/options.js";
import { addReplayOptions } from "../../src/cli/replay.js";
import { run } from "../../src/cli/run.js";
import { addSimulateOptions, runSimulate, type SimulateFlags } from "../../src/cli/simulate.js";
import { UsageError } from "../../src/cli/usage.js";
import { readInput, registry, type Input } from "../../src/session/index.js";
import { clang } from "../peers.js";
import { expectRefusal, here, REFUSED, rows, runnable, unexpected } from "./option-rows.js";

const all = runnable;
/** Branching systems have no runs to step through. */
const replayed = all.filter((language) => !["bvas", "rpp"].includes(language));
/** Tests have schedules, but no states between their steps. */
const stepped = replayed.filter((language) => !["schedules", "gcl", "c"].includes(language));
const nets = ["mist", "pnml"];

/** `answer`: the option changes the output. */
type Case = readonly [args: readonly string[], taken: readonly string[], effect?: "answer"];
type Table = Readonly<Record<string, readonly Case[]>>;

/** Options of the model, shared by all three commands. */
const ofModels = (seesProperties: boolean): Table => ({
  "--language": [[["--language", "no such"], []]],
  "--define": [
    [["-D", "NONSENSE"], []],
    [
      ["-D", "BOUND=1"],
      ["promela", "murphi"],
    ],
    [["-D", "init=nondet"], ["bp"]],
    [["-D", "HASTY"], ["typescript"]],
    [["-D", "LEARN=false"], ["sdn"]],
  ],
  "--faults": [
    [["--faults", "loss"], ["typescript"]],
    [["--faults", "no such"], []],
  ],
  "--refines": [[["--refines", here("counter.pml")], []]],
  "--invariant": [
    [["--invariant", "total > 200"], ["promela"], "answer"],
    [["--invariant", "count > 2"], ["murphi"], "answer"],
    [["--invariant", "idle > 2"], ["mist"], "answer"],
    [["--invariant", "item < 1"], ["pnml"]],
  ],
  "--ltl": [
    [["--ltl", "<> (total == 7)"], seesProperties ? ["promela"] : []],
    [["--ltl", "<> (count = 2)"], seesProperties ? ["murphi"] : []],
  ],
  "--formula": [[["--formula", "AG !deadlock"], seesProperties ? ["lts", "fsp", "fractal", "compose"] : []]],
  "--claim": [
    [["--claim", here("claim.pml")], seesProperties ? ["promela"] : []],
    [["--claim", here("low.ndspec")], seesProperties ? ["ndlog"] : []],
  ],
  "--lose-when-full": [[["--lose-when-full"], ["promela"]]],
  "--end-needs-empty-channels": [[["--end-needs-empty-channels"], ["promela"]]],
  "--integers": [[["--integers", "bounded"], ["promela"]]],
  "--refactor": [[["--refactor", "apply"], ["promela"]]],
  "--arrays": [[["--arrays", "allow"], ["promela"]]],
  "--limit-processes": [[["--limit-processes", "2"], ["promela"]]],
  "--concrete": [[["--concrete", "1"], ["sdn"]]],
  "--dialect": [[["--dialect", "cmurphi"], ["murphi"]]],
  "--deadlock": [
    [
      ["--deadlock", "off"],
      ["murphi", "sdn", "mpp", ...nets],
    ],
  ],
  "--loop-limit": [[["--loop-limit", "1"], ["murphi"]]],
  "--call-depth": [[["--call-depth", "1"], ["murphi"]]],
  "--target": [
    [["--target", "waiting >= 1"], ["mist"]],
    [["--target", "item >= 1"], ["pnml"]],
    [["--target", "Stopper:last"], ["bp"]],
  ],
  "--bounded": [[["--bounded"], seesProperties ? nets : []]],
  "--sym-arg": [[["--sym-arg", "1:2"], seesProperties ? ["c"] : []]],
  "--sym-stdin": [[["--sym-stdin", "2"], seesProperties ? ["c"] : []]],
  "--cc": [[["--cc", clang], seesProperties ? ["c"] : []]],
  "--tasks": [[["--tasks", "plain"], seesProperties ? ["c"] : []]],
});

const output = (taken: readonly string[]): Table => ({
  "--json": [[["--json"], taken]],
  "--quiet": [[["--quiet"], taken, "answer"]],
  "--color": [[["--color", "never"], taken]],
});

/** Options of many runs, which a single run refuses. */
const withRuns = (args: readonly [string, ...string[]]): Table => ({ [args[0]]: [[args, []]] });

const simulate: Table = {
  ...ofModels(false),
  ...output(stepped),
  "--symmetry": [[["--symmetry", "heuristic"], []]],
  "--seed": [
    [["--seed", "7"], stepped],
    [["--seed", "7", "--interactive"], []],
  ],
  "--steps": [[["--steps", "1"], stepped]],
  // `test/cli/simulate-many.test.ts` makes the runs.
  "--runs": [[["--runs", "2"], ["typescript", "machines"], "answer"]],
  ...withRuns(["--shard", "1/2"]),
  ...withRuns(["--workers", "2"]),
  ...withRuns(["--property", "exceptions"]),
  ...withRuns(["--time", "60s"]),
  ...withRuns(["--accept", "probabilistic"]),
  ...withRuns(["--coverage"]),
  ...withRuns(["--no-minimise"]),
  ...withRuns(["--progress", "none"]),
  ...withRuns(["--html", "no/such/folder"]),
  ...withRuns(["--svg", "no/such/folder"]),
  "--interactive": [[["--interactive"], stepped, "answer"]],
  "--trace": [
    [["--trace", "0"], stepped, "answer"],
    [["--trace", "0", "--ltl", "<> (total == 7)"], ["promela"], "answer"],
    [["--trace", "0", "--bounded"], nets, "answer"],
    [["--trace", "0", "--symmetry", "exact"], []],
    [["--trace", "0", "--seed", "7"], []],
    [["--trace", "0", "--interactive"], []],
  ],
};

const replay: Table = {
  ...ofModels(true),
  ...output(replayed),
  "--property": [
    [["--property", "pair"], ["schedules"]],
    [["--property", "no such"], []],
  ],
  "--native": [[["--native"], ["c"], "answer"]],
  "--export": [
    [["--export", "itf"], replayed, "answer"],
    [["--export", "mermaid"], replayed, "answer"],
    [["--export", "plantuml"], replayed, "answer"],
    [["--export", "shiviz"], replayed, "answer"],
    [["--export", "page"], []],
    [["--export", "no such"], []],
  ],
  "--symmetry": [[["--symmetry", "heuristic"], []]],
  // `test/sandbox/inspect.test.ts` connects a debugger.
  "--inspect": [
    [
      ["--inspect", "0"],
      ["typescript", "machines"],
    ],
  ],
};

const explore: Table = {
  ...ofModels(true),
  // The page shows that the option is for other commands.
  "--refines": [[["--refines", here("counter.pml")], ["typescript"]]],
  // The page shows that a name is unknown.
  "--faults": [[["--faults", "loss"], ["typescript"]]],
  // The page shows errors in a specification.
  "--claim": [
    [
      ["--claim", here("claim.pml")],
      ["promela", "ndlog"],
    ],
  ],
  // Checks started from the page are reduced.
  "--symmetry": [[["--symmetry", "heuristic"], ["murphi"]]],
  "--at": [
    [["--at", "0"], all],
    [["--at", "x"], []],
  ],
  "--port": [
    [["--port", "0"], all],
    [["--port", "70000"], []],
  ],
  "--no-open": [[["--no-open"], all]],
};

/** Commands without a model: the effect of each option, and options that contradict it. */
const others: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  automaton: {
    "--negate": ["a U b", "--negate"],
    "--buchi": ["G (a -> F b)", "--buchi"],
    "--exact": ["F G a", "--exact"],
    "--dot": ["a", "--dot"],
    "--svg": ["a", "--svg"],
    "--never": ["a", "--never"],
    "--hoa": ["a", "--hoa"],
    "--tgba": ["a", "--tgba"],
    "--json": ["a", "--json"],
  },
  languages: { "--json": ["--json"], "--grid": ["--grid"] },
  engines: { "--json": ["--json"] },
  devices: { "--json": ["--json"] },
  options: {
    "--json": ["--json"],
    "--plan-states": ["--plan-states", "1000"],
    "--memory": ["--plan-states", "1000", "--memory", "1M"],
  },
};

const contradictions: readonly (readonly string[])[] = [
  ["options", "--memory", "1M"],
  ["automaton", "a", "--dot", "--svg"],
  ["automaton", "a", "--exact", "--buchi"],
  ["init", "--system", "--framework", "vitest"],
  ["certify", "no such file", "--json"],
];

const TABLE = "test/session/command-table.test.ts";

const longNames = (command: Command): string[] => command.options.map(({ long }) => long!).sort();

test("every command and every option is in a table", async () => {
  expect(longNames(addSimulateOptions(new Command()))).toEqual(Object.keys(simulate).sort());
  expect(longNames(addReplayOptions(new Command()))).toEqual(Object.keys(replay).sort());
  expect(longNames(addExploreOptions(new Command()))).toEqual(Object.keys(explore).sort());
  const listed = JSON.parse((await ran(["options", "--json"])).stdout) as {
    command: string;
    option: string;
  }[];
  const known = ["check", "simulate", "replay", "explore"];
  for (const command of new Set(listed.map((one) => one.command).filter((name) => !known.includes(name)))) {
    const options = listed
      .filter((one) => one.command === command)
      .map(({ option }) => option.split(" ")[0]!);
    // These have separate tests.
    if (!["certify", "init", "report", "lts", "compare", "learn", "lsp", "test"].includes(command))
      expect(options.sort()).toEqual(Object.keys(others[command] ?? {}).sort());
  }
});

describe.each(all)("%s", (row) => {
  const { file } = rows[row]!;
  cells("simulate", simulate, row, (args) => simulated(file, args));
  cells("replay", replay, row, (args) => ran(["replay", scheduleOf(row, args), file, ...args]));
  cells("explore", explore, row, (args) => explored(file, args));
});

describe("commands without a model", () => {
  for (const [command, options] of Object.entries(others))
    for (const [option, args] of Object.entries(options))
      test(`${command} ${option}`, async () => {
        const without = args.slice(0, args.indexOf(option));
        const [plain, result] = [await ran([command, ...without]), await ran([command, ...args])];
        expect(result.code, result.stderr).toBe(0);
        expect(result.stdout).not.toBe(plain.stdout);
      });

  test.each(contradictions)("%s %s %s %s is refused", async (...argv) =>
    expect(await ran(argv.filter((word) => word !== undefined))).toMatchObject({ code: 3 }),
  );
});

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function cells(
  command: string,
  table: Table,
  row: string,
  cell: (args: readonly string[]) => Promise<Result>,
): void {
  for (const cases of Object.values(table))
    for (const [args, taken, effect] of cases) {
      const isTaken = taken.includes(row);
      const called = [command, ...args];
      if (isTaken && args[0] === "--inspect") continue;
      test(`${command} ${args.join(" ")} is ${isTaken ? "taken" : "refused"}`, async () => {
        const { code, stdout, stderr } = await cell(args);
        if (!isTaken) {
          expect(code, `${unexpected(row, called, "takes", TABLE)}\n${stdout}${stderr}`).toBe(3);
          expectRefusal(`${stdout}${stderr}`);
          return;
        }
        expect(stderr, unexpected(row, called, "refuses", TABLE)).not.toMatch(REFUSED);
        expect([0, 1, 2], stderr).toContain(code);
        if (effect && command !== "explore") expect(stdout).not.toBe((await cell([])).stdout);
      });
    }
}

/** A base tuple needs its attributes, a program its inputs. */
function scheduleOf(row: string, args: readonly string[]): string {
  if (row === "ndlog") return "1:0,0,2";
  if (row === "c") return args.includes("--sym-arg") ? ":0,0,0,0" : ":0,0";
  return "0";
}

/** Runs in this process, code included; fixes the seed unless an argument chooses the run. */
async function simulated(file: string, args: readonly string[]): Promise<Result> {
  const isChosen = args.some((word) => ["--seed", "--trace", "--interactive"].includes(word));
  const argv = ["simulate", file, ...args, ...(isChosen ? [] : ["--seed", "1"]), "--steps", "50"];
  return caught(async (terminal) => {
    const command = addSimulateOptions(new Command().exitOverride().argument("<file>"));
    const flags = command.parse(argv.slice(1), { from: "user" }).opts<SimulateFlags>();
    return runSimulate(file, flags, terminal, argv, { ...registry });
  });
}

/** Runs up to the start of the server. */
async function explored(file: string, args: readonly string[]): Promise<Result> {
  const command = addExploreOptions(new Command().exitOverride().argument("<file>"));
  const parsed = (): ExploreFlags => command.parse([file, ...args], { from: "user" }).opts<ExploreFlags>();
  let flags: ExploreFlags;
  try {
    flags = parsed();
  } catch {
    return ran(["explore", file, ...args]);
  }
  const { diagnostics } = await mistakesOf(readInput(file) as Input, modelOptions(flags));
  return diagnostics.length > 0 ? ran(["explore", file, ...args]) : { code: 0, stdout: "", stderr: "" };
}

const ran = (argv: readonly string[]): Promise<Result> => caught((terminal) => run(argv, terminal));

async function caught(act: (terminal: Parameters<typeof run>[1]) => Promise<number>): Promise<Result> {
  const [stdout, stderr] = [new Text(), new Text()];
  const stdin = Readable.from([]) as unknown as NodeJS.ReadStream;
  const code = await act({ stdout: stdout.stream, stderr: stderr.stream, stdin, env: {} }).catch(
    (error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      stderr.stream.write(`${error.diagnostic.code}: ${error.diagnostic.message}`);
      return 3;
    },
  );
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Text {
  text = "";
  readonly stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      this.text += chunk.toString();
      done();
    },
  }) as unknown as NodeJS.WriteStream;
}
