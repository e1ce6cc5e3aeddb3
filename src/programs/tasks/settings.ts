/** Settings of task programs, as `--tasks` takes them: `tinyos`, `phases=4`, … */
import type { TaskBounds } from "../../model/tasks.js";
import type { TaskDialect } from "./dialect.js";

export type Flavour = "gcc" | "cbmc" | "svcomp";

export interface TaskSettings {
  readonly dialect: TaskDialect;
  readonly bounds: TaskBounds;
  /** Of the exported sequential program. */
  readonly flavour: Flavour;
}

const DIALECTS: readonly TaskDialect[] = ["plain", "tinyos", "nescc"];
const WORDS = {
  queue: ["fifo", "tinyos"],
  points: ["none", "global", "per-handler"],
  granularity: ["statement", "access"],
  flavour: ["gcc", "cbmc", "svcomp"],
} as const;
/** Least and largest number. */
const NUMBERS = { phases: [1, 64], interrupts: [0, 16], "at-end": [0, 16], unwind: [1, 1_000_000] } as const;

export const SETTINGS_HINT =
  "settings are plain, tinyos, nescc, phases=N, queue=fifo|tinyos, points=none|global|per-handler, interrupts=N, at-end=N, granularity=statement|access, unwind=N, flavour=gcc|cbmc|svcomp";

/** One setting, or the reason why it is none. */
export function settingProblem(text: string): string | undefined {
  if ((DIALECTS as readonly string[]).includes(text)) return undefined;
  const [, name = "", value = ""] = /^([a-z-]+)=(.*)$/.exec(text) ?? [];
  if (name in WORDS) {
    const words: readonly string[] = WORDS[name as keyof typeof WORDS];
    return words.includes(value) ? undefined : `'${name}' is one of ${words.join(", ")}`;
  }
  if (!(name in NUMBERS)) return `'${text}' is no setting of task programs`;
  const [least, most] = NUMBERS[name as keyof typeof NUMBERS];
  const number = /^\d{1,7}$/.test(value) ? Number(value) : NaN;
  return number >= least && number <= most ? undefined : `'${name}' is a number from ${least} to ${most}`;
}

/** Later settings win. */
export function taskSettings(texts: readonly string[]): TaskSettings {
  const values = new Map<string, string>();
  for (const text of texts) {
    const problem = settingProblem(text);
    if (problem !== undefined) throw new Error(problem);
    const [name = "", value] = text.split("=");
    values.set(value === undefined ? "dialect" : name, value ?? name);
  }
  const number = (name: string, otherwise: number): number => Number(values.get(name) ?? otherwise);
  const word = (name: string, otherwise: string): string => values.get(name) ?? otherwise;
  const dialect = word("dialect", "plain") as TaskDialect;
  return {
    dialect,
    flavour: word("flavour", "gcc") as Flavour,
    bounds: {
      phases: number("phases", 4),
      queue: word("queue", dialect === "plain" ? "fifo" : "tinyos") as TaskBounds["queue"],
      reduction: word("points", "per-handler") as TaskBounds["reduction"],
      granularity: word("granularity", "statement") as TaskBounds["granularity"],
      perPoint: number("interrupts", 1),
      atTaskEnd: number("at-end", 1),
      unwind: number("unwind", 256),
    },
  };
}
