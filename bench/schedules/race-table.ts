/** Every race and its repair: schedules and processor time, beside fast-check's scheduler where it can express the race. */
import { join } from "node:path";
import { explore, type Exploration } from "../../src/session/schedules/explore.js";
import { median } from "../statistics.js";
import { fastCheckOn, type FastChecked } from "./fast-check.js";
import { memoryRaces, orderRaces, resourceRaces, type Race } from "./races/index.js";
import { snippets } from "./snippets.js";

interface Entry extends Pick<Race, "name" | "plain"> {
  readonly kind: string;
  readonly file: string;
}

const fileOf = (name: string): string => join(process.cwd(), "bench/schedules", name);

const entries: readonly Entry[] = [
  ...snippets.map(({ name, buggy, correct }): Entry => ({
    name,
    kind: "memory",
    file: fileOf("under-test.ts"),
    plain: (pause, isCorrect) => (isCorrect ? correct(pause) : buggy(pause)),
  })),
  ...[...memoryRaces, ...orderRaces].map((race) => entry(race, "races-plain.ts")),
  ...resourceRaces.map((race) => entry(race, "races-resources.ts")),
];

function entry({ name, pattern, resource, plain }: Race, file: string): Entry {
  return { name, kind: `${pattern}, ${resource}`, file: fileOf(file), ...(plain ? { plain } : {}) };
}

export async function raceTable(): Promise<{
  readonly table: readonly (readonly string[])[];
  readonly summary: readonly string[];
  readonly problems: number;
}> {
  const rows: string[][] = [];
  const [buggy, correct]: [Exploration[], Exploration[]] = [[], []];
  const theirs: FastChecked[] = [];
  for (const { name, kind, file, plain } of entries) {
    const found = await exploreTest(file, `${name}, buggy`);
    const repaired = await exploreTest(file, `${name}, correct`);
    const other = plain && (await fastCheckOn((pause) => plain(pause, false)));
    buggy.push(found);
    correct.push(repaired);
    if (other) theirs.push(other);
    rows.push([
      name,
      kind,
      isFound(found) ? `${found.failing!.report.turns}` : "NOT FOUND",
      `${found.result?.schedules ?? "-"}`,
      ms(found),
      isProved(repaired) ? `${repaired.result!.schedules}` : `NOT PROVED: ${repaired.verdict}`,
      ms(repaired),
      other ? `${other.shortest ?? "none"}` : "",
      other ? `${other.failures}/1000` : "not expressible",
    ]);
  }
  const [found, proved] = [buggy.filter(isFound).length, correct.filter(isProved).length];
  const seen = theirs.filter(({ failures }) => failures > 0).length;
  return {
    table: [header, ...rows],
    summary: [
      `${found} of ${entries.length} races found, ${proved} of ${entries.length} repairs exhausted`,
      `median of the races: ${medianOf(buggy, schedulesOf)} schedules, ${medianOf(buggy, cpuOf).toFixed(1)} ms of processor time`,
      `median of the repairs: ${medianOf(correct, schedulesOf)} schedules, ${medianOf(correct, cpuOf).toFixed(1)} ms of processor time`,
      `fast-check expresses ${theirs.length} of them, and finds ${seen} in 1,000 runs (median ${(median(theirs.map(({ seconds }) => seconds)) * 1000).toFixed(1)} ms); it cannot exhaust a repair`,
    ],
    problems: 2 * entries.length - found - proved,
  };
}

const header = [
  "race",
  "pattern",
  "ours: length",
  "schedules",
  "ms",
  "repair: all schedules",
  "ms",
  "fast-check: shortest",
  "failing runs",
];

const exploreTest = (file: string, name: string): Promise<Exploration> =>
  explore({ file, framework: "code", names: [name], body: () => {} }, { schedules: 5000, cpuMs: 10_000 });

const isFound = ({ verdict, result }: Exploration): boolean => verdict === "violated" && result!.isExhausted;
const isProved = ({ verdict, result }: Exploration): boolean => verdict === "holds" && result!.isExhausted;
const schedulesOf = ({ result }: Exploration): number => result?.schedules ?? NaN;
const cpuOf = ({ result }: Exploration): number => result?.cpuMs ?? NaN;
const ms = (exploration: Exploration): string => cpuOf(exploration).toFixed(0);
const medianOf = (all: readonly Exploration[], of: (one: Exploration) => number): number =>
  median(all.map(of));
