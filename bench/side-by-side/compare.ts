/** Both tools on one model: flags chosen once, then one run of each side per repetition. */
import { Everypath } from "./everypath.js";
import { type Outcome, failed, medianOutcome } from "./figures.js";
import type { ModelFile } from "./folder.js";
import { Pan, type PanFlags, type PanMode, panDirectory } from "./pan.js";
import type { Row } from "./rows.js";
import { measureFasterRumur } from "./rumur.js";
import { WORKER_STATES } from "./summary.js";

export interface Settings {
  /** With reductions on both sides; otherwise the plain graph. */
  readonly isReduced: boolean;
  /** Undefined: each tool's default order. */
  readonly order: "dfs" | "bfs" | undefined;
  /** 1: no column for workers. */
  readonly workers: number;
  readonly timeoutMs: number;
  /** Where pan is built. */
  readonly directory: string;
}

export class Comparison {
  readonly model: ModelFile;
  readonly #settings: Settings;
  readonly #pan: Pan;
  readonly #collapsedPan: Pan;
  readonly #everypath: Everypath;
  readonly #theirs: Outcome[] = [];
  readonly #collapsed: Outcome[] = [];
  readonly #ours: Outcome[] = [];
  readonly #workers: Outcome[] = [];
  #flags: PanFlags | undefined;
  #tuningFailure: Outcome | undefined;
  #reference: number | undefined;

  constructor(model: ModelFile, settings: Settings) {
    this.model = model;
    this.#settings = settings;
    this.#everypath = new Everypath(model.file, settings.timeoutMs);
    this.#pan = this.#panOf(this.#mode());
    this.#collapsedPan = this.#panOf({ ...this.#mode(), isCollapsed: true });
  }

  /** Chooses pan's flags, and counts the states of the plain graph. */
  async prepare(): Promise<void> {
    if (this.model.peer !== "pan") return;
    const tuned = await this.#pan.tune();
    if ("flags" in tuned) this.#flags = tuned.flags;
    else this.#tuningFailure = tuned;
    if (this.#settings.isReduced) return;
    this.#reference =
      "flags" in tuned && this.#mode().order === "dfs" ? tuned.states : await this.#countStates();
  }

  /** One run of everything, peers first. */
  async repeat(): Promise<void> {
    await this.#measurePeer();
    this.#ours.push(await this.#measureOurs([]));
    const { workers } = this.#settings;
    if (workers > 1 && this.#hasManyStates())
      this.#workers.push(await this.#measureOurs(["--workers", `${workers}`]));
  }

  row(): Row {
    const theirs = medianOutcome(this.#theirs);
    const hasReference =
      this.model.peer === "rumur" && !this.#settings.isReduced && theirs.kind === "searched";
    return {
      model: this.model.name,
      peer: this.model.peer,
      reference: hasReference ? theirs.figures.states : this.#reference,
      theirs,
      collapsed: this.#collapsed.length > 0 ? medianOutcome(this.#collapsed) : undefined,
      ours: medianOutcome(this.#ours),
      workers: this.#workers.length > 0 ? medianOutcome(this.#workers) : undefined,
      flags: this.#flags ? `-w${this.#flags.hashBits} -m${this.#flags.depth}` : "–",
    };
  }

  async #measurePeer(): Promise<void> {
    const { isReduced, timeoutMs } = this.#settings;
    if (this.model.peer === "rumur")
      return void this.#theirs.push(await measureFasterRumur(this.model.file, isReduced, timeoutMs));
    if (!this.#flags) return void this.#theirs.push(this.#tuningFailure ?? failed("pan was not prepared"));
    this.#theirs.push(await this.#pan.measure(this.#flags));
    this.#collapsed.push(await this.#collapsedPan.measure(this.#flags));
  }

  #measureOurs(options: readonly string[]): Promise<Outcome> {
    const { isReduced, order } = this.#settings;
    const mode = isReduced ? [] : ["--plain"];
    const search = order === undefined ? [] : ["--search", order];
    return this.#everypath.measure([...mode, ...search, ...options]);
  }

  /** pan stores states inside atomic sequences breadth-first, so its depth-first search counts. */
  async #countStates(): Promise<number | undefined> {
    const counter = this.#panOf({ order: "dfs", isReduced: false, isCollapsed: false });
    const found = await counter.chooseDepth();
    return "report" in found ? found.report.states : undefined;
  }

  #hasManyStates(): boolean {
    const last = this.#ours.at(-1);
    return last?.kind === "searched" && last.figures.states > WORKER_STATES;
  }

  #mode(): PanMode {
    const { order = "dfs", isReduced } = this.#settings;
    return { order, isReduced, isCollapsed: false };
  }

  #panOf(mode: PanMode): Pan {
    const { directory, timeoutMs } = this.#settings;
    return new Pan(this.model.file, panDirectory(directory, this.model.name, mode), mode, timeoutMs);
  }
}
