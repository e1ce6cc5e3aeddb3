/** A condition that cannot be evaluated has no verdict, but a trace to the state of the evaluation. */
import { describe, expect, test } from "vitest";
import { renderCheck } from "../../../src/report/index.js";
import { checkText } from "./small.js";

/** Counts up; conditions throw at two. */
const system = (parts: string): string => `
  const fails = (n: number): true => {
    if (n === 2) throw new Error("at two");
    return true;
  };
  class Counter {
    n = 0;
    environment: Environment;
    constructor(environment: Environment) {
      this.environment = environment;
    }
    count(): void {
      this.n++;
      this.environment.send("b", { n: this.n });
    }
  }
  export default defineSystem<any>({
    nodes: { a: (environment) => new Counter(environment), b: (environment) => new Counter(environment) },
    network: { capacity: 1, loss: true },
    ${parts}
  });`;

const count = "actions: { count: { on: 'a', times: 3, run: (node) => node.count() } },";

describe("shown with the way there:", () => {
  test.each([
    ["always", `${count} always: { p: ({ nodes }) => fails(nodes.a.n) }`, "p", 2],
    ["sometimes", `${count} sometimes: { p: ({ nodes }) => !fails(nodes.a.n) }`, "p", 2],
    ["eventually", `${count} eventually: { p: ({ nodes }) => !fails(nodes.a.n) }`, "p", 2],
    ["recoverable", `${count} recoverable: { p: ({ nodes }) => !fails(nodes.a.n) }`, "p", 2],
    ["returns", `${count} returns: { p: ({ nodes }) => !fails(nodes.a.n) }`, "p", 2],
    ["finished", `${count} finished: ({ nodes }) => fails(nodes.a.n - 1)`, "finished", 4],
    [
      "what is under way",
      `${count} always: { p: ({ network }) => network.every(({ message }) => fails(message.n)) }`,
      "p",
      3,
    ],
    // Evaluated before the step is taken.
    ["discard", `${count} discard: ({ n }) => !fails(n)`, "discard", 1],
    ["messages", `${count} messages: { p: ({ n }) => fails(n) }`, "p", 1],
    [
      "when",
      "actions: { count: { on: 'a', times: 3, when: ({ n }) => fails(n), run: (node) => void node.n++ } }",
      "count",
      2,
    ],
    ["guide", `${count} guide: ({ nodes }) => fails(nodes.a.n)`, "guide", 2],
  ])("%s", async (kind, parts, name, steps) => {
    const report = await checkText(system(parts), name === "guide" ? { search: "guided" } : {});
    expect(report.diagnostics).toMatchObject([
      { code: "code/property-failed", message: `'${name}' cannot be evaluated: Error: at two` },
    ]);
    const { file, start } = report.diagnostics[0]!.span;
    expect(report.sources.text(file)!.slice(start)).toMatch(new RegExp(`^${name}: `));
    // Temporal conditions have separate searches, whose failures do not affect other properties.
    const isAlone = ["eventually", "recoverable"].includes(kind);
    for (const { property, verdict } of report.properties)
      expect(verdict, property.name).toBe(isAlone && property.name !== name ? "holds" : "unknown");
    const shown = report.properties.filter(({ trace }) => trace);
    expect(shown.map(({ trace }) => trace!.length)).toEqual([steps]);
    if (report.properties.some(({ property }) => property.name === name))
      expect(shown[0]!.property.name).toBe(name);
    expect(renderCheck(report)).toContain(`Trace  ${steps} step`);
  });
});

describe("what guides the search", () => {
  const guided = (guide: string): ReturnType<typeof checkText> =>
    checkText(system(`${count} guide: ${guide}`), { search: "guided", reductions: [] });

  test("is refused if it changes the nodes that it reads", async () => {
    const { diagnostics, properties } = await guided("({ nodes }) => ++nodes.a.n");
    expect(diagnostics).toMatchObject([{ code: "code/property-mutates", severity: "error" }]);
    expect(properties.every(({ verdict }) => verdict === "unknown")).toBe(true);
  });

  test("is refused if it gives no data", async () => {
    const { diagnostics } = await guided("({ nodes }) => nodes.a.count");
    expect(diagnostics).toMatchObject([
      { message: "'guide' cannot be evaluated: TypeError: it does not return JSON data" },
    ]);
  });

  test.each(["({ nodes }) => nodes.a", "({ network }) => network", "({ names, isUp }) => names.map(isUp)"])(
    "changes no answer: %s",
    async (guide) => {
      const [plainly, report] = [await checkText(system(count), { reductions: [] }), await guided(guide)];
      expect(report.diagnostics).toEqual([]);
      expect(report.stats.states).toBe(plainly.stats.states);
      expect(report.stats.transitions).toBe(plainly.stats.transitions);
    },
  );

  test("is not asked by other searches", async () => {
    const report = await checkText(system(`${count} guide: () => fails(2)`));
    expect(report.diagnostics).toEqual([]);
  });
});

test.each([
  ["always", `${count} always: { p: async () => true }`],
  ["finished", `${count} finished: async () => true`],
  ["discard", `${count} discard: async () => false`],
  ["when", "actions: { go: { on: 'a', times: 3, when: async () => false, run: (node) => void node.n++ } }"],
])("a promise is no answer: %s", async (_kind, parts) => {
  const { diagnostics } = await checkText(system(parts));
  expect(diagnostics).toMatchObject([{ code: "code/property-failed" }]);
  expect(diagnostics[0]!.message).toContain("it gives a promise");
});
