/** Text fitted to the width of a page. Widths count characters: good enough for source text. */

/** Words laid out in lines of at most `width`, where words allow it. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((w) => w !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Items in lines of at most `width`, never broken inside, separated by commas. */
export function wrapList(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [index, item] of items.entries()) {
    const piece = index === items.length - 1 ? item : `${item},`;
    if (line !== "" && line.length + 1 + piece.length > width) {
      lines.push(line);
      line = piece;
    } else line = line === "" ? piece : `${line} ${piece}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** At most `width` characters, the last an ellipsis when something was cut. */
export const clip = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
