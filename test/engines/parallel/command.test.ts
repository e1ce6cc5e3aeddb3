/** `--workers` as users meet it: the same answers, and no thread outlives the search. */
import { expect, test } from "vitest";
import { useCli } from "../../cli/built-cli.js";

const cli = useCli();

/** Each has `limit` to the power of four states, more than a search visits before threads start. */
const counters = (limit: number, body = ""): string => `
byte x[4];
active [4] proctype Count() {
  do
  :: x[_pid] = (x[_pid] + 1) % ${limit}${body}
  od
}
`;

test("two workers: the figures and verdicts of one, and the process ends by itself", async () => {
  const file = cli.write("counters.pml", counters(16));
  const [one, two] = await Promise.all(
    ["1", "2"].map((n) => cli.run(["check", file, "--workers", n, "--json"])),
  );
  expect([one!.exitCode, two!.exitCode]).toEqual([0, 0]);
  const { states, transitions, depth } = two!.json().stats;
  expect([states, transitions]).toEqual([16 ** 4, 4 * 16 ** 4]);
  expect(one!.json().stats).toMatchObject({ states, transitions, depth });
  expect(two!.json().unreached).toEqual(one!.json().unreached);
});

test("the tree and the compacted store: the figures of one worker, and what may be lost is told", async () => {
  const file = cli.write("stored.pml", counters(12));
  const check = async (workers: string, store: string) =>
    (await cli.run(["check", file, "--workers", workers, "--store", store, "--json"])).json();
  for (const [store, verdict] of [
    ["tree", "holds"],
    ["compact", "unknown"],
  ] as const) {
    const [one, two] = await Promise.all([check("1", store), check("2", store)]);
    const { states, transitions, depth } = one.stats;
    expect([two.verdict, two.stats]).toMatchObject([verdict, { states, transitions, depth }]);
    expect(two.runs[0]!.store).toMatchObject({ kind: store, settings: one.runs[0]!.store!.settings });
    const [lost, known] = [two, one].map((report) => report.runs[0]!.store!.omissions);
    expect(lost === null).toBe(store === "tree");
    if (!lost || !known) continue;
    expect(two.scope.kind).toBe("probabilistic");
    expect(lost.probability).toBeCloseTo(known.probability, 10);
    expect(lost.probability).toBeGreaterThan(0);
  }
});

test("an error: the trace of two workers is as short as that of one", async () => {
  const file = cli.write("wrong.pml", counters(16, "; assert(x[0] + x[1] + x[2] < 40)"));
  const [one, two] = await Promise.all(
    ["1", "2"].map((n) => cli.run(["check", file, "--workers", n, "--json"])),
  );
  expect([one!.exitCode, two!.exitCode]).toEqual([1, 1]);
  expect(two!.json().trace!.steps.length).toBe(one!.json().trace!.steps.length);
});

test("a cycle through processes that threads have met first is told", async () => {
  const text = "byte g; proctype D() { g = 1 } init { run D() } never { accept: do :: g < 2 od }";
  const { exitCode, stdout } = await cli.run(["check", cli.write("created.pml", text), "--workers", "2"]);
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining("the never claim is matched")]);
});

test("Ctrl-C: unknown, and the process ends", async () => {
  const file = cli.write("long.pml", counters(200));
  const result = await cli.run(["check", file, "--workers", "2", "--progress", "plain"], {
    meanwhile: async (signal, stderr) => {
      for (let waits = 0; !/[3-9]\d,\d{3} states|\d{3},\d{3} states/.test(stderr()); waits++) {
        if (waits > 600) throw new Error(`no progress: ${stderr()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      signal("SIGINT");
    },
  });
  expect(result.exitCode).toBe(2);
  expect(result.stdout).toContain("the search was interrupted");
});

test("a number of workers that makes no sense is refused", async () => {
  const file = cli.write("small.pml", counters(2));
  for (const n of ["0", "257", "two"])
    expect((await cli.run(["check", file, "--workers", n])).exitCode).toBe(3);
});
