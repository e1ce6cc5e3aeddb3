import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replay, type ExecutionReport } from "../../src/index.js";
import { followTrail, isTrail, load, parseTrail, registry, type Trail } from "../../src/session/index.js";
import { asserting, deadlocking } from "../cli/models.js";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { inTemporaryDirectory } from "../peers/process.js";

/** Output of pan (Spin 6.5.2) for `asserting`: two lines per rendezvous. */
const assertingTrail = "-4:-4:-4\n1:0:0\n2:1:3\n3:1:4\n4:0:1\n5:1:5\n6:1:6\n7:1:7\n8:1:8\n";

const follow = (text: string, trail: string): Promise<ExecutionReport> =>
  replay({ file: "m.pml", text }, { trail: parseTrail(trail) as Trail });

describe("what a trail says", () => {
  test("lines and merging", () => {
    expect(parseTrail("-4:-4:-4\n1:0:0\n2:1:3\n")).toEqual({
      isMerged: true,
      lines: [
        { process: 0, statement: 0 },
        { process: 1, statement: 3 },
      ],
    });
    expect(isTrail("1:0:0\n")).toBe(true);
    expect(isTrail('{ "format": 1 }')).toBe(false);
  });

  test("what cannot be followed is refused with the reason", () => {
    expect(parseTrail("-2:2:-2\n1:0:0\n")).toEqual({ problem: expect.stringContaining("never claim") });
    expect(parseTrail("1:0:0\n-1:-1:-1\n2:0:1\n")).toEqual({ problem: expect.stringContaining("cycle") });
    expect(parseTrail("-5:-5:-5\n1:0:0\n")).toEqual({ problem: expect.stringContaining("permuted") });
    expect(parseTrail("1:0:0\nbroken\n")).toEqual({ problem: expect.stringContaining("line 2") });
  });
});

describe("the run that a trail means", () => {
  test("is found and shows the error", async () => {
    const report = await follow(asserting, assertingTrail);
    expect(report).toMatchObject({ outcome: "failed", reason: "assertion violated: got == 4" });
    expect(report.trace!.steps.map((step) => step.participants.join())).toEqual([
      "S[0],R[1]",
      "R[1]",
      "S[0],R[1]",
      "R[1]",
      "R[1]",
      "R[1]",
    ]);
  });

  test("of a process that cannot move is none", async () => {
    const report = await follow(asserting, assertingTrail.replace("4:0:1", "4:2:1"));
    expect(report).toMatchObject({ outcome: "diverged", trace: undefined });
    expect(report.reason).toContain("cannot follow it beyond step 3: process 2");
  });

  test("without an error at the end is none", async () => {
    const report = await follow(asserting.replace("== 4", "== 3"), assertingTrail);
    expect(report.reason).toContain("there is no error there");
  });

  test("the same number never means two statements", async () => {
    const model = "byte x;\nactive proctype A() { x = 1; x = 2; assert(x == 3) }\n";
    expect(await follow(model, "1:0:0\n2:0:1\n3:0:2\n")).toMatchObject({ outcome: "failed" });
    expect(await follow(model, "1:0:0\n2:0:0\n3:0:2\n")).toMatchObject({ outcome: "diverged" });
  });
});

describe("the search for the run", () => {
  test("does not merge statements forever where a process can go round in circles", async () => {
    const text = readFileSync(inRepository("examples/models/retried-payment.pml"), "utf8");
    const trail = "-4:-4:-4\n1:1:11\n2:0:0\n3:0:1\n4:0:2\n5:0:4\n6:1:16\n7:1:11\n8:0:0\n9:0:1\n10:0:2\n";
    const report = await follow(text, trail);
    expect(report).toMatchObject({ outcome: "failed", reason: "assertion violated: booked <= 1" });
  });

  test("gives up when its steps or its memory are spent", async () => {
    const text = "int x;\nactive proctype A() { atomic { do :: x++ :: x = x + 2 od } }\n";
    const { model } = await load({ file: "m.pml", text }, {}, registry);
    const trail = parseTrail("-4:-4:-4\n1:0:0\n2:0:1\n") as Trail;
    const gaveUp = {
      problem: expect.stringMatching(/^too many runs fit it: gave up after trying [\d,]+ steps$/),
    };
    expect(followTrail(model!, trail, { steps: 1000, bytes: Infinity })).toEqual(gaveUp);
    expect(followTrail(model!, trail, { steps: Infinity, bytes: 1e6 })).toEqual(gaveUp);
  });

  test("that gives up is a verdict, not a crash", async () => {
    const text = "int x;\nactive proctype A() { atomic { do :: x++ :: x = x + 2 od } }\n";
    const report = await follow(text, "-4:-4:-4\n1:0:0\n2:0:1\n");
    expect(report).toMatchObject({ outcome: "diverged", reason: expect.stringContaining("gave up") });
    expect(report.diagnostics).toMatchObject([{ code: "session/cannot-replay", severity: "warning" }]);
  });
});

describeWithPeers("trails that Spin writes", ["spin", "gcc"], () => {
  const looping = `mtype = { ping, pong }; chan a = [2] of { mtype, byte }; chan b = [2] of { mtype, byte }; byte seen;
inline step(v) { v++; v = v % 8 }
active proctype P() { byte n; do :: a!ping(n); step(n) :: b?pong(_) -> seen++; assert(seen < 5) od }
active proctype Q() { byte m; do :: a?ping(m) -> atomic { m++; step(m); b!pong(m) } od }
`;
  for (const [name, model] of Object.entries({ asserting, deadlocking, looping }))
    for (const flags of [[], ["-o1", "-o2", "-o3"]])
      test(`${name} ${flags.length > 0 ? "plain" : "with merged statements"}`, async () => {
        const trail = await spinTrail(model, flags);
        expect(await follow(model, trail)).toMatchObject({ outcome: "failed" });
      });
});

function spinTrail(model: string, flags: readonly string[]): Promise<string> {
  return inTemporaryDirectory(async (directory) => {
    const run = (command: string, args: readonly string[]): void => {
      spawnSync(command, args, { cwd: directory, timeout: 50_000 });
    };
    writeFileSync(join(directory, "m.pml"), model);
    run("spin", [...flags, "-a", "m.pml"]);
    run("gcc", ["-O0", "-DSAFETY", "-o", "pan", "pan.c"]);
    run(join(directory, "pan"), []);
    const trail = join(directory, "m.pml.trail");
    if (!existsSync(trail)) throw new Error("pan found no error");
    return readFileSync(trail, "utf8");
  });
}
