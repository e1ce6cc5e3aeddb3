/** Runs everypath for the editor; knows nothing of the editor. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** The configured command, else that of a workspace folder, else the one on PATH. */
export function commandIn(configured: string, folders: readonly string[]): string {
  if (configured !== "") return configured;
  const name = process.platform === "win32" ? "everypath.cmd" : "everypath";
  const local = folders.map((folder) => join(folder, "node_modules/.bin", name));
  return local.find((path) => existsSync(path)) ?? name;
}

export interface Checked {
  /** One line. */
  readonly sentence: string;
  readonly verdict: "holds" | "violated" | "unknown" | "refused";
  /** The page with the trace; undefined if nothing was checked. */
  readonly html: string | undefined;
}

export interface CheckRequest {
  readonly command: string;
  readonly file: string;
  readonly folder: string;
  /** Absent: all properties. */
  readonly property?: string | undefined;
  readonly options?: readonly string[];
}

export async function check({
  command,
  file,
  folder,
  property,
  options = [],
}: CheckRequest): Promise<Checked> {
  const scratch = mkdtempSync(join(tmpdir(), "everypath-"));
  const page = join(scratch, "report.html");
  const named = property === undefined ? [] : ["--property", property];
  try {
    const { stdout, stderr, code } = await run(
      command,
      ["check", file, ...named, ...options, "--quiet", "--html", page],
      folder,
    );
    const verdict = verdicts[code] ?? "refused";
    const said = verdict === "refused" ? `${stderr}${stdout}` : stdout;
    const sentence = said.split("\n").find((line) => line.trim() !== "") ?? `everypath ended with ${code}`;
    const html = existsSync(page) ? readFileSync(page, "utf8") : undefined;
    return { sentence: sentence.replace(file, basename(file)), verdict, html };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const verdicts: Readonly<Record<number, Checked["verdict"]>> = { 0: "holds", 1: "violated", 2: "unknown" };

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

function run(command: string, args: readonly string[], cwd: string): Promise<Ran> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024, shell: process.platform === "win32" };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error?.code;
      if (code === "ENOENT") reject(new Error(`'${command}' is not installed: npm install -D everypath`));
      else resolve({ stdout, stderr, code: typeof code === "number" ? code : error ? 70 : 0 });
    });
  });
}
