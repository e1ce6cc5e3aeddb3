/** `everypath languages`, `engines` and `options`: lists from the registry. */
import type { Command } from "commander";
import { registry } from "../session/index.js";
import type { Terminal } from "./terminal.js";

export interface ListFlags {
  readonly json?: boolean;
}

export function listLanguages(flags: ListFlags, terminal: Terminal): number {
  const rows = registry.languages.map(({ name, summary, extensions, fileNames = [] }) => ({
    name,
    summary,
    extensions: [...extensions, ...fileNames],
  }));
  return print(rows, (row) => [row.name, row.extensions.join(" "), row.summary], flags, terminal);
}

export function listEngines(flags: ListFlags, terminal: Terminal): number {
  const rows = registry.engines.map(({ name, summary }) => ({ name, summary }));
  return print(rows, (row) => [row.name, row.summary], flags, terminal);
}

/** Every option of every command, from the definitions that parse them. */
export function listOptions(program: Command, flags: ListFlags, terminal: Terminal): number {
  const rows = program.commands.flatMap((command) =>
    command.options.map(({ flags: option, description }) => ({
      command: command.name(),
      option,
      description,
    })),
  );
  return print(rows, (row) => [row.command, row.option, row.description], flags, terminal);
}

export interface PlanFlags extends ListFlags {
  readonly planStates?: number;
  readonly memory?: number;
}

/** The lossy stores for a number of states, the most reliable first. */
export async function listPlans(states: number, flags: PlanFlags, terminal: Terminal): Promise<number> {
  const { formatExpected, formatProbability, plans } = await import("../engines/explicit/index.js");
  const rows = plans(states, flags.memory ?? 2 ** 30);
  return print(
    rows,
    ({ options, store, omissions }) => [
      options,
      store.kind === "compact" ? `${store.width} bits a state` : `${store.functions} bits set for a state`,
      `omissions: any with a probability of ${formatProbability(omissions.probability)}`,
      `${formatExpected(omissions.expected)} expected`,
    ],
    flags,
    terminal,
  );
}

function print<T>(
  rows: readonly T[],
  cells: (row: T) => readonly string[],
  flags: ListFlags,
  { stdout }: Terminal,
): number {
  if (flags.json) stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else stdout.write(table(rows.map(cells)));
  return 0;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
