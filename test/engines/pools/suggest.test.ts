/** Repairs suggested by counterexamples: each makes the property hold, and none empties it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { suggestions } from "../../../src/engines/pools/index.js";
import { loadNdlog } from "../../../src/languages/ndlog/index.js";
import { openSolver } from "../../../src/solvers/index.js";
import { inRepository } from "../../repository.js";
import { known } from "../../../src/model/known.js";
import { analyse, verdicts } from "./analyse.js";

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/ndlog/conformance/${name}`), "utf8");

function suggested(text: string, name: string): string[] {
  const { program, verified } = analyse(text);
  const { answer } = known(verified[name], name);
  if (answer.kind !== "violated") throw new Error(`${name} is ${answer.kind}`);
  const property = known(
    program.properties.find((each) => each.name === name),
    name,
  );
  const opened = known(openSolver({ name: "auto", timeMs: 10_000, memoryMb: 1024 }), "the solver");
  const steps = suggestions(program, property, answer.counterexample, opened.solver);
  let step = steps.next();
  while (!step.done) step = steps.next();
  opened.close();
  return step.value.map((each) => each.text);
}

test("the load balancer: a client uses one balancer, which repairs it", () => {
  const text = `${fixture("lb.ndlog")}${fixture("lb.ndspec")}`;
  const repairs = suggested(text, "affinity");
  expect(repairs).toContain("constraint repair { initPacket(A,B,C), initPacket(A,E,F) => C == F }");
  for (const repair of repairs.filter((each) => each.startsWith("constraint")))
    expect(verdicts(`${text}\n${repair}`)).toEqual({ affinity: "holds" });
});

test("the firewall: the property for external sources alone", () => {
  const text = `${fixture("weakfw.ndlog")}${fixture("weakfw.ndspec")}`;
  expect(suggested(text, "weakFW")).toContain("SrcPort == 2");
});

test("a repair that leaves nothing to derive is not suggested", () => {
  const text = "r1 p(@X) :- b(@X,Y), X == Y. property no { p(X) => X == 7 }";
  const repairs = suggested(text, "no");
  expect(repairs).not.toContain("constraint repair { b(A,B) => A != B }");
  expect(loadNdlog("t.ndlog", `${text} constraint repair { b(A,B) => A != B }`).program).toBeDefined();
  expect(verdicts(`${text} constraint repair { b(A,B) => A != B }`)).toEqual({ no: "holds vacuously" });
});
