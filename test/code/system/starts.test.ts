/** Starts with crashes or failures. */
import { describe, expect, it } from "vitest";
import { checkText, propertyOf } from "./small.js";

/** One node with these lines in `onStart`. */
const starting = (lines: string, more: string): string => `
class Node {
  isReady = false;
  constructor(readonly e: Environment) {}
  onStart() { const { disk } = this.e; ${lines} }
  onMessage() {}
}
export default defineSystem({ nodes: { a: (e) => new Node(e) }, ${more} });`;

const lock = "if (disk.read('lock')) return; disk.write('lock', 1); disk.sync(); this.isReady = true;";

describe("a start that is cut short", () => {
  it("has not been in the state of the whole start", async () => {
    const text = starting(
      lock,
      "faults: { crashes: 1 }, eventually: { ready: ({ nodes }) => nodes.a?.isReady === true }",
    );
    const ready = propertyOf(await checkText(text), "ready");
    expect(ready.verdict).toBe("violated");
    expect(ready.trace?.steps[0]?.action).toBe(
      "a starts, and crashes after one effect; 1 of 1 unsynced writes are kept",
    );
  });

  it("is one of several starts, of which the figures count each once", async () => {
    const { stats } = await checkText(starting(lock, "faults: { crashes: 1 }"), { isPlain: true });
    expect(stats.states).toBe(5);
  });

  it("uses up a crash", async () => {
    const two = (crashes: number): string =>
      starting(
        lock,
        `faults: { crashes: ${crashes} }, sometimes: { both: ({ isUp, names }) => names.every((n) => !isUp(n)) }`,
      ).replace(
        "nodes: { a: (e) => new Node(e) }",
        "nodes: { a: (e) => new Node(e), b: (e) => new Node(e) }",
      );
    expect(propertyOf(await checkText(two(1)), "both").verdict).toBe("violated");
    expect(propertyOf(await checkText(two(2)), "both").verdict).toBe("holds");
  });

  it("is not asked what conditions say before the start", async () => {
    const text = starting(
      lock,
      "faults: { crashes: 1 }, always: { p: ({ isUp, nodes, names }) => names.every((n) => isUp(n)) || nodes.a === undefined }, sometimes: { q: ({ nodes }) => nodes.a === undefined && false }, finished: () => true",
    );
    const report = await checkText(text, { maxErrors: Infinity });
    expect(propertyOf(report, "p").verdict).toBe("holds");
    expect(propertyOf(report, "q").verdict).toBe("violated");
    expect(propertyOf(report, "deadlock").verdict).toBe("holds");
  });
});

describe("what may fail fails at the start, too", () => {
  const failing = "if (this.e.fails('open')) this.isReady = true;";
  const always = "always: { ok: ({ nodes }) => !nodes.a.isReady }";

  it("in a state that conditions see", async () => {
    const report = await checkText(starting(failing, `faults: { failures: 1 }, ${always}`));
    expect(propertyOf(report, "ok").verdict).toBe("violated");
    expect(propertyOf(report, "ok").trace?.steps[0]?.action).toBe("a starts [chooses 1]");
  });

  it("in a node that throws then", async () => {
    const text = starting("if (this.e.fails('open')) throw new Error('no disk');", "faults: { failures: 1 }");
    expect(propertyOf(await checkText(text), "exceptions").verdict).toBe("violated");
  });

  it("unless nothing may, or not there", async () => {
    for (const faults of ["{ failures: 0 }", "{ failures: 1, failing: ['other'] }"]) {
      const report = await checkText(starting(failing, `faults: ${faults}, ${always}`));
      expect(propertyOf(report, "ok").verdict).toBe("holds");
    }
  });

  it("and counts as a failure", async () => {
    const text = starting(
      `${failing} this.e.setTimer('t');`,
      `faults: { failures: 1 }, actions: { again: { times: 1, run: (n) => { if (n.e.fails('later')) n.twice = n.isReady; } } },
       always: { once: ({ nodes }) => nodes.a.twice !== true }, sometimes: { later: ({ nodes }) => nodes.a.twice === false }`,
    );
    const report = await checkText(text);
    expect(propertyOf(report, "once").verdict).toBe("holds");
    expect(propertyOf(report, "later").verdict).toBe("holds");
  });

  it("and leads nowhere where that state is discarded", async () => {
    const text = starting(failing, `faults: { failures: 1 }, discard: (n) => n.isReady, ${always}`);
    expect(propertyOf(await checkText(text), "ok").verdict).toBe("holds");
  });
});
