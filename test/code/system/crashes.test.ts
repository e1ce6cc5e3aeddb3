/** Crashes occur inside handlers, after any effect, and keep any subset of the unsynced writes. */
import { describe, expect, test } from "vitest";
import { remainsOf } from "../../../src/code/system/remains.js";
import type { CheckReport } from "../../../src/report/index.js";
import type { CheckOptions } from "../../../src/session/request.js";
import { checkText, propertyOf } from "./small.js";

/** A store that replies as in `onMessage`, and a client that records the reply. */
const store = (onMessage: string, faults = ""): string => `
  class Store {
    constructor(readonly e: Environment) {}
    get value() { return this.e.disk.read("v"); }
    onMessage(from: string) { ${onMessage} }
  }
  class Client {
    isAcknowledged = false;
    constructor(readonly e: Environment) {}
    onStart() { this.e.send("store", "put"); }
    onMessage() { this.isAcknowledged = true; }
  }
  class Reader { seen: unknown = "not yet"; }
  export default defineSystem<any>({
    nodes: { store: (e) => new Keeper(e), client: (e) => new Client(e) },
    faults: { crashes: 1, crashing: ["store"], ${faults} },
    always: { kept: ({ nodes }) => !nodes.client.isAcknowledged || !nodes.store || nodes.store.found !== "lost" },
  });
  class Keeper extends Store {
    found: string;
    constructor(e: Environment) { super(e); this.found = e.disk.read("v") === undefined ? "lost" : "kept"; }
    onMessage(from: string) { this.found = "kept"; super.onMessage(from); }
  }`;

const verdicts = ({ properties }: CheckReport): Record<string, string> =>
  Object.fromEntries(properties.map(({ property, verdict }) => [property.name, verdict]));

describe("inside handlers", () => {
  const hasty = `this.e.send(from, "ack"); this.e.disk.write("v", 1); this.e.disk.sync();`;

  test("a node that answers before it syncs is caught", async () => {
    const report = await checkText(store(hasty));
    const { verdict, trace } = propertyOf(report, "kept");
    expect(verdict).toBe("violated");
    expect(trace!.steps.map(({ action }) => action)).toContainEqual(
      expect.stringContaining("crashes after one effect"),
    );
  });

  test("one that syncs first is not", async () => {
    const report = await checkText(
      store(`this.e.disk.write("v", 1); this.e.disk.sync(); this.e.send(from, "ack");`),
    );
    expect(propertyOf(report, "kept").verdict).toBe("holds");
  });

  test("crashes between handlers only are a declaration, and a line of the scope", async () => {
    const report = await checkText(store(hasty, `crashesAt: "between-handlers"`));
    expect(propertyOf(report, "kept").verdict).toBe("holds");
    expect(report.scope.notes).toContain("no node crashes inside a handler");
  });

  test("the line is left out where no handler has two effects", async () => {
    const report = await checkText(store(`this.e.send(from, "ack");`, `crashesAt: "between-handlers"`));
    expect(report.scope.notes).not.toContain("no node crashes inside a handler");
  });

  test("a handler that fails may crash before it does", async () => {
    const report = await checkText(
      `class N { seen = 0; constructor(readonly e: Environment) {}
         onStart() { this.seen = Number(this.e.disk.read("v") ?? 0); } }
       export default defineSystem<any>({
         nodes: { n: (e) => new N(e) }, faults: { crashes: 1 },
         actions: { go: { run: (n) => { n.e.disk.write("v", 1); n.e.disk.sync(); throw new Error("late"); } } },
         sometimes: { survives: ({ nodes }) => nodes.n?.seen === 1 },
       });`,
      { maxErrors: Infinity },
    );
    expect(verdicts(report)).toMatchObject({ survives: "holds", exceptions: "violated" });
  });

  test("a handler that fails may crash after its last effect", async () => {
    const report = await checkText(
      `class N { x = 0; constructor(readonly e: Environment) {} onMessage() { this.x = 1; } }
       export default defineSystem<any>({
         nodes: { a: (e) => new N(e), b: (e) => new N(e) }, faults: { crashes: 1 },
         actions: { go: { on: "a", run: (n) => { n.e.send("b", "told"); throw new Error("late"); } } },
         sometimes: { told: ({ nodes }) => nodes.b?.x === 1 },
       });`,
      { maxErrors: Infinity },
    );
    expect(verdicts(report)).toMatchObject({ told: "holds", exceptions: "violated" });
  });

  test("an action that fails where nothing crashes", async () => {
    const report = await checkText(
      `export default defineSystem<any>({ nodes: { n: () => ({}) },
         actions: { go: { run: () => { throw new Error("at once"); } } } });`,
    );
    expect(verdicts(report)).toMatchObject({ exceptions: "violated" });
  });

  test("a node that is down does not crash before it has done anything", async () => {
    const report = await checkText(
      `class N { boots = 0; constructor(readonly e: Environment) {}
         onStart() { this.boots = Number(this.e.disk.read("boots") ?? 0) + 1; this.e.disk.write("boots", this.boots); } }
       export default defineSystem<any>({
         nodes: { n: (e) => new N(e) }, faults: { crashes: 1, unsynced: "kept" },
         recoverable: { twice: ({ nodes }) => nodes.n?.boots === 2 },
       });`,
    );
    expect(verdicts(report)).toMatchObject({ twice: "holds" });
  });

  test("the start of the system may be cut short", async () => {
    const text = (faults: string): string => `
      class N { constructor(readonly e: Environment) {}
        state = "new";
        onStart() {
          if (this.e.disk.read("first") === 1 && this.e.disk.read("second") !== 1) this.state = "half";
          this.e.disk.write("first", 1); this.e.disk.sync(); this.e.disk.write("second", 1); this.e.disk.sync(); } }
      export default defineSystem<any>({ nodes: { n: (e) => new N(e) }, faults: { ${faults} },
        always: { whole: ({ nodes }) => nodes.n?.state !== "half" } });`;
    for (const reductions of [[], ["por"]] as const)
      expect(verdicts(await checkText(text("crashes: 1"), { reductions }))).toMatchObject({
        whole: "violated",
      });
    expect(verdicts(await checkText(text("crashes: 0")))).toMatchObject({ whole: "holds" });
  });

  /** Nodes a and b; b fails after a restart, so it can only crash before that. */
  const startingAgain = (a: string, again: string, crashes: number, always: string): string => `
    class A { isHalf = false; constructor(readonly e: Environment) {} ${a} }
    class B { isAgain = false; constructor(readonly e: Environment) {}
      onStart() {
        if (this.e.disk.read("up") !== 1) { this.e.disk.write("up", 1); this.e.disk.sync(); return; }
        this.isAgain = true;
        ${again}
      } }
    export default defineSystem<any>({
      nodes: { a: (e) => new A(e), b: (e) => new B(e) }, faults: { crashes: ${crashes} },
      discard: (n: any, name: string) => name === "b" && n.isAgain,
      always: { whole: ({ nodes }) => !${always}?.isHalf },
    });`;

  test("a crash while a node starts again leaves one less for what it has told", async () => {
    const told = `
      onStart() { this.isHalf = this.e.disk.read("first") === 1 && this.e.disk.read("second") !== 1; }
      onMessage() { this.e.disk.write("first", 1); this.e.disk.sync(); this.e.disk.write("second", 1); this.e.disk.sync(); }`;
    const text = startingAgain(told, 'this.e.send("a", "again");', 3, "nodes.a");
    expect(verdicts(await checkText(text, { reductions: ["por"] }))).toMatchObject({ whole: "violated" });
  });

  test("a crash while a node starts again is not left to those that can only crash", async () => {
    const text = startingAgain("", 'this.e.send("c", "again");', 2, "nodes.c")
      .replace(
        "a: (e) => new A(e),",
        "a: (e) => new A(e), c: () => ({ onMessage() { this.isHalf = true; } }),",
      )
      .replace("crashes: 2", 'crashes: 2, crashing: ["a", "b"]');
    expect(verdicts(await checkText(text, { reductions: ["por"] }))).toMatchObject({ whole: "violated" });
  });

  test("a crash inside a handler uses up the budget of crashes", async () => {
    const text = (crashes: number): string => `
      class N { count = 0; constructor(readonly e: Environment) {}
        onStart() { this.count = Number(this.e.disk.read("n") ?? 0);
          this.e.disk.write("n", this.count + 1); this.e.disk.sync(); } }
      export default defineSystem<any>({ nodes: { n: (e) => new N(e) }, faults: { crashes: ${crashes} },
        always: { few: ({ nodes }) => (nodes.n?.count ?? 0) < 3 } });`;
    expect(verdicts(await checkText(text(2)))).toMatchObject({ few: "holds" });
    expect(verdicts(await checkText(text(3)))).toMatchObject({ few: "violated" });
  });
});

test("a message of the start that violates a condition is reported", async () => {
  const report = await checkText(`
    class N { constructor(readonly e: Environment) {} onStart() { this.e.send("b", "bad"); } }
    export default defineSystem<any>({ nodes: { a: (e) => new N(e), b: () => ({}) }, messages: { good: (m) => m !== "bad" } });`);
  expect(propertyOf(report, "good").verdict).toBe("violated");
});

describe("what was not synced", () => {
  const committing = (faults: string, between = ""): string => `
    class N {
      isWhole = true;
      constructor(readonly e: Environment) {
        this.isWhole = e.disk.read("commit") === undefined || e.disk.read("data") !== undefined;
      }
      save() { this.e.disk.write("data", 7); ${between} this.e.disk.write("commit", true); }
    }
    export default defineSystem<any>({
      nodes: { n: (e) => new N(e) }, faults: { crashes: 1, ${faults} },
      actions: { save: { times: 1, run: (n) => n.save() } },
      always: { "commit implies data": ({ nodes }) => nodes.n?.isWhole !== false },
    });`;
  const check = async (faults: string, between = "", options: CheckOptions = {}): Promise<CheckReport> =>
    checkText(committing(faults, between), options);

  test("may survive in any combination", async () => {
    for (const faults of ["", 'crashesAt: "between-handlers"'])
      expect(propertyOf(await check(faults), "commit implies data").verdict).toBe("violated");
  });

  test("is ordered by a sync in between", async () => {
    const report = await check("", "this.e.disk.sync();");
    expect(propertyOf(report, "commit implies data").verdict).toBe("holds");
  });

  test("survives in order where that is declared, and the scope says so", async () => {
    const report = await check('unsynced: "lost-in-order"');
    expect(propertyOf(report, "commit implies data").verdict).toBe("holds");
    expect(report.scope.notes).toContain("disks lose unsynced writes in order only");
    expect(report.scope.kind).toBe("bounded");
    const kept = await check('unsynced: "kept"');
    expect(kept.scope.notes).toContain("disks lose no unsynced writes");
  });

  test("leaves every disk once", () => {
    const write = (key: string, value: string): [{ key: string; value: string }] => [{ key, value }];
    const side = { disk: { x: "0" }, unsynced: [write("x", "1"), write("y", "1"), write("x", "2")] };
    const disks = remainsOf(side, "reordered").map(({ disk }) => disk);
    expect(disks).toHaveLength(6);
    for (const x of ["0", "1", "2"])
      for (const y of [{}, { y: "1" }]) expect(disks).toContainEqual({ x, ...y });
    expect(remainsOf(side, "in-order").map(({ kept }) => kept.length)).toEqual([0, 1, 2, 3]);
    expect(remainsOf(side, "kept").map(({ disk }) => disk)).toEqual([{ x: "2", y: "1" }]);
  });

  test("in too many combinations has no answer", async () => {
    const report = await check("", 'for (let i = 0; i < 20; i++) this.e.disk.write("k" + i, i);');
    expect(propertyOf(report, "commit implies data").verdict).toBe("unknown");
    expect(propertyOf(report, "commit implies data").reason).toContain("not supported");
  });
});

test("one date and few random numbers are lines of the scope, where a node asks for them", async () => {
  const notes = async (run: string, more = ""): Promise<readonly string[]> => {
    const text = `export default defineSystem<any>({ nodes: { n: () => ({ x: 0 }) }, ${more}
      actions: { go: { times: 1, run: (n) => { ${run} } } } });`;
    return (await checkText(text)).scope.notes;
  };
  expect(await notes("n.x = Date.now() % 2;")).toContainEqual(expect.stringMatching(/^one date: \d{4}-/));
  expect(await notes("n.x = Math.random();")).toContain("random numbers: always 0");
  expect(await notes("n.x = Math.random();", "random: 3,")).toContain("random numbers: one of 3 values");
  expect((await notes("n.x = 1;")).join()).not.toMatch(/date|random/);
});
