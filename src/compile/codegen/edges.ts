/**
 * The steps of one process as JavaScript functions.
 *
 * For a *unit* (a template, or one instance of it when the processes are known beforehand) there are up to three:
 *
 * - `step_P`: every executable edge of the process in the source state `s`, each written as a new entry;
 * - `meet_P`: the other half of a rendezvous: every receive of the process that takes the offered message;
 * - `chain_P`: goes on inside the entry being built, through an indivisible step, or through an atomic sequence
 *   as long as exactly one edge is executable. Where it may branch, the entry is left as an intermediate state.
 *
 * Guards read `s`, effects read and write the entry `w[o…]`.
 */
import type { Communication, Edge, Effect, Location, Template } from "../../model/index.js";
import type { RecordLayout, ScalarSlot } from "../layout.js";
import type { Emitter } from "./expressions.js";
import { Unsupported } from "./expressions.js";
import { MOST_STEPS_INSIDE } from "../limits.js";
import type { Channel } from "./channels.js";
import { extract, mask, sum, truncated, word, type Scope } from "./scope.js";

export interface Unit {
  /** Suffix of the functions' names. */
  readonly name: string;
  readonly template: number;
  readonly record: RecordLayout;
  readonly pid: string;
  /** The word that `record` counts from. */
  readonly base: string;
  /** Parameter list of the functions: empty when pid and base are literals. */
  readonly parameters: string;
}

/** An atomic sequence that runs on for longer is handed to the search, which notices when it goes round in circles. */
const MOST_STEPS_IN_ENTRY = 1_000;

export interface EdgeOptions {
  /** For comments: file, line and text of a statement. */
  readonly where: (edge: Edge) => string;
  readonly notesTruncation: boolean;
  /** Each entry says who moved. */
  readonly writesAgents?: boolean;
}

export class EdgeEmitter {
  readonly #em: Emitter;
  /** First coverage number of each template. */
  readonly #firstEdge: readonly number[];
  readonly #options: EdgeOptions;

  constructor(em: Emitter, firstEdge: readonly number[], options: EdgeOptions) {
    this.#em = em;
    this.#firstEdge = firstEdge;
    this.#options = options;
  }

  step(unit: Unit): string {
    const template = this.#template(unit);
    const provided = this.#provided(unit, "!isDry && ");
    const cases = template.locations.flatMap((location, l) =>
      location.edges.length === 0 || location.inside === "step"
        ? []
        : [this.#case(unit, l, this.#location(unit, location))],
    );
    return this.#function(`step_${unit.name}`, unit, [provided, this.#switch("s", unit, cases)]);
  }

  meet(unit: Unit): string {
    const template = this.#template(unit);
    const provided = this.#provided(unit, "");
    const cases = template.locations.flatMap((location, l) => {
      const receives = location.edges.filter((e) => this.#mayMeet(e.communication, "receive"));
      if (receives.length === 0 || location.inside === "step") return [];
      return [
        this.#case(
          unit,
          l,
          this.#grouped(receives, (edge) => this.#accept(unit, location, edge)),
        ),
      ];
    });
    return this.#function(`meet_${unit.name}`, unit, [provided, this.#switch("s", unit, cases)]);
  }

  /** Leaves the function when the process may not move now. */
  #provided(unit: Unit, unless: string): string {
    const { provided } = this.#template(unit);
    if (!provided) return "";
    const test = this.#em.test(provided, this.#source(unit));
    const leave = this.#em.takeFaultFlag() ? "{ if (fault !== 0) failHere(); return; }" : "return;";
    return `if (${unless}!${test}) ${leave}`;
  }

  chain(unit: Unit): string {
    const template = this.#template(unit);
    const cases = [...this.#chained(template)]
      .sort((a, b) => a - b)
      .map((l) => this.#case(unit, l, this.#link(unit, l)));
    if (cases.length === 0) return "";
    return this.#function(`chain_${unit.name}`, unit, [
      "let steps = 0;",
      "for (;;) {",
      this.#switch("w", unit, cases),
      "return;",
      "}",
    ]);
  }

  // ---- one location ----

  #location(unit: Unit, location: Location): string {
    return this.#grouped(location.edges, (edge) => this.#first(unit, location, edge));
  }

  /** The edges in order; after a group of escapes that could run, the rest is not tried. */
  #grouped(edges: readonly Edge[], emit: (edge: Edge) => string): string {
    const lines: string[] = [];
    if (edges.some((e) => e.guard.kind === "else")) lines.push("const before = n;");
    edges.forEach((edge, i) => {
      const previous = edges[i - 1];
      if (edge.escapeGroup !== 0 && edge.escapeGroup !== previous?.escapeGroup)
        lines.push(`const n${i} = n;`);
      if (previous && previous.escapeGroup !== 0 && previous.escapeGroup !== edge.escapeGroup) {
        const start = edges.findIndex((e) => e.escapeGroup === previous.escapeGroup);
        lines.push(`if (n !== n${start}) break;`);
      }
      lines.push(emit(edge));
    });
    return lines.join("\n");
  }

  /** An edge taken from the source state. */
  #first(unit: Unit, location: Location, edge: Edge): string {
    const scope = this.#source(unit);
    const body = (receive: string): string =>
      [
        "fork();",
        receive,
        this.#effects(unit, edge),
        this.#arrive(unit, edge),
        this.#coverage(unit, location, edge),
        this.#agents(unit.pid),
        this.#finish(unit, edge),
      ].join("\n");
    return `// ${this.#options.where(edge)}\n${this.#attempt(unit, edge, scope, body, location)}`;
  }

  /** Tests whether `edge` can run in `scope`; if so runs `body`, given the text that does its communication. */
  #attempt(
    unit: Unit,
    edge: Edge,
    scope: Scope,
    body: (communicate: string) => string,
    location: Location,
  ): string {
    const dies = edge.effects.some((e) => e.kind === "die");
    if (dies) return block(`if (${sum(unit.pid, 1)} === np)`, body(""));
    if (edge.communication) return this.#communicate(unit, edge, edge.communication, scope, body, location);
    switch (edge.guard.kind) {
      case "always":
        return `{\n${indent(body(""))}\n}`;
      case "else":
        return block("if (n === before)", body(""));
      case "condition": {
        const test = this.#em.test(edge.guard.condition, scope);
        return this.#em.takeFaultFlag()
          ? this.#guarded(test, scope, body(""))
          : block(`if (${test})`, body(""));
      }
    }
  }

  /** A guard that can fail: a failure is an entry of its own. */
  #guarded(test: string, scope: Scope, body: string): string {
    const failed = scope.array === "s" ? "failHere();" : "return;";
    const t = this.#em.temporary();
    return `${t} = ${test} ? 1 : 0;\nif (fault !== 0) ${failed}\nelse ${block(`if (${t} !== 0)`, body)}`;
  }

  // ---- communication ----

  #communicate(
    unit: Unit,
    edge: Edge,
    c: Communication,
    scope: Scope,
    body: (communicate: string) => string,
    location: Location,
  ): string {
    const em = this.#em;
    const q = em.shapes.resolve(em, c.channel, scope);
    const canFault = em.takeFaultFlag();
    const arity = arityOf(c);
    const variants = q.shapes.map((k) => {
      const shape = em.shapes.shapes[k]!;
      let text: string;
      if (arity > shape.fields.length) text = this.#wrongArity(c, k, q, scope);
      else if (shape.capacity === 0)
        text = c.kind === "send" ? this.#offer(unit, edge, c, k, q.id, scope, location) : "";
      else if (c.kind === "send") text = this.#send(unit, c, q, k, scope, body);
      else text = this.#receive(unit, c, q, k, scope, body);
      return { k, text };
    });
    const chain = variants.length === 1 ? variants[0]!.text : dispatch(`QS[${q.id}]`, variants);
    const setup = q.setup === "" ? "" : `${q.setup};\n`;
    const failing = [
      ...(canFault ? [`if (fault !== 0) ${this.#failed(scope)}`] : []),
      ...(q.exists === undefined
        ? []
        : [`if (!(${q.exists})) { ${em.bad(c.site)}; ${this.#failed(scope)} }`]),
    ];
    return `${setup}${[...failing, `{\n${indent(chain)}\n}`].join("\nelse ")}`;
  }

  /** A message of the wrong size is a fault when it would be sent or received. */
  #wrongArity(c: Communication, k: number, q: Channel, scope: Scope): string {
    const { capacity } = this.#em.shapes.shapes[k]!;
    const fail = `${this.#em.bad(c.messageSite)}; ${this.#failed(scope)}`;
    if (capacity === 0) return c.kind === "send" ? fail : "";
    const length = this.#em.shapes.lengthOf(k, scope, q.header);
    return `if (${length} ${c.kind === "send" ? `< ${capacity}` : "> 0"}) { ${fail} }`;
  }

  #failed(scope: Scope): string {
    return scope.array === "s" ? "failHere();" : "return;";
  }

  #send(
    unit: Unit,
    c: Communication & { kind: "send" },
    q: Channel,
    k: number,
    scope: Scope,
    body: (communicate: string) => string,
  ): string {
    const em = this.#em;
    const { capacity, slots, narrowedLeaf, fields } = em.shapes.shapes[k]!;
    const length = em.temporary();
    const values = fields.map((_, i) => (c.message[i] ? em.value(c.message[i], scope) : "0"));
    const canFault = em.takeFaultFlag();
    const held = values.map(() => em.temporary());
    const assign = held.map((h, i) => this.#hold(h, values[i]!, fields[i]!)).join(" ");
    const room = narrowedLeaf === undefined ? "" : `if (${length} === ${slots}) wide(${narrowedLeaf}); `;
    const op = `q${k}_${c.sorted ? "sorted" : "send"}(${em.shapes.places(q)}, ${[length, ...held].join(", ")});`;
    const put = this.#em.program.rules.loseWhenFull
      ? `if (${length} < ${capacity}) { ${room}${op} }`
      : `${room}${op}`;
    const claim = this.#claim(unit.pid, k, q, "send");
    const inner = body(`${claim}${put}`);
    const set = `${length} = ${em.shapes.lengthOf(k, scope, q.header)};`;
    const test = this.#em.program.rules.loseWhenFull ? "true" : `${length} < ${capacity}`;
    const checked = canFault ? `if (fault !== 0) ${this.#failed(scope)}\nelse {\n${indent(inner)}\n}` : inner;
    return `${set}\nif (${test}) {\n${indent(`${assign}\n${checked}`)}\n}`;
  }

  /** Puts a message field into a temporary, checked if it must fit a narrowed slot. */
  #hold(name: string, value: string, slot: ScalarSlot): string {
    if (slot.narrowedLeaf === undefined) return `${name} = ${value};`;
    const [check, kept] = this.#em.fit(slot, value);
    return `${check} ${name} = ${kept};`;
  }

  #receive(
    unit: Unit,
    c: Communication & { kind: "receive" },
    q: Channel,
    k: number,
    scope: Scope,
    body: (communicate: string) => string,
  ): string {
    const em = this.#em;
    const length = em.temporary();
    const slot = c.random ? em.temporary() : 0;
    const tests = em.matches(c.pattern, scope, (f) => em.shapes.field(em, k, scope, q.area, slot, f));
    const canFault = em.takeFaultFlag();
    const held = new Map<number, string>();
    c.pattern.forEach((p, f) => p.kind === "store" && held.set(f, em.temporary()));
    const hold = [...held]
      .map(([f, t]) => `${t} = ${em.shapes.field(em, k, scope, q.area, slot, f)};`)
      .join(" ");
    const target: Scope = { ...scope, array: "w" };
    const stores = c.pattern.flatMap((p, f) =>
      p.kind === "store" ? [em.store(p.target, held.get(f)!, target)] : [],
    );
    const remove = c.keep ? "" : `q${k}_remove(${em.shapes.places(q)}, ${slot}, ${length});`;
    const inner = `${hold}\n${body([this.#claim(unit.pid, k, q, "receive"), remove, ...stores].join("\n"))}`;
    const set = `${length} = ${em.shapes.lengthOf(k, scope, q.header)};`;
    if (!c.random) {
      const test = [`${length} > 0`, ...tests].join(" && ");
      if (canFault) return `${set}\n${this.#guarded(test, scope, inner)}`;
      return `${set}\n${block(`if (${test})`, inner)}`;
    }
    const matches = tests.join(" && ") || "true";
    const find = `for (${slot} = 0; ${slot} < ${length} && !(${matches}); ${slot}++);`;
    const found = `${slot} < ${length}`;
    return canFault
      ? `${set} ${find}\n${this.#guarded(found, scope, inner)}`
      : `${set} ${find}\n${block(`if (${found})`, inner)}`;
  }

  /** A rendezvous send: the message is offered to every other process. */
  #offer(
    unit: Unit,
    edge: Edge,
    c: Communication & { kind: "send" },
    k: number,
    id: string,
    scope: Scope,
    location: Location,
  ): string {
    if (scope.array === "w") return "";
    const em = this.#em;
    if (edge.effects.length > 0) throw new Unsupported("a rendezvous send with effects of its own");
    // The step could not go on at once, for the receiver has to move first.
    const target = this.#template(unit).locations[edge.to]!;
    if (target.inside === "step") return `${em.bad(target.blockedSite)}; failHere();`;
    const { fields } = em.shapes.shapes[k]!;
    const values = fields.map(({ declared }, i) => {
      const value = c.message[i] ? em.value(c.message[i], scope) : "0";
      return `m${i} = ${truncated(value, declared.bits, declared.signed)};`;
    });
    const check = em.takeFaultFlag() ? "if (fault !== 0) failHere(); else " : "";
    const sent = em.temporary();
    // What the receiver's step writes to let the sender arrive.
    const { bit, bits, base } = unit.record.location;
    const to = [mask(bits), edge.to - base].map((raw) => raw << (bit & 31));
    const arrival = `arrivalWord = ${sum(unit.base, bit >> 5)}; arrivalMask = ${to[0]}; arrival = ${to[1]};`;
    return [
      ...values,
      `${sent} = n; offeredOn = ${id}; sender = ${unit.pid}; ${arrival}`,
      `${check}meetAll();`,
      `if (n !== ${sent}) { ${this.#coverage(unit, location, edge)} }`,
    ].join("\n");
  }

  /** A receive that takes the offered message. */
  #accept(unit: Unit, location: Location, edge: Edge): string {
    const em = this.#em;
    const scope = this.#source(unit);
    const target: Scope = { ...scope, array: "w" };
    const c = edge.communication as Communication & { kind: "receive" };
    const q = em.shapes.resolve(em, c.channel, scope);
    const same = q.setup === "" ? `${q.id} === offeredOn` : `(${q.setup}, ${q.id} === offeredOn)`;
    const tooLong = this.#tooLongFor(q.shapes, c, same);
    if (tooLong.isAlways) return tooLong.text;
    const tests = [same, ...em.matches(c.pattern, scope, (f) => `m${f}`)];
    const canFault = em.takeFaultFlag();
    const body = [
      "fork();",
      "w[o + arrivalWord] = w[o + arrivalWord] & ~arrivalMask | arrival;",
      this.#meetingClaims(unit),
      ...c.pattern.flatMap((p, f) => (p.kind === "store" ? [em.store(p.target, `m${f}`, target)] : [])),
      this.#effects(unit, edge),
      this.#arrive(unit, edge),
      this.#coverage(unit, location, edge),
      this.#agents("sender", unit.pid),
      this.#finish(unit, edge),
    ].join("\n");
    const test = tests.join(" && ");
    const take = canFault ? this.#guarded(test, scope, body) : block(`if (${test})`, body);
    return `// ${this.#options.where(edge)}\n${tooLong.text}{\n${indent(take)}\n}`;
  }

  /** A receive with more fields than the offered message has is a fault. */
  #tooLongFor(
    shapes: readonly number[],
    c: Communication,
    same: string,
  ): { text: string; isAlways: boolean } {
    const met = shapes.filter((k) => this.#em.shapes.shapes[k]!.capacity === 0);
    const short = met.filter((k) => this.#em.shapes.shapes[k]!.fields.length < arityOf(c));
    if (short.length === 0) return { text: "", isAlways: false };
    const isShort = short.map((k) => `QS[offeredOn] === ${k}`).join(" || ");
    const text = `if (${same} && (${isShort})) { ${this.#em.bad(c.messageSite)}; failHere(); }`;
    return short.length === met.length
      ? { text, isAlways: true }
      : { text: `${text}\nelse `, isAlways: false };
  }

  /** Can this communication be half of a rendezvous? */
  #mayMeet(c: Communication | undefined, kind: Communication["kind"]): boolean {
    const { shapes } = this.#em;
    return c?.kind === kind && shapes.possible(c.channel).some((k) => shapes.shapes[k]!.capacity === 0);
  }

  /** Both halves of a rendezvous must respect who claimed the channel. Rendezvous shapes have their claims in the same place. */
  #meetingClaims(unit: Unit): string {
    const { shapes } = this.#em.shapes;
    const k = shapes.findIndex((s) => s.capacity === 0);
    const q = { header: { word: "QH[offeredOn]", shift: "QHB[offeredOn]" } };
    return `${this.#claim("sender", k, q, "send")}${this.#claim(unit.pid, k, q, "receive")}`;
  }

  /** Notes a failure when the channel is claimed by a process other than `pid`; the step goes on, as in Spin. */
  #claim(pid: string, k: number, q: Pick<Channel, "header">, access: "receive" | "send"): string {
    const em = this.#em;
    const slot = access === "receive" ? em.shapes.shapes[k]!.receiver : em.shapes.shapes[k]!.sender;
    if (!slot) return "";
    const t = em.temporary();
    const scope: Scope = { array: "w", pid, base: "0", record: undefined };
    em.bad(0); // so that the entry is finished with a look at failures
    const site = `${access}Claims[templateOf(w, o, ${t} - 1)]`;
    return `if ((${t} = ${em.scalar(slot, scope, q.header)}) !== 0 && ${t} !== ${sum(pid, 1)}) failures[failed++] = ${site};\n`;
  }

  // ---- effects ----

  #effects(unit: Unit, edge: Edge): string {
    return this.#placed(edge, () => this.#allEffects(unit, edge));
  }

  /** What cannot be done is said at the statement that needs it. */
  #placed(edge: Edge, emit: () => string): string {
    try {
      return emit();
    } catch (error) {
      if (!(error instanceof Unsupported) || error.span) throw error;
      throw new Unsupported(error.message, edge.span);
    }
  }

  #allEffects(unit: Unit, edge: Edge): string {
    return edge.effects
      .map((e) => `${this.#noteTruncation(unit, edge, e)}${this.#effect(unit, e)}`)
      .join("\n");
  }

  #noteTruncation(unit: Unit, edge: Edge, e: Effect): string {
    if (!this.#options.notesTruncation || e.kind !== "assign" || e.target.type.bits === 32) return "";
    const location = this.#template(unit).locations.find((l) => l.edges.includes(edge))!;
    const t = this.#em.temporary();
    const { bits, signed } = e.target.type;
    const value = this.#em.value(e.value, { ...this.#source(unit), array: "w" });
    const isCut = `(${t} = ${value}) !== ${truncated(t, bits, signed)}`;
    return `if (${isCut}) truncatedAt[${this.#edgeNumber(unit, location, edge)}] = 1;\n`;
  }

  #effect(unit: Unit, e: Effect): string {
    const em = this.#em;
    const scope: Scope = { ...this.#source(unit), array: "w" };
    switch (e.kind) {
      case "assign":
        return em.store(e.target, em.value(e.value, scope), scope);
      case "assert":
        return `if (!${em.test(e.condition, scope)}) failures[failed++] = ${e.site};`;
      case "print": // shown when a trace is replayed; a search prints nothing
        return "";
      case "run": {
        em.bad(e.site);
        const values = e.arguments.map((a) => em.value(a, scope));
        const priority = e.priority
          ? em.value(e.priority, scope)
          : String(em.program.templates[e.template]!.priority);
        const t = em.temporary();
        const call = `${t} = spawn_${e.template}(${[e.site, e.channelSite, priority, ...values].join(", ")});`;
        return e.target ? `${call}\n${em.store(e.target, t, scope)}` : call;
      }
      case "set-priority": {
        if (!em.program.rules.usesPriorities) return "";
        const p = em.temporary();
        const process = em.value(e.process, scope);
        const v = em.temporary();
        const isWrong = `${p} >>> 0 >= np || ${v} < 1 || ${v} > 255`;
        return `${p} = ${process}; ${v} = ${em.value(e.value, scope)};\nif (${isWrong}) ${em.bad(e.site)}; else setPriority(w, o, ${p}, ${v});`;
      }
      case "die":
        return em.layout.processes.kind === "planned"
          ? `remove_${unit.pid}();`
          : `remove_${unit.template}(${[unit.pid, unit.base].join(", ")});`;
    }
  }

  /** Moves control, and goes on where the step is not over. */
  #arrive(unit: Unit, edge: Edge): string {
    const em = this.#em;
    const scope: Scope = { ...this.#source(unit), array: "w" };
    const last = em.layout.last ? `${em.setScalar(em.layout.last, scope, 0, unit.pid)}\n` : "";
    if (edge.effects.some((e) => e.kind === "die")) return last;
    const move = em.setScalar(unit.record.location, scope, unit.base, String(edge.to));
    return this.#goesOn(unit, edge) ? `${last}${move}\nchain_${unit.name}(${args(unit)});` : `${last}${move}`;
  }

  #goesOn(unit: Unit, edge: Edge): boolean {
    return edge.keepsControl || this.#template(unit).locations[edge.to]!.inside === "step";
  }

  #finish(unit: Unit, edge: Edge): string {
    const em = this.#em;
    const canFail =
      em.takeFaultFlag() || this.#goesOn(unit, edge) || edge.effects.some((e) => e.kind === "assert");
    const changesProcesses =
      edge.effects.some((e) => e.kind === "run" || e.kind === "die") ||
      (this.#goesOn(unit, edge) && this.#template(unit).locations.some((l) => l.edges.some(createsOrDies)));
    const restore = changesProcesses ? "\nwalk();" : "";
    return `${canFail ? "finish();" : "n++; o += stride;"}${restore}`;
  }

  /** Writes who takes part into the entry's label. */
  #agents(...pids: readonly string[]): string {
    if (!this.#options.writesAgents) return "";
    return `labels[n] = ${pids.map((pid) => `agent(${pid})`).join(" | ")};`;
  }

  #coverage(unit: Unit, location: Location, edge: Edge): string {
    return `reached[${this.#edgeNumber(unit, location, edge)}] = 1;`;
  }

  #edgeNumber(unit: Unit, location: Location, edge: Edge): number {
    const { locations } = this.#template(unit);
    const before = locations.slice(0, locations.indexOf(location)).reduce((n, l) => n + l.edges.length, 0);
    return this.#firstEdge[unit.template]! + before + location.edges.indexOf(edge);
  }

  // ---- inside a step: chains ----

  /** Locations where a chain can stand: targets of edges that go on. */
  #chained(template: Template): Set<number> {
    const targets = new Set<number>();
    for (const location of template.locations)
      for (const edge of location.edges)
        if (edge.keepsControl || template.locations[edge.to]!.inside === "step") targets.add(edge.to);
    return targets;
  }

  #link(unit: Unit, l: number): string {
    const location = this.#template(unit).locations[l]!;
    return location.inside === "step" ? this.#stepLink(unit, location) : this.#atomicLink(unit, location);
  }

  /** Inside an indivisible step: the first edge that can run, runs. */
  #stepLink(unit: Unit, location: Location): string {
    const lines = location.edges.map(
      (e) => `// ${this.#options.where(e)}\n${this.#linkEdge(unit, location, e)}`,
    );
    const blocked = `${this.#em.bad(location.blockedSite)}; return;`;
    return `if (++steps > ${MOST_STEPS_INSIDE}) { ${blocked} }\n${lines.join("\n")}\n${blocked}`;
  }

  #linkEdge(unit: Unit, location: Location, edge: Edge): string {
    const scope: Scope = { ...this.#source(unit), array: "w" };
    const body = (communicate: string): string => this.#take(unit, location, edge, communicate);
    if (edge.guard.kind === "else") return `{\n${indent(body(""))}\n}`;
    return this.#placed(edge, () => this.#attempt(unit, edge, scope, body, location));
  }

  /** Takes an edge inside a chain, and goes on or returns. */
  #take(unit: Unit, location: Location, edge: Edge, communicate: string): string {
    return [
      communicate,
      this.#effects(unit, edge),
      this.#move(unit, edge),
      this.#coverage(unit, location, edge),
      this.#goesOn(unit, edge) ? "if (fault === 0) continue; else return;" : "return;",
    ].join("\n");
  }

  #move(unit: Unit, edge: Edge): string {
    if (edge.effects.some((e) => e.kind === "die")) return "";
    const scope: Scope = { ...this.#source(unit), array: "w" };
    return this.#em.setScalar(unit.record.location, scope, unit.base, String(edge.to));
  }

  /** Inside an atomic sequence: go on while exactly one edge can run; control is lost when none can. */
  #atomicLink(unit: Unit, location: Location): string {
    const leave = this.#leaveIntermediate(unit);
    if (!this.#isSimple(unit, location)) return leave;
    return `if (++steps > ${MOST_STEPS_IN_ENTRY}) { ${leave} }\n${this.#onlyEdge(unit, location, leave)}`;
  }

  #onlyEdge(unit: Unit, location: Location, leave: string): string {
    if (location.edges.length === 0) return "return;";
    if (location.edges.length === 1) return `${this.#linkEdge(unit, location, location.edges[0]!)}\nreturn;`;
    const scope: Scope = { ...this.#source(unit), array: "w" };
    const names = location.edges.map(() => this.#em.temporary());
    const tests = location.edges.map(
      (edge, i) => `${names[i]} = ${this.#conditionOf(edge, scope, names, i)} ? 1 : 0;`,
    );
    const fault = this.#em.takeFaultFlag() ? "if (fault !== 0) return;" : "";
    const total = `${names.join(" + ")}`;
    const taken = location.edges.map((edge, i) =>
      block(`if (${names[i]} !== 0)`, this.#take(unit, location, edge, "")),
    );
    return `${tests.join("\n")}\n${fault}\nif (${total} > 1) { ${leave} }\n${taken.join("\n")}\nreturn;`;
  }

  #conditionOf(edge: Edge, scope: Scope, names: readonly string[], i: number): string {
    if (edge.guard.kind === "condition") return this.#em.test(edge.guard.condition, scope);
    if (edge.guard.kind === "else") return `(${names.slice(0, i).join(" + ")} === 0)`;
    return "true";
  }

  /** Can the chain decide by itself which edge runs? */
  #isSimple(unit: Unit, location: Location): boolean {
    const { edges } = location;
    if (this.#em.program.rules.usesPriorities || this.#template(unit).provided) return false;
    if (edges.some((e) => e.escapeGroup !== 0 || e.effects.some((f) => f.kind === "die"))) return false;
    if (edges.length === 1) {
      const { communication, guard } = edges[0]!;
      return (
        !this.#mayMeet(communication, "send") &&
        !this.#mayMeet(communication, "receive") &&
        !asksOthers(guard)
      );
    }
    return edges.every((e) => e.communication === undefined && !asksOthers(e.guard));
  }

  #leaveIntermediate(unit: Unit): string {
    const slot = this.#em.layout.exclusive!;
    const scope: Scope = { ...this.#source(unit), array: "w" };
    return `${this.#em.setScalar(slot, scope, 0, sum(unit.pid, 1))} intermediate = true; return;`;
  }

  // ---- text ----

  #template(unit: Unit): Template {
    return this.#em.program.templates[unit.template]!;
  }

  #source(unit: Unit): Scope {
    return { array: "s", pid: unit.pid, base: unit.base, record: unit.record };
  }

  #switch(array: "s" | "w", unit: Unit, cases: readonly string[]): string {
    const scope: Scope = { ...this.#source(unit), array };
    const { bit, bits } = unit.record.location;
    const location = extract(word(scope, unit.base, bit >> 5), bit & 31, bits, false);
    return `switch ${location} {\n${indent(cases.join("\n"))}\n}`;
  }

  /** Of location `l`, as it is stored. */
  #case(unit: Unit, l: number, body: string): string {
    return `case ${l - unit.record.location.base}: {\n${indent(body)}\nbreak;\n}`;
  }

  #function(name: string, unit: Unit, body: readonly string[]): string {
    const text = indent(body.filter((line) => line !== "").join("\n"));
    const temporaries = this.#em.takeTemporaries();
    return `function ${name}(${unit.parameters}) {\n${temporaries === "" ? "" : `  ${temporaries}\n`}${text}\n}`;
  }
}

export const args = (unit: Unit): string => (unit.parameters === "" ? "" : `${unit.pid}, ${unit.base}`);

export const block = (head: string, body: string): string => `${head} {\n${indent(body)}\n}`;

export const indent = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `  ${line}`)
    .join("\n");

const arityOf = (c: Communication): number => (c.kind === "send" ? c.message.length : c.pattern.length);

const createsOrDies = (edge: Edge): boolean => edge.effects.some((e) => e.kind === "run" || e.kind === "die");

const asksOthers = (guard: Edge["guard"]): boolean =>
  guard.kind === "condition" && JSON.stringify(guard.condition).includes('"kind":"enabled"');

function dispatch(subject: string, variants: readonly { k: number; text: string }[]): string {
  const cases = variants.map(({ k, text }) => `case ${k}: {\n${indent(text)}\nbreak;\n}`);
  return `switch (${subject}) {\n${indent(cases.join("\n"))}\n}`;
}
