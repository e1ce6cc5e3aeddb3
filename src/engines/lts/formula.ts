/**
 * Formulas that distinguish states, in the logics that characterise the relations: Hennessy-Milner logic for strong bisimilarity and
 * simulation, its weak variant, and the until of De Nicola and Vaandrager for branching bisimilarity. Labels are names, so
 * that a formula can be evaluated in any system.
 */
export type ActionFormula =
  | { readonly kind: "true" }
  /** What is seen of the state. */
  | { readonly kind: "seen"; readonly text: string }
  | { readonly kind: "not"; readonly inner: ActionFormula }
  | { readonly kind: "and"; readonly parts: readonly ActionFormula[] }
  /** Some transition of the label leads to a state with `then`. */
  | { readonly kind: "strong"; readonly label: string; readonly then: ActionFormula }
  /** τ, the label and τ lead to a state with `then`; for the label τ, any number of τ. */
  | { readonly kind: "weak"; readonly label: string; readonly then: ActionFormula }
  /**
   * τ leads through states with `during`, and from there the label to a state with `then`; for the label τ, any number of τ
   * leads through states with `during` to one with `then`.
   */
  | {
      readonly kind: "until";
      readonly during: ActionFormula;
      readonly label: string;
      readonly then: ActionFormula;
    }
  /** An endless run of τ through states with `during`. */
  | { readonly kind: "diverges"; readonly during: ActionFormula };

export const TRUE: ActionFormula = { kind: "true" };

export const negation = (formula: ActionFormula): ActionFormula =>
  formula.kind === "not" ? formula.inner : { kind: "not", inner: formula };

export function conjunction(parts: readonly ActionFormula[]): ActionFormula {
  if (parts.length === 0) return TRUE;
  return parts.length === 1 ? parts[0] : { kind: "and", parts };
}

/**
 * `<a> true`, `<<a>> true`, `φ until a ψ`, `diverges φ`, `[x=0]`, `not φ`, `φ and ψ`. Formulas share their parts: a long one is printed with a
 * name for each part that occurs several times, since written out it may be exponentially long.
 */
export function renderFormula(formula: ActionFormula): string {
  const sizes = new Map<ActionFormula, number>();
  const uses = new Map<ActionFormula, number>();
  measure(formula, sizes, uses);
  if ((sizes.get(formula) ?? 0) <= LONGEST_WRITTEN_OUT) return new Printer(new Map()).print(formula);
  const shared = [...uses].filter(([part, count]) => count > 1 && (sizes.get(part) ?? 0) > 3);
  const names = new Map(shared.map(([part], index) => [part, `X${index + 1}`]));
  const printer = new Printer(names);
  const definitions = [...names].map(([part, name]) => `${name} = ${printer.print(part)}`);
  return [printer.print(formula), ...definitions].join(" where ");
}

/** Modalities and connectives of a formula that is written out in one piece. */
const LONGEST_WRITTEN_OUT = 2_000;

/** Sizes as if written out, and numbers of occurrences as parts; each part is visited once. */
function measure(
  formula: ActionFormula,
  sizes: Map<ActionFormula, number>,
  uses: Map<ActionFormula, number>,
): number {
  uses.set(formula, (uses.get(formula) ?? 0) + 1);
  const known = sizes.get(formula);
  if (known !== undefined) return known;
  const size = partsOf(formula).reduce((sum, part) => sum + measure(part, sizes, uses), 1);
  sizes.set(formula, size);
  return size;
}

function partsOf(formula: ActionFormula): readonly ActionFormula[] {
  switch (formula.kind) {
    case "true":
    case "seen":
      return [];
    case "not":
      return [formula.inner];
    case "and":
      return formula.parts;
    case "strong":
    case "weak":
      return [formula.then];
    case "until":
      return [formula.during, formula.then];
    case "diverges":
      return [formula.during];
  }
}

class Printer {
  readonly #names: ReadonlyMap<ActionFormula, string>;

  constructor(names: ReadonlyMap<ActionFormula, string>) {
    this.#names = names;
  }

  print(formula: ActionFormula): string {
    switch (formula.kind) {
      case "true":
        return "true";
      case "seen":
        return `[${formula.text}]`;
      case "not":
        return `not ${this.#atom(formula.inner)}`;
      case "and":
        return formula.parts.map((part) => this.#atom(part)).join(" and ");
      case "strong":
        return `<${formula.label}> ${this.#atom(formula.then)}`;
      case "weak":
        return `<<${formula.label}>> ${this.#atom(formula.then)}`;
      case "until":
        return `${this.#atom(formula.during)} until ${formula.label} ${this.#atom(formula.then)}`;
      case "diverges":
        return `diverges ${this.#atom(formula.during)}`;
    }
  }

  #atom(formula: ActionFormula): string {
    const name = this.#names.get(formula);
    if (name !== undefined) return name;
    const text = this.print(formula);
    return formula.kind === "and" || formula.kind === "until" || formula.kind === "diverges"
      ? `(${text})`
      : text;
  }
}

/** Nested modalities. */
export function depthOf(formula: ActionFormula, known = new Map<ActionFormula, number>()): number {
  const depth = known.get(formula);
  if (depth !== undefined) return depth;
  const isModality =
    formula.kind !== "true" && formula.kind !== "seen" && formula.kind !== "not" && formula.kind !== "and";
  const inner = Math.max(0, ...partsOf(formula).map((part) => depthOf(part, known)));
  known.set(formula, inner + (isModality ? 1 : 0));
  return inner + (isModality ? 1 : 0);
}
