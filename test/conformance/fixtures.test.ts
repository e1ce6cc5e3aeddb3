/** Our models against their stated figures, without a peer. */
import { describe, expect, test } from "vitest";
import { runEverypath } from "../peers/everypath.js";
import { useCurrentBuild } from "../peers/current-build.js";
import { ourFigures } from "./compare.js";
import { conformanceFixtures } from "./fixtures.js";
import { quickStates } from "./models.js";

describe("conformance fixtures", () => {
  useCurrentBuild();

  for (const fixture of conformanceFixtures().filter(({ expected }) => expected.states <= quickStates))
    test(`${fixture.name} has the figures it states`, async () => {
      const outcome = await runEverypath(fixture.file, { defines: fixture.defines });
      expect(outcome.kind).toBe("searched");
      if (outcome.kind === "searched") expect(ourFigures(outcome.report)).toEqual(fixture.expected);
    });
});
