/** Indents generated code by its brackets, without empty lines, for people. Searches run the unformatted text. */
export function laidOut(code: string): string {
  let depth = 0;
  return code
    .split("\n")
    .flatMap((line) => {
      const text = line.trim();
      if (text === "") return [];
      const brackets = bracketsOf(text);
      const closing = /^[)}\]]*/.exec(brackets)![0].length;
      const own = Math.max(0, depth - (/^[)}\]]/.test(text) ? closing : 0));
      depth = Math.max(0, depth + balanceOf(brackets));
      return [`${"  ".repeat(own)}${text}`];
    })
    .join("\n");
}

/** The brackets outside of comments and strings. */
const bracketsOf = (text: string): string =>
  text.replace(/\/\*.*?\*\/|\/\/.*$|"(?:[^"\\]|\\.)*"|[^(){}[\]]/g, "");

const balanceOf = (brackets: string): number =>
  [...brackets].reduce((sum, bracket) => sum + ("({[".includes(bracket) ? 1 : -1), 0);
