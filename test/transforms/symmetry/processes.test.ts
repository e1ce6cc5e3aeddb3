/** Which processes are interchangeable: each construct that distinguishes processes, and its neighbour that does not. */
import { expect, test } from "vitest";
import { planOf, whyNot } from "./promela-plan.js";

/** Three processes of `P` with numbers 0, 1 and 2. */
const numbered = (body: string, globals = ""): string =>
  `${globals}\nactive [3] proctype P() { byte v; ${body} }`;

/** Three processes with arguments 0, 1 and 2; the processes are 1, 2 and 3. */
const named = (body: string, globals = ""): string =>
  `${globals}\nproctype P(byte id) { byte v; ${body} }\ninit { atomic { run P(0); run P(1); run P(2) } }`;

const globals = `byte turn; byte owner = 200; byte x; byte flag[4]; byte friend[4]; chan q = [2] of { byte, byte };
  chan box[4] = [1] of { byte }; short wide; byte small[2]; typedef R { byte f; byte w; byte g[4] }; R rec[4];`;

test.each([
  ["stored and compared", "do :: turn = ID :: turn == ID -> x = (x + 1) % 3 :: v = turn :: v != ID od"],
  ["used as an index", "do :: flag[ID] = 1 :: friend[ID] = v :: friend[v] == ID :: rec[ID].g[v] = 1 od"],
  ["sent and received", "do :: q!ID,1 :: q?v,_ :: q??eval(ID),_ :: box[ID]!1 :: box[v]?_ od"],
  ["chosen", "do :: v = (x == 0 -> turn : ID) od"],
  ["none of them", "do :: owner == 200 -> owner = ID :: owner == ID -> owner = 200 od"],
  ["printed", 'do :: printf("%d", ID) -> x = 0 od'],
])("a name that is %s singles out nothing", (_, body) => {
  expect(whyNot(numbered(body.replaceAll("ID", "_pid"), globals))).toBe(undefined);
  expect(whyNot(named(body.replaceAll("ID", "id"), globals))).toBe(undefined);
});

test.each([
  ["ID == 1", "singles out 1"],
  ["turn = ID; turn == 1", "singles out 1"],
  ["turn = ID; turn = 1", "singles out 1"],
  ["v = ID; (v)", "singles out 0"],
  ["v = ID; !v", "singles out 0"],
  ["v = ID; v && x == 0", "singles out 0"],
  ["v = (x -> ID : 1)", "singles out 1"],
  ["flag[ID] = 1; flag[1] = 0", "singles out 1"],
  ["q!ID,1; q!2,1", "singles out 2"],
  ["q!ID,1; q?2,_", "singles out 2"],
  ["q!ID,1; q?v,_; v == 1", "singles out 1"],
  ["q!ID,1; (q?[1,1])", "singles out 1"],
  ["q?eval(ID),_; q!1,1", "singles out 1"],
  ["assert(ID != 1)", "singles out 1"],
  ["friend[ID] = 1; friend[ID] = ID", "singles out 1"],
  ["rec[ID].w = 1; rec[ID].w = ID", "singles out 1"],
  ["v = ID + 1", "computes with it"],
  ["v = -ID", "computes with it"],
  ["v = ID; v++", "computes with it"],
  ["x = 4 / ID", "computes with it"],
  ["v < ID", "compares it by size"],
  ["v = ID; v >= x", "compares it by size"],
  ["q!!ID,1", "sorts messages by it"],
  ["bit b = ID", "cannot hold every identity"],
  ["turn = ID; wide = turn", "keeps it in another type"],
  ["turn = ID; turn = 256", "sets it to a value that is cut"],
  ["q!ID,1; q!257,1", "sends a value that may be cut"],
  ["small[ID] = 1", "too short for some"],
  ["_last == ID", "depends on the process that moved last"],
  ["enabled(0)", "depends on the enabledness of a process"],
  ["pc_value(0) > 2", "depends on the location of a process"],
  ["np_ == 0", "depends on the progress of a process"],
])("`%s` tells processes apart", (statement, why) => {
  const loop = (id: string): string => `do :: ${statement.replaceAll("ID", id)} od`;
  expect(whyNot(numbered(loop("_pid"), globals))).toContain(why);
  expect(whyNot(named(loop("id"), globals))).toContain(why);
});

test("another process may single out one of them", () => {
  const lock = numbered("do :: turn = _pid od", globals);
  expect(whyNot(`${lock} active proctype Q() { do :: x = turn; x = 0 od }`)).toBe("`x = 0` singles out 0");
  expect(whyNot(`${lock} active proctype Q() { do :: x = turn; x = 200 od }`)).toBe(undefined);
  expect(whyNot(`${lock} active proctype Q() provided (turn != 1) { do :: x = 1 od }`)).toBe(
    "`provided` singles out 1",
  );
});

test("statements before all processes are there single out nothing", () => {
  const text = (last: string): string => `${globals} proctype P(byte id) { do :: turn = id od }
    init { byte i; atomic { turn = 1; do :: i < 3 -> run P(i); i++ :: else -> break od }; ${last} }`;
  expect(whyNot(text("x = 1"))).toBe(undefined);
  expect(whyNot(text("turn = 1"))).toContain("singles out 1");
});

test("a name that a process gives up is no name", () => {
  const text = (more: string): string => named(`do :: flag[id] = 1 :: x = 0 ${more} od`, globals);
  expect(planOf(text("")).symmetry?.kinds).toHaveLength(2);
  // Then it is an ordinary variable: processes still change places.
  expect(planOf(text(":: id = turn")).symmetry?.kinds).toHaveLength(1);
});

test("processes that end stay where they are, unless that shows", () => {
  const straight = (statement: string): string => `${globals}
    active [3] proctype P() { ${statement} }`;
  expect(whyNot(straight("turn = _pid"))).toBe(undefined);
  expect(whyNot(straight("timeout"))).toContain("when ended processes are removed");
  expect(whyNot(straight("_nr_pr == 1"))).toContain("when ended processes are removed");
  expect(whyNot(straight("byte v; l: P[v]@l"))).toContain("when ended processes are removed");
  expect(whyNot(straight("chan own = [1] of { byte }; own!1"))).toContain("takes its channels with it");
  expect(whyNot(straight("xs q; q!1,1"))).toContain("gives up its claim");
  for (const [declared, statement] of [
    ["", "timeout"],
    ["", "_nr_pr == 1"],
    ["chan own = [1] of { byte };", "own!1"],
    ["xs q;", "q!1,1"],
  ])
    expect(whyNot(straight(`${declared} do :: ${statement} od`))).toBe(undefined);
});

test("a place is asked about by a name", () => {
  const at = (who: string): string =>
    `byte turn; active [3] proctype P() { l: do :: turn = _pid :: P[${who}]@l -> skip od }`;
  expect(whyNot(at("turn"))).toBe(undefined);
  expect(whyNot(at("1"))).toContain("singles out 1");
  const first = `active [3] proctype P() { l: do :: skip od } active proctype Q() { do :: P@l od }`;
  expect(whyNot(first)).toContain("the first process of several");
});

test("numbers matter to those who use them", () => {
  // `Q` computes with numbers; `P` has other names.
  const text = `${globals} proctype P(byte id) { do :: flag[id] = 1 od } proctype Q() { do :: x = _pid :: x++ od }
    init { atomic { run P(0); run P(1); run Q(); run Q() } }`;
  const { refused, symmetry } = planOf(text);
  expect(refused.map(({ template }) => template)).toEqual([1]);
  expect(symmetry?.sets).toEqual([2]);
  // `x` holds numbers that are computed with.
  expect(symmetry?.globals[2]).toEqual({ kind: "scalar", named: "data" });
  expect(planOf(numbered("do :: turn = _pid od", globals)).symmetry?.globals[0]).toEqual({
    kind: "scalar",
    named: 0,
  });
});

test("identities are small numbers", () => {
  const text = (first: number): string => `int x; proctype P(int id) { do :: x = id od }
    init { atomic { run P(${first}); run P(7) } }`;
  expect(whyNot(text(65_535))).toBe(undefined);
  expect(whyNot(text(65_536))).toContain("not within 0 … 65535");
  expect(whyNot(text(0))).toBe(undefined);
  expect(whyNot(text(-1))).toContain("not within 0 … 65535");
});

test("processes with common names change places together", () => {
  const pairs = (second: string): string => `${globals}
    proctype P(byte id) { do :: flag[id] = 1 od } proctype Q(byte id) { do :: flag[id] = 0 od }
    init { atomic { run P(0); run P(1); run P(2); ${second} } }`;
  expect(planOf(pairs("run Q(2); run Q(0); run Q(1)")).symmetry?.sets).toEqual([3]);
  expect(planOf(pairs("run Q(3)")).symmetry?.sets).toEqual([3]);
  expect(planOf(pairs("run Q(3); run Q(2); run Q(1); run Q(0)")).symmetry).toBe(undefined);
  expect(planOf(pairs("run Q(1); run Q(2)")).symmetry).toBe(undefined);
  expect(planOf(pairs("run Q(1); run Q(2); run Q(3)")).symmetry).toBe(undefined);
  expect(planOf(pairs("run Q(1); run Q(2); run Q(3)")).refused[0]!.why).toContain("do not match");
  const twice = (second: string): string => `${globals} byte g[3];
    proctype P(byte id; byte b) { do :: flag[id] = 1 :: g[b] = 1 od }
    proctype Q(byte id; byte b) { do :: flag[id] = 0 :: g[b] = 0 od }
    init { atomic { run P(0, 0); run P(1, 1); run P(2, 2); ${second} } }`;
  expect(planOf(twice("run Q(0, 1); run Q(1, 2); run Q(2, 0)")).symmetry).toBe(undefined);
  expect(planOf(twice("run Q(1, 1); run Q(2, 2); run Q(0, 0)")).symmetry?.sets).toEqual([3]);
});

test("channels move with the processes they belong to", () => {
  const text = (more: string): string => `chan c[3] = [1] of { byte };
    proctype P(byte id; chan in) { byte v; do :: in!id :: in?v :: v == id ${more} od }
    init { atomic { run P(0, c[0]); run P(1, c[1]); run P(2, c[2]) } }`;
  expect(planOf(text("")).symmetry?.channels.map(({ elements }) => elements)).toEqual([
    [{ set: 0, element: 0 }],
    [{ set: 0, element: 1 }],
    [{ set: 0, element: 2 }],
  ]);
  // A value sent through a channel of another name is still a name.
  expect(whyNot(text(":: in!2"))).toContain("singles out 2");
  expect(whyNot(`${text("")} active proctype Q() { do :: c[0]!2 od }`)).toContain("singles out");
});

test("channels of other kinds stay where they are", () => {
  const elements = (text: string): number[] | undefined =>
    planOf(text).symmetry?.channels.map((channel) => channel.elements.length);
  const given = (channels: string, first: string, second: string, more = ""): string => `${channels}
    proctype P(byte id; chan in) { do :: in!1 :: in?_ ${more} od }
    init { chan own = [1] of { byte }; atomic { run P(0, ${first}); run P(1, ${second}) }; do :: false od }`;
  expect(elements(given("chan c[2] = [1] of { byte };", "c[0]", "c[1]"))).toEqual([1, 1]);
  expect(elements(given("chan a = [1] of { byte }; chan b = [2] of { byte };", "a", "b"))).toEqual([0, 0]);
  expect(elements(given("chan a = [1] of { byte };", "a", "own"))).toEqual([0]);
  // Two of the three belong to identities 0 and 1 by their places.
  const array = "chan c[3] = [1] of { byte };";
  expect(elements(given(array, "c[1]", "c[2]", ":: c[id]!1"))).toEqual([1, 1, 0]);
});

test("a value that stands for a process and a channel is neither", () => {
  const text = `chan x; active [2] proctype P() { chan own = [1] of { byte }; do :: x = _pid :: x = own :: x!1 od }`;
  expect(whyNot(text)).toContain("a value stands for a process and for a channel");
});

test("channels of processes are told by names alone", () => {
  const text = (more: string): string => `chan pool = [1] of { chan }; byte x;
    active [2] proctype P() { chan own = [1] of { byte }; chan c; do :: pool!own :: pool?c -> c!1 :: own?_ ${more} od }`;
  expect(whyNot(text(""))).toBe(undefined);
  expect(whyNot(text(":: c == own"))).toBe(undefined);
  expect(whyNot(text(":: c < own"))).toContain("compares it by size");
  expect(whyNot(text(":: pool!!own"))).toContain("sorts messages");
  expect(whyNot(text(":: own = c :: own < c"))).toContain("compares it by size");
  const { symmetry } = planOf(text(""));
  expect(symmetry?.fields[0]).toEqual(["channel"]);
  expect(symmetry?.globals[0]).toEqual({ kind: "scalar", named: "channel" });
  expect(symmetry?.globals[1]).toEqual({ kind: "scalar", named: "data" });
  // Processes without channels are interchangeable regardless of channels.
  const others = planOf(`${text(":: c < own")} active [2] proctype Q() { do :: x = 0 od }`);
  expect(others.refused.map(({ template }) => template)).toEqual([0]);
  expect(others.symmetry?.globals[0]).toEqual({ kind: "scalar", named: "data" });
});

test("fields of messages are names wherever their channel goes", () => {
  const text = (more: string): string => `chan pool = [1] of { chan }; chan data = [1] of { byte };
    active [2] proctype P() { chan c; byte v; do :: pool!data :: pool?c -> c!_pid :: data?v ${more} od }`;
  expect(whyNot(text(":: v == _pid"))).toBe(undefined);
  expect(whyNot(text(":: v == 1"))).toContain("singles out 1");
});

test("priorities and event traces rule symmetry out", () => {
  expect(whyNot("active [2] proctype P() priority 2 { do :: skip od }")).toContain("priorities");
  expect(whyNot("active [2] proctype P() { do :: set_priority(_pid, 3) od }")).toContain("priorit");
  for (const kind of ["trace", "notrace"])
    expect(
      whyNot(`chan c = [1] of { byte }; ${kind} { do :: c!1 od } active [2] proctype P() { do :: c!1 od }`),
    ).toContain("an event trace");
});
