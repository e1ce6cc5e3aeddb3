/** Another counterexample, the nearest execution that does not fail, and automata: compared with brute force. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { controlView } from "../../src/explorer/control-view.js";
import { reachedFrom, statesAlong } from "../../src/explorer/reach.js";
import { Places } from "../../src/explorer/views.js";
import { Walker } from "../../src/explorer/walker.js";
import { another, passing } from "../../src/explorer/why.js";
import { formatSchedule, parseSchedule, type Model } from "../../src/model/index.js";
import { load, registry } from "../../src/session/index.js";
import { inRepository } from "../repository.js";
import { branching, messages } from "./models.js";

async function open(text: string, file = "m.pml"): Promise<{ model: Model; places: Places }> {
  const { model, sources } = await load({ file, text }, {}, registry);
  return { model: model!, places: new Places(sources) };
}

const choicesOf = (schedule: string): readonly number[] => parseSchedule(schedule)!.choices;

/** All executions without loops: those that fail, and those that end or come back to a state. */
function executions(model: Model): { failing: number[][]; passing: number[][] } {
  const found = { failing: [] as number[][], passing: [] as number[][] };
  const visit = (choices: number[], seen: readonly string[]): void => {
    const { words, key, ending } = statesAlong(model, choices).at(-1)!;
    if (ending.kind === "failed") return void found.failing.push(choices);
    if (ending.kind === "ended" || seen.includes(key)) return void found.passing.push(choices);
    for (const { choice } of reachedFrom(model, words)) visit([...choices, choice], [...seen, key]);
  };
  visit([], []);
  return found;
}

const sharedBy = (a: readonly number[], b: readonly number[]): number => {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared;
};

/** Small programs of two processes over one variable. */
const statement = fc.oneof(
  fc.constantFrom("x++", "x = 0", "x = 2 * x", "skip", "x > 0 -> x--", "assert(x < 2)", "assert(x != 3)"),
);
const body = fc.array(statement, { minLength: 1, maxLength: 3 });
const program = fc
  .tuple(body, body, fc.boolean())
  .map(([a, b, repeats]) =>
    ["byte x;", ...[a, b].map((list, i) => processOf(list, i, repeats && i === 0))].join("\n"),
  );
const processOf = (list: readonly string[], index: number, repeats: boolean): string =>
  `active proctype P${index}() { ${repeats ? `do :: x < 2 -> ${list.join("; ")} :: break od` : list.join("; ")} }`;

describe("random programs", () => {
  test("the execution that does not fail shares as many steps as possible, and none is overlooked", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(program, async (text) => {
        const { model } = await open(text);
        const all = executions(model);
        for (const failing of all.failing.slice(0, 4)) {
          const found = passing(model, failing);
          const most = Math.max(-1, ...all.passing.map((choices) => sharedBy(failing, choices)));
          if (found.kind === "none") {
            expect(found.isComplete).toBe(true);
            expect(most).toBe(-1);
            continue;
          }
          count++;
          const choices = choicesOf(found.schedule);
          expect(found.shared).toBe(most);
          expect(sharedBy(failing, choices)).toBe(most);
          const along = statesAlong(model, choices);
          expect(along.filter(({ ending }) => ending.kind === "failed")).toEqual([]);
          const last = along.at(-1)!;
          if (found.ends === "end") expect(last.ending.kind).toBe("ended");
          else expect(along.slice(0, -1).map(({ key }) => key)).toContain(last.key);
        }
      }),
      { numRuns: 25 },
    );
    expect(count).toBeGreaterThan(5);
  });

  test("other counterexamples fail, differ from all known ones, and their errors are exhausted first", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(program, async (text) => {
        const { model } = await open(text);
        const { failing } = executions(model);
        if (failing.length === 0) return;
        const errorOf = (choices: readonly number[]): string => {
          const { ending } = statesAlong(model, choices).at(-1)!;
          return ending.kind === "failed" ? `${ending.property.name}: ${ending.reason}` : "";
        };
        const errors = new Set(failing.map(errorOf));
        const known: (readonly number[])[] = [failing[0]!];
        for (;;) {
          const found = another(model, known);
          if (found.kind === "none") {
            expect(found.isComplete).toBe(true);
            expect(new Set(known.map(errorOf))).toEqual(errors);
            break;
          }
          count++;
          const choices = choicesOf(found.schedule);
          expect(errorOf(choices)).not.toBe("");
          expect(known.map((one) => formatSchedule(one))).not.toContain(found.schedule);
          const isNew = !known.map(errorOf).includes(errorOf(choices));
          expect(found.differs === "error").toBe(isNew);
          if (isNew) {
            const lengths = failing.filter((one) => !known.map(errorOf).includes(errorOf(one)));
            expect(choices.length).toBe(Math.min(...lengths.map((one) => one.length)));
          } else expect(new Set(known.map(errorOf))).toEqual(errors);
          known.push(choices);
        }
      }),
      { numRuns: 25 },
    );
    expect(count).toBeGreaterThan(5);
  });
});

test("of two branches, the one that does not fail is beside the one that fails", async () => {
  const { model } = await open(branching);
  const found = passing(model, [1, 0, 0]);
  expect(found).toMatchObject({ kind: "found", schedule: "0*4", shared: 0, ends: "end" });
  expect(another(model, [[1, 0, 0]])).toEqual({ kind: "none", states: expect.any(Number), isComplete: true });
});

test("a search that ends by its limit does not say that there is nothing else", async () => {
  const { model } = await open(branching);
  expect(another(model, [[1, 0, 0]], 2)).toMatchObject({ kind: "none", isComplete: false });
  expect(passing(model, [1, 0, 0], 1)).toMatchObject({ kind: "found", ends: "open" });
});

test("processes stand at locations of their automata, which their steps lead along", async () => {
  const { model, places } = await open(messages);
  const { automata } = controlView(model, places);
  expect(automata.map(({ name }) => name)).toEqual(["Client", "Server"]);
  const walker = new Walker(model, places, "m");
  const at = (choices: number[]) =>
    walker.standing(choices).standing.map(({ process, automaton, location }) => ({
      process,
      name: automata[automaton]!.locations[location]!.name,
    }));
  expect(at([])).toEqual([
    { process: "Client[0]", name: "line 7" },
    { process: "Server[1]", name: "line 14" },
  ]);
  expect(at([0])).toEqual([
    { process: "Client[0]", name: "line 8" },
    { process: "Server[1]", name: "line 14" },
  ]);
  const [client] = automata;
  const labelled = client!.edges.map(({ from, label }) => [client!.locations[from]!.name, label]);
  expect(labelled).toContainEqual(["line 7", "wire!ask(3)"]);
});

test("parts of a network of transition systems have automata", async () => {
  const file = inRepository("examples/lts/philosophers.fsp");
  const { model, places } = await open(readFileSync(file, "utf8"), file);
  const { automata } = controlView(model, places);
  const { standing } = new Walker(model, places, "m").standing([0]);
  expect(standing.length).toBe(automata.length);
  for (const { automaton, location } of standing)
    expect(location).toBeLessThan(automata[automaton]!.locations.length);
});
