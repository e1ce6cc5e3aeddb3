/**
 * Nets in the format of the tool Mist (`.spec`).
 *
 * In: text. Out: a `Net` or diagnostics. `syntax.ts` parses, this file resolves names and numbers, `rule.ts` lowers the
 * updates of rules. Refuses guards that are not upward closed (tests for zero, upper bounds).
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { MOST_TOKENS, tokensOf, type Net, type NetTransition, type Tokens } from "../../model/net.js";
import { hasErrors } from "../../model/diagnostic.js";
import { errorsTo, inTextOrder, type Report, type ReportError } from "../toolkit/diagnostics.js";
import { stemOf } from "../toolkit/names.js";
import { scan } from "../toolkit/scan.js";
import { transitionOf, type Names } from "./rule.js";
import { grammar, type Constraint, type Rule, type Spec } from "./syntax.js";
import type { Named } from "../toolkit/source-parser.js";
import { SCAN_RULES } from "./vocabulary.js";
import { nth } from "../../model/known.js";

export { renderSpec } from "./render.js";

export interface LoadedMist {
  /** Absent if a diagnostic is an error. */
  readonly net: Net | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadMist(file: string, text: string): LoadedMist {
  const scanned = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const spec = grammar().parseSpec(scanned.tokens, scanned.end, (d) => void diagnostics.push(d));
  if (!spec || hasErrors(diagnostics)) return { net: undefined, diagnostics: inTextOrder(diagnostics) };
  const meaning = new Meaning(file, spec, (d) => void diagnostics.push(d));
  const net = meaning.net();
  return { net: hasErrors(diagnostics) ? undefined : net, diagnostics: inTextOrder(diagnostics) };
}

class Meaning {
  readonly #file: string;
  readonly #spec: Spec;
  readonly #error: ReportError;
  readonly #places = new Map<string, number>();
  readonly #names: Names;

  constructor(file: string, spec: Spec, report: Report) {
    this.#file = file;
    this.#spec = spec;
    this.#error = errorsTo(report);
    this.#names = {
      place: (named) => this.#place(named),
      number: (text, span) => this.#number(text, span),
      error: this.#error,
      report,
    };
  }

  net(): Net {
    const { places, rules, targets } = this.#spec;
    for (const [number, { name, span }] of places.entries())
      if (this.#places.has(name)) this.#error("mist/duplicate-place", span, `\`${name}\` is declared twice`);
      else this.#places.set(name, number);
    const { initial, sources } = this.#initial();
    const transitions = rules.map((rule, index) => this.#transition(rule, `t${index + 1}`));
    const alternatives = targets.map((target) => this.#target(target));
    const first = targets[0]?.[0];
    const last = targets.at(-1)?.at(-1);
    const span = first && last ? { ...first.whole, end: last.whole.end } : undefined;
    return {
      kind: "net",
      name: stemOf(this.#file),
      places,
      transitions: [...transitions, ...sources],
      initial,
      properties:
        alternatives.length === 0 ? [] : [{ name: "target", kind: "coverability", span, alternatives }],
    };
  }

  /** Lowers `x >= n` to n initial tokens and a source transition, which adds any number of further ones. */
  #initial(): { readonly initial: number[]; readonly sources: NetTransition[] } {
    const { places, initial: constraints } = this.#spec;
    const initial = places.map(() => -1);
    const sources: NetTransition[] = [];
    for (const constraint of constraints) {
      const place = this.#place(constraint);
      const count = this.#number(constraint.count, constraint.whole);
      if (place === undefined) continue;
      if (constraint.relation === "at-most" || constraint.relation === "within") {
        initial[place] = 0;
        this.#error(
          "mist/bad-initial",
          constraint.whole,
          "the initial number of tokens is given by `=` or `>=`",
        );
      } else if (nth(initial, place) >= 0) {
        this.#error(
          "mist/bad-initial",
          constraint.whole,
          `\`${constraint.name}\` already has an initial number`,
        );
      } else {
        initial[place] = count;
        if (constraint.relation === "at-least") sources.push(sourceOf(constraint, place));
      }
    }
    for (const [place, count] of initial.entries())
      if (count < 0 && this.#places.get(nth(places, place).name) === place) {
        const { name, span } = nth(places, place);
        const hint = `add \`${name} = 0\` or \`${name} >= 0\` to \`init\``;
        this.#error("mist/no-initial", span, `\`${name}\` has no initial number of tokens`, hint);
        initial[place] = 0;
      }
    return { initial, sources };
  }

  #transition(rule: Rule, name: string): NetTransition {
    const guard = new Map<number, number>();
    for (const constraint of rule.guards) {
      const place = this.#guarded(constraint);
      if (place === undefined) continue;
      const count = this.#number(constraint.count, constraint.whole);
      guard.set(place, Math.max(guard.get(place) ?? 0, count));
    }
    return transitionOf(rule, name, guard, this.#names);
  }

  /** Returns the place of an upward-closed guard; reports any other guard. */
  #guarded(constraint: Constraint): number | undefined {
    const { relation, whole, name, count } = constraint;
    const place = this.#place(constraint);
    if (relation === "at-least") return place;
    const what =
      relation === "equals" && Number(count) === 0
        ? `a test for zero of \`${name}\``
        : `an upper bound on \`${name}\``;
    const hint = "the guard of a Petri net rule is a lower bound: x >= n";
    this.#error("mist/zero-test", whole, `${what}: this is not a Petri net`, hint);
    return undefined;
  }

  #target(constraints: readonly Constraint[]): Tokens {
    const counts = new Map<number, number>();
    for (const constraint of constraints) {
      const place = this.#place(constraint);
      if (constraint.relation !== "at-least")
        this.#error(
          "mist/exact-target",
          constraint.whole,
          "a target must be a lower bound",
          "exact numbers are a question of reachability, which is another problem; write >=",
        );
      else if (place !== undefined)
        counts.set(place, Math.max(counts.get(place) ?? 0, this.#number(constraint.count, constraint.whole)));
    }
    return tokensOf(counts);
  }

  #place({ name, span }: Named): number | undefined {
    const place = this.#places.get(name);
    if (place === undefined)
      this.#error(
        "mist/unknown-place",
        span,
        `there is no place \`${name}\``,
        "places are listed after `vars`",
      );
    return place;
  }

  #number(text: string, span: Span): number {
    const value = Number(text);
    if (value <= MOST_TOKENS) return value;
    this.#error("mist/too-large", span, `${text} is too large: at most ${MOST_TOKENS} tokens can be counted`);
    return 0;
  }
}

const sourceOf = ({ name, whole }: Constraint, place: number): NetTransition => ({
  name: `one more ${name} from the start`,
  span: whole,
  guard: [],
  effect: [[place, 1]],
  isSource: true,
});
