/** Labelled transition systems in JSON: `states`, `initial`, `labels` (the first is τ) and `transitions` as `[from, label, to]`. */
import { LtsBuilder, TAU_NAME, type Diagnostic, type Lts } from "../../model/index.js";
import { errorStateOf, type LoadedLts } from "./index.js";

export interface LtsJson {
  readonly states: number;
  readonly initial: readonly number[];
  /** The error state; absent: there is none. */
  readonly error?: number;
  readonly labels: readonly string[];
  readonly transitions: readonly (readonly [number, number, number])[];
}

export function ltsJson({ states, initial, error, labels, firsts, actions, targets }: Lts): LtsJson {
  const transitions: [number, number, number][] = [];
  for (let s = 0; s < states; s++)
    for (let t = firsts[s]; t < firsts[s + 1]; t++) transitions.push([s, actions[t], targets[t]]);
  return { states, initial, ...(error < 0 ? {} : { error }), labels, transitions };
}

/** Recognises the object among other JSON files. */
export const isLtsJson = (text: string): boolean =>
  /^\s*\{/.test(text) && text.includes('"labels"') && text.includes('"transitions"');

export function loadLtsJson(file: string, text: string): LoadedLts {
  const problem = (code: string, message: string): LoadedLts => ({
    lts: undefined,
    diagnostics: [
      { code, severity: "error", message, span: { file, start: 0, end: 0 } } satisfies Diagnostic,
    ],
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return problem("aut/json", `this is not JSON: ${(error as Error).message}`);
  }
  const wrong = problemOf(json);
  if (wrong !== undefined) return problem("aut/json", wrong);
  const { states, initial, labels, transitions } = json as LtsJson;
  const builder = new LtsBuilder();
  const numbers = labels.map((label) => builder.labels.of(label));
  for (const [from, label, to] of transitions) builder.add(from, numbers[label], to);
  const lts = builder.finish(states, initial);
  return { lts: { ...lts, error: errorStateOf(lts) }, diagnostics: [] };
}

/** The first defect. */
function problemOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null) return "expected an object";
  const { states, initial, labels, transitions } = json as Partial<Record<keyof LtsJson, unknown>>;
  if (!isNumber(states, 2 ** 30)) return "`states` must be a number of states";
  const isState = (value: unknown): boolean => isNumber(value, states - 1);
  if (!Array.isArray(initial) || !initial.every(isState)) return "`initial` must list states";
  if (!Array.isArray(labels) || labels[0] !== TAU_NAME || !labels.every((label) => typeof label === "string"))
    return `\`labels\` must list names, the first of which is "${TAU_NAME}"`;
  if (new Set(labels).size !== labels.length) return "`labels` must list each name once";
  if (!Array.isArray(transitions)) return "`transitions` must be a list";
  const index = transitions.findIndex(
    (each) =>
      !Array.isArray(each) ||
      each.length !== 3 ||
      !isState(each[0]) ||
      !isNumber(each[1], labels.length - 1) ||
      !isState(each[2]),
  );
  return index < 0 ? undefined : `transition ${index} must be [state, number of a label, state]`;
}

const isNumber = (value: unknown, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
