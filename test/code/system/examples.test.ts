/** The example systems have the verdicts in their first comments, and their traces replay from the schedule alone. */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkInput } from "../../../src/session/check/check.js";
import { registry } from "../../../src/session/registry.js";
import { replayInput } from "../../../src/session/replay/replay.js";

const folder = `${import.meta.dirname}/../../../examples/code/systems`;
/** Slow on a busy machine; `npm run bench:code` checks these. */
const long = ["raft-members.ts ", "raft.ts ", "aodv-ref.ts ", "aodv-ref.ts LINE4 RL1"];

describe("example system", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ts"))) {
    const file = `${folder}/${name}`;
    const text = readFileSync(file, "utf8");
    for (const [, condition = "", outcome] of text.matchAll(/\/\* expected(?: with ([^:]*))?: (.*?) \*\//g)) {
      const defines = condition
        .split("-D")
        .map((d) => d.trim())
        .filter((d) => d !== "");
      if (long.includes(`${name} ${defines.join(" ")}`)) continue;
      test(`${name} ${defines.join(" ")}: ${outcome}`, async () => {
        const { report } = await checkInput({ file, text }, { defines }, registry);
        // Replayed nodes cause a note.
        expect(report.diagnostics.filter(({ severity }) => severity !== "note")).toEqual([]);
        const violated = report.properties.find(({ verdict }) => verdict === "violated");
        expect(violated ? `violated (${violated.property.name})` : "holds").toBe(outcome);
        if (!violated?.trace) return;
        const again = await replayInput(
          { file, text },
          { schedule: violated.trace.schedule },
          { defines },
          registry,
        );
        expect(again.outcome).toBe("failed");
        expect(again.trace?.steps.map(({ action }) => action)).toEqual(
          violated.trace.steps.map(({ action }) => action),
        );
      }, 240_000);
    }
  }
});
