/** Suggests the candidate nearest to `name`, if it is plausibly a misspelling. */
import { nth } from "../../model/known.js";
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length < SHORTEST || name.length > LONGEST) return undefined;
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

/** Names of one or two letters are all similar; longer names are rarely typed by hand. */
const SHORTEST = 3;
const LONGEST = 64;

/** Levenshtein distance, with transpositions as one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = nth(last, j - 1) + cost(nth(a, i - 1), nth(b, j - 1));
      row.push(Math.min(nth(last, j) + 1, nth(row, j - 1) + 1, replaced));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(nth(row, j), nth(beforeLast, j - 2) + 1);
    }
    beforeLast = last;
    last = row;
  }
  return nth(last, b.length);
}

/** A difference in case is half an edit. */
const cost = (a: string, b: string): number => (a === b ? 0 : a.toLowerCase() === b.toLowerCase() ? 0.5 : 1);
