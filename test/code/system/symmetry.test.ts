/** Declared symmetry: one state per orbit is searched, and the declaration is tested. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SystemModel } from "../../../src/code/system/index.js";
import { Representatives } from "../../../src/code/system/representatives.js";
import { Entry, Successors, faultSite, type Model } from "../../../src/model/index.js";
import { checkText, modelOf, propertyOf } from "./small.js";

/** Starts the reduction at once, as in large systems. */
const atOnce = { reducesAtOnce: true };

/** `handler`, `start`: statements; `e` is the environment. */
const system = (parts: {
  fields?: string;
  start?: string;
  handler?: string;
  more?: string;
  nodes?: string;
}): string => `
class Member {
  count = 0; last = ""; seen: string[] = []; heard = new Map<string, number>(); byName: Record<string, number> = {};
  ${parts.fields ?? ""}
  constructor(readonly e: Environment, readonly first = 0) { this.count = first; }
  onStart() { const e = this.e; ${parts.start ?? ""} }
  onTimer(timer: string) { this.count = Math.min(2, this.count + 1); this.last = timer; }
  onMessage(from: string, m: any) { const e = this.e; ${parts.handler ?? ""} }
}
const make = (e: Environment) => new Member(e);
export default defineSystem<any>({
  nodes: { ${parts.nodes ?? "ann: make, ben: make, cyd: make"} },
  symmetric: [["ann", "ben", "cyd"]],
  ${parts.more ?? ""}
});`;

const go = `actions: { go: { times: 2, run: (n) => n.e.broadcast({ of: n.e.name, k: n.count }) } }`;
const count = "this.count = Math.min(2, this.count + 1);";

describe("states up to the names of interchangeable nodes", () => {
  const handlers = [
    count,
    "this.last = m.of;",
    "if (!this.seen.includes(from)) this.seen.push(from);",
    "this.heard.set(from, Math.min(1, (this.heard.get(from) ?? -1) + 1));",
    "this.byName[m.of] = m.k;",
    "if (m.k < 2 && from !== 'hub') e.send(from, { of: m.of, k: 2 });",
    "e.setTimer(from);",
    "e.disk.write(from, m.of);",
    "if (this.last === from) throw new Error('twice from ' + from);",
  ];
  const worlds = [
    "network: { capacity: 2 }, ",
    'network: { order: "fifo" }, ',
    "network: { loss: 1 }, ",
    "network: { capacity: 1 }, faults: { crashes: 1 }, ",
    "network: { capacity: 1 }, faults: { partitions: 1 }, ",
    "network: { duplicates: 1, capacity: 1 }, ",
  ];
  const conditions = [
    "Object.values(nodes).filter((n) => n?.count === 2).length < 2",
    "names.every((name) => nodes[name]?.last !== name)",
    "Object.values(nodes).every((n) => (n?.seen ?? []).length < 2)",
  ];
  const random = fc.record({
    handler: fc.uniqueArray(fc.constantFrom(...handlers), { minLength: 1, maxLength: 3 }),
    world: fc.constantFrom(...worlds),
    condition: fc.constantFrom(...conditions),
    hub: fc.boolean(),
  });

  test("agree with a naive enumeration in number and violations", async () => {
    let reduced = 0;
    await fc.assert(
      fc.asyncProperty(random, async ({ handler, world, condition, hub }) => {
        const text = system({
          handler: handler.join(" "),
          nodes: hub ? "hub: make, ann: make, ben: make, cyd: make" : "ann: make, ben: make, cyd: make",
          more: `${world}${go.replace("times: 2", hub ? "times: 1" : "times: 2")}, always: { p: ({ nodes, names }) => ${condition} }`,
        });
        const full = await modelOf(text);
        const all = reachable(full, MOST);
        if (all.states.length >= MOST) return;
        const original = await modelOf(text);
        const few = reachable(new Representatives(original).model, MOST);
        const orbits = new Set(all.states.map((state) => leastText(full, state)));
        expect(few.states.length).toBe(orbits.size);
        expect(new Set(few.states.map((state) => leastText(original, state)))).toEqual(orbits);
        expect(few.wrong).toEqual(all.wrong);
        if (orbits.size < all.states.length) reduced++;
      }),
      { numRuns: 15, seed: 11 },
    );
    expect(reduced).toBeGreaterThan(5);
  }, 240_000);
});

describe("a check", () => {
  const holds = "always: { p: ({ nodes }) => Object.values(nodes).every((n) => n.count < 3) }";

  test("searches fewer states by default, says so, and agrees with the search of all", async () => {
    const text = system({ handler: count, more: `${go}, ${holds}` });
    const report = await checkText(text, { checksReduction: true });
    const whole = await checkText(text, { reductions: [] });
    expect(propertyOf(report, "p").verdict).toBe("holds");
    expect(report.stats.states).toBeLessThan(whole.stats.states / 3);
    expect(report.diagnostics).toMatchObject([{ code: "session/reduction-checked" }]);
    expect(JSON.stringify(report)).toMatch(/declared to be alike: ann, ben, cyd \(\d+ states compared/);
  });

  test("reports a fault with the node of the concrete run", async () => {
    const text = system({ handler: "if (m.k === 1) throw new Error('met'); this.count = 1;", more: go });
    const { verdict, trace, reason } = propertyOf(await checkText(text, atOnce), "exceptions");
    expect(verdict).toBe("violated");
    expect(reason).toContain(`${trace!.steps.at(-1)!.participants[0]} fails: met`);
  });

  test.each([
    ["a node that starts otherwise", { nodes: "ann: make, ben: make, cyd: (e) => new Member(e, 1)" }],
    ["a node that knows its place", { start: "this.count = e.nodes.indexOf(e.name);" }],
    ["a handler that looks at names", { handler: `if (e.name === "cyd") ${count}` }],
    ["a handler that compares names", { handler: `if (e.name < from) ${count}` }],
    ["names inside of texts", { handler: "this.last = 'from ' + from;" }],
    ["room for the first only", { handler: count, more: `network: { order: "fifo", capacity: 1 }, ${go}` }],
    [
      "an action that looks at names",
      {
        more: 'actions: { go: { run: (n) => { if (n.e.name === "ben") n.count = 1; else n.last = "x"; } } }',
      },
    ],
  ])("does not trust the declaration: %s", async (_, parts) => {
    const report = await checkText(system({ more: go, ...parts }), atOnce);
    expect(report.diagnostics).toMatchObject([{ code: "code/not-symmetric", severity: "warning" }]);
    expect(new Set(report.properties.map(({ verdict }) => verdict))).toEqual(new Set(["unknown"]));
  });

  test("reports asymmetry found only by --check-reduction, not an internal error", async () => {
    // One state in 6,561, after the phase in which every state is compared.
    const text = `class Counter { n = 0; }
      export default defineSystem<any>({
        nodes: { ann: () => new Counter(), ben: () => new Counter() }, symmetric: [["ann", "ben"]],
        actions: { up: { when: (c) => c.n < 80, run: (c) => { c.n++; } } },
        always: { p: ({ nodes }) => !(nodes.ann.n === 20 && nodes.ben.n === 71) },
      });`;
    const report = await checkText(text, { checksReduction: true });
    expect(report.diagnostics).toMatchObject([{ code: "code/not-symmetric", severity: "warning" }]);
    expect(report.diagnostics[0]!.message).toContain("the nodes that are declared to be alike are not: 'p'");
    expect(propertyOf(report, "p").verdict).toBe("unknown");
  }, 240_000);

  test("searches all states for a property of one node", async () => {
    const text = system({ handler: count, more: `${go}, always: { p: ({ nodes }) => nodes.ann.count < 2 }` });
    const report = await checkText(text, atOnce);
    expect(propertyOf(report, "p").verdict).toBe("violated");
    expect(report.diagnostics).toMatchObject([{ code: "session/reduction-off" }]);
    expect(report.diagnostics[0]!.message).toContain(
      "'p' is not the same when the names of nodes are exchanged",
    );
  });

  test.each([
    ["only one of them crashes", 'faults: { crashes: 1, crashing: ["ann"] }', ""],
    ["'go' happens to one of them only", 'actions: { go: { on: "ben", run: (n) => { n.count = 1; } } }', ""],
    [
      "the values of 'go' name one of them only",
      'actions: { go: { values: ["cyd"], run: (n) => { n.count = 1; } } }',
      "",
    ],
    ["linked with others in different ways", 'network: { links: [["ann", "ben"], ["ben", "cyd"]] }', ""],
    ["fields are ignored", 'ignore: ["last"]', ""],
    ["replayed cannot be renamed: ann, ben, cyd", 'capture: "replay"', ""],
  ])("says why it does not use it: %s", async (why, more) => {
    const report = await checkText(system({ more }), atOnce);
    expect(report.diagnostics.map(({ message }) => message).join()).toContain(why);
    expect(propertyOf(report, "exceptions").verdict).toBe("holds");
  });

  test("refuses names that mean nothing", async () => {
    const report = await checkText(system({ nodes: "ann: make, ben: make" }), atOnce);
    expect(report.diagnostics).toMatchObject([{ code: "code/not-symmetric", severity: "error" }]);
    expect(report.diagnostics[0]!.message).toBe("'symmetric' names 'cyd', which is not a node");
  });
});

const MOST = 1000;

/** All states, and all faults in them. */
function reachable(
  { system, sites, invariants, holds }: Model,
  most: number,
): { states: Int32Array[]; wrong: Set<string> } {
  const out = new Successors(system.width);
  system.initial(out);
  const states = [out.words.slice(0, system.width) as Int32Array];
  const seen = new Set(states.map(String));
  const wrong = new Set<string>();
  for (const state of states) {
    if (states.length >= most) break;
    for (const [index, { name }] of invariants.entries()) if (!holds(index, state, 0)) wrong.add(name);
    out.clear();
    system.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      if (faultSite(out.flags[i]!) >= 0) wrong.add(sites[faultSite(out.flags[i]!)]!.fault);
      if ((out.flags[i]! & Entry.dead) !== 0) continue;
      const words = out.words.slice(i * out.stride, (i + 1) * out.stride) as Int32Array;
      if (seen.has(String(words))) continue;
      seen.add(String(words));
      states.push(words);
    }
  }
  return { states, wrong };
}

/** Naive representative: the least text of the whole state under all permutations of names. */
function leastText(
  {
    nodes,
    summary: {
      nodes: names,
      network: { order },
    },
    network,
    words,
  }: SystemModel,
  state: Int32Array,
): string {
  const parts = nodes.map((node, i) => {
    const { isUp, side } = node.state(state[i]!);
    const view = (node.view(state[i]!) ?? {}) as Record<string, unknown>;
    const shown = {
      ...view,
      e: undefined,
      heard: [...((view["heard"] as Map<string, number> | undefined) ?? [])],
    };
    const beside = [...side.timers, ...Object.entries(side.disk), ...side.unsynced].map((part) =>
      JSON.stringify(part),
    );
    return { head: `${names[i]} ${JSON.stringify([isUp, shown])}`, beside };
  });
  const mask = words.partitionOf(state, 0);
  const sides = [0, 1].map((bit) => names.filter((_, i) => ((mask >> i) & 1) === bit));
  const packets = network.packets(state[nodes.length]!).map((number, place) => {
    const { from, to, message } = network.packet(number);
    return { link: `${names[from]}>`, to: to.map((node) => names[node]!), message, place };
  });
  const rest = state.slice(words.partition < 0 ? nodes.length + 1 : nodes.length + 2).join();
  const texts = arrangements(["ann", "ben", "cyd"]).map((images) => {
    const swap = (text: string): string =>
      text.replace(/ann|ben|cyd/g, (name) => images[["ann", "ben", "cyd"].indexOf(name)]!);
    const under = packets.map(({ link, to, message, place }) => ({
      link: swap(link) + to.map(swap).sort().join(),
      message: swap(message),
      place,
    }));
    under.sort(
      (a, b) =>
        compare(a.link, b.link) || (order === "fifo" ? a.place - b.place : compare(a.message, b.message)),
    );
    return JSON.stringify([
      parts.map(({ head, beside }) => swap(head) + beside.map(swap).sort().join()).sort(),
      under.map(({ link, message }) => [link, message]),
      sides.map((side) => side.map(swap).sort().join()).sort(),
      rest,
    ]);
  });
  return texts.sort()[0]!;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const arrangements = (items: readonly string[]): string[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) =>
        arrangements(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
      );
