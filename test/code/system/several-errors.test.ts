/** A check that continues after errors reports each once, independent of node and frequency. */
import { describe, expect, test } from "vitest";
import { renderCheck } from "../../../src/report/index.js";
import { checkText, propertyOf } from "./small.js";

/** A reduction preserves one violation of a condition, not every kind of violation. */
const all = { maxErrors: Infinity, reductions: [] };

describe("exceptions", () => {
  const system = `
    class Store { open = true; read() { if (!this.open) throw new Error("closed"); }
      get() { this.read(); } list() { this.read(); } close() { this.open = false; } }
    export default defineSystem<Store>({ nodes: { a: () => new Store() },
      actions: { get: { run: (n) => n.get() }, list: { run: (n) => n.list() }, close: { run: (n) => n.close() } } });`;

  test("the same one that comes about by other calls is another error", async () => {
    const { violations } = propertyOf(await checkText(system, all), "exceptions");
    expect(violations.map(({ reason, steps }) => [reason, steps])).toEqual([
      ["a fails: closed", 2],
      ["a fails: closed", 2],
    ]);
    expect(new Set(violations.map(({ schedule }) => schedule)).size).toBe(2);
  });

  test("those that are not shown are listed, with the commands that show them", async () => {
    const report = await checkText(system, all);
    const text = renderCheck(report);
    const [, second] = propertyOf(report, "exceptions").violations;
    expect(text).toContain("Other errors\n  exceptions (error): a fails: closed, after 2 steps\n");
    expect(text).toContain(`    everypath replay ${second!.schedule} `);
    expect(renderCheck(await checkText(system))).not.toContain("Other errors");
  });
});

describe("conditions on states", () => {
  const system = `
    class Account { balance = 5; audit = 0; }
    export default defineSystem<Account>({ nodes: { a: () => new Account(), b: () => new Account() },
      actions: { withdraw: { values: [3, 4], when: (n) => n.balance > -10, run: (n, amount: number) => { n.balance -= amount; } },
        skip: { times: 1, run: (n) => { n.audit++; } } },
      always: { "accounts are in order": ({ nodes, names }) => {
        for (const name of names) {
          if (nodes[name]!.balance < 0) return name + " owes " + -nodes[name]!.balance;
          if (nodes[name]!.audit > 0) return name + " was not audited";
        }
        return true; } } });`;

  test.each([{ search: "bfs" }, { search: "dfs" }, { search: "random" }] as const)(
    "each way that one is violated, whatever names and numbers: %o",
    async (options) => {
      const { violations } = propertyOf(
        await checkText(system, { ...all, ...options }),
        "accounts are in order",
      );
      const ways = violations.map(({ reason }) => reason.replace(/^.*: [ab]/, "").replace(/\d+/, "N"));
      expect(ways.sort()).toEqual([" owes N", " was not audited"]);
    },
  );
});

test("each way that a message is wrong", async () => {
  const system = `
    class Sender { constructor(readonly env: Environment) {} tell(text: string) { this.env.send("b", text); } }
    export default defineSystem<Sender>({ nodes: { a: (env) => new Sender(env), b: (env) => new Sender(env) },
      network: { capacity: 1 },
      actions: { tell: { on: ["a"], values: ["", "b12", "b7", "!"], run: (n, text: string) => n.tell(text) } },
      messages: { "texts are words": (text: unknown) =>
        text === "" ? "empty" : /\\d/.test(String(text)) ? String(text) + " has digits" : text === "!" ? "no word" : true } });`;
  const { violations } = propertyOf(await checkText(system, all), "texts are words");
  expect(violations.map(({ reason }) => reason)).toEqual(["empty", "b12 has digits", "no word"]);
});

describe("conditions on messages", () => {
  const system = (run: string, more = ""): string => `
    class Teller { tells = 0; constructor(readonly e: Environment) {} onStart() { ${more} } }
    export default defineSystem<Teller>({ nodes: { a: (e) => new Teller(e), b: (e) => new Teller(e) },
      actions: { tell: { on: "a", times: 1, run: (n) => { ${run} } } },
      discard: (n) => n.tells > 5,
      messages: { small: (m: any) => m < 10, even: (m: any) => m % 2 === 0 } });`;
  const violated = async (text: string, options = {}): Promise<string[]> =>
    (await checkText(text, { ...all, ...options })).properties
      .filter(({ verdict }) => verdict === "violated")
      .map(({ property }) => property.name);

  test.each([
    ["one message violates several", 'n.e.send("b", 11);', ["small", "even"]],
    [
      "several messages of one step violate one each",
      'n.e.send("b", 12); n.e.send("b", 3);',
      ["small", "even"],
    ],
    [
      "a step fails after it has sent",
      'n.e.send("b", 11); throw new Error("late");',
      ["exceptions", "small", "even"],
    ],
    ["a step leads beyond a bound", 'n.e.send("b", 11); n.tells = 6;', ["small", "even"]],
  ])("each is reported where %s", async (_, run, names) => {
    expect(await violated(system(run))).toEqual(names);
    for (const name of names) {
      const { trace, verdict } = propertyOf(await checkText(system(run), { properties: [name] }), name);
      expect([verdict, trace!.steps.length]).toEqual(["violated", 1]);
    }
  });

  test("each is reported where the start sends", async () => {
    const text = system("", 'if (this.e.name === "a") this.e.send("b", 11);');
    expect(await violated(text)).toEqual(["small", "even"]);
    expect(await violated(text, { properties: ["even"], search: "dfs" })).toEqual(["even"]);
  });
});
