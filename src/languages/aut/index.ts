/**
 * The format of Aldebaran: `.aut`, one transition a line.
 *
 *     des (0, 3, 2)
 *     (0, "request !1", 1)
 *     (1, i, 0)
 *     (1, "reply", 0)
 *
 * `i` and `tau` without quotes are the internal action. A target of -1 is LTSA's error state; so is a state whose only transition is
 * `ERROR` to itself. Files have millions of lines, so lines are scanned, not parsed by a grammar.
 */
import {
  ERROR_NAME,
  LtsBuilder,
  TAU,
  TAU_NAME,
  transitionCount,
  type Diagnostic,
  type Lts,
  type Span,
} from "../../model/index.js";

export interface LoadedLts {
  readonly lts: Lts | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadAut(file: string, text: string): LoadedLts {
  return new Reader(file, text).read();
}

const HEADER = /^\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$/;
const EDGE = /^\s*\(\s*(\d+)\s*,\s*(.*?)\s*,\s*(-1|\d+)\s*\)\s*$/s;
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s;
const MOST_ERRORS = 20;
/** States are numbered by 31 bits. */
const MOST_STATES = 2 ** 30;

class Reader {
  readonly #file: string;
  readonly #text: string;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #builder = new LtsBuilder();
  readonly #starts: number[] = [];
  #at = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  read(): LoadedLts {
    const header = this.#header();
    if (!header) return { lts: undefined, diagnostics: this.#diagnostics };
    const { initial, transitions, states, span } = header;
    let hasError = false;
    for (let line = this.#line(); line && this.#diagnostics.length < MOST_ERRORS; line = this.#line())
      if (this.#edge(line, states)) hasError = true;
    const count = this.#builder.transitions;
    if (this.#diagnostics.length === 0 && count !== transitions)
      this.#report(
        "aut/count",
        span,
        `the header announces ${transitions} transitions, the file has ${count}`,
        "is the file complete?",
      );
    if (this.#diagnostics.length > 0) return { lts: undefined, diagnostics: this.#diagnostics };
    return { lts: this.#finish(states, initial, hasError), diagnostics: [] };
  }

  #header():
    | { readonly initial: number; readonly transitions: number; readonly states: number; readonly span: Span }
    | undefined {
    const line = this.#line();
    const match = HEADER.exec(line?.text ?? "");
    const span = line?.span ?? this.#span(0, 0);
    if (!match) {
      this.#report(
        "aut/header",
        span,
        "expected a header such as `des (0, 5, 3)`",
        "it gives the initial state, the number of transitions and the number of states",
      );
      return undefined;
    }
    const [initial, transitions, states] = match.slice(1).map(Number);
    if (states > MOST_STATES) {
      this.#report("aut/state", span, `${states} states are more than ${MOST_STATES}`);
      return undefined;
    }
    if (initial >= states)
      this.#report("aut/state", span, `the initial state ${initial} is not among the ${states} states`);
    return { initial, transitions, states, span };
  }

  /** True if the transition leads to the error state. */
  #edge({ text, span }: Line, states: number): boolean {
    const match = EDGE.exec(text);
    if (!match) {
      this.#report("aut/syntax", span, 'expected a transition such as `(0, "label", 1)`');
      return false;
    }
    const [, from, written, to] = match;
    const label = this.#label(written, span);
    const [source, target] = [Number(from), Number(to)];
    for (const state of [source, target])
      if (state >= states)
        this.#report("aut/state", span, `state ${state} is not among the ${states} states of the header`);
    if (label === undefined || source >= states) return false;
    this.#builder.add(source, label, target < 0 ? states : target);
    this.#starts.push(span.start);
    return target < 0;
  }

  #label(written: string, span: Span): number | undefined {
    if (written === "i" || written === TAU_NAME) return TAU;
    const quoted = QUOTED.exec(written);
    const name = quoted ? quoted[1].replaceAll(/\\(.)/g, "$1") : written;
    if (name === "" || (!quoted && written.includes('"'))) {
      this.#report(
        "aut/label",
        span,
        `\`${written}\` is not a label`,
        "a label is a word or a quoted string",
      );
      return undefined;
    }
    // A quoted name of τ is τ: names are its identity.
    return this.#builder.labels.of(name);
  }

  #finish(states: number, initial: number, hasError: boolean): Lts {
    if (hasError) {
      this.#builder.add(states, this.#builder.labels.of(ERROR_NAME), states);
      this.#starts.push(0);
    }
    const starts = Int32Array.from(this.#starts);
    const all = states + (hasError ? 1 : 0);
    const { lts, order } = this.#builder.finishWithOrder(all, [initial]);
    const numbers = new Int32Array(starts.length);
    for (let i = 0; i < starts.length; i++) numbers[order[i]] = starts[i];
    const error = hasError ? states : errorStateOf(lts);
    const spansOf = (start: number): readonly Span[] => [this.#span(start, this.#endOf(start))];
    return { ...lts, error, origins: { numbers, spansOf } };
  }

  #line(): Line | undefined {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const end = this.#endOf(start);
      this.#at = end + 1;
      const text = this.#text.slice(start, end);
      if (text.trim() !== "") return { text, span: this.#span(start, start + text.trimEnd().length) };
    }
    return undefined;
  }

  #endOf(start: number): number {
    const end = this.#text.indexOf("\n", start);
    return end < 0 ? this.#text.length : end;
  }

  #span(start: number, end: number): Span {
    return { file: this.#file, start, end };
  }

  #report(code: string, span: Span, message: string, hint?: string): void {
    this.#diagnostics.push({
      code,
      severity: "error",
      message,
      span,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

interface Line {
  readonly text: string;
  readonly span: Span;
}

/** The state whose only transition is `ERROR` to itself; -1 if there is none or several. */
export function errorStateOf({ states, firsts, actions, targets, labels }: Lts): number {
  const number = labels.indexOf(ERROR_NAME);
  if (number < 0) return -1;
  const found: number[] = [];
  for (let s = 0; s < states; s++) {
    const t = firsts[s];
    if (firsts[s + 1] - t === 1 && actions[t] === number && targets[t] === s) found.push(s);
  }
  return found.length === 1 ? found[0] : -1;
}

/** One initial state only: the format has no place for more. */
export function renderAut(lts: Lts): string {
  const { states, initial, labels, firsts, actions, targets } = lts;
  const names = labels.map((label, number) =>
    number === TAU ? "i" : `"${label.replaceAll(/["\\]/g, "\\$&")}"`,
  );
  const lines = [`des (${initial[0] ?? 0}, ${transitionCount(lts)}, ${states})`];
  for (let s = 0; s < states; s++)
    for (let t = firsts[s]; t < firsts[s + 1]; t++) lines.push(`(${s}, ${names[actions[t]]}, ${targets[t]})`);
  return `${lines.join("\n")}\n`;
}
