/** All outcomes of a small program, by running all its schedules in this process. */
import { collectingRejections, type WorldReport } from "../../src/code/realm/index.js";
import { HostProgram, ScheduleProgram, type ScheduleWorld } from "../../src/code/schedule/index.js";
import { ScheduleSearch } from "../../src/engines/schedules/index.js";
import type { ScheduleRequest, ScheduleRun } from "../../src/model/index.js";
import { limitsOf, type ScheduleOptions } from "../../src/session/schedules/options.js";
import { loadTestFile, type Framework, type TestFile } from "../../src/session/schedules/test-file.js";

interface Ran {
  readonly schedule: ScheduleRun;
  readonly report: WorldReport;
}

/** Distinct outcomes, sorted: the output of a run, with its ending unless it passed. */
export interface Outcomes {
  readonly said: readonly string[];
  /** Outcome of the first schedule. */
  readonly first: string;
  /** Bits of `Relied`. */
  readonly relied: number;
  readonly schedules: number;
}

const newSearch = (options: ScheduleOptions): ScheduleSearch =>
  new ScheduleSearch({ ...limitsOf(options).search, now: () => 0, cpuNow: () => 0 });

/** Hides failures: after one, a search would try only shorter schedules. */
const goingOn = ({ schedule }: Ran): ScheduleRun =>
  schedule.end === "failed" || schedule.end === "refused" ? { ...schedule, end: "passed" } : schedule;

const outcomeOf = ({ schedule: { end }, report }: Ran, said: readonly string[]): string => {
  if (end === "passed") return said.join(" ");
  const why = report.failure?.message;
  return [...said, end === "failed" ? `(${why})` : `(${why === undefined ? end : `${end}: ${why}`})`].join(
    " ",
  );
};

function outcomes(said: ReadonlySet<string>, search: ScheduleSearch): Outcomes {
  const { relied, schedules } = search.result();
  return { said: [...said].sort(), first: [...said][0]!, relied, schedules };
}

/** Outcomes of a body in this realm: the world without replacements of Node's modules. */
export async function hostOutcomes(
  body: (world: ScheduleWorld, say: (text: string) => void) => unknown,
  options: ScheduleOptions = {},
): Promise<Outcomes> {
  let said: string[] = [];
  const { world, search } = limitsOf(options);
  const program = new HostProgram((given) => body(given, (text) => void said.push(text)), world);
  const found = new Set<string>();
  const searching = newSearch(options);
  for (let next = searching.next(); next; next = searching.next()) {
    said = [];
    const ran = await program.runRecorded({ ...next, maxTurns: search.maxTurns }, false);
    found.add(outcomeOf(ran, said));
    searching.record(goingOn(ran));
  }
  return outcomes(found, searching);
}

export async function testFile(file: string, framework: Framework = "code"): Promise<TestFile> {
  const loaded = await loadTestFile({ file, framework });
  if ("diagnostics" in loaded) throw new Error(loaded.diagnostics.map(({ message }) => message).join("\n"));
  return loaded;
}

/** Outcomes of one test of a file, in new realms: its output. */
export function realmOutcomes(file: TestFile, name: string, options: ScheduleOptions = {}): Outcomes {
  const { world, search, allowsEval } = limitsOf(options);
  const { base, script } = file;
  const names = [name];
  const program = new ScheduleProgram({
    base,
    script,
    names,
    world,
    allowsEval,
    withCosts: false,
    timeoutMs: undefined,
  });
  const run = ({ plan }: ScheduleRequest): Ran => program.runRecorded(plan, search.maxTurns, false);
  const searching = newSearch(options);
  const found = new Set<string>();
  collectingRejections(() => {
    for (let next = searching.next(); next; next = searching.next()) {
      const ran = run(next);
      found.add(
        outcomeOf(
          ran,
          ran.report.output.map(({ text }) => text),
        ),
      );
      searching.record(goingOn(ran));
    }
  });
  return outcomes(found, searching);
}
