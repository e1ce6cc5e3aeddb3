import { expect, test } from "vitest";
import { narrate } from "../../src/report/index.js";
import { matchMessages } from "../../src/report/messages.js";
import { valuesAfter } from "../../src/report/narrative.js";
import { toyModel } from "./toy.js";
import { failingChoices, failingTrace } from "./toy-report.js";

test("a trace is told with what each step changed", () => {
  const trace = failingTrace();
  expect(trace.schedule).toBe("0*5.1*8");
  expect(trace.steps.map((step) => step.number)).toEqual(failingChoices.map((_, i) => i + 1));
  expect([...trace.steps[5]!.changes]).toEqual([
    ["q", "[2]"],
    ["Receiver[1]:v", "1"],
  ]);
  expect(trace.steps.at(-1)!.fault).toBe(0);
  expect(trace.fault).toBe(0);
});

test("the changes add up to the values at the end", () => {
  const trace = failingTrace();
  const atEnd = trace.final.values.map(({ name, value }) => [name, value]);
  expect([...valuesAfter(trace, trace.steps.length)]).toEqual(atEnd);
});

test("steps in the middle of a long trace are taken but not told", () => {
  const narration = narrate(toyModel().steps, { choices: failingChoices, loopStart: undefined }, { keep: 2 });
  const { steps, length, final, schedule } = narration.narrative;
  expect(steps.map((step) => step.number)).toEqual([1, 2, 12, 13]);
  expect(length).toBe(13);
  expect(schedule).toBe("0*5.1*8");
  expect(final.values).toEqual(failingTrace().final.values);
  expect(steps[2]!.changes.get("sum")).toBe("3");
});

test("a choice that the system does not offer is where the trace diverges", () => {
  const narration = narrate(toyModel().steps, { choices: [0, 0, 7], loopStart: undefined });
  expect(narration).toMatchObject({ kind: "diverged", step: 3, offered: 2 });
  expect(narration.narrative.length).toBe(2);
});

test("each message meets the receive that takes it", () => {
  expect(matchMessages(failingTrace().steps)).toMatchObject([
    { message: "1", from: { process: "Sender[0]", step: 1 }, to: { process: "Receiver[1]", step: 5 } },
    { message: "2", from: { process: "Sender[0]", step: 4 }, to: { process: "Receiver[1]", step: 8 } },
  ]);
});

test("a random receive is matched by what it took, lost and waiting messages by nothing", () => {
  const [step] = failingTrace().steps;
  const event = (kind: "send" | "receive" | "lost", message: string) => ({
    ...step!,
    messages: [{ kind, channel: "q", channelId: 1, message, from: undefined, to: undefined }],
  });
  const steps = [event("send", "a"), event("send", "b"), event("lost", "c"), event("receive", "b")];
  expect(matchMessages(steps).map(({ message, to, isLost }) => [message, to?.step, isLost])).toEqual([
    ["a", undefined, false],
    ["b", 3, false],
    ["c", undefined, true],
  ]);
});
