/** What holds in each state of a trace: invariants and propositions, also inside atomic sequences and over gaps. */
import { expect, test } from "vitest";
import { Path } from "../../explorer/src/path.js";
import { Truths } from "../../src/explorer/truths.js";
import { Movements, Places, traceView } from "../../src/explorer/views.js";
import { known } from "../../src/model/known.js";
import { parseSchedule, type Model } from "../../src/model/index.js";
import { narrate } from "../../src/report/index.js";
import { load, registry } from "../../src/session/index.js";

const blinking = `byte x;
ltl odd { []<>(x == 1) }
active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> atomic { x = 9; x = 0 }
  od
}
`;

async function pathOf(model: Model, places: Places, schedule: string): Promise<Path> {
  const movements = new Movements(model, places);
  const truths = new Truths(model);
  const { narrative } = narrate(model.steps, known(parseSchedule(schedule), "schedule"), {
    onState: (state) => (movements.note(state), truths.note(state)),
  });
  const about = { mark: "m", ending: { kind: "open", text: "" }, truths: truths.view } as const;
  return new Path(traceView(model, narrative, places, movements, about));
}

test("agrees with the values of the state, and keeps its truth inside an atomic sequence", async () => {
  const options = { invariants: ["x < 2"] };
  const { model, sources } = await load({ file: "m.pml", text: blinking }, options, registry);
  const path = await pathOf(known(model, "model"), new Places(sources), "0*26");
  const seen = new Set<string>();
  let before = "";
  for (let position = 0; position <= path.last; position++) {
    const x = Number(path.valuesAt(position).get("x"));
    const truths = path.truthsAt(position).map(({ name, isTrue }) => `${name} ${isTrue}`);
    const isInner = position > 0 && path.steps[position - 1]?.isIntermediate === true;
    if (isInner) expect(truths.join()).toBe(before);
    else expect(truths).toEqual([`x == 1 ${x === 1}`, `x < 2 ${x < 2}`]);
    before = truths.join();
    seen.add(`${x}${isInner ? " inside" : ""}`);
  }
  expect([...seen].sort()).toEqual(["0", "1", "2", "3", "9 inside"]);
});

test("a condition that cannot be evaluated hides the list, not the trace", async () => {
  const { model, sources } = await load({ file: "m.pml", text: blinking }, {}, registry);
  const broken: Model = {
    ...known(model, "model"),
    invariants: [{ name: "p", kind: "invariant", span: undefined }],
    holds: () => {
      throw new Error("bad condition");
    },
  };
  const path = await pathOf(broken, new Places(sources), "0*6");
  expect(path.last).toBe(6);
  expect(path.truthsAt(3)).toEqual([]);
});
