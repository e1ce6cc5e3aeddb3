/** A table of expected and obtained results, printed line by line; the exit code is 0 if all agree. */
export class Results {
  #failed = 0;
  #passed = 0;
  #open = 0;

  /** Results agree if their texts are equal, unless `agrees` is given. */
  row(name: string, expected: unknown, obtained: unknown, agrees = `${expected}` === `${obtained}`): void {
    if (agrees) this.#passed++;
    else this.#failed++;
    console.log(
      `${agrees ? "  ok  " : "DIFFER"}  ${name.padEnd(58)}  expected ${expected}  obtained ${obtained}`,
    );
  }

  /** A measurement that depends on the machine, without judgement. */
  figure(name: string, text: string): void {
    console.log(`  --    ${name.padEnd(58)}  ${text}`);
  }

  open(name: string, why: string): void {
    this.#open++;
    console.log(` open   ${name.padEnd(58)}  ${why}`);
  }

  heading(text: string): void {
    console.log(`\n${text}`);
  }

  finish(): void {
    console.log(`\n${this.#passed} agree, ${this.#failed} differ, ${this.#open} open`);
    process.exitCode = this.#failed === 0 ? 0 : 1;
  }
}
