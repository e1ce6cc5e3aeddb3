/** Automata of processes, for the page; locations are named by their labels and lines. */
import type { ControlLocation, Model } from "../model/index.js";
import { CannotAnswer } from "./cannot-answer.js";
import type { ControlView } from "./protocol.js";
import type { Places } from "./views.js";

export function controlView({ control }: Model, places: Places): ControlView {
  if (!control) throw new CannotAnswer("its processes have no automata");
  return {
    automata: control.automata.map(({ name, initial, locations, edges }) => ({
      name,
      initial,
      locations: locations.map((location, index) => ({
        name: nameOf(location, index, places),
        kind: location.isError ? "fault" : location.isEnd ? "end" : "state",
      })),
      edges: edges.map(({ from, to, text }) => ({ from, to, label: text })),
    })),
  };
}

function nameOf({ labels, span }: ControlLocation, index: number, places: Places): string {
  const where = span ? `line ${places.of(span)[1]}` : `${index}`;
  return labels.length === 0 ? where : `${labels.join(", ")} (${where})`;
}
