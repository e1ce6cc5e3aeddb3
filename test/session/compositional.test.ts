/** Compositions against the uncomposed product: same verdicts, and every trace is replayed there. */
import { describe, expect, test } from "vitest";
import { ltsProduct } from "../../src/compile/lts.js";
import { StateFormulas, acceptedRun } from "../../src/engines/lts/index.js";
import { exploreLts } from "../../src/engines/explicit/index.js";
import {
  ERROR_NAME,
  LtsBuilder,
  Sources,
  TAU_NAME,
  isComposition,
  type Hierarchy,
  type Lts,
  type LtsNetwork,
  type SyncVector,
} from "../../src/model/index.js";
import { checkInput, registry, Random, type CheckOptions } from "../../src/session/index.js";
import { reportProperties } from "../../src/session/check/property-reports.js";
import { engineRequest } from "../../src/session/check/engine-request.js";
import { check } from "../../src/session/engines/compositional.js";
import { RelationProblem } from "../../src/session/lts/relation-problem.js";
import { actionsOf } from "../../src/session/lts/labels.js";
import { asked } from "../../src/session/lts/questions.js";
import { randomLts } from "../engines/lts/random-lts.js";

const span = { file: "random", start: 0, end: 0 };
const names = ["a", "b", "c"];

function randomNetwork(random: Random): LtsNetwork {
  const count = 2 + random.below(3);
  const parts = Array.from({ length: count }, (_, i) => {
    const states = 1 + random.below(4);
    const lts = randomLts(random, { states, labels: 3, transitions: states + random.below(4) });
    if (random.below(5) === 0) return { name: `p${i}`, lts: failing(random, lts) };
    const isTwice = random.below(8) === 0 && states > 1;
    return { name: `p${i}`, lts: isTwice ? { ...lts, initial: [0, 1] } : lts };
  });
  const labels = ["x", "y", "z", TAU_NAME];
  const vectors = Array.from({ length: 3 + random.below(5) }, (): SyncVector => {
    const own = parts.map(() => (random.below(2) === 0 ? undefined : names[random.below(3)]));
    own[random.below(count)] ??= names[random.below(3)];
    return { label: labels[random.below(labels.length)], labels: own };
  });
  return {
    name: "random",
    parts,
    vectors: [...vectors, { label: "x", labels: ["a", ...parts.slice(1).map(() => undefined)] }],
    span,
  };
}

/** Some transition leads to an additional state, the error state. */
function failing(random: Random, lts: Lts): Lts {
  const builder = new LtsBuilder();
  for (const label of lts.labels.slice(1)) builder.labels.of(label);
  const failed = random.below(lts.targets.length);
  for (let s = 0; s < lts.states; s++)
    for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++)
      builder.add(s, lts.actions[t], t === failed ? lts.states : lts.targets[t]);
  builder.add(lts.states, builder.labels.of(ERROR_NAME), lts.states);
  return builder.finish(lts.states + 1, lts.initial, lts.states);
}

/** Random groups of all parts. */
function randomHierarchy(random: Random, parts: readonly string[]): Hierarchy {
  if (parts.length <= 2 || random.below(3) === 0) return { name: parts.join(), children: [...parts] };
  const cut = 1 + random.below(parts.length - 1);
  const [left, right] = [parts.slice(0, cut), parts.slice(cut)];
  return {
    name: parts.join(),
    children: [randomHierarchy(random, left), right.length === 1 ? right[0] : randomHierarchy(random, right)],
  };
}

const formulas = [
  "AG [x] false",
  "AG EF <x> true",
  "AG !deadlock",
  "EF (deadlock & EF <x> true)",
  "AF <x> true",
  "AG (AF deadlock)",
  "EG (EF <x> true)",
  "A[EF <x> true U AG [x] false]",
  "<any* . x . any* . x> true",
  "<x> true",
  "[tau] <x> true",
  "nu X. [any] X & !deadlock",
  "E[ EF <x> true {!x} U AG [x] false ]",
];
const runs = ["G F x", "F x", "G !x", "x U x", "G (x -> X x)", "F G !x"];

async function flat(network: LtsNetwork): Promise<Lts> {
  const { lts } = await exploreLts(
    actionsOf(ltsProduct(network).model, () => true),
    {},
    {},
  );
  if (!lts) throw new Error("not explored");
  return lts;
}

describe("random networks", () => {
  test("agree with the product, for every relation that the gate lets pass", async () => {
    const random = new Random(24);
    const seen = { holds: 0, violated: 0, refused: 0 };
    for (let i = 0; i < 200; i++) {
      const network = randomNetwork(random);
      const sources = new Sources();
      const one = formulas[random.below(formulas.length)];
      const ltl = runs[random.below(runs.length)];
      const loaded = asked(
        network,
        ltsProduct(network),
        {},
        { file: "random", text: "" },
        { formulas: [one], ltl: [ltl], sources },
      );
      const { subject, model } = loaded;
      if (!isComposition(subject) || !model) throw new Error(JSON.stringify(loaded.diagnostics));
      const hierarchy =
        random.below(2) === 0
          ? undefined
          : randomHierarchy(
              random,
              network.parts.map(({ name }) => name),
            );
      const lts = await flat(network);
      for (const property of subject.properties) {
        const question = subject.questions.get(property.name);
        const expected = ((): boolean => {
          switch (question?.kind) {
            case "deadlock":
              return !lts.initial.some(
                (s) =>
                  new StateFormulas(lts).holds({
                    kind: "exists-until",
                    during: { kind: "true" },
                    by: { kind: "any" },
                    then: { kind: "deadlock" },
                  })[s] === 1,
              );
            case "states":
              return lts.initial.every((s) => new StateFormulas(lts).holds(question.formula)[s] === 1);
            case "runs": {
              const visible = {
                ...lts,
                actions: lts.actions.map((a) => (question.letterOf(lts.labels[a]) === 0 ? 0 : a)),
              };
              return acceptedRun(visible, question.automaton, question.letterOf) === undefined;
            }
            default:
              return lts.error < 0;
          }
        })();
        for (const relation of [undefined, "strong", "divergence-branching", "branching", "weak"]) {
          const request = engineRequest(
            { file: "random", text: "" },
            [property],
            { ...(relation ? { relation } : {}) },
            undefined,
            sources,
          );
          try {
            const result = await check(
              {
                model,
                subject: { ...subject, hierarchy } as typeof subject,
                unsupported: [],
                diagnostics: [],
              },
              request,
            );
            const [report] = reportProperties(model, result);
            seen[report.verdict === "holds" ? "holds" : "violated"]++;
            if (report.verdict !== (expected ? "holds" : "violated"))
              throw new Error(`network ${i}, '${property.name}', ${relation}: ${report.verdict}`);
          } catch (error) {
            if (!(error instanceof RelationProblem))
              throw new Error(`network ${i}, '${property.name}', ${relation}`, { cause: error });
            expect(relation).toBeDefined();
            seen.refused++;
          }
        }
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(200);
  }, 300_000);
});

const files: Readonly<Record<string, string>> = {
  "loop.aut": "des (0, 2, 2)\n(0, a, 1)\n(1, i, 1)\n",
  "server.aut": "des (0, 2, 2)\n(0, get, 1)\n(1, put, 0)\n",
  "broken.aut": "des (0, 2, 2)\n(0, get, 1)\n(1, put, -1)\n",
};

const checkText = (file: string, text: string, options: CheckOptions) =>
  checkInput({ file, text, readFile: (path) => files[path] }, options, registry).then(({ report }) => report);

const diverging = "part p = loop.aut\nx <- a\n";
const pair = "part p = server.aut\npart q = server.aut\nget <- get * get\nput <- put * put\n";

describe("the gate", () => {
  test("endless internal work is no deadlock, and weak bisimilarity is refused with a reason", async () => {
    const kept = await checkText("d.vectors", diverging, { engine: "compositional" });
    expect(kept.properties.map(({ verdict }) => verdict)).toEqual(["holds"]);
    const { diagnostics } = await checkText("d.vectors", diverging, {
      engine: "compositional",
      relation: "weak",
    });
    expect(diagnostics[0]).toMatchObject({ code: "session/relation-not-kept" });
    expect(diagnostics[0].message).toMatch(/'deadlock'.*endless internal work/);
  });

  test("a run that diverges is a run", async () => {
    const { properties } = await checkText("d.vectors", diverging, { ltl: ["G F x"] });
    expect(properties.map(({ verdict }) => verdict)).toEqual(["holds", "violated"]);
    expect(properties[1].trace?.loopStart).toBe(1);
  });
});

describe("questions", () => {
  test.each([
    [{ formulas: ["AG [gte] false"] }, "formula/unknown-action"],
    [{ ltl: ["G F gte"] }, "formula/unknown-action"],
    [{ formulas: ["AG ["] }, "formula/syntax"],
    [{ hierarchy: "none.json", engine: "compositional" }, "composition/hierarchy"],
  ] as const)("%j is diagnosed: %s", async (options, code) => {
    const { diagnostics } = await checkText("p.vectors", pair, options);
    expect(diagnostics.map((each) => each.code)).toEqual([code]);
  });

  test.each([
    ['{ "name": "s", "children": ["p"] }', /'q' is missing/],
    ['{ "name": "s", "children": ["p", "q", "q"] }', /'q' stands twice/],
    ['{ "name": "s", "children": ["p", "q", "r"] }', /no part 'r'/],
    ["{", /not JSON/],
    ['{ "children": [] }', /expected/],
  ])("hierarchy %s", async (text, message) => {
    const input = {
      file: "p.vectors",
      text: pair,
      readFile: (path: string) => ({ ...files, "h.json": text })[path],
    };
    const { report } = await checkInput(input, { engine: "compositional", hierarchy: "h.json" }, registry);
    expect(report.diagnostics[0]).toMatchObject({ code: "composition/hierarchy" });
    expect(report.diagnostics.some((each) => message.test(each.message))).toBe(true);
  });

  test("a limit names the group that exceeds it", async () => {
    const { properties } = await checkText("p.vectors", pair, {
      engine: "compositional",
      budget: { maxStates: 1 },
    });
    expect(properties[0]).toMatchObject({ verdict: "unknown", reason: "part 'p' has more than 1 states" });
  });

  test("the error state of a part is reached, with a trace", async () => {
    const text = "part p = broken.aut\npart q = server.aut\nget <- get * get\nput <- put * put\n";
    const { properties } = await checkText("p.vectors", text, { engine: "compositional" });
    expect(properties.map(({ property, verdict }) => [property.name, verdict])).toEqual([
      ["error state", "violated"],
      ["deadlock", "holds"],
    ]);
    expect(properties[0].trace?.steps.map(({ action }) => action)).toEqual(["get", "put"]);
  });

  test("an action is hidden only after all its partners have joined", async () => {
    const text =
      "part p = server.aut\npart q = server.aut\npart r = loop.aut\ntau <- get * get * a\nput <- put * put * _\n";
    const { properties } = await checkText("p.vectors", text, {
      engine: "compositional",
      formulas: ["AG [put] false"],
    });
    expect(properties.at(-1)?.verdict).toBe("violated");
  });

  test("a violated property watches, errors of parts end the run before it", async () => {
    const text =
      "P = (a -> ERROR | b -> c -> STOP).\nproperty SAFE = (b -> SAFE) + {c}.\n||S = (P || SAFE).\n";
    for (const engine of ["explicit", "compositional"]) {
      const { properties } = await checkText("s.fsp", text, {
        engine,
        ...(engine === "explicit" ? { maxErrors: 10 } : {}),
      });
      const verdicts = new Map(properties.map(({ property, verdict }) => [property.name, verdict]));
      expect(Object.fromEntries(verdicts)).toEqual({
        "error state": "violated",
        SAFE: "violated",
        deadlock: "violated",
      });
    }
  });

  test("an action that only a property has is possible, by composition as by a search", async () => {
    const text = "P = STOP.\nproperty SAFE = (a -> SAFE).\n||S = (P || SAFE).\n";
    for (const engine of ["explicit", "compositional"]) {
      const { properties } = await checkText("w.fsp", text, { engine });
      expect(properties.map(({ verdict }) => verdict)).toEqual(["holds", "holds"]);
    }
    const { properties } = await checkText("w.fsp", text, { formulas: ["AG <a> true", "AG [a] false"] });
    expect(properties.map(({ verdict }) => verdict)).toEqual(["holds", "holds", "holds", "violated"]);
  });

  test("a formula is about runs that go on after a violated property", async () => {
    const text = "P = (a -> b -> P).\nproperty SAFE = (b -> SAFE) + {a}.\n||S = (P || SAFE).\n";
    const { properties } = await checkText("v.fsp", text, {
      formulas: ["AG [b] false", "AG EF <b> true"],
      ltl: ["G !b"],
    });
    const verdicts = properties.map(({ property, verdict }) => [property.name, verdict]);
    expect(verdicts).toEqual([
      ["SAFE", "violated"],
      ["deadlock", "holds"],
      ["AG [b] false", "violated"],
      ["AG EF <b> true", "holds"],
      ["G !b", "violated"],
    ]);
  });

  test("a hierarchy is refused where nothing is composed", async () => {
    const text = '{ "name": "s", "children": ["p", "q"] }';
    const readFile = (path: string) => ({ ...files, "h.json": text })[path];
    const input = { file: "p.vectors", text: pair, readFile };
    const { report } = await checkInput(input, { engine: "explicit", hierarchy: "h.json" }, registry);
    const { diagnostics } = report;
    expect(diagnostics.map(({ code }) => code)).toEqual(["session/option-not-taken"]);
  });

  test("progress is decided by composition as by a search", async () => {
    const text =
      "P = (up -> down -> P | off -> Q), Q = (idle -> Q).\nprogress UP = {up}\nprogress IDLE = if {idle} then {idle}\n";
    for (const engine of ["explicit", "compositional"]) {
      const { properties } = await checkText("s.fsp", text, {
        engine,
        properties: ["progress UP", "progress IDLE"],
      });
      expect(properties.map(({ verdict }) => verdict)).toEqual(["violated", "holds"]);
    }
  });
});
