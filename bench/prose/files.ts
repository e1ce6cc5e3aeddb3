/** The files whose prose is counted, and the prose of each. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commentsOf, markdownOf, messagesOf, modelCommentsOf, type Block } from "./extract.js";
import { hitsIn, wordsIn, type Habit } from "./habits.js";

export const areas = ["comments", "docs", "messages", "examples"] as const;
export type Area = (typeof areas)[number];

/** Prose of one area in one file. */
export interface FileProse {
  readonly file: string;
  readonly area: Area;
  readonly words: number;
  readonly hits: readonly {
    readonly habit: Habit;
    readonly line: number;
    readonly column: number;
    readonly text: string;
  }[];
}

/** Reads the tracked files below `paths` (all if there are none); `foreign` reads exactly the given files. */
export function readProse(root: string, paths: readonly string[], foreign: boolean): FileProse[] {
  const files = foreign
    ? paths
    : trackedFiles(root).filter(
        (file) =>
          paths.length === 0 ||
          paths.some((path) => file === path || file.startsWith(path.replace(/\/?$/, "/"))),
      );
  return files.flatMap((file) =>
    proseOf(file, readFileSync(join(foreign ? "" : root, file), "utf8"), foreign),
  );
}

/** Prints hits as file:line:column, for editors. */
export const hitsOf = ({ file, area, hits }: FileProse): string[] =>
  hits.map((hit) => `${file}:${hit.line}:${hit.column} ${area}, ${hit.habit}: ${hit.text}`);

export function proseOf(file: string, text: string, foreign = false): FileProse[] {
  const parts = partsOf(file, text, foreign);
  return parts.map(([area, blocks]) => measured(file, area, text, blocks)).filter((one) => one.words > 0);
}

function partsOf(file: string, text: string, foreign: boolean): [Area, Block[]][] {
  if (file.endsWith(".md")) return [["docs", markdownOf(text)]];
  const isSource = /\.[cm]?[jt]sx?$/.test(file);
  if (file.startsWith("examples/"))
    return [["examples", isSource ? commentsOf(file, text) : modelCommentsOf(text, file.endsWith(".m"))]];
  if (!isSource) return [];
  const comments: [Area, Block[]] = ["comments", commentsOf(file, text)];
  return /^(?:src|explorer)\//.test(file) && !foreign
    ? [comments, ["messages", messagesOf(file, text)]]
    : [comments];
}

function measured(file: string, area: Area, text: string, blocks: readonly Block[]): FileProse {
  const hits = blocks.flatMap((block) =>
    hitsIn(block.text).map((hit) => ({
      habit: hit.habit,
      text: around(block.text, hit.at, hit.text),
      ...placeOf(text, block.offsets[hit.at] ?? 0),
    })),
  );
  return { file, area, words: blocks.reduce((words, block) => words + wordsIn(block.text), 0), hits };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The hit in brackets, with its context. */
const around = (text: string, at: number, hit: string): string =>
  `${text.slice(Math.max(0, at - 40), at)}[${hit}]${text.slice(at + hit.length, at + hit.length + 50)}`.trim();

const prosePattern =
  /^(?:(?:src|test|bench|scripts|explorer|examples|docs)\/|(?:README|CHANGELOG|CONTRIBUTING)\.md$)/;
const readable = /\.(?:md|[cm]?[jt]sx?|pml|m|sdn|mpp|rpp|bvas|spec)$/;

/** Files that git tracks or would track. Fixtures are inputs, not prose. */
function trackedFiles(root: string): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return listed
    .split("\n")
    .filter((file) => prosePattern.test(file) && readable.test(file) && !file.startsWith("test/fixtures/"));
}
