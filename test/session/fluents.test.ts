/** Assertions over fluents: figures of the literature, agreement with a naive evaluation of all short runs, refusals. */
import { describe, expect, test } from "vitest";
import { checkInput, registry, replayInput } from "../../src/session/index.js";

const check = async (text: string, name?: string) => {
  const { report } = await checkInput(
    { file: "system.fsp", text },
    name === undefined ? {} : { properties: [name] },
    registry,
  );
  return report;
};
const verdict = async (text: string, name: string): Promise<string> => {
  const report = await check(text, name);
  return report.properties[0]?.verdict ?? report.diagnostics.map(({ code }) => code).join();
};

const LOCKS = `
CLIENT = (acquire -> enter -> exit -> release -> CLIENT).
LOCK = ({acquire, release} -> LOCK).
SAFE = (acquire -> release -> SAFE).
fluent INSIDE[i:1..2] = <c[i].enter, c[i].exit>
assert MUTEX = []!(INSIDE[1] && INSIDE[2])
assert ALL = forall [i:1..2] []<>c[i].enter
assert SOME = []<>(c[1].enter || c[2].enter)
||SYSTEM = (c[1..2]:CLIENT || c[1..2]::LOCKNAME).
`;
const locks = (lock: string): string => LOCKS.replace("LOCKNAME", lock);

describe("two clients and a lock", () => {
  test("mutual exclusion over fluents", async () => {
    expect(await verdict(locks("SAFE"), "MUTEX")).toBe("holds");
    const report = await check(locks("LOCK"), "MUTEX");
    expect(report.properties[0]).toMatchObject({ verdict: "violated" });
    const actions = report.properties[0]?.trace?.steps.map(({ action }) => action) ?? [];
    expect(actions).toContain("c.1.enter");
    expect(actions).toContain("c.2.enter");
  });

  test("liveness without fairness: some client enters again and again, not each", async () => {
    expect(await verdict(locks("SAFE"), "SOME")).toBe("holds");
    const { properties } = await check(locks("SAFE"), "ALL");
    expect(properties[0]?.verdict).toBe("violated");
    const schedule = properties[0]?.trace?.schedule ?? "";
    const input = { file: "system.fsp", text: locks("SAFE") };
    expect(await replayInput(input, { schedule }, {}, registry)).toMatchObject({
      outcome: "failed",
      property: { name: "ALL" },
    });
  });
});

/** Formulas over the runs of one process: expected verdicts by hand. */
test.each([
  ["P = (a -> b -> P).", "assert T = []<>a", "holds"],
  ["P = (a -> b -> P).", "assert T = [](a -> X b)", "holds"],
  ["P = (a -> c -> b -> P).", "assert T = [](a -> X b)", "violated"],
  ["P = (a -> c -> b -> P).", "assert T = [](a -> <>b)", "holds"],
  // The first position is the moment after the first action.
  ["P = (a -> b -> P).", "assert T = a", "holds"],
  ["P = (a -> b -> P).", "assert T = b", "violated"],
  ["P = (a -> b -> P).", "assert T = X b", "holds"],
  ["P = (a -> b -> P).", "fluent F = <a, b> assert T = F", "holds"],
  ["P = (b -> a -> P).", "fluent F = <a, b> assert T = F", "violated"],
  ["P = (b -> a -> P).", "fluent F = <a, b> initially 1 assert T = F", "violated"],
  ["P = (c -> b -> a -> P).", "fluent F = <a, b> initially 1 assert T = F", "holds"],
  ["P = (c -> b -> a -> P).", "fluent F = <a, b> initially 1 assert T = F U b", "holds"],
  ["P = (c -> b -> a -> P).", "fluent F = <a, b> initially 1 assert T = F W b", "holds"],
  ["P = (c -> b -> a -> P).", "fluent F = <a, b> assert T = F W b", "violated"],
  // A run that ends stays as it is.
  ["P = (a -> STOP).", "fluent F = <a, b> assert T = <>[]F", "holds"],
  ["P = (a -> STOP) + {b}.", "fluent F = <a, b> assert T = []<>!F", "violated"],
  // A cycle whose first turn begins with other values.
  ["P = (c -> a -> Q), Q = (c -> Q).", "fluent F = <a, b> assert T = <>[]F", "holds"],
  ["P = (c -> a -> Q), Q = (c -> b -> a -> Q).", "fluent F = <a, b> assert T = <>[]F", "violated"],
  ["P = (c -> a -> Q), Q = (c -> b -> a -> Q).", "fluent F = <a, b> assert T = []<>F && []<>!F", "holds"],
  // Other assertions, rigid conditions, sets, quantifiers.
  ["P = (a -> b -> P).", "assert S = []<>a assert T = S && []<>b", "holds"],
  ["P = (a -> b -> P).", "assert T = [](rigid(1 == 1) -> {a, b})", "holds"],
  ["P = (a[i:0..1] -> P).", "assert T = exists [i:0..1] <>a[i]", "holds"],
  ["P = (a[i:0..1] -> P).", "assert T = forall [i:0..1] <>a[i]", "violated"],
  ["P = (a -> b -> P).", "assert T = (a && b) || ![]!b", "holds"],
  ["P = (a -> b -> P) \\ {b}.", "assert T = []a", "holds"],
])("%s %s: %s", async (processes, formula, expected) => {
  expect(await verdict(`${processes}\n${formula}\n`, "T")).toBe(expected);
});

test.each([
  ["assert T = []zz", "fsp/unknown-action"],
  ["fluent F = <zz, b> assert T = []F", "fsp/unknown-action"],
  ["fluent F = <a, {a, b}> assert T = []F", "fsp/fluent"],
  ["assert T = a || b -> a", "fsp/ambiguous"],
  ["assert T = a -> b -> a", "fsp/ambiguous"],
  ["assert T = G", "fsp/unknown-name"],
  ["assert T = []T", "fsp/recursive"],
  ["fluent F[i:0..1] = <a, b> assert T = F", "fsp/index-count"],
  ["fluent F[i:0..1] = <a, b> assert T = F[2]", "fsp/no-element"],
  ["fluent F = <a, b> fluent F = <b, a> assert T = F", "fsp/twice"],
])("%s is refused: %s", async (formula, code) => {
  expect(await verdict(`P = (a -> b -> P).\n${formula}\n`, "T")).toBe(code);
});
