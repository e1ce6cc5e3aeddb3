/** A small scene of boxes, circles, lines and texts, as SVG. Colours follow the reader's light or dark setting. */
import type { PictureScene, Shape } from "../model/picture-scene.js";
import { escapeMarkup } from "./escape.js";
import { clip } from "./wrap.js";

const MOST_SHAPES = 2000;
const colours = ["plain", "accent", "good", "bad", "faint"];
const forms = { box: 4, circle: 3, line: 4, at: 2 } as const;

/** True, or what is wrong. */
export function isScene(value: unknown): true | string {
  const shapes = (value as Partial<PictureScene> | null)?.shapes as unknown;
  if (!Array.isArray(shapes)) return "a scene is { shapes: [ … ] }";
  if (shapes.length > MOST_SHAPES) return `the scene has ${shapes.length} shapes, more than ${MOST_SHAPES}`;
  for (const [index, shape] of shapes.entries()) {
    const problem = wrongIn(shape);
    if (problem !== undefined) return `shape ${index + 1} ${problem}`;
  }
  return true;
}

function wrongIn(shape: unknown): string | undefined {
  if (typeof shape !== "object" || shape === null) return "is not an object";
  const fields = shape as Record<string, unknown>;
  const found = Object.entries(forms).filter(([form]) => form in fields);
  const [form] = found;
  if (found.length !== 1 || !form) return "needs one of: box, circle, line, at";
  const numbers = fields[form[0]];
  const isFine =
    Array.isArray(numbers) &&
    numbers.length === form[1] &&
    numbers.every((n) => typeof n === "number" && Math.abs(n) <= FARTHEST);
  if (!isFine) return `needs ${form[1]} numbers of at most ${FARTHEST} as '${form[0]}'`;
  const { text, colour, dashed, arrow } = fields;
  if (text !== undefined && typeof text !== "string") return "has a 'text' that is not a string";
  if (form[0] === "at" && text === undefined) return "needs a 'text'";
  if (colour !== undefined && !colours.includes(colour as string))
    return `has a 'colour' that is none of: ${colours.join(", ")}`;
  if ([dashed, arrow].some((flag) => flag !== undefined && typeof flag !== "boolean"))
    return "has a 'dashed' or 'arrow' that is neither true nor false";
  return undefined;
}

const FARTHEST = 10_000;
const MARGIN = 12;

export function renderScene({ shapes }: PictureScene, title: string): string {
  const [left, top, right, bottom] = extent(shapes);
  const [width, height] = [right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
  const label = escapeMarkup(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="scene" viewBox="${left - MARGIN} ${top - MARGIN} ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">`,
    `<style>${style}</style>`,
    '<defs><marker id="scene-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" class="scene-arrow"/></marker></defs>',
    ...shapes.map(drawn),
    "</svg>",
  ].join("");
}

function drawn(shape: Shape): string {
  const kind = `scene-shape scene-${shape.colour ?? "plain"}${shape.dashed ? " scene-dashed" : ""}`;
  if ("box" in shape) {
    const [x, y, width, height] = shape.box;
    return `<g class="${kind}"><rect x="${x}" y="${y}" width="${Math.max(0, width)}" height="${Math.max(0, height)}" rx="4"/>${words(shape.text, x + width / 2, y + height / 2)}</g>`;
  }
  if ("circle" in shape) {
    const [x, y, radius] = shape.circle;
    return `<g class="${kind}"><circle cx="${x}" cy="${y}" r="${Math.max(0, radius)}"/>${words(shape.text, x, y)}</g>`;
  }
  if ("line" in shape) {
    const [x1, y1, x2, y2] = shape.line;
    const tip = shape.arrow ? ' marker-end="url(#scene-tip)"' : "";
    return `<g class="${kind}"><line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"${tip}/>${words(shape.text, (x1 + x2) / 2, (y1 + y2) / 2 - 9)}</g>`;
  }
  return `<g class="${kind}">${words(shape.text, ...shape.at)}</g>`;
}

const LINE = 15;

function words(text: string | undefined, x: number, y: number): string {
  if (text === undefined) return "";
  const lines = text.split("\n").slice(0, 20);
  return lines
    .map(
      (line, i) =>
        `<text x="${x}" y="${y + 4 + (i - (lines.length - 1) / 2) * LINE}">${escapeMarkup(clip(line, 80))}</text>`,
    )
    .join("");
}

type Extent = readonly [left: number, top: number, right: number, bottom: number];

const extent = (shapes: readonly Shape[]): Extent =>
  shapes
    .map(extentOf)
    .reduce(
      (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])],
      [0, 0, 1, 1],
    );

function extentOf(shape: Shape): Extent {
  if ("box" in shape)
    return [shape.box[0], shape.box[1], shape.box[0] + shape.box[2], shape.box[1] + shape.box[3]];
  if ("circle" in shape) {
    const [x, y, radius] = shape.circle;
    return [x - radius, y - radius, x + radius, y + radius];
  }
  if ("line" in shape) {
    const [x1, y1, x2, y2] = shape.line;
    return [Math.min(x1, x2), Math.min(y1, y2) - LINE, Math.max(x1, x2), Math.max(y1, y2)];
  }
  // Letters of about 7.3 units.
  const half = (Math.min(80, Math.max(...shape.text.split("\n").map((line) => line.length))) * 7.3) / 2;
  return [shape.at[0] - half, shape.at[1] - LINE, shape.at[0] + half, shape.at[1] + LINE];
}

const style = `.scene{font:12px ui-monospace,monospace}
.scene text{text-anchor:middle;fill:#1c2733;stroke:none}
.scene-shape :is(rect,circle){fill:#fff;stroke:#5b6b7c;stroke-width:1.5}
.scene-shape line{stroke:#5b6b7c;stroke-width:1.5}
.scene-arrow{fill:#5b6b7c}
.scene-dashed :is(rect,circle,line){stroke-dasharray:5 4}
.scene-accent :is(rect,circle){fill:#dbe9fb;stroke:#2563ab}.scene-accent line{stroke:#2563ab}
.scene-good :is(rect,circle){fill:#dcf3e2;stroke:#2f7d46}.scene-good line{stroke:#2f7d46}
.scene-bad :is(rect,circle){fill:#fbdfdc;stroke:#b3362b}.scene-bad line{stroke:#b3362b}
.scene-faint :is(rect,circle,line){stroke:#a9b4c0}.scene .scene-faint text{fill:#5b6b7c}
@media (prefers-color-scheme:dark){.scene text{fill:#e6edf3}
.scene-shape :is(rect,circle){fill:#1b2430}
.scene-accent :is(rect,circle){fill:#1d3350;stroke:#6aa9f0}.scene-accent line{stroke:#6aa9f0}
.scene-good :is(rect,circle){fill:#1c3a26;stroke:#5fbf7d}.scene-good line{stroke:#5fbf7d}
.scene-bad :is(rect,circle){fill:#45211d;stroke:#f08a7e}.scene-bad line{stroke:#f08a7e}
.scene .scene-faint text{fill:#9aa7b4}}`;
