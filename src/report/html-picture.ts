/** Pictures on a page: the picture of the selected step. */
import { escapeMarkup } from "./escape.js";
import type { Narrative } from "./narrative.js";
import { emptyScene, sceneAt } from "./picture.js";
import { firstViolated, type CheckReport } from "./result.js";
import { nth } from "../model/known.js";

export interface Pictures {
  /** By the number of the step before the moment. */
  readonly byStep: ReadonlyMap<number, string>;
  readonly leftOut: number;
}

/** The pictures that fit into a number of characters, from the end of the trace; undefined if the system has no picture. */
export function picturesAlong(report: CheckReport, trace: Narrative, most: number): Pictures | undefined {
  const { picture, file } = report;
  if (!picture) return undefined;
  const byStep = new Map<number, string>();
  const about = { title: `${file}: ${picture.title}`, property: firstViolated(report)?.property.name };
  let room = most;
  for (let position = trace.steps.length; position >= 0; position--) {
    const svg = picture.draw(sceneAt(trace, position, about));
    room -= svg.length;
    if (room < 0) break;
    byStep.set(position === 0 ? 0 : nth(trace.steps, position - 1).number, svg);
  }
  return { byStep, leftOut: trace.steps.length + 1 - byStep.size };
}

/** The end of the trace, for readers without scripts; templates hold the other moments. */
export function pictureOf(
  { picture }: CheckReport,
  trace: Narrative,
  pictures: Pictures | undefined,
): string {
  if (!picture || !pictures) return "";
  const last = pictures.byStep.get(trace.steps.at(-1)?.number ?? 0) ?? "";
  const templates = [...pictures.byStep].map(
    ([number, svg]) => `<template id="picture-${number}">${svg}</template>`,
  );
  return `<h3>${escapeMarkup(picture.title)}</h3>
<div class="picture" id="picture">${last}</div>
<p class="faint" id="picture-caption" role="status"></p>
${templates.join("")}`;
}

export const overviewSection = ({ picture }: CheckReport, trace: Narrative): string =>
  picture?.overview ? `<section>${picture.overview(trace)}</section>` : "";

/** Without a trace: the initial state of the system. */
export function pictureAlone({ picture, file }: CheckReport): string {
  if (!picture) return "";
  const svg = picture.draw(emptyScene({ title: `${file}: ${picture.title}` }));
  const title = escapeMarkup(picture.title);
  return `<section aria-label="${title}"><h2>${title}</h2><div class="picture">${svg}</div></section>`;
}
