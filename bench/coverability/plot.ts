/** Curves as an SVG chart: a panel for each family, both axes logarithmic. */
import type { Curve } from "./growth.js";

const panel = { width: 260, height: 170, left: 44, bottom: 26, top: 24 };
const colours = ["#1f6feb", "#d1242f", "#2da44e", "#8250df"];

export function growthPlot(curves: readonly Curve[], seconds: number): string {
  const names = [...new Set(curves.map(({ family }) => family))];
  const procedures = [...new Set(curves.map(({ procedure }) => procedure))];
  const columns = 3;
  const width = columns * panel.width;
  const height = Math.ceil(names.length / columns) * panel.height + 30;
  const panels = names.map((name, index) => {
    const at = `translate(${(index % columns) * panel.width} ${Math.floor(index / columns) * panel.height})`;
    return `<g transform="${at}">${familyPanel(name, curves, procedures, seconds)}</g>`;
  });
  const legend = procedures.map(
    (name, i) =>
      `<text x="${44 + i * 120}" y="${height - 8}" fill="${colours[i]}" font-weight="bold">${name}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...panels,
    ...legend,
    "</svg>\n",
  ].join("\n");
}

function familyPanel(
  name: string,
  curves: readonly Curve[],
  procedures: readonly string[],
  seconds: number,
): string {
  const own = curves.filter(({ family }) => family === name);
  const largest = Math.max(2, ...own.flatMap(({ points }) => points.map(({ n }) => n)));
  const innerWidth = panel.width - panel.left - 12;
  const innerHeight = panel.height - panel.top - panel.bottom;
  const x = (n: number): number => panel.left + (Math.log(n) / Math.log(largest)) * innerWidth;
  const y = (s: number): number => {
    const part = Math.log(Math.max(s, 1e-4) / 1e-4) / Math.log(seconds / 1e-4);
    return panel.top + innerHeight * (1 - Math.min(1, part));
  };
  const ticks = [0.001, 0.1, 10]
    .filter((s) => s <= seconds)
    .map(
      (s) =>
        `<line x1="${panel.left}" x2="${panel.width - 12}" y1="${y(s)}" y2="${y(s)}" stroke="#ddd"/><text x="${panel.left - 4}" y="${y(s) + 4}" text-anchor="end" fill="#555">${s} s</text>`,
    );
  const lines = own.map(({ points, procedure }) => {
    const colour = colours[procedures.indexOf(procedure) % colours.length];
    const path = points.map(({ n, seconds: s }) => `${x(n).toFixed(1)},${y(s).toFixed(1)}`).join(" ");
    const dots = points.map(
      ({ n, seconds: s }) => `<circle cx="${x(n)}" cy="${y(s)}" r="2" fill="${colour}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join("")}`;
  });
  const axis = [1, largest].map(
    (n) => `<text x="${x(n)}" y="${panel.height - 10}" text-anchor="middle" fill="#555">n = ${n}</text>`,
  );
  const title = `<text x="${panel.left}" y="14" font-weight="bold">${name}</text>`;
  return [title, ...ticks, ...axis, ...lines].join("");
}
