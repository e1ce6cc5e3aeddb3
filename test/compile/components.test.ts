/** Controllers as nets of small automata: the same systems as the table of their rules, and the conditions of operations. */
import { describe, expect, test } from "vitest";
import { componentNetwork } from "../../src/compile/components/index.js";
import { ltsModel } from "../../src/compile/lts.js";
import { exploreLts } from "../../src/engines/explicit/index.js";
import { comparing } from "../../src/engines/lts/index.js";
import { loadFractal } from "../../src/languages/fractal/index.js";
import { END_NAME, type Architecture, type Lts } from "../../src/model/index.js";
import { readBehaviour } from "../../src/session/components/behaviours.js";
import { readInput } from "../../src/session/index.js";
import { actionsOf } from "../../src/session/lts/labels.js";
import { inRepository } from "../repository.js";
import { tableOf } from "./component-table.js";

const TYPES = "<types>interface L { log(); }</types>";
const part = (name: string, interfaces: string, behaviour: string): string =>
  `<component name="${name}">${interfaces}<content><behaviour>${behaviour}</behaviour></content></component>`;
const server = '<interface name="in" role="server" signature="L"/>';
const client = '<interface name="out" role="client" signature="L"/>';
const RECEIVES = 'des (0, 1, 1)\n(0, "?in.log", 0)';
const CALLS = 'des (0, 1, 1)\n(0, "!out.log", 0)';

function architecture(
  text: string,
  options = {},
  file = "t.fractal",
  files: Readonly<Record<string, string>> = {},
): Architecture {
  const { readFile = () => undefined } =
    file === "t.fractal" ? {} : (readInput(file) as { readFile?: (path: string) => string | undefined });
  const { architecture: found, diagnostics } = loadFractal(file, text, {
    readFile: (path) => files[path] ?? readFile(path),
    addSource: () => undefined,
    readBehaviour,
    ...options,
  });
  if (!found) throw new Error(JSON.stringify(diagnostics));
  return found;
}

async function systemOf(of: Architecture): Promise<Lts> {
  const { network } = componentNetwork(of);
  const vectors = network.vectors.filter(({ label }) => label !== END_NAME);
  const { lts } = await exploreLts(
    actionsOf(ltsModel({ ...network, vectors }), () => true),
    {},
    {},
  );
  if (!lts) throw new Error("not explored");
  return lts;
}

const taken = async (of: Architecture): Promise<Set<string>> => {
  const { labels, actions } = await systemOf(of);
  return new Set([...actions].map((action) => labels[action] ?? ""));
};

function isAlike(first: Lts, second: Lts): boolean {
  const slices = comparing(first, second, "strong");
  while (slices.advance(Infinity));
  return slices.result().isRelated;
}

describe("strongly bisimilar to the table", () => {
  const self = `<definition name="W">${TYPES}${part("A", server + client, 'des (0, 3, 2)\n(0, "!out.log", 1)\n(1, "?in.log", 0)\n(1, tau, 1)')}</definition>`;
  const pair = `<definition name="W">${TYPES}${server}${part("A", client, CALLS)}${part("B", server, RECEIVES)}</definition>`;
  test.each([
    ["a part that may be bound to itself, with internal steps", self],
    ["two parts behind a provided interface", pair],
  ])("%s", async (_, text) => {
    for (const exposesSubcontrol of [false, true]) {
      const free = architecture(text, { isFree: true, exposesSubcontrol });
      expect(isAlike(await systemOf(free), tableOf(free))).toBe(true);
    }
  });

  test("the composite C of the examples", async () => {
    const file = inRepository("examples/components/C.fractal");
    const { text } = readInput(file) as { text: string };
    const free = architecture(text, { isFree: true }, file);
    const lts = await systemOf(free);
    expect([lts.states, lts.targets.length]).toEqual([640, 3808]);
    expect(isAlike(lts, tableOf(free))).toBe(true);
  });
});

describe("plans", () => {
  const system = (
    operations: string,
    parts = part("A", client, CALLS) + part("B", server, RECEIVES),
  ): string =>
    `<definition name="W">${TYPES}${parts}<binding client="A.out" server="B.in"/><reconfiguration><op name="stop"/>${operations}</reconfiguration></definition>`;

  test("nothing that the plan does not name is executed", async () => {
    const labels = await taken(architecture(system("")));
    expect(labels).toEqual(new Set(["W/A.bind(out,B.in)", "W.start", "W.stop", "A.out.log>B.in", "tau"]));
  });

  test("a deadlock before the changes is not hidden by them", async () => {
    const parts = part("A", client, CALLS) + part("B", server, 'des (0, 1, 2)\n(0, "?in.log", 1)');
    const { network } = componentNetwork(architecture(system("", parts)));
    const { lts } = await exploreLts(
      actionsOf(ltsModel(network), () => true),
      {},
      {},
    );
    const { firsts = [], states = 0 } = lts ?? {};
    const stuck = Array.from({ length: states }, (_, s) => s).filter((s) => firsts[s] === firsts[s + 1]);
    expect(stuck.length).toBeGreaterThan(0);
  });

  test("a part to which another is bound is not removed", async () => {
    expect(await taken(architecture(system('<op name="remove" component="B"/>')))).not.toContain(
      "W/B.remove",
    );
    const first = '<op name="unbind" client="A.out"/><op name="remove" component="B"/>';
    expect(await taken(architecture(system(first)))).toContain("W/B.remove");
  });

  const added = `<definition name="D">${TYPES}${part("E", server, RECEIVES)}${server}<binding client="this.in" server="E.in"/></definition>`;
  test("what is absent does not run, and nobody is bound to it", async () => {
    const files = { "D.fractal": added };
    const unbind = '<op name="unbind" client="A.out"/>';
    const bind = '<op name="bind" client="A.out" server="D.in"/>';
    const add = '<op name="add" component="D" definition="D"/>';
    const inner = '<op name="bind" in="D" client="this.in" server="E.in"/>';
    const right = await taken(
      architecture(system(unbind + add + inner + bind + '<op name="start"/>'), {}, "t.fractal", files),
    );
    expect(right).toContain("A.out.log>D.in");
    const removed = '<op name="remove" component="D"/>';
    const gone = await taken(architecture(system(unbind + add + removed + bind), {}, "t.fractal", files));
    expect(gone).toContain("W/D.remove");
    expect(gone).not.toContain("W/A.bind(out,D.in)");
    // Before it is added, what it contains is not started with the rest.
    const before = componentNetwork(architecture(system(add), {}, "t.fractal", files)).network;
    const life = before.parts.find(({ name }) => name === "E.life");
    expect(life?.states?.[life.lts.initial[0] ?? 0]).toBe("absent");
  });
});
