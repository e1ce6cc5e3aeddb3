/** Message flow: every principal and channel, an arrow for each direction, and the parts used by a trace highlighted. */
import { expect, test } from "vitest";
import { check } from "../../src/index.js";
import { loadMpp } from "../../src/languages/mpp/index.js";
import { renderFlowMap } from "../../src/report/flow-map.js";
import { renderHtml } from "../../src/report/html.js";
import { firstViolated } from "../../src/report/index.js";

const text = `message a; channel c, d, unused_by_the_trace;
  principal P { var x; x = a; choose { [] send(c, x); [] send(unused_by_the_trace, x); } }
  principal Q { var x; recv(c, x); spawn W; send(d, x); }
  principal W { var w; recv(d, w); }
  property p: provenance(W.w) in eps;`;

test("principals, channels and arrows are drawn, and those of the trace are marked out", async () => {
  const report = await check({ file: "m.mpp", text });
  const { program } = loadMpp("m.mpp", text);
  const drawing = renderFlowMap(program!, { trace: firstViolated(report)!.trace });
  const count = (part: string): number => drawing.split(part).length - 1;
  expect(count('class="flow-principal"')).toBe(3);
  expect(count('class="flow-channel"')).toBe(3);
  expect(count(`<path class="flow-arc`)).toBe(6); // 3 sends, 2 receives, 1 spawn
  expect(count('is-spawn"')).toBe(1);
  expect(count('is-used"')).toBe(4); // P to c, c to Q, Q to d, d to W
  expect(renderFlowMap(program!)).not.toContain('is-used"');
});

test("a page has the flow and the sequence chart of the trace, and what it shows cannot be markup", async () => {
  const report = await check({ file: "<b>.mpp", text });
  const page = renderHtml(report);
  expect(page).toContain("<h2>Who sends to whom</h2>");
  expect(page).toContain('aria-label="Sequence chart"');
  expect(page).not.toContain("<b>.mpp");
});
