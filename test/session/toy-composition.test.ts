/** Two families composed through the contracts alone: a Promela program and a Petri net, interleaved. */
import { expect, test } from "vitest";
import { Successors, type Model, type System, type Words } from "../../src/model/index.js";
import { load, registry } from "../../src/session/index.js";
import { checkModel, STORES } from "../engines/explicit/checking.js";

const program = `byte x; active proctype P() { end: do :: x < 3 -> x++ :: x > 0 -> x-- od }`;
const net =
  "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; b >= 1 -> b' = b - 1, a' = a + 1; init a = 2, b = 0 target b >= 3";

test("has the product of the states, and violations of either part with a trace", async () => {
  const [left, right] = await Promise.all([
    modelOf("m.pml", program, "x < 3"),
    modelOf("n.spec", net, "b < 2"),
  ]);
  const counts = await Promise.all(
    [left, right].map(async (model) => (await checkModel(model)).stats.states),
  );
  const both = interleaved(left, right);
  for (const order of ["bfs", "dfs"] as const)
    for (const store of STORES) {
      const { stats, findings } = await checkModel(both, { order, store });
      expect(stats.states).toBe(counts.reduce((a, b) => a * b, 1));
      for (const [index, invariant] of both.invariants.entries()) {
        if (invariant.kind !== "invariant") continue;
        const finding = findings.find(({ property }) => property === invariant);
        if (finding?.verdict.kind !== "violated") throw new Error("both invariants are violated");
        expect(both.holds(index, after(both.steps, finding.verdict.trace?.choices ?? []), 0)).toBe(false);
      }
    }
});

async function modelOf(file: string, text: string, invariant: string): Promise<Model> {
  const { model, diagnostics } = await load({ file, text }, { invariants: [invariant] }, registry);
  if (!model) throw new Error(diagnostics.map(({ message }) => message).join());
  return model;
}

/** A state is a state of each part; a step is a step of one of them. */
function interleaved(a: Model, b: Model): Model {
  const [system, steps] = [pair(a.system, b.system), pair(a.steps, b.steps)];
  const split = a.invariants.length;
  return {
    system,
    steps: {
      ...steps,
      describe: (state, at, choice) => {
        const own = countOf(a.steps, state, at);
        return choice < own
          ? a.steps.describe(state, at, choice)
          : b.steps.describe(state, at + a.steps.width, choice - own);
      },
      snapshot: (state, at) => [
        ...a.steps.snapshot(state, at),
        ...b.steps.snapshot(state, at + a.steps.width),
      ],
      processes: (state, at) => [
        ...a.steps.processes(state, at),
        ...b.steps.processes(state, at + a.steps.width),
      ],
    },
    properties: [...a.invariants, ...b.invariants],
    invariants: [...a.invariants, ...b.invariants],
    holds: (index, state, at) =>
      index < split ? a.holds(index, state, at) : b.holds(index - split, state, at + a.system.width),
    sites: [],
    coverage: { parts: [], reached: new Uint8Array(0) },
  };
}

function pair(a: System, b: System): System {
  const width = a.width + b.width;
  const append = (out: Successors, first: Words, second: Words): void => {
    if (out.count === out.capacity) out.grow();
    out.words.set([...first, ...second], out.count++ * out.stride);
  };
  return {
    width,
    compareFrom: 0,
    initial: (out) => {
      const [[first], [second]] = [entries(a, (to) => a.initial(to)), entries(b, (to) => b.initial(to))];
      if (first && second) append(out, first, second);
    },
    successors: (state, at, out) => {
      const [own, other] = [state.slice(at, at + a.width), state.slice(at + a.width, at + width)];
      for (const next of entries(a, (to) => a.successors(own, 0, to))) append(out, next, other);
      for (const next of entries(b, (to) => b.successors(other, 0, to))) append(out, own, next);
    },
    status: (state, at) => a.status(state, at) & b.status(state, at + a.width),
  };
}

function entries({ width }: System, append: (out: Successors) => void): Words[] {
  const out = new Successors(width);
  append(out);
  return Array.from({ length: out.count }, (_, entry) => out.stateAt(entry));
}

const countOf = (system: System, state: Words, at: number): number =>
  entries(system, (out) => system.successors(state.slice(at, at + system.width), 0, out)).length;

/** The state after the choices. */
function after(system: System, choices: readonly number[]): Words {
  const start = entries(system, (out) => system.initial(out))[0];
  const end = choices.reduce<Words | undefined>(
    (state, choice) => state && entries(system, (out) => system.successors(state, 0, out))[choice],
    start,
  );
  if (!end) throw new Error("the trace leaves the system");
  return end;
}
