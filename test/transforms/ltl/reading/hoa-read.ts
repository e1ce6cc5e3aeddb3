/**
 * Parses the Hanoi omega-automata format, restricted to one initial state, no alternation and generalised Büchi acceptance; rejects
 * the rest with a position. Labels may be on edges, on states or implicit; marks on edges or on states.
 */
import { type Automaton, allMarks, MOST_CONDITIONS, MOST_PROPOSITIONS } from "../../../../src/model/index.js";
import { all, Letters, type LetterSet } from "../../../../src/model/letters.js";
import { FormatMistake, readGuard, Scanner } from "./scanner.js";
import { normalised, type SymbolicEdge, toAutomaton } from "../../../../src/transforms/ltl/symbolic.js";
import type { ReadResult } from "./tgba-read.js";

export function parseHoa(text: string, file = "automaton"): ReadResult {
  try {
    return new Reader(text, file).automaton();
  } catch (error) {
    if (error instanceof FormatMistake) return { diagnostics: [error.diagnostic] };
    throw error;
  }
}

const word = /--[A-Z]+--|@[\w-]+|[A-Za-z_][\w-]*:?|\d+/;
const comment = /\/\*[\s\S]*?\*\//;
const constants = new Map([
  ["t", true],
  ["f", false],
]);
/** Keeps the number of implicit edges within the size of automata supported here. */
const mostImplicit = 12;

class Reader {
  readonly #scanner: Scanner;
  readonly #letters = new Letters();
  readonly #aliases = new Map<string, LetterSet>();
  readonly #states: SymbolicEdge[][] = [];
  #propositions: string[] = [];
  #conditions: number | undefined;
  #count: number | undefined;
  #initial: number | undefined;

  constructor(text: string, file: string) {
    this.#scanner = new Scanner(text, file, word, comment);
  }

  automaton(): Automaton {
    const scanner = this.#scanner;
    scanner.expect("HOA:");
    scanner.expect("v1");
    while (!scanner.takeIf("--BODY--")) this.#header();
    if (this.#conditions === undefined) throw scanner.mistake("format", "the header has no 'Acceptance:'");
    if (this.#initial === undefined)
      throw scanner.mistake("unsupported-automaton", "an automaton without initial state is not supported");
    while (!scanner.takeIf("--END--")) this.#state();
    const count = Math.max(this.#count ?? 0, this.#states.length, this.#initial + 1);
    const states = Array.from({ length: count }, (_, i) => normalised(this.#states[i] ?? [], this.#letters));
    const target = states.flat().find(({ to }) => to >= count);
    if (target)
      throw scanner.mistake("out-of-range", `an edge leads to state ${target.to}, which is not there`);
    const { conditions, initial } = { conditions: this.#conditions, initial: this.#initial };
    return toAutomaton({ letters: this.#letters, conditions, initial, states }, this.#propositions);
  }

  #header(): void {
    const scanner = this.#scanner;
    const item = scanner.take();
    if (!item.text.endsWith(":"))
      throw scanner.mistake("format", `'${item.text}' is not an item of the header`, item);
    switch (item.text) {
      case "States:":
        this.#count = scanner.number(1e6);
        break;
      case "Start:":
        if (this.#initial !== undefined)
          throw scanner.mistake("unsupported-automaton", "several initial states are not supported", item);
        this.#initial = scanner.number(1e6);
        if (scanner.next.text === "&")
          throw scanner.mistake("unsupported-automaton", "alternating automata are not supported");
        break;
      case "AP:": {
        const count = scanner.number(MOST_PROPOSITIONS + 1);
        this.#propositions = Array.from({ length: count }, () => this.#quoted());
        break;
      }
      case "Alias:": {
        const name = scanner.take().text;
        this.#aliases.set(name, this.#label());
        break;
      }
      case "Acceptance:":
        this.#acceptance();
        break;
      default: // Names, tools and properties are not needed.
        while (!/:$|^--BODY--$/.test(scanner.next.text) || scanner.next.isQuoted) {
          if (scanner.isAtEnd) throw scanner.unexpected("'--BODY--'");
          scanner.take();
        }
    }
  }

  #acceptance(): void {
    const scanner = this.#scanner;
    const count = scanner.number(MOST_CONDITIONS + 1);
    let seen = 0;
    if (!(count === 0 && scanner.takeIf("t")))
      do {
        const isWrapped = scanner.takeIf("(");
        if (!scanner.takeIf("Inf"))
          throw scanner.mistake(
            "unsupported-automaton",
            "only generalised Büchi acceptance is supported: a conjunction of Inf(i)",
          );
        scanner.expect("(");
        if (scanner.next.text === "!")
          throw scanner.mistake("unsupported-automaton", "complemented acceptance sets are not supported");
        seen |= 1 << scanner.number(count);
        scanner.expect(")");
        if (isWrapped) scanner.expect(")");
      } while (scanner.takeIf("&"));
    if (seen !== allMarks(count) || scanner.next.text === "|")
      throw scanner.mistake(
        "unsupported-automaton",
        "only generalised Büchi acceptance over all sets is supported",
      );
    this.#conditions = count;
  }

  #state(): void {
    const scanner = this.#scanner;
    scanner.expect("State:");
    const label = scanner.next.text === "[" ? this.#bracketed() : undefined;
    const state = scanner.number(1e6);
    if (scanner.next.isQuoted) scanner.take();
    const common = this.#marks();
    const edges = (this.#states[state] ??= []);
    for (let letter = 0; !/^(State:|--END--)$/.test(scanner.next.text); letter++) {
      const guard = scanner.next.text === "[" ? this.#bracketed() : (label ?? this.#implicit(letter));
      const to = scanner.number(1e6);
      if (scanner.next.text === "&")
        throw scanner.mistake("unsupported-automaton", "alternating automata are not supported");
      edges.push({ guard, marks: common | this.#marks(), to });
    }
  }

  /** Without labels, a state has one edge per letter, in order. */
  #implicit(letter: number): LetterSet {
    const count = this.#propositions.length;
    if (count > mostImplicit || letter >= 2 ** count) throw this.#scanner.unexpected("a label");
    let set = all;
    for (let i = 0; i < count; i++)
      set = this.#letters.and(set, this.#letters.literal(i, ((letter >>> i) & 1) === 1));
    return set;
  }

  #marks(): number {
    let marks = 0;
    if (this.#scanner.takeIf("{"))
      while (!this.#scanner.takeIf("}")) marks |= 1 << this.#scanner.number(this.#conditions);
    return marks;
  }

  #bracketed(): LetterSet {
    this.#scanner.expect("[");
    const set = this.#label();
    this.#scanner.expect("]");
    return set;
  }

  #label(): LetterSet {
    const scanner = this.#scanner;
    return readGuard(scanner, this.#letters, constants, () => {
      const alias = this.#aliases.get(scanner.next.text);
      if (alias === undefined) return this.#letters.literal(scanner.number(this.#propositions.length), true);
      scanner.take();
      return alias;
    });
  }

  #quoted(): string {
    if (!this.#scanner.next.isQuoted) throw this.#scanner.unexpected("a name in double quotes");
    return this.#scanner.take().content;
  }
}
