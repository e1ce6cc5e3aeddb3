/** Architectures as users check them: errors, updates by states and by actions, and comparisons. */
import { describe, expect, test } from "vitest";
import {
  checkInput,
  compareInputs,
  readInput,
  registry,
  replayInput,
  type CheckOptions,
} from "../../src/session/index.js";
import type { Input } from "../../src/session/request.js";
import { always } from "../../src/session/components/questions.js";
import { StateFormulas } from "../../src/engines/lts/index.js";
import { LtsBuilder } from "../../src/model/index.js";
import { inRepository } from "../repository.js";

const example = (name: string): Input =>
  readInput(inRepository(`examples/components/${name}.fractal`)) as Input;

async function verdicts(name: string, options: CheckOptions = {}): Promise<Record<string, string>> {
  const { report } = await checkInput(example(name), options, registry);
  return Object.fromEntries(report.properties.map(({ property, verdict }) => [property.name, verdict]));
}

test.each([
  ["C", "holds"],
  ["C-started", "violated"],
  ["System", "holds"],
  ["System-update", "violated"],
  ["System-update-mended", "holds"],
])("%s: no unbound call %s, with both engines", async (name, expected) => {
  for (const engine of ["explicit", "compositional"]) {
    const found = await verdicts(name, { engine, properties: ["no unbound call"] });
    expect(found["no unbound call"]).toBe(expected);
  }
});

test("each class of errors has its own property", async () => {
  const text = `<definition name="W" errors="unbound mandatory"><types>interface L { log(); }</types>
    <component name="A"><interface name="out" role="client" signature="L" contingency="mandatory"/>
    <content><behaviour>des (0, 1, 1)
(0, "work", 0)</behaviour></content></component></definition>`;
  const { report } = await checkInput({ file: "w.fractal", text }, {}, registry);
  const found = report.properties.map(({ property, verdict }) => `${property.name} ${verdict}`);
  expect(found).toContain("mandatory interfaces bound violated");
  expect(found).toContain("no unbound call holds");
});

test("a trace can be replayed", async () => {
  const input = example("C-started");
  const { report } = await checkInput(input, { properties: ["no unbound call"] }, registry);
  const schedule = report.properties.find(({ trace }) => trace)?.trace?.schedule;
  expect(schedule).toBeDefined();
  const replayed = await replayInput(input, { schedule: schedule ?? "" }, {}, registry);
  expect(JSON.stringify(replayed)).toContain("ERROR_UNBOUND(C.Ilog.log)");
});

describe("an update by actions", () => {
  test("warns of the four states without an image, and is bounded by the two others", async () => {
    const { report } = await checkInput(example("System-update-actions"), {}, registry);
    expect(report.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      Array.from({ length: 4 }, () => "warning fractal/no-image"),
    );
    expect(report.scope.kind).toBe("bounded");
    expect(report.scope.notes.join()).toContain("2 images of 6 states");
  });

  test("is refused beside other changes of the parts", async () => {
    const input = example("System-update-actions");
    const text = input.text.replace(
      '<op name="stop"/>',
      '<op name="stop"/><op name="remove" component="Logger"/>',
    );
    const { report } = await checkInput({ ...input, text }, {}, registry);
    expect(report.diagnostics.map(({ code }) => code)).toContain("fractal/update");
  });
});

test("to an observer of the interfaces, C with another part is different", async () => {
  const input = example("C");
  const other = { ...input, text: input.text.replace('definition="B"', 'definition="B2"') };
  const options = { defines: ["control=free"] };
  const { comparison } = await compareInputs(
    [input, other],
    "weak",
    { ...options, visible: ["?C.*", "ERROR*"] },
    registry,
  );
  expect(comparison?.isRelated).toBe(false);
  const same = await compareInputs([input, input], "weak", options, registry);
  expect(same.comparison?.isRelated).toBe(true);
});

test("a deployment that repeats its last operation is complete after the last one", () => {
  const build = (labels: readonly string[]) => {
    const builder = new LtsBuilder();
    for (const [i, label] of labels.entries()) builder.add(i, builder.labels.of(label), i + 1);
    return builder.finish(labels.length + 1, [0]);
  };
  const formula = always(["a", "b", "a"]);
  expect(new StateFormulas(build(["a", "b", "a"])).holds(formula)[0]).toBe(1);
  expect(new StateFormulas(build(["a", "b"])).holds(formula)[0]).toBe(0);
});
