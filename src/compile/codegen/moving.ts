/** Combines the steps of processes into steps of the system, and decides which processes may move. */
import { CIRCULAR_QUESTION, type Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import { offerNames } from "./entries.js";
import type { Emitter } from "./expressions.js";
import { args, block, sourceOf, type Unit } from "./unit.js";
import type { Units } from "./units.js";

export class Moving {
  readonly #em: Emitter;
  readonly #program: Program;
  readonly #units: Units;
  readonly #analysis: Analysis;

  constructor(em: Emitter, units: Units, analysis: Analysis) {
    this.#em = em;
    this.#program = em.program;
    this.#units = units;
    this.#analysis = analysis;
  }

  move(): string {
    const hasPriority = this.#program.rules.usesPriorities;
    // sound: test/compile/cases/control.test.ts
    const guard = hasPriority ? "if (isHighest(p)) " : "";
    // An absent planned process has no location, but its `provided` clause must not be evaluated.
    const needsTest = (u: Unit): boolean =>
      // sound: test/compile/cases/processes.test.ts test/compile/cases/control.test.ts test/compile/narrow.test.ts
      !this.#units.isPlanned || !!this.#program.templates[u.template]!.provided;
    const calls = this.#units.units
      .map((u, i) => `${needsTest(u) ? `if (np > ${i}) ` : ""}step_${u.name}();`)
      .reverse();
    // sound: test/compile/cases/control.test.ts
    const isPlain = this.#units.isStatic && !hasPriority;
    const all = isPlain ? calls.join("\n") : `for (let p = np - 1; p >= 0; p--) ${guard}move(p);`;
    return `${block("function move(p)", this.dispatch("step"))}
/** Everything that can happen next, the youngest process first. */
${block("function moveAll()", all)}`;
  }

  meet(): string {
    return `${block("function meet(p)", this.dispatch("meet"))}
/** Offers the message to every other process. */
function meetAll() {
  const from = sender;
  for (let p = np - 1; p >= 0; p--) if (p !== from) meet(p);
}`;
  }

  /** The functions that test whether a process can move. */
  questions(): string {
    if (!this.#analysis.hasEnabled) return "";
    const highest = this.#program.rules.usesPriorities
      ? `
function isHighest(p) {
  const mine = priorityOf(s, 0, p);
  for (let q = 0; q < np; q++) if (priorityOf(s, 0, q) > mine && isProvided(q) && canMove(q)) return false;
  return true;
}
${block("function isProvided(p)", this.#isProvided())}`
      : "";
    return `/** Has process p an executable statement? What it would write is dropped again. */
const asked = new Set();
function canMove(p) {
  if (p >>> 0 >= np) return false;
  if (asked.has(p)) throw new RangeError(${JSON.stringify(CIRCULAR_QUESTION)});
  asked.add(p);
  const [n0, flagged0, wasDry, offer] = [n, flagged, isDry, [${offerNames(this.#program)}]];
  isDry = true;
  move(p);
  asked.delete(p);
  const could = n !== n0;
  for (let i = n0; i < n; i++) flags[i] = 0;
  n = n0; o = n0 * stride; flagged = flagged0; isDry = wasDry;
  [${offerNames(this.#program)}] = offer;
  return could;
}${highest}`;
  }

  /** Does the process's `provided` clause hold? A fault counts as false: it belongs to the process's step. */
  #isProvided(): string {
    const cases = this.#units.units.flatMap((u, i) => {
      const { provided } = this.#program.templates[u.template]!;
      return provided ? [`case ${i}: holds = ${this.#em.test(provided, sourceOf(u))}; break;`] : [];
    });
    const subject = this.#units.isStatic ? "p" : "templateOf(s, 0, p)";
    const temporaries = this.#em.takeTemporaries();
    this.#em.takeFaultFlag();
    return `${temporaries}\nconst b = B[p];\nlet holds = true;\nswitch (${subject}) {\n${cases.join("\n")}\n}\nif (fault !== 0) holds = false;\nfault = 0;\nreturn holds;`;
  }

  /** Calls the function `prefix`_… of process `p`. */
  dispatch(prefix: string, how: "return" | "" = ""): string {
    const after = how === "return" ? "" : " break;";
    const call = (u: Unit): string => `${how} ${prefix}_${u.name}(${args(u).join(", ")});${after}`;
    if (this.#units.isStatic)
      return `switch (p) {\n${this.#units.units.map((u, i) => `case ${i}: ${call(u)}`).join("\n")}\n}`;
    const cases = this.#units.units.map((u, i) => `case ${i}: ${call(u)}`);
    return `const b = B[p];\nswitch (templateOf(s, 0, p)) {\n${cases.join("\n")}\n}`;
  }
}
