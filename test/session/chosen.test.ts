/** Selection of properties: by name, refused, or none; and reports of accepted results. */
import { describe, expect, test } from "vitest";
import { hasErrors, type Model, type Property } from "../../src/model/index.js";
import { overallVerdict } from "../../src/report/index.js";
import { checkInput, type CheckOptions } from "../../src/session/index.js";
import { chooseEngine, chooseProperties } from "../../src/session/check/choosing.js";
import type { LoadedInput } from "../../src/session/load.js";
import type { EngineResult, Language, Registry } from "../../src/session/contracts.js";
import { registry } from "../../src/session/index.js";
import { toyModel } from "../engines/explicit/toys.js";

const property = (name: string, kind: Property["kind"]): Property => ({ name, kind, span: undefined });
const all = [property("deadlock", "deadlock"), property("a", "invariant"), property("b", "invariant")];
const later = { ...property("c", "ltl"), why: "not yet" };

const loaded = (properties: readonly Property[], unsupported: readonly unknown[] = []): LoadedInput =>
  ({ model: { properties }, unsupported, diagnostics: [], language: "toy" }) as unknown as LoadedInput;

const choose = (
  properties: readonly Property[],
  options: CheckOptions,
  unsupported: readonly unknown[] = [],
) => {
  const chosen = chooseProperties(loaded(properties, unsupported), { file: "m", text: "" }, options)!;
  return {
    checked: chosen.properties.map(({ name }) => name).join(),
    unchecked: chosen.unchecked.map(({ name }) => name).join(),
    codes: chosen.diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    isRefused: hasErrors(chosen.diagnostics),
  };
};

describe("which properties", () => {
  test("all, or those that were named", () => {
    expect(choose(all, {})).toMatchObject({ checked: "deadlock,a,b", unchecked: "", codes: [] });
    expect(choose(all, { properties: ["b"] })).toMatchObject({
      checked: "b",
      unchecked: "deadlock,a",
      codes: [],
    });
    expect(choose(all, { checksDeadlock: false })).toMatchObject({ checked: "a,b", unchecked: "deadlock" });
  });

  test("a name that is none is refused, beside others that are", () => {
    expect(choose(all, { properties: ["b", "z"] })).toMatchObject({
      isRefused: true,
      codes: ["error session/unknown-property"],
    });
    expect(choose(all, { properties: ["z"] }).codes).toEqual(["error session/unknown-property"]);
  });

  test("what cannot be checked is refused, unless something else was named", () => {
    expect(choose(all, {}, [later]).isRefused).toBe(true);
    expect(choose(all, { properties: ["c"] }, [later]).isRefused).toBe(true);
    expect(choose(all, { properties: ["a"] }, [later])).toMatchObject({
      isRefused: false,
      unchecked: "deadlock,b,c",
    });
  });

  test("nothing is no answer", () => {
    expect(choose([], {}).isRefused).toBe(true);
    expect(choose([], { checksDeadlock: false }).isRefused).toBe(true);
    expect(choose(all, { properties: ["deadlock"], checksDeadlock: false }).isRefused).toBe(true);
    expect(choose(all.slice(0, 1), { checksDeadlock: false })).toMatchObject({
      isRefused: false,
      codes: ["note session/nothing-to-check"],
    });
  });
});

test("the engine that was named, or the first that can", () => {
  const engine = (name: string, isAble: boolean, kinds = ["invariant"]) => ({
    name,
    takes: () => isAble,
    accepts: { kinds },
  });
  const engines = {
    engines: [engine("x", false), engine("y", true), engine("z", true, ["invariant", "ltl"])],
  } as unknown as Registry;
  const chosen = (options: CheckOptions, ...kinds: Property["kind"][]): string => {
    const properties = kinds.map((kind) => ({ name: kind, kind, span: undefined }));
    const found = chooseEngine(loaded(all), { file: "m", text: "" }, options, engines, properties)!;
    return "code" in found ? found.code : found.name;
  };
  expect([chosen({}), chosen({ engine: "z" }), chosen({ engine: "x" }), chosen({ engine: "w" })]).toEqual([
    "y",
    "z",
    "session/wrong-engine",
    "session/unknown-engine",
  ]);
});

describe("an answer", () => {
  const toy = toyModel({ initial: [0], next: () => [], isValidEnd: () => true, invariants: [() => true] });
  const scope = { kind: "partial", by: "exhaustion", notes: [] } as const;

  /** The report for given findings of the engine. */
  async function reported(
    end: EngineResult["end"],
    verdict: "unknown" | "violated",
    options: CheckOptions,
    severity?: "error" | "warning",
    model: Model | "none" = toy,
  ) {
    const language = {
      ...registry.languages.find(({ name }) => name === "promela")!,
      load: () =>
        Promise.resolve({
          model: model === "none" ? undefined : model,
          unsupported: [],
          diagnostics: severity
            ? [{ code: "x/y", severity, message: "", span: { file: "m.pml", start: 0, end: 0 } }]
            : [],
        }),
    } as unknown as Language;
    const result: EngineResult = {
      findings: [
        {
          property: toy.invariants[0]!,
          verdict:
            verdict === "violated"
              ? { kind: "violated", reason: "", trace: undefined }
              : { kind: "unknown", reason: "", advice: "" },
          occurrences: 1,
        },
      ],
      scope,
      end,
      runs: [],
      stats: { states: 0, transitions: 0, depth: 0, seconds: 0, peakBytes: 0, bytesPerState: 0 },
      coversAll: false,
      notices: [],
    };
    const explicit = registry.engines.find(({ name }) => name === "explicit")!;
    const engines = [{ ...explicit, takes: () => true, check: () => Promise.resolve(result) }];
    return (
      await checkInput({ file: "m.pml", text: "" }, options, { languages: [language], engines } as Registry)
    ).report;
  }

  test("is none where the text has errors", async () => {
    expect((await reported("complete", "unknown", {}, "error")).properties).toEqual([]);
    expect((await reported("complete", "unknown", {}, "warning")).properties).toHaveLength(1);
  });

  test("is none where nothing was loaded, even if nothing is said about it", async () => {
    const nothing = await reported("complete", "unknown", {}, "warning", "none");
    expect(nothing.properties).toEqual([]);
    expect(nothing.scope.kind).toBe("partial");
  });

  test("is accepted where only a bound, or chance, keeps it from being complete", async () => {
    const accepted = async (...args: Parameters<typeof reported>) => (await reported(...args)).accepted;
    expect(await accepted("budget", "unknown", { accept: "bounded" })).toBe("bounded");
    expect(await accepted("bound", "unknown", { accept: "bounded" })).toBe("bounded");
    expect(await accepted("probable", "unknown", { accept: "probabilistic" })).toBe("probabilistic");
    expect(await accepted("probable", "unknown", { accept: "bounded" })).toBeUndefined();
    expect(await accepted("budget", "unknown", { accept: "probabilistic" })).toBeUndefined();
    expect(await accepted("stopped", "unknown", { accept: "bounded" })).toBeUndefined();
    expect(await accepted("errors", "unknown", { accept: "bounded" })).toBeUndefined();
    expect(await accepted("budget", "violated", { accept: "bounded" })).toBeUndefined();
    expect(await accepted("budget", "unknown", {})).toBeUndefined();
    expect(overallVerdict(await reported("budget", "violated", { accept: "bounded" }))).toBe("violated");
  });
});
