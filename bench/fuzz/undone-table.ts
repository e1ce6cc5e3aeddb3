/** Reads and writes `undone.md`, the table of undone conditions. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { undoings } from "./undoings.js";

export interface Seen {
  /** A case that shows it. */
  readonly case: number | undefined;
  /** Cases tried, up to that one. */
  readonly tried: number;
}

const pathIn = (root: string): string => join(root, "bench/fuzz/undone.md");

/** By name of the condition. */
export function readUndone(root: string): Map<string, Seen> {
  if (!existsSync(pathIn(root))) return new Map();
  const rows = readFileSync(pathIn(root), "utf8").matchAll(/^\| (.+?) +\| `.+?` +\| (not in )?(\d+) +\|$/gm);
  return new Map(
    [...rows].map(([, name, isMissing, number]) => [
      name!,
      { case: isMissing === undefined ? Number(number) : undefined, tried: Number(number) },
    ]),
  );
}

/** Conditions that are no longer undone are dropped. */
export function writeUndone(root: string, table: ReadonlyMap<string, Seen>): void {
  const rows = undoings.flatMap(({ name, by }) => {
    const seen = table.get(name);
    return seen ? [[name, `\`${by}\``, seen.case?.toString() ?? `not in ${seen.tried}`]] : [];
  });
  writeFileSync(pathIn(root), `${HEAD}${aligned([["undone", "fuzzer", "seen by case"], ...rows])}`);
}

const HEAD = `# Removed soundness conditions

\`npm run fuzz:undone\` writes this table: the number of a case, counted from 1, on which the fuzzer fails without the condition and passes with it.
The fuzzer may also fail on an earlier case: a run skips cases without the feature that the condition concerns.

`;

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[], fill: string): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(" | ")} |`;
  const [head, ...others] = rows.map((row) => line(row, " "));
  return [
    head,
    line(
      widths.map(() => ""),
      "-",
    ),
    ...others,
    "",
  ].join("\n");
}
