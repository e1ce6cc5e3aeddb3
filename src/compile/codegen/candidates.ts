/**
 * The `candidates` facet as JavaScript text: `isCandidate_P` decides whether a process of that unit may be explored alone
 * in the source state `s`, `propose` lists these processes, `expandAgent` expands one of them.
 */
import type { Candidacy, LocationCandidacy } from "../../model/index.js";
import { block, type Unit } from "./unit.js";
import { emitExpansion } from "./expansion.js";
import type { Emitter } from "./expressions.js";
import type { Scope } from "./scope.js";

export class CandidateEmitter {
  readonly #em: Emitter;
  readonly #candidacy: Candidacy;

  constructor(em: Emitter, candidacy: Candidacy) {
    this.#em = em;
    this.#candidacy = candidacy;
  }

  unit(unit: Unit): string {
    const locations = this.#candidacy.locations[unit.template]!;
    const scope: Scope = { array: "s", pid: unit.pid, base: unit.base, record: unit.record };
    const cases = locations.flatMap((l, i) => (l ? [`case ${i}: ${this.#answer(l, scope)}`] : []));
    const temporaries = this.#em.takeTemporaries();
    const body = [
      temporaries,
      `switch (locationOf(s, 0, ${unit.pid})) {\n${cases.join("\n")}\n}`,
      "return false;",
    ];
    return block(`function isCandidate_${unit.name}(${unit.parameters})`, body.join("\n"));
  }

  /** Locations of each template that can still create processes. */
  creators(): string {
    const tables = this.#candidacy.creators.map((t) => `[${t.map(Number).join(",")}]`);
    return `const creators = [${tables.join(", ")}];
function hasCreators(except) {
  for (let p = 0; p < np; p++)
    if (p !== except && creators[templateOf(s, 0, p)][locationOf(s, 0, p)] === 1) return true;
  return false;
}`;
  }

  /** `inside`: text that leaves `mayPropose` inside an atomic sequence. */
  entryPoints(inside: string): string {
    return `function mayPropose(state, at) {
  take(state, at, stride);
  walk();
  ${this.#candidacy.needsCompany ? "if (np === 1) return false;" : ""}
  ${inside}
  return true;
}
function propose(state, at, agents) {
  if (!mayPropose(state, at)) return 0;
  let found = 0;
  for (let p = np - 1; p >= 0; p--) if (isCandidate(p)) agents[found++] = p;
  return found;
}
/** The same one by one, for devices: the next candidate below that number, or -1. */
function candidateBelow(limit, state, at) {
  if (!mayPropose(state, at)) return -1;
  let p = (limit < np ? limit : np) - 1;
  while (p >= 0 && !isCandidate(p)) p--;
  return p;
}
${emitExpansion("expandAgent(agent, state, at, target)", "move(agent);")}`;
  }

  #answer({ conditions, needsNoCreators }: NonNullable<LocationCandidacy>, scope: Scope): string {
    const tests = conditions.map((c) => this.#em.test(c, scope));
    if (needsNoCreators) tests.push(`!hasCreators(${scope.pid})`);
    const all = tests.join(" && ") || "true";
    if (!this.#em.takeFaultFlag()) return `return ${all};`;
    return `{ const holds = ${all}; if (fault === 0) return holds; fault = 0; return false; }`;
  }
}
