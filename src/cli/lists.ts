/** `everypath languages`, `engines` and `options`: lists from the registry. */
import type { Command } from "commander";
import { DeviceProblem, type DeviceInfo } from "../model/index.js";
import { alignedRows, gridText } from "../report/index.js";
import { gridLines, registry } from "../session/index.js";
import type { Terminal } from "./terminal.js";

/** Elements of `languages --json`, `engines --json` and `options --json`. */
export interface LanguageJson {
  readonly name: string;
  readonly summary: string;
  readonly extensions: readonly string[];
}

export interface EngineJson {
  readonly name: string;
  readonly summary: string;
}

export interface OptionJson {
  readonly command: string;
  readonly option: string;
  readonly description: string;
}

export interface ListFlags {
  readonly json?: boolean;
}

export interface LanguageFlags extends ListFlags {
  readonly grid?: boolean;
}

export function listLanguages(flags: LanguageFlags, terminal: Terminal): number {
  if (flags.grid) return listCapabilities(flags, terminal);
  const rows = registry.languages.map(({ name, summary, extensions, fileNames = [] }): LanguageJson => ({
    name,
    summary,
    extensions: [...extensions, ...fileNames],
  }));
  return print(rows, (row) => [row.name, row.extensions.join(" "), row.summary], flags, terminal);
}

function listCapabilities(flags: ListFlags, { stdout }: Terminal): number {
  const lines = gridLines(registry);
  stdout.write(flags.json ? `${JSON.stringify(lines, null, 2)}\n` : gridText(lines));
  return 0;
}

export function listEngines(flags: ListFlags, terminal: Terminal): number {
  const rows = registry.engines.map(({ name, summary }): EngineJson => ({ name, summary }));
  return print(rows, (row) => [row.name, row.summary], flags, terminal);
}

export interface DeviceJson extends DeviceInfo {
  readonly number: number;
}

/** What `--device` takes; a device of kind cpu is the processor itself. */
export async function listDevices(flags: ListFlags, terminal: Terminal): Promise<number> {
  const { openClDevices } = await import("../devices/koffi.js");
  try {
    const rows = (await openClDevices()).list();
    if (rows.length === 0) throw new DeviceProblem("absent", "OpenCL finds no device");
    return print(
      rows.map((row, number): DeviceJson => ({ number, ...row })),
      ({ number, name, kind, memoryBytes, platform, lacks }) => [
        `${number}`,
        name,
        kind,
        `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`,
        platform,
        lacks.length === 0 ? "" : `cannot be used: it lacks ${lacks.join(", ")}`,
      ],
      flags,
      terminal,
    );
  } catch (error) {
    if (!(error instanceof DeviceProblem)) throw error;
    terminal.stderr.write(`${error.message}${error.hint === "" ? "" : `\nhint: ${error.hint}`}\n`);
    return 3;
  }
}

/** Every option of every command, from the definitions that parse them. */
export function listOptions(program: Command, flags: ListFlags, terminal: Terminal): number {
  const rows = program.commands.flatMap((command) =>
    command.options.map(({ flags: option, description }): OptionJson => ({
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
      store.kind === "compact" ? `${store.width} bits per state` : `${store.functions} bits set for a state`,
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
  else for (const line of alignedRows(rows.map(cells))) stdout.write(`${line}\n`);
  return 0;
}
