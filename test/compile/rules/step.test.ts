/** Rule programs as step code: eligibility, and equal faults as JavaScript, as WebAssembly and interpreted. */
import { describe, expect, test } from "vitest";
import { compileRules } from "../../../src/compile/rules/index.js";
import { search, type SearchResult } from "../../../src/engines/explicit/index.js";
import type { Model } from "../../../src/model/index.js";
import type { RuleProgram } from "../../../src/model/rules.js";
import { difference, programOf, StepEntries, systemOf } from "./differential.js";

const isStepCode = (program: RuleProgram): boolean => StepEntries.of(systemOf(program)) !== undefined;

/** A program in which `x` goes through its range, and `n` counts. */
const counting = (range: string, rules: string, more = ""): string =>
  `${more} var x: ${range}; n: 0..9; startstate clear x; n := 0; end; rule n < 9 ==> begin n := n + 1; end; ${rules}`;

describe("values up to 32 bits are step code", () => {
  const cases: Readonly<Record<string, { readonly within: string; readonly beyond: string }>> = {
    "a least value": {
      within: counting("-2147483647..-2147483640", "rule begin x := x + 1; end;"),
      beyond: counting("-2147483648..-2147483640", "rule begin x := x + 1; end;"),
    },
    sums: {
      within: counting(
        "2147483640..2147483646",
        "rule begin x := x + 1; end; rule x + 1 > n ==> begin clear x; end;",
      ),
      beyond: counting(
        "2147483640..2147483646",
        "rule begin x := x + 1; end; rule x + 2 > n ==> begin clear x; end;",
      ),
    },
    differences: {
      within: counting(
        "2147483640..2147483646",
        "rule begin x := x + 1; end; rule n - x < 0 ==> begin clear x; end;",
      ),
      beyond: counting(
        "2147483640..2147483646",
        "rule begin x := x + 1; end; rule n - x - 9 < 0 ==> begin clear x; end;",
      ),
    },
    products: {
      within: counting("46339..46340", "rule begin x := x + 1; end; rule x * x > n ==> begin clear x; end;"),
      beyond: counting("46339..46341", "rule begin x := x + 1; end; rule x * x > n ==> begin clear x; end;"),
    },
    negations: {
      within: counting(
        "2147483640..2147483646",
        "rule begin x := x + 1; end; rule -x < n ==> begin clear x; end;",
      ),
      beyond: counting("-2147483648..-2147483640", "rule -x > n ==> begin x := x + 1; end;"),
    },
    "quotients and bits": {
      within: counting(
        "-9..9",
        "rule begin x := x + 1; end; rule begin x := -17 / n; end; rule begin x := -17 % n; end; rule begin x := (x & 12) - (x | 3) + (x ^ n); end; rule begin x := ~x; end;",
      ),
      beyond: counting(
        "-9..9",
        "rule begin x := x + 1; end; rule begin x := 4294967296 / (n + 1) % 7; end; rule begin x := (4294967296 | x) % 5; end;",
      ),
    },
    "quotients that need 33 bits": {
      within: counting(
        "-9..9",
        "rule begin x := x + 1; end; rule begin x := (2147483647 - n) / (x + 2) % 9; end;",
      ),
      beyond: counting(
        "-9..9",
        "rule begin x := x + 1; end; rule begin x := (2147483640 + n) / (x + 2) % 9; end;",
      ),
    },
    shifts: {
      within: counting(
        "0..3",
        "rule begin x := (1 << (3 * n)) % 4; end; rule begin x := (1 >> (0 - n)) % 4; end; rule begin x := ((n - 5) << (n - 7)) + 3; end; rule begin x := ((n - 5) >> (n * 9)) + 3; end;",
      ),
      beyond: counting(
        "0..3",
        "rule begin x := (1 << (4 * n)) % 7 % 4; end; rule begin x := ((4294967296 + n) >> 20) % 7 % 4; end; rule begin x := n / (4294967296 + n) + n / (4294967290 - n); end; rule begin x := (n + 1) >> (4294967296 + n); end; rule begin x := (1 >> (0 - 4 * n)) % 4; end;",
      ),
    },
    "loops by values": {
      within: counting(
        "0..3",
        "rule exists i := 2147483600 to 2147483646 do i = 2147483610 + n end ==> begin x := n; end;",
      ),
      beyond: counting(
        "0..3",
        "rule exists i := 2147483600 to 2147483647 do i = 2147483610 + n end ==> begin x := n; end;",
      ),
    },
    "loops by steps": {
      within: counting(
        "0..3",
        "rule begin for i := n to 2147483646 by 2147483600 - 2147483599 + 0 * n do if i > n + 2 then x := 3; return; end; x := i % 4; end; end;",
      ),
      beyond: counting(
        "0..3",
        "rule begin for i := 2147483640 to 2147483647 by 3 + 0 * n do x := i % 4; end; end;",
      ),
    },
    rulesets: {
      within: counting(
        "0..3",
        "ruleset i: 2147482000..2147483646 do rule i = 2147482001 + n ==> begin x := i % 4; end; end;",
      ),
      beyond: counting(
        "0..3",
        "ruleset i: 2147482000..2147483647 do rule i = 2147482001 + n ==> begin x := i % 4; end; end;",
      ),
    },
    "copies between ranges": {
      within: counting(
        "-5..5",
        "rule begin x := n - 5; end; rule begin r.f := x; end; rule begin s := r; end;",
        "var r: record f: -5..5; end; s: record f: 2147483640..2147483645; end;",
      ).replace("startstate", "startstate undefine r; undefine s;"),
      beyond: counting(
        "-9..5",
        "rule begin x := n - 5; end; rule begin r.f := x; end; rule begin s := r; end;",
        "var r: record f: -9..5; end; s: record f: 2147483640..2147483645; end;",
      ).replace("startstate", "startstate undefine r; undefine s;"),
    },
    "arguments and results": {
      within: `var x: 0..3; function f(k: 2147483640..2147483646): 2147483641..2147483645; begin return k; end; startstate x := 0; end; rule x < 3 ==> begin x := x + 1; end; rule begin x := f(2147483640 + 2 * x) % 4; end;`,
      beyond: `var x: 0..3; function f(k: 2147483640..2147483648): 2147483641..2147483645; begin return k; end; startstate x := 0; end; rule x < 3 ==> begin x := x + 1; end; rule begin x := f(2147483640 + 2 * x) % 4; end;`,
    },
  };
  for (const [what, { within, beyond }] of Object.entries(cases)) {
    test(`${what}: within`, () => {
      const program = programOf(within);
      expect(isStepCode(program)).toBe(true);
      expect(difference(program, 60)).toBeUndefined();
    });
    test(`${what}: beyond`, () => {
      const program = programOf(beyond);
      expect(isStepCode(program)).toBe(false);
      expect(difference(program, 60)).toBeUndefined();
    });
  }

  test("as many rounds of a loop", () => {
    const program = programOf(
      "var x: 0..3; startstate x := 0; end; rule begin while x < 3 do x := x + 1; end; end;",
    );
    expect(isStepCode({ ...program, maxRounds: 2 ** 31 - 2 })).toBe(true);
    expect(isStepCode({ ...program, maxRounds: 2 ** 31 })).toBe(false);
  });
});

/** By fault, a program that has it. */
const FAULTS: readonly (readonly [fault: string, text: string])[] = [
  ["out-of-range", "var x: 0..3; startstate x := 0; end; rule begin x := x + 1; end;"],
  ["out-of-range", "var x: 0..3; startstate x := 0; end; rule begin x := 4; end; rule begin x := 1; end;"],
  ["out-of-range", "var x: 0..3; startstate x := 9; end; startstate x := 0; end; rule begin x := 1; end;"],
  [
    "array-bounds",
    "var x: 0..3; a: array [0..1] of 0..3; startstate x := 0; a[0] := 0; end; rule begin x := (x + 1) % 4; end; rule begin a[x] := 1; end;",
  ],
  [
    "out-of-range",
    "var x: 0..3; function f(k: 0..2): 0..1; begin return k; end; startstate x := 0; end; rule begin x := f(x) + 1; end; rule begin x := f(3); end;",
  ],
  [
    "undefined-value",
    "var x, y: 5..9; startstate x := 5; end; rule begin x := y; end; rule y = 6 ==> begin x := 6; end; rule y != 6 ==> begin x := 7; end; rule y > 6 ==> begin x := 8; end;",
  ],
  [
    "undefined-value",
    "var x: 5..9; y: 5..9; a: array [5..9] of array [0..40] of 0..3; startstate x := 5; undefine a; end; rule begin x := 6; a[y][3] := 1; x := 7; end; rule a[y][7] = 1 ==> begin x := 8; end;",
  ],
  [
    "undefined-value",
    "var b: boolean; x: 0..1; startstate x := 0; end; rule b ==> begin x := 1; end; rule !b ==> begin x := 1; end; rule x = 0 ==> begin if b then x := 1; else x := 0; end; x := 1; end;",
  ],
  [
    "division-by-zero",
    "var x: 0..3; startstate x := 3; end; rule x > 0 ==> begin x := x - 1; end; rule begin x := 3 / x; end; rule 3 % x = 0 ==> begin x := 2; end;",
  ],
  [
    "endless",
    "var x: 0..3; function f(n: 0..3): 0..3; begin return f(n); end; startstate x := 0; end; rule begin x := f(x); end;",
  ],
  ["endless", "var x: 0..3; startstate x := 0; end; rule begin while x < 3 do x := 0; end; end;"],
  [
    "endless",
    "var x: 0..3; startstate x := 0; end; rule begin x := 1; for i := 0 to 3 by x - 1 do x := 2; end; end; rule begin for i := 0 to 3 by -1 - x do x := 1; end; end;",
  ],
  [
    "assertion",
    "var x: 0..3; function f(k: 0..3): 0..3; begin assert k < 2; return k + 1; end; startstate x := 0; end; rule begin x := f(x); end; rule f(x) = 2 ==> begin x := 3; end; invariant f(x) > 0;",
  ],
  [
    "assertion",
    "var x: 0..3; startstate x := 0; end; rule x < 3 ==> begin x := x + 1; assert x < 3; end; rule x = 1 ==> begin assert false; x := 2; end;",
  ],
  [
    "error",
    'var x: 0..3; startstate x := 0; end; rule x < 3 ==> begin x := x + 1; if x = 2 then error "two"; end; end;',
  ],
  [
    "error",
    "var x: 0..3; function f(k: 0..3): 0..3; begin if k < 2 then return k + 1; end; end; startstate x := 0; end; rule begin x := f(x); end;",
  ],
  [
    "out-of-range",
    "var b: multiset [2] of 0..3; x: 0..3; startstate undefine b; x := 0; end; rule begin multisetadd(x, b); end; rule begin x := (x + 1) % 4; end;",
  ],
  [
    "undefined-value",
    "type m: record k: 0..3; end; var b: multiset [3] of m; x: 0..3; startstate var e: m; begin undefine b; x := 0; e.k := 1; multisetadd(e, b); end; choose e: b do rule begin multisetremove(e, b); x := b[e].k; end; end;",
  ],
];

const searched = (model: Model): Promise<SearchResult> =>
  search(model, {
    ...{ order: "bfs", budget: {}, control: {}, maxErrors: Infinity, checksDeadlock: true, usesStep: true },
    checksSite: model.sites.map(() => true),
    invariants: model.invariants.map((_, i) => i),
  });

describe("what goes wrong, as WebAssembly", () => {
  test.each(FAULTS)("%s: %s", async (fault, text) => {
    const program = programOf(text, {}, { deadlock: "off" });
    const limited = { ...program, maxCallDepth: 50, maxRounds: 100 };
    expect(difference(limited, 100)).toBeUndefined();
    const model = compileRules(limited);
    const found = await searched(model);
    expect(found.stats.backend).toBe("webassembly");
    const faults = found.violations.map(({ cause }) =>
      cause.kind === "fault" ? model.sites[cause.site]!.fault : "",
    );
    expect(faults).toContain(fault);
  });

  test("assumptions in functions discard the step, and what is false in an assumption is no fault", () => {
    const text = `var x: 0..3; y: 0..1; function f(k: 0..3): 0..3; begin assume k < 2; return k + 1; end;
      startstate x := 0; y := 0; end; startstate x := f(3); y := 0; end; rule begin x := f(x); end; rule f(x) = 1 ==> begin y := 1 - y; end;
      assume "a" x < 2 | f(x - 2) > 0; cover "c" f(x) = 2; invariant f(x) < 3;`;
    for (const deadlock of ["off", "stuck", "stuttering"] as const) {
      const program = programOf(text, {}, { deadlock });
      expect(isStepCode(program)).toBe(true);
      expect(difference(program, 50)).toBeUndefined();
    }
  });

  test("a fault before a cover statement, in its condition or behind it", async () => {
    const text = (body: string): string =>
      `var x, y: 0..3; startstate x := 0; end; rule begin ${body} end; rule x < 3 ==> begin x := x + 1; end;`;
    const met = async (body: string): Promise<boolean | undefined> => {
      const model = compileRules(programOf(text(body), {}, { deadlock: "off" }));
      expect((await searched(model)).stats.backend).toBe("webassembly");
      return model.isMet!(model.properties.find(({ kind }) => kind === "cover")!);
    };
    expect(await met("assert x = 4; cover true;")).toBe(false);
    expect(await met("cover y = 0 | true;")).toBe(false);
    expect(await met("cover x = 2; assert x = 4;")).toBe(true);
  });
});
