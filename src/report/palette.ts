/** The few colours that reports use, by meaning. Without colour every function returns its text unchanged. */

export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warning(text: string): string;
  /** Names of processes and messages. */
  name(text: string): string;
}

export const palette = (hasColor: boolean): Palette => (hasColor ? ansi : plain);

const paint =
  (on: number, off: number) =>
  (text: string): string =>
    text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;

const ansi: Palette = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  good: paint(32, 39),
  bad: paint(31, 39),
  warning: paint(33, 39),
  name: paint(36, 39),
};

const unchanged = (text: string): string => text;

const plain: Palette = {
  bold: unchanged,
  dim: unchanged,
  good: unchanged,
  bad: unchanged,
  warning: unchanged,
  name: unchanged,
};
