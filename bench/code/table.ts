/** A table of expected and obtained results, one line each as it comes; the exit code says whether all agree. */
export class Results {
  #failed = 0;
  #passed = 0;
  #open = 0;

  /** `expected` as text; equal texts agree unless `agrees` says. */
  row(name: string, expected: unknown, obtained: unknown, agrees = `${expected}` === `${obtained}`): void {
    if (agrees) this.#passed++;
    else this.#failed++;
    console.log(
      `${agrees ? "  ok  " : "DIFFER"}  ${name.padEnd(58)}  expected ${expected}  obtained ${obtained}`,
    );
  }

  /** Measured, not judged: depends on the machine. */
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
