/**
 * Runs random C programs of Debian's csmith concretely and natively: the same output and exit code. Programs that run too long or reach
 * something unsupported are counted and named.
 *
 *     npm run fuzz:c -- --from SEED --count N
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runConcretely } from "../../src/engines/programs/index.js";
import { loadProgram } from "../../src/programs/index.js";

const HEADERS = "/usr/include/csmith";
const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const from = argument("--from", 1);
const count = argument("--count", 50);
if (spawnSync("csmith", ["--version"], { cwd: tmpdir() }).status !== 0 || !existsSync(HEADERS)) {
  console.error("csmith is not installed (Debian: csmith, libcsmith-dev)");
  process.exit(3);
}

const folder = mkdtempSync(join(tmpdir(), "everypath-csmith-"));
cpSync(HEADERS, folder, { recursive: true });
const tally = new Map<string, number>();
let different = 0;
for (let seed = from; seed < from + count; seed++) {
  const outcome = compared(seed);
  if (outcome.startsWith("different")) different++;
  const kind = outcome.split(":")[0] ?? "";
  tally.set(kind, (tally.get(kind) ?? 0) + 1);
  if (kind !== "same" && kind !== "long") console.log(`seed ${seed}: ${outcome}`);
}
rmSync(folder, { recursive: true, force: true });
console.log([...tally].map(([kind, number]) => `${kind} ${number}`).join(", "));
process.exit(different > 0 ? 1 : 0);

function compared(seed: number): string {
  const text = spawnSync("csmith", ["--seed", `${seed}`, "--max-funcs", "5"], {
    encoding: "utf8",
    cwd: folder,
  }).stdout;
  const file = join(folder, "program.c");
  const binary = join(folder, "program");
  writeFileSync(file, text);
  if (spawnSync("gcc", ["-w", "-O0", "-o", binary, file], { encoding: "utf8" }).status !== 0)
    return "gcc refuses";
  const native = spawnSync(binary, { timeout: 5000 });
  if (native.status === null) return "long: natively";
  const { module, diagnostics } = loadProgram({
    file,
    text,
    defines: [],
    compiler: undefined,
    source: () => undefined,
  });
  if (!module) return `different: clang refuses: ${diagnostics[0]?.message}`;
  const run = runConcretely({ module, inputs: { args: new Map(), stdin: undefined } }, [], 2e7);
  if (run.end === undefined) return "long: executed";
  if (run.end.kind === "unsupported") return `unsupported: ${run.end.what}`;
  if (run.end.kind !== "exit") return `different: ${JSON.stringify(run.end)}`;
  const isSame = run.end.code === native.status && Buffer.from(run.output).equals(native.stdout);
  return isSame
    ? "same"
    : `different: ${Buffer.from(run.output).toString().trim()}, natively ${native.stdout.toString().trim()}`;
}
