/** The name of a class is a constant inside of it, and may be a variable outside. */
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { CodeInspector } from "../../../src/code/heap/index.js";

const capturedBy = (code: string, expression: string): readonly string[] => {
  const context = createContext({});
  runInContext(code, context);
  const inspector = new CodeInspector();
  try {
    return inspector.factsOf(runInContext(expression, context) as object).captured;
  } finally {
    inspector.close();
  }
};

const named = "var A = class _A {\n  make() {\n    return new _A();\n  }\n  static same = () => _A;\n};";

test.each(["A", "A.prototype.make", "A.same"])("%s closes over nothing", (expression) => {
  expect(capturedBy(named, expression)).toEqual([]);
});

test("a function outside of the class closes over the variable that holds it", () => {
  const code =
    "var get;\n{\n  let K = class K {\n    m() {\n      return 1;\n    }\n  };\n  get = () => K;\n}";
  expect(capturedBy(code, "get")).toEqual(["K"]);
});

test("a function of the same text outside of the class does as well", () => {
  const code =
    "var get;\n{\n  let K = class K {\n    static f = () => K;\n  };\n\n\n\n\n\n  get = () => K;\n}";
  expect(capturedBy(code, "get")).toEqual(["K"]);
});

test("a second variable beside the name counts", () => {
  const code =
    "var make = () => {\n  let n = 0;\n  return class _B {\n    m() {\n      return [_B, n++];\n    }\n  };\n};\nvar B = make();";
  expect(capturedBy(code, "B.prototype.m")).toEqual(["n"]);
});

test("a variable that holds another class is a variable", () => {
  const code =
    "var get;\n{\n  let K = class L {\n    m() {\n      return 1;\n    }\n  };\n  get = () => K;\n}";
  expect(capturedBy(code, "get")).toEqual(["K"]);
});
