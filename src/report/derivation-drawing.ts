/** A derivation as a drawing: axioms on the left, the conclusion on the right, lines from each premise to its conclusion. */
import { rootsOf, type Evidence } from "../model/index.js";
import { renderConclusion } from "./derivation-text.js";
import { escapeMarkup } from "./escape.js";
import { clip } from "./wrap.js";
import { nth } from "../model/known.js";

const COLUMN = 220;
const ROW = 62;
const BOX = { width: 180, height: 38 };
const MARGIN = 12;

/** Undefined if there are too many steps for a readable drawing. */
export function renderDerivation(derivation: Evidence, title: string): string | undefined {
  const { steps } = derivation;
  if (steps.length > MOST_DRAWN) return undefined;
  const places = placesOf(derivation);
  const roots = rootsOf(derivation);
  const width = Math.max(...places.map(({ x }) => x)) + BOX.width + MARGIN;
  const height = Math.max(...places.map(({ y }) => y)) + BOX.height + MARGIN;
  const name = escapeMarkup(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="derivation" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title><style>${style}</style><rect class="derivation-page" width="${width}" height="${height}"/>`,
    ...steps.flatMap(({ premises }, number) =>
      premises.map((premise) => {
        const [from, to] = [nth(places, premise), nth(places, number)];
        const [x, y] = [from.x + BOX.width, from.y + BOX.height / 2];
        const [endX, endY] = [to.x, to.y + BOX.height / 2];
        const middle = (x + endX) / 2;
        return `<path d="M${x} ${y}C${middle} ${y} ${middle} ${endY} ${endX} ${endY}"/>`;
      }),
    ),
    ...steps.map(({ rule }, number) => {
      const { x, y } = nth(places, number);
      const vector = renderConclusion(derivation, number);
      const isLast = roots.includes(number);
      return `<g${isLast ? ' class="is-last"' : ""}><title>${escapeMarkup(`${number + 1}: ${vector}, by ${rule.name}`)}</title><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/><text x="${x + 8}" y="${y + 16}">${escapeMarkup(clip(`${number + 1}: ${vector}`, 25))}</text><text class="derivation-rule" x="${x + 8}" y="${y + 31}">${escapeMarkup(clip(rule.name, 25))}</text></g>`;
    }),
    "</svg>\n",
  ].join("\n");
}

const MOST_DRAWN = 60;

/** One column right of all premises of a step; steps in order within a column. */
function placesOf({ steps }: Evidence): { readonly x: number; readonly y: number }[] {
  const columns: number[] = [];
  const filled: number[] = [];
  return steps.map(({ premises }, number) => {
    const column = Math.max(0, ...premises.map((premise) => nth(columns, premise) + 1));
    columns[number] = column;
    const row = (filled[column] = (filled[column] ?? 0) + 1) - 1;
    return { x: MARGIN + column * COLUMN, y: MARGIN + row * ROW };
  });
}

const style = `.derivation{--page:#fff;--ink:#1f2328;--line:#57606a;--box:#f3f5f8;--mark:#c62828;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}@media (prefers-color-scheme:dark){.derivation{--page:#12161c;--ink:#e3e8ee;--line:#9aa5b1;--box:#1e252e;--mark:#ff7b72}}.derivation-page{fill:var(--page)}.derivation text{fill:var(--ink)}.derivation .derivation-rule{fill:var(--line)}.derivation g rect{fill:var(--box);stroke:var(--line)}.derivation .is-last rect{stroke:var(--mark);stroke-width:2.5}.derivation path{fill:none;stroke:var(--line);stroke-width:1.5}`;
