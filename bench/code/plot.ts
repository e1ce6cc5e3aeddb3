/** Curves over sizes: a plot with logarithmic axes, and the crossing of two curves. */
export interface Point {
  readonly size: number;
  /** Positive, one per curve. */
  readonly values: readonly number[];
}

const frame = { left: 70, top: 20, width: 560, height: 340 };
const colors = ["#444444", "#0b6fa4", "#2a9d5c", "#c98a00", "#b03060"];

/** Self-contained SVG: sizes to the right, milliseconds upwards. */
export function drawCurves(names: readonly string[], points: readonly Point[]): string {
  const all = points.flatMap(({ values }) => values.map(Math.log10));
  const [low, high] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))];
  const [first, last] = [Math.log10(points[0]!.size), Math.log10(points.at(-1)!.size)];
  const x = (size: number): number =>
    frame.left + ((Math.log10(size) - first) / (last - first)) * frame.width;
  const y = (value: number): number =>
    frame.top + (1 - (Math.log10(value) - low) / (high - low)) * frame.height;
  const powers = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const right = frame.left + frame.width;
  const bottom = frame.top + frame.height;
  const rows = powers(low, high).map(
    (ms) =>
      `<path d="M${frame.left} ${y(ms).toFixed(1)}H${right}" stroke="#ddd"/><text x="${frame.left - 8}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end">${ms.toLocaleString("en-US", { maximumFractionDigits: 3 })}</text>`,
  );
  const columns = powers(Math.ceil(first), Math.floor(last)).map(
    (size) =>
      `<path d="M${x(size).toFixed(1)} ${frame.top}V${bottom}" stroke="#ddd"/><text x="${x(size).toFixed(1)}" y="${bottom + 18}" text-anchor="middle">${size.toLocaleString("en-US")}</text>`,
  );
  const lines = names.map((name, curve) => {
    const way = points
      .map(({ size, values }) => `${x(size).toFixed(1)} ${y(values[curve]!).toFixed(1)}`)
      .join("L");
    const at = frame.top + 16 + curve * 18;
    return `<path d="M${way}" fill="none" stroke="${colors[curve]}" stroke-width="2"/><path d="M${frame.left + 12} ${at - 4}h24" stroke="${colors[curve]}" stroke-width="2"/><text x="${frame.left + 44}" y="${at}">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 420" font-family="sans-serif" font-size="12" fill="#222">`,
    `<rect width="660" height="420" fill="#fff"/>`,
    ...rows,
    ...columns,
    `<text x="${frame.left + frame.width / 2}" y="${bottom + 42}" text-anchor="middle">objects of the heap</text>`,
    `<text transform="translate(16 ${frame.top + frame.height / 2}) rotate(-90)" text-anchor="middle">milliseconds a capture (median)</text>`,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

/** Size at which the first curve falls below the second, interpolated logarithmically; undefined: nowhere. */
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
