/** Conditions of reductions that were once missing, undone in the source: in the models that were its witnesses a sampled state tells. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { bundleWithout, undoings } from "../../../bench/fuzz/undoings.js";
import { inRepository, repositoryRoot } from "../../repository.js";

const folder = inRepository(`node_modules/.cache/undone-${process.pid}`);
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** By the name of what is undone: how the models begin that show it. */
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

const conditions = undoings.filter(({ file }) => file.startsWith("transforms/reduction/"));

test.each(conditions)("$name", { timeout: 120_000 }, async (undoing) => {
  const bundle = `${folder}/${undoing.name}.mjs`;
  await bundleWithout(undoing, repositoryRoot, "test/transforms/reduction/sampled-witnesses.ts", bundle);
  const printed = execFileSync(process.execPath, [bundle, shownBy[undoing.name]!], { encoding: "utf8" });
  expect(printed).toContain("must not be used here, and was: ");
});
