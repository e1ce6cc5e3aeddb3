/** The traps that naive versions of these reductions fall into, by their numbers in the published list. */
import { describe, expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import { compileNetwork, concreteConfig, type NetworkModel } from "../../../src/compile/network/index.js";
import { check, overallVerdict } from "../../../src/index.js";
import { Successors, type Words } from "../../../src/model/index.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { DEFAULT } from "../../transforms/network/compare.js";
import { statesOf, verdictOf } from "./counting.js";

const pair = `options { barriers = published; }
network pair { switch s1, s2 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: any}; }`;

describe("traps", () => {
  test("T1: clients are served within the step, and the loop of the cyclic network is found", async () => {
    expect(await verdictOf(models.mlCyclic)).toBe("violated");
  });
  test("T2: the published way to install misses a violation, and says that it proves nothing", async () => {
    const text = models.ssh(false, "c1", "SSH");
    expect(await verdictOf(text, { compat: "published" })).toBe("unknown");
    expect(await verdictOf(text)).toBe("violated");
    expect(await verdictOf(text, { concrete: 1 })).toBe("unknown");
    expect(await verdictOf(text, { concrete: 2 })).toBe("violated");
    const config = { mergesBarriers: true, clients: "atomic", sendLimit: 1 } as const;
    expect(await statesOf(text, config)).toEqual({ states: 75, isViolated: false });
  });
  test("T3: with two requests at once the stale one is reached", async () => {
    expect(await verdictOf(models.stale(1))).toBe("holds");
    expect(await verdictOf(models.stale(2))).toBe("violated");
    const asked = await check(
      { file: "test.sdn", text: models.stale(2) },
      { reductions: ["barrier", "controller"] },
    );
    expect(asked.properties).toEqual([]);
    expect(asked.diagnostics).toMatchObject([
      { code: "session/reduction-impossible", message: expect.stringContaining("kappa = 1, and kappa is 2") },
    ]);
  });
  test("T4: an old answer, judged when it is carried out, looks wrong; judged when it was given, it is not", async () => {
    const firewall = { switches: 2, traffic: "some" } as const;
    expect(await verdictOf(models.firewall({ ...firewall, moment: "at execution" }))).toBe("violated");
    expect(await verdictOf(models.firewall(firewall))).toBe("holds");
  });
  test("T5: with mailboxes that keep everything the order of packets does not matter", async () => {
    expect((await statesOf(models.resonance(2), "published-sets")).states).toBe(8307);
    const renamed = models
      .resonance(2)
      .replace("client c1, c2; client portal, scanner;", "client scanner, c2, portal, c1;");
    expect((await statesOf(renamed, "published-sets")).states).toBe(8307);
  });
  test("T6: an addition and a deletion before a barrier leave either table", async () => {
    for (const name of ["neverThere", "alwaysThere"])
      expect(await verdictOf(models.clash, { concrete: 1, properties: [name] })).toBe("violated");
  });
  test("T7: a barrier is also for what was on its way before it was sent", async () => {
    const text = (barrier: string): string => `${pair}
      controller { state { phase: 0..2 = 0; } on packetIn(p, sw, pt) {
        if (sw == s1 && p.kind == B) {
          if (phase == 0) { install(s1, rule(1, {kind: A}, [])); phase = 1; }
          else if (phase == 1) { ${barrier} phase = 2; }
        } } }
      property ruled: never packetIn(p) when phase == 2 && p.kind == A;`;
    expect(await verdictOf(text("barrier(s1);"))).toBe("holds");
    expect(await statesOf(text("barrier(s1);"), { sendLimit: 2 })).toMatchObject({ isViolated: false });
    expect(await verdictOf(text(""))).toBe("violated");
  });
  test("T8: a switch that waits only waits, and one with a barrier only obeys it", () => {
    const model = compileNetwork(networkOf(models.ssh(true)), { ...concreteConfig, sendLimit: 1 });
    const seen = { waiting: 0, barrier: 0, both: 0 };
    for (const state of statesIn(model, 2000)) {
      const shown = new Map(model.steps.snapshot(state, 0).map(({ name, value }) => [name, value]));
      const offered = model.actionsAt(state).map(([first]) => first!);
      ["s1", "s2"].forEach((name, at) => {
        const waits = shown.has(`${name}.waits`);
        const hasBarrier = shown.get(`${name}.pending`)?.includes("barrier") ?? false;
        const own = offered.filter((action) => "switch" in action && action.switch === at);
        const kinds = new Set(own.map(({ kind }) => kind));
        // `control` is the controller's step: it is named after the switch that asked.
        const allowed = hasBarrier ? ["barrier", "control"] : waits ? ["forward", "control"] : undefined;
        if (allowed) expect([...kinds].filter((kind) => !allowed.includes(kind))).toEqual([]);
        if (hasBarrier) expect(kinds).toContain("barrier");
        seen.waiting += waits ? 1 : 0;
        seen.barrier += hasBarrier ? 1 : 0;
        seen.both += waits && hasBarrier ? 1 : 0;
      });
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });
  test("T9: of two rules with the same priority either may be taken", async () => {
    const report = await check(
      { file: "test.sdn", text: models.firewall({ switches: 1, priorities: "equal" }) },
      { properties: ["noWrongDrop"] },
    );
    expect(overallVerdict(report)).toBe("violated");
  });
  test("T10: one shot tells of every packet that it handles", async () => {
    const text = `${pair}
      controller { on packetIn(p, sw, pt) {
        install(s1, rule(1, {kind: A}, [])); install(s1, rule(1, {kind: B}, [])); barrier(s1); forward([2]); } }
      property a: never dropped(p) when p.kind == A && p.loc.node == s1;
      property b: never dropped(p) when p.kind == B && p.loc.node == s1;`;
    const { properties, runs } = await check(
      { file: "test.sdn", text },
      { reducesAtOnce: true, maxErrors: Infinity },
    );
    expect(runs.map(({ reductions }) => reductions.includes("one-shot"))).toEqual([true]);
    expect(properties.map(({ property, verdict }) => [property.name, verdict])).toEqual([
      ["a", "violated"],
      ["b", "violated"],
    ]);
  });
  test("T11: a switch is visited when it handles a packet, and visits tell packets apart", async () => {
    const text = (ports: string): string =>
      `${pair.replace("}; }", "}; visited; }")}
      controller { on packetIn(p, sw, pt) { forward([${ports}]); } }
      property coming: always forall p: packets at s1 . !p.visited[s1] && !p.visited[s2];
      property between: always forall p: packets at s2 . p.visited[s1] && !p.visited[s2];
      property arrived: always forall p: packets at clients . p.visited[s1] && p.visited[s2];
      property alike: always forall p: packets at s1 . forall q: packets at s1 . p.visited[s2] == q.visited[s2];`;
    const onward = ["coming", "between", "arrived", "alike"];
    expect(await verdictOf(text("2"), { properties: onward })).toBe("holds");
    const back = text("if (sw == s2) 1 else 2");
    expect(await verdictOf(back, { properties: ["alike"], concrete: 2 })).toBe("violated");
    expect(await verdictOf(back, { properties: ["coming"] })).toBe("violated");
  });
  test("T12: a flood goes neither back nor into nothing", async () => {
    const text = `network f { switch s1 ports 1..4; client a, b; link a:1 -- s1:1; link b:1 -- s1:2; }
      packet { kind: bool; } behaviour client a { send {kind: true}; }
      controller { on packetIn(p, sw, pt) { flood(); } }
      property kept: noBlackHole;
      property back: never received(p, c) when c == a;`;
    expect(await verdictOf(text)).toBe("holds");
  });
  test("T13: where nothing can happen any more, nothing is wrong", async () => {
    const text = `${pair.replace("send {kind: any};", "")} controller { on packetIn(p, sw, pt) { } }
      property calm: noBlackHole;`;
    const report = await check({ file: "test.sdn", text });
    expect(overallVerdict(report)).toBe("holds");
    expect(report.stats).toMatchObject({ states: 1, transitions: 0 });
    expect(report.properties.map(({ property }) => property.kind)).toEqual(["event"]);
  });
  test("T14: a message that is executed twice in the abstraction is no violation", async () => {
    // The rule is seen to be there (phase 2), then seen to be gone (phase 3): its one addition is used up.
    const text = `${pair}
      controller { state { phase: 0..3 = 0; } on packetIn(p, sw, pt) {
        if (p.kind == B && phase == 0) {
          install(s1, rule(1, {kind: A}, [2])); remove(s1, rule(1, {kind: A}, [2])); phase = 1;
        }
        else if (p.kind == A && sw == s2 && phase == 1) phase = 2;
        else if (p.kind == A && sw == s1 && phase == 2) phase = 3;
      } }
      property spent: never forwarded(p) when phase == 3;`;
    expect(await statesOf(text, [...DEFAULT])).toMatchObject({ isViolated: true });
    const report = await check({ file: "test.sdn", text });
    expect(overallVerdict(report)).toBe("holds");
    expect(report.properties[0]).toMatchObject({ reason: expect.stringContaining("counter abstraction 1") });
  });
  test("T15: with hashes in place of states nothing holds without the probability of an omission", async () => {
    const report = await check({ file: "test.sdn", text: models.ssh(true) }, { store: "compact" });
    expect(overallVerdict(report)).toBe("unknown");
    expect(report.scope.kind).toBe("probabilistic");
    expect(report.properties[0]!.reason).toMatch(/probability/);
  });
  test("T16: only the switch that asked gets the answer", async () => {
    const text = `network f { switch s1, s2 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s2:1; }
      packet { kind: bool; } behaviour client a { send {kind: true}; }
      controller { on packetIn(p, sw, pt) { forward([1]); } }
      property other: never received(p, c) when c == b;`;
    expect(await verdictOf(text)).toBe("holds");
  });
});

/** The first `most` states in breadth-first order. */
function statesIn({ system }: NetworkModel, most: number): readonly Words[] {
  const out = new Successors(system.width);
  system.initial(out);
  const queue = [out.words.slice(0, out.stride)];
  const seen = new Set([queue[0]!.join()]);
  for (const state of queue) {
    out.clear();
    system.successors(state, 0, out);
    for (let i = 0; i < out.count && queue.length < most; i++) {
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push(next);
    }
  }
  return queue;
}
