/** Searches all steps of a trace: the listed ones in the page, the others on the server. */
import { useEffect, useMemo, useState } from "react";
import { mentions, valuesMention } from "../../../src/explorer/mentions.js";
import { counted, formatCount } from "../../../src/report/figures.js";
import { api } from "../api.js";
import type { Path } from "../path.js";

export interface FoundSteps {
  /** Numbers of steps in ascending order; 0 is the first state. */
  readonly numbers: readonly number[];
  readonly total: number;
  /** Steps that are not listed were searched, are being searched, or could not be. */
  readonly rest: "searched" | "searching" | "failed";
  /** Matches among the steps that are not listed. */
  readonly unlisted: number;
}

export function useSearch(path: Path, sought: string): FoundSteps {
  const wanted = sought.trim();
  const listed = useMemo(() => listedMatches(path, wanted), [path, wanted]);
  const [answer, setAnswer] = useState<{ of: string; found: FoundSteps } | null>(null);
  const { schedule } = path.view;
  const needsServer = wanted !== "" && path.hasGap;
  const key = `${schedule}\n${wanted}`;
  useEffect(() => {
    if (!needsServer) return;
    let isCurrent = true;
    const settle = (found: FoundSteps): void => {
      if (isCurrent) setAnswer({ of: key, found });
    };
    const timer = setTimeout(() => {
      api.find({ schedule, text: wanted }).then(
        ({ numbers, total }) => settle({ numbers, total, rest: "searched", unlisted: 0 }),
        () => settle({ ...complete([]), rest: "failed" }),
      );
    }, 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [needsServer, key, schedule, wanted]);
  return useMemo(() => {
    if (!needsServer) return complete(listed);
    if (answer?.of !== key) return { ...complete(listed), rest: "searching" };
    if (answer.found.rest === "failed") return { ...complete(listed), rest: "failed" };
    const own = listed.filter((number) => !answer.found.numbers.includes(number));
    const numbers = [...answer.found.numbers, ...own].sort((a, b) => a - b);
    const total = Math.max(answer.found.total, numbers.length);
    return { ...answer.found, numbers, total, unlisted: total - listed.length };
  }, [needsServer, listed, answer, key]);
}

const complete = (numbers: readonly number[]): FoundSteps => ({
  numbers,
  total: numbers.length,
  rest: "searched",
  unlisted: 0,
});

function listedMatches(path: Path, wanted: string): number[] {
  if (wanted === "") return [];
  const { ending } = path.view;
  const failsLikeThat = ending.kind !== "open" && ending.text.toLowerCase().includes(wanted.toLowerCase());
  const steps = path.steps
    .filter((step) => mentions(step, wanted) || (failsLikeThat && step.number === path.view.length))
    .map(({ number }) => number);
  return valuesMention(path.view.initial, wanted) ? [0, ...steps] : steps;
}

export function foundWords({ total, rest, unlisted }: FoundSteps): string {
  const words = total === 0 ? "not found" : counted(total, "match", "matches");
  if (rest === "searching") return `${words} so far; searching the steps that are not listed …`;
  if (rest === "failed") return `${words} in the listed steps; the others could not be searched`;
  return unlisted > 0 ? `${words}, ${formatCount(unlisted)} in steps that are not listed` : words;
}
