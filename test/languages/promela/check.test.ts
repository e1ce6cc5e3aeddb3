import { describe, expect, test } from "vitest";
import { hasErrors } from "../../../src/model/diagnostic.js";
import { parseExpressionAlone, parseFormulaAlone } from "../../../src/languages/promela/alone.js";
import { parsed, positions, run, show, showFormula, stepsOf } from "./front.js";

describe("names", () => {
  test("an inner block sees the outer names until it declares its own", () => {
    const { info, model } = run("init { byte x; { x = 1; byte x; x = 2 } }");
    const block = stepsOf(model)[1]!;
    const [before, , after] = block.kind === "block" ? block.body.steps : [];
    const [outer, inner] = info!.processes[0]!.locals;
    expect(before?.kind === "assign" && info!.variables.get(before.target)).toBe(outer);
    expect(after?.kind === "assign" && info!.variables.get(after.target)).toBe(inner);
  });

  test("parameters, locals and globals are told apart", () => {
    const { info } = parsed("byte g; proctype P(byte p) { byte l; l = p + g } init { run P(1) }");
    const process = info.processes[0]!;
    expect(process.parameters.map((each) => each.storage)).toEqual(["parameter"]);
    expect(process.locals.map((each) => each.storage)).toEqual(["local"]);
    expect(info.globals.map((each) => each.name)).toEqual(["g"]);
    expect(process.locals[0]!.scope).toBe(process.scope);
  });

  test("a goto finds the label of the nearest block", () => {
    const { info } = parsed("init { skip; L: skip; { skip; L: skip; goto L } goto L }");
    const targets = [...info.labelUses.values()].map((label) => label.declared.span.start);
    expect(targets).toEqual([30, 13]);
  });

  test("the type of a reference is that of its last field", () => {
    const { info, model } = parsed("typedef T { chan c; short s[2] }; T t; init { t.s[1] = 3 }");
    const step = stepsOf(model)[0]!;
    expect(step.kind === "assign" && info.types.get(step.target)).toEqual({ kind: "short" });
  });
});

describe("channels", () => {
  test("records in messages are flattened, arrays element by element", () => {
    const { info } = parsed("typedef T { byte a[2]; int b }; chan q = [3] of { T, mtype }; init { skip }");
    const shape = info.globals[0]!.channel!;
    expect(shape.capacity).toBe(3);
    expect(shape.declared.map((each) => each.kind)).toEqual(["record", "mtype"]);
    expect(shape.fields.map((each) => each.kind)).toEqual(["byte", "byte", "int", "mtype"]);
  });

  test("a record stands for its fields in a message", () => {
    parsed("typedef T { byte a; int b }; chan q = [1] of { T }; T t; init { q!t; q?t; q!1,2; q?t.a,t.b }");
  });

  test("the shape of a parameter is not known", () => {
    parsed("chan q = [1] of { byte }; proctype P(chan c) { c!1,2,3 } init { run P(q) }");
  });
});

describe("expressions given apart from the model", () => {
  const model = parsed(`
#define LIMIT 3
mtype = { red };
byte x;
chan q = [1] of { mtype };
active proctype P() { byte l; here: x = 1 }
`);
  const alone = (text: string) => ({ ...model, text, label: "--invariant" });

  test("see globals, macros, mtypes and remote references", () => {
    const { value, diagnostics, info } = parseExpressionAlone(
      alone("x < LIMIT && P@here && q?[red] && P:l == 0"),
    );
    expect(diagnostics).toEqual([]);
    expect(value && show(value)).toBe("((((x < 3) && remoteLabel) && poll) && (remoteVariable == 0))");
    expect([...info.variables.values()].map((each) => each.name)).toContain("x");
  });

  test.each([
    ["x <", "promela/unexpected-end 1:4"],
    ["y == 1", "promela/undeclared-name 1:1"],
    ["l == 1", "promela/undeclared-name 1:1"],
    ["x = 1", "promela/syntax 1:3"],
    ["x == 1; x == 2", "promela/syntax 1:7"],
    ["P@there", "promela/undefined-label 1:3"],
    ["run P()", "promela/misplaced-run 1:1"],
    ["", "promela/unexpected-end 1:1"],
    ["(".repeat(5000), "promela/nesting-too-deep 1:201"],
  ])("%s is wrong", (text, expected) => {
    const { value, diagnostics } = parseExpressionAlone(alone(text));
    expect(value).toBeUndefined();
    const at = {
      diagnostics,
      sources: model.sources,
      model: { ...model.model, file: "--invariant" },
      info: undefined,
    };
    expect(positions(at)).toEqual([expected]);
  });

  test("formulas have temporal operators", () => {
    const { value, diagnostics } = parseFormulaAlone(alone("[] (x == 1 -> <> (x == LIMIT))"));
    expect(diagnostics).toEqual([]);
    expect(value && showFormula(value)).toBe("always ((x == 1) implies eventually (x == 3))");
  });

  test("a formula may not test channels", () => {
    expect(hasErrors(parseFormulaAlone(alone("[] full(q)")).diagnostics)).toBe(true);
  });
});

describe("hints", () => {
  test.each([
    ["byte counter; init { conter = 1 }", "did you mean `counter`?"],
    ["typedef T { byte first }; T t; init { t.frist = 1 }", "did you mean `first`?"],
    ["init { goto agian; again: skip }", "did you mean `again`?"],
    ["proctype Worker() { skip } init { run Wroker() }", "did you mean `Worker`?"],
    [
      "int x; init { if (x == 1) skip fi }",
      "Promela's `if` has options: `if :: condition -> … :: else -> … fi`",
    ],
    ["int x; init { x += 1 }", "write `x = x + …`"],
    ["char c; init { skip }", "Promela has no `char`: use `byte`"],
    ["int x; init { (x = 1) }", "write `==` to compare; an assignment must be a separate statement"],
  ])("%s", (text, hint) => expect(run(text).diagnostics[0]).toMatchObject({ hint }));
});
