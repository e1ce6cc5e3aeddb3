/**
 * Provenance by counter abstraction (expand, enlarge, check): for k = 0, 1, 2, … counts messages of each kind exactly up to k and
 * searches the resulting finite system explicitly.
 *
 * If the over-approximation has no violation, the property holds. A trace of it that the concrete semantics can follow is a
 * violation. Otherwise searches the under-approximation, all of whose runs are real, then increments k. For some k one of the two
 * decides.
 *
 * Programs extracted from another input are large and their states are of no interest: saturation comes first.
 */
import { concreteModel, type ConcreteModel } from "../../compile/messages/index.js";
import {
  isMessageSubject,
  Successors,
  type Budget,
  type Diagnostic,
  type MessageProgram,
  type ProvenanceProof,
  type ProvenanceProperty,
  type Scope,
  type Verdict,
  type Words,
} from "../../model/index.js";
import type { CountingFigures, RunReport } from "../../report/index.js";
import {
  classify,
  concretise,
  countingModel,
  proofOf,
  saturate,
  type Classes,
  type Concretised,
  type CountingOptions,
} from "../../transforms/counting/index.js";
import { search as searchStates } from "../../engines/explicit/index.js";
import { known, nth } from "../../model/known.js";
import { search } from "./explicit.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import { doneBy, remaining, total } from "../pipeline/totals.js";
import { wholeFirst } from "../pipeline/whole-first.js";

export async function check(loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  const { subject } = loaded;
  if (!isMessageSubject(subject)) throw new Error("there is no message-passing program to check");
  const searches = subject.program.properties
    .filter((property) => request.properties.includes(property))
    .map((property) => ({
      properties: [property],
      isReducible: countingOptions(request, property, 0, "over").reductions.length > 0,
    }));
  const saturates = subject.isExtracted === true && takesAnyProof(request);
  const result = await wholeFirst(request, searches, (asked) => checkAll(subject.program, asked, saturates));
  if (!request.checksReduction) return result;
  const full = await checkAll(subject.program, { ...request, isPlain: true });
  return { ...result, notices: [compared(result, full, request)] };
}

/** The user requested neither an order of search nor a proof. */
const takesAnyProof = (request: EngineRequest): boolean =>
  request.reductions === undefined &&
  request.counts === undefined &&
  request.disk === undefined &&
  !request.isPlain &&
  !request.checksReduction &&
  request.wantsProofs !== true;

async function checkAll(
  program: MessageProgram,
  request: EngineRequest,
  saturates = false,
): Promise<EngineResult> {
  const started = performance.now();
  const asked = program.properties.filter((property) => request.properties.includes(property));
  const runs: RunReport[] = [];
  const left = (): Budget =>
    remaining(
      request.budget,
      runs.reduce((sum, { stats }) => sum + stats.states, 0),
      performance.now() - started,
    );
  const answers: Answer[] = [];
  const proofs: ProvenanceProof[] = [];
  for (const property of asked)
    answers.push(await new Proof(program, property, request, { runs, proofs, left }).answer(saturates));
  const scopes = answers.flatMap(({ finding: { verdict } }) =>
    verdict.kind === "holds" ? [verdict.scope] : [],
  );
  return {
    findings: answers.map(({ finding }) => finding),
    scope: scopes.length === answers.length ? joinedScope(scopes) : partial,
    end: answers.find(({ end }) => end !== "complete")?.end ?? "complete",
    runs,
    stats: total(runs.map(({ stats }) => stats)),
    coversAll: false,
    notices: [],
    ...(request.wantsProofs ? { proofs } : {}),
  };
}

/** State shared by all properties. */
interface Ledger {
  readonly runs: RunReport[];
  readonly proofs: ProvenanceProof[];
  left(): Budget;
}

interface Answer {
  readonly finding: EngineFinding;
  readonly end: SearchEnd;
}

type Genuine = Extract<Concretised, { readonly kind: "genuine" }>;

class Proof {
  readonly #program: MessageProgram;
  readonly #property: ProvenanceProperty;
  readonly #request: EngineRequest;
  readonly #ledger: Ledger;
  readonly #classes: Classes;
  readonly #concrete: ConcreteModel;

  constructor(program: MessageProgram, property: ProvenanceProperty, request: EngineRequest, ledger: Ledger) {
    this.#program = program;
    this.#property = property;
    this.#request = request;
    this.#ledger = ledger;
    this.#classes = classify(program, property);
    this.#concrete = concreteModel(program);
  }

  async answer(saturates: boolean): Promise<Answer> {
    if (this.#isViolatedAtFirst()) return this.#violated([], this.#initialState());
    if (saturates && this.#isSaturated()) return this.#holds("saturation");
    let last = 0;
    for (const k of this.#request.counts ?? naturals()) {
      last = k;
      const over = await this.#explore(k, "over");
      if ("end" in over) return over;
      if (over.trace) return this.#violated(over.trace.choices, over.trace.final);
      // With k = 0 no message is ever received.
      const under = k > 0 ? await this.#explore(k, "under") : undefined;
      if (!under) continue;
      if ("end" in under) return under;
      if (under.trace) return this.#violated(under.trace.choices, under.trace.final);
    }
    return this.#unknown(
      `counting up to ${last} messages of a kind is not enough: it finds only traces that no execution follows`,
      "let it count further: leave --count out, or give larger numbers",
      "bound",
    );
  }

  /** Returns an answer or a concrete trace, if the approximation has one. */
  async #explore(
    k: number,
    direction: "over" | "under",
  ): Promise<Answer | { readonly trace: Genuine | undefined }> {
    const { reductions, options } = countingOptions(this.#request, this.#property, k, direction);
    const model = countingModel(this.#program, this.#property, this.#classes, options);
    const result = await search(model, {
      ...this.#request,
      properties: model.properties,
      maxErrors: 1,
      budget: this.#ledger.left(),
    });
    const { verdict } = nth(result.findings, 0);
    const note = (outcome: CountingFigures["outcome"]): void =>
      void this.#ledger.runs.push(
        ...result.runs.map((run) => ({
          ...run,
          reductions: doneBy(run, reductions, PROPOSING),
          counting: { k, direction, outcome },
        })),
      );
    switch (verdict.kind) {
      case "unknown":
        note("stopped");
        return this.#unknown(`${verdict.reason} (k = ${k})`, verdict.advice, result.end);
      case "holds":
        note(direction === "over" ? "proof" : "nothing");
        if (direction === "under") return { trace: undefined };
        if (this.#request.wantsProofs) await this.#prove(k, options);
        return this.#holds(`counter abstraction, k = ${k}`);
      case "violated": {
        const found = concretise(
          model.system,
          this.#concrete.steps,
          this.#classes,
          known(verdict.trace, "the trace"),
        );
        const isGenuine = found.kind === "genuine";
        note(isGenuine ? "genuine trace" : "spurious trace");
        if (!isGenuine && direction === "under")
          throw new Error("an execution of the under-approximation is none of the program");
        return { trace: isGenuine ? found : undefined };
      }
    }
  }

  #isSaturated(): boolean {
    const started = performance.now();
    const { isSafe, states, transitions } = saturate(this.#program, this.#property, this.#classes);
    const seconds = (performance.now() - started) / 1000;
    const stats = { states, transitions, depth: 0, seconds, peakBytes: 0, bytesPerState: 0 };
    if (isSafe) this.#ledger.runs.push({ properties: [this.#property.name], reductions: [], stats });
    return isSafe;
  }

  /** Searches again, to collect the states of the proof. */
  async #prove(k: number, options: CountingOptions): Promise<void> {
    const model = countingModel(this.#program, this.#property, this.#classes, {
      ...options,
      proposes: false,
    });
    const { store, stop } = await searchStates(model, {
      order: "bfs",
      budget: this.#ledger.left(),
      control: this.#request.control,
      maxErrors: Infinity,
      checksDeadlock: false,
      checksSite: [false],
      invariants: [],
      store: "flat",
    });
    if (stop !== undefined) return;
    const states = Array.from({ length: store.count }, (_, index) => store.numbered(index + 1, store.width));
    this.#ledger.proofs.push(proofOf(this.#program, this.#property, this.#classes, model.system, states, k));
  }

  #initialState(): Words {
    const out = new Successors(this.#concrete.steps.width);
    this.#concrete.steps.initial(out);
    return out.stateAt(0);
  }

  #isViolatedAtFirst(): boolean {
    const { when } = this.#property;
    return nth(this.#classes.isBad, 0) && (when === undefined || when.message === 0) && this.#isThere();
  }

  /** A variable of a spawned principal does not exist at the start. */
  #isThere(): boolean {
    return !nth(this.#program.principals, this.#property.principal).isSpawned;
  }

  #holds(by: string): Answer {
    const scope: Scope = { kind: "complete", by, notes: [] };
    return this.#answer({ kind: "holds", scope }, 0, "complete");
  }

  #violated(choices: readonly number[], final: Words): Answer {
    const reason = this.#concrete.explain(this.#property, final, 0);
    const trace = { choices, fault: -1, loopStart: undefined };
    return this.#answer({ kind: "violated", reason, trace }, 1, "errors");
  }

  #unknown(reason: string, advice: string, end: SearchEnd): Answer {
    return this.#answer({ kind: "unknown", reason, advice }, 0, end);
  }

  #answer(verdict: Verdict, occurrences: number, end: SearchEnd): Answer {
    return { finding: { property: this.#property, verdict, occurrences }, end };
  }
}

/** `merge` joins the internal steps of a principal, `dead` forgets variables that are not read again, `por` is ample sets. */
function countingOptions(
  { isPlain, reductions = ["merge", "dead"] }: EngineRequest,
  { principal, when }: ProvenanceProperty,
  k: number,
  direction: "over" | "under",
): { readonly options: CountingOptions; readonly reductions: readonly string[] } {
  const wanted: readonly string[] = isPlain ? [] : reductions;
  // A property of two principals observes the states inside their steps.
  const runsToReceive = wanted.includes("merge") && (when === undefined || when.principal === principal);
  const resetsDead = wanted.includes("dead");
  const proposes = wanted.includes("por") && !runsToReceive;
  const used = { merge: runsToReceive, dead: resetsDead, por: proposes };
  return {
    options: { k, direction, runsToReceive, resetsDead, proposes },
    reductions: Object.entries(used).flatMap(([name, isUsed]) => (isUsed ? [name] : [])),
  };
}

const PROPOSING = ["por"];

function* naturals(): Generator<number> {
  for (let k = 0; ; k++) yield k;
}

const partial: Scope = { kind: "partial", by: "counter abstraction", notes: [] };

const joinedScope = (scopes: readonly Scope[]): Scope => ({
  kind: "complete",
  by: [...new Set(scopes.map(({ by }) => by))].join("; "),
  notes: [],
});

/** Throws if the answers differ: an internal error. */
function compared(reduced: EngineResult, full: EngineResult, { file }: EngineRequest): Diagnostic {
  reduced.findings.forEach(({ property, verdict }, index) => {
    const other = nth(full.findings, index).verdict.kind;
    if (verdict.kind !== other && verdict.kind !== "unknown" && other !== "unknown")
      throw new Error(`reduced and full search disagree on '${property.name}': ${verdict.kind} and ${other}`);
  });
  return {
    code: "session/reduction-checked",
    severity: "note",
    message: `reduced and full search agree: ${reduced.stats.states} states and ${full.stats.states}`,
    span: { file, start: 0, end: 0 },
  };
}
