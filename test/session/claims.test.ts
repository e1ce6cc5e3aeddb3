/** Claims on channels (`xr`, `xs`): partial order relies on them only if false ones are reported. */
import { expect, test } from "vitest";
import { check, type CheckOptions } from "../../src/index.js";
import type { Finding } from "../../src/model/index.js";
import { load, registry } from "../../src/session/index.js";
import { reductionRequest } from "./requests.js";

const forced: CheckOptions = { reductions: ["por"], maxErrors: Infinity };
const answers = async (text: string, options: CheckOptions): Promise<string[]> =>
  (await check({ file: "m.pml", text }, options)).properties
    .filter(({ verdict }) => verdict === "violated")
    .map(({ property }) => property.kind)
    .sort();

/** Q may send first, and then P waits forever. */
const lying = `chan c = [1] of { byte };
active proctype P() { xs c; c!1; end: false }
active proctype Q() { end2: c!2; end3: false }`;

/** The second claim belongs to a process that is created later, or never. */
const twice = `chan c = [2] of { byte };
proctype Q() { xs c; c!2 }
active proctype P() { xs c; c!1 }
active proctype M() { if :: run Q() :: skip fi }
active proctype R() { byte x; c?x; assert(x == 1); end: c?x }`;

/** True claims: without them both senders could use either channel. */
const honest = `chan c = [2] of { byte }, d = [2] of { byte };
proctype S(chan q) { xs q; q!1; q!2 }
proctype R(chan q) { byte x; xr q; q?x; q?x }
init { atomic { run S(c); run R(c); run S(d); run R(d) } }`;

test("a false claim hides no deadlock", async () => {
  expect(await answers(lying, { ...forced, properties: ["deadlock"] })).toEqual(["deadlock"]);
  expect(await answers(lying, forced)).toEqual(["deadlock", "runtime"]);
  expect(await answers(lying, { isPlain: true, maxErrors: Infinity })).toEqual(["deadlock", "runtime"]);
});

test("a false claim that was trusted is not, once it was reported", async () => {
  expect(await answers(twice, { ...forced, properties: ["assertions"] })).toEqual(["assertion"]);
  expect(await answers(twice, forced)).toEqual(["assertion", "runtime"]);
});

test("a true claim is used, where a false one would be reported", async () => {
  const states = async (options: CheckOptions): Promise<number> =>
    (await check({ file: "m.pml", text: honest }, options)).stats.states;
  const [trusting, wary] = [await states(forced), await states({ ...forced, properties: ["deadlock"] })];
  expect(trusting).toBeLessThan(wary);
  expect(await answers(honest, forced)).toEqual([]);
});

test("claims are trusted until one of them is reported, whatever else is", async () => {
  const { model } = await load({ file: "m.pml", text: lying }, {}, registry);
  const { properties, sites, reductions } = model!;
  const reduced = reductions!.apply(properties, reductionRequest(["por"]));
  const findings = [-1, ...sites.keys()].map((fault): Finding => {
    const trace = { choices: [], fault, loopStart: undefined };
    return { property: properties[0]!, verdict: { kind: "violated", reason: "", trace } };
  });
  for (const [index, finding] of findings.entries()) {
    const isAboutClaim = sites[index - 1]?.fault === "exclusive-access";
    expect(reduced.again!([finding]) !== undefined).toBe(isAboutClaim);
  }
  expect(sites.some(({ fault }) => fault === "exclusive-access")).toBe(true);
});
