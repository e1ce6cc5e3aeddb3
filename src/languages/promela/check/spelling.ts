/** "Did you mean …?" */

/** A hint with the candidate nearest to `name`, if one is near enough to be a slip of the fingers. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name, candidate);
    if (distance < bestDistance && distance > 0) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best === undefined ? undefined : `did you mean \`${best}\`?`;
}

/** Nobody retypes longer names by hand. */
const LONGEST = 64;

/** Levenshtein's distance, upper and lower case counting as half a slip. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost(a[i - 1]!, b[j - 1]!)));
    }
    previous = row;
  }
  return previous[b.length]!;
}

const cost = (a: string, b: string): number => (a === b ? 0 : a.toLowerCase() === b.toLowerCase() ? 0.5 : 1);
