/** The store of a search as text; empty for the default store. */
import type { OmissionReport, StoreReport } from "../model/index.js";
import { formatCount } from "./figures.js";
import type { Palette } from "./palette.js";
import { wrap } from "./wrap.js";

export function storeLines(store: StoreReport, colors: Palette, width: number): string[] {
  const isOrdinary = store.kind === "exact" && store.reason === "";
  const isAskedTree = store.kind === "tree" && store.reason === "";
  if (isOrdinary || isAskedTree) return [];
  const sentences = [
    `${store.kind}: ${store.settings}`,
    ...(store.reason ? [`chosen because ${store.reason}`] : []),
    ...(store.omissions ? omissionSentences(store.omissions) : []),
    ...(store.delta ? deltaSentences(store.delta) : []),
  ];
  const [first = "", ...more] = sentences.flatMap((sentence) => wrap(sentence, width - 9));
  return [`${colors.bold("Store")}    ${first}`, ...more.map((line) => `         ${line}`)];
}

function omissionSentences(omissions: OmissionReport): string[] {
  const { runs, inDegree, reliability, missedState } = omissions;
  return [
    `omitted: ${small(omissions.expected)} states expected; any at all with a probability of ${small(omissions.probability)}` +
      (runs > 1 ? `, the same one in all ${runs} runs` : ""),
    ...(missedState === null
      ? []
      : [`one particular state was missed with a probability of at most ${small(missedState)}`]),
    ...(omissions.estimatedStates === null
      ? ["this is about the part that was explored: the search was stopped"]
      : [
          `about ${formatCount(omissions.estimatedStates)} states in all; estimate: ${reliability} (${inDegree.toFixed(1)} ways into a state)`,
        ]),
    "errors found are real; the absence of errors is not proved",
    ...(omissions.recommendation
      ? [`next: ${omissions.recommendation}`, `or: ${omissions.alternative}`]
      : []),
  ];
}

function deltaSentences(delta: Readonly<Record<string, number>>): string[] {
  const figure = (name: string): string => formatCount(delta[name] ?? 0);
  return [
    `${figure("explicit")} states whole, ${figure("delta")} as a step from another`,
    `${figure("comparisons")} comparisons, ${figure("linksWalked")} steps undone, the longest way ${figure("longestChain")}, ` +
      `${figure("predecessorUpdates")} ways shortened`,
  ];
}

/** `20.7`, `0.0042`, `1.2e-7`. */
const small = (n: number): string =>
  n === 0 ? "0" : n >= 100 ? formatCount(n) : n >= 1e-4 ? `${Number(n.toPrecision(3))}` : n.toExponential(1);
