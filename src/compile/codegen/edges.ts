/**
 * The steps of one process as JavaScript functions.
 *
 * A *unit* (a template, or one instance of it if the processes are known statically) has up to three:
 *
 * - `step_P`: writes an entry for every executable edge of the process in the source state `s`;
 * - `meet_P`: the other half of a rendezvous: every receive of the process that takes the offered message;
 * - `chain_P`: continues inside the current entry at location `at`, through an indivisible step, or through an atomic sequence
 *   while exactly one edge is executable. If it may branch, the entry stays an intermediate state.
 *
 * Guards read `s`, effects read and write the entry `w[o…]`. `attempts.ts` and `rendezvous.ts` test executability,
 * `taking.ts` executes, `chains.ts` emits `chain_P`.
 */
import type { Edge, Location } from "../../model/index.js";
import { Attempts } from "./attempts.js";
import { Chains } from "./chains.js";
import type { Emitter } from "./expressions.js";
import { Rendezvous } from "./rendezvous.js";
import { extract, word } from "./scope.js";
import { Taking, type EdgeOptions } from "./taking.js";
import { sourceOf, type Unit } from "./unit.js";

export class EdgeEmitter {
  readonly #em: Emitter;
  readonly #taking: Taking;
  readonly #rendezvous: Rendezvous;
  readonly #attempts: Attempts;
  readonly #chains: Chains;

  constructor(em: Emitter, firstEdge: readonly number[], options: EdgeOptions) {
    this.#em = em;
    this.#taking = new Taking(em, firstEdge, options);
    this.#rendezvous = new Rendezvous(em, this.#taking);
    this.#attempts = new Attempts(em, this.#rendezvous);
    this.#chains = new Chains(em, this.#taking, this.#rendezvous, this.#attempts);
  }

  step(unit: Unit): string {
    const template = this.#taking.template(unit);
    const provided = this.#provided(unit, "!isDry && ");
    const cases = template.locations.flatMap((location, l) =>
      location.edges.length === 0 || location.inside === "step"
        ? []
        : [this.#case(unit, l, this.#location(unit, location))],
    );
    return this.#function(`step_${unit.name}`, unit, [provided, this.#switch(unit, cases)]);
  }

  meet(unit: Unit): string {
    const template = this.#taking.template(unit);
    const provided = this.#provided(unit, "");
    const cases = template.locations.flatMap((location, l) => {
      const receives = location.edges.filter((e) => this.#rendezvous.mayMeet(e.communication, "receive"));
      if (receives.length === 0 || location.inside === "step") return [];
      return [
        this.#case(
          unit,
          l,
          this.#grouped(receives, (edge) => this.#rendezvous.accept(unit, location, edge)),
        ),
      ];
    });
    return this.#function(`meet_${unit.name}`, unit, [provided, this.#switch(unit, cases)]);
  }

  chain(unit: Unit): string {
    const cases = this.#chains.locations(unit).map((l) => this.#case(unit, l, this.#chains.link(unit, l)));
    if (cases.length === 0) return "";
    const parameters = [...(unit.parameters === "" ? [] : [unit.parameters]), "at"].join(", ");
    const body = ["let steps = 0;", "for (;;) {", `switch (at) {\n${cases.join("\n")}\n}`, "return;", "}"];
    return this.#function(`chain_${unit.name}`, { ...unit, parameters }, body);
  }

  /** Returns if the process may not move now. */
  #provided(unit: Unit, unless: string): string {
    const { provided } = this.#taking.template(unit);
    if (!provided) return "";
    const test = this.#em.test(provided, sourceOf(unit));
    if (!this.#em.takeFaultFlag()) return `if (${unless}!${test}) return;`;
    const t = this.#em.temporary();
    // sound: test/compile/faults.test.ts
    const fails = "if (fault !== 0) { failHere(); return; }";
    return `${t} = ${unless}!${test} ? 1 : 0;\n${fails}\nif (${t} !== 0) return;`;
  }

  #location(unit: Unit, location: Location): string {
    return this.#grouped(location.edges, (edge) => this.#first(unit, location, edge));
  }

  /** The edges in order; skips the rest after an executable group of escapes. */
  #grouped(edges: readonly Edge[], emit: (edge: Edge) => string): string {
    const lines: string[] = [];
    if (edges.some((e) => e.guard.kind === "else")) lines.push("const before = n;");
    edges.forEach((edge, i) => {
      const previous = edges[i - 1];
      if (edge.escapeGroup !== 0 && edge.escapeGroup !== previous?.escapeGroup)
        lines.push(`const n${i} = n;`);
      // sound: test/compile/cases/control.test.ts test/compile/conditions.test.ts
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
    const scope = sourceOf(unit);
    const body = (receive: string): string =>
      [
        "fork();",
        receive,
        this.#taking.effects(unit, edge),
        this.#taking.arrive(unit, edge),
        this.#taking.coverage(unit, location, edge),
        this.#taking.agents(unit.pid),
        this.#taking.finish(unit, edge),
      ].join("\n");
    return `${this.#taking.comment(edge)}${this.#attempts.attempt(unit, edge, scope, body, location)}`;
  }

  #switch(unit: Unit, cases: readonly string[]): string {
    const { bit, bits } = unit.record.location;
    const location = extract(word(sourceOf(unit), unit.base, bit >> 5), bit & 31, bits, false);
    return `switch ${location} {\n${cases.join("\n")}\n}`;
  }

  /** Of location `l`, in stored form. */
  #case(unit: Unit, l: number, body: string): string {
    return `case ${l - unit.record.location.base}: {\n${body}\nbreak;\n}`;
  }

  #function(name: string, unit: Unit, body: readonly string[]): string {
    const text = body.filter((line) => line !== "").join("\n");
    const temporaries = this.#em.takeTemporaries();
    return `function ${name}(${unit.parameters}) {\n${temporaries === "" ? "" : `  ${temporaries}\n`}${text}\n}`;
  }
}
