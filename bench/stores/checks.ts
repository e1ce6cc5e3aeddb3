import { spawnSync } from "node:child_process";

/** Acceptance checks, expected and obtained, in named parts that can run alone; prints a summary and sets the exit code. */
export class Checks {
  #met = 0;
  #leftOut = 0;
  readonly #missed: string[] = [];
  readonly #only: string;

  /** Only parts whose name contains `only` are run. */
  constructor(only = "") {
    this.#only = only;
  }

  async part(name: string, run: () => void | Promise<void>): Promise<void> {
    if (!name.includes(this.#only)) return;
    const started = performance.now();
    await run();
    console.log(`      (${name}: ${((performance.now() - started) / 1000).toFixed(0)} s)`);
  }

  /** Runs the part in a separate process, so that timing does not depend on earlier parts. Returns the printed lines. */
  async partApart(name: string, run: () => void | Promise<void>): Promise<readonly string[]> {
    if (name === this.#only) await this.part(name, run);
    if (name === this.#only || !name.includes(this.#only)) return [];
    const { stdout } = spawnSync(process.execPath, [process.argv[1]!, "--published", "--only", name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = stdout.split("\n").filter((line) => /^(ok {2}|MISS|info| {6}\()/.test(line));
    const judged = lines.map((line) => /^(ok {2}|MISS) {2}(.*?): expected/.exec(line)).filter((row) => row);
    for (const row of judged) {
      if (row![1] === "MISS") this.#missed.push(row![2]!);
      else this.#met++;
    }
    if (judged.length === 0) this.#missed.push(`${name}: no figures`);
    console.log(lines.join("\n"));
    return lines;
  }

  report(name: string, expected: string | number, obtained: string | number, isMet: boolean): void {
    if (isMet) this.#met++;
    else this.#missed.push(name);
    console.log(`${isMet ? "ok  " : "MISS"}  ${name}: expected ${expected}, obtained ${obtained}`);
  }

  equal(name: string, expected: string | number, obtained: string | number): void {
    this.report(name, expected, obtained, expected === obtained);
  }

  /** Prints a measurement without judging it. */
  measured(name: string, obtained: string): void {
    console.log(`info  ${name}: ${obtained}`);
  }

  leftOut(name: string, why: string): void {
    this.#leftOut++;
    console.log(`--    ${name}: left out: ${why}`);
  }

  finish(): void {
    const missed = this.#missed.length;
    const list = missed === 0 ? "" : `: ${this.#missed.join("; ")}`;
    console.log(`\n${this.#met} met, ${this.#leftOut} left out, ${missed} missed${list}`);
    process.exitCode = missed === 0 ? 0 : 1;
  }
}

export const digits = (n: number): string => `${Number(n.toPrecision(4))}`;
