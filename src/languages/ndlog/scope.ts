/** Names of a program: constants, predicates, functions, strings; and the variables of one rule or property. */
import type { Span } from "../../model/diagnostic.js";
import { Terms } from "../../model/terms.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { AtomTree } from "./ast.js";
import { isChanging, isDefined } from "./functions.js";

export interface Declared {
  readonly index: number;
  readonly name: string;
  readonly arity: number;
  readonly span: Span;
  location: number;
  sorts: readonly string[] | undefined;
  hasRule: boolean;
  isDeclaredBase: boolean;
}

/** Strings are integers below all integers that a program may write, so that the two never coincide. */
const STRINGS_BELOW = -(10n ** 18n);
export const LARGEST = 10n ** 15n;

export class Scope {
  readonly error: ReportError;
  readonly terms = new Terms();
  readonly constants = new Map<string, bigint>();
  readonly predicates = new Map<string, Declared>();
  readonly #functions = new Map<string, number>();
  readonly #strings = new Map<string, bigint>();

  constructor(error: ReportError) {
    this.error = error;
  }

  get strings(): ReadonlyMap<bigint, string> {
    return new Map([...this.#strings].map(([text, value]) => [value, text]));
  }

  string(text: string): bigint {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const value = STRINGS_BELOW - BigInt(this.#strings.size); // sound: test/languages/ndlog/meaning.test.ts
    this.#strings.set(text, value);
    return value;
  }

  integer(value: bigint, span: Span): bigint {
    if (value > LARGEST)
      this.error("ndlog/too-large", span, `${value} is larger than ${LARGEST}, the largest integer`);
    return value;
  }

  /** Functions of the program that a library defines. */
  get defined(): ReadonlySet<string> {
    return new Set([...this.#functions.keys()].filter(isDefined));
  }

  function(name: string, arity: number, span: Span): void {
    // sound: test/languages/ndlog/meaning.test.ts
    if (isChanging(name))
      this.error(
        "ndlog/function",
        span,
        `\`${name}\` is no function of its arguments`,
        "take its value from a base tuple",
      );
    const before = this.#functions.get(name);
    if (before === undefined) this.#functions.set(name, arity);
    else if (before !== arity)
      this.error("ndlog/arity", span, `\`${name}\` takes ${before} arguments elsewhere, here ${arity}`);
  }

  /** The predicate of an atom. The first use of a name in the program determines its arity. */
  predicate({ name, args, location, span }: AtomTree, mayDeclare: boolean): Declared | undefined {
    const before = this.predicates.get(name);
    if (before) {
      if (before.arity !== args.length) {
        const message = `\`${name}\` has ${before.arity} attributes elsewhere, here ${args.length}`;
        this.error("ndlog/arity", span, message);
        return undefined;
      }
      if (location >= 0 && before.location < 0) before.location = location;
      return before;
    }
    if (!mayDeclare) {
      this.error(
        "ndlog/unknown-predicate",
        span,
        `no rule mentions \`${name}\``,
        suggest(name, this.predicates.keys()),
      );
      return undefined;
    }
    const declared: Declared = {
      index: this.predicates.size,
      name,
      arity: args.length,
      span,
      location,
      sorts: undefined,
      hasRule: false,
      isDeclaredBase: false,
    };
    this.predicates.set(name, declared);
    return declared;
  }
}

/** Variables of a rule, a property, a constraint or a lemma. */
export class Frame {
  readonly names: string[] = [];
  readonly #indices = new Map<string, number>();
  readonly #sorts: (string | undefined)[] = [];
  /** Variables that are defined as a constant: `N := 5`. */
  readonly constants = new Map<number, bigint>();
  readonly #reported = new Set<string>();

  find(name: string): number | undefined {
    return this.#indices.get(name);
  }

  bind(name: string): number {
    const index = this.names.length;
    this.names.push(name);
    if (name !== "_") this.#indices.set(name, index);
    return index;
  }

  /** Hides a variable of a quantifier again. */
  release(name: string, before: number | undefined): void {
    if (before === undefined) this.#indices.delete(name);
    else this.#indices.set(name, before);
  }

  sort(variable: number): string | undefined {
    return this.#sorts[variable];
  }

  setSort(variable: number, sort: string): void {
    this.#sorts[variable] = sort;
  }

  /** Is this the first complaint about the name? */
  isNews(name: string): boolean {
    if (this.#reported.has(name)) return false;
    this.#reported.add(name);
    return true;
  }
}
