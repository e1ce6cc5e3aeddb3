/**
 * The distinct conditions of a temporal property, as numbered propositions.
 *
 * A reference to a process that does not exist reads 0, as in Spin: a property is evaluated from the first state on,
 * before processes are created.
 */
import type { Span } from "../../../model/diagnostic.js";
import { MOST_PROPOSITIONS } from "../../../model/automaton.js";
import type { Expr, Pattern, Place, ProgramProposition, Template } from "../../../model/program.js";
import { constant } from "./expressions.js";
import { nth } from "../../../model/known.js";

export class Propositions {
  readonly list: ProgramProposition[] = [];
  readonly #keys = new Map<string, number>();

  constructor(readonly templates: readonly Template[]) {}

  /** Index of a condition; equal conditions share one. */
  index(condition: Expr, name: string): number {
    const tolerant = this.#tolerant(condition);
    const key = JSON.stringify(tolerant, (field, value: unknown) =>
      /^(site|messageSite|rendezvousSite)$/.test(field) ? undefined : value,
    );
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#keys.set(key, this.list.length);
    return this.list.push({ name, condition: tolerant }) - 1;
  }

  #tolerant(e: Expr): Expr {
    const inner = (part: Expr): Expr => this.#tolerant(part);
    switch (e.kind) {
      case "load":
        return { ...e, place: this.#place(e.place) };
      case "unary":
        return { ...e, operand: inner(e.operand) };
      case "binary":
        return { ...e, left: inner(e.left), right: inner(e.right) };
      case "conditional":
        return { ...e, test: inner(e.test), then: inner(e.then), otherwise: inner(e.otherwise) };
      case "length":
      case "channel-test":
        return { ...e, channel: inner(e.channel) };
      case "poll":
        return { ...e, channel: inner(e.channel), pattern: e.pattern.map((p) => this.#pattern(p)) };
      case "enabled":
      case "control-point":
      case "priority":
        return { ...e, process: inner(e.process) };
      case "at":
        return { ...e, process: e.process && inner(e.process) };
      case "remote":
        return this.#remote({ ...e, process: e.process && inner(e.process) });
      case "constant":
      case "self":
      case "process-count":
      case "last":
      case "timeout":
      case "no-progress":
      case "accepting":
        return e;
    }
  }

  #remote(e: Expr & { kind: "remote" }): Expr {
    const locations = [...nth(this.templates, e.template).locations.keys()];
    const { template, process, site } = e;
    const exists: Expr = { kind: "at", template, process, locations, site };
    return { kind: "conditional", test: exists, then: e, otherwise: constant(0) };
  }

  #pattern(pattern: Pattern): Pattern {
    return pattern.kind === "match" ? { ...pattern, value: this.#tolerant(pattern.value) } : pattern;
  }

  #place(place: Place): Place {
    const path = place.path.map((step) =>
      step.kind === "index" ? { ...step, index: this.#tolerant(step.index) } : step,
    );
    return { ...place, path };
  }
}

/** Diagnostic for a property with too many conditions. */
export const tooManyPropositions = (name: string, count: number, span: Span) =>
  ({
    code: "promela/too-many-propositions",
    severity: "error",
    message: `\`${name}\` has ${count} different conditions, at most ${MOST_PROPOSITIONS} are possible`,
    span,
    hint: "split it into smaller properties, which are also checked faster",
  }) as const;
