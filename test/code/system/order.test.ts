/** Partial-order reduction by node preserves verdicts with fewer states, and each of its conditions is necessary. */
import { describe, expect, test } from "vitest";
import type { SystemModel } from "../../../src/code/system/index.js";
import { NodeCandidates, withCandidates } from "../../../src/code/system/node-candidates.js";
import { Independence } from "../../../src/code/system/independence.js";
import { Reads } from "../../../src/code/system/reads.js";
import { Visible } from "../../../src/code/system/visible.js";
import { checkExplicit, type Proviso } from "../../../src/engines/explicit/index.js";
import type { Budget, Candidates } from "../../../src/model/index.js";
import { checkText, modelOf, propertyOf, systemOf as system } from "./small.js";

/** Starts the reduction at once, as in large systems. */
const atOnce = { reducesAtOnce: true };

const timer = 'e.setTimer("t");';

/** A message of b must not precede the timer of a; it may. */
const overtaken = system({
  a: { start: timer, timer: "n.x = 1;", message: 'if (n.x === 0) throw new Error("too early");' },
  b: { start: timer, timer: 'e.send("a", 1);' },
});

/** a must precede b; it need not. */
const unordered = system(
  { a: { start: timer, timer: "n.x = 1;" }, b: { start: timer, timer: "n.x = 1;" } },
  "always: { p: ({ nodes }) => !(nodes.b.x === 1 && nodes.a.x === 0) },",
);

/** Steps of b can be postponed forever. */
const restless = system({
  a: { start: timer, timer: `n.x = 1 - n.x; ${timer}` },
  b: { start: timer, timer: 'throw new Error("at last");' },
});

/** The second step of b stops a: a deadlock. */
const stopped = system(
  {
    a: { start: timer, timer: `n.x = 1 - n.x; ${timer}`, message: 'e.clearTimer("t");' },
    b: { start: timer, timer: `n.x++; if (n.x === 1) ${timer} else e.send("a", 1);` },
  },
  "finished: () => false,",
);

describe("what a reduction must not leave out", () => {
  const none = { known: () => [] };
  const mutants: readonly [string, string, string, Partial<Mutation>][] = [
    ["what others may send", "exceptions", overtaken, { steps: none }],
    ["what conditions look at", "p", unordered, { isBlind: true }],
    ["who is put off", "exceptions", restless, { proviso: "none" }],
    ["who is put off, with nothing but deadlocks", "deadlock", stopped, { proviso: "none" }],
  ];

  test.each(mutants)("%s", async (_, name, text, mutation) => {
    expect(await verdictOf(name, text, {})).toBe("violated");
    expect(await verdictOf(name, text, mutation)).toBe("holds");
    expect(propertyOf(await checkText(text, { ...atOnce, properties: [name] }), name).verdict).toBe(
      "violated",
    );
  });
});

interface Mutation {
  /** Replaces the recorded steps. */
  readonly steps: object;
  readonly isBlind: boolean;
  readonly proviso: Proviso;
}

async function verdictOf(
  name: string,
  text: string,
  { steps, isBlind, proviso = "queue" }: Partial<Mutation>,
): Promise<string> {
  const model = await modelOf(text);
  const reads = model.invariants.map(() => new Reads());
  const visible = new Visible(model.nodes, isBlind ? [] : reads);
  const parts = steps ? { ...model.parts, steps: { callNumber: () => 0, ...steps } as never } : model.parts;
  const candidates = new NodeCandidates(model, reads, new Independence(parts, model.nodeSystem, visible));
  for (;;) {
    const found = await searchWith(model, candidates, proviso);
    const { verdict } = found.findings.find(({ property }) => property.name === name)!;
    if (verdict.kind === "violated" || candidates.isSettled()) return verdict.kind;
  }
}

const searchWith = (
  model: SystemModel,
  candidates: Candidates & Pick<NodeCandidates, "reads">,
  proviso: Proviso,
  budget: Budget = {},
) =>
  checkExplicit(
    {
      ...model,
      system: withCandidates(model.system, candidates),
      holds: (index, state, at) => model.holdsWatched(index, state, at, candidates.reads[index]!),
    },
    { order: "bfs", proviso, checkDeadlock: true, errors: "all", budget, control: {} },
  );

describe("nothing is left out", () => {
  const deadlock = async (text: string): Promise<string> => {
    const report = await checkText(text, { properties: ["deadlock"], checksReduction: true });
    return propertyOf(report, "deadlock").verdict;
  };
  const done = "finished: ({ nodes }) => nodes.c.x === 1,";

  test("a packet takes its room until all have it: what the first of them sends is lost", async () => {
    const handlers = { a: {}, b: { message: 'e.send("c", 1);' }, c: { message: "n.x = 1;" } };
    const text = system(
      { ...handlers, d: { start: 'e.send(["a", "b"], 1);' } },
      `${done} network: { capacity: 1 },`,
    );
    expect(await deadlock(text)).toBe("violated");
  });

  test("a packet to several is lost for all of them", async () => {
    const handlers = { a: { message: 'e.send("b", 2);' }, b: { message: "n.x += m;" }, c: {} };
    const text = system(
      { ...handlers, d: { start: 'e.send(["a", "b"], 1);' } },
      "finished: ({ nodes }) => nodes.b.x !== 2, network: { loss: 1 },",
    );
    expect(await deadlock(text)).toBe("violated");
  });

  test("a budget that two nodes share is spent by either", async () => {
    const text = system(
      { a: {}, b: {} },
      "finished: ({ nodes }) => nodes.a.x === 1, actions: { go: { times: 1, run: (n) => { n.x = 1; } } },",
    );
    expect(await deadlock(text)).toBe("violated");
  });
});

describe("what conditions look at", () => {
  const readsOf = async (condition: string): Promise<unknown[]> => {
    const model = await modelOf(system({ a: {}, b: {} }, `always: { p: (world) => ${condition} },`));
    const reads = new Reads();
    await searchWith(model, new NodeCandidates(model, [reads]), "queue");
    return [reads.fieldsOf(0), reads.fieldsOf(1), reads.network];
  };

  test.each([
    ["world.nodes.a.x === 0", [new Set(["x"]), undefined, false]],
    ["world.nodes.a.x === 0 || world.nodes.b.y === 0", [new Set(["x"]), undefined, false]],
    ["world.nodes.a.x === 1 || 'y' in world.nodes.b", [new Set(["x"]), new Set(["y"]), false]],
    ["world.nodes.a.isA && world.nodes.a.z === undefined", ["all", undefined, false]],
    ["world.nodes.a.z === undefined", [new Set(["z"]), undefined, false]],
    ["world.isUp('b')", [undefined, new Set(), false]],
    ["world.network.length === 0", [undefined, undefined, true]],
    ["Object.keys(world.nodes.a).length > 0", ["all", undefined, false]],
    [
      "JSON.stringify(world.nodes.b.y) === '0' && typeof world.nodes.a.onTimer === 'function'",
      ["all", new Set(["y"]), false],
    ],
    [
      "(() => { try { return world.nodes.a.e.name === 'a' && Object.values(world.nodes.a).length > 1; } catch { return false; } })()",
      ["all", undefined, false],
    ],
  ])("%s", async (condition, expected) => {
    expect(await readsOf(condition)).toEqual(expected);
  });
});

describe("a check", () => {
  /** Three independent pairs of a client and a server. */
  const pairs = (more = ""): string =>
    system(
      Object.fromEntries(
        ["a", "b", "c"].flatMap((name) => [
          [
            name,
            { start: timer, timer: `n.x++; e.send("${name}s", n.x);`, message: `if (n.x < 3) ${timer}` },
          ],
          [`${name}s`, { message: `n.x = m; e.send("${name}", m);` }],
        ]),
      ),
      more,
    );
  const holds = "always: { p: ({ nodes }) => nodes.a.x >= nodes.as.x },";

  test("searches far fewer states by default, says so, and agrees with the search of all", async () => {
    const report = await checkText(pairs(holds), { checksReduction: true });
    const whole = await checkText(pairs(holds), { reductions: [] });
    expect(report.runs[0]!.reductions).toEqual(["por"]);
    expect(report.stats.states).toBeLessThan(whole.stats.states / 10);
    expect(report.diagnostics.map(({ code }) => code)).toEqual(["session/reduction-checked"]);
    expect(whole.runs[0]!.reductions).toEqual([]);
    expect(await states(pairs(holds), { isPlain: true })).toBe(whole.stats.states);
  });

  test("is searched again when a condition looks at something new", async () => {
    // b is read only after a has finished, when b may have moved.
    const text = system(
      {
        a: { start: timer, timer: `n.x++; if (n.x < 3) ${timer}` },
        b: { start: timer, timer: `n.x++; if (n.x < 3) ${timer}` },
      },
      "always: { p: ({ nodes }) => nodes.a.x < 3 || nodes.b.x !== 1 },",
    );
    expect(propertyOf(await checkText(text, atOnce), "p").verdict).toBe("violated");
    const fine = await checkText(text.replace("!== 1", "<= 3"), atOnce);
    expect(fine.scope.notes.join()).toMatch(/searched \d times, until it was known/);
    expect(propertyOf(fine, "p").verdict).toBe("holds");
  });

  test.each([
    ["it speaks of executions without end", "eventually: { q: ({ nodes }) => nodes.as.x === 3 },"],
    ["it asks for a way from every state", "recoverable: { q: ({ nodes }) => nodes.as.x === 3 },"],
    ["it compares all of every node", "returns: { q: ({ nodes }) => nodes.as.x === 4 },"],
  ])("says what needs all states: %s", async (why, more) => {
    const report = await checkText(pairs(more), atOnce);
    const [note] = report.diagnostics;
    expect(note).toMatchObject({ code: "session/reduction-off", severity: "note" });
    expect(note!.message).toContain(`'q' needs all states, since ${why}`);
    expect(propertyOf(report, "q").verdict).toBe("holds");
    expect(report.runs.map(({ reductions }) => reductions)).toEqual([["por"], []]);
  });

  test.each([
    [
      "is off while the network may fall apart ('partitions'), or a disk decay ('torn', 'corruptions'): that affects",
      "faults: { partitions: 1 },",
    ],
    [
      "is off: 'p' looks at 'network', which every step changes",
      "always: { p: ({ network }) => network.length < 9, q: ({ nodes }) => nodes.a.x < 9 },",
    ],
  ])("says why it reduces nothing: %s", async (why, more) => {
    const text = system({ a: { start: timer }, b: { start: timer, timer: 'e.send("a", 1);' } }, more);
    const { stats, diagnostics } = await checkText(text, atOnce);
    expect(stats.states).toBe(await states(text, { reductions: [] }));
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["session/reduction-off", "note"],
    ]);
    expect(diagnostics[0]!.message).toContain(`reduction 'por' ${why}`);
    expect((await checkText(text, { isPlain: true })).diagnostics).toEqual([]);
  });

  test("is not said to have been done where a condition looks at the network", async () => {
    const { runs } = await checkText(pairs("always: { p: ({ network }) => network.length < 99 },"), atOnce);
    expect(runs.map(({ reductions }) => reductions)).toEqual([[]]);
  });

  test("what is kept of reduced states counts as memory", async () => {
    const counting = { start: timer, timer: `n.x++; if (n.x < 20) ${timer}` };
    const text = system(
      { a: counting, b: counting, c: counting, d: counting },
      "always: { p: ({ nodes }) => nodes.a.x + nodes.b.x < 99, q: ({ nodes }) => nodes.c.x + nodes.d.x < 99 },",
    );
    const model = await modelOf(text);
    const candidates = new NodeCandidates(model);
    const { propose, successorsOf } = withCandidates(model.system, candidates).candidates!;
    const keepingNothing = { propose, successorsOf, reads: candidates.reads };
    const uncounted = await searchWith(model, keepingNothing, "queue");
    const counted = await searchWith(model, candidates, "queue");
    const kept = candidates.kept.bytes;
    expect(kept).toBeGreaterThan(4 * counted.stats.partialOrder!.reduced);
    expect(counted.stats.peakBytes).toBe(uncounted.stats.peakBytes + kept);

    const tight = await searchWith(model, candidates, "queue", { memoryBytes: uncounted.stats.peakBytes });
    expect(tight.findings.map(({ verdict }) => verdict)).toEqual(
      tight.findings.map(() =>
        expect.objectContaining({ kind: "unknown", reason: expect.stringContaining("the memory ran out") }),
      ),
    );
    expect(tight.stats.states).toBeLessThan(counted.stats.states);
    expect(tight.stats.peakBytes).toBeLessThan(counted.stats.peakBytes);
  });

  test("is off, and says so, when its assumptions were refuted too often", async () => {
    const model = await modelOf(pairs(holds));
    const candidates = new NodeCandidates(model);
    candidates.repeated = 5;
    const { stats } = await searchWith(model, candidates, "queue");
    expect(stats.partialOrder!.reduced).toBe(0);
    expect(candidates.hindrances()).toEqual([{ why: "its assumptions were refuted 5 times" }]);
  });

  test("is given up where it does little, unless it was asked for by name", async () => {
    // One condition observes all steps of all nodes but one.
    const names = ["a", "b", "c", "d"];
    const counting = { start: timer, timer: `n.x++; if (n.x < 6) ${timer}` };
    const text = system(
      {
        ...Object.fromEntries(names.map((name) => [name, counting])),
        z: { start: timer, timer: "n.x = 1;" },
      },
      `always: { p: ({ nodes }) => ${names.map((name) => `nodes.${name}.x`).join(" + ")} < 25 },`,
    );
    const given = await checkText(text, atOnce);
    const asked = await checkText(text, { reductions: ["por"] });
    expect([given, asked].map(({ runs }) => runs[0]!.reductions)).toEqual([[], ["por"]]);
    expect([given.stats.states, asked.stats.states]).toEqual([2 * 7 ** 4, 7 ** 4 + 1]);
    expect([...given.diagnostics, ...asked.diagnostics]).toEqual([]);
  });

  test("is not reduced where like nodes are, unless that is switched off", async () => {
    const alike = pairs('symmetric: [["a", "b"]],');
    const report = await checkText(alike, { reductions: ["por"] });
    expect(report.runs[0]!.reductions).toEqual(["por"]);
    const text = `class Idle { x = 0; onTimer() { this.x = 1; } }
      export default defineSystem<any>({
        nodes: { a: (e) => { e.setTimer("t"); return new Idle(); }, b: (e) => { e.setTimer("t"); return new Idle(); } },
        symmetric: [["a", "b"]],
      });`;
    const both = await checkText(text, { reductions: ["por", "symmetry"] });
    expect(both.runs[0]!.reductions).toEqual(["symmetry"]);
    expect(both.diagnostics.map(({ message }) => message).join()).toContain("one state stands for several");
  });
});

const states = async (...[text, options]: Parameters<typeof checkText>): Promise<number> =>
  (await checkText(text, options)).stats.states;
