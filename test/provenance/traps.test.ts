/** Pitfalls of naive versions. */
import { describe, expect, test } from "vitest";
import {
  check,
  firstViolated,
  overallVerdict,
  type CheckOptions,
  type CheckReport,
} from "../../src/index.js";

const run = (text: string, options: CheckOptions = {}): Promise<CheckReport> =>
  check({ file: "trap.mpp", text }, options);
const verdict = async (text: string, options: CheckOptions = {}): Promise<string> =>
  overallVerdict(await run(text, options));

/** P sends `n` messages; Q needs one more before it writes. */
const token = (n: number, more = ""): string => `
  message tok, b; channel ch, other;
  principal P { var p; p = tok; ${"send(ch, p); ".repeat(n)} halt; }
  principal Q { var q, x; choose { [] ${"recv(ch, q); ".repeat(n + 1)} x = b(q); ${more} } }
  principal R { var r; r = tok; send(other, r); halt; }
  property clean: provenance(Q.x) in eps;`;

describe("Token-n: channels are bags, not sets", () => {
  for (const n of [1, 2, 3, 4, 5])
    test(`n = ${n} holds at k = ${n}, and is spurious below`, async () => {
      const report = await run(token(n));
      expect(overallVerdict(report)).toBe("holds");
      expect(report.scope.by).toBe(`counter abstraction, k = ${n}`);
      const over = report.runs.flatMap(({ counting }) => (counting?.direction === "over" ? [counting] : []));
      expect(over.map(({ k, outcome }) => `${k} ${outcome}`)).toEqual([
        ...Array.from({ length: n }, (_, k) => `${k} spurious trace`),
        `${n} proof`,
      ]);
    });

  for (const [n, states] of [
    [1, 4],
    [2, 7],
    [3, 11],
  ] as const)
    test(`n = ${n} has ${states} states, statement by statement`, async () => {
      const text = `message tok, b; channel ch;
        principal P { var p; p = tok; ${"send(ch, p); ".repeat(n)} halt; }
        principal Q { var q, x; ${"recv(ch, q); ".repeat(n + 1)} x = b(q); }
        property clean: provenance(Q.x) in eps;`;
      const report = await run(text, { isPlain: true, counts: [n] });
      expect(overallVerdict(report)).toBe("holds");
      expect(report.stats.states).toBe(states);
    });

  test("a violated program whose first abstract trace is spurious is still violated", async () => {
    const long = token(2, `[] ${"recv(other, q); ".repeat(5)} x = q;`);
    const report = await run(long.replace("send(other, r);", "send(other, r); ".repeat(5)));
    expect(overallVerdict(report)).toBe("violated");
    expect(firstViolated(report)!.reason).toContain("is R,");
    expect(report.runs[0]!.counting!.outcome).toBe("spurious trace");
  });

  test("depth-first search, whose abstract traces are spurious for every k, ends by the search from below", async () => {
    // Depth-first, P sends until its counter saturates, Q takes twice that number until its own counter saturates, and so on.
    const text = `message a; channel c, d, e;
      principal P { var x; x = a; loop { send(c, x); } }
      principal Q { var x; loop { recv(c, x); recv(c, x); send(d, x); } }
      principal S { var x; loop { recv(d, x); recv(d, x); send(e, x); } }
      principal R { var x; recv(e, x); }
      property clean: provenance(R.x) in eps;`;
    for (const k of [1, 2, 3, 4]) {
      const report = await run(text, { search: "dfs", isPlain: true, counts: [k] });
      expect(report.runs.map(({ counting }) => counting)).toEqual([
        { k, direction: "over", outcome: "spurious trace" },
        { k, direction: "under", outcome: "genuine trace" },
      ]);
    }
    expect(await verdict(text, { search: "dfs" })).toBe("violated");
  });
});

const pair = (p: string, q: string, property: string): string => `
  message a, b; channel c, d;
  principal P { var x, y; ${p} }
  principal Q { var x, y; ${q} }
  property p: ${property};`;

describe("provenance", () => {
  test("a send marks the message, not the variable", async () => {
    expect(
      await verdict(pair("x = a; send(c, x); send(c, x);", "recv(c, x);", "provenance(P.x) in eps")),
    ).toBe("holds");
    expect(
      await verdict(pair("x = a; send(c, x); send(c, x);", "recv(c, x);", "provenance(Q.x) in eps | P")),
    ).toBe("holds");
    expect(await verdict(pair("x = a; send(c, x);", "recv(c, x);", "provenance(Q.x) in eps"))).toBe(
      "violated",
    );
  });

  test("a new message has been nowhere", async () => {
    const forward = "recv(c, x); x = a; send(d, x);";
    const text = pair("x = a; send(c, x); recv(d, y);", forward, "provenance(P.y) in eps | Q");
    expect(await verdict(text)).toBe("holds");
    expect(await verdict(text.replace("x = a; send(d", "x = a(x); send(d"))).toBe("violated");
  });

  test("x := f(x) keeps the provenance", async () => {
    const text = pair("x = a; send(c, x);", "recv(c, x); x = b(x);", "provenance(Q.x) in eps | P");
    expect(await verdict(text)).toBe("holds");
    expect(await verdict(text.replace("eps | P", "eps when Q.x == b"))).toBe("violated");
  });

  test("the property holds at every moment, including between a receive and an overwrite", async () => {
    const text = pair("x = a; send(c, x);", "recv(c, x); x = b;", "provenance(Q.x) in eps");
    for (const options of [{}, { isPlain: true }, { reductions: ["dead", "por"] }] satisfies CheckOptions[])
      expect(await verdict(text, options)).toBe("violated");
  });

  test("the initial value of a variable must be allowed: a warning, and a violation without a step", async () => {
    const report = await run(pair("x = a; send(c, x);", "recv(c, x);", "provenance(Q.x) in P"));
    expect(report.diagnostics.map(({ code }) => code)).toEqual(["provenance/initially-forbidden"]);
    expect(firstViolated(report)!.trace!.length).toBe(0);
  });

  test("an assumption about the message implies nothing about its history", async () => {
    const q = "choose { [] recv(c, x); [] x = a; } assume(x == a); y = x;";
    expect(await verdict(pair("x = a; send(c, x);", q, "provenance(Q.y) in eps"))).toBe("violated");
    expect(await verdict(pair("x = a; send(c, x);", q, "provenance(Q.y) in eps | P"))).toBe("holds");
  });

  test("a nondeterministic automaton is determined first", async () => {
    const policy =
      "automaton { init q0; accept q0, q2; q0 - P -> q1; q0 - P -> q0; q1 - Q -> q2; q0 - Q -> q0; }";
    const text = pair(
      "x = a; send(c, x); recv(d, y);",
      "recv(c, x); send(d, x);",
      `provenance(P.y) in ${policy}`,
    );
    expect(await verdict(text)).toBe("holds");
    expect(await verdict(text.replace("accept q0, q2", "accept q2"))).toBe("violated");
  });

  test("an incomplete automaton rejects events without a step", async () => {
    const policy = "automaton { init q0; accept q0; q0 - Q -> q0; }";
    expect(await verdict(pair("x = a; send(c, x);", "recv(c, x);", `provenance(Q.x) in ${policy}`))).toBe(
      "violated",
    );
  });
});

describe("counting", () => {
  const twice = pair("x = a; send(c, x);", "recv(c, x); recv(c, y);", "provenance(Q.y) in eps");

  test("with k = 0 the first message is already any number; with k = 1 one message is one", async () => {
    const report = await run(twice);
    expect(report.scope.by).toBe("counter abstraction, k = 1");
  });

  test("k is not enough: unknown, not holds", async () => {
    expect(await verdict(twice, { counts: [0] })).toBe("unknown");
  });
});

describe("reduction", () => {
  test("a principal that sends forever does not keep the others from their turn", async () => {
    const text = pair("loop { x = a; send(c, x); }", "recv(c, x);", "provenance(Q.x) in eps");
    for (const options of [
      {},
      { reductions: ["por"] },
      { reductions: ["por", "dead"], search: "dfs" },
    ] satisfies CheckOptions[])
      expect(await verdict(text, options)).toBe("violated");
  });

  test("if receiving and continuing mix, both are explored", async () => {
    // The process that mixes comes first: taken alone before any send, it would always take the other branch.
    const text = `message a; channel c;
      principal Q { var x, y; choose { [] recv(c, x); y = x; [] skip; skip; halt; } }
      principal P { var x; x = a; send(c, x); }
      property p: provenance(Q.y) in eps;`;
    for (const options of [{}, { reductions: ["por"] }] satisfies CheckOptions[])
      expect(await verdict(text, options)).toBe("violated");
  });

  test("receives of two principals on one channel compete", async () => {
    const text = `message a; channel c, d;
      principal P { var x; x = a; send(c, x); }
      principal Q { var x; recv(c, x); send(d, x); }
      principal R { var x, y, z; recv(c, x); recv(d, y); z = a(y); }
      property p: provenance(R.z) in eps;`;
    for (const options of [{}, { reductions: ["por"] }, { isPlain: true }] satisfies CheckOptions[])
      expect(await verdict(text, options)).toBe("holds");
  });

  test("a condition on another principal is looked at between its statements", async () => {
    const text = pair(
      "loop { x = a; x = b; send(c, x); }",
      "recv(c, x); y = x; x = a; y = a;",
      "provenance(Q.y) in eps when P.x == a",
    );
    for (const options of [{}, { isPlain: true }] satisfies CheckOptions[])
      expect(await verdict(text, options)).toBe("violated");
  });
});

describe("domains, tests and spawning", () => {
  const medical = (policy: string): string => `
    message HQ, HA; channel a, b, c; provenance set;
    principal Patient { var p, q; loop { choose { [] p = HQ; send(a, p); [] recv(c, q); } } }
    principal Secretary { var s; loop { recv(a, s); send(b, s); } }
    principal Doctor { var d; loop { recv(b, d); choose { [] send(b, d); [] send(c, d); } } }
    property trusted: provenance(Patient.q) in ${policy};`;

  test("sets: trusted principals, and one that is not", async () => {
    expect(await verdict(medical("subset {Patient, Secretary, Doctor}"))).toBe("holds");
    const report = await run(medical("subset {Patient, Secretary}"));
    expect(firstViolated(report)!.reason).toContain("is {Patient, Secretary, Doctor},");
    expect(
      await verdict(medical("contains {Doctor}, {Patient}").replace(" in contains", " notin contains")),
    ).toBe("violated");
  });

  test("a declared domain follows sends, receives and operations", async () => {
    const text = `message secret, sealed; channel c, d;
      domain Sealing { init clean; clean - send Source -> tainted; tainted - op seal -> clean; tainted - recv Judge -> seen; }
      provenance Sealing; op seal { * -> sealed; }
      principal Source { var x; x = secret; send(c, x); }
      principal Cleaner { var x, y; recv(c, x); y = seal(x); send(d, y); }
      principal Sink { var z; recv(d, z); }
      principal Judge { var j; recv(c, j); }
      property sealed_only: provenance(Sink.z) in classes {clean};
      property never_seen: provenance(Judge.j) notin classes {seen};`;
    const report = await run(text);
    expect(report.properties.map(({ verdict: v }) => v)).toEqual(["holds", "violated"]);
    expect(await verdict(text.replace("y = seal(x)", "y = x"), { properties: ["sealed_only"] })).toBe(
      "violated",
    );
  });

  test("a conditional on the provenance lets through only what is in the set", async () => {
    const text = (relation: string): string =>
      pair(
        "choose { [] x = a; send(c, x); [] recv(d, x); send(c, x); }",
        "x = b; send(d, x); recv(c, x); if (provenance(x) " + relation + " any* Q any*) y = x;",
        "provenance(Q.y) in eps | P",
      );
    expect(await verdict(text("notin"))).toBe("holds");
    expect(await verdict(text("in"))).toBe("violated");
  });

  test("any number of spawned principals can be at work", async () => {
    const text = (n: number): string => `message a; channel c, d;
      principal Main { var x, y; x = a; loop { choose { [] send(c, x); [] spawn Worker; [] recv(d, y); } } }
      principal Worker { var w; ${"recv(c, w); send(c, w); ".repeat(n)} recv(c, w); send(d, w); }
      property p: provenance(Main.y) in eps | Main Worker Worker? Worker?;`;
    expect(await verdict(text(1))).toBe("violated");
    const few = `message a; channel c, d;
      principal Main { var x, y; x = a; send(c, x); spawn Worker; spawn Worker; recv(d, y); }
      principal Worker { var w; recv(c, w); choose { [] send(c, w); [] send(d, w); } }
      property p: provenance(Main.y) in eps | Main Worker Worker?;`;
    const report = await run(few);
    expect(overallVerdict(report)).toBe("holds");
    expect(report.scope.by).toBe("counter abstraction, k = 2");
  });
});
