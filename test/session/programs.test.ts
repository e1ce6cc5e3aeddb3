/** Answers about C programs: verdicts, bounds and replay. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";
import { hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

const checked = async (text: string, options: CheckOptions = {}) =>
  (await checkInput({ file: "m.c", text }, options, registry)).report;
const verdicts = async (text: string, options: CheckOptions = {}): Promise<string[]> =>
  (await checked(text, options)).properties.map(({ property, verdict }) => `${property.name} ${verdict}`);

const program = (body: string): string => `#include <everypath.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) { int x; symbolic(&x, sizeof x, "x");
  ${body}
  return 0; }
`;

describe.runIf(hasClang)("answers", () => {
  test("holds only if every path was explored", async () => {
    expect(await verdicts(program("check(x == x);"))).toEqual(["assertions holds", "runtime errors holds"]);
    const loop = program("while (x) x = (int)(x * 3u + 1);");
    expect(await verdicts(loop, { budget: { maxDepth: 4 } })).toEqual([
      "assertions unknown",
      "runtime errors unknown",
    ]);
    expect(await verdicts(loop, { budget: { timeMs: 300 } })).toEqual([
      "assertions unknown",
      "runtime errors unknown",
    ]);
  });

  test("the search stops at the first error, and then leaves the other property open", async () => {
    const text = program(
      "if (x == 1) check(0); if (x == 2) *(int *)0 = 1; for (int i = 0; i < 20; i++) if (x == 100 + i) x = 0;",
    );
    const found = await verdicts(text);
    expect(found.filter((each) => each.endsWith("violated"))).toHaveLength(1);
    expect(found.filter((each) => each.endsWith("unknown"))).toHaveLength(1);
    expect(await verdicts(text, { maxErrors: Infinity })).toEqual([
      "assertions violated",
      "runtime errors violated",
    ]);
  });

  test("arguments and standard input are bounded, so that nothing is proved about longer ones", async () => {
    const arg = "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }";
    expect((await checked(arg)).properties[0]).toMatchObject({
      verdict: "unknown",
      reason: expect.stringContaining("run without arguments") as unknown,
    });
    expect(await checked(arg, { symbolicArgs: ["1:2"], accept: "bounded" })).toMatchObject({
      accepted: "bounded",
    });
    const stdin =
      "#include <stdio.h>\n#include <assert.h>\nint main(void) { int n = 0, c; while ((c = getchar()) != EOF) n += c == 'x'; assert(n < 3); return 0; }";
    expect((await checked(stdin)).properties[0]).toMatchObject({
      verdict: "unknown",
      reason: expect.stringContaining("standard input is empty") as unknown,
    });
    expect(await verdicts(stdin, { symbolicStdin: 2 })).toEqual([
      "assertions unknown",
      "runtime errors unknown",
    ]);
    expect((await verdicts(stdin, { symbolicStdin: 3 }))[0]).toBe("assertions violated");
  });

  test("a trace replays, and other inputs do not show the error", async () => {
    const text = program("char b[4]; char *p = b; if (x > 2 && x < 6) p[x] = 1;");
    const report = await checked(text);
    const trace = report.properties.find(({ verdict }) => verdict === "violated")?.trace;
    expect(trace?.inputs).toHaveLength(1);
    const replayed = async (schedule: string): Promise<string> =>
      (await replayInput({ file: "m.c", text }, { schedule }, {}, registry)).outcome;
    expect(await replayed(trace?.schedule ?? "")).toBe("failed");
    expect(await replayed(":3")).toBe("passed");
    for (const schedule of [":", ":1,2", "0:1", ""]) expect(await replayed(schedule)).toBe("diverged");
  });

  test("options that contradict the program are refused", async () => {
    expect((await checked(program(""), { defines: ["UNUSED"] })).diagnostics).toMatchObject([
      { code: "session/unknown-define" },
    ]);
    expect((await checked("int main(void) { return 0 }")).diagnostics).toMatchObject([{ code: "c/clang" }]);
  });

  test.each([
    ["utf7.c", {}, "violated"],
    ["utf7.c", { defines: ["LENGTH=2"] }, "violated"],
    ["utf7.c", { defines: ["LENGTH=2", "REPAIRED"] }, "holds"],
    ["midpoint.c", {}, "violated"],
    ["midpoint.c", { defines: ["CAREFUL"] }, "holds"],
    ["parity.c", {}, "holds"],
  ] as const)("examples/c/%s %o: %s", async (name, options, verdict) => {
    const found = await verdicts(readFileSync(inRepository("examples/c", name), "utf8"), options);
    expect(found[1]).toBe(`runtime errors ${verdict}`);
  });
});
