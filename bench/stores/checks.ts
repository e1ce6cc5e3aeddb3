/** A list of acceptance checks with what was expected and what came out; the exit code says whether all agree. */
export class Checks {
  #failed = 0;
  #count = 0;

  report(name: string, expected: string | number, obtained: string | number, isMet: boolean): void {
    this.#count++;
    if (!isMet) this.#failed++;
    console.log(`${isMet ? "ok  " : "FAIL"}  ${name}: expected ${expected}, obtained ${obtained}`);
  }

  equal(name: string, expected: string | number, obtained: string | number): void {
    this.report(name, expected, obtained, expected === obtained);
  }

  /** A measurement that is shown and not judged: it counts as no check. */
  measured(name: string, obtained: string): void {
    console.log(`info  ${name}: ${obtained}`);
  }

  leftOut(name: string, why: string): void {
    console.log(`--    ${name}: left out: ${why}`);
  }

  finish(): void {
    console.log(`\n${this.#count} checks, ${this.#failed} failed`);
    process.exitCode = this.#failed === 0 ? 0 : 1;
  }
}

export const digits = (n: number): string => `${Number(n.toPrecision(4))}`;
