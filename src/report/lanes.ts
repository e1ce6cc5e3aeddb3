/**
 * A trace as swim lanes in plain text: a column for each participant, a row for each step, time runs down.
 *
 *          test               stock
 *      1    │──── #1('tea') ───▶│
 *      2    │◀── answers #1 ────│
 *      3    ✗ expected 1 to be 0
 */
import type { NarratedStep, Narrative } from "./narrative.js";
import { clip } from "./wrap.js";

export function renderLanes({ steps }: Narrative, width = 100): string {
  const lanes = lanesOf(steps);
  const laneWidth = widthOfLane(steps, lanes.length, width);
  const xOf = (lane: string): number => numberWidth + 6 + Math.max(0, lanes.indexOf(lane)) * laneWidth;
  const lines = [header(lanes, laneWidth)];
  for (const step of steps) {
    const row = lanes.reduce(
      (text, lane) => put(text, xOf(lane), "│"),
      String(step.number).padStart(numberWidth),
    );
    lines.push(draw(step, row, xOf, Math.max(width, xOf(lanes.at(-1) ?? "") + 30)).trimEnd());
    for (const text of step.output === "" ? [] : step.output.split("\n"))
      lines.push(`${" ".repeat(numberWidth + 2)}prints ${clip(text, width - 12)}`);
  }
  return `${lines.join("\n")}\n`;
}

const numberWidth = 4;

function lanesOf(steps: readonly NarratedStep[]): string[] {
  const names = new Set<string>();
  for (const { messages } of steps) for (const { from } of messages.slice(0, 1)) if (from) names.add(from);
  for (const { participants, messages } of steps) {
    for (const name of participants) names.add(name);
    for (const { from, to } of messages) for (const name of [from, to]) if (name) names.add(name);
  }
  return [...names];
}

function widthOfLane(steps: readonly NarratedStep[], lanes: number, width: number): number {
  const labels = steps.flatMap(({ messages }) => messages.map(({ message }) => message.length + 8));
  const room = Math.floor((width - numberWidth) / Math.max(1, lanes));
  return Math.max(14, Math.min(Math.max(18, ...labels), room, 44));
}

function header(lanes: readonly string[], laneWidth: number): string {
  return lanes
    .reduce((text, lane, i) => {
      const name = clip(lane, laneWidth - 2);
      return put(text, numberWidth + 6 + i * laneWidth - Math.floor(name.length / 2), name);
    }, "")
    .trimEnd();
}

function draw(step: NarratedStep, row: string, xOf: (lane: string) => number, width: number): string {
  const [message] = step.messages;
  if (message?.from !== undefined && message.to !== undefined && message.from !== message.to)
    return arrow(row, xOf(message.from), xOf(message.to), message.message);
  const x = xOf(step.participants[0] ?? "");
  return put(row, x, `${step.fault >= 0 ? "✗" : "●"} ${clip(step.action, Math.max(20, width - x))}`);
}

function arrow(row: string, from: number, to: number, label: string): string {
  const [left, right] = from < to ? [from, to] : [to, from];
  const room = right - left - 1;
  const text = clip(label, room - 4);
  const before = Math.max(1, Math.floor((room - text.length - 2) / 2));
  const line = `${"─".repeat(before)} ${text} `.padEnd(room, "─");
  const drawn = from < to ? `${line.slice(0, room - 1)}▶` : `◀${line.slice(1)}`;
  return put(row, left + 1, drawn);
}

/** Overwrites earlier contents. */
function put(text: string, at: number, what: string): string {
  const padded = text.padEnd(at);
  return padded.slice(0, at) + what + padded.slice(at + what.length);
}
