/**
 * The folder of a search on disk. Its manifest lists the valid contents. Nothing is read before the folder is locked
 * (`lock.ts`).
 *
 * The manifest is replaced as a whole: written beside, synced, renamed. Other files count only as far as the manifest covers
 * them, so that a process can be killed at any moment.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Cause } from "../monitor.js";
import { holderOf, isLock, Lock } from "./lock.js";
import type { Sum } from "./summed.js";

export interface DiskOptions {
  readonly directory: string;
  /** Resume the search in the folder. */
  readonly resumes: boolean;
  /** Identity of the search: a folder resumes only the same one. */
  readonly identity: string;
  /** Milliseconds between two checkpoints; for tests. */
  readonly checkpointMs?: number;
  /** Off: files survive the end of the process, but not a crash of the machine; for tests. */
  readonly isDurable?: boolean;
}

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly identity: string;
  /** State layout (`Recipe.layout`); absent until decided. */
  readonly layout?: unknown;
  readonly checkpoint?: Checkpoint;
}

/** All of a search between two batches. */
export interface Checkpoint {
  readonly width: number;
  /** States in the log. Those up to `resident` were kept in memory; those up to `sorted` are there or in a run. */
  readonly states: number;
  readonly resident: number;
  readonly sorted: number;
  readonly segments: readonly { readonly firstId: number; readonly width: number; readonly sum: Sum }[];
  readonly parentsSum: Sum;
  readonly runs: readonly {
    readonly name: string;
    readonly width: number;
    readonly count: number;
    readonly sum: Sum;
  }[];
  /** Numbered parts of states, as words of their log; absent: the model numbers none. */
  readonly numbers?: { readonly words: number; readonly sum: Sum };
  readonly head: number;
  readonly levelEnd: number;
  readonly level: number;
  readonly transitions: number;
  readonly peakFrontier: number;
  readonly seconds: number;
  readonly sightings: readonly DiskSighting[];
  /** Parts reached and parts cut, one character each. */
  readonly reached: string;
  readonly truncated: string;
  /** Nothing is left to expand. */
  readonly isComplete: boolean;
}

/** A violation by the ids of the states on the way to it. */
export interface DiskSighting {
  readonly cause: Cause;
  readonly path: readonly number[];
  readonly stuckAt: readonly number[] | undefined;
  readonly occurrences: number;
}

export type DiskProblemKind =
  "unusable" | "not-ours" | "in-use" | "other-search" | "nothing-there" | "damaged";

/** A problem with the folder that the user must fix. */
export class DiskProblem extends Error {
  override readonly name = "DiskProblem";
  readonly kind: DiskProblemKind;
  readonly hint: string;

  constructor(kind: DiskProblemKind, message: string, hint: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

export class Folder {
  readonly #directory: string;
  readonly #isDurable: boolean;
  readonly #lock: Lock;
  manifest: Manifest;

  constructor({ directory, resumes, identity, isDurable = true }: DiskOptions) {
    this.#directory = directory;
    this.#isDurable = isDurable;
    this.#lock = new Lock(directory);
    this.#guarded(() => {
      if (!resumes) mkdirSync(directory, { recursive: true });
      this.#take();
    });
    try {
      const names = readdirSync(directory).filter((name) => !isLock(name));
      const known = names.includes(MANIFEST) ? this.#read() : undefined;
      if (resumes) this.manifest = this.#requireOwn(known, identity);
      else {
        this.#requireEmpty(names, known);
        this.manifest = { format: FORMAT, identity };
        this.#guarded(() => this.save(this.manifest));
      }
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** The file by which this process holds the folder. */
  get lockName(): string {
    return this.#lock.name;
  }

  path(name: string): string {
    return join(this.#directory, name);
  }

  sync(file: number): void {
    if (this.#isDurable) fsyncSync(file);
  }

  /** Replaces the manifest. Everything it refers to must be on the disk by now. */
  save(manifest: Manifest): void {
    const beside = this.path(`${MANIFEST}.new`);
    const file = openSync(beside, "w");
    try {
      writeFileSync(file, JSON.stringify({ ...manifest, sum: sumOf(manifest) }));
      this.sync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.path(MANIFEST));
    this.#syncDirectory();
    this.manifest = manifest;
  }

  /** Discards the previous search and begins another with this layout of states. */
  begin(layout: unknown): void {
    const { format, identity } = this.manifest;
    this.save({ format, identity, ...(layout === undefined ? {} : { layout }) });
  }

  /** Removes files of this search that the manifest does not name. */
  removeOthers(names: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#directory))
      if (OURS.test(name) && !names.has(name)) rmSync(this.path(name), { force: true });
  }

  release(): void {
    this.#lock.release();
  }

  #read(): Manifest {
    try {
      const { sum, ...manifest } = JSON.parse(readFileSync(this.path(MANIFEST), "utf8")) as Manifest & {
        readonly sum: string;
      };
      if (manifest.format === FORMAT && sum === sumOf(manifest)) return manifest; // sound: test/engines/disk/conditions.test.ts
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    }
    throw new DiskProblem(
      "damaged",
      `'${this.path(MANIFEST)}' is damaged, or another version wrote it`,
      "restore the folder from a copy, or start again with --disk in another folder",
    );
  }

  #requireOwn(known: Manifest | undefined, identity: string): Manifest {
    if (!known)
      throw new DiskProblem(
        "nothing-there",
        `no search to resume in '${this.#directory}'`,
        "--disk DIR begins one",
      );
    if (known.identity !== identity)
      throw new DiskProblem(
        "other-search",
        `the search in '${this.#directory}' is of another model, with other options, or by another version`,
        "resume it with the files and options that it was begun with, or begin a new one with --disk in another folder",
      );
    return known;
  }

  #requireEmpty(names: readonly string[], known: Manifest | undefined): void {
    if (names.length === 0) return;
    if (known)
      throw new DiskProblem(
        "in-use",
        `'${this.#directory}' has a search in it`,
        `--resume ${this.#directory} continues it; for a new search name another folder, or remove this one`,
      );
    throw new DiskProblem(
      "not-ours",
      `'${this.#directory}' is neither empty nor the folder of a search`,
      "name an empty or new folder",
    );
  }

  #take(): void {
    const other = this.#lock.take();
    if (other === undefined) return;
    throw new DiskProblem(
      "in-use",
      `${holderOf(other)} is searching in '${this.#directory}'`,
      `wait for it, or name another folder; if there is no such process any more, remove '${other}' there`,
    );
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined || error instanceof DiskProblem) throw error;
      throw new DiskProblem(
        "unusable",
        `'${this.#directory}' cannot be used: ${message}`,
        "name a folder that can be written to",
      );
    }
  }

  #syncDirectory(): void {
    const directory = openSync(this.#directory, "r");
    try {
      this.sync(directory);
    } finally {
      closeSync(directory);
    }
  }
}

/** Is this a system error for a full or failing disk? */
export function isDiskFailure(error: unknown): error is NodeJS.ErrnoException {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code !== undefined && ["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EROFS"].includes(code);
}

const sumOf = (manifest: Manifest): string =>
  createHash("sha256").update(JSON.stringify(manifest)).digest("hex");

const FORMAT = "everypath search 2";
const MANIFEST = "manifest.json";
const OURS = /^(states-\d+|parents|numbers|run-\d+)$/;
