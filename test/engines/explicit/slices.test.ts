/** Budgets of milliseconds and slow steps. */
import { expect, test } from "vitest";
import { drive } from "../../../src/engines/explicit/drive.js";
import { loadMpp } from "../../../src/languages/mpp/index.js";
import { concreteModel } from "../../../src/compile/messages/index.js";
import { StepTooLong, Successors, withDeadline } from "../../../src/model/index.js";

test("a search with steps of a millisecond looks at its budget after a few of them", async () => {
  let done = 0;
  const advance = (quota: number): boolean => {
    const end = performance.now() + quota;
    while (performance.now() < end);
    done += quota;
    return true;
  };
  const progress = () => ({ states: 0, transitions: 0, depth: 0, frontier: 0, bytes: 0, seconds: 0 });
  expect(await drive({ advance, progress }, { timeMs: 50 }, {}, performance.now())).toBe("time");
  expect(done).toBeLessThan(250);
});

test("a step of a message-passing program is given up when the time is", () => {
  const text =
    "message m; channel c; provenance language; principal A { var x; x = m; send(c, x); } property p: provenance(A.x) in eps;";
  const { system } = concreteModel(loadMpp("m.mpp", text).program!);
  const out = new Successors(system.width);
  const step = (): void => system.successors(new Int32Array(system.width), 0, out);
  expect(() => withDeadline(performance.now() - 1, step)).toThrow(StepTooLong);
  expect(step).not.toThrow();
});
