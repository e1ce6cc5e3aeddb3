/** Two curves over sizes, as lines of text: time to the right, both axes in powers of ten. */
export interface Point {
  readonly size: number;
  /** Of each curve, in the order of its letters; more than 0. */
  readonly values: readonly number[];
}

export function plot(letters: readonly string[], points: readonly Point[], columns = 60): string[] {
  const all = points.flatMap(({ values }) => values.map(Math.log10));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const column = (value: number): number =>
    Math.round(((Math.log10(value) - low) / Math.max(high - low, 1e-9)) * (columns - 1));
  return points.map(({ size, values }) => {
    const line = Array.from({ length: columns }, () => "·");
    values.forEach((value, curve) => {
      const at = column(value);
      line[at] = line[at] === "·" ? letters[curve]! : "*";
    });
    return `${String(size).padStart(7)} |${line.join("")}|`;
  });
}

/** Where the first curve comes to lie below the second, between two sizes by powers of ten; undefined: nowhere. */
export function crossing(points: readonly Point[]): number | undefined {
  const lead = ({ values }: Point): number => Math.log10(values[0]!) - Math.log10(values[1]!);
  for (const [index, point] of points.entries()) {
    if (lead(point) > 0) continue;
    const before = points[index - 1];
    if (!before) return point.size;
    const share = lead(before) / (lead(before) - lead(point));
    return 10 ** (Math.log10(before.size) + share * (Math.log10(point.size) - Math.log10(before.size)));
  }
  return undefined;
}
