/**
 * Delta debugging: repeatedly takes the first smaller program that still fails, until none does or the attempts are
 * exhausted.
 */
export async function minimise<T>(
  failing: T,
  smaller: (candidate: T) => Iterable<T>,
  stillFails: (candidate: T) => Promise<boolean>,
  maxAttempts = 400,
): Promise<T> {
  let smallest = failing;
  let attempts = 0;
  for (;;) {
    const next = await firstFailing(smaller(smallest));
    if (next === undefined) return smallest;
    smallest = next;
  }

  async function firstFailing(candidates: Iterable<T>): Promise<T | undefined> {
    for (const candidate of candidates) {
      if (attempts++ >= maxAttempts) return undefined;
      if (await stillFails(candidate)) return candidate;
    }
    return undefined;
  }
}
