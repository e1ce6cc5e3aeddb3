/** Makes `runEverypath` run the current sources instead of the last build. */
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { useCli } from "../cli/built-cli.js";

export function useCurrentBuild(): void {
  const { directory } = useCli();
  const before = process.env["EVERYPATH_CLI"];
  beforeAll(() => {
    process.env["EVERYPATH_CLI"] = join(directory, "../bin/index.js");
  });
  afterAll(() => {
    if (before === undefined) delete process.env["EVERYPATH_CLI"];
    else process.env["EVERYPATH_CLI"] = before;
  });
}
