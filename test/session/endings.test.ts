/** Judgement of single runs, on simple cases. */
import { describe, expect, test } from "vitest";
import { Entry, parseSchedule, Status, Successors, type Model, type Words } from "../../src/model/index.js";
import { endingOf, shows } from "../../src/session/replay/ending.js";
import { load, registry } from "../../src/session/index.js";
import { violates, violatesAlready } from "../../src/session/replay/lasso.js";
import { toyModel, type Toy } from "../engines/explicit/toys.js";

const promela = async (text: string, ltl: readonly string[] = []): Promise<Model> =>
  (await load({ file: "m.pml", text }, { ltl }, registry)).model!;

/** Does the trace violate the only temporal property? */
async function violated(text: string, formula: string, schedule: string): Promise<boolean> {
  const model = await promela(text, [formula]);
  return violates(model, model.temporal!.properties[0]!, parseSchedule(schedule)!);
}

describe("loops", () => {
  const text = "byte x; active proctype A() { do :: x = 1 - x od }";

  test("a loop that closes shows what its states say", async () => {
    expect(await violated(text, "<> [] (x == 0)", "0(0.0.0.0)")).toBe(true);
    expect(await violated(text, "[] <> (x == 0)", "0(0.0.0.0)")).toBe(false);
  });

  test("a loop that does not close, or takes a step that is not there, shows nothing", async () => {
    expect(await violated(text, "[] (x == 0)", "0(0.0)")).toBe(true);
    expect(await violated(text, "[] (x == 0)", "0(0)")).toBe(false);
    expect(await violated(text, "[] (x == 0)", "0(0.7)")).toBe(false);
    expect(await violated(text, "[] (x == 0)", "7(0)")).toBe(false);
    expect(await violated(text, "[] (x == 0)", "0.1")).toBe(false);
  });

  test("an execution that ends stays where it is, if nothing can move", async () => {
    const ending = "byte x; active proctype A() { x = 1; x = 2 }";
    expect(await violated(ending, "<> [] (x == 1)", "0.0.0()")).toBe(true);
    expect(await violated(ending, "<> [] (x == 1)", "0()")).toBe(false);
    expect(await violated(ending, "<> (x == 2)", "0()")).toBe(false);
  });

  test("what happens inside an atomic sequence is not seen", async () => {
    const atomic = "byte x; active proctype A() { do :: atomic { x = 1; x = 0 } od }";
    expect(await violated(atomic, "[] (x == 0)", "0.0(0.0)")).toBe(false);
    expect(await violated(atomic, "[] <> (x == 1)", "0.0(0.0)")).toBe(true);
  });

  test("a step that fails leads nowhere", async () => {
    const failing = "byte x, a[2]; active proctype A() { x = 2; a[x] = 1 }";
    expect(await violated(failing, "[] (x == 0)", "0.0()")).toBe(false);
    expect(await violated(failing, "[] (x == 0)", "0()")).toBe(true);
  });

  test("a system that fails while it starts shows nothing of how it would go on", async () => {
    const model = await promela(text, ["[] (x == 1)"]);
    const [property] = model.temporal!.properties;
    const initial = (out: Successors): void => {
      model.steps.initial(out);
      out.flags[0]! |= Entry.dead;
    };
    const steps = Object.create(model.steps, { initial: { value: initial } }) as Model["steps"];
    for (const [start, is] of [
      [model.steps, true],
      [steps, false],
    ] as const) {
      const started = { ...model, steps: start };
      expect(violates(started, property!, parseSchedule("0(0.0)")!)).toBe(is);
      expect(violatesAlready(started, property!, [])).toBe(is);
      expect(violatesAlready(started, property!, [0, 0])).toBe(is);
    }
  });

  test("a claim is matched by what its automaton accepts", async () => {
    const claimed = await promela(`${text} never { accept: do :: x == 0 od }`);
    const matches = (schedule: string): boolean =>
      violates(claimed, claimed.temporal!.properties[0]!, parseSchedule(schedule)!);
    expect(matches("0.0(0.0)")).toBe(false);
    const still = await promela("byte x; active proctype A() { x = 0 } never { accept: do :: x == 0 od }");
    expect(violates(still, still.temporal!.properties[0]!, parseSchedule("0.0()")!)).toBe(true);
  });
});

describe("the last state", () => {
  const toy: Toy = {
    initial: [0],
    next: ([n = 0]) => (n < 2 ? [{ to: [n + 1] }] : []),
    isValidEnd: ([n = 0]) => n === 2,
    sites: ["assertion", "division-by-zero", "deadlock"],
    invariants: [([n = 0]) => n !== 1, () => true, ([n = 0]) => n === 2],
    kinds: ["invariant", "invariant", "agef"],
  };
  const model = toyModel(toy);
  const state = (n: number): Words => Int32Array.of(n);
  const shown = (kind: string, n: number, fault = -1): boolean =>
    shows(
      model,
      model.properties.find((property) => property.kind === kind)!,
      {
        choices: [],
        loopStart: undefined,
        words: state(n),
        fault,
      },
    );

  test("a fault shows the property of its kind, and no other", () => {
    expect([shown("assertion", 2, 0), shown("assertion", 2, 1), shown("assertion", 2)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([shown("runtime", 2, 1), shown("runtime", 2, 0), shown("runtime", 2)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(shown("runtime", 2, 2)).toBe(false);
    const dividing = toyModel({ ...toy, sites: ["division-by-zero"] });
    const at = { choices: [], loopStart: undefined, words: state(2), fault: 0 };
    expect(
      shows(
        dividing,
        dividing.properties.find(({ kind }) => kind === "runtime")!,
        at,
      ),
    ).toBe(true);
  });

  test("a deadlock is a state without a way on that is no proper end", () => {
    const stuck = toyModel({ ...toy, isValidEnd: () => false });
    const [, deadlock] = stuck.properties;
    const at = (n: number, fault = -1) => ({ choices: [], loopStart: undefined, words: state(n), fault });
    expect([
      shows(stuck, deadlock!, at(2)),
      shows(stuck, deadlock!, at(1)),
      shows(model, deadlock!, at(2)),
    ]).toEqual([true, false, false]);
    expect(shows(model, deadlock!, at(1, 2))).toBe(true);
    expect(endingOf(stuck, state(2), -1).kind).toBe("failed");
    expect(endingOf(stuck, state(2), -1, false).kind).toBe("ended");
    expect(endingOf(model, state(2), -1).kind).toBe("ended");
    expect(endingOf(model, state(0), -1)).toMatchObject({ kind: "open", choices: 1 });
  });

  test("an invariant is that of its name, in that state", () => {
    const [, , , first, second] = model.properties;
    const at = (n: number) => ({ choices: [], loopStart: undefined, words: state(n), fault: -1 });
    expect([shows(model, first!, at(1)), shows(model, first!, at(2)), shows(model, second!, at(1))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(endingOf(model, state(1), -1)).toMatchObject({ kind: "failed", property: first });
  });

  test("out of reach is what no continuation meets", () => {
    expect([shown("agef", 0), shown("agef", 2)]).toEqual([false, false]);
    const never = toyModel({ ...toy, invariants: [() => true, () => true, ([n = 0]) => n === 0] });
    const goal = never.properties.find(({ kind }) => kind === "agef")!;
    const at = (n: number) => ({ choices: [], loopStart: undefined, words: state(n), fault: -1 });
    expect([shows(never, goal, at(1)), shows(never, goal, at(0))]).toEqual([true, false]);
    const passing = toyModel({ ...toy, invariants: [() => true, () => true, ([n = 0]) => n === 1] });
    const aim = passing.properties.find(({ kind }) => kind === "agef")!;
    expect(shows(passing, aim, at(0))).toBe(false);
    // A process inside an atomic sequence is not observable.
    const status = (words: Words): number => (words[0] === 1 ? Status.intermediate : 0);
    expect(shows({ ...passing, steps: { ...passing.steps, status } }, aim, at(0))).toBe(true);
  });

  test("an invariant says nothing inside an atomic sequence", async () => {
    const text = "byte x; active proctype A() { atomic { x = 1; x = 0 } }";
    const { model: atomic } = await load({ file: "m.pml", text }, { invariants: ["x == 0"] }, registry);
    const out = new Successors(atomic!.steps.width);
    atomic!.steps.initial(out);
    const initial = out.words.slice(0, out.stride);
    out.clear();
    atomic!.steps.successors(initial, 0, out);
    expect(endingOf(atomic!, out.words.slice(0, out.stride), -1).kind).toBe("open");
  });
});
