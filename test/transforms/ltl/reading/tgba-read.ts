/** The explicit text format of transition-based automata, read: `acc = a b;` and then `from, to, "guard", a b;`. */
import {
  type Automaton,
  type Diagnostic,
  MOST_CONDITIONS,
  MOST_PROPOSITIONS,
} from "../../../../src/model/index.js";
import { all, Letters, type LetterSet } from "../../../../src/model/letters.js";
import { FormatMistake, readGuard, Scanner } from "./scanner.js";
import { normalised, type SymbolicEdge, toAutomaton } from "../../../../src/transforms/ltl/symbolic.js";

export type ReadResult = Automaton | { readonly diagnostics: readonly Diagnostic[] };

/** The source of the first edge is initial. Propositions are numbered by first occurrence. */
export function parseTgba(text: string, file = "automaton"): ReadResult {
  try {
    return new Reader(text, file).automaton();
  } catch (error) {
    if (error instanceof FormatMistake) return { diagnostics: [error.diagnostic] };
    throw error;
  }
}

const word = /[A-Za-z0-9_]+/;
const comment = /#[^\n]*/;
const constants = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

class Reader {
  readonly #scanner: Scanner;
  readonly #file: string;
  readonly #letters = new Letters();
  readonly #propositions: string[] = [];
  readonly #conditions: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #states: SymbolicEdge[][] = [];

  constructor(text: string, file: string) {
    this.#scanner = new Scanner(text, file, word, comment);
    this.#file = file;
  }

  automaton(): Automaton {
    this.#readConditions();
    if (this.#scanner.isAtEnd) throw this.#scanner.unexpected("an edge");
    while (!this.#scanner.isAtEnd) this.#readEdge();
    const states = this.#states.map((edges) => normalised(edges, this.#letters));
    return toAutomaton(
      { letters: this.#letters, conditions: this.#conditions.length, initial: 0, states },
      this.#propositions,
    );
  }

  #readConditions(): void {
    const scanner = this.#scanner;
    // A state may be named `acc`: the next token decides.
    if (scanner.next.text !== "acc") return;
    scanner.take();
    scanner.expect("=");
    while (!scanner.takeIf(";")) {
      const name = this.#name("a condition");
      if (this.#conditions.includes(name)) throw scanner.mistake("duplicate", `'${name}' is declared twice`);
      if (this.#conditions.push(name) > MOST_CONDITIONS)
        throw scanner.mistake("too-many-conditions", `an automaton can have ${MOST_CONDITIONS} conditions`);
    }
  }

  #readEdge(): void {
    const scanner = this.#scanner;
    const from = this.#state();
    scanner.expect(",");
    const to = this.#state();
    scanner.expect(",");
    const guard = this.#guard();
    scanner.expect(",");
    let marks = 0;
    while (scanner.next.text !== ";") {
      const token = scanner.next;
      const condition = this.#conditions.indexOf(this.#name("a condition or ';'"));
      if (condition < 0)
        throw scanner.mistake("unknown-condition", `the condition '${token.content}' is not declared`, token);
      marks |= 1 << condition;
    }
    scanner.take();
    this.#states[from]!.push({ guard, marks, to });
  }

  #state(): number {
    const name = this.#name("a state");
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#states.push([]) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }

  #guard(): LetterSet {
    const token = this.#scanner.next;
    if (!token.isQuoted) throw this.#scanner.unexpected("a guard in double quotes");
    this.#scanner.take();
    const inner = new Scanner(token.content, this.#file, word, comment, token.start + 1);
    if (inner.isAtEnd) return all;
    const guard = readGuard(inner, this.#letters, constants, () => this.#literal(inner));
    if (!inner.isAtEnd) throw inner.unexpected("an operator or the end of the guard");
    return guard;
  }

  #literal(scanner: Scanner): LetterSet {
    const token = scanner.next;
    if (!token.isQuoted && !/^\w+$/.test(token.text)) throw scanner.unexpected("a proposition");
    let index = this.#propositions.indexOf(token.content);
    if (index < 0) index = this.#propositions.push(token.content) - 1;
    if (index >= MOST_PROPOSITIONS)
      throw scanner.mistake(
        "too-many-propositions",
        `an automaton can have ${MOST_PROPOSITIONS} propositions`,
      );
    scanner.take();
    return this.#letters.literal(index, true);
  }

  #name(what: string): string {
    const token = this.#scanner.next;
    if (!token.isQuoted && !/^\w+$/.test(token.text)) throw this.#scanner.unexpected(what);
    return this.#scanner.take().content;
  }
}
