/** Execution of an edge: effects, control, coverage, and the end of the entry. */
import type { Edge, Effect, Expr, Location, Template } from "../../model/index.js";
import type { Emitter } from "./expressions.js";
import { Unsupported } from "./unsupported.js";
import { truncated, type Scope } from "./scope.js";
import { Straight } from "./straight.js";
import { args, block, entryOf, type Unit } from "./unit.js";

export interface EdgeOptions {
  /** File, line and text of a statement, for comments; absent: none. */
  readonly where?: ((edge: Edge) => string) | undefined;
  readonly notesTruncation: boolean;
  /** Each entry names the movers. */
  readonly writesAgents?: boolean;
}

export class Taking {
  readonly #em: Emitter;
  readonly #firstEdge: readonly number[];
  readonly #straight = new Map<Template, Straight>();
  /** By template: the number of each location's first edge. */
  readonly #firstOf = new Map<Template, ReadonlyMap<Location, number>>();
  readonly options: EdgeOptions;

  constructor(em: Emitter, firstEdge: readonly number[], options: EdgeOptions) {
    this.#em = em;
    this.#firstEdge = firstEdge;
    this.options = options;
  }

  comment(edge: Edge): string {
    return this.options.where ? `// ${this.options.where(edge)}\n` : "";
  }

  template(unit: Unit): Template {
    return this.#em.program.templates[unit.template]!;
  }

  effects(unit: Unit, edge: Edge): string {
    return this.placed(edge, () => this.#allEffects(unit, edge));
  }

  /** Reports unsupported features at their statement. */
  placed(edge: Edge, emit: () => string): string {
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
    if (!this.options.notesTruncation || e.kind !== "assign" || e.target.type.bits === 32) return "";
    const location = this.template(unit).locations.find((l) => l.edges.includes(edge))!;
    const t = this.#em.temporary();
    const { bits, signed } = e.target.type;
    const value = this.#em.value(e.value, entryOf(unit));
    const isCut = `(${t} = ${value}) !== ${truncated(t, bits, signed)}`;
    return `if (${isCut}) truncatedAt[${this.#edgeNumber(unit, location, edge)}] = 1;\n`;
  }

  #effect(unit: Unit, e: Effect): string {
    const em = this.#em;
    const scope = entryOf(unit);
    switch (e.kind) {
      case "assign":
        return em.places.store(e.target, em.value(e.value, scope), scope);
      case "assert":
        return `if (!${em.test(e.condition, scope)}) note(${e.site});`;
      case "print": // printed during replay; a search only tests whether its arguments can be evaluated
        return this.#evaluate(
          e.arguments.map(({ value }) => value),
          scope,
        );
      case "run": {
        em.bad(e.site);
        const values = e.arguments.map((a) => em.value(a, scope));
        const priority = e.priority
          ? em.value(e.priority, scope)
          : String(em.program.templates[e.template]!.priority);
        const t = em.temporary();
        const call = `${t} = spawn_${e.template}(${[e.site, e.channelSite, priority, ...values].join(", ")});`;
        return e.target ? `${call}\n${em.places.store(e.target, t, scope)}` : call;
      }
      case "set-priority": {
        if (!em.program.rules.usesPriorities) return "";
        const p = em.temporary();
        const process = em.value(e.process, scope);
        const v = em.temporary();
        // sound: test/compile/cases/control.test.ts
        const isWrong = `${v} < 1 || ${v} > 255`;
        const set = `if (${isWrong}) ${em.bad(e.site)}; else setPriority(w, o, ${p}, ${v});`;
        // No effect for an absent process, as in Spin.
        // sound: test/compile/cases/control.test.ts test/compile/narrow.test.ts
        return `${p} = ${process}; ${v} = ${em.value(e.value, scope)};\n${block(`if (${p} >>> 0 < np)`, set)}`;
      }
      case "die":
        return em.layout.processes.kind === "planned"
          ? `remove_${unit.pid}();`
          : `remove_${unit.template}(${[unit.pid, unit.base].join(", ")});`;
    }
  }

  /** Evaluates unused values only if they can fault. */
  #evaluate(values: readonly Expr[], scope: Scope): string {
    const em = this.#em;
    return (
      values
        .map((value) => em.value(value, scope))
        // sound: test/compile/cases/values.test.ts
        .filter((text) => text.includes("bad("))
        .map((text) => `${text};`)
        .join("\n")
    );
  }

  /** Moves control, and continues if the step is not over. */
  arrive(unit: Unit, edge: Edge): string {
    // sound: test/compile/cases/processes.test.ts
    if (dies(edge)) return this.#last(unit);
    return this.follow(unit, edge, (to) => `chain_${unit.name}(${[...args(unit), to].join(", ")});`);
  }

  /**
   * Executes the statements that always follow, in the same entry; then moves control and, if the step is not over, runs `onward`, given
   * the location in stored form. As in Spin, control moves when an indivisible step is over: until then its statements read the old location
   * and `_last`. `reached`: the location that control has left the last statement for, unless it is stored.
   */
  follow(unit: Unit, edge: Edge, onward: (to: number) => string, reached?: number): string {
    // A failed step is over: an undecidable choice behind it would discard its fault.
    // sound: test/compile/cases/control.test.ts
    const unlessFailed = this.#em.canFault ? "if (fault === 0) " : "";
    // sound: test/compile/cases/control.test.ts
    const control = this.template(unit).locations[edge.to]!.inside === "step" ? reached : edge.to;
    const next = this.straight(unit).after(edge);
    if (!next) {
      const move = control === undefined || dies(edge) ? "" : this.#move(unit, control);
      const goOn = this.goesOn(unit, edge) ? onward(edge.to - unit.record.location.base) : "";
      return `${move}\n${goOn && `${unlessFailed}${goOn}`}`;
    }
    const inner = { ...unit, isInStep: next.location.inside === "step" };
    const body = [
      `${this.comment(next.edge)}${this.effects(inner, next.edge)}`,
      this.coverage(inner, next.location, next.edge),
      this.follow(inner, next.edge, onward, control),
    ].join("\n");
    return unlessFailed === "" ? body : block("if (fault === 0)", body);
  }

  #move(unit: Unit, to: number): string {
    const { location } = unit.record;
    return `${this.#last(unit)}${this.#em.places.setScalar(location, entryOf(unit), unit.base, String(to))}`;
  }

  #last(unit: Unit): string {
    const { layout, places } = this.#em;
    return layout.last ? `${places.setScalar(layout.last, entryOf(unit), 0, unit.pid)}\n` : "";
  }

  goesOn(unit: Unit, edge: Edge): boolean {
    // sound: test/compile/cases/control.test.ts
    return edge.keepsControl || this.template(unit).locations[edge.to]!.inside === "step";
  }

  straight(unit: Unit): Straight {
    const template = this.template(unit);
    const known = this.#straight.get(template);
    if (known) return known;
    const found = new Straight(template, this.#em.program.rules);
    this.#straight.set(template, found);
    return found;
  }

  finish(unit: Unit, edge: Edge): string {
    const edges = [edge];
    for (let next = this.straight(unit).after(edge); next; next = this.straight(unit).after(next.edge))
      edges.push(next.edge);
    const goesOn = this.goesOn(unit, edges.at(-1)!);
    const canFail =
      // sound: test/compile/cases/control.test.ts test/compile/cases/values.test.ts
      this.#em.takeFaultFlag() ||
      goesOn ||
      edges.some((e) => e.effects.some(({ kind }) => kind === "assert"));
    const changesProcesses =
      createsOrDies(edge) ||
      (goesOn && this.template(unit).locations.some((l) => l.edges.some(createsOrDies)));
    // sound: test/compile/cases/processes.test.ts
    const restore = changesProcesses ? "\nwalk();" : "";
    return `${canFail ? "finish();" : "n++; o += stride;"}${restore}`;
  }

  /** Writes the movers into the entry's label. */
  agents(...pids: readonly string[]): string {
    if (!this.options.writesAgents) return "";
    return `labels[n] = ${pids.map((pid) => `agent(${pid})`).join(" | ")};`;
  }

  coverage(unit: Unit, location: Location, edge: Edge): string {
    return `reached[${this.#edgeNumber(unit, location, edge)}] = 1;`;
  }

  #edgeNumber(unit: Unit, location: Location, edge: Edge): number {
    const template = this.template(unit);
    const known = this.#firstOf.get(template);
    if (known) return known.get(location)! + location.edges.indexOf(edge);
    let next = this.#firstEdge[unit.template]!;
    const first = new Map<Location, number>();
    for (const l of template.locations) {
      first.set(l, next);
      next += l.edges.length;
    }
    this.#firstOf.set(template, first);
    return this.#edgeNumber(unit, location, edge);
  }
}

const dies = ({ effects }: Edge): boolean => effects.some(({ kind }) => kind === "die");

const createsOrDies = (edge: Edge): boolean => dies(edge) || edge.effects.some(({ kind }) => kind === "run");
