/** One random system in every mode, against the oracle. */
import { join } from "node:path";
import { overallVerdict, type CheckReport, type PropertyReport } from "../../../src/report/index.js";
import { checkInput } from "../../../src/session/check/check.js";
import { bundleInput, loadSource } from "../../../src/session/nodes/load.js";
import type { Loaded, Registry } from "../../../src/session/contracts.js";
import { registry } from "../../../src/session/registry.js";
import { replayInput } from "../../../src/session/replay/replay.js";
import type { CheckOptions } from "../../../src/session/request.js";
import type { SystemSource } from "../../../src/code/system/index.js";
import { makeCase, type Case } from "./case.js";
import { decide, type Found } from "./oracle.js";

export interface Comparison {
  readonly case: Case;
  readonly differences: readonly string[];
  /** Undefined: too many states. */
  readonly found?: Found;
  readonly states: { readonly por?: number; readonly symmetry?: number };
  readonly withWorkers: boolean;
  readonly replayed: number;
}

const MOST_STATES = 400;

/** The file of all cases: bundled once, loaded once for each. */
export class Comparing {
  readonly #source: SystemSource;

  private constructor(source: SystemSource) {
    this.#source = source;
  }

  static async begin(): Promise<Comparing> {
    const file = join(process.cwd(), "bench/fuzz/nodes/under-test.ts");
    const source = await bundleInput({ file, text: "" }, {});
    if (!("code" in source)) throw new Error(source[0]?.message);
    return new Comparing(source);
  }

  async compare(seed: number, { withWorkers = seed % 50 === 0 } = {}): Promise<Comparison> {
    const c = makeCase(seed);
    const found = decide(c, MOST_STATES);
    const nothing = { case: c, differences: [], states: {}, withWorkers: false, replayed: 0 } as const;
    if (!found) return nothing;
    const one = new OneCase(seed, c, found, this.#registryFor(c));
    await one.run(withWorkers);
    const { differences, states, replayed } = one;
    return { case: c, differences, states, replayed, withWorkers, found };
  }

  /** Loading a system takes longer than searching it, so all modes share the loaded one. */
  #registryFor(c: Case): Registry {
    const parameters = JSON.stringify({ CASE: JSON.stringify(c) });
    let loaded: Loaded | undefined;
    const languages = registry.languages.map((language) =>
      language.name === "typescript"
        ? {
            ...language,
            load: async (_: unknown, options: Parameters<typeof language.load>[1]) =>
              (loaded ??= loadSource({ ...this.#source, parameters }, options)),
          }
        : language,
    );
    return { ...registry, languages };
  }
}

class OneCase {
  readonly differences: string[] = [];
  readonly states: { por?: number; symmetry?: number } = {};
  replayed = 0;
  readonly #seed: number;
  readonly #case: Case;
  readonly #found: Found;
  readonly #registry: Registry;
  readonly #input = { file: join(process.cwd(), "bench/fuzz/nodes/under-test.ts"), text: "" };

  constructor(seed: number, c: Case, found: Found, all: Registry) {
    this.#seed = seed;
    this.#case = c;
    this.#found = found;
    this.#registry = all;
  }

  async run(withWorkers: boolean): Promise<void> {
    const seed = this.#seed;
    const whole = await this.#all("plain", { isPlain: true });
    if (whole) this.#compareWhole("plain", whole);
    await this.#first();
    const por = await this.#all("por", { reductions: ["por"], search: seed % 3 === 0 ? "dfs" : "bfs" });
    if (por && por.runs.some(({ reductions }) => reductions.includes("por")))
      this.states.por = por.stats.states;
    if (this.#case.symmetric && this.#found.areAlike) await this.#symmetric();
    else if (seed % 5 === 0 && this.#found.areAlike) await this.#all("at once", { reducesAtOnce: true });
    const names = [...this.#found.violated.keys()];
    if (seed % 2 === 0) await this.#other();
    else await this.#one(names[seed % names.length]!);
    if (withWorkers) {
      const threads = await this.#all("two workers", { workers: 2, reductions: [] });
      if (threads) this.#compareWhole("two workers", threads);
    }
  }

  /** A false declaration of like nodes is refused where it matters. */
  #reductions = (): readonly ("por" | "symmetry")[] => (this.#found.areAlike ? ["por", "symmetry"] : ["por"]);

  #expected(property: string): string {
    const isViolated = this.#found.violated.get(property) !== undefined;
    if (!this.#found.isStillborn) return isViolated ? "violated" : "holds";
    return isViolated && FAILURES.includes(property) ? "violated" : "unknown";
  }

  /** User mode: the first error ends the search. */
  async #first(): Promise<void> {
    const report = await this.#check("default", {});
    if (!report) return;
    const isViolated = [...this.#found.violated.values()].some((steps) => steps !== undefined);
    const overall = overallVerdict(report);
    if (overall !== (isViolated ? "violated" : "holds")) this.#differ("default", `the verdict is ${overall}`);
    for (const { property, verdict } of report.properties) {
      const isOpen = isViolated && verdict === "unknown";
      if (!isOpen && verdict !== this.#expected(property.name))
        this.#differ("default", `${property.name} is ${verdict}`);
    }
  }

  async #symmetric(): Promise<void> {
    const report = await this.#all("symmetry", { reductions: ["symmetry"] });
    await this.#all("por and symmetry", { reductions: ["por", "symmetry"], search: "dfs" });
    // If a condition distinguishes like nodes, all states are searched.
    if (!report?.runs.every(({ reductions }) => reductions.includes("symmetry")) || report.runs.length !== 1)
      return;
    this.states.symmetry = report.stats.states;
    if (report.stats.states !== this.#found.orbits)
      this.#differ("symmetry", `${report.stats.states} states, and not ${this.#found.orbits}`);
  }

  /** A random store and order; lossy stores may answer `unknown`. */
  async #other(): Promise<void> {
    const seed = this.#seed;
    // The other orders support only properties of single states.
    const isSafety = this.#case.eventually === undefined && this.#case.recoverable === undefined;
    const orders = isSafety ? (["dfs", "random", "guided", "bfs"] as const) : (["dfs", "bfs"] as const);
    const search = orders[(seed >> 1) % orders.length]!;
    const store = (["tree", "delta", "compact", "bitstate", "exact"] as const)[seed % 5]!;
    const reductions = seed % 7 < 3 ? [] : this.#reductions();
    const options = { search, store, reductions, seed: 1 + (seed % 9) };
    const isLossy = store === "compact" || store === "bitstate";
    const name = `${search}, ${store}, ${reductions.join()}`;
    const report = await this.#check(name, { ...options, maxErrors: Infinity });
    if (!report) return;
    for (const property of this.#found.violated.keys()) {
      const verdict = verdictOf(report, property);
      const isRight = verdict === this.#expected(property);
      if (!isRight && !(isLossy && verdict === "unknown")) this.#differ(name, `${property} is ${verdict}`);
      // Properties of paths keep all states with any store.
      if (isLossy && verdict === "holds" && property !== "sometimes" && property !== "recoverable")
        this.#differ(name, `${property} holds, by a lossy store`);
    }
  }

  async #one(property: string): Promise<void> {
    const name = `${property} alone`;
    const reductions = this.#reductions();
    const report = await this.#check(name, { reductions, properties: [property], maxErrors: Infinity });
    if (report) this.#compareVerdicts(name, report, [property]);
  }

  async #all(name: string, options: CheckOptions): Promise<CheckReport | undefined> {
    const report = await this.#check(name, { ...options, maxErrors: Infinity });
    if (report) this.#compareVerdicts(name, report, [...this.#found.violated.keys()]);
    return report;
  }

  #compareVerdicts(mode: string, report: CheckReport, properties: readonly string[]): void {
    for (const property of properties) {
      const { verdict, reason = "" } = report.properties.find((p) => p.property.name === property) ?? {};
      if (verdict !== this.#expected(property)) this.#differ(mode, `${property} is ${verdict}: ${reason}`);
    }
    if (report.stats.states > this.#found.states * report.runs.length)
      this.#differ(mode, `${report.stats.states} states, of ${this.#found.states}`);
  }

  /** Without reductions: all states, and shortest traces. */
  #compareWhole(mode: string, { runs, properties }: CheckReport): void {
    // Liveness properties have a separate run over other states.
    const { stats } = runs.find((run) => run.properties.includes("assertions"))!;
    if (stats.states !== this.#found.states)
      this.#differ(mode, `${stats.states} states, and not ${this.#found.states}`);
    for (const { property, trace } of properties) {
      const steps = this.#found.violated.get(property.name);
      if (!trace || steps === undefined || !SHORTEST.includes(property.kind)) continue;
      if (trace.steps.length !== steps)
        this.#differ(mode, `${property.name} takes ${trace.steps.length} steps, and not ${steps}`);
    }
  }

  async #check(mode: string, options: CheckOptions): Promise<CheckReport | undefined> {
    try {
      const asked = { minimises: false, ...options };
      const { report } = await checkInput(this.#input, asked, this.#registry);
      const errors = report.diagnostics.filter(({ severity }) => severity === "error");
      for (const { message } of errors) this.#differ(mode, message);
      if (errors.length > 0) return undefined;
      await this.#replay(mode, report);
      return report;
    } catch (error) {
      this.#differ(mode, `internal error: ${(error as Error).stack}`);
      return undefined;
    }
  }

  /** Replays the first trace of each report. */
  async #replay(mode: string, { properties }: CheckReport): Promise<void> {
    const found = properties.find(({ trace, property }) => trace && property.kind !== "ltl");
    if (!found?.trace || found.property.kind === "cover" || found.verdict !== "violated") return;
    const { schedule } = found.trace;
    const { outcome } = await replayInput(this.#input, { schedule }, {}, this.#registry);
    this.replayed++;
    if (outcome !== "failed" && found.property.kind !== "agef")
      this.#differ(mode, `the trace of ${found.property.name} is ${outcome}`);
  }

  #differ(mode: string, what: string): void {
    this.differences.push(`${mode}: ${what}`);
  }
}

/** Properties whose shortest violation is as long as the state's distance from the start. */
const SHORTEST: readonly PropertyReport["property"]["kind"][] = [
  "assertion",
  "runtime",
  "deadlock",
  "invariant",
  "event",
];

const verdictOf = ({ properties }: CheckReport, name: string): string | undefined =>
  properties.find(({ property }) => property.name === name)?.verdict;

/** Properties that a failing start violates. */
const FAILURES = ["assertions", "exceptions"];
