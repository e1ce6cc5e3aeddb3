/**
 * The network of an NDLog run as a picture: locations on a circle, base tuples that mention two of them as links, rules that derive a tuple
 * at another location as numbered arrows, and below it the tuples at each location.
 */
import { onCircle, renderNodes, type DrawnArrow, type DrawnLink, type DrawnNode } from "./node-drawing.js";
import type { Picture, Scene } from "./picture.js";

export const ndlogPicture: Picture = {
  title: "Topology",
  standsForChart: true,
  draw: (scene) => renderTopology(scene),
};

interface Tuple {
  readonly text: string;
  readonly isBase: boolean;
  readonly location: string;
  readonly others: readonly string[];
}

const RADIUS = 170;

function renderTopology({ title, values, before, steps }: Scene): string {
  const tuples = [...values].map(([text, origin]) => tupleOf(text, origin === "base"));
  const places = [...new Set(tuples.map(({ location }) => location))];
  const last = steps.at(-1)?.participants ?? [];
  const at = new Map(places.map((place, index) => [place, onCircle(RADIUS, index / places.length)]));
  const nodes = places.flatMap((name): DrawnNode[] => {
    const point = at.get(name);
    return point ? [{ name, kind: "box", at: point, isActive: last.includes(name) }] : [];
  });
  const links = tuples.flatMap(({ isBase, location, others }): DrawnLink[] => {
    const [from, to] = [at.get(location), at.get(others.find((other) => at.has(other)) ?? location)];
    return isBase && from && to && from !== to ? [{ from, to, isDashed: false }] : [];
  });
  const notes = places.map((place) => ({
    title: place,
    lines: tuples
      .filter(({ location }) => location === place)
      .map(({ text }) => ({ text, isNew: before !== undefined && !before.has(text) })),
  }));
  return renderNodes({ title, nodes, links, arrows: arrowsOf(steps), notes });
}

/** `link(@1, 2, 5)`: stored at 1. Tuples without a location belong to the whole network. */
function tupleOf(text: string, isBase: boolean): Tuple {
  const args = text
    .slice(text.indexOf("(") + 1, -1)
    .split(", ")
    .map((arg) => arg.replaceAll('"', ""));
  const place = args.findIndex((arg) => arg.startsWith("@"));
  const location = args[place]?.slice(1) ?? "network";
  return { text, isBase, location, others: args.filter((arg, index) => index !== place && arg !== location) };
}

/** From the locations of the premises to that of the derived tuple. */
function arrowsOf(steps: Scene["steps"]): DrawnArrow[] {
  const place = (number: number): string | undefined => steps[number - 1]?.participants[0];
  return steps.flatMap(({ number, action }): DrawnArrow[] => {
    const [, rule = "", premises = ""] = /^(\S+) derives .* from ([\d, ]+)$/.exec(action) ?? [];
    const to = place(number);
    const sources = new Set(premises.split(", ").map((premise) => place(Number(premise))));
    return [...sources].flatMap((from) =>
      from === undefined || to === undefined || from === to
        ? []
        : [{ from, to, step: number, text: rule, isNow: number === steps.length }],
    );
  });
}
