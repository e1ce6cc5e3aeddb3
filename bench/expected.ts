/** Prints expected and obtained; a difference makes the run fail. */
export function report(what: string, expected: unknown, obtained: unknown): void {
  const isMet = JSON.stringify(expected) === JSON.stringify(obtained);
  console.log(
    `${what}: expected ${JSON.stringify(expected)}, obtained ${JSON.stringify(obtained)}: ${isMet ? "met" : "missed"}`,
  );
  if (!isMet) process.exitCode = 1;
}
