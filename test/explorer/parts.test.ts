/** Parts of the page, and formats, that need no browser. */
import { readFileSync, readdirSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAddress, parseAddress, type Address } from "../../explorer/src/address.js";
import { merge, quotient, renderDot } from "../../explorer/src/graph/model.js";
import { parseExpression, vocabularyOf } from "../../explorer/src/expression.js";
import { searchGraph } from "../../explorer/src/graph/search.js";
import { onPage } from "../../explorer/src/run/advice.js";
import { elementsOf, segmentsOf, treeRows, type Leaf } from "../../explorer/src/parts/value-tree.js";
import { Path, narrativeOf } from "../../explorer/src/path.js";
import type { GraphView, TraceView } from "../../src/explorer/protocol.js";
import { graphView } from "../../src/explorer/graph.js";
import { Audience } from "../../src/explorer/http.js";
import { Movements, Places, traceView } from "../../src/explorer/views.js";
import { Walker } from "../../src/explorer/walker.js";
import { formatSchedule, parseSchedule, type Model } from "../../src/model/index.js";
import { narrate } from "../../src/report/index.js";
import { renderHtml } from "../../src/report/html.js";
import { renderMermaid } from "../../src/report/mermaid.js";
import { renderShiviz } from "../../src/report/shiviz.js";
import { walkAlong } from "../../src/report/walk.js";
import { Simulation, checkInput, load, registry } from "../../src/session/index.js";
import { inRepository } from "../repository.js";
import { branching, endless, long, messages } from "./models.js";

async function open(text: string): Promise<{ model: Model; places: Places }> {
  const { model, sources } = await load({ file: "m.pml", text }, {}, registry);
  return { model: model!, places: new Places(sources) };
}

async function told(text: string, schedule: string): Promise<TraceView> {
  const { model, places } = await open(text);
  const movements = new Movements(model, places);
  const { narrative } = narrate(model.steps, parseSchedule(schedule)!, { onState: movements.note });
  return traceView(model, narrative, places, movements, { mark: "m", ending: { kind: "open", text: "" } });
}

describe("expressions over a state", () => {
  const values = new Map([
    ["x", "1"],
    ["P[0]:y", "10"],
    ["q", "[ask(3)]"],
    ["net{0}.who", "client_0"],
    ["isOpen", "true"],
    ["a-b", "5"],
  ]);
  const vocabulary = vocabularyOf([values, new Map([["gone", "7"]])]);
  const result = (text: string): string | undefined => {
    const parsed = parseExpression(text, vocabulary);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed.expression.evaluate(values);
  };
  test.each([
    ["x == 1", "true"],
    ["x=1", "true"],
    ["P[0]:y > 9", "true"],
    ["x != 2 && P[0]:y >= 10", "true"],
    ["x == 2 || !(x == 3)", "true"],
    ["x < P[0]:y", "true"],
    ["q == [ask(3)]", "true"],
    ["net{0}.who == client_0", "true"],
    ['net{0}.who != "client_1"', "true"],
    ["isOpen && x", "true"],
    ["x == 2", "false"],
    ["P[0]:y < 9", "false"],
    ["!(x == 1)", "false"],
    ["x + 2 * P[0]:y", "21"],
    ["(x + 2) * P[0]:y % 7", "2"],
    ["-x", "-1"],
    ["a-b - x", "4"],
    // An operand without a value makes the result undefined, except where the other decides.
    ["gone == 7", undefined],
    ["!(gone == 7)", undefined],
    ["gone == 7 && x == 2", "false"],
    ["gone == 7 || x == 1", "true"],
    ["q + 1", undefined],
    ["x / 0", undefined],
  ])("%s is %s", (text, expected) => {
    expect(result(text)).toBe(expected);
  });
  test.each([
    ["missing == 0", "no variable and no value is called 'missing'"],
    ["net == 1", "no variable and no value is called 'net'; perhaps net{0}.who"],
    ["x == client_9", "no variable and no value is called 'client_9'"],
    ["x ==", "the expression is not complete"],
    ["(x == 1", "a closing bracket is missing"],
    ["x == 1 )", "')' is not expected here"],
    ["x ; 1", "';' is not understood"],
  ])("%s is refused", (text, problem) => {
    expect(parseExpression(text, vocabulary)).toMatchObject({
      problem: expect.stringContaining(problem) as string,
    });
  });
  test("arithmetic and comparisons agree with JavaScript", () => {
    const number = fc.integer({ min: -20, max: 20 });
    const operator = fc.constantFrom("+", "-", "*", "<", "<=", ">", ">=", "==", "!=");
    fc.assert(
      fc.property(number, number, number, operator, (a, b, c, op) => {
        const state = new Map([
          ["a", `${a}`],
          ["b", `${b}`],
          ["c", `${c}`],
        ]);
        const parsed = parseExpression(`a + b ${op} c * 2`, vocabularyOf([state]));
        if ("problem" in parsed) throw new Error(parsed.problem);
        const expected = new Function("a", "b", "c", `return String(a + b ${op} c * 2)`) as (
          ...n: number[]
        ) => string;
        expect(parsed.expression.evaluate(state)).toBe(expected(a, b, c));
      }),
    );
  });
});

describe("values as a tree", () => {
  const leaf = (name: string, value: string, was = value): Leaf => ({
    name,
    value,
    was,
    isChanged: value !== was,
  });
  const shown = (leaves: readonly Leaf[], opens = true): string[] =>
    treeRows(leaves, () => opens).map(
      ({ depth, label, value }) => `${"  ".repeat(depth)}${label}=${value ?? ""}`,
    );
  test.each([
    ["x", ["x"]],
    ["P[0]:x", ["P", "[0]", ":x"]],
    ["net{0}.who", ["net", "{0}", ".who"]],
    ["a[1][2].b", ["a", "[1]", "[2]", ".b"]],
    ["odd]name", ["odd]name"]],
  ])("%s has parts", (name, parts) => expect(segmentsOf(name)).toEqual(parts));
  test.each([
    ["[]", undefined],
    ["7", undefined],
    ["'a, b'", undefined],
    ["f(1, 2)", undefined],
    ["[1, [2, 3]]", ["[0] 1", "[1] [2, 3]"]],
    ["{ term: 1, log: [ 'x, y' ] }", ["term 1", "log [ 'x, y' ]"]],
    ["s1→s2 vote { term: 1, ok: true }, s2→s3 x", ["[0] s1→s2 vote { term: 1, ok: true }", "[1] s2→s3 x"]],
    ["[1, 2", undefined],
    ["it's, fine", ["[0] it's", "[1] fine"]],
  ])("%s has elements", (value, elements) => {
    expect(elementsOf(value)?.map(({ label, text }) => `${label} ${text}`)).toEqual(elements);
  });
  test("groups names by their parts, and unfolds values", () => {
    const leaves = [
      leaf("x", "1"),
      leaf("s.term", "2"),
      leaf("s.log", "[ 'a', 'b' ]"),
      leaf("only.one", "3"),
    ];
    expect(shown(leaves)).toEqual([
      "x=1",
      "s=",
      "  term=2",
      "  log=[ 'a', 'b' ]",
      "    [0]='a'",
      "    [1]='b'",
      "only.one=3",
    ]);
    expect(shown(leaves, false)).toEqual(["x=1", "s=2 values", "only.one=3"]);
  });
  test("shows every variable once, whatever its name, and marks what changed inside", () => {
    const word = fc.stringMatching(/^[a-z.:[\]{}0-9]{1,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 12 }), (names) => {
        const rows = treeRows(
          names.map((name) => leaf(name, "1")),
          () => true,
        );
        expect(rows.flatMap(({ name }) => (name === undefined ? [] : [name])).toSorted()).toEqual(
          names.toSorted(),
        );
      }),
    );
    const rows = treeRows([leaf("q", "[1, 5, 3]", "[1, 2, 3]")], () => true);
    expect(rows.filter(({ isChanged }) => isChanged).map(({ key, was }) => `${key} ${was}`)).toEqual([
      "q [1, 2, 3]",
      "q/[1] 2",
    ]);
  });
});

test("an expression is watched over every step of a path", async () => {
  const path = new Path(await told(messages, "0*4"));
  const expected = Array.from({ length: path.last + 1 }, (_, at) => path.valuesAt(at).get("Client[0]:got"));
  expect(path.watch("Client[0]:got")).toEqual(expected);
  expect(path.watch("Server[1]:wanted + 1")).toEqual(
    Array.from(
      { length: path.last + 1 },
      (_, at) => `${Number(path.valuesAt(at).get("Server[1]:wanted")) + 1}`,
    ),
  );
  const states = path.statesBetween(1, 4);
  for (const [at, values] of states) expect([...values]).toEqual([...path.valuesAt(at)]);
  expect(path.changingNames).toContain("wire");
});

describe("search in a graph", () => {
  const found = async (text: string, limit = 100, merged: readonly string[] = []) => {
    const { model, places } = await open(branching);
    return searchGraph(text, merge(null, graphView(model, places, [], limit, "m"), ""), merged);
  };
  test("counts the states that satisfy a condition", async () => {
    expect(await found("x == 3 || x == 1")).toMatchObject({ kind: "condition", count: 3, undecided: 0 });
    expect(await found("  ")).toBeNull();
  });
  test("refuses names that no state has, and conditions that are not complete", async () => {
    expect(await found("z == 3")).toMatchObject({ kind: "problem" });
    expect(await found("x ==")).toMatchObject({ kind: "problem" });
  });
  test("finds a text, quoted or not", async () => {
    expect(await found("x = 3")).toMatchObject({ kind: "condition" });
    expect(await found('"x = 3"')).toMatchObject({ kind: "text", count: 2 });
    expect(await found("violated")).toMatchObject({ kind: "text", count: 1 });
  });
  test("looks at all values of merged states", async () => {
    const whole = await found("x == 3");
    const merged = await found("x == 3", 100, ["@P[0]"]);
    if (whole?.kind !== "condition" || merged?.kind !== "condition") throw new Error("no condition");
    expect(merged.count).toBe(whole.count);
    expect([...merged.keys].every((key) => key.startsWith("@P[0] = "))).toBe(true);
  });
});

describe("advice", () => {
  test("names the controls of the page", () => {
    expect(onPage("raise --max-states")).toBe("raise “most states” under “How to search”");
    expect(onPage("raise --time, or try --search dfs")).toBe(
      "raise “seconds” under “How to search”, or try “search: dfs”",
    );
    expect(onPage("go on after errors with --errors all, or check this property alone with --property")).toBe(
      "go on after errors with “continue after the first error” under “How to search”, or check this property alone with its box under “Properties”",
    );
    expect(onPage("raise --memory")).toBe("raise --memory of everypath check");
    expect(onPage("let it run to the end")).toBe("let it run to the end");
  });
  test("of every engine leaves no bare option", () => {
    const sources = readdirSync(inRepository("src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(inRepository("src", name), "utf8"));
    const all = sources.flatMap((text) =>
      [...text.matchAll(/advice[:=] ?"([^"]*)"/g)].map(([, said]) => said!),
    );
    expect(all.length).toBeGreaterThan(20);
    for (const said of all)
      expect(onPage(said).replaceAll(/--[a-z-]+( \w+)? of everypath check/g, "")).not.toContain("--");
  });
});

test("an address says the same after it was written and read", () => {
  const address = fc.record(
    {
      view: fc.constantFrom("run", "trace", "walk", "graph", "compare"),
      at: fc.array(fc.nat(9)).map((choices) => formatSchedule(choices, choices.length > 3 ? 2 : undefined)),
      step: fc.nat(1e6),
      from: fc.array(fc.nat(300)).map((choices) => formatSchedule(choices)),
      left: fc.nat(1e6),
    },
    { requiredKeys: ["view"] },
  );
  fc.assert(
    fc.property(address, (value) => {
      expect(parseAddress(formatAddress(value as Address))).toEqual(value);
    }),
  );
});

test("a path has the values and places that the system has, at every position", async () => {
  const { model, places } = await open(messages);
  const simulation = new Simulation(model);
  const path = new Path(await told(messages, "0*4"));
  for (let position = 0; ; position++) {
    expect([...path.valuesAt(position)].sort()).toEqual(
      simulation
        .values()
        .map(({ name, value }) => [name, value])
        .sort(),
    );
    expect([...path.placesAt(position)].sort()).toEqual(places.ofProcesses(simulation.processes()).sort());
    expect(path.scheduleTo(position)).toBe(formatSchedule(simulation.choices));
    if (position === path.last) break;
    simulation.take(0);
  }
  expect(path.last).toBe(4);
});

test("values far into a long path do not depend on where one looked before", async () => {
  const view = await told(long(600), formatSchedule(Array.from({ length: 1200 }, () => 0)));
  const forwards = new Path(view);
  for (let position = 0; position <= forwards.last; position++) forwards.valuesAt(position);
  for (const position of [1200, 3, 777, 401, 400, 399, 0])
    expect([...new Path(view).valuesAt(position)]).toEqual([...forwards.valuesAt(position)]);
});

test("a walker that jumps about stands where one that walked there stands", async () => {
  const { model, places } = await open(messages);
  const walker = new Walker(model, places, "m");
  const walks = fc.array(fc.array(fc.nat(1), { maxLength: 6 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(walks, (all) => {
      for (const choices of all)
        expect(walker.at(choices)).toEqual(new Walker(model, places, "m").at(choices));
    }),
    { numRuns: 30 },
  );
});

test("what is told after the end is told to nobody, and breaks nothing", async () => {
  const audience = new Audience();
  const problems: unknown[] = [];
  const listening = new Promise<number>((resolve) => {
    const server = createServer((_, response) => {
      response.on("error", (error) => problems.push(error));
      audience.add(response);
      audience.close();
      audience.broadcast({ kind: "source", file: "m.pml", mark: "2" });
      server.close();
    }).listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const port = await listening;
  const text = await new Promise<string>((resolve) => {
    get({ port, host: "127.0.0.1" }, (response) => {
      let all = "";
      response.on("data", (part) => (all += String(part))).on("end", () => resolve(all));
    });
  });
  expect(text).toBe(": hello\n\n");
  expect(problems).toEqual([]);
});

describe("the state graph", () => {
  const graphOf = async (text: string, limit: number): Promise<GraphView> => {
    const { model, places } = await open(text);
    return graphView(model, places, [], limit, "m");
  };

  test("has the states and steps that walking finds", async () => {
    const view = await graphOf(branching, 100);
    const { model, places } = await open(branching);
    const graph = merge(null, view, "");
    expect(view.isComplete).toBe(true);
    for (const node of graph.nodes.values()) {
      if (node.kind === "fault") continue;
      const walk = new Walker(model, places, "m").at(parseSchedule(node.schedule)!.choices);
      for (const [name, value] of walk.values) expect(node.values.get(name)).toBe(value);
      expect(
        graph.edges.filter(({ from }) => from === node.key).flatMap(({ labels }) => labels),
      ).toHaveLength(
        new Set(walk.choices.map(({ action, participants }) => `${participants.join()}${action}`)).size,
      );
    }
    expect([...graph.nodes.values()].map(({ kind }) => kind).sort()).toEqual([
      "end",
      "fault",
      "state",
      "state",
      "state",
      "state",
      "state",
      "state",
    ]);
  });

  test("of neighbourhoods put together is the whole graph", async () => {
    const { model, places } = await open(messages);
    const whole = merge(null, graphView(model, places, [], 1000, "m"), "");
    let graph = merge(null, graphView(model, places, [], 3, "m"), "");
    expect(graph.isComplete).toBe(false);
    for (let rounds = 0; !graph.isComplete && rounds < 100; rounds++) {
      const open = [...graph.nodes.values()].find(({ isExpanded }) => !isExpanded)!;
      graph = merge(
        graph,
        graphView(model, places, parseSchedule(open.schedule)!.choices, 4, "m"),
        open.schedule,
      );
    }
    expect([...graph.nodes.keys()].sort()).toEqual([...whole.nodes.keys()].sort());
    expect(graph.edges.length).toBe(whole.edges.length);
  });

  test("merged by a value has a node for each, and every step between them", async () => {
    const graph = merge(null, await graphOf(branching, 100), "");
    const merged = quotient(graph, ["x"]);
    expect([...merged.nodes.keys()].sort()).toEqual(["x = 0", "x = 1", "x = 2", "x = 3"]);
    expect([...merged.nodes.values()].reduce((sum, { size }) => sum + size, 0)).toBe(graph.nodes.size);
    expect(merged.nodes.get("x = 3")!.kind).toBe("fault");
    expect(merged.edges.map(({ from, to }) => `${from} -> ${to}`)).toContain("x = 2 -> x = 3");
    expect(renderDot(merged)).toContain('[label="P[0]: x = 1"]');
    expect(renderDot(graph)).toMatch(/P\[0\] at line \d+/);
    expect(renderDot(graph)).not.toContain("@");
  });

  test("is labelled with the propositions of temporal properties", async () => {
    const view = await graphOf(endless, 100);
    expect(view.labels).toEqual(["x == 0"]);
    const x = view.names.indexOf("x");
    for (const { values, labels } of view.nodes) expect(labels).toEqual(values[x] === "0" ? [0] : []);
  });
});

describe("formats of a trace", () => {
  test("Mermaid: participants, messages, notes", async () => {
    const narrative = narrativeOf(new Path(await told(messages, "0*4.1")));
    expect(renderMermaid(narrative)).toBe(
      [
        "sequenceDiagram",
        "    participant P0 as Client[0]",
        "    participant P1 as Server[1]",
        "    P0->>P1: wire!ask(3)",
        "    Note over P1: 3. wanted++",
        "    P1->>P0: back!answer(4)",
        "    Note over P0: 5. assert(got == 3)",
        "",
      ].join("\n"),
    );
  });

  test("ShiViz: clocks grow by one on their own host, and know what was received", async () => {
    const lines = renderShiviz(narrativeOf(new Path(await told(messages, "0*4.1"))))
      .trimEnd()
      .split("\n");
    const events = lines.flatMap((line) => {
      const match = /^(\S+) (\{.*\})$/.exec(line);
      return match ? [[match[1]!, JSON.parse(match[2]!) as Record<string, number>] as const] : [];
    });
    const own = new Map<string, number>();
    for (const [host, clock] of events) {
      expect(clock[host]).toBe((own.get(host) ?? 0) + 1);
      own.set(host, clock[host]!);
    }
    expect(events.find(([host]) => host === "Server[1]")![1]).toEqual({ "Client[0]": 1, "Server[1]": 1 });
    expect(events.at(-1)![1]).toEqual({ "Client[0]": 3, "Server[1]": 3 });
  });
});

describe("the report to share", () => {
  test("tells in each state of the trace every step that a simulation offers there", async () => {
    const { model } = await open(branching);
    const { narrative } = narrate(model.steps, { choices: [1, 0], loopStart: undefined });
    const { states, leftOut } = walkAlong(model, narrative, 1e6);
    const simulation = new Simulation(model);
    for (const [position, taken] of [1, 0, undefined].entries()) {
      const choices = states.get(position)!;
      expect(choices.map(({ action }) => action)).toEqual(
        Array.from({ length: simulation.count }, (_, choice) => simulation.describe(choice).action),
      );
      expect(choices.map(({ isTaken }) => isTaken)).toEqual(choices.map((_, choice) => choice === taken));
      if (taken !== undefined) expect(simulation.take(taken).changes).toEqual(choices[taken]!.changes);
    }
    expect(leftOut).toBe(0);
    expect(states.get(2)![0]!.fault).toBe("assertion violated: x != 3");
  });

  test("leaves out what does not fit, from the beginning on, and says how much", async () => {
    const { model } = await open(branching);
    const { narrative } = narrate(model.steps, { choices: [1, 0], loopStart: undefined });
    const { states, leftOut } = walkAlong(model, narrative, 300);
    expect([...states.keys()]).toEqual([2, 1]);
    expect(leftOut).toBe(1);
  });

  test("stays below five megabytes, however long the trace and the names", async () => {
    const name = `a_very_long_name_${"x".repeat(3000)}`;
    const text = long(3000).replace(/\bn\b/g, name);
    const { report, model } = await checkInput({ file: "m.pml", text }, { isPlain: true }, registry);
    const page = renderHtml(report, model);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(5e6);
    expect(page).toMatch(/Omitted to keep this page small: [\d,]+ steps; the enabled steps in [\d,]+ states/);
  });
});

test("no file of the explorer names a language", () => {
  const folders = ["src/explorer", "explorer/src"];
  // "schedule" is also a field of every trace, and "c" a letter.
  const names = registry.languages
    .map(({ name }) => name)
    .filter((name) => !["schedules", "c"].includes(name));
  expect(names.length).toBeGreaterThan(0);
  for (const folder of folders)
    for (const file of readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(ts|tsx|css)$/.test(file)) continue;
      const text = readFileSync(inRepository(folder, file), "utf8");
      for (const name of names)
        expect(
          new RegExp(`\\b${name}\\b`, "i").test(text),
          `${folder}/${file} has the word '${name}', the name of a language: the page works for all, so the name must be another word`,
        ).toBe(false);
    }
});

test("every language has highlighting, which knows its words and comments apart", () => {
  for (const { name, highlighting } of registry.languages) {
    if (!highlighting) throw new Error(`${name} has no highlighting`);
    const { keywords, types = [], constants = [] } = highlighting;
    const all = [...keywords, ...types, ...constants];
    expect(new Set(all).size, `${name}: a word twice`).toBe(all.length);
    expect(
      [...(highlighting.lineComments ?? []), ...(highlighting.blockComments ?? [])].length,
      name,
    ).toBeGreaterThan(0);
  }
});
