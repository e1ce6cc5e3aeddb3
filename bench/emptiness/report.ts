/** Expected beside obtained, line by line; remembers whether all were as expected. */
export class Report {
  failures = 0;

  heading(text: string): void {
    console.log(`\n${text}\n`);
  }

  same(
    check: string,
    what: string,
    expected: string | number | boolean,
    obtained: string | number | boolean,
  ): void {
    this.holds(check, what, `${expected}`, `${obtained}`, `${expected}` === `${obtained}`);
  }

  holds(check: string, what: string, expected: string, obtained: string, isSo: boolean): void {
    if (!isSo) this.failures++;
    const verdict = isSo ? "ok     " : "DIFFERS";
    console.log(
      `${verdict} ${check.padEnd(6)} ${what.padEnd(42)} expected ${expected.padEnd(24)} obtained ${obtained}`,
    );
  }

  /** A figure that depends on choices the literature omits: printed, not judged. */
  beside(check: string, what: string, published: string, obtained: string): void {
    const verdict = published === obtained ? "equal  " : "       ";
    console.log(
      `${verdict} ${check.padEnd(6)} ${what.padEnd(42)} published ${published.padEnd(23)} obtained ${obtained}`,
    );
  }
}
