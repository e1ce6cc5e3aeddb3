/** Finds clang, runs it, and reads its messages. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Diagnostic, Span } from "../model/diagnostic.js";
import { HEADER } from "./library.js";
import { preludeOf, rewritten, TASK_HEADER, type TaskDialect } from "./tasks/dialect.js";

/** Pointers have no types from this release on. */
const OLDEST = 15;
const NEWEST = 30;

/** The command of clang, or the reason why there is none. */
export function findClang(
  wanted: string | undefined,
): { readonly command: string } | { readonly problem: string } {
  const names =
    wanted !== undefined
      ? [wanted]
      : [...Array.from({ length: NEWEST - OLDEST + 1 }, (_, n) => `clang-${NEWEST - n}`), "clang"];
  let older: string | undefined;
  for (const command of names) {
    const version = versionOf(command);
    if (version === undefined) continue;
    if (version >= OLDEST) return { command };
    older ??= `${command} is clang ${version}`;
  }
  if (older !== undefined) return { problem: `${older}, and its pointers have types` };
  return { problem: wanted === undefined ? "clang is not installed" : `'${wanted}' is not clang` };
}

const versions = new Map<string, number | undefined>();

function versionOf(command: string): number | undefined {
  if (versions.has(command)) return versions.get(command);
  const { stdout, status } = spawnSync(command, ["--version"], { encoding: "utf8", timeout: 20_000 });
  const found = status === 0 ? /clang version (\d+)/.exec(stdout)?.[1] : undefined;
  const version = found === undefined ? undefined : Number(found);
  versions.set(command, version);
  return version;
}

/** Checks whose handlers the executor reports. It checks accesses to memory itself, with more knowledge. */
const CHECKS = [
  "signed-integer-overflow",
  "shift",
  "array-bounds",
  "integer-divide-by-zero",
  "unreachable",
  "vla-bound",
  "bool",
  "float-cast-overflow",
  "builtin",
  "nonnull-attribute",
];

/** Clang marks where the scope of a variable begins and ends if it is to check for uses after it; the pass that would check does not run. */
const SCOPES = [
  "-fsanitize=address",
  "-fsanitize-address-use-after-scope",
  "-Xclang",
  "-disable-llvm-passes",
];

export interface Compilation {
  readonly file: string;
  readonly text: string;
  readonly defines: readonly string[];
  readonly isLibrary: boolean;
  readonly tasks?: TaskDialect | undefined;
}

/** Intermediate representation as text, or messages. */
export function compile(
  command: string,
  { file, text, defines, isLibrary, tasks }: Compilation,
): { readonly text: string } | { readonly messages: readonly Message[] } {
  const folder = mkdtempSync(join(tmpdir(), "everypath-c-"));
  try {
    writeFileSync(join(folder, "everypath.h"), HEADER);
    if (tasks) writeFileSync(join(folder, "bbs.h"), TASK_HEADER);
    const args = [
      ...["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-x", "c", "-w", "-o", "-"],
      ...[
        "--target=x86_64-linux-gnu",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-ffp-contract=off",
      ],
      // Without it, functions of ctype.h are tables.
      ...["-D__NO_CTYPE", "-isystem", folder, "-iquote", dirname(file)],
      ...(isLibrary
        ? ["-fno-builtin"]
        : ["-g", ...SCOPES, `-fsanitize=${CHECKS.join(",")}`, "-fno-sanitize-recover=all"]),
      ...defines.map((define) => `-D${define}`),
      "-",
    ];
    const own = tasks ? rewritten(text, tasks) : text;
    const input = `${tasks ? preludeOf(tasks) : ""}# 1 ${JSON.stringify(file)}\n${own}`;
    const { stdout, stderr, status, error } = spawnSync(command, args, {
      input,
      encoding: "utf8",
      maxBuffer: 2 ** 29,
      timeout: 120_000,
    });
    if (status === 0) return { text: stdout };
    return { messages: messagesOf(stderr || (error?.message ?? `${command} fails`), file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Message {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Errors; clang's other lines explain them. */
function messagesOf(output: string, file: string): Message[] {
  const messages: Message[] = [];
  for (const line of output.split("\n")) {
    const [, where, row, column, text] = /^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$/.exec(line) ?? [];
    if (where !== undefined && text !== undefined)
      messages.push({ file: where, line: Number(row), column: Number(column), text });
  }
  if (messages.length > 0) return messages;
  const [first = "clang fails"] = output.split("\n").filter((line) => line.trim() !== "");
  return [{ file, line: 1, column: 1, text: first }];
}

export function diagnosticOf({ file, line, column, text }: Message, source: string | undefined): Diagnostic {
  return { code: "c/clang", severity: "error", message: text, span: spanAt(file, source, line, column) };
}

export function spanAt(file: string, text: string | undefined, line: number, column: number): Span {
  if (text === undefined) return { file, start: 0, end: 0 };
  let start = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf("\n", start);
    if (next < 0) break;
    start = next + 1;
  }
  const offset = Math.min(text.length, start + column - 1);
  return { file, start: offset, end: offset };
}
