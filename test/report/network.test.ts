/** Pictures of networks: every node, every link, every move of a packet. */
import { expect, test } from "vitest";
import { mlCyclic } from "../../bench/sdn/models.js";
import { check, firstViolated, renderHtml } from "../../src/index.js";
import { sceneAt } from "../../src/report/index.js";

test("a trace is drawn as numbered moves through the network, and told as tables", async () => {
  const report = await check({ file: "<loop>.sdn", text: mlCyclic });
  const trace = firstViolated(report)!.trace!;
  const picture = report.picture!;
  const at = (position: number): string => picture.draw(sceneAt(trace, position, { title: report.file }));
  const svg = at(trace.steps.length);
  for (const name of ["s1", "s2", "s3", "c1", "c2", "c3"]) expect(svg).toContain(`>${name}</text>`);
  expect(svg.match(/class="net-link"/g)).toHaveLength(6);
  const moves = trace.steps.flatMap(({ number, messages }) =>
    messages.filter(({ channel, to }) => channel === "packet" && to).map(() => number),
  );
  expect(svg.match(/class="net-move"/g)).toHaveLength(moves.length);
  expect(svg).toContain("&lt;loop&gt;");
  expect(picture.overview!(trace)).toContain("No rule was installed");
  const page = renderHtml(report);
  for (const { number } of trace.steps) expect(page).toContain(`<template id="picture-${number}">`);
  expect(page).not.toContain("<loop>");
  expect(at(0)).not.toContain('class="net-move"');
  const last = moves.at(-1)!;
  const position = trace.steps.findIndex(({ number }) => number === last) + 1;
  expect(at(position)).toContain(`class="is-now" data-step="${last}"`);
});

test("a link that has failed is gone from the picture", async () => {
  const text = `network n { switch s1 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s1:2 fails; }
    packet { kind: bool; } behaviour client a { send {kind: true}; }
    controller { on packetIn(p, sw, pt) { forward([2]); } } property kept: noBlackHole;`;
  const report = await check({ file: "n.sdn", text });
  const trace = firstViolated(report)!.trace!;
  const links = (position: number): number =>
    report.picture!.draw(sceneAt(trace, position, { title: "n" })).match(/class="net-link/g)!.length;
  expect([links(0), links(trace.steps.length)]).toEqual([2, 1]);
});
