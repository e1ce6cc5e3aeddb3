/** Starved handlers are repeated before a verdict; calls are numbered. */
import { expect, test } from "vitest";
import type { StepReport } from "../../../src/code/system/node-runtime.js";
import { LocalSteps, type Judge } from "../../../src/code/system/local-steps.js";
import type { NodeProcess } from "../../../src/code/system/node-process.js";

test("a step that was starved is taken again", () => {
  const { steps, taken } = starvedFor(3);
  const [outcome] = steps.outcomes(0, 1, steps.callNumber({ kind: "start" }), 0);
  expect([outcome!.next, outcome!.site, taken()]).toEqual([2, -1, 4]);
});

test("a step that never gets its time is given up in the end", () => {
  const { steps } = starvedFor(Infinity);
  const [outcome] = steps.outcomes(0, 1, steps.callNumber({ kind: "start" }), 0);
  expect([outcome!.next, outcome!.site]).toEqual([0, 7]);
});

test("the calls that were made in a state are known by their numbers", () => {
  const { steps } = starvedFor(0);
  steps.callNumber({ kind: "start" });
  const call = steps.callNumber({ kind: "timer", name: "t" });
  steps.outcomes(0, 1, call, 0);
  expect(steps.callsIn(0, 1)).toEqual([{ call, mayFail: 0 }]);
});

/** A node that is starved `times` times. */
function starvedFor(times: number): { steps: LocalSteps; taken: () => number } {
  let taken = 0;
  const side = { timers: [], disk: {}, unsynced: [] };
  const report: StepReport = { ...empty, side };
  const failure = { kind: "livelock", name: "", message: "", stack: "", turn: 0 } as const;
  const node = {
    step: () =>
      taken++ < times ? { next: 0, report: { ...report, failure, isStarved: true } } : { next: 2, report },
  } as unknown as NodeProcess;
  const judge: Judge = {
    siteOf: (_node, { failure: found }) => (found ? 7 : -1),
    sitesOfMessage: () => [],
    isDiscarded: () => false,
    remainsOf: () => [],
    sparesHandlers: () => false,
    noteRelied: () => undefined,
    numberOf: () => 0,
  };
  return { steps: new LocalSteps([node], judge, 0), taken: () => taken };
}

const empty = {
  made: [],
  sends: [],
  failed: 0,
  failedAt: [],
  asked: [],
  failure: undefined,
  relied: 0,
  output: [],
  crashPoints: [],
  disks: [],
  pending: [],
};
