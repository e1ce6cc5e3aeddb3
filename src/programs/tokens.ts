/** Splits LLVM's intermediate representation, as text, into tokens, and reads them one by one. */

export interface IrToken {
  readonly text: string;
  readonly line: number;
}

/** The text is not the intermediate representation that this reader knows. */
export class IrProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const TOKEN =
  /;[^\n]*|\n|[ \t\r]+|c"[^"]*"|[%@]"[^"]*"|"[^"]*"|[%@][-a-zA-Z$._0-9]+|![a-zA-Z_.][\w.]*|#[a-z_]+|#\d+|0x[KLMHR]?[0-9A-Fa-f]+|-?\d+(?:\.\d*(?:[eE][-+]?\d+)?)?(?![\w.:$-])|[-a-zA-Z$._0-9]+:?|\.\.\.|[()[\]{}<>,=*|!+:]/y;

export function tokensOf(text: string): IrToken[] {
  const tokens: IrToken[] = [];
  let line = 1;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)?.[0];
    if (found === undefined) throw new IrProblem("an unknown character", line);
    if (found === "\n") line++;
    else if (!/^[; \t\r]/.test(found)) tokens.push({ text: found, line });
  }
  return tokens;
}

export class TokenReader {
  #at = 0;
  readonly #tokens: readonly IrToken[];

  constructor(tokens: readonly IrToken[]) {
    this.#tokens = tokens;
  }

  get line(): number {
    return this.#tokens[this.#at]?.line ?? this.#tokens.at(-1)?.line ?? 1;
  }

  /** Line of the token that was read last. */
  get lineOfLast(): number {
    return this.#tokens[this.#at - 1]?.line ?? 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead]?.text ?? "";
  }

  next(): string {
    const token = this.#tokens[this.#at];
    if (!token) throw this.problem("the text ends too early");
    this.#at++;
    return token.text;
  }

  take(text: string): boolean {
    if (this.peek() !== text) return false;
    this.#at++;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.problem(`'${text}' expected instead of '${this.peek().slice(0, 40)}'`);
  }

  number(): number {
    const text = this.next();
    if (!/^\d{1,15}$/.test(text)) throw this.problem(`a number expected instead of '${text.slice(0, 40)}'`);
    return Number(text);
  }

  /** Drops the tokens up to the end of the line, and returns them as text. */
  restOfLine(): string {
    const { line } = this;
    const texts: string[] = [];
    while (!this.isAtEnd && this.line === line) texts.push(this.next());
    return texts.join(" ");
  }

  /** Drops a group in brackets, if there is one. */
  skipGroup(): void {
    const open = this.peek();
    const close = CLOSING[open];
    if (close === undefined) return;
    let depth = 0;
    do {
      const text = this.next();
      if (text === open) depth++;
      else if (text === close) depth--;
    } while (depth > 0);
  }

  problem(message: string): IrProblem {
    return new IrProblem(message, this.line);
  }
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]", "<": ">" };

/** A name without its sign and quotes: `%"a b"` is `a b`. */
export const plainName = (token: string): string => {
  const name = token.slice(1);
  return name.startsWith('"') ? name.slice(1, -1) : name;
};
