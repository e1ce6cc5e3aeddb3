/**
 * A trace as a log for ShiViz: one event a step, with a vector clock. ShiViz reads it with the
 * expression `(?<host>\S+) (?<clock>{.*})\n(?<event>.*)`.
 */
import { nth } from "../model/known.js";
import { clockedEvents, type Clock } from "./happens-before.js";
import type { Narrative } from "./narrative.js";

export function renderShiviz({ steps }: Narrative): string {
  const lines = clockedEvents(steps).flatMap(({ step, process, clock }) => {
    const { number, action } = nth(steps, step);
    return [`${host(process)} ${clockText(clock)}`, plain(`${number}. ${action}`)];
  });
  return `${lines.join("\n")}\n`;
}

const host = (process: string): string => process.replace(/\s+/g, "_");

const clockText = (clock: Clock): string =>
  JSON.stringify(Object.fromEntries([...clock].map(([process, time]) => [host(process), time])));

const plain = (text: string): string => text.replace(/\s*\n\s*/g, " / ");
