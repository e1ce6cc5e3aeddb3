/** `everypath compare A B --relation R`: are two systems alike to whoever sees only their visible actions? */
import { Option, type Command } from "commander";
import {
  isEquivalence,
  relations,
  type Equivalence,
  type Evidence,
  type Relation,
} from "../engines/lts/index.js";
import { hasErrors } from "../model/index.js";
import { counted, diagnosticJson, palette, version, type DiagnosticJson } from "../report/index.js";
import { compareInputs, readInput, registry, type CompareResult, type Input } from "../session/index.js";
import { Exit } from "./exit.js";
import {
  addExplorationOptions,
  controlled,
  printDiagnostics,
  stopText,
  type ExplorationFlags,
} from "./lts-options.js";
import { hasColor, type Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { oneOf } from "./values.js";

export interface CompareFlags extends ExplorationFlags {
  readonly relation: Relation;
  readonly json?: boolean;
}

export const addCompareOptions = (command: Command): Command =>
  addExplorationOptions(
    command
      .addOption(
        new Option("--relation <name>", relations.join(", "))
          .default("branching")
          .argParser(oneOf("--relation", relations)),
      )
      .option("--json", "print one JSON object"),
  );

export async function runCompare(
  files: readonly [string, string],
  flags: CompareFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const inputs = files.map((file): Input => {
    const input = readInput(file);
    if ("code" in input) throw usageError(argv, "cannot-read", input.message, file);
    return input;
  });
  const result = await controlled(flags, terminal, (options) =>
    compareInputs([inputs[0], inputs[1]], flags.relation, options, registry),
  );
  if (flags.json) terminal.stdout.write(`${JSON.stringify(compareJson(result, flags.relation), null, 2)}\n`);
  else {
    for (const { diagnostics, sources } of result.systems)
      printDiagnostics(diagnostics, sources, flags, terminal);
    terminal.stdout.write(textOf(result, flags, terminal));
  }
  return exitCodeOf(result);
}

const verdictOf = ({ systems, comparison }: CompareResult): "alike" | "different" | "unknown" | undefined => {
  if (systems.some(({ diagnostics }) => hasErrors(diagnostics))) return undefined;
  // Behaviour beyond a bound may match or differ.
  // sound: test/cli/lts.test.ts
  if (!comparison || systems.some(({ isCut }) => isCut)) return "unknown";
  return comparison.isRelated ? "alike" : "different";
};

function exitCodeOf(result: CompareResult): number {
  switch (verdictOf(result)) {
    case undefined:
      return Exit.badInput;
    case "alike":
      return Exit.holds;
    case "different":
      return Exit.violated;
    case "unknown":
      return Exit.unknown;
  }
}

function textOf(result: CompareResult, flags: CompareFlags, { stdout, env }: Terminal): string {
  const { systems, comparison, stop } = result;
  const { relation } = flags;
  const colors = palette(hasColor(flags.color, stdout, env));
  const [first, second] = systems.map(({ file }) => file);
  const names = `${first} and ${second}`;
  const sizes = systems.map(
    ({ file, explored: { states, transitions } }) =>
      `  ${file}: ${counted(states, "state")}, ${counted(transitions, "transition")}`,
  );
  switch (verdictOf(result)) {
    case undefined:
      return "";
    case "unknown": {
      const problem = systems
        .find(({ lts }) => !lts)
        ?.diagnostics.find(({ severity }) => severity !== "note");
      const why = stop ? stopText(stop) : (problem?.message ?? "a bound cuts the systems");
      return `${names}: ${colors.warning("unknown")}: ${why}\n`;
    }
    case "alike": {
      const how = isEquivalence(relation) ? alikeText(relation) : includedText[relation];
      return `${names}: ${colors.good(how)}\n${sizes.join("\n")}\n`;
    }
    case "different": {
      const evidence = comparison?.evidence ? evidenceLines(comparison.evidence, [first, second]) : [];
      const isolated = result.isAlikeInIsolation
        ? ["  alike in isolation, not under parallel composition"]
        : [];
      return `${names}: ${colors.bad(`different (${relation})`)}\n${[...evidence, ...isolated, ...sizes].join("\n")}\n`;
    }
  }
}

const alikeText = (relation: Equivalence): string =>
  relation.endsWith("congruence") ? `alike (${relation})` : `alike (${relation} bisimilarity)`;

const includedText = {
  trace: "every trace of the first is one of the second",
  simulation: "the second simulates the first",
} as const;

function evidenceLines(evidence: Evidence, [first, second]: readonly [string, string]): string[] {
  const [owner, other] = evidence.in === "first" ? [first, second] : [second, first];
  if (evidence.kind === "trace")
    return [
      `  only ${owner} shows this trace; ${other} shows all but its last action:`,
      `    ${evidence.labels.join(" → ")}`,
    ];
  return [`  holds in ${owner}, not in ${other}:`, `    ${evidence.text}`];
}

/** Output of `compare --json`. */
export interface CompareJson {
  readonly everypath: string;
  readonly relation: Relation;
  readonly verdict: "alike" | "different" | "unknown";
  /** Why the computation did not end. */
  readonly stop?: string;
  readonly systems: readonly {
    readonly file: string;
    readonly language: string;
    readonly states: number;
    readonly transitions: number;
    readonly notes: readonly string[];
  }[];
  /** Blocks of both systems together. */
  readonly blocks?: number;
  /** Behaviour of one system that the other lacks. */
  readonly evidence: Evidence | null;
  /** Of a congruence: alike without an environment. */
  readonly alikeInIsolation?: boolean;
  readonly seconds: number;
  readonly diagnostics: readonly DiagnosticJson[];
}

const compareJson = (result: CompareResult, relation: Relation): CompareJson => ({
  everypath: version,
  relation,
  verdict: verdictOf(result) ?? "unknown",
  ...(result.stop === undefined ? {} : { stop: result.stop }),
  systems: result.systems.map(({ file, language, explored, notes }) => ({
    file,
    language,
    ...explored,
    notes,
  })),
  ...(result.comparison ? { blocks: result.comparison.blocks } : {}),
  evidence: result.comparison?.evidence ?? null,
  ...(result.isAlikeInIsolation === undefined ? {} : { alikeInIsolation: result.isAlikeInIsolation }),
  seconds: result.seconds,
  diagnostics: result.systems.flatMap(({ diagnostics, sources }) =>
    diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)),
  ),
});
