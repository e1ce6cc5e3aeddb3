/** The grid of capabilities and its page. */
import { expect, test } from "vitest";
import { gridPage } from "../../src/report/index.js";
import { gridLines, registry } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

test("docs/languages/grid.md is what the declarations say", async () => {
  await expect(gridPage(gridLines(registry))).toMatchFileSnapshot(inRepository("docs/languages/grid.md"));
});
