/**
 * Conditions of partial order by node, tested on actual successors: each with a group that must not be explored alone.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { Commutation } from "../../../src/code/system/commutation.js";
import { NodeCandidates } from "../../../src/code/system/node-candidates.js";
import { Reads } from "../../../src/code/system/reads.js";
import { Visible } from "../../../src/code/system/visible.js";
import { Successors } from "../../../src/model/index.js";
import { checkText, modelOf, systemOf } from "./small.js";

/** Every node starts with a timer. */
const system = (handlers: Parameters<typeof systemOf>[0], more = ""): string =>
  systemOf(
    Object.fromEntries(
      Object.entries(handlers).map(([name, { start = "", ...rest }]) => [
        name,
        { ...rest, start: `e.setTimer("t"); ${start}` },
      ]),
    ),
    more,
  );

/** Tests the first node alone in the first state. */
async function whyNotFirst(text: string, asked?: readonly boolean[]): Promise<string | undefined> {
  const model = await modelOf(text);
  const out = new Successors(model.nodeSystem.width);
  model.nodeSystem.initial(out);
  return new Commutation(model, asked ?? model.invariants.map(() => true)).whyNotAlone(
    out.words.slice(0, out.stride),
    1,
  );
}

const unordered = (p: string): string =>
  system({ a: { timer: "n.x = 1;" }, b: { timer: "n.x = 1;" } }, `always: { p: ({ nodes }) => ${p} },`);
const oneAtATime = "network: { capacity: 1 }, messages: { good: (message) => message !== 'bad' },";

describe("a group must not be explored alone", () => {
  test.each([
    [
      "a step of others takes one of its steps away",
      systemOf({ a: {}, b: {} }, "actions: { go: { times: 1, run: (n) => { n.x = 1; } } },"),
    ],
    [
      "a step of others takes one of its steps away",
      systemOf(
        { a: {}, b: { start: 'e.setTimer("t");', timer: "n.x = 2;" } },
        "actions: { go: { times: 1, run: (n) => { n.y = 1; } } },",
      ),
    ],
    [
      "the states depend on the order of a step of others and its own",
      system({ a: { timer: "n.x = 1;" }, b: { timer: 'e.send("a", 1);' } }),
    ],
    ["'p' observes its steps and other nodes' steps", unordered("nodes.a.x === 0 && nodes.b.x === 0")],
    [
      "the states depend on the order of a step of others and its own",
      system(
        { a: { timer: 'e.send("c", 1);' }, b: { timer: 'e.send("c", 2);' }, c: {} },
        "network: { capacity: 1 },",
      ),
    ],
    [
      "a failure of others depends on its steps",
      system(
        { a: { timer: 'e.send("c", "fine");' }, b: { timer: 'e.send("c", "bad");' }, c: {} },
        oneAtATime,
      ),
    ],
    [
      "its failure depends on a step of others",
      system(
        {
          a: { timer: 'e.send("c", "bad");' },
          b: { message: "n.x = 2;" },
          c: { start: 'e.send("b", "fine");' },
        },
        oneAtATime,
      ),
    ],
  ])("%s", async (why, text) => {
    expect(await whyNotFirst(text)).toBe(why);
  });

  test("properties that are not checked see nothing", async () => {
    expect(await whyNotFirst(unordered("nodes.a.x === 0 && nodes.b.x === 0"), [false])).toBeUndefined();
  });

  test.each(["nodes.a.x === 0", "nodes.b.x === 0"])("a property that sees one of the two: %s", async (p) => {
    expect(await whyNotFirst(unordered(p))).toBeUndefined();
  });

  test("a group none of whose steps leads anywhere else is not explored alone", async () => {
    const idle = "actions: { idle: { on: ['a'], run: () => {} } },";
    const text = system({ a: { start: 'e.clearTimer("t");' }, b: { timer: 'e.send("a", 1);' } }, idle);
    expect(await whyNotFirst(text)).toBeUndefined();
  });

  test("where steps are too many to look at, nothing is said", async () => {
    const many =
      "actions: { go: { on: ['b'], values: Array.from({ length: 500 }, (_, i) => i), run: (n, i) => { n.e.send('a', i); } } },";
    expect(await whyNotFirst(system({ a: { timer: "n.x = 1;" }, b: {} }, many))).toBeUndefined();
  });

  test("messages that come to read the same are delivered by one step", async () => {
    const handlers = { a: { message: "n.x = m;" }, b: {}, c: { start: 'e.broadcast(1); e.send("a", 1);' } };
    expect(await whyNotFirst(systemOf(handlers))).toBeUndefined();
  });

  test("nodes that leave each other alone may", async () => {
    const text = system(
      {
        a: { timer: 'n.x = 1; e.send("c", 1);' },
        b: { timer: 'e.send("d", 2);' },
        c: { message: "n.x++;" },
        d: {},
      },
      "always: { p: ({ nodes }) => nodes.a.x < 2 && nodes.c.x < 2 },",
    );
    expect(await whyNotFirst(text)).toBeUndefined();
  });
});

describe("groups are certain", () => {
  /** `reads`: of the conditions; `isAsked`: a search has ended. */
  async function groupsOf(isAsked: boolean, reads: Reads): Promise<readonly number[]> {
    const model = await modelOf(system({ a: { timer: "n.x = 1;" }, b: { timer: "n.x = 1;" } }));
    const candidates = new NodeCandidates(model, [reads]);
    const out = new Successors(model.nodeSystem.width);
    model.nodeSystem.initial(out);
    if (isAsked) candidates.isSettled();
    return candidates.settledGroups(out.words.slice(0, out.stride));
  }

  test("once a search has ended, and not before", async () => {
    expect(await groupsOf(true, new Reads())).toEqual([1, 2]);
    expect(await groupsOf(false, new Reads())).toEqual([]);
  });

  test("where no condition looks at the network", async () => {
    const reads = new Reads();
    reads.network = true;
    expect(await groupsOf(true, reads)).toEqual([]);
  });
});

describe("a check whose analysis is wrong has no verdict", () => {
  afterEach(() => vi.restoreAllMocks());

  const lost = "!(nodes.b.x === 1 && nodes.a.x === 0)";

  test("steps that a property sees are taken for unseen", async () => {
    vi.spyOn(Visible.prototype, "seenBy").mockReturnValue(0);
    await expect(checkText(unordered(lost), { reducesAtOnce: true })).rejects.toThrow(
      "the reduction 'por' must not be used here, and was: a cannot be explored alone: 'p' observes its steps and other nodes' steps",
    );
  });

  test("a message behind another one can be lost, which is a step that its sender adds", async () => {
    const handlers = {
      a: { message: "n.x = 1;" },
      b: { start: 'e.send("a", 1);', timer: 'e.send("a", 2);' },
    };
    const text = system(handlers, 'network: { order: "fifo", loss: true },');
    await expect(checkText(text, { reducesAtOnce: true })).resolves.toBeDefined();
  });

  test("nothing is said of groups as long as the search has not ended", async () => {
    vi.spyOn(Visible.prototype, "seenBy").mockReturnValue(0);
    const options = { reducesAtOnce: true, budget: { maxStates: 2 } };
    expect((await checkText(unordered(lost), options)).properties.map(({ verdict }) => verdict)).toContain(
      "unknown",
    );
  });
});
