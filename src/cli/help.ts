/** The text of `--help`: options in groups, the most used first, and examples. */
import { Option, type Command, type Help } from "commander";

/** Options by group, in the order of `--help`. Every option of `check` belongs to one; a test checks it. */
export const helpGroups: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "Most used:",
    [
      "--property",
      "--invariant",
      "--ltl",
      "--define",
      "--search",
      "--workers",
      "--time",
      "--memory",
      "--json",
      "--trace",
    ],
  ],
  [
    "Properties:",
    ["--no-deadlock", "--deadlock", "--claim", "--fairness", "--errors", "--accept", "--certificate"],
  ],
  [
    "Search:",
    [
      "--engine",
      "--emptiness",
      "--device",
      "--gpu-memory",
      "--max-states",
      "--max-depth",
      "--disk",
      "--resume",
      "--seed",
    ],
  ],
  ["Reductions:", ["--reduction", "--check-reduction", "--plain"]],
  [
    "Stores:",
    [
      "--store",
      "--table",
      "--expect-states",
      "--hash-functions",
      "--hash-bits",
      "--hash",
      "--delta-distance",
    ],
  ],
  ["Output:", ["--quiet", "--html", "--svg", "--color", "--progress", "--emit-code"]],
  ["Input:", ["--language"]],
  [
    "Promela:",
    [
      "--lose-when-full",
      "--end-needs-empty-channels",
      "--limit-processes",
      "--integers",
      "--refactor",
      "--arrays",
      "--warn-truncation",
    ],
  ],
  ["Murphi:", ["--dialect", "--symmetry", "--loop-limit", "--call-depth", "--trace-format"]],
  [
    "Nets and message-passing programs:",
    ["--target", "--bounded", "--count", "--emit-net", "--net-encoding", "--emit-program"],
  ],
  [
    "Guarded commands and solvers:",
    [
      "--solver",
      "--dump-smt",
      "--explore",
      "--closure",
      "--refine-from",
      "--refine-atoms",
      "--model",
      "--dot",
    ],
  ],
  [
    "Transition systems:",
    ["--formula", "--relation", "--rule", "--order", "--alphabet", "--assumptions", "--hierarchy"],
  ],
  ["Boolean programs:", ["--fixpoint", "--emit-promela"]],
  ["χ:", ["--certify-laws"]],
  ["C programs:", ["--sym-arg", "--sym-stdin", "--cc", "--unwind", "--strategy", "--tasks", "--emit-seq"]],
  ["Networks:", ["--concrete", "--compat", "--emit-murphi"]],
  [
    "Systems and tests in TypeScript:",
    [
      "--faults",
      "--refines",
      "--coverage",
      "--slice",
      "--slice-values",
      "--no-minimise",
      "--bound",
      "--runs",
    ],
  ],
]);

/** Groups the options of a command in its help. */
export function groupOptions(command: Command): Command {
  for (const [heading, names] of helpGroups)
    for (const option of command.options)
      if (option.long && names.includes(option.long)) option.helpGroup(heading);
  return command.configureHelp({ groupItems });
}

/** As commander's, with groups and options in the order above; ungrouped items come last. */
const groupItems: Help["groupItems"] = (_, visible, groupOf) => {
  const order = [...helpGroups.values()].flat();
  const rank = (item: unknown): number => {
    const place = item instanceof Option && item.long ? order.indexOf(item.long) : -1;
    return place < 0 ? order.length : place;
  };
  const groups = new Map<string, typeof visible>();
  for (const item of visible.toSorted((a, b) => rank(a) - rank(b))) {
    const heading = groupOf(item);
    groups.set(heading, [...(groups.get(heading) ?? []), item]);
  }
  return groups;
};

export const checkExamples = `
Examples:
  everypath check model.pml                         every property that the model declares
  everypath check model.pml --ltl '[]<> served'     one more temporal property
  everypath check model.m --workers 4 --time 10m    four threads, ten minutes at most
  everypath check system.ts --json > result.json    the result for other programs
  everypath check model.pml --html report.html      the result as a page`;
