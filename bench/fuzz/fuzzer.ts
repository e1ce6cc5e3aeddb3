/** A fuzzer in a copy of the repository, rebundled after each change in a fraction of the first time. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { context, type BuildContext } from "esbuild";
import { bundleOf, bundling } from "../../scripts/bundling.mjs";

export class Fuzzer {
  readonly #root: string;
  /** Folder of the bundle, from which packages must be resolvable. */
  readonly #folder: string;
  readonly #bundle: string;
  readonly #arguments: readonly string[];
  readonly #context: BuildContext;

  private constructor(
    root: string,
    folder: string,
    bundle: string,
    args: readonly string[],
    building: BuildContext,
  ) {
    this.#root = root;
    this.#folder = folder;
    this.#bundle = bundle;
    this.#arguments = args;
    this.#context = building;
  }

  /** `by`: a script of `package.json`, with options. */
  static async begin(root: string, by: string): Promise<Fuzzer> {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const [script, ...more] = by.split(" ");
    const [, , file, ...args] = scripts[script!]!.split(" ");
    const folder = mkdtempSync(join(root, "node_modules/.cache/fuzzer-"));
    const building = await context(bundling(join(root, file!), folder));
    return new Fuzzer(root, folder, bundleOf(file!, folder), [...args, ...more], building);
  }

  async bundle(): Promise<void> {
    await this.#context.rebuild();
  }

  async end(): Promise<void> {
    await this.#context.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The numbers of differing cases, at most `most`. */
  differing(cases: readonly number[], most: number): number[] {
    const [first, end] = [cases[0]!, cases.at(-1)!];
    const isRange = cases.length === end - first + 1;
    const asked = isRange ? ["--from", `${first}`, "--count", `${cases.length}`] : ["--seeds", cases.join()];
    const args = [this.#bundle, ...this.#arguments, ...asked, "--stop-at", `${most}`];
    const ran = spawnSync(process.execPath, args, {
      cwd: this.#root,
      env: { ...process.env, EVERYPATH_ROOT: this.#root },
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    // A few cases miss the required shares of violations and reductions.
    const isOver =
      ran.status === 0 || (ran.status === 1 && /FAILED: |^(.*, )?(seed|DIFFERS)/m.test(ran.stdout));
    if (!isOver) throw new Error(`the fuzzer ended with ${ran.status}\n${ran.stdout}${ran.stderr}`);
    const seeds = ran.stdout.matchAll(/^(?:.*, )?(?:seed|DIFFERS --from) (\d+)\b/gm);
    return [...new Set([...seeds].map(([, seed]) => Number(seed)))].slice(0, most);
  }
}
