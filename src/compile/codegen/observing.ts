/** Observations of a state: status, invariants, propositions of temporal properties. */
import type { Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import type { Layout } from "../layout.js";
import type { Emitter } from "./expressions.js";
import { emitLookup } from "./processes.js";
import { headerOf, SOURCE } from "./scope.js";

/** Whether a state is inside a step, a valid end, or neither. */
export function emitStatus(em: Emitter): string {
  const { exclusive } = em.layout;
  const intermediate = exclusive ? `if (${em.places.scalar(exclusive, SOURCE, 0)} !== 0) return 2;` : "";
  const lengths = em.shapes.shapes.map((shape, k) =>
    shape.capacity > 0
      ? `case ${k}: if (${em.shapes.lengthOf(k, SOURCE, headerOf("c"))} !== 0) return 0; break;`
      : "",
  );
  const empty = em.program.rules.endNeedsEmptyChannels
    ? `for (let c = 1; c <= nq; c++) switch (QS[c]) { ${lengths.join(" ")} }`
    : "";
  const { endCondition } = em.program;
  // sound: test/languages/promela/trace-ends.test.ts
  const complete = endCondition ? `if (np > 0 && !(${em.test(endCondition, SOURCE)})) return 0;` : "";
  return `function status(state, at) {
  ${em.takeTemporaries()}
  take(state, at, stride);
  walk();
  ${intermediate}
  for (let p = 0; p < np; p++) if (ends[templateOf(s, 0, p)][locationOf(s, 0, p)] !== 1) return 0;
  ${empty}
  ${complete}
  return 1;
}`;
}

export function emitInvariants(em: Emitter, analysis: Analysis): string {
  const { before, after } = trying(analysis);
  const cases = em.program.invariants.map(
    (inv, i) => `case ${i}: holds = ${em.test(inv.condition, SOURCE)}; break;`,
  );
  const temporaries = em.takeTemporaries();
  em.takeFaultFlag();
  // sound: test/compile/faults.test.ts
  const unknown = "if (fault !== 0) holds = false;";
  return `/** A condition that cannot be evaluated does not hold. */
function holds(index, state, at) {
  ${temporaries}
  let holds = false;
  take(state, at, stride);
  walk();
  ${before}
  switch (index) { ${cases.join("\n")} }
  ${unknown}
  fault = 0;
  ${after}
  return holds;
}`;
}

/** Wraps conditions on enabledness, which try steps, write them to `scratch` and discard them. */
function trying({ hasTimeout, hasEnabled }: Analysis): { readonly before: string; readonly after: string } {
  if (!hasTimeout && !hasEnabled) return { before: "", after: "" };
  const isStuck = hasTimeout ? "moveAll(); timeout = n === 0; drop();" : "";
  return { before: `load(scratch); ${isStuck}`, after: "drop(); timeout = false;" };
}

export function emitValuation(em: Emitter, analysis: Analysis): string {
  const properties = em.program.temporal ?? [];
  const functions = properties.map(({ propositions }, index) => {
    const tests = propositions.map(
      ({ condition }, i) => `if (${em.test(condition, SOURCE)}) v |= ${1 << i};`,
    );
    const temporaries = em.takeTemporaries();
    return `function value_${index}() {\n${[temporaries, "let v = 0;", ...tests, "return v;"].join("\n")}\n}`;
  });
  em.takeFaultFlag();
  const cases = properties.map((_, index) => `case ${index}: v = value_${index}(); break;`);
  const { before, after } = trying(analysis);
  return `${functions.join("\n")}
function drop() {
  flags.fill(0, 0, n);
  n = 0; o = 0; fault = 0; failed = 0; flagged = false; intermediate = false; neededWidth = 0;
}
/** Bit i: does proposition i hold? The complement of a site when that cannot be said. */
function valuation(index, state, at) {
  let v = 0;
  take(state, at, stride);
  walk();
  ${before}
  switch (index) { ${cases.join(" ")} }
  if (fault !== 0) v = ~(fault - 1);
  fault = 0;
  ${after}
  return v;
}`;
}

/** Queries about single processes. */
export function emitQuestions(program: Program, layout: Layout): string {
  const table = (chosen: (l: Program["templates"][number]["locations"][number]) => boolean): string =>
    `[${program.templates.map((t) => `[${t.locations.map((l) => (chosen(l) ? 1 : 0)).join(",")}]`).join(", ")}]`;
  const claimSites = (access: "receive" | "send"): string =>
    `[${program.templates.map((t) => t.claims.find((c) => c.access === access)?.site ?? -1).join(", ")}]`;
  return `${emitLookup(layout, program.rules.usesPriorities)}
const receiveClaims = ${claimSites("receive")}, sendClaims = ${claimSites("send")};
const ends = ${table((l) => l.isEnd)}, progress = ${table((l) => l.isProgress)}, accepts = ${table((l) => l.isAccept)};
/** The bit of a process in a label. */
const agent = (p) => p > 30 ? 1 << 31 : 1 << p;
const numbers = [${program.templates.map((t) => `[${t.locations.map((l, i) => l.number ?? i).join(",")}]`).join(", ")}];
/** The number by which people know the location of a process. */
const numberOf = (a, at, p) => numbers[templateOf(a, at, p)][locationOf(a, at, p)];
function noProgress(a, at) {
  for (let p = 0; p < np; p++) if (progress[templateOf(a, at, p)][locationOf(a, at, p)] === 1) return false;
  return true;
}
function isAccepting(a, at) {
  for (let p = 0; p < np; p++) if (accepts[templateOf(a, at, p)][locationOf(a, at, p)] === 1) return true;
  return false;
}
/** The oldest process of a template, or -1. */
function findProcess(a, at, template) {
  for (let p = 0; p < np; p++) if (templateOf(a, at, p) === template) return p;
  return -1;
}
/** That process, or -1 if there is none or it is of another template. */
function processOf(a, at, template, p) {
  return p >>> 0 < np && templateOf(a, at, p) === template ? p : -1;
}`;
}
