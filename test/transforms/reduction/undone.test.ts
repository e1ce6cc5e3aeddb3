/** Conditions of reductions that were once missing, undone in the source: in the models that were its witnesses a sampled state tells. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { copyOfRepository } from "../../../bench/copy.js";
import { undo, undoings } from "../../../bench/fuzz/undoings.js";
import { repositoryRoot } from "../../repository.js";

const copy = copyOfRepository(repositoryRoot);
afterAll(() => rmSync(copy, { recursive: true, force: true }), 60_000);

/** By the name of the undone condition: prefix of the models that show it. */
const shownBy: Readonly<Record<string, string>> = {
  "sorted-send": "sorted-send",
  "readiness-in-partial-order": "rendezvous-readiness",
  "readiness-in-merging": "rendezvous-readiness",
  "observed-in-index": "channel-observed",
  "observed-in-initialiser": "channel-observed",
  "false-claim": "false-exclusive",
  "dying-channel": "dying-channel",
  "fault-in-chain": "fault-after",
  "constant-index": "constant-index-beyond",
  "sliced-fault": "constant-index-beyond",
};

test.each(Object.entries(shownBy))("%s", { timeout: 240_000 }, (name, witnesses) => {
  const restore = undo(
    undoings.find((undoing) => undoing.name === name)!,
    copy,
  );
  const script = ["scripts/run-ts.mjs", "test/transforms/reduction/sampled-witnesses.ts", witnesses];
  try {
    const printed = execFileSync(process.execPath, script, { cwd: copy, encoding: "utf8" });
    expect(printed).toContain("must not be used here, and was: ");
  } finally {
    restore();
  }
});

test("every condition that can be undone is in the source", () => {
  for (const undoing of undoings) undo(undoing, copy)();
});
