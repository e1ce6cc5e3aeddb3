/**
 * A message-passing program as a picture: its principals and channels on a circle, sends and receives as numbered arrows, and
 * below it their contents with provenances.
 */
import type { MessageProgram } from "../model/index.js";
import { flowMap, renderFlowMap } from "./flow-map.js";
import { notesOf, onCircle, renderNodes, type DrawnArrow } from "./node-drawing.js";
import type { Picture, Scene } from "./picture.js";
import { lastOf } from "../model/known.js";

export type DrawnProgram = Pick<MessageProgram, "channels"> & {
  readonly principals: readonly { readonly name: string }[];
};

export const flowPicture = (program: MessageProgram): Picture => ({
  title: "Flow",
  standsForChart: false,
  // Before the first send, only the communication structure is drawn.
  draw: (scene) =>
    scene.steps.length > 0 ? renderFlow(program, scene) : renderFlowMap(program, { title: scene.title }),
  overview: (trace) => `<h2>Who sends to whom</h2>${flowMap(program, trace)}`,
});

function renderFlow(program: DrawnProgram, { title, values, before, steps }: Scene): string {
  const declared = program.principals.map(({ name }) => name);
  // Spawned principals are visible only through their actions.
  const spawned = new Set(steps.flatMap(({ participants }) => participants));
  for (const name of declared) spawned.delete(name);
  const principals = [...declared, ...spawned];
  const active = new Set(steps.at(-1)?.participants);
  const node =
    (kind: "box" | "plain", radius: number, shift: number, count: number) => (name: string, i: number) => ({
      name,
      kind,
      at: onCircle(radius, (i + shift) / Math.max(1, count)),
      isActive: active.has(name),
    });
  return renderNodes({
    title,
    nodes: [
      ...principals.map(node("box", principals.length === 1 ? 0 : 200, 0, principals.length)),
      ...program.channels.map(
        node("plain", program.channels.length === 1 ? 0 : 90, 0.5, program.channels.length),
      ),
    ],
    links: [],
    arrows: steps.flatMap((step) => arrowsOf(step, lastOf(steps).number)),
    notes: notesOf([...principals, ...program.channels], values, before),
  });
}

const arrowsOf = ({ number, participants, messages }: Scene["steps"][number], last: number): DrawnArrow[] =>
  messages.map(({ kind, channel, message, from, to }) => {
    const who = (kind === "receive" ? to : from) ?? participants[0] ?? "";
    const [start, end] = kind === "receive" ? [channel, who] : [who, channel];
    return { from: start, to: end, step: number, text: message, isNow: number === last };
  });
