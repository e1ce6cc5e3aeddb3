/** Step code as OpenCL C: the text that is printed. Searches compare what it computes (`test/engines/gpu`). */
import { describe, expect, it } from "vitest";
import { NotStepCode, StepText, printOpenCl, type OpenClNames } from "../../src/step/index.js";

const NAMES: OpenClNames = {
  constants: { o: 0 },
  assignments: { o: "PUT(m)" },
  functions: {},
  arrays: { w: 2 },
  single: {},
  ignored: new Set(),
  records: {},
};

const print = (text: string, name = "f") =>
  printOpenCl(new StepText(text).module, {}, { [name]: [] }, NAMES).functions;

describe("step code as OpenCL C", () => {
  it("evaluates operands with effects from left to right", () => {
    const text = print("let x = 0; function g() { x++; return x; } function f(a) { return g() - g() + a; }");
    expect(text).toMatch(/\(q_\d+ = f_g\(m\), \(int\)\(\(uint\)\(q_\d+\) - \(uint\)\(f_g\(m\)\)\)\)/);
    expect(print("function f(a, b) { return a - b; }")).not.toContain("q_");
  });

  it("compares as unsigned what a shift by zero made unsigned", () => {
    expect(print("function f(a) { return a >>> 0 < 4; }")).toContain("< (uint)(4)");
    expect(print("function f(a) { return a >>> 1 < 4; }")).not.toContain("< (uint)(4)");
  });

  it("hands an entry over where the list advances", () => {
    expect(print("let o = 0; function f() { w[o + 1] = 3; o += 2; }")).toContain("PUT(m);");
  });

  it("refuses recursion, computed statements outside of functions, and tables that are written", () => {
    expect(() => print("function f(a) { return a === 0 ? 0 : f(a - 1); }")).toThrow(NotStepCode);
    expect(() => print("let x = 0; x = 3; function f() { return x; }")).toThrow("outside of functions");
    expect(() => print("const t = Int32Array.of(1, 2); function f() { t[0] = 3; return t[1]; }")).toThrow(
      "written",
    );
  });

  it("takes arrays that only statements outside of functions fill for constants", () => {
    const text = "const t = new Int32Array(4); t[1] = 7; function f(i) { return t[i]; }";
    expect(printOpenCl(new StepText(text).module, {}, { f: [] }, NAMES).tables).toContain("{0, 7}");
  });
});
