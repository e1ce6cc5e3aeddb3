/** Pictures of networks: every node, every link, every move of a packet. */
import { expect, test } from "vitest";
import { mlCyclic } from "../../bench/sdn/models.js";
import { check, firstViolated, renderHtml } from "../../src/index.js";
import { renderNetwork, renderTables } from "../../src/report/network.js";

test("a trace is drawn as numbered moves through the network, and told as tables", async () => {
  const report = await check({ file: "<loop>.sdn", text: mlCyclic });
  const trace = firstViolated(report)!.trace!;
  const svg = renderNetwork(report.network!, trace, report.file);
  for (const name of ["s1", "s2", "s3", "c1", "c2", "c3"]) expect(svg).toContain(`>${name}</text>`);
  expect(svg.match(/class="net-link"/g)).toHaveLength(6);
  const moves = trace.steps.flatMap(({ messages }) =>
    messages.filter(({ channel, to }) => channel === "packet" && to),
  );
  expect(svg.match(/class="net-move"/g)).toHaveLength(moves.length);
  expect(svg).toContain("&lt;loop&gt;");
  expect(renderTables(report.network!, trace)).toContain("No rule was installed");
  expect(renderHtml(report)).toContain('aria-label="Network"');
});
