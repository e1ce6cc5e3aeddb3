/** Concrete runs against gcc: output and exit code. `npm run fuzz:c` does the same with random programs. */
import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runConcretely } from "../../src/engines/programs/index.js";
import { loadProgram } from "../../src/programs/index.js";
import { describeWithPeers, hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

const folder = mkdtempSync(join(tmpdir(), "everypath-run-c-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixtures = inRepository("test/fixtures/c/run");

function compare(text: string): void {
  const file = join(folder, "program.c");
  writeFileSync(file, text);
  const built = spawnSync("gcc", ["-w", "-o", join(folder, "program"), file, "-lm"], { encoding: "utf8" });
  expect(built.stderr).toBe("");
  const native = spawnSync(join(folder, "program"), { encoding: "utf8" });
  const { module, diagnostics } = loadProgram({
    file,
    text,
    defines: [],
    compiler: undefined,
    source: () => undefined,
  });
  if (!module) throw new Error(diagnostics[0]?.message);
  const run = runConcretely({ module, inputs: { args: new Map(), stdin: undefined } }, [], 1e7);
  expect(run.end).toEqual({ kind: "exit", code: native.status });
  expect(Buffer.from(run.output).toString()).toBe(native.stdout);
}

if (hasClang)
  describeWithPeers("C programs run as gcc runs them", ["gcc"], () => {
    test.each(readdirSync(fixtures))("%s", (name) => compare(readFileSync(join(fixtures, name), "utf8")));

    test("functions of the library, on random strings", () => {
      const text = fc.string({
        unit: fc.constantFrom("a", "b", "A", " ", ",", "0", "7", "-", "x", "\\t"),
        maxLength: 8,
      });
      const rows = fc.array(fc.tuple(text, text, fc.nat(9)), { minLength: 10, maxLength: 10 });
      fc.assert(
        fc.property(rows, (all) => {
          const sign = (value: string): string => `((${value}) > 0) - ((${value}) < 0)`;
          const body = all.map(([a, b, n], index) => {
            const [x, y] = [`"${a}"`, `"${b}"`];
            return `{ const char *x = ${x}, *y = ${y}; char c[32] = "${a}"; char d[32]; char *e;
  printf("${index}: %d %d %d %d ", ${sign("strcmp(x, y)")}, ${sign(`strncmp(x, y, ${n})`)}, ${sign("strcasecmp(x, y)")}, ${sign(`strncasecmp(x, y, ${n})`)});
  printf("%ld %ld %ld ", strchr(x, 'a') ? strchr(x, 'a') - x : -1L, strrchr(x, 'a') ? strrchr(x, 'a') - x : -1L, strstr(x, y) ? strstr(x, y) - x : -1L);
  printf("%zu %zu %zu %ld ", strspn(x, y), strcspn(x, y), strnlen(x, ${n}), strpbrk(x, y) ? strpbrk(x, y) - x : -1L);
  strncpy(d, x, ${n}); d[${n}] = 0; strcat(c, y); strncat(c, x, ${n}); printf("[%s][%s] ", c, d);
  printf("%d %ld ", atoi(x), strtol(x, &e, 0)); printf("%ld ", (long)(e - x)); printf("%lu ", strtoul(y, &e, 16));
  printf("%p ", memchr(x, 'b', strlen(x)) ? (void *)1 : (void *)2); printf("%d\\n", ${sign(`memcmp(x, y, strlen(x) < strlen(y) ? strlen(x) : strlen(y))`)}); }`;
          });
          compare(
            `#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\nint main(void) {\n${body.join("\n")}\nreturn 0; }\n`,
          );
        }),
        { numRuns: 2, endOnFailure: true },
      );
    }, 240_000);

    test("formats of numbers", () => {
      const flags = fc.subarray(["-", "+", " ", "#", "0"]).map((all) => all.join(""));
      const integer = fc
        .tuple(
          flags,
          fc.option(fc.nat(12)),
          fc.option(fc.nat(6)),
          fc.constantFrom("d", "u", "x", "X", "o", "ld", "lx", "hd", "hhu"),
          fc.integer(),
        )
        .map(
          ([f, w, p, c, value]) =>
            `printf("[%${f}${w ?? ""}${p === null ? "" : `.${p}`}${c}]\\n", ${c.startsWith("l") ? `${value}L` : `(int)${value}L`});`,
        );
      const float = fc
        .tuple(
          fc.subarray(["-", "+", " ", "0"]),
          fc.option(fc.nat(12)),
          fc.option(fc.nat(9)),
          fc.constantFrom("f", "e", "g", "E", "G"),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        )
        .map(
          ([f, w, p, c, value]) =>
            `printf("[%${f.join("")}${w ?? ""}${p === null ? "" : `.${p}`}${c}]\\n", ${Object.is(value, -0) ? "-0.0" : value.toExponential(17)});`,
        );
      fc.assert(
        fc.property(
          fc.array(integer, { minLength: 30, maxLength: 30 }),
          fc.array(float, { minLength: 30, maxLength: 30 }),
          (some, more) =>
            compare(`#include <stdio.h>\nint main(void) {\n${[...some, ...more].join("\n")}\nreturn 0; }\n`),
        ),
        { numRuns: 2, endOnFailure: true },
      );
    }, 240_000);
  });
else test.skip("C programs run as gcc runs them (SKIPPED: needs clang)", () => undefined);
