/** Prints terms in SMT-LIB 2.6. */
import { childrenOf, type Part, type Sort, type Term } from "../model/terms.js";

/** Assertions with the declarations that they need. Large shared parts become definitions: as a tree, a term may be exponentially larger. */
export function scriptOf(assertions: readonly Term[]): string {
  const declared = new Map<string, string>();
  const seen = new Set<number>();
  const shared: Term[] = [];
  const visit = (term: Term): void => {
    if (seen.has(term.id)) {
      if (isNamed(term)) shared.push(term);
      return;
    }
    seen.add(term.id);
    if (term.kind === "variable")
      declared.set(term.name, `(declare-fun ${quoted(term.name)} () ${sortText(term.sort)})`);
    if (term.kind === "apply") {
      const sorts = term.args.map(({ sort }) => sortText(sort)).join(" ");
      declared.set(term.name, `(declare-fun ${quoted(term.name)} (${sorts}) ${sortText(term.sort)})`);
    }
    childrenOf(term).forEach(visit);
  };
  assertions.forEach(visit);
  const names = new Map<number, string>();
  const definitions: string[] = [];
  // Parts are older than the terms that contain them.
  for (const term of [...new Set(shared)].sort((a, b) => a.id - b.id)) {
    definitions.push(`(define-fun |t ${term.id}| () ${sortText(term.sort)} ${termText(term, names)})`);
    names.set(term.id, `|t ${term.id}|`);
  }
  const asserted = assertions.map((term) => `(assert ${termText(term, names)})`);
  return [...declared.values(), ...definitions, ...asserted].join("\n");
}

const isNamed = ({ kind }: Term): boolean => ["bits", "ite", "and", "or"].includes(kind);

export const quoted = (name: string): string => `|${name}|`;

export const sortText = (sort: Sort): string =>
  sort === "bool" ? "Bool" : sort === "int" ? "Int" : `(_ BitVec ${sort})`;

export function numberText(value: bigint): string {
  return value < 0n ? `(- ${-value})` : `${value}`;
}

const NO_NAMES: ReadonlyMap<number, string> = new Map();

export function termText(term: Term, names: ReadonlyMap<number, string> = NO_NAMES): string {
  const name = names.get(term.id);
  if (name !== undefined) return name;
  const text = (each: Term): string => termText(each, names);
  switch (term.kind) {
    case "constant":
      if (term.sort === "bool") return term.value === 1n ? "true" : "false";
      return term.sort === "int" ? numberText(term.value) : `(_ bv${term.value} ${term.sort})`;
    case "variable":
      return quoted(term.name);
    case "not":
      return `(not ${text(term.of)})`;
    case "and":
    case "or":
      return `(${term.kind} ${term.all.map(text).join(" ")})`;
    case "same":
      return `(= ${text(term.left)} ${text(term.right)})`;
    case "ite":
      return `(ite ${text(term.condition)} ${text(term.yes)} ${text(term.no)})`;
    case "apply":
      return term.args.length === 0
        ? quoted(term.name)
        : `(${quoted(term.name)} ${term.args.map(text).join(" ")})`;
    case "bits":
      return bitsText(term, text);
    case "sum":
      return sumText(term.parts, term.constant, text);
    case "atMost":
      return `(<= ${sumText(term.parts, 0n, text)} ${numberText(term.bound)})`;
    case "equal":
      return `(= ${sumText(term.parts, 0n, text)} ${numberText(term.bound)})`;
    case "divides":
      return `(= (mod ${sumText(term.parts, term.bound, text)} ${term.divisor}) 0)`;
  }
}

function sumText(parts: readonly Part[], constant: bigint, text: (term: Term) => string): string {
  const texts = parts.map(({ coefficient, of }) =>
    coefficient === 1n ? text(of) : `(* ${numberText(coefficient)} ${text(of)})`,
  );
  if (constant !== 0n) texts.push(numberText(constant));
  const [only = "0"] = texts;
  return texts.length > 1 ? `(+ ${texts.join(" ")})` : only;
}

function bitsText(
  { operation, args, sort, low }: Extract<Term, { kind: "bits" }>,
  text: (term: Term) => string,
): string {
  const texts = args.map(text).join(" ");
  const width = typeof sort === "number" ? sort : 1;
  const first = args[0]?.sort;
  switch (operation) {
    case "extract":
      return `((_ extract ${low + width - 1} ${low}) ${texts})`;
    case "zero_extend":
    case "sign_extend":
      return `((_ ${operation} ${width - (typeof first === "number" ? first : 0)}) ${texts})`;
    default:
      return `(${operation} ${texts})`;
  }
}
