/**
 * A list of acceptance checks with what was expected and what came out, in named parts that can be run alone; the last line sums
 * up, and the exit code says whether all agree.
 */
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

  report(name: string, expected: string | number, obtained: string | number, isMet: boolean): void {
    if (isMet) this.#met++;
    else this.#missed.push(name);
    console.log(`${isMet ? "ok  " : "MISS"}  ${name}: expected ${expected}, obtained ${obtained}`);
  }

  equal(name: string, expected: string | number, obtained: string | number): void {
    this.report(name, expected, obtained, expected === obtained);
  }

  /** A measurement that is shown and not judged: it counts as no check. */
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
