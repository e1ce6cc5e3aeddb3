/** Narrates a schedule with the user's lines, for charts and messages. */
import type { Place, SourceMapped } from "../../code/bundle/index.js";
import type { WorldReport } from "../../code/realm/index.js";
import { formatSchedule, type MessageEvent, type Span } from "../../model/index.js";
import type { NarratedStep, Narrative } from "../../report/index.js";

/** The lane of the test in the chart. */
const testLane = "test";

/** `spanOf`: position of a place in the texts of a report; absent: only the file is named. */
export function narrativeOf(
  report: WorldReport,
  places: SourceMapped | undefined,
  spanOf: SpanOf = ({ file }) => ({ file, start: 0, end: 0 }),
): Narrative {
  const spans = (stack: string): readonly Span[] => {
    const place = placeOf(stack, places);
    return place ? [spanOf(place)] : [];
  };
  const steps = report.events.map((event, index) => step(event, index + 1, report, spans));
  const failing = report.failure ? [failureStep(report, steps.length + 1, spans)] : [];
  return {
    schedule: formatSchedule(report.made.map(({ value }) => value)),
    length: steps.length + failing.length,
    initial: [],
    steps: [...steps, ...failing],
    fault: report.failure ? 0 : -1,
    loopStart: undefined,
    final: { words: new Int32Array(0), values: [], processes: [] },
  };
}

export type SpanOf = (place: Place) => Span;
type Spans = (stack: string) => readonly Span[];
type Told = WorldReport["events"][number];

function step(event: Told, number: number, report: WorldReport, spans: Spans): NarratedStep {
  const { kind, lane, label, turn } = event;
  const isOwn = lane === testLane || lane === "timers" || lane === "events";
  const messages = kind === "note" || isOwn ? [] : [message(kind, lane, label)];
  const isFirstOfTurn = kind === "turn";
  return {
    ...plainStep(number),
    participants:
      kind === "turn" && !isOwn
        ? [lane, testLane]
        : [kind === "note" ? lane : kind === "call" ? testLane : lane],
    action: label,
    messages,
    sources: spans(event.stack),
    output: isFirstOfTurn ? printedIn(report, turn) : "",
  };
}

/** A call is an arrow from the test to the service, its response an arrow back. */
function message(kind: "call" | "turn", lane: string, label: string): MessageEvent {
  const [from, to] = kind === "call" ? [testLane, lane] : [lane, testLane];
  return { kind: "rendezvous", channel: lane, channelId: 0, message: label, from, to };
}

function failureStep(report: WorldReport, number: number, spans: Spans): NarratedStep {
  const { message: text, stack } = report.failure!;
  const [first = ""] = text.split("\n");
  return {
    ...plainStep(number),
    participants: [testLane],
    action: first,
    sources: spans(stack),
    fault: 0,
  };
}

const plainStep = (number: number): NarratedStep => ({
  participants: [],
  action: "",
  sources: [],
  messages: [],
  output: "",
  number,
  isIntermediate: false,
  fault: -1,
  changes: new Map(),
});

const printedIn = (report: WorldReport, turn: number): string =>
  report.output
    .filter((line) => line.turn === turn)
    .map(({ text }) => text)
    .join("\n");

/** The first frame of a stack in the user's code. */
export const placeOf = (stack: string, places: SourceMapped | undefined): Place | undefined =>
  userFrames(stack, places)[0]?.place;

export const userFrames = (stack: string, places: SourceMapped | undefined): readonly Frame[] =>
  framesOf(stack, places).filter(({ place }) => isUsers(place.file));

export interface Frame {
  readonly name: string;
  readonly place: Place;
}

/** The stack in terms of the user's files, without frames of Everypath. */
export function framesOf(stack: string, places: SourceMapped | undefined): readonly Frame[] {
  return [...stack.matchAll(/^ +at (?:async )?(?:(.*?) \()?(.*?):(\d+):(\d+)\)?$/gm)].flatMap(
    ([, name = "", file, line, column]) => {
      const place = places
        ? file === bundleFile
          ? places.place(Number(line), Number(column))
          : undefined
        : { file: file!.replace(/^file:\/\//, ""), line: Number(line), column: Number(column) };
      return place && !isOurs(place.file) ? [{ name, place }] : [];
    },
  );
}

const bundleFile = "everypath:bundle";

const isOurs = (file: string): boolean =>
  /(^|\/)(src\/(code|testing|session|engines)|dist\/inside|everypath\/dist)\/|everypath-entry|^node:/.test(
    file,
  );
const isUsers = (file: string): boolean => !file.includes("node_modules/");
