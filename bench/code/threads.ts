/** Parallel searches of systems of nodes, with signatures of all states. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { asOneFile } from "../bundle.js";
import type { DataNode } from "../../src/code/system/data-node.js";
import { makeModel, sharedModel, type SystemModel, type SystemSource } from "../../src/code/system/index.js";
import { Crew } from "../../src/engines/explicit/parallel/crew.js";
import { searchInParallel } from "../../src/engines/explicit/parallel/search.js";
import { search, type SearchOptions, type SearchResult } from "../../src/engines/explicit/search.js";
import { Sources, type Words } from "../../src/model/index.js";
import { makeModel as make } from "../../src/session/engines/make-model.js";

export interface Threaded extends Pick<SearchResult, "stats" | "stop" | "violations"> {
  /** Sorted, one per state. */
  signatures(): string[];
}

export class BenchThreads {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  static async open(): Promise<BenchThreads> {
    const cache = join(process.cwd(), "node_modules/.cache");
    mkdirSync(cache, { recursive: true });
    const outfile = join(cache, `bench-thread-${process.pid}.mjs`);
    await build({
      entryPoints: ["bench/code/thread.ts"],
      outfile,
      ...asOneFile,
    });
    return new BenchThreads(outfile);
  }

  close(): void {
    rmSync(this.#file, { force: true });
  }

  async search(source: SystemSource, workers: number): Promise<Threaded> {
    if (workers === 1) {
      const model = makeModel(source, { replayed: new Set(), sources: new Sources(), timeoutMs: 5000 });
      return searchAlone(model);
    }
    const { model, catchUp } = sharedModel(source, { sources: new Sources(), timeoutMs: 5000 });
    const threads = { count: workers, make, start: () => new Worker(this.#file) };
    const crew = new Crew(threads);
    try {
      const found = await searchInParallel(model, options(model), threads, crew);
      if (!found) throw new Error("the search was left to one thread");
      return threaded(model, found.result, catchUp);
    } finally {
      await crew.dismiss();
    }
  }
}

/** Searches with this thread. */
export async function searchAlone(model: SystemModel, how: AloneOptions = {}): Promise<Threaded> {
  const { maxStates, order = "bfs" } = how;
  const budget = maxStates === undefined ? {} : { maxStates };
  return threaded(model, await search(model, { ...options(model), order, budget }), () => undefined);
}

export interface AloneOptions {
  /** Limit of states. */
  readonly maxStates?: number;
  /** Depth-first search does not number states. */
  readonly order?: "bfs" | "random";
}

const options = (model: SystemModel): SearchOptions => ({
  order: "bfs",
  budget: {},
  control: {},
  maxErrors: 1,
  checksDeadlock: false,
  checksSite: model.sites.map(() => true),
  invariants: model.invariants.flatMap(({ kind }, index) => (kind === "invariant" ? [index] : [])),
});

const threaded = (
  model: SystemModel,
  { stats, stop, violations, store }: SearchResult,
  catchUp: () => void,
): Threaded => ({
  stats,
  stop,
  violations,
  signatures: () => {
    catchUp();
    const found: string[] = [];
    // Threads reserve blocks of ids and leave some unused: a node's states are numbered from 1.
    for (let id = 1; found.length < stats.states; id++) {
      const state = store.numbered(id, store.width);
      if (state[0] !== 0) found.push(signatureOf(model, state));
    }
    return found.sort();
  },
});

/** Signature of all parts: nodes, messages, budgets. */
function signatureOf({ nodes, network }: SystemModel, state: Words): string {
  const looks = nodes.map((node, index) => (node as DataNode).contentOf(state[index]!));
  const messages = JSON.stringify(network.inOrder(state[nodes.length]!));
  return [...looks, messages, ...state.subarray(nodes.length + 1)].join(" ");
}
