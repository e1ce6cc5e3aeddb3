/** Fractal ADL: diagnostics with their positions, and behaviours with parameters. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadFractal } from "../../src/languages/fractal/index.js";
import { loadPlts } from "../../src/languages/fractal/plts.js";
import { readBehaviour } from "../../src/session/components/behaviours.js";
import { inRepository } from "../repository.js";

const TYPES = "<types>interface L { log(); } interface R { reset(); }</types>";
const SERVER = `<component name="S"><interface name="in" role="server" signature="L"/><content><behaviour>des (0, 1, 1)
(0, "?in.log", 0)</behaviour></content></component>`;
const CLIENT = `<component name="C"><interface name="out" role="client" signature="L"/><interface name="r" role="client" signature="R"/><content><behaviour>des (0, 1, 1)
(0, "!out.log", 0)</behaviour></content></component>`;
const BOUND = '<binding client="C.out" server="S.in"/>';

const loaded = (text: string, files: Readonly<Record<string, string>> = {}) =>
  loadFractal("system.fractal", text, {
    readFile: (file) => files[file],
    addSource: () => undefined,
    readBehaviour,
  });

/** Codes with the text that each points to. */
const found = (text: string, files: Readonly<Record<string, string>> = {}): string[] =>
  loaded(text, files).diagnostics.map(
    ({ code, span }) => `${code} ${text.slice(span.start, span.end).slice(0, 12)}`,
  );

const system = (inside: string, attributes = ""): string =>
  `<definition name="System"${attributes}>${TYPES}${SERVER}${CLIENT}${BOUND}${inside}</definition>`;

test("a system with its parts in one file has no diagnostics", () => {
  const { architecture, diagnostics } = loaded(system(""));
  expect(diagnostics).toEqual([]);
  expect(architecture?.plan?.operations.map(({ kind }) => kind)).toEqual(["bind", "start"]);
});

describe("diagnostics", () => {
  test.each([
    ["an unknown element", system("<virtual-node/>"), ["fractal/unknown-element <virtual-nod"]],
    ["an unknown attribute", system("", ' error="unbound"'), ["fractal/unknown-attribute <definition "]],
    [
      "an unknown part",
      system('<binding client="D.out" server="S.in"/>'),
      ["fractal/unknown-component <binding cli"],
    ],
    [
      "an unknown interface",
      system('<binding client="C.out" server="S.on"/>'),
      ["fractal/unknown-interface <binding cli"],
    ],
    [
      "types that differ",
      system('<binding client="C.r" server="S.in"/>'),
      ["fractal/incompatible <binding cli"],
    ],
    [
      "a client as a server",
      system('<binding client="C.out" server="C.out"/>'),
      ["fractal/role <binding cli"],
    ],
    ["a class of errors", system("", ' errors="unbond"'), ["fractal/errors <definition "]],
    [
      "a part that starts alone",
      system('<deployment><op name="start" component="S"/></deployment>'),
      ['fractal/sub-control <op name="st'],
    ],
    [
      "a binding while the system runs",
      system('<reconfiguration><op name="unbind" client="C.out"/></reconfiguration>'),
      ['fractal/started <op name="un'],
    ],
    [
      "a part named like its composite",
      `<definition name="S">${TYPES}${SERVER}</definition>`,
      ["fractal/name <component n"],
    ],
    ["no behaviour", `<definition name="S"/>`, ["fractal/no-behaviour <definition "]],
    [
      "a definition that is absent",
      '<definition name="S"><component name="A" definition="A"/></definition>',
      ["fractal/file <component n"],
    ],
  ])("%s", (_, text, codes) => {
    expect(found(text)).toEqual(codes);
  });

  const labelled = (label: string): string =>
    `<definition name="S">${TYPES}<interface name="in" role="server" signature="L"/><content><behaviour>des (0, 1, 1)
(0, "${label}", 0)</behaviour></content></definition>`;

  test.each([
    ["?in.log", []],
    ["?in.lag", ["fractal/unknown-operation"]],
    ["!in.log", ["fractal/label"]],
    ["?on.log", ["fractal/label"]],
    ["(started)", ["fractal/label"]],
    ["update 1", ["fractal/label"]],
  ])("the label %s", (label, codes) => {
    expect(loaded(labelled(label)).diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test("a definition that contains itself", () => {
    const text = '<definition name="A"><component name="B" definition="B"/></definition>';
    const other = '<definition name="B"><component name="A" definition="A"/></definition>';
    const { diagnostics } = loaded(text, { "B.fractal": other, "A.fractal": text });
    expect(diagnostics.map(({ code }) => code)).toEqual(["fractal/recursive"]);
  });

  test("an error in a behaviour inside of the file points into it", () => {
    const text = labelled("?in.log").replace("(0, 1, 1)", "(0, 2, 1)");
    const [diagnostic] = loaded(text).diagnostics;
    expect(diagnostic?.code).toBe("aut/count");
    expect(text.slice(diagnostic?.span.start, diagnostic?.span.end)).toBe("des (0, 2, 1)");
  });
});

test("states without an image are named", () => {
  const definition = `<definition name="S2">${TYPES}<interface name="in" role="server" signature="L"/><content><behaviour>des (0, 1, 1)
(0, "?in.log", 0)</behaviour></content></definition>`;
  const two = SERVER.replace("des (0, 1, 1)", "des (0, 2, 2)").replace(
    '"?in.log", 0)',
    '"?in.log", 1)\n(1, "a", 0)',
  );
  const text = `<definition name="System">${TYPES}${two}<reconfiguration><op name="stop"/><op name="update" component="S" definition="S2"/></reconfiguration></definition>`;
  const { architecture, diagnostics } = loaded(text, { "S2.fractal": definition });
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["fractal/no-image", "warning"],
  ]);
  expect(architecture?.plan?.operations.at(-1)).toMatchObject({ kind: "update", map: [0, -1] });
});

describe("behaviours with parameters", () => {
  test("one state for each valuation", () => {
    const text = readFileSync(inRepository("test/fixtures/fractal/buffer.plts"), "utf8");
    const { lts, diagnostics } = loadPlts("buffer.plts", text);
    expect(diagnostics).toEqual([]);
    expect(lts?.states).toBe(3);
    expect(lts?.labels.toSorted()).toEqual(["!out.get(0)", "!out.get(1)", "?in.put(0)", "?in.put(1)", "tau"]);
  });

  const plts = (transition: string): string => `plts P { var x: 0..2; states s init, t; ${transition} }`;
  test.each([
    [plts("s -> s : a { x := x + 1; } ;"), ["plts/out-of-range"]],
    [plts("s -> u : a ;"), ["plts/unknown-state"]],
    [plts("s -> t : a [y = 1] ;"), ["plts/unknown-name"]],
    [plts("s -> t : ?p.m(v) ;"), ["plts/domain"]],
    ["plts P { states s; s -> s : a ; }", ["plts/initial"]],
    ["plts P { var x: 3..2; states s init; }", ["plts/range"]],
    ["plts P { var x: 0..999999999; states s init; s -> s : ?p.m(v) { x := v; } ; }", ["plts/too-large"]],
    [plts("s -> : a ;"), ["plts/syntax"]],
  ])("%s", (text, codes) => {
    expect(loadPlts("p.plts", text).diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});
