/** Runs Rumur: translates models to C, compiles, and parses the verifier's summary. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type RumurResult =
  | {
      readonly kind: "finished";
      readonly states: number;
      readonly rules: number;
      readonly errors: number;
      readonly message: string;
    }
  /** Rumur refuses the model, its C does not compile, or the verifier does not terminate. */
  | { readonly kind: "refused"; readonly why: string };

/** Without symmetry reduction, unless `options` request it. */
export function runRumur(text: string, options: readonly string[] = []): RumurResult {
  const folder = mkdtempSync(join(tmpdir(), "rumur-"));
  try {
    return runIn(folder, text, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runIn(folder: string, text: string, options: readonly string[]): RumurResult {
  const [model, code, verifier] = ["m.m", "m.c", "m"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(model, text);
  const settings = ["--value-type", "int32_t", "--threads", "1", "--symmetry-reduction", "off"];
  const translated = run("rumur", [
    ...settings,
    "--output-format",
    "machine-readable",
    ...options,
    "--output",
    code,
    model,
  ]);
  if (translated.status !== 0) return { kind: "refused", why: translated.stderr };
  // Rumur declares procedures that write no state variable as pure; gcc then removes their calls, with the errors
  // inside.
  writeFileSync(code, readFileSync(code, "utf8").replaceAll("__attribute__((pure))", ""));
  const compiled = run("gcc", ["-std=c11", "-O0", "-w", "-o", verifier, code, "-lpthread"]);
  if (compiled.status !== 0) return { kind: "refused", why: compiled.stderr };
  const { stdout, status } = run(verifier, []);
  const summary = /<summary states="(\d+)" rules_fired="(\d+)" errors="(\d+)"/.exec(stdout);
  if (!summary) return { kind: "refused", why: `the verifier ends with ${status ?? "a signal"}` };
  const [, states, rules, errors] = summary.map(Number);
  const message = /<message>([^<]*)/.exec(stdout)?.[1] ?? "";
  return { kind: "finished", states: states!, rules: rules!, errors: errors!, message };
}

/** Limit for verifiers that do not terminate; generous, because the machine may be busy. */
const MOST_MS = 240_000;

const run = (
  command: string,
  given: readonly string[],
): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(command, given, { encoding: "utf8", timeout: MOST_MS });
