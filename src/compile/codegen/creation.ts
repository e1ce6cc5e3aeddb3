/** Emits the creation and removal of processes and channels. */
import type { Initialiser, Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import {
  masksOf,
  type BlockLayout,
  type ChannelPlace,
  type Layout,
  type ProcessLayout,
  type RecordLayout,
} from "../layout.js";
import type { ChannelShapes } from "./channels.js";
import type { Emitter } from "./expressions.js";
import { enterChannel } from "./processes.js";
import { headerOf, sum, type Scope } from "./scope.js";

export class Creation {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #analysis: Analysis;
  readonly #shapes: ChannelShapes;
  readonly #em: Emitter;

  constructor(em: Emitter, analysis: Analysis) {
    this.#em = em;
    this.#program = em.program;
    this.#layout = em.layout;
    this.#shapes = em.shapes;
    this.#analysis = analysis;
  }

  functions(): string[] {
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

  initialise(initialisers: readonly Initialiser[], scope: Scope, created: readonly ChannelPlace[]): string[] {
    let channel = 0;
    return initialisers.map((init) => {
      if (init.kind === "value")
        return this.#em.places.store(init.target, this.#em.value(init.value, scope), scope);
      const enter = enterChannel("nq", created[channel++]!, scope.base, this.#shapes);
      return `nq++; ${this.#layout.processes.kind === "planned" ? "" : enter} ${this.#em.places.store(init.target, "nq", scope)}`;
    });
  }

  #spawnBlock(t: number, record: BlockLayout): string {
    const { rules } = this.#program;
    const { tag } = this.#layout.processes as ProcessLayout & { kind: "blocks" };
    const scope: Scope = { array: "w", pid: "p", base: "b", record };
    const lines = [this.#em.places.setScalar(tag, scope, "b", String(t + 1)), ...this.#fill(t, scope)];
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
${lines.join("\n")}
  return p;
}`;
  }

  /** Creates the next process with that template, if planned. */
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
${[...cases, `default: return unplanned(np, ${t});`].join("\n")}
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
${lines.join("\n")}
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
      this.#em.places.setScalar(location, scope, scope.base, String(template.initial)),
      ...(priority ? [this.#em.places.setScalar(priority, scope, scope.base, "priority")] : []),
      ...this.#parameters(t).map((a, i) => {
        const { type } = template.locals[i]!;
        if (type.kind !== "scalar") throw new Error("parameters are scalars");
        return this.#em.places.store({ scope: "local", variable: i, path: [], type }, a, scope);
      }),
      ...this.initialise(template.initialisers, scope, channels),
      ...template.claims.map((claim) => this.#claim(claim, scope)),
    ];
  }

  /** A second claim on a channel is a fault and the first stays, as in Spin. */
  #claim(claim: Program["templates"][number]["claims"][number], scope: Scope): string {
    const c = this.#em.temporary();
    const slotOf = (k: number) =>
      claim.access === "receive" ? this.#shapes.shapes[k]!.receiver! : this.#shapes.shapes[k]!.sender!;
    const sets = this.#shapes.shapes.map((_, k) => {
      const slot = slotOf(k);
      const self = sum(scope.pid, 1);
      // sound: test/compile/narrow.test.ts
      const [check, owner] = slot.narrowedLeaf === undefined ? ["", self] : this.#em.places.fit(slot, self);
      const set = `${check} ${this.#em.places.setScalar(slot, scope, headerOf(c), owner)}`;
      // sound: test/compile/cases/channels.test.ts
      const isTaken = `${this.#em.places.scalar(slot, scope, headerOf(c))} !== 0`;
      return `case ${k}: if (${isTaken}) note(${claim.site}); else { ${set} } break;`;
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

  /** Releases the claims of a removed process. */
  #release(scope: Scope): string {
    // sound: test/compile/cases/channels.test.ts
    if (!this.#analysis.hasClaims) return "";
    const cases = this.#shapes.shapes.map((shape, k) => {
      const clear = [shape.receiver!, shape.sender!].map((slot) => {
        // sound: test/compile/cases/channels.test.ts
        const isOwn = `${this.#em.places.scalar(slot, scope, headerOf("c"))} === ${sum(scope.pid, 1)}`;
        return `if (${isOwn}) { ${this.#em.places.setScalar(slot, scope, headerOf("c"), "0")} }`;
      });
      return `case ${k}: { ${clear.join(" ")} break; }`;
    });
    return `for (let c = 1; c <= nq; c++) switch (QS[c]) { ${cases.join(" ")} }`;
  }
}
