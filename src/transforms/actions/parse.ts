/**
 * Parses formulas over actions: `AG [error] false`, `<any* . "z!b"> true`, `mu X. <a> X | deadlock`. A name may contain dots, so `.` between
 * actions of a regular expression has a space beside it, or follows `*`, `+` or `)`.
 */
import {
  TAU_NAME,
  type ActionSet,
  type Diagnostic,
  type Span,
  type StateFormula,
} from "../../model/index.js";

export interface ActionNames {
  readonly labels: readonly string[];
  /** Named sets of actions, such as the errors of a system. */
  readonly sets?: ReadonlyMap<string, (label: string) => boolean>;
}

export type ParsedStateFormula =
  { readonly formula: StateFormula } | { readonly diagnostics: readonly Diagnostic[] };

export function parseStateFormula(text: string, file: string, names: ActionNames): ParsedStateFormula {
  try {
    return { formula: new Parser(tokensOf(text, file), file, names).whole() };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { code, span, message, hint } = error;
    return {
      diagnostics: [{ code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) }],
    };
  }
}

class Mistake extends Error {
  constructor(
    readonly code: string,
    readonly span: Span,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

interface Token {
  readonly kind: "name" | "text" | "pattern" | "sign" | "end";
  readonly text: string;
  readonly span: Span;
}

const TOKEN =
  /\s*(?:([A-Za-z_]\w*(?:\.\w+)*)|"((?:[^"\\]|\\.)*)"|\/((?:[^/\\\n]|\\.)+)\/|(->|[<>[\](){}!&|.*+]))/y;
const MOST_TOKENS = 10_000;
const DEEPEST = 200;

function tokensOf(text: string, file: string): Token[] {
  const found: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match || found.length > MOST_TOKENS) {
      const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      const what = match ? `the formula has more than ${MOST_TOKENS} tokens` : `unexpected '${text[start]}'`;
      throw new Mistake("formula/syntax", { file, start, end: start + 1 }, what);
    }
    const [all, name, quoted, pattern, sign] = match;
    const start = from + all.length - all.trimStart().length;
    const span = { file, start, end: from + all.length };
    if (name !== undefined) found.push({ kind: "name", text: name, span });
    else if (quoted !== undefined)
      found.push({ kind: "text", text: quoted.replaceAll(/\\(.)/g, "$1"), span });
    else if (pattern !== undefined) found.push({ kind: "pattern", text: pattern, span });
    else found.push({ kind: "sign", text: sign ?? "", span });
  }
  found.push({ kind: "end", text: "", span: { file, start: end, end } });
  return found;
}

/** A regular expression over sets of actions. */
type Path =
  | { readonly kind: "set"; readonly set: ActionSet }
  | { readonly kind: "sequence" | "choice"; readonly left: Path; readonly right: Path }
  | { readonly kind: "star"; readonly of: Path };

const ANY: ActionSet = { kind: "any" };
const TRUE: StateFormula = { kind: "true" };
const not = (of: StateFormula): StateFormula => (of.kind === "not" ? of.of : { kind: "not", of });
const PREFIXES = ["EF", "AF", "EG", "AG"];

class Parser {
  readonly #tokens: readonly Token[];
  readonly #file: string;
  readonly #names: ActionNames;
  readonly #bound: string[] = [];
  #at = 0;
  #depth = 0;
  #fresh = 0;

  constructor(tokens: readonly Token[], file: string, names: ActionNames) {
    this.#tokens = tokens;
    this.#file = file;
    this.#names = names;
  }

  whole(): StateFormula {
    const formula = this.#implication();
    if (this.#next.kind !== "end") throw this.#unexpected("an operator or the end");
    const wrong = fixpointProblem(formula);
    if (wrong)
      throw new Mistake(wrong.code, { file: this.#file, start: 0, end: this.#next.span.end }, wrong.message);
    return formula;
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)];
  }

  #is(text: string): boolean {
    return (this.#next.kind === "sign" || this.#next.kind === "name") && this.#next.text === text;
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(`'${text}'`);
  }

  #unexpected(wanted: string): Mistake {
    const { kind, text, span } = this.#next;
    const found = kind === "end" ? "the end" : `'${text}'`;
    return new Mistake("formula/syntax", span, `expected ${wanted}, found ${found}`);
  }

  #implication(): StateFormula {
    const left = this.#disjunction();
    return this.#take("->") ? { kind: "or", left: not(left), right: this.#implication() } : left;
  }

  #disjunction(): StateFormula {
    let left = this.#conjunction();
    while (this.#take("|")) left = { kind: "or", left, right: this.#conjunction() };
    return left;
  }

  #conjunction(): StateFormula {
    let left = this.#unary();
    while (this.#take("&")) left = { kind: "and", left, right: this.#unary() };
    return left;
  }

  #unary(): StateFormula {
    if (++this.#depth > DEEPEST)
      throw new Mistake("formula/syntax", this.#next.span, `the formula is nested more than ${DEEPEST} deep`);
    const formula = this.#operand();
    this.#depth--;
    return formula;
  }

  #operand(): StateFormula {
    if (this.#take("!")) return not(this.#unary());
    if (this.#take("(")) return this.#closed(this.#implication(), ")");
    if (this.#take("<")) return this.#diamond(this.#closedPath(">"), this.#unary());
    if (this.#take("[")) {
      const path = this.#closedPath("]");
      const of = this.#unary();
      return path.kind === "set" ? { kind: "box", by: path.set, of } : not(this.#diamond(path, not(of)));
    }
    const { kind, text, span } = this.#next;
    if (kind !== "name") throw this.#unexpected("a formula");
    this.#at++;
    if (text === "true" || text === "false" || text === "deadlock") return { kind: text };
    if (text === "mu" || text === "nu") return this.#fixpoint(text);
    if (PREFIXES.includes(text)) return this.#prefixed(text);
    if ((text === "E" || text === "A") && this.#take("[")) return this.#until(text);
    if (this.#bound.includes(text)) return { kind: "variable", name: text };
    throw new Mistake(
      "formula/variable",
      span,
      `'${text}' is neither a variable nor a constant`,
      `an action stands in a modality: <${text}> true`,
    );
  }

  #closed<T>(inner: T, sign: string): T {
    this.#expect(sign);
    return inner;
  }

  #fixpoint(word: "mu" | "nu"): StateFormula {
    const { kind, text: written } = this.#next;
    // A dotted name is a variable with its dot: `X.phi`.
    if (kind !== "name") throw this.#unexpected("a variable");
    const [name, ...rest] = written.split(".");
    if (rest.length > 0)
      throw new Mistake(
        "formula/syntax",
        this.#next.span,
        "put a space behind the dot",
        `${word} ${name}. …`,
      );
    this.#at++;
    this.#expect(".");
    this.#bound.push(name);
    const of = this.#implication();
    this.#bound.pop();
    return { kind: word === "mu" ? "least" : "greatest", name, of };
  }

  #prefixed(word: string): StateFormula {
    const by = this.#take("{") ? this.#closed(this.#set(), "}") : ANY;
    const of = this.#unary();
    switch (word) {
      case "EF":
        return { kind: "exists-until", during: TRUE, by, then: of };
      case "AF":
        return { kind: "all-until", during: TRUE, by, then: of };
      case "EG":
        return { kind: "exists-always", by, of };
      default:
        return not({ kind: "exists-until", during: TRUE, by, then: not(of) });
    }
  }

  #until(word: string): StateFormula {
    const during = this.#implication();
    const by = this.#take("{") ? this.#closed(this.#set(), "}") : ANY;
    this.#expect("U");
    const then = this.#closed(this.#implication(), "]");
    return { kind: word === "E" ? "exists-until" : "all-until", during, by, then };
  }

  #diamond(path: Path, of: StateFormula): StateFormula {
    switch (path.kind) {
      case "set":
        return { kind: "diamond", by: path.set, of };
      case "sequence":
        return this.#diamond(path.left, this.#diamond(path.right, of));
      case "choice":
        return { kind: "or", left: this.#diamond(path.left, of), right: this.#diamond(path.right, of) };
      case "star": {
        if (path.of.kind === "set") return { kind: "exists-until", during: TRUE, by: path.of.set, then: of };
        const name = `#${++this.#fresh}`;
        const again = this.#diamond(path.of, { kind: "variable", name });
        return { kind: "least", name, of: { kind: "or", left: of, right: again } };
      }
    }
  }

  #closedPath(sign: string): Path {
    return this.#closed(this.#path(), sign);
  }

  #set(): ActionSet {
    const { span } = this.#next;
    const path = this.#path();
    if (path.kind === "set") return path.set;
    throw new Mistake("formula/syntax", span, "expected a set of actions, found a sequence of actions");
  }

  #path(): Path {
    let left = this.#sequence();
    while (this.#take("|")) {
      const right = this.#sequence();
      left =
        left.kind === "set" && right.kind === "set"
          ? { kind: "set", set: { kind: "or", left: left.set, right: right.set } }
          : { kind: "choice", left, right };
    }
    return left;
  }

  #sequence(): Path {
    let left = this.#repeated();
    while (this.#take(".")) left = { kind: "sequence", left, right: this.#repeated() };
    return left;
  }

  #repeated(): Path {
    let path = this.#together();
    for (;;) {
      if (this.#take("*")) path = { kind: "star", of: path };
      else if (this.#take("+")) path = { kind: "sequence", left: path, right: { kind: "star", of: path } };
      else return path;
    }
  }

  #together(): Path {
    let left = this.#actions();
    while (this.#take("&")) {
      const right = this.#actions();
      if (left.kind !== "set" || right.kind !== "set")
        throw new Mistake("formula/syntax", this.#next.span, "'&' joins sets of actions");
      left = { kind: "set", set: { kind: "and", left: left.set, right: right.set } };
    }
    return left;
  }

  #actions(): Path {
    if (this.#take("(")) return this.#closed(this.#path(), ")");
    const { kind, text, span } = this.#next;
    if (this.#take("!")) {
      const of = this.#actions();
      if (of.kind === "set") return { kind: "set", set: { kind: "not", of: of.set } };
      throw new Mistake("formula/syntax", span, "'!' stands before a set of actions");
    }
    if (kind === "end" || kind === "sign") throw this.#unexpected("an action");
    this.#at++;
    return { kind: "set", set: this.#named(kind, text, span) };
  }

  #named(kind: Token["kind"], text: string, span: Span): ActionSet {
    if (kind === "pattern") return this.#pattern(text, span);
    const has = kind === "name" ? this.#names.sets?.get(text) : undefined;
    if (has) return { kind: "where", text, has };
    if (kind === "name" && text === "any") return ANY;
    if (text === TAU_NAME) return { kind: "tau" };
    // A misspelled action would make many formulas true.
    // sound: test/session/compositional.test.ts
    if (!this.#names.labels.includes(text)) throw this.#unknown(text, span);
    return { kind: "label", label: text };
  }

  #pattern(text: string, span: Span): ActionSet {
    let pattern: RegExp;
    try {
      pattern = new RegExp(`^(?:${text})$`, "su");
    } catch (error) {
      throw new Mistake("formula/syntax", span, (error as Error).message);
    }
    // sound: test/session/compositional.test.ts
    if (!this.#names.labels.some((label) => pattern.test(label))) throw this.#unknown(`/${text}/`, span);
    return { kind: "where", text: `/${text}/`, has: (label) => pattern.test(label) };
  }

  #unknown(text: string, span: Span): Mistake {
    const some = this.#names.labels.slice(0, 8).join(", ");
    return new Mistake(
      "formula/unknown-action",
      span,
      `the system has no action '${text}'`,
      `actions: ${some}${this.#names.labels.length > 8 ? ", …" : ""}`,
    );
  }
}

interface FixpointProblem {
  readonly code: "formula/negated" | "formula/alternation";
  readonly message: string;
}

/** A variable must be below an even number of negations, and must not cross a fixpoint of the other kind. */
function fixpointProblem(formula: StateFormula): FixpointProblem | undefined {
  type Scope = { readonly name: string; readonly isLeast: boolean; readonly isPositive: boolean };
  const visit = (
    f: StateFormula,
    isPositive: boolean,
    scopes: readonly Scope[],
    crossed: readonly boolean[],
  ): FixpointProblem | undefined => {
    const each = (parts: readonly StateFormula[], kinds = crossed): FixpointProblem | undefined => {
      for (const part of parts) {
        const found = visit(part, isPositive, scopes, kinds);
        if (found) return found;
      }
      return undefined;
    };
    switch (f.kind) {
      case "true":
      case "false":
      case "deadlock":
        return undefined;
      case "variable": {
        const at = scopes.findLastIndex(({ name }) => name === f.name);
        const scope = scopes[at];
        // sound: test/transforms/actions.test.ts
        if (scope.isPositive !== isPositive)
          return { code: "formula/negated", message: `variable '${f.name}' is negated in its fixpoint` };
        const inside = crossed.slice(at + 1);
        const own = scope.isLeast === scope.isPositive;
        // sound: test/transforms/actions.test.ts
        if (inside.some((isLeast) => isLeast !== own))
          return {
            code: "formula/alternation",
            message: `variable '${f.name}' is used in a fixpoint of the other kind`,
          };
        return undefined;
      }
      case "not":
        return visit(f.of, !isPositive, scopes, crossed);
      case "and":
      case "or":
        return each([f.left, f.right]);
      case "diamond":
      case "box":
        return each([f.of]);
      case "exists-until":
      case "all-until":
        return each([f.during, f.then], [...crossed, isPositive]);
      case "exists-always":
        return each([f.of], [...crossed, !isPositive]);
      case "least":
      case "greatest": {
        const isLeast = f.kind === "least";
        const scope = { name: f.name, isLeast, isPositive };
        return visit(f.of, isPositive, [...scopes, scope], [...crossed, isLeast === isPositive]);
      }
    }
  };
  return visit(formula, true, [], []);
}
