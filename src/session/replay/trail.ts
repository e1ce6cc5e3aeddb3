/**
 * Syntax of Spin's `.trail` files. A line is `depth:process:statement`; lines with a negative depth describe how pan was run.
 * `trail-search.ts` finds the run.
 */
export interface Trail {
  readonly lines: readonly TrailLine[];
  /** Statements may be merged into the one before them. */
  readonly isMerged: boolean;
}

export interface TrailLine {
  readonly process: number;
  readonly statement: number;
}

export type Refusal = { readonly problem: string };

/** Does the text look like a trail? */
export const isTrail = (text: string): boolean => /^-?\d+:-?\d+:-?\d+\r?\n/.test(text);

/** Parses a trail, or refuses it with a reason. */
export function parseTrail(text: string): Trail | Refusal {
  const lines: TrailLine[] = [];
  let isMerged = false;
  for (const [index, line] of text.trimEnd().split(/\r?\n/).entries()) {
    const match = /^(-?\d+):(-?\d+):(-?\d+)$/.exec(line);
    if (!match) return { problem: `line ${index + 1} is not of the form step:process:statement` };
    const [depth, process, statement] = match.slice(1).map(Number) as [number, number, number];
    if (depth === -4) isMerged = true;
    else if (depth < 0)
      return { problem: headerProblems.get(depth) ?? `it has an unknown header line '${line}'` };
    else lines.push({ process, statement });
  }
  return { lines, isMerged };
}

const headerProblems: ReadonlyMap<number, string> = new Map([
  [-1, "it shows a cycle, and only trails that end in an error are followed"],
  [-2, "it was made with a never claim, whose moves cannot be followed"],
  ...[-5, -6, -7, -8].map(
    (depth) => [depth, "it was made with a permuted search, which only pan itself can replay"] as const,
  ),
]);
