/** Rules of the caller: a sound one proves, and one that forgets a premise proves nothing. */
import { expect, test } from "vitest";
import type { Rule } from "../../../src/engines/learning/index.js";
import { proveByAssumptions } from "../../../src/session/lts/learning.js";
import { FAULTY, INPUT, ORDER, OUTPUT } from "./systems.js";

/** The second component itself is the assumption: complete for deterministic components without τ. */
const whole: Rule = {
  name: "whole",
  summary: "assumes what the first component needs, and checks the second",
  async prove(components, property, teacher) {
    const [first, second] = components;
    const failing = await teacher.failing(first!, property);
    const others = new Set(second!.alphabet);
    const alphabet = [...failing.alphabet].filter((name) => others.has(name));
    const student = teacher.student(failing, alphabet);
    for (;;) {
      const { dfa, answered } = await teacher.strongEnough(student);
      const under = await teacher.failing(second!, { dfa, alphabet });
      const { trace } = await teacher.search([under]);
      answered(trace ? "too strong" : "accepted");
      if (!trace)
        return {
          kind: "proved",
          assumptions: [{ name: "A", of: first!.name, alphabet, dfa }],
          premises: [
            { assumes: ["A"], excludes: [], parts: [first!.name], guarantees: null },
            { assumes: [], excludes: [], parts: [second!.name], guarantees: "A" },
          ],
        };
      const word = student.wordOf(trace);
      if (!(await student.learner.member(word)))
        return { kind: "violated", trace: (await teacher.lifted(failing, trace, others))! };
      await student.learner.refine(dfa, word);
    }
  },
};

/** Believes that the first premise is enough. */
const hasty: Rule = {
  ...whole,
  name: "hasty",
  async prove(components, property, teacher) {
    const [first, second] = components;
    const failing = await teacher.failing(first!, property);
    const alphabet = [...failing.alphabet].filter((name) => second!.alphabet.has(name));
    const { dfa } = await teacher.strongEnough(teacher.student(failing, alphabet));
    return {
      kind: "proved",
      assumptions: [{ name: "A", of: first!.name, alphabet, dfa }],
      premises: [{ assumes: ["A"], excludes: [], parts: [first!.name], guarantees: null }],
    };
  },
};

/** Believes that every component guarantees the assumption. */
const trusting: Rule = {
  ...hasty,
  name: "trusting",
  async prove(components, property, teacher, options) {
    const found = await hasty.prove(components, property, teacher, options);
    if (found.kind === "violated") return found;
    const guarantee = { assumes: [], excludes: [], parts: [components[1]!.name], guarantees: "A" };
    return { ...found, premises: [...found.premises, guarantee] };
  },
};

test("a rule of the caller", async () => {
  expect(await proveByAssumptions([INPUT, OUTPUT], ORDER, whole)).toMatchObject({
    kind: "proved",
    rule: "whole",
  });
  expect(await proveByAssumptions([INPUT, FAULTY], ORDER, whole)).toMatchObject({
    kind: "violated",
    trace: ["input", "send", "ack", "input"],
  });
});

test("a rule that forgets a premise proves nothing", async () => {
  for (const output of [OUTPUT, FAULTY])
    await expect(proveByAssumptions([INPUT, output], ORDER, hasty)).rejects.toThrow("do not imply");
});

test("a rule whose premise does not hold proves nothing", async () => {
  await expect(proveByAssumptions([INPUT, FAULTY], ORDER, trusting)).rejects.toThrow("some run refutes it");
});
