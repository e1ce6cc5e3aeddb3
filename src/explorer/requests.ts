/** Requests of the page, validated before use. */
import { reductionNames } from "../transforms/reduction/names.js";
import { registry } from "../session/index.js";
import { refusal, type Refusal } from "./gate.js";
import type { PictureRequest, RunChoices, RunRequest } from "./protocol.js";

export const runChoices: RunChoices = {
  engines: registry.engines.map(({ name, summary }) => ({ name, summary })),
  searches: ["bfs", "dfs", "random", "guided"],
  stores: ["exact", "tree", "delta", "compact", "bitstate"],
  reductions: ["all", ...reductionNames],
  fairness: ["none", "weak", "strong"],
  mostWorkers: 64,
};

export function runRequest(body: Record<string, unknown>): RunRequest | Refusal {
  const { engines, searches, stores, reductions, fairness, mostWorkers } = runChoices;
  const problems = [
    ...(body["properties"] === undefined || isListOf(body["properties"], () => true) ? [] : ["properties"]),
    ...(body["reductions"] === undefined || isListOf(body["reductions"], (name) => reductions.includes(name))
      ? []
      : ["reductions"]),
    ...wrongName(
      body,
      "engine",
      engines.map(({ name }) => name),
    ),
    ...wrongName(body, "search", searches),
    ...wrongName(body, "store", stores),
    ...wrongName(body, "fairness", fairness),
    ...wrongNumber(body, "workers", mostWorkers),
    ...wrongNumber(body, "maxStates", 1e12),
    ...wrongNumber(body, "timeMs", 1e10),
  ];
  if (problems.length > 0) return refusal(400, `not understood: ${problems.join(", ")}`);
  const known = Object.entries(body).filter(([name]) => names.has(name));
  return Object.fromEntries(known) as RunRequest;
}

const names: ReadonlySet<string> = new Set<keyof RunRequest>([
  "properties",
  "engine",
  "search",
  "store",
  "reductions",
  "fairness",
  "workers",
  "goesOn",
  "maxStates",
  "timeMs",
]);

/** The page sends the data to draw: texts and numbers in the right places. */
export function pictureRequest(body: Record<string, unknown>): PictureRequest | Refusal {
  const { schedule, values, before, steps } = body;
  const isFine =
    typeof schedule === "string" &&
    isValues(values) &&
    (before === null || isValues(before)) &&
    isSteps(steps);
  if (!isFine) return refusal(400, "the request contains nothing to draw");
  return { schedule, values, before, steps } as PictureRequest;
}

const isValues = (list: unknown): boolean =>
  Array.isArray(list) && list.every((pair) => isListOf(pair, () => true) && (pair as string[]).length === 2);

const isSteps = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every((step: unknown) => {
    const { number, participants, action, messages } = (step ?? {}) as Record<string, unknown>;
    return (
      isNumber(number, 2 ** 31) &&
      isListOf(participants, () => true) &&
      typeof action === "string" &&
      Array.isArray(messages) &&
      messages.every(isMessage)
    );
  });

function isMessage(event: unknown): boolean {
  const { kind, channel, message, from, to } = (event ?? {}) as Record<string, unknown>;
  return (
    [kind, channel, message].every((text) => typeof text === "string") &&
    [from, to].every((text) => text === undefined || typeof text === "string")
  );
}

export const textOf = (body: Record<string, unknown>, name: string): string | Refusal => {
  const value = body[name];
  return typeof value === "string" ? value : refusal(400, `'${name}' is missing`);
};

export const textsOf = (body: Record<string, unknown>, name: string): readonly string[] | Refusal => {
  const value = body[name];
  return isListOf(value, () => true)
    ? (value as string[])
    : refusal(400, `'${name}' must be a list of texts`);
};

export const numberOf = (body: Record<string, unknown>, name: string, most: number): number | Refusal => {
  const value = body[name];
  return isNumber(value, most) ? value : refusal(400, `'${name}' must be a number from 0 to ${most}`);
};

const isNumber = (value: unknown, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;

const isListOf = (value: unknown, isFine: (text: string) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && isFine(item));

const wrongName = (body: Record<string, unknown>, name: string, known: readonly string[]): string[] =>
  body[name] === undefined || known.includes(body[name] as string) ? [] : [name];

const wrongNumber = (body: Record<string, unknown>, name: string, most: number): string[] =>
  body[name] === undefined || (isNumber(body[name], most) && body[name] > 0) ? [] : [name];
