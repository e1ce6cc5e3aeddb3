/** The comparison must be able to fail. */
import { describe, expect, test } from "vitest";
import type { EverypathOutcome } from "../peers/everypath.js";
import { parsePanOutput } from "../peers/pan-output.js";
import type { SpinOutcome } from "../peers/spin.js";
import { compare, defeatsUndoing } from "./compare.js";

const panOutput = ({ states = 3, matched = 1, errors = [] as string[], incomplete = "" } = {}): string =>
  [
    ...errors.map((error, index) => `pan:${index + 1}: ${error} (at depth ${index})`),
    incomplete,
    `State-vector 20 byte, depth reached 2, errors: ${errors.length}`,
    `        ${states} states, stored`,
    `        ${matched} states, matched`,
    `        ${states + matched} transitions (= stored+matched)`,
    "        0 atomic steps",
    "pan: elapsed time 0.25 seconds",
  ].join("\n");

const spin = (output: string): SpinOutcome => ({
  kind: "searched",
  report: parsePanOutput(output)!,
  run: {
    ...{ spinSeconds: 0, gccSeconds: 0, buildProcessorSeconds: 0 },
    ...{ panSeconds: 0, panUserSeconds: 0, panProcessorSeconds: 0, peakBytes: 0, output },
  },
});

const ours = ({ states = 3, transitions = 4, violated = [] as string[] } = {}): EverypathOutcome => ({
  kind: "searched",
  wallSeconds: 0,
  peakBytes: 0,
  userSeconds: 0,
  systemSeconds: 0,
  report: {
    verdict: violated.length > 0 ? "violated" : "holds",
    properties: violated.map((kind) => ({ name: kind, kind, verdict: "violated" })),
    stats: {
      states,
      transitions: transitions - 1,
      depth: 2,
      seconds: 0,
      totalSeconds: 0,
      peakBytes: 0,
      bytesPerState: 0,
      spin: { transitions },
    },
    runs: [],
    diagnostics: [],
  },
});

describe("compare", () => {
  test("equal figures agree", () => expect(compare(spin(panOutput()), ours()).verdict).toBe("agree"));

  test("another number of states differs", () =>
    expect(compare(spin(panOutput()), ours({ states: 2 })).notes).toEqual(["states 3 and 2"]));

  test("fewer transitions differ, unless pan counts paths through atomic sequences", () => {
    expect(compare(spin(panOutput()), ours({ transitions: 3 })).verdict).toBe("DIFFERS");
    expect(compare(spin(panOutput()), ours({ transitions: 3 }), { choosesInAtomic: true }).verdict).toBe(
      "agree",
    );
    expect(compare(spin(panOutput()), ours({ transitions: 5 }), { choosesInAtomic: true }).verdict).toBe(
      "DIFFERS",
    );
  });

  test("a kind of error that only one reports differs", () => {
    const deadlocked = spin(panOutput({ errors: ["invalid end state"] }));
    expect(compare(deadlocked, ours()).verdict).toBe("DIFFERS");
    expect(compare(deadlocked, ours({ violated: ["deadlock"] })).verdict).toBe("agree");
    expect(compare(spin(panOutput()), ours({ violated: ["assertion"] })).verdict).toBe("DIFFERS");
  });

  test("where pan aborts only its error is compared", () => {
    const aborted = spin(
      panOutput({ states: 1, errors: ["qsend bad queue#"], incomplete: "Warning: Search not completed" }),
    );
    expect(compare(aborted, ours({ violated: ["bad-channel", "deadlock"] })).verdict).toBe("agree");
    expect(compare(aborted, ours()).verdict).toBe("DIFFERS");
  });

  test("a truncated search is excluded", () => {
    const truncated = spin(panOutput({ incomplete: "error: max search depth too small" }));
    expect(compare(truncated, ours({ states: 99 })).verdict).toBe("EXCLUDED");
  });

  test("a crash or a refusal of ours differs", () => {
    expect(compare(spin(panOutput()), { kind: "crashed", how: "exit code 70", output: "" }).verdict).toBe(
      "DIFFERS",
    );
    expect(compare(spin(panOutput()), { kind: "rejected", message: "no" }).verdict).toBe("DIFFERS");
  });

  test("after the length of a channel that is not initialised pan goes on: its other errors and counts say nothing", () => {
    const output = panOutput({ errors: ["ref to uninitialized chan name (len)", "invalid end state"] });
    expect(compare(spin(output), ours({ states: 1, violated: ["bad-channel"] })).verdict).toBe("agree");
    expect(compare(spin(output), ours({ states: 1 })).verdict).toBe("DIFFERS");
    const sent = panOutput({ errors: ["ref to uninitialized chan name (sending)"] });
    expect(compare(spin(sent), ours({ states: 1, violated: ["bad-channel"] })).verdict).toBe("DIFFERS");
  });
});

test("a channel that is gone: pan may block where we report it, if channels are lent", () => {
  const gone = ours({ states: 2, violated: ["bad-channel"] });
  const blocked = spin(panOutput({ errors: ["invalid end state"] }));
  expect(compare(blocked, gone, { lendsChannels: true }).verdict).toBe("EXCLUDED");
  expect(compare(blocked, gone).verdict).toBe("DIFFERS");
  expect(compare(blocked, ours({ states: 2 }), { lendsChannels: true }).verdict).toBe("DIFFERS");
});

test.each([
  ["c?a[len(c) % 2];", true],
  ["c??1,a[nempty(c)];", true],
  ["c?eval(len(c));", true],
  ["assert(c?[len(c)]);", false],
  ["d[1]?a[len(d[1]) % 2];", true],
  ["c?x; a[len(c) % 2] = 1;", false],
  ["c?a[len(d) % 2];", false],
  ["c?a[0]; len(c) == 0;", false],
  ["d!a[len(d) % 2];", false],
  ["d[g % 2]?g;", true],
  ["d[g % 2]??1,g;", true],
  ["d[g % 2]?eval(g);", false],
  ["d[g % 2]?x; g = 1;", false],
  ["d[g % 2]!g;", false],
  ["assert(d[g % 2]?[g]);", false],
  ["d[len(c) % 2]?c;", true],
  ["d[len(c) % 2]?a[len(c) % 2];", false],
])("a receive that pan cannot undo: %s", (text, isIt) => expect(defeatsUndoing(text)).toBe(isIt));
