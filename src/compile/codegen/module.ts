/**
 * The whole generated module: constants, the state being expanded, the functions of `edges.ts`, and the few
 * functions that tie them together. Only what depends on the program is generated; `runtime` (in `index.ts`)
 * drives it.
 */
import type { Candidacy, Initialiser, Program } from "../../model/index.js";
import {
  initialWords,
  masksOf,
  type BlockLayout,
  type ChannelPlace,
  type Layout,
  type ProcessLayout,
  type RecordLayout,
} from "../layout.js";
import type { Analysis } from "../analyse.js";
import { ChannelShapes } from "./channels.js";
import { EdgeEmitter, args, block, indent, type EdgeOptions, type Unit } from "./edges.js";
import { Emitter } from "./expressions.js";
import { CandidateEmitter } from "./candidates.js";
import { emitExpansion } from "./expansion.js";
import { emitLookup, emitWalk, enterChannel } from "./processes.js";
import { sum, type Position, type Scope } from "./scope.js";

/** More copies of a template's code than this cost more in compilation than they gain. */
const MOST_COPIED_EDGES = 1500;

/** States of up to so many words are copied without a loop. */
const MOST_UNROLLED = 32;

export function emitModule(
  program: Program,
  layout: Layout,
  analysis: Analysis,
  options: EdgeOptions,
  candidacy?: Candidacy,
): string {
  return new ModuleEmitter(program, layout, analysis, options).emit(candidacy);
}

class ModuleEmitter {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #analysis: Analysis;
  readonly #shapes: ChannelShapes;
  readonly #em: Emitter;
  readonly #edges: EdgeEmitter;
  /** One unit for each process when they are known beforehand, else one for each template. */
  readonly #units: readonly Unit[];
  readonly #isStatic: boolean;
  readonly #isPlanned: boolean;
  /** No state is wider than the initial one. */
  readonly #isFixedWidth: boolean;

  constructor(program: Program, layout: Layout, analysis: Analysis, options: EdgeOptions) {
    this.#program = program;
    this.#layout = layout;
    this.#analysis = analysis;
    this.#shapes = new ChannelShapes(program, layout, analysis);
    this.#em = new Emitter(program, layout, analysis, this.#shapes);
    this.#edges = new EdgeEmitter(this.#em, firstEdges(program), options);
    const copies = program.instances.reduce((total, i) => total + edgeCount(program, i.template), 0);
    const { processes } = layout;
    this.#isPlanned = processes.kind === "planned";
    this.#isStatic = this.#isPlanned || (!analysis.hasRun && copies <= MOST_COPIED_EDGES);
    this.#isFixedWidth = this.#isPlanned || !analysis.hasRun;
    if (processes.kind === "planned") this.#units = this.#plannedUnits(processes.records);
    else this.#units = this.#isStatic ? this.#instanceUnits(processes.records) : this.#templateUnits();
  }

  emit(candidacy: Candidacy | undefined): string {
    const parts = [
      this.#state(),
      emitWalk(this.#layout, this.#shapes),
      this.#shapes.emitOperations(),
      ...this.#creation(),
      ...this.#units.flatMap((u) => [this.#edges.step(u), this.#edges.chain(u)]),
      ...(this.#analysis.hasRendezvous
        ? [...this.#units.map((u) => this.#edges.meet(u)), this.#meetAll()]
        : []),
      this.#move(),
      this.#questions(),
      this.#priorities(),
      this.#initial(),
      this.#expand(),
      this.#status(),
      this.#invariants(),
      this.#valuation(),
      candidacy ? this.#candidates(candidacy) : "",
      `/** From now on states have at least so many words. */
function widen(width) {
  stride = Math.max(stride, Math.min(width, s.length - 1));
}`,
      `return { load, initial, expand, status, holds, valuation, ${candidacy ? "propose, expandAgent, " : ""}widen, width: () => stride };`,
    ];
    return parts.filter((p) => p !== "").join("\n\n");
  }

  // ---- state ----

  #state(): string {
    const { program, layout } = { program: this.#program, layout: this.#layout };
    const words = initialWords(program, layout);
    const { processes } = layout;
    const largest = processes.kind === "blocks" ? Math.max(0, ...processes.records.map((t) => t.words)) : 0;
    const room = this.#isFixedWidth ? words : layout.fixedWords + program.rules.maxProcesses * largest;
    return `"use strict";
// The state being expanded; words beyond the current width stay zero.
const s = new Int32Array(${room + 1});
let stride = ${words};
// The entries being written: entry n stands at w[o …].
let out, w, flags, labels, n = 0, o = 0, limit = 0, flagged = false, neededWidth = 0;
// Noted while an entry is built: fault is a site + 1.
let fault = 0, failed = 0, intermediate = false, timeout = false, isDry = false;
const failures = new Int32Array(${program.sites.length + 64});
// Live processes and channels: first word of each block, each channel's shape, word and bit of its header and area.
let np = 0, nq = 0, end = 0;
const B = new Int32Array(${program.rules.maxProcesses + 1});
const QS = new Int32Array(${program.rules.maxChannels + 2});
const QH = new Int32Array(QS.length), QHB = new Int32Array(QS.length), QA = new Int32Array(QS.length), QAB = new Int32Array(QS.length);
// A rendezvous in progress: the message, and who offers it.
let offeredOn = 0, sender = 0, arrivalWord = 0, arrivalMask = 0, arrival = 0${this.#messageNames()
      .map((m) => `, ${m} = 0`)
      .join("")};

function bad(site) {
  if (fault === 0) fault = site + 1;
  return 0;
}
function grow() {
  out.count = n;
  out.grow();
  load(out);
}
function load(target) {
  if (target.stride !== stride) target.widen(stride);
  out = target; w = out.words; flags = out.flags; labels = out.labels; n = out.count; o = n * stride; limit = out.capacity * stride;
}
/** Begins an entry as a copy of the source. */
function fork() {
  if (o === limit) grow();
${this.#copy()}
}
/** Ends an entry that may have failed or stands inside an atomic sequence. */
function finish() {
  if (fault !== 0) {
    flags[n] = 1 | fault << 2;
    fault = 0;
    flagged = true;
    intermediate = false;
  } else if (intermediate) {
    flags[n] = 2;
    intermediate = false;
    flagged = true;
  }
  n++; o += stride;
  if (failed > 0) reportFailures();
}
/** Failed assertions go on; each is an entry of its own without a successor. */
function reportFailures() {
  const count = failed;
  failed = 0;
  for (let i = 0; i < count; i++) {
    fault = failures[i] + 1;
    failHere();
  }
}
function failHere() {
  fork();
  finish();
}`;
  }

  #copy(): string {
    const words = initialWords(this.#program, this.#layout);
    const loop = "  for (let i = 0; i < stride; i++) w[o + i] = s[i];";
    if (!this.#isFixedWidth) {
      // Falls through from the last word to the first.
      const cases = Array.from(
        { length: MOST_UNROLLED },
        (_, i) => `case ${i + 1}: w[${sum("o", i)}] = s[${i}];`,
      );
      return `  switch (stride) {\n${indent(indent([...cases.reverse(), "break;", `default: ${loop.trim()}`].join("\n")))}\n  }`;
    }
    if (words > MOST_UNROLLED) return loop;
    return Array.from({ length: words }, (_, i) => `  w[${sum("o", i)}] = s[${i}];`).join("\n");
  }

  // ---- processes ----

  #creation(): string[] {
    const { processes } = this.#layout;
    const templates = [...this.#program.templates.keys()];
    if (processes.kind === "blocks")
      return [
        ...templates.map((t) => this.#spawnBlock(t, processes.records[t]!)),
        ...templates.map((t) => this.#removeBlock(t, processes.records[t]!)),
      ];
    return [
      ...processes.records.map((r, p) => this.#spawnPlanned(p, r)),
      ...templates.map((t) => this.#spawnAny(t, processes.records)),
      ...processes.records.map((r, p) => this.#removePlanned(p, r)),
    ];
  }

  #spawnBlock(t: number, record: BlockLayout): string {
    const { rules } = this.#program;
    const { tag } = this.#layout.processes as ProcessLayout & { kind: "blocks" };
    const scope: Scope = { array: "w", pid: "p", base: "b", record };
    const lines = [this.#em.setScalar(tag, scope, "b", String(t + 1)), ...this.#fill(t, scope)];
    const temporaries = this.#em.takeTemporaries();
    this.#em.takeFaultFlag();
    return `/** Creates ${this.#program.templates[t]!.name} at the end of the entry; gives its process number. */
function spawn_${t}(${["site", "channelSite", "priority", ...this.#parameters(t)].join(", ")}) {
  ${temporaries}
  if (np >= ${rules.maxProcesses}) return bad(site);
  if (nq + ${record.channels.length} > ${rules.maxChannels}) return bad(channelSite);
  const p = np, b = end;
  if (b + ${record.words} > stride) { neededWidth = Math.max(neededWidth, b + ${record.words}); return bad(site); }
  B[np++] = b;
  end = b + ${record.words};
${indent(lines.join("\n"))}
  return p;
}`;
  }

  /** Creates a process of that template as the next one, if that is planned. */
  #spawnAny(t: number, records: readonly RecordLayout[]): string {
    const { rules, templates } = this.#program;
    const parameters = ["priority", ...this.#parameters(t)];
    const cases = records.flatMap((r, p) =>
      r.template === t ? [`case ${p}: return spawn_${t}_${p}(${parameters.join(", ")});`] : [],
    );
    const channels = templates[t]!.initialisers.filter((i) => i.kind === "channel").length;
    return `/** Creates ${templates[t]!.name}; gives its process number. */
function spawn_${t}(${["site", "channelSite", ...parameters].join(", ")}) {
  if (np >= ${rules.maxProcesses}) return bad(site);
  if (nq + ${channels} > ${rules.maxChannels}) return bad(channelSite);
  switch (np) {
${indent(indent([...cases, `default: return unplanned(np, ${t});`].join("\n")))}
  }
}`;
  }

  #spawnPlanned(p: number, record: RecordLayout): string {
    const t = record.template;
    const scope: Scope = { array: "w", pid: String(p), base: "0", record };
    const lines = this.#fill(t, scope);
    const temporaries = this.#em.takeTemporaries();
    this.#em.takeFaultFlag();
    return `function spawn_${t}_${p}(${["priority", ...this.#parameters(t)].join(", ")}) {
  ${temporaries}
  np = ${p + 1};
${indent(lines.join("\n"))}
  return ${p};
}`;
  }

  #parameters(t: number): string[] {
    return Array.from({ length: this.#program.templates[t]!.parameters }, (_, i) => `a${i}`);
  }

  /** Statements that give a new process its first values. */
  #fill(t: number, scope: Scope): string[] {
    const template = this.#program.templates[t]!;
    const { location, priority, channels } = scope.record!;
    return [
      this.#em.setScalar(location, scope, scope.base, String(template.initial)),
      ...(priority ? [this.#em.setScalar(priority, scope, scope.base, "priority")] : []),
      ...this.#parameters(t).map((a, i) => {
        const { type } = template.locals[i]!;
        if (type.kind !== "scalar") throw new Error("parameters are scalars");
        return this.#em.store({ scope: "local", variable: i, path: [], type }, a, scope);
      }),
      ...this.#initialise(template.initialisers, scope, channels),
      ...template.claims.map((claim) => this.#claim(claim, scope)),
    ];
  }

  #initialise(
    initialisers: readonly Initialiser[],
    scope: Scope,
    created: readonly ChannelPlace[],
  ): string[] {
    let channel = 0;
    return initialisers.map((init) => {
      if (init.kind === "value") return this.#em.store(init.target, this.#em.value(init.value, scope), scope);
      const enter = enterChannel("nq", created[channel++]!, scope.base, this.#shapes);
      return `nq++; ${this.#isPlanned ? "" : enter} ${this.#em.store(init.target, "nq", scope)}`;
    });
  }

  /** Of two claims on one channel the second is wrong and the first stays, as in Spin. */
  #claim(claim: Program["templates"][number]["claims"][number], scope: Scope): string {
    const c = this.#em.temporary();
    const slotOf = (k: number) =>
      claim.access === "receive" ? this.#shapes.shapes[k]!.receiver! : this.#shapes.shapes[k]!.sender!;
    const sets = this.#shapes.shapes.map((_, k) => {
      const slot = slotOf(k);
      const self = sum(scope.pid, 1);
      const [check, owner] = slot.narrowedLeaf === undefined ? ["", self] : this.#em.fit(slot, self);
      const set = `${check} ${this.#em.setScalar(slot, scope, headerOf(c), owner)}`;
      const isTaken = `${this.#em.scalar(slot, scope, headerOf(c))} !== 0`;
      return `case ${k}: if (${isTaken}) failures[failed++] = ${claim.site}; else { ${set} } break;`;
    });
    return `${c} = ${this.#em.value(claim.channel, scope)};\nif ((${c} - 1) >>> 0 < nq) switch (QS[${c}]) { ${sets.join(" ")} }`;
  }

  #removeBlock(t: number, record: BlockLayout): string {
    const scope: Scope = { array: "w", pid: "p", base: "b", record };
    const release = this.#release(scope);
    const temporaries = this.#em.takeTemporaries();
    return `function remove_${t}(p, b) {
  ${temporaries}
  np--; nq -= ${record.channels.length}; end = b;
  for (let i = 0; i < ${record.words}; i++) w[o + b + i] = 0;
  ${release}
}`;
  }

  #removePlanned(p: number, record: RecordLayout): string {
    const scope: Scope = { array: "w", pid: String(p), base: "0", record };
    const release = this.#release(scope);
    const temporaries = this.#em.takeTemporaries();
    const clear = [...masksOf(record.extents)].map(([k, bits]) => `w[${sum("o", k)}] &= ${~bits};`);
    return `function remove_${p}() {
  ${temporaries}
  np--; nq -= ${record.channels.length};
  ${clear.join(" ")}
  ${release}
}`;
  }

  /** Gives up what a process that is removed has claimed. */
  #release(scope: Scope): string {
    if (!this.#analysis.hasClaims) return "";
    const cases = this.#shapes.shapes.map((shape, k) => {
      const clear = [shape.receiver!, shape.sender!].map((slot) => {
        const isOwn = `${this.#em.scalar(slot, scope, headerOf("c"))} === ${sum(scope.pid, 1)}`;
        return `if (${isOwn}) { ${this.#em.setScalar(slot, scope, headerOf("c"), "0")} }`;
      });
      return `case ${k}: { ${clear.join(" ")} break; }`;
    });
    return `for (let c = 1; c <= nq; c++) switch (QS[c]) { ${cases.join(" ")} }`;
  }

  // ---- moving ----

  #plannedUnits(records: readonly RecordLayout[]): Unit[] {
    return records.map((record, pid) => this.#unit(record, pid, "0"));
  }

  #instanceUnits(records: readonly BlockLayout[]): Unit[] {
    let base = this.#layout.fixedWords;
    return this.#program.instances.map(({ template }, pid) => {
      const unit = this.#unit(records[template]!, pid, String(base));
      base += records[template]!.words;
      return unit;
    });
  }

  /** One process, known by its number. */
  #unit(record: RecordLayout, pid: number, base: string): Unit {
    const { template } = record;
    const name = `${identifier(this.#program.templates[template]!.name)}_${pid}`;
    return { name, template, record, pid: String(pid), base, parameters: "" };
  }

  #templateUnits(): Unit[] {
    return this.#layout.processes.records.map((record, template) => {
      const name = `${identifier(this.#program.templates[template]!.name)}_${template}`;
      return { name, template, record, pid: "p", base: "b", parameters: "p, b" };
    });
  }

  /** Calls the function `prefix`_… of process `p`. */
  #dispatch(prefix: string, how: "return" | "" = ""): string {
    const after = how === "return" ? "" : " break;";
    const call = (u: Unit): string => `${how} ${prefix}_${u.name}(${args(u)});${after}`;
    if (this.#isStatic)
      return `switch (p) {\n${indent(this.#units.map((u, i) => `case ${i}: ${call(u)}`).join("\n"))}\n}`;
    const cases = this.#units.map((u, i) => `case ${i}: ${call(u)}`);
    return `const b = B[p];\nswitch (templateOf(s, 0, p)) {\n${indent(cases.join("\n"))}\n}`;
  }

  #move(): string {
    const hasPriority = this.#program.rules.usesPriorities;
    const guard = hasPriority ? "if (isHighest(p)) " : "";
    // A planned process that is not there is at no location; but its `provided` clause must not be looked at.
    const needsTest = (u: Unit): boolean =>
      !this.#isPlanned || !!this.#program.templates[u.template]!.provided;
    const calls = this.#units
      .map((u, i) => `${needsTest(u) ? `if (np > ${i}) ` : ""}step_${u.name}();`)
      .reverse();
    const isPlain = this.#isStatic && !hasPriority;
    const all = isPlain ? calls.join("\n") : `for (let p = np - 1; p >= 0; p--) ${guard}move(p);`;
    return `${block("function move(p)", this.#dispatch("step"))}
/** Everything that can happen next, the youngest process first. */
${block("function moveAll()", all)}`;
  }

  #meetAll(): string {
    const guard = this.#program.rules.usesPriorities ? " && (isDry || isHighest(p))" : "";
    return `${block("function meet(p)", this.#dispatch("meet"))}
/** Offers the message to every other process. */
function meetAll() {
  const from = sender;
  for (let p = np - 1; p >= 0; p--) if (p !== from${guard}) meet(p);
}`;
  }

  #priorities(): string {
    if (!this.#analysis.hasEnabled) return "";
    const highest = this.#program.rules.usesPriorities
      ? `
function isHighest(p) {
  const mine = priorityOf(s, 0, p);
  for (let q = 0; q < np; q++) if (q !== p && priorityOf(s, 0, q) > mine && isProvided(q) && canMove(q)) return false;
  return true;
}
${block("function isProvided(p)", this.#isProvided())}`
      : "";
    return `/** Has process p an executable statement? What it would write is dropped again. */
function canMove(p) {
  if (p >>> 0 >= np) return false;
  const [n0, flagged0, wasDry, offer] = [n, flagged, isDry, [${this.#offer()}]];
  isDry = true;
  move(p);
  const could = n !== n0;
  for (let i = n0; i < n; i++) flags[i] = 0;
  n = n0; o = n0 * stride; flagged = flagged0; isDry = wasDry;
  [${this.#offer()}] = offer;
  return could;
}${highest}`;
  }

  /** Does the process's `provided` clause hold? */
  #isProvided(): string {
    const cases = this.#units.flatMap((u, i) => {
      const { provided } = this.#program.templates[u.template]!;
      const scope: Scope = { array: "s", pid: u.pid, base: u.base, record: u.record };
      return provided ? [`case ${i}: return ${this.#em.test(provided, scope)};`] : [];
    });
    const subject = this.#isStatic ? "p" : "templateOf(s, 0, p)";
    const temporaries = this.#em.takeTemporaries();
    this.#em.takeFaultFlag();
    return `${temporaries}\nconst b = B[p];\nswitch (${subject}) {\n${indent(cases.join("\n"))}\n}\nfault = 0;\nreturn true;`;
  }

  /** The variables of a rendezvous in progress. */
  #offer(): string {
    return ["offeredOn", "sender", "arrivalWord", "arrivalMask", "arrival", ...this.#messageNames()].join(
      ", ",
    );
  }

  #messageNames(): string[] {
    const arity = Math.max(0, ...this.#program.channelTypes.map((c) => c.fields.length));
    return Array.from({ length: arity }, (_, i) => `m${i}`);
  }

  // ---- questions about other processes ----

  #questions(): string {
    const table = (chosen: (l: Program["templates"][number]["locations"][number]) => boolean): string =>
      `[${this.#program.templates.map((t) => `[${t.locations.map((l) => (chosen(l) ? 1 : 0)).join(",")}]`).join(", ")}]`;
    const claimSites = (access: "receive" | "send"): string =>
      `[${this.#program.templates.map((t) => t.claims.find((c) => c.access === access)?.site ?? -1).join(", ")}]`;
    return `${emitLookup(this.#layout, this.#program.rules.usesPriorities)}
const receiveClaims = ${claimSites("receive")}, sendClaims = ${claimSites("send")};
const ends = ${table((l) => l.isEnd)}, progress = ${table((l) => l.isProgress)}, accepts = ${table((l) => l.isAccept)};
/** The bit of a process in a label. */
const agent = (p) => p > 30 ? 1 << 31 : 1 << p;
const numbers = [${this.#program.templates.map((t) => `[${t.locations.map((l, i) => l.number ?? i).join(",")}]`).join(", ")}];
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

  // ---- entry points ----

  #initial(): string {
    const scope: Scope = { array: "w", pid: "-1", base: "0", record: undefined };
    const lines = [
      ...this.#initialise(this.#program.initialisers, scope, this.#layout.globalChannels),
      ...this.#program.instances.map(({ template, arguments: values }) => {
        const { priority } = this.#program.templates[template]!;
        return `spawn_${template}(${[-1, -1, priority, ...values.map((v) => this.#em.value(v, scope))].join(", ")});`;
      }),
    ];
    const temporaries = this.#em.takeTemporaries();
    this.#em.takeFaultFlag();
    return `function initial() {
  ${temporaries}
  s.fill(0);
  np = 0; nq = 0; end = ${this.#layout.fixedWords};
  fork();
${indent(lines.join("\n"))}
  flags[n] = fault !== 0 ? 1 | fault << 2 : failed > 0 ? failures[0] + 1 << 2 : 0;
  out.isFlagged = flags[n] !== 0;
  fault = 0; failed = 0;
}`;
  }

  #expand(): string {
    const { exclusive } = this.#layout;
    const scope: Scope = { array: "s", pid: "-1", base: "0", record: undefined };
    const onlyOne = exclusive
      ? `const owner = ${this.#em.scalar(exclusive, scope, 0)};
  if (owner !== 0) {
    ${this.#em.setScalar(exclusive, scope, 0, "0")}
    ${this.#program.rules.usesPriorities ? "if (isHighest(owner - 1)) " : ""}move(owner - 1);
    if (n === first) { fork(); labels[n] = 0; n++; o += stride; } // blocked: control is lost
    return;
  }`
      : "";
    const again = this.#analysis.hasTimeout
      ? "\n  if (n === first) { timeout = true; moveAll(); timeout = false; }"
      : "";
    return `function take(state, at, width) {
${this.#take()}
}
${emitExpansion("expand(state, at, target)", "expandTaken(first);")}
function expandTaken(first) {
  ${onlyOne}
  moveAll();${again}
}`;
  }

  #take(): string {
    const words = initialWords(this.#program, this.#layout);
    if (!this.#isFixedWidth || words > MOST_UNROLLED)
      return "  for (let i = 0; i < width; i++) s[i] = state[at + i];";
    return Array.from({ length: words }, (_, i) => `  s[${i}] = state[${sum("at", i)}];`).join("\n");
  }

  #candidates(candidacy: Candidacy): string {
    const candidates = new CandidateEmitter(this.#em, candidacy);
    const { exclusive } = this.#layout;
    const scope: Scope = { array: "s", pid: "-1", base: "0", record: undefined };
    const inside = exclusive ? `if (${this.#em.scalar(exclusive, scope, 0)} !== 0) return 0;` : "";
    return [
      ...this.#units.map((u) => candidates.unit(u)),
      block("function isCandidate(p)", `${this.#dispatch("isCandidate", "return")}\nreturn false;`),
      candidates.creators(),
      candidates.entryPoints(inside),
    ].join("\n");
  }

  #status(): string {
    const { exclusive } = this.#layout;
    const scope: Scope = { array: "s", pid: "-1", base: "0", record: undefined };
    const intermediate = exclusive ? `if (${this.#em.scalar(exclusive, scope, 0)} !== 0) return 2;` : "";
    const lengths = this.#shapes.shapes.map((shape, k) =>
      shape.capacity > 0
        ? `case ${k}: if (${this.#shapes.lengthOf(k, scope, headerOf("c"))} !== 0) return 0; break;`
        : "",
    );
    const empty = this.#program.rules.endNeedsEmptyChannels
      ? `for (let c = 1; c <= nq; c++) switch (QS[c]) { ${lengths.join(" ")} }`
      : "";
    return `function status(state, at) {
  take(state, at, stride);
  walk();
  ${intermediate}
  for (let p = 0; p < np; p++) if (ends[templateOf(s, 0, p)][locationOf(s, 0, p)] !== 1) return 0;
  ${empty}
  return 1;
}`;
  }

  #invariants(): string {
    const scope: Scope = { array: "s", pid: "-1", base: "0", record: undefined };
    const cases = this.#program.invariants.map(
      (inv, i) => `case ${i}: return ${this.#em.test(inv.condition, scope)};`,
    );
    const temporaries = this.#em.takeTemporaries();
    return `function holds(index, state, at) {
  ${temporaries}
  take(state, at, stride);
  walk();
  switch (index) { ${cases.join("\n")} }
}`;
  }

  /** The propositions of each temporal property. Steps that are tried on the way are written to `scratch` and dropped. */
  #valuation(): string {
    const scope: Scope = { array: "s", pid: "-1", base: "0", record: undefined };
    const properties = this.#program.temporal ?? [];
    const functions = properties.map(({ propositions }, index) => {
      const tests = propositions.map(
        ({ condition }, i) => `if (${this.#em.test(condition, scope)}) v |= ${1 << i};`,
      );
      const temporaries = this.#em.takeTemporaries();
      return `function value_${index}() {\n${indent([temporaries, "let v = 0;", ...tests, "return v;"].join("\n"))}\n}`;
    });
    this.#em.takeFaultFlag();
    const cases = properties.map((_, index) => `case ${index}: v = value_${index}(); break;`);
    const triesSteps = this.#analysis.hasTimeout || this.#analysis.hasEnabled;
    const before = triesSteps ? "load(scratch);" : "";
    const isStuck = this.#analysis.hasTimeout ? "moveAll(); timeout = n === 0; drop();" : "";
    const after = triesSteps ? "drop(); timeout = false;" : "";
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
  ${before} ${isStuck}
  switch (index) { ${cases.join(" ")} }
  if (fault !== 0) v = ~(fault - 1);
  fault = 0;
  ${after}
  return v;
}`;
  }
}

/** The number of the first edge of each template, counting all edges of the program in order. */
export function firstEdges(program: Program): number[] {
  let next = 0;
  return program.templates.map((_, t) => {
    const first = next;
    next += edgeCount(program, t);
    return first;
  });
}

const edgeCount = (program: Program, t: number): number =>
  program.templates[t]!.locations.reduce((count, l) => count + l.edges.length, 0);

/** Where the header of channel `c` stands. */
const headerOf = (c: string): Position => ({ word: `QH[${c}]`, shift: `QHB[${c}]` });

const identifier = (name: string): string => name.replace(/\W/g, "_");
