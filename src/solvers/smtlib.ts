/** Prints terms in SMT-LIB 2.6. */
import { childrenOf, type Part, type Sort, type Term } from "../model/terms.js";

/** Assertions with the declarations that they need. */
export function scriptOf(assertions: readonly Term[]): string {
  const declared = new Map<string, string>();
  const seen = new Set<number>();
  const visit = (term: Term): void => {
    if (seen.has(term.id)) return;
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
  return [...declared.values(), ...assertions.map((term) => `(assert ${termText(term)})`)].join("\n");
}

export const quoted = (name: string): string => `|${name}|`;

export const sortText = (sort: Sort): string =>
  sort === "bool" ? "Bool" : sort === "int" ? "Int" : `(_ BitVec ${sort})`;

export function numberText(value: bigint): string {
  return value < 0n ? `(- ${-value})` : `${value}`;
}

export function termText(term: Term): string {
  switch (term.kind) {
    case "constant":
      if (term.sort === "bool") return term.value === 1n ? "true" : "false";
      return term.sort === "int" ? numberText(term.value) : `(_ bv${term.value} ${term.sort})`;
    case "variable":
      return quoted(term.name);
    case "not":
      return `(not ${termText(term.of)})`;
    case "and":
    case "or":
      return `(${term.kind} ${term.all.map(termText).join(" ")})`;
    case "same":
      return `(= ${termText(term.left)} ${termText(term.right)})`;
    case "ite":
      return `(ite ${termText(term.condition)} ${termText(term.yes)} ${termText(term.no)})`;
    case "apply":
      return term.args.length === 0
        ? quoted(term.name)
        : `(${quoted(term.name)} ${term.args.map(termText).join(" ")})`;
    case "bits":
      return bitsText(term);
    case "sum":
      return sumText(term.parts, term.constant);
    case "atMost":
      return `(<= ${sumText(term.parts, 0n)} ${numberText(term.bound)})`;
    case "equal":
      return `(= ${sumText(term.parts, 0n)} ${numberText(term.bound)})`;
    case "divides":
      return `(= (mod ${sumText(term.parts, term.bound)} ${term.divisor}) 0)`;
  }
}

function sumText(parts: readonly Part[], constant: bigint): string {
  const texts = parts.map(({ coefficient, of }) =>
    coefficient === 1n ? termText(of) : `(* ${numberText(coefficient)} ${termText(of)})`,
  );
  if (constant !== 0n) texts.push(numberText(constant));
  const [only = "0"] = texts;
  return texts.length > 1 ? `(+ ${texts.join(" ")})` : only;
}

function bitsText({ operation, args, sort, low }: Extract<Term, { kind: "bits" }>): string {
  const texts = args.map(termText).join(" ");
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
