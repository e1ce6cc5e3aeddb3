/** Conditions for refusal, one by one, on models of a few lines. */
import { expect, test } from "vitest";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { Sources } from "../../../src/model/index.js";

const sourcesOf = (text: string): Sources => {
  const sources = new Sources();
  sources.add("m.m", text);
  return sources;
};

const errorsOf = (text: string): string[] => {
  const { diagnostics } = loadMurphi({ file: "m.m", text, sources: sourcesOf(text) });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
};

/** `Made` returns a record, `Next` has an effect, and the others are pure. */
const model = (expression: string): string => `
type R: record a: 0..3; end;
var x, y: 0..3;
function Made(n: 0..3): R; var r: R; begin r.a := n; return r; end;
function Next(): 0..3; begin x := 3; return x; end;
function Second(r: R; n: 0..3): 0..3; begin return n; end;
function First(m: 0..3; n: 0..3): 0..3; begin return m; end;
startstate begin x := 0; y := ${expression}; end;
rule "r" true ==> begin y := 0; end;`;

test("a record is made before the statement, so nothing beside it may change what it is made of", () => {
  expect(errorsOf(model("Second(Made(x), Next())"))).toEqual(["murphi/not-simple"]);
  expect(errorsOf(model("Second(Made(x), x)"))).toEqual([]);
  expect(errorsOf(model("First(Next(), x)"))).toEqual([]);
});

test("a zero before a number makes it octal in Rumur, and nothing in CMurphi", () => {
  const text = (number: string): string => `
var x: 0..63;
startstate begin x := ${number}; end;
rule "r" true ==> begin x := 0; end;`;
  const start = (number: string, dialect: "rumur" | "cmurphi"): string => {
    const { program } = loadMurphi({
      file: "m.m",
      text: text(number),
      dialect,
      sources: sourcesOf(text(number)),
    });
    return JSON.stringify(program!.starts);
  };
  expect(start("017", "rumur")).toContain('"value":15');
  expect(start("017", "cmurphi")).toContain('"value":17');
  expect(start("17", "rumur")).toContain('"value":17');
  expect(errorsOf(text("018"))).toEqual(["murphi/bad-number"]);
});

test("liveness is not asked of elements of a multiset, which come and go", () => {
  const text = (property: string): string => `
var net: multiset [2] of 0..1; n: 0..1;
startstate begin undefine net; n := 0; end;
rule "r" true ==> begin n := 1 - n; end;
${property}`;
  expect(errorsOf(text('choose m: net do liveness "l" net[m] = 1; end;'))).toEqual([
    "murphi/misplaced-liveness",
  ]);
  expect(errorsOf(text('choose m: net do invariant "i" net[m] = 1; end;'))).toEqual([]);
  expect(errorsOf(text('ruleset i: 0..1 do liveness "l" n = i; end;'))).toEqual([]);
});
