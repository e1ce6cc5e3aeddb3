/** Types of interfaces: `interface Log { log(); write(0..3); }`. */
import type { ReportError } from "../toolkit/diagnostics.js";
import type { Types } from "./ast.js";

const TOKEN = /\s*(?:\/\/[^\n]*|\/\*[^]*?\*\/|([A-Za-z_]\w*)|(\.\.|\d+|[^\s]))/y;

interface Token {
  readonly text: string;
  readonly start: number;
}

/** `at`: where the text begins in the file. Adds the types, and reports what is wrong. */
export function readTypes(text: string, file: string, at: number, types: Types, error: ReportError): void {
  const tokens = [...tokensOf(text)];
  let next = 0;
  const fail = (wanted: string): void => {
    const token = tokens[next];
    const start = at + (token?.start ?? text.length);
    const found = token ? `'${token.text}'` : "the end";
    error(
      "fractal/type-syntax",
      { file, start, end: start + (token?.text.length ?? 0) },
      `expected ${wanted}, found ${found}`,
      "interface Log { log(); }",
    );
  };
  const take = (wanted: string): boolean => {
    if (tokens[next]?.text !== wanted) {
      fail(`'${wanted}'`);
      return false;
    }
    next++;
    return true;
  };
  while (next < tokens.length) {
    if (!take("interface")) return;
    const name = tokens[next++];
    if (!name || !WORD.test(name.text)) return void (next--, fail("a name"));
    if (!take("{")) return;
    const operations = new Set<string>();
    while (tokens[next] && tokens[next]?.text !== "}") {
      const operation = tokens[next++];
      if (!operation || !WORD.test(operation.text)) return void (next--, fail("the name of an operation"));
      operations.add(operation.text);
      if (!take("(")) return;
      while (tokens[next] && tokens[next]?.text !== ")") next++;
      if (!take(")") || !take(";")) return;
    }
    if (!take("}")) return;
    const known = types.get(name.text);
    if (known && [...known].sort().join() !== [...operations].sort().join())
      error(
        "fractal/type",
        { file, start: at + name.start, end: at + name.start + name.text.length },
        `the interface '${name.text}' is declared twice, with other operations`,
      );
    types.set(name.text, operations);
  }
}

const WORD = /^[A-Za-z_]\w*$/;

function* tokensOf(text: string): Generator<Token> {
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const found = match[1] ?? match[2];
    if (found !== undefined) yield { text: found, start: TOKEN.lastIndex - found.length };
  }
}
