/** The processes of a program once none can create another. */
import { expect, test } from "vitest";
import { settle } from "../../../src/compile/index.js";
import { programOf } from "../../transforms/symmetry/promela-plan.js";

const settled = (text: string): unknown => {
  const found = settle(programOf(text));
  return typeof found === "string" ? found : { templates: found.templates, values: found.values };
};

test("active processes are there from the start", () => {
  expect(settled("active [2] proctype P() { byte id = _pid + 4; do :: skip od }")).toEqual({
    templates: [0, 0],
    values: [[4], [5]],
  });
});

test("a program is run until all processes are created", () => {
  const text = `proctype P(byte id) { byte a[2]; do :: skip od }
    init { byte i; atomic { do :: i < 2 -> run P(i); i++ :: else -> break od } }`;
  expect(settled(text)).toEqual({
    templates: [1, 0, 0],
    values: [[2], [0, undefined], [1, undefined]],
  });
});

test("a value that may differ is not known", () => {
  const text = `proctype P(byte id) { do :: skip od }
    init { atomic { if :: run P(0) :: run P(1) fi; run P(2) } }`;
  expect(settled(text)).toEqual({ templates: [1, 0, 0], values: [[], [undefined], [2]] });
});

test("processes in one of several orders are not settled", () => {
  const text = `proctype P() { do :: skip od } proctype Q() { do :: skip od }
    init { atomic { if :: run P(); run Q() :: run Q(); run P() fi } }`;
  expect(settled(text)).toBe("processes are created in different orders");
});

test("a number that is used again is that of another process", () => {
  const text = "proctype P() { skip } init { run P(); run P() }";
  expect(settled(text)).toContain("may end before all are created");
  expect(settled("proctype P() { skip } init { atomic { run P(); run P() } }")).toMatchObject({
    templates: [1, 0, 0],
  });
});

test("processes that are created forever are not settled", () => {
  expect(settled("proctype P() { do :: skip od } init { do :: run P() od }")).toContain("created");
});
