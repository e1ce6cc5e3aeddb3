/** Pictures of networks: every node, every link, every move of a packet. */
import { expect, test } from "vitest";
import { mlCyclic, ssh } from "../../bench/sdn/models.js";
import { check, firstViolated, renderHtml } from "../../src/index.js";
import { valuesAfter } from "../../src/report/narrative.js";
import {
  renderNetwork,
  renderNetworkState,
  renderNetworkSteps,
  renderTables,
} from "../../src/report/network.js";

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

test("a state is drawn with its queues, its tables and what moved into it", async () => {
  const report = await check({ file: "ssh.sdn", text: ssh(false) });
  const trace = firstViolated(report)!.trace!;
  const installing = trace.steps.findIndex(({ action }) => action.includes("installs rule"));
  const values = valuesAfter(trace, installing + 1);
  const svg = renderNetworkState(report.network!, { values, step: trace.steps[installing] }, "<state>");
  const at = [...values.keys()].find((name) => name.endsWith(".table"))!;
  expect(svg).toContain(`>${at.split(".")[0]}: ${values.get(at)!.split("; ")[0]}</text>`);
  expect(svg).toContain("pending: install");
  expect(svg).toContain("&lt;state&gt;");
  const queues = [...values.keys()].filter((name) => name.endsWith(".packets"));
  expect(svg.match(/class="net-queue"/g) ?? []).toHaveLength(queues.length);
  const sending = trace.steps.find(({ messages }) => messages.some(({ channel }) => channel === "packet"))!;
  const moved = renderNetworkState(report.network!, { values: new Map(), step: sending }, "moved");
  expect(moved.match(/class="net-move"/g)).toHaveLength(1);
});

test("failed links are marked, and every step has its picture", async () => {
  const text = `network n { switch s1 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s1:2 fails; }
    packet { kind: bool; } behaviour client a { send {kind: true}; }
    controller { on packetIn(p, sw, pt) { forward([2]); } } property kept: noBlackHole;`;
  const report = await check({ file: "n.sdn", text });
  const trace = firstViolated(report)!.trace!;
  const pictures = renderNetworkSteps(report.network!, trace);
  expect(pictures.match(/<details>/g)).toHaveLength(trace.steps.length);
  expect(renderNetwork(report.network!, undefined, "n")).toContain("net-link net-fails");
  expect(pictures).toContain("net-link net-failed");
  expect(renderHtml(report)).toContain("Step by step");
});
