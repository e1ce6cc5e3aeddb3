/** Finds a counterexample unlike those that were shown, and says how it differs. */
import { useState } from "react";
import type { AnotherView } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";
import { api } from "../api.js";
import { goTo } from "../navigation.js";
import type { Path } from "../path.js";

/** Schedules of the counterexamples of a text, in the order in which they were shown. */
const shown = new Map<string, string[]>();

/** What was said about a counterexample when it was found. */
const remarks = new Map<string, string>();

function shownOf({ view: { mark, schedule } }: Path): string[] {
  const list = shown.get(mark) ?? [];
  if (!list.includes(schedule)) list.push(schedule);
  shown.set(mark, list);
  return list;
}

export function Another({ path }: { readonly path: Path }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { ending, schedule } = path.view;
  if (ending.kind !== "failed") return null;
  const all = shownOf(path);
  const find = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await api.another(all);
      if (answer.kind === "none") return setProblem(noneText(answer, all.length));
      all.push(answer.schedule);
      remarks.set(answer.schedule, foundText(answer));
      goTo({ view: "trace", at: answer.schedule });
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const number = all.indexOf(schedule);
  const go = (by: number): void => goTo({ view: "trace", at: all[number + by]! });
  return (
    <div className="another">
      <button disabled={isBusy} onClick={() => void find()}>
        {isBusy ? "Searching …" : "Another counterexample"}
      </button>
      {all.length > 1 && (
        <>
          <button aria-label="counterexample before" disabled={number <= 0} onClick={() => go(-1)}>
            ‹
          </button>
          <span>
            {number + 1} of {all.length}
          </span>
          <button aria-label="counterexample after" disabled={number >= all.length - 1} onClick={() => go(1)}>
            ›
          </button>
        </>
      )}
      <span role="status" className="faint">
        {problem ?? remarks.get(schedule) ?? ""}
      </span>
    </div>
  );
}

type Found = AnotherView & { readonly kind: "found" };

const foundText = ({ differs, length }: Found): string =>
  `${
    {
      error: "Another error",
      state: "The same error in another state",
      way: "The same error by another last step",
    }[differs]
  }, after ${counted(length, "step")}.`;

const noneText = ({ states, isComplete }: AnotherView & { readonly kind: "none" }, known: number): string => {
  const which = known === 1 ? "no other" : "no further one";
  return isComplete
    ? `There is ${which}: all ${counted(states, "state")} were searched.`
    : `Found ${which} among the first ${counted(states, "state")}; the others were not searched.`;
};
