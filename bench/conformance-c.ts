/**
 * Published examples of concolic testing and of execution-generated tests: prints expected and obtained results, and the rows that are
 * not covered yet.
 *
 *     npm run conformance:c
 */
import { readFileSync } from "node:fs";
import { explore, type Exploration } from "../src/engines/programs/index.js";
import { loadProgram } from "../src/programs/index.js";
import { openSolver } from "../src/solvers/index.js";
import { regionRows } from "./conformance-regions.js";

const START =
  "#include <everypath.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

function explored(text: string, defines: readonly string[] = [], maxDepth = Infinity): Exploration {
  const source = (file: string): string | undefined => (file === "example.c" ? text : undefined);
  const { module, diagnostics } = loadProgram({
    file: "example.c",
    text,
    defines,
    compiler: undefined,
    source,
  });
  const opened = openSolver({ name: "auto", timeMs: 10_000, memoryMb: 1024 });
  if (!module || !opened) throw new Error(diagnostics[0]?.message ?? "there is no solver");
  try {
    const options = { order: "fork" as const, seed: 1, maxDepth, maxPaths: Infinity };
    const inputs = { args: new Map<number, number>(), stdin: undefined };
    const steps = explore({ module, inputs }, opened.solver, options, () => "continue");
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  } finally {
    opened.close();
  }
}

const outcome = ({ errors, gaps }: Exploration): string =>
  errors.length > 0
    ? [...new Set(errors.map(({ error }) => error.kind))].sort().join(", ")
    : gaps.size > 0
      ? `open: ${[...gaps.keys()].join(", ")}`
      : "no error";

let failures = 0;
function row(name: string, expected: string, obtain: () => string): void {
  const started = performance.now();
  const obtained = obtain();
  if (obtained !== expected) failures++;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${obtained === expected ? "ok  " : "FAIL"} ${name}: expected ${expected}, obtained ${obtained} (${seconds} s)`,
  );
}

const figure = `${START}int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > y) { x = (int)((unsigned)x - y); return 0; }
  x = (int)((unsigned)y - x);
  if (x > y) x = (int)((unsigned)y - x); else { x = (int)((unsigned)y - x); if (x == 0) reach_error(); }
  y = x; if (y == 9) reach_error(); return 0; }`;
row("LL 13.1, the running example: ERROR", "assertion", () => outcome(explored(figure)));

const chain = (n: number, isElse: boolean): string =>
  `${START}int main(void) { int acc = 0;\n${Array.from({ length: n }, () => `if (__VERIFIER_nondet_int() > 0) acc++;${isElse ? " else acc--;" : ""}`).join("\n")}\nif (acc == ${n}) reach_error(); return 0; }`;
row("L5, ifthen(8), plain mode: 256 paths", "256 paths, assertion", () => {
  const found = explored(chain(8, false));
  return `${found.paths} paths, ${outcome(found)}`;
});
row("L5, ifelse(8): 256 paths", "256 paths, assertion", () => {
  const found = explored(chain(8, true));
  return `${found.paths} paths, ${outcome(found)}`;
});

const sideEntry = `${START}static int called; static void f(void) { called = 1; }
int main(void) { int c = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), x = 0;
  if (c > 0) { x = 1; if (d > 0) f(); } if (called) { if (y == 77) reach_error(); } return x; }`;
row("L7, side_entry: ERROR", "assertion", () => outcome(explored(sideEntry)));

const server = `${START}int main(void) { int state = 8466, flag = 0, hit = __VERIFIER_nondet_int();
  for (int n = 0; n < 6; n++) {
    if (state <= 8512 && flag > 2) reach_error();
    if (state == 8466) { if (flag == 0) flag = 2; state = hit ? 8656 : 8512; }
    else if (state == 8512) state = __VERIFIER_nondet_int() ? 8466 : 8640;
    else if (state == 8640) { if (flag == 3) flag = 4; if (hit) return 0; state = 8656; }
    else if (state == 8656) { if (flag == 2) flag = 3; else { if (flag == 4) flag = 5; else if (flag == 5) reach_error(); } if (hit) state = 8640; else return 0; }
    else return 0;
  } return 0; }`;
row("L12, s3_srvr_1b (6 rounds): no error", "no error", () => outcome(explored(server)));

const compare = (length: number): string =>
  `${START}int main(void) { char s[${length + 2}]; symbolic(s, ${length + 2}, "s"); const char *p = s, *t = "${"abcdefgh".slice(0, length)}"; while (*p && *p == *t) p++, t++; return *p - *t == 1; }`;
for (const length of [1, 3, 5])
  row(
    `EGT, comparison with a string of ${length}: 2L + 2 paths`,
    `${2 * length + 2} paths`,
    () => `${explored(compare(length)).paths} paths`,
  );
row("EGT, a needle in 2^32: found", "assertion", () =>
  outcome(
    explored(
      `${START}int main(void) { unsigned x; symbolic(&x, 4, "x"); if (x * 2654435761u == 12345u) reach_error(); return 0; }`,
    ),
  ),
);

const utf7 = readFileSync(`${process.env["EVERYPATH_ROOT"] ?? "."}/examples/c/utf7.c`, "utf8");
for (const length of [1, 2, 3]) {
  row(`EGT, UTF-7 with ${length} bytes: overflow`, "out of bounds", () =>
    outcome(explored(utf7, [`LENGTH=${length}`])),
  );
  row(`EGT, UTF-7 repaired, ${length} bytes: no error`, "no error", () =>
    outcome(explored(utf7, [`LENGTH=${length}`, "REPAIRED"])),
  );
}

regionRows(row);

console.log(
  "not covered yet: L11 (token_ring), L12 (other SystemC designs), L13 (benchmark driver), L14 (TypeScript), L15 (built-in solver)",
);
console.log(
  "elsewhere: L1 and L10 (test/programs, test/engines/programs), L6 to L9 and L16 (test/engines/programs/regions, merging, bmc, llsplat and forks; fuzz:c-engines)",
);
process.exit(failures > 0 ? 1 : 0);
