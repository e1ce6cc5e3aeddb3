/** The union of results that several jobs wrote with `--json`: shards of random runs, or checks of some properties each. */
import { worst, type VerdictKind } from "../model/index.js";
import type { CheckJson, DiagnosticJson, PropertyJson } from "./json.js";
import { figuresOf, unionOfFigures, unionOfProperties } from "./simulation.js";

/** One result for each checked file, in the order of names. */
export function unionOfResults(results: readonly CheckJson[]): CheckJson[] {
  const files = [...new Set(results.map(({ file }) => file))].sort();
  return files.map((file) => unionOfFile(results.filter((result) => result.file === file)));
}

function unionOfFile(parts: readonly CheckJson[]): CheckJson {
  const simulated = parts.filter((part) => figuresOf(part));
  const united = simulated.length > 0 ? unionOfShards(simulated) : undefined;
  const others = parts.filter((part) => !figuresOf(part));
  if (!united || others.length > 0) return unionOfChecks([...others, ...(united ? [united] : [])]);
  return united;
}

/** Checks of the same file, each of all properties or of some. */
function unionOfChecks(parts: readonly CheckJson[]): CheckJson {
  const [first] = parts as [CheckJson];
  if (parts.length === 1) return first;
  const names = [...new Set(parts.flatMap(({ properties }) => properties.map(({ name }) => name)))];
  // sound: test/report/shards.test.ts
  const properties = names.map((name) =>
    worstOf(parts.flatMap((p) => p.properties.filter((q) => q.name === name))),
  );
  const unchecked = first.unchecked.filter((name) => parts.every((part) => part.unchecked.includes(name)));
  return {
    ...first,
    ...concluded(properties, parts),
    unchecked: unchecked.filter((name) => !names.includes(name)),
    unreached: null,
    runs: parts.flatMap(({ runs }) => runs),
    accepted: parts.every(({ accepted }) => accepted !== null) ? first.accepted : null,
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

function worstOf(answers: readonly PropertyJson[]): PropertyJson {
  const verdict = worst(answers.map((answer) => answer.verdict));
  return answers.find((answer) => answer.verdict === verdict) ?? (answers as [PropertyJson])[0];
}

/** Shards of random runs. A missing shard leaves the answer open, also if `--accept` was given. */
function unionOfShards(parts: readonly CheckJson[]): CheckJson {
  const byRun = [...parts].sort((a, b) => failedRun(a) - failedRun(b));
  const [first] = byRun as [CheckJson];
  const figures = unionOfFigures(byRun.flatMap((part) => figuresOf(part) ?? []));
  const properties = unionOfProperties(
    byRun.map((part) => part.properties),
    (property) => property,
    figures,
  );
  const problems = problemsOf(byRun);
  const [run] = first.runs;
  const isAccepted = problems.length === 0 && byRun.every(({ accepted }) => accepted !== null); // sound: test/report/shards.test.ts
  return {
    ...first,
    ...concluded(properties, parts),
    runs: run ? [{ ...run, simulation: figures }] : [],
    accepted: isAccepted ? first.accepted : null,
    diagnostics: [...byRun.flatMap(({ diagnostics }) => diagnostics), ...problems],
  };
}

/** A reached `sometimes` in one shard and open questions in another are an open answer. */
function concluded(
  properties: readonly PropertyJson[],
  parts: readonly CheckJson[],
): Pick<CheckJson, "properties" | "verdict" | "trace" | "scope" | "stats"> {
  const [first] = parts as [CheckJson];
  const verdict: VerdictKind =
    properties.length > 0 ? worst(properties.map((p) => p.verdict)) : first.verdict;
  const kinds = ["partial", "probabilistic", "bounded", "complete"] as const;
  const kind = kinds.find((each) => parts.some(({ scope }) => scope.kind === each)) ?? "partial";
  const notes = [...new Set(parts.flatMap(({ scope }) => scope.notes))];
  const sum = (of: (stats: CheckJson["stats"]) => number): number =>
    parts.reduce((total, { stats }) => total + of(stats), 0);
  return {
    properties,
    verdict,
    trace: properties.find((p) => p.verdict === "violated")?.trace ?? null,
    scope: { ...first.scope, kind, notes },
    stats: {
      ...first.stats,
      states: sum(({ states }) => states),
      transitions: sum(({ transitions }) => transitions),
      depth: Math.max(...parts.map(({ stats }) => stats.depth)),
      seconds: sum(({ seconds }) => seconds),
      totalSeconds: sum(({ totalSeconds }) => totalSeconds),
    },
  };
}

const failedRun = (part: CheckJson): number => figuresOf(part)?.failed?.run ?? Infinity;

/** Shards that are missing, given twice, or of other runs. */
function problemsOf(parts: readonly CheckJson[]): DiagnosticJson[] {
  const figures = parts.flatMap((part) => figuresOf(part) ?? []);
  const [first] = figures;
  const { file = "" } = parts[0] ?? {};
  const at = { file, line: 1, column: 1, severity: "warning", hint: "" } as const;
  const isOther = figures.some(
    ({ seed, shard, stepsPerRun, options }) =>
      seed !== first?.seed ||
      shard?.of !== first.shard?.of ||
      stepsPerRun !== first.stepsPerRun ||
      options.join(" ") !== first.options.join(" "),
  );
  if (isOther)
    return [
      {
        ...at,
        severity: "error",
        code: "report/other-runs",
        message: "the shards have different seeds, options or numbers of steps",
        hint: "give every job the same options and --seed",
      },
    ];
  const of = first?.shard?.of ?? 1;
  const counts = Array.from(
    { length: of },
    (_, i) => figures.filter(({ shard }) => (shard?.index ?? 1) === i + 1).length,
  );
  const listed = (has: (count: number) => boolean): string =>
    rangesOf(counts.flatMap((count, i) => (has(count) ? [i + 1] : [])));
  const missing = listed((count) => count === 0);
  const twice = listed((count) => count > 1);
  return [
    ...(missing
      ? [{ ...at, code: "report/missing-shard", message: `shards are missing: ${missing} of ${of}` }]
      : []),
    ...(twice
      ? [{ ...at, code: "report/shard-twice", message: `shards are there twice: ${twice} of ${of}` }]
      : []),
  ];
}

/** `1, 3 to 5`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(", ");
}
