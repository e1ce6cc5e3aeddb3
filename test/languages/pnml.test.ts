/** PNML dialects: references, pages, omitted labels, reset arcs; and constructs that must be refused. */
import { expect, test } from "vitest";
import { loadPnml, type LoadedPnml } from "../../src/languages/pnml/index.js";
import { MOST_TOKENS, NOWHERE } from "../../src/model/index.js";

const load = (inside: string): LoadedPnml =>
  loadPnml(
    "m.pnml",
    `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">${inside}</page></net></pnml>`,
  );

const codes = (inside: string): string[] => load(inside).diagnostics.map(({ code }) => code);

const nodes = `<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/><transition id="t"/>`;
const arc = (source: string, target: string, inside = ""): string =>
  `<arc source="${source}" target="${target}">${inside}</arc>`;
const weight = (text: string | number): string => `<inscription><text>${text}</text></inscription>`;
const type = (text: string): string => `<type value="${text}"/>`;

test("references are followed, across pages and in several steps", () => {
  const { net, diagnostics } = load(
    `${nodes}<page id="h"><referencePlace id="r" ref="s"/><referencePlace id="s" ref="q"/><referenceTransition id="u" ref="t"/>
     ${arc("p", "u")}${arc("u", "r", weight(3))}</page>`,
  );
  expect(diagnostics).toEqual([]);
  expect(net!.transitions).toMatchObject([{ guard: [[0, 1]], effect: [[0, -1], [1, 3]] }]); // prettier-ignore
  expect(net!.initial).toEqual([2, 0]);
});

test("a reference without an id is one that nothing refers to", () => {
  expect(
    codes(
      `${nodes}<referencePlace ref="p"/><referencePlace ref="q"/><referenceTransition ref="t"/>${arc("p", "t")}`,
    ),
  ).toEqual([]);
});

test("a reference stands for a node of its kind, and has no tokens", () => {
  expect(codes(`${nodes}<referencePlace id="r" ref="t"/>`)).toEqual(["pnml/bad-reference"]);
  expect(codes(`${nodes}<referenceTransition id="r" ref="p"/>`)).toEqual(["pnml/bad-reference"]);
  expect(codes(`${nodes}<referencePlace id="r" ref="r"/>`)).toEqual(["pnml/bad-reference"]);
  expect(codes(`${nodes}<referencePlace id="r"/>`)).toEqual(["pnml/bad-reference"]);
  const marking = "<initialMarking><text>1</text></initialMarking>";
  expect(codes(`${nodes}<referencePlace id="r" ref="p">${marking}</referencePlace>`)).toEqual([
    "pnml/bad-reference",
  ]);
  expect(codes(`${nodes}<referencePlace id="r" ref="p"/>`)).toEqual([]);
  const none = "<initialMarking><text>0</text></initialMarking>";
  expect(codes(`${nodes}<referencePlace id="r" ref="p">${none}</referencePlace>`)).toEqual([]);
  const message = (inside: string): string => load(`${nodes}${inside}`).diagnostics[0]!.message;
  expect(message(`<referencePlace id="r" ref="r"/>`)).toBe("'r' refers to no place");
  expect(message(`<referencePlace id="r" ref="t"/>`)).toBe("'r' refers to 't', which is not a place");
});

test("a reference without an id has no tokens either", () => {
  const marking = "<initialMarking><text>1</text></initialMarking>";
  expect(codes(`${nodes}<referencePlace ref="p">${marking}</referencePlace>`)).toEqual([
    "pnml/bad-reference",
  ]);
});

test("labels are read with `<text>`, with `<value>` and without", () => {
  const all = ["<text>2</text>", "<value>Default,2</value>", "<value>2</value>", "2", " 2 <graphics/>"];
  for (const two of all) {
    const { net, diagnostics } = load(
      `<place id="p"><name>${two}</name><initialMarking>${two}</initialMarking></place><transition id="t"/>
       ${arc("p", "t", `<inscription>${two}</inscription>`)}`,
    );
    expect(diagnostics, two).toEqual([]);
    expect(net, two).toMatchObject({ initial: [2], transitions: [{ effect: [[0, -2]] }] });
    expect(codes(`<place id="p"><capacity>${two}</capacity></place>`), two).toEqual(["pnml/capacity"]);
  }
  expect(load(`<place id="p"><name>q</name></place>`).net!.places[0]!.name).toBe("q");
  expect(codes(`<place id="p"><initialMarking>some</initialMarking></place>`)).toEqual(["pnml/bad-number"]);
});

test("tokens are of one class", () => {
  const place = (id: string, text: string): string =>
    `<place id="${id}"><initialMarking><value>${text}</value></initialMarking></place>`;
  expect(codes(place("p", "red,1") + place("q", "red,2"))).toEqual([]);
  expect(codes(place("p", "red,1") + place("q", "blue,0") + place("r", "3"))).toEqual([]);
  expect(codes(place("p", "red,1") + place("q", "blue,1"))).toEqual(["pnml/coloured"]);
});

test("labels that are left out or empty have their usual values", () => {
  const { net, diagnostics } = load(
    `<place id="p"><initialMarking><text/></initialMarking></place><transition id="t"/>${arc("p", "t", weight(""))}`,
  );
  expect(diagnostics).toEqual([]);
  expect(net!.initial).toEqual([0]);
  expect(net!.places[0]!.name).toBe("p");
  expect(net!.transitions).toMatchObject([{ name: "t", guard: [[0, 1]], effect: [[0, -1]] }]);
});

test("a reset arc empties its place, whatever other arcs ask of it", () => {
  const resets = (arcs: string): unknown => load(`${nodes}${arcs}`).net?.transitions;
  expect(resets(arc("p", "t", type("reset")))).toMatchObject([
    { guard: [], effect: [], transfers: [[0, NOWHERE]] },
  ]);
  expect(resets(arc("p", "t", type("reset")) + arc("p", "t", weight(2)) + arc("t", "p"))).toMatchObject([
    { guard: [[0, 2]], effect: [[0, 1]], transfers: [[0, NOWHERE]] },
  ]);
});

test("arcs of other kinds are refused, and so are those that lead the wrong way", () => {
  expect(codes(nodes + arc("p", "t", type("inhibitor")))).toEqual(["pnml/inhibitor"]);
  expect(codes(nodes + arc("p", "t", type("transfer")))).toEqual(["pnml/arc-type"]);
  expect(codes(`${nodes}<inhibitorArc source="p" target="t"/>`)).toEqual(["pnml/unknown-element"]);
  for (const label of [
    "<type><value>inhibitor</value></type>",
    "<arctype>inhibitor</arctype>",
    '<type value=""><text>Inhibitor</text></type>',
  ])
    expect(codes(nodes + arc("p", "t", label)), label).toEqual(["pnml/inhibitor"]);
  expect(codes(nodes + arc("p", "t", `${type("normal")}<arctype>inhibitor</arctype>`))).toEqual([
    "pnml/arc-type",
  ]);
  expect(codes(`${nodes}<arc source="p" target="t" type="normal">${type("inhibitor")}</arc>`)).toEqual([
    "pnml/arc-type",
  ]);
  expect(codes(`${nodes}<arc source="p" target="t" type="test">${type("test")}</arc>`)).toEqual([]);
  expect(codes(nodes + arc("t", "p", type("reset")))).toEqual(["pnml/bad-arc"]);
  expect(codes(nodes + arc("t", "p", type("test")))).toEqual(["pnml/bad-arc"]);
  expect(codes(nodes + arc("p", "q"))).toEqual(["pnml/bad-arc"]);
  expect(codes(`${nodes}<transition id="u"/>${arc("t", "u")}`)).toEqual(["pnml/bad-arc"]);
  expect(codes(nodes + arc("p", "t", type("normal")) + arc("p", "t", type("read")))).toEqual([]);
});

test("elements that are not known are refused, where they could mean something", () => {
  const one = "<text>1</text>";
  for (const inside of [
    `<place id="r"><marking>${one}</marking></place>`,
    `<place id="r"><initialmarking>${one}</initialmarking></place>`,
    "<place id='r'><initialMarking><token>1</token></initialMarking></place>",
    "<place id='r'><initialMarking><text><b>1</b></text></initialMarking></place>",
    `<initialMarking>${one}</initialMarking>`,
    `<transition id="u"><guard>${one}</guard></transition>`,
    arc("p", "t", "<inhibitor/>"),
    arc("p", "t", "<arcType><text>inhibitor</text></arcType>"),
    arc("p", "t", `<multiplicity>${one}</multiplicity>`),
  ])
    expect(codes(nodes + inside), inside).toEqual(["pnml/unknown-element"]);
  const root = (inside: string): string[] =>
    loadPnml("n.pnml", `<pnml>${inside}<net id="n"/></pnml>`).diagnostics.map(({ code }) => code);
  expect(root("<initialMarking/>")).toEqual(["pnml/unknown-element"]);
  expect(root("<toolspecific><initialMarking/></toolspecific>")).toEqual([]);
});

test("what tools keep for themselves is passed over, whatever it is", () => {
  const aside = "<graphics><place/></graphics><toolspecific tool='t'><arc/>some</toolspecific>";
  const final = "<finalmarkings><marking><place idref='p'><text>1</text></place></marking></finalmarkings>";
  const drawn = "<token id='Default' enabled='true'/><labels x='1'>a note</labels>";
  const path = "<arcpath id='000' x='1'/><tagged><value>false</value></tagged>";
  const server = "<rate><value>1.0</value></rate><infiniteServer><value>false</value></infiniteServer>";
  expect(
    codes(
      `${nodes}${aside}${final}${drawn}<place id="r">${aside}</place><transition id="u">${server}</transition>
       ${arc("p", "t", aside + path)}<place xmlns="x" xmlns:id="y" id="s"/>`,
    ),
  ).toEqual([]);
});

test("attributes that are not known are refused: tools write markings and weights into them", () => {
  for (const inside of [
    '<place id="r" initialMarking="1"/>',
    '<place id="r"><initialMarking value="1"/></place>',
    '<place id="r"><initialMarking><text value="1"/></initialMarking></place>',
    '<place id="r" capacity="1"/>',
    '<transition id="u" priority="2"/>',
    '<arc source="p" target="t" weight="2"/>',
    '<arc source="p" target="t" arctype="inhibitor"/>',
    '<arc source="p" target="t"><inscription value="2"/></arc>',
    '<arc source="p" target="t"><type kind="inhibitor"/></arc>',
  ])
    expect(codes(nodes + inside), inside).toEqual(["pnml/unknown-attribute"]);
  expect(codes(`<place id="p" id="q"/>`)).toEqual(["pnml/syntax"]);
});

test("two arcs with one id are refused, and so is an arc with the id of a place", () => {
  const named = (id: string): string => `<arc id="${id}" source="p" target="t"/>`;
  expect(codes(nodes + named("a") + named("b"))).toEqual([]);
  expect(codes(nodes + named("a") + named("a"))).toEqual(["pnml/duplicate-id"]);
  expect(codes(nodes + named("q"))).toEqual(["pnml/duplicate-id"]);
});

test("a label that is given twice, and text that belongs to no label, are refused", () => {
  const marked = (inside: string): string => `<place id="r">${inside}</place>`;
  const marking = (text: string): string => `<initialMarking>${text}</initialMarking>`;
  for (const inside of [
    marked(marking("0") + marking("1")),
    marked(marking("<text>0</text><text>1</text>")),
    arc("p", "t", weight(1) + weight(2)),
    arc("p", "t", type("test") + type("normal")),
  ])
    expect(codes(nodes + inside), inside).toEqual(["pnml/duplicate-label"]);
  for (const inside of [marked("1"), marked(marking("1<text>0</text>")), arc("p", "t", "2"), "some"])
    expect(codes(nodes + inside), inside).toEqual(["pnml/stray-text"]);
});

test("capacities and priorities that mean something are refused", () => {
  const place = (capacity: string): string =>
    `<place id="p"><capacity><value>${capacity}</value></capacity></place>`;
  for (const capacity of ["3", "Default,3", "x"])
    expect(codes(place(capacity)), capacity).toEqual(["pnml/capacity"]);
  for (const capacity of ["0", "", "inf"]) expect(codes(place(capacity)), capacity).toEqual([]);
  const transitions = (...priorities: string[]): string =>
    priorities
      .map((value, i) => `<transition id="t${i}"><priority><value>${value}</value></priority></transition>`)
      .join("");
  expect(codes(transitions("1", "1", ""))).toEqual([]);
  expect(codes(transitions("2", "2"))).toEqual([]);
  expect(codes(transitions("1", "2"))).toEqual(["pnml/priority"]);
  expect(codes(transitions("0", "1"))).toEqual(["pnml/priority"]);
  expect(codes(`${transitions("2")}<transition id="u"/>`)).toEqual(["pnml/priority"]);
  expect(codes(transitions("high", "low"))).toEqual(["pnml/priority"]);
});

test("times are passed over with a warning, modules are refused", () => {
  expect(codes(`<transition id="t"><timed><value>true</value></timed></transition>`)).toEqual(["pnml/times"]);
  expect(codes(`<transition id="t"><timed><value>false</value></timed></transition>`)).toEqual([]);
  expect(codes(`<transition id="t"><delay><interval/></delay></transition>`)).toEqual(["pnml/times"]);
  expect(codes(`<instance id="i" ref="m"/>`)).toEqual(["pnml/modules"]);
});

test("arcs that add up to too many tokens are refused", () => {
  const most = weight(MOST_TOKENS);
  expect(codes(nodes + arc("p", "t", most))).toEqual([]);
  expect(codes(nodes + arc("p", "t", most) + arc("p", "t"))).toEqual(["pnml/too-large"]);
  expect(codes(nodes + arc("t", "p", most) + arc("t", "p"))).toEqual(["pnml/too-large"]);
});
