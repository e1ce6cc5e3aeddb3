/** Errors of the executor, natively: sanitizers, MemorySanitizer or Valgrind report the same class for the same inputs. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nativeInputs, runNatively } from "../../src/programs/index.js";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";
import { program, rows } from "../engines/programs/check-rows.js";
import { explored } from "../engines/programs/programs.js";
import { describeWithPeers, hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

/** Undefined behaviour that the native tools may miss, with the reason. */
const MISSED: readonly (readonly [part: string, why: string])[] = [
  ["p += (x == 3)", "gcc's sanitizers allow arithmetic on null pointers"],
  ["memcpy(b, p, 0)", "gcc expands the call before its check"],
  ["memcpy(b + (x == 3), b, 4)", "gcc copies four bytes without a call"],
  ["isdigit(x + 247)", "the table of the C library is followed by other data"],
  ["for (int i = 0; i < 3; i++) { int y;", "the variable keeps its place and value in the native loop"],
  ["int y; if (x != 3) y = 1; return y;", "Valgrind does not follow the exit status of main"],
];

const nativeRuns = (): void => {
  const cases = rows.map(([kind, bad, , before]) => ({ kind, bad, before }));

  test.each(cases)("$kind: $bad", ({ kind, bad, before }) => {
    const text = program(bad, before);
    const [found] = explored(text).errors;
    expect(found?.error.kind).toBe(kind);
    const inputs = nativeInputs(found?.run.inputs ?? []);
    const request = { file: "test.c", text, defines: [], compiler: undefined, inputs, expected: kind };
    const run = runNatively(request);
    const isMissed = MISSED.some(([part]) => bad.includes(part));
    expect(run).toMatchObject({
      outcome: isMissed ? (expect.stringMatching(/none|same/) as unknown) : "same",
    });
  });

  const replayed = async (file: string, text: string, options: CheckOptions = {}) => {
    const { report } = await checkInput({ file, text }, options, registry);
    const schedule = report.properties.find(({ trace }) => trace)?.trace?.schedule ?? "";
    return replayInput({ file, text }, { schedule, isNative: true }, options, registry);
  };

  test.each(["midpoint.c", "utf7.c"])("the violation of the example %s", async (name) => {
    const file = inRepository(`examples/c/${name}`);
    const report = await replayed(file, readFileSync(file, "utf8"));
    expect(report).toMatchObject({ outcome: "failed", native: { outcome: "same" } });
    expect(report.reason).toContain("natively, sanitizers: ");
  });

  test("arguments and standard input", async () => {
    const text = `#include <stdio.h>
#include <assert.h>
int main(int argc, char **argv) { int c = getchar(); int d = getchar();
  assert(!(argc == 2 && argv[1][0] == 'q' && argv[1][1] == 'r' && c == 's' && d == EOF)); return 0; }`;
    const report = await replayed("m.c", text, { symbolicArgs: ["1:3"], symbolicStdin: 2 });
    expect(report).toMatchObject({ outcome: "failed", native: { outcome: "same" } });
  });

  test("an error that no native tool sees is not reproduced", async () => {
    const text = `#include <stdarg.h>
int last(int n, ...) { va_list l; va_start(l, n); int x = 0; while (n--) x = va_arg(l, int); va_end(l); return x; }
int main(void) { return last(1, 5) == last(2, 5); }`;
    const report = await replayed("m.c", text);
    expect(report).toMatchObject({ outcome: "diverged", native: { outcome: "none" } });
    expect(report.reason).toContain("natively not seen");
  });

  test("models do not run natively", async () => {
    const text = "active proctype p() { assert(false) }";
    const report = await replayInput(
      { file: "m.pml", text },
      { schedule: "0", isNative: true },
      {},
      registry,
    );
    expect(report.diagnostics.map(({ code }) => code)).toEqual(["session/cannot-replay"]);
  });
};

if (hasClang) describeWithPeers("native runs", ["gcc", "valgrind"], nativeRuns);
else test.skip("native runs (SKIPPED: needs clang)", () => undefined);
