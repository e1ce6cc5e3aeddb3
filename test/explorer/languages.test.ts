/** Every language in the explorer: loaded, checked, replayed or derived, stepped, drawn. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type {
  GraphView,
  LoadedView,
  DrawnView,
  ProjectView,
  RunView,
  TraceView,
  WalkView,
} from "../../src/explorer/protocol.js";
import { registry } from "../../src/session/registry.js";
import { inRepository } from "../repository.js";
import { ask, enter } from "./asking.js";
import { languageExamples } from "./language-examples.js";
import { useExplorer, type Started } from "./started.js";

const bench = useExplorer("stub");

class Visitor {
  readonly #started: Started;
  readonly #headers: Record<string, string>;

  constructor(started: Started, headers: Record<string, string>) {
    this.#started = started;
    this.#headers = headers;
  }

  async get<T>(path: string): Promise<T> {
    return this.#read(await ask(this.#started, `/api/${path}`, { headers: this.#headers }));
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.#read(await ask(this.#started, `/api/${path}`, { headers: this.#headers, body }));
  }

  async checked(): Promise<RunView> {
    const { id } = await this.post<RunView>("run", {});
    const find = async (): Promise<RunView> =>
      (await this.get<RunView[]>("runs")).find((run) => run.id === id)!;
    await expect.poll(async () => (await find()).state, { timeout: 240_000 }).toBe("done");
    return find();
  }

  #read<T>({ status, text }: { readonly status: number; readonly text: string }): T {
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return JSON.parse(text) as T;
  }
}

const visit = async (args: readonly string[]): Promise<Visitor> => {
  const started = await bench.start(...(args as [string, ...string[]]));
  return new Visitor(started, await enter(started));
};

test("a schedule of a file with one test is told by itself", { timeout: 240_000 }, async () => {
  const visitor = await visit([inRepository("test/fixtures/options/pair.test-file.ts"), "--at", "1"]);
  expect((await visitor.get<ProjectView>("project")).at).toBe("1");
  const told = await visitor.post<TraceView>("trace", { schedule: "1" });
  expect(told.ending).toEqual({ kind: "failed", text: "Error: b was first" });
  expect((await visitor.post<TraceView>("trace", { schedule: "0" })).ending.kind).toBe("ended");
  expect((await visitor.post<TraceView>("trace", { schedule: "7" })).ending.kind).toBe("diverged");
});

describe("the explorer looks at", () => {
  for (const { name } of registry.languages)
    test(`${name}`, { timeout: 240_000 }, async () => {
      const { args, shows, picture } =
        languageExamples[name] ??
        expect.fail(`add an example of ${name} to test/explorer/language-examples.ts`);
      const visitor = await visit(args);
      const { language } = await visitor.get<ProjectView>("project");
      expect(language).toMatchObject({ name, highlighting: { keywords: expect.anything() as unknown } });
      const loaded = await visitor.post<LoadedView>("load", {});
      expect(loaded.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(loaded).toMatchObject({ picture, hasStates: shows === "trace" });
      expect(loaded.properties.length).toBeGreaterThan(0);
      const { id, answer } = await visitor.checked();
      if (answer?.kind !== "report") expect.fail(JSON.stringify(answer));
      expect(answer.verdict).toBe("violated");
      const property = answer.properties.findIndex(({ verdict }) => verdict === "violated");
      if (shows === "derivation") {
        expect(answer.properties[property]!.derivation!.steps.length).toBeGreaterThan(0);
        await expect(visitor.post("walk", { schedule: "" })).rejects.toThrow("no states to step through");
        return;
      }
      const trace = await visitor.post<TraceView>("trace", { run: id, property });
      expect(trace.steps.length).toBeGreaterThan(0);
      expect(trace.ending.kind).toMatch(/failed|loop/);
      const moment = { schedule: "", values: trace.initial, before: null, steps: [] };
      if (picture === null) await expect(visitor.post("picture", moment)).rejects.toThrow("is not drawn");
      else expect((await visitor.post<DrawnView>("picture", moment)).svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
      if (shows === "schedule") {
        expect(trace.steps.at(-1)!.sources).not.toEqual([]);
        const again = visitor.post<TraceView>("trace", { schedule: trace.schedule });
        if (name === "schedules") await expect(again).rejects.toThrow("several tests");
        else expect((await again).steps).toHaveLength(trace.steps.length);
        await expect(visitor.post("walk", { schedule: "" })).rejects.toThrow("no states to step through");
        return;
      }
      expect((await visitor.post<WalkView>("walk", { schedule: "" })).choices.length).toBeGreaterThan(0);
      const graph = await visitor.post<GraphView>("graph", {
        schedule: "",
        limit: 60,
        trace: trace.schedule,
      });
      expect(graph.nodes.length).toBeGreaterThan(1);
      expect(graph.path[0]).toBe(graph.nodes[0]!.key);
      expect(graph.path.length).toBe(trace.length + 1);
    });
});

test("a text that is not saved is read, and not run", { timeout: 240_000 }, async () => {
  const text = readFileSync(inRepository("examples/code/systems/token-ring.ts"), "utf8");
  const file = bench.write("ring.ts", text);
  const visitor = await visit([file]);
  expect((await visitor.get<ProjectView>("project")).language!.runsText).toBe(true);
  const loud = `${text}\nthrow new Error("it ran");\n`;
  expect((await visitor.post<LoadedView>("load", { text: loud })).diagnostics).toEqual([]);
  const typing = text.replace("rounds = 0;", "rounds = ;");
  const { diagnostics } = await visitor.post<LoadedView>("load", { text: typing });
  expect(diagnostics).toMatchObject([{ severity: "error", file, line: 7 }]);
  writeFileSync(join(bench.directory, file), loud);
  const saved = await visitor.post<LoadedView>("load", {});
  expect(saved.diagnostics.map(({ message }) => message).join()).toContain("it ran");
});

test(
  "code is walked in a process of its own, with the text that is on disk",
  { timeout: 240_000 },
  async () => {
    const system = (turn: string): string => `
    import { defineSystem } from "everypath/system";
    export default defineSystem<any>({
      nodes: { a: () => ({ n: 0 }) },
      actions: { turn: { times: 2, run: (node) => { ${turn} } } },
      always: { small: ({ nodes }) => nodes["a"].n < 5 },
    });
  `;
    const file = bench.write("walked.ts", system("node.n++;"));
    const visitor = await visit([file]);
    const walk = (schedule: string): Promise<WalkView> => visitor.post<WalkView>("walk", { schedule });
    const valuesAt = async (schedule: string): Promise<string> =>
      JSON.stringify((await walk(schedule)).values);
    const [one, other] = await Promise.all([valuesAt("0"), valuesAt("0.0")]);
    expect(one).toContain('["a.n","1"]');
    expect(other).toContain('["a.n","2"]');
    // The text on disk counts, as for other models.
    writeFileSync(join(bench.directory, file), system("node.n += 2;"));
    expect(await valuesAt("0")).toContain('["a.n","2"]');
    // A handler that does not terminate is aborted and reported; the explorer continues.
    writeFileSync(join(bench.directory, file), system("for (;;);"));
    const { choices } = await walk("");
    expect(JSON.stringify(choices)).toContain("does not terminate");
    writeFileSync(join(bench.directory, file), system("node.n--;"));
    expect(await valuesAt("0")).toContain('["a.n","-1"]');
  },
);
