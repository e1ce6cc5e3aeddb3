/** Pictures of states: each shows the run at that step, and a page has one per step. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check, firstViolated, renderHtml } from "../../src/index.js";
import { valuesAfter } from "../../src/report/narrative.js";
import { emptyScene, sceneAt } from "../../src/report/picture.js";
import { inRepository } from "../repository.js";

const checked = (name: string) =>
  check({ file: name, text: readFileSync(inRepository(`examples/${name}`), "utf8") });

test("a net is drawn with the tokens of each moment, and with the transition that has just happened", async () => {
  const report = await checked("nets/lock.spec");
  const trace = firstViolated(report)!.trace!;
  const picture = report.picture!;
  for (let position = 0; position <= trace.steps.length; position++) {
    const svg = picture.draw(sceneAt(trace, position, { title: "n" }));
    for (const [place, count] of valuesAfter(trace, position))
      expect(svg).toContain(`<title>${place}: ${count}</title>`);
    expect(svg.includes("net-transition is-fired")).toBe(position > 0);
  }
  const page = renderHtml(report);
  expect(page.match(/<template id="picture-/g)).toHaveLength(trace.steps.length + 1);
  expect(page).not.toContain("Sequence chart");
});

test("the flow of messages is drawn with where they have been", async () => {
  const report = await checked("messages/medical-mutant.mpp");
  const trace = firstViolated(report)!.trace!;
  const svg = report.picture!.draw(sceneAt(trace, trace.steps.length, { title: "flow" }));
  for (const name of ["Patient", "Secretary", "ch0", "ch1"]) expect(svg).toContain(`>${name}</text>`);
  const sent = trace.steps.flatMap(({ messages }) => messages);
  expect(svg.match(/class="net-move"/g)).toHaveLength(sent.length);
  expect(svg).toContain("p3: HA via Patient Secretary");
  expect(renderHtml(report)).toContain("Sequence chart");
});

test("a system that violates nothing is drawn as it is at the start", async () => {
  const report = await checked("messages/medical.mpp");
  expect(firstViolated(report)).toBeUndefined();
  expect(renderHtml(report)).toContain('<section aria-label="Flow">');
  expect(report.picture!.draw(emptyScene({ title: "<&>" }))).toContain("&lt;&amp;&gt;");
});
