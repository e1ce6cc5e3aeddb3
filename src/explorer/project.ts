/**
 * The files that the explorer may access: only files in the project folder, after resolving links.
 *
 * The folder is the working directory of the command if it contains the file, else the folder of the file.
 */
import { createHash } from "node:crypto";
import {
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unwatchFile,
  watchFile,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readProblem, type Input } from "../session/index.js";
import { refusal, type Refusal } from "./gate.js";
import type { SaveRequest, SourceView } from "./protocol.js";

export class Project {
  /** Real path of the folder. */
  readonly folder: string;
  /** As the user named it: the name in reports. */
  readonly file: string;
  readonly #watched = new Set<string>();

  constructor(file: string, startedIn: string = process.cwd()) {
    const real = realpathSync(resolve(startedIn, file));
    const start = realpathSync(startedIn);
    this.folder = isInside(real, start) ? start : dirname(real);
    this.file = isInside(real, start) ? file : real;
  }

  /** The file as a model. Its includes must also be in the project folder. */
  input(): Input | Refusal {
    const source = this.read(this.file);
    if ("error" in source) return source;
    return { file: this.file, text: source.text, readFile: (path) => this.#textOf(path) };
  }

  /** The same with another text, which is not saved yet. */
  draft(text: string): Input {
    return { file: this.file, text, readFile: (path) => this.#textOf(path) };
  }

  read(file: string): SourceView | Refusal {
    const path = this.#pathOf(file);
    if (typeof path !== "string") return path;
    try {
      if (statSync(path).size > LARGEST_SOURCE) return refusal(413, `'${file}' is too large to be shown`);
      const text = readFileSync(path, "utf8");
      return { file, text, mark: markOf(text) };
    } catch (error) {
      return refusal(404, `cannot read '${file}': ${readProblem(error)}`);
    }
  }

  /** Writes the file atomically, unless it changed since it was read. */
  save({ file, text, mark }: SaveRequest): SourceView | Refusal {
    const before = this.read(file);
    if ("error" in before) return before;
    if (before.mark !== mark)
      return refusal(409, `'${file}' was changed by another program since you opened it`);
    const path = this.#pathOf(file) as string;
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text, { mode: statSync(path).mode });
      renameSync(temporary, path);
      return { file, text, mark: markOf(text) };
    } catch (error) {
      rmSync(temporary, { force: true });
      return refusal(500, `cannot write '${file}': ${readProblem(error)}`);
    }
  }

  /** Tells when one of the files has another text. Files that are watched already stay so. */
  watch(files: readonly string[], onChange: (source: SourceView) => void): void {
    for (const file of files) {
      const path = this.#pathOf(file);
      if (typeof path !== "string" || this.#watched.has(path)) continue;
      this.#watched.add(path);
      const first = this.read(file);
      let mark = "error" in first ? "" : first.mark;
      // Polled: editors replace files, and a watch on the old one would never speak again.
      watchFile(path, { interval: 250 }, () => {
        const now = this.read(file);
        if ("error" in now || now.mark === mark) return;
        mark = now.mark;
        onChange(now);
      });
    }
  }

  close(): void {
    for (const path of this.#watched) unwatchFile(path);
    this.#watched.clear();
  }

  #textOf(file: string): string | undefined {
    const source = this.read(file);
    return "error" in source ? undefined : source.text;
  }

  #pathOf(file: string): string | Refusal {
    if (file.includes("\0")) return refusal(403, "no such path");
    const path = isAbsolute(file) ? file : join(this.folder, file);
    try {
      const real = realpathSync(path);
      return isInside(real, this.folder) ? real : refusal(403, "outside the project folder");
    } catch {
      // Missing files are reported only inside the folder: the error does not reveal the existence of outside files.
      return isInside(resolve(path), this.folder)
        ? refusal(404, `there is no file '${file}'`)
        : refusal(403, "outside the project folder");
    }
  }
}

export const markOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const LARGEST_SOURCE = 1 << 20;

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
