/** Systems of nodes with several threads: the same verdicts as with one, in a shared numbering. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Journal, JournalFull } from "../../../src/model/journal.js";
import { useCli } from "../../cli/built-cli.js";
import { inRepository } from "../../repository.js";

const cli = useCli();
const head = 'import { defineSystem, type Environment } from "everypath/system";\n';
const systems = "examples/code/systems";

/** Copies the file, because the command runs in a temporary folder. */
const example = (name: string): string =>
  cli.write(`${name}.ts`, readFileSync(inRepository(`${systems}/${name}.ts`), "utf8"));

const HASHED = "threads recognise states of nodes by hashes of 128 bits";

test("the answer says how threads recognise states", async () => {
  const file = example("two-phase-commit");
  const notes = async (workers: string): Promise<readonly string[]> =>
    (await cli.run(["check", file, "--workers", workers, "--json"])).json().scope.notes;
  expect(await notes("1")).not.toContain(HASHED);
  expect(await notes("2")).toContain(HASHED);
});

/** Equal reports apart from the note above, if one thread also searches all states. */
async function both(file: string, ...options: string[]) {
  const run = async (workers: string) => {
    const all = ["--reduction", "none"];
    const result = await cli.run(["check", file, "--workers", workers, "--json", ...all, ...options]);
    const { stats, properties, trace, diagnostics, scope } = result.json();
    const { states, transitions, depth } = stats;
    return {
      figures: { states, transitions, depth },
      exitCode: result.exitCode,
      verdicts: properties.map(({ name, verdict, reason }) => ({ name, verdict, reason })),
      scope: { ...scope, notes: scope.notes.filter((note) => note !== HASHED) },
      steps: trace?.steps.length,
      codes: diagnostics.map(({ code }) => code),
    };
  };
  const [one, several] = await Promise.all([run("1"), run("2")]);
  return { one, several };
}

describe("two threads", () => {
  test.each([
    ["aodv-ref", ["-D", "Q=1"]],
    ["two-phase-commit", []],
    ["token-ring", []],
  ])("find of %s what one finds", async (name, options) => {
    const { one, several } = await both(example(name), ...options);
    expect(several).toEqual(one);
    expect(one.figures.states).toBeGreaterThan(10);
  });

  test("show an invariant broken as early as one does, with the user's reason", async () => {
    const { one, several } = await both(
      example("two-phase-commit"),
      ...["-D", "IMPATIENT", "--property", "all decide alike"],
    );
    expect([several.exitCode, several.steps, several.verdicts]).toEqual([1, 5, one.verdicts]);
  });

  const failing = (handler: string, more = ""): string =>
    cli.write(
      `failing-${handler.length}-${more.length}.ts`,
      `${head}class A { n = 0; kept: unknown; constructor(readonly e: Environment) {}
        onStart() { this.e.setTimer("go"); }
        onTimer() { this.n++; if (this.n < 9) this.e.setTimer("go"); ${handler} } }
      export default defineSystem<any>({ nodes: { a: (e) => new A(e), b: (e) => new A(e) }, ${more} });`,
    );

  test("answer for a system that fails while it starts, beside a condition that must come about", async () => {
    const file = cli.write(
      "stillborn.ts",
      `${head}class A { n = 0; onStart() { throw new Error("at once"); } }
      export default defineSystem<any>({ nodes: { a: () => new A() }, eventually: { moved: ({ nodes }) => nodes.a.n > 0 } });`,
    );
    const { one, several } = await both(file, "--errors", "all");
    expect(several).toEqual(one);
    expect(several.exitCode).toBe(1);
    expect(JSON.stringify(several.verdicts)).toContain("a fails: at once");
  });

  test("name an exception and the message that violates a property", async () => {
    const thrown = await both(failing('if (this.n === 3) throw new Error("three");'));
    expect(thrown.several.verdicts).toEqual(thrown.one.verdicts);
    expect(JSON.stringify(thrown.several.verdicts)).toContain("a fails: three");
    expect(thrown.several.steps).toBe(3);
    const sent = await both(
      failing('this.e.send("b", this.n);', 'messages: { "small": (m: any) => m < 2 || `${m} is large` },'),
      ...["--property", "small"],
    );
    expect([sent.several.exitCode, sent.several.steps]).toEqual([1, sent.one.steps]);
    expect(JSON.stringify(sent.several.verdicts)).toContain("is large");
  });

  test("tell of a handler that does not end what one tells", { timeout: 240_000 }, async () => {
    const { one, several } = await both(failing("if (this.n === 3) for (;;);"));
    expect(several).toEqual(one);
    expect([one.exitCode, one.steps]).toEqual([1, 3]);
    expect(JSON.stringify(one.verdicts)).toContain("does not terminate");
  });

  test("see a deadlock, and what is never reached", async () => {
    const { one, several } = await both(
      failing("", 'finished: () => false, sometimes: { "ten": ({ nodes }: any) => nodes["a"].n === 10 },'),
      ...["--errors", "all"],
    );
    expect(several).toEqual(one);
    expect(several.verdicts.map(({ verdict }) => verdict)).toContain("violated");
  });

  test("go on after errors, and tell the same ones apart", async () => {
    const file = failing(
      'if (this.n === 4) throw new Error("four");',
      'always: { "small": ({ nodes }: any) => nodes["a"].n < 2 ? true : nodes["b"].n < 2 ? "a is " + nodes["a"].n : "both" },',
    );
    const found = async (workers: string): Promise<string[]> => {
      const run = await cli.run([
        "check",
        file,
        "--workers",
        workers,
        "--errors",
        "all",
        "--reduction",
        "none",
        "--json",
      ]);
      return run
        .json()
        .properties.flatMap(({ violations }) =>
          violations.map(({ reason, steps, occurrences }) => `${reason} ${steps} ${occurrences}`),
        );
    };
    const one = await found("1");
    expect((await found("2")).sort()).toEqual(one.sort());
    expect(one.filter((text) => text.includes("small"))).toHaveLength(2);
  });

  test("say which bound cut something off, and what was never let fail", async () => {
    const { one, several } = await both(
      failing('this.e.fails("send");', "discard: (n: any) => n.n > 3, faults: { failures: 0 },"),
    );
    expect(several.scope).toEqual(one.scope);
    expect(several.scope.notes.join()).toMatch(/beyond the declared bound.*never let fail: send/);
  });
});

describe("where threads cannot search together", () => {
  const late = (what: string): string => `${head}
    class A { n = 0; kept: unknown; constructor(readonly e: Environment) {}
      go() { this.n++; ${what} } }
    export default defineSystem<any>({ nodes: { a: (e) => new A(e) }, actions: { go: { times: 400, run: (n) => n.go() } },
      always: { small: ({ nodes }) => nodes["a"].n < 1000 } });`;

  test("a node that turns out late to be no data is replayed, by one", async () => {
    const file = cli.write("late.ts", late("if (this.n === 350) { let x = 0; this.kept = () => x++; }"));
    const { one, several } = await both(file);
    expect(several.figures).toEqual(one.figures);
    expect(several.codes).toEqual(["code/opaque-state", "code/one-worker"]);
  });

  test("a condition that fails in some thread is no answer", async () => {
    const file = cli.write(
      "condition.ts",
      late("").replace('nodes["a"].n < 1000', 'nodes["a"].n < 350 || (nodes["a"].n = 0, true)'),
    );
    const { one, several } = await both(file);
    expect(several).toEqual(one);
    expect(several.codes).toEqual(["code/property-mutates"]);
  });

  test.each([
    ["a copy", 'nodes["a"].n < 350 || (nodes["a"].kept[0]++, true)'],
    ["what is outside of it", 'nodes["a"].n < 350 || ((nodes["a"].constructor.x = 1), true)'],
  ])("a condition that changes %s in some thread is no answer", async (_, condition) => {
    const text = late("").replace("kept: unknown", "kept = new Uint8Array(1)");
    const file = cli.write("changes.ts", text.replace('nodes["a"].n < 1000', condition));
    const { one, several } = await both(file);
    expect(several).toEqual(one);
    expect(several.codes).toEqual(["code/property-mutates"]);
  });

  test("like nodes are exchanged by one, and it says so", async () => {
    const { one, several } = await both(example("paxos"), ...["--max-states", "300", "--reduction", "all"]);
    expect(several.codes).toContain("code/one-worker");
    expect(several.figures.states).toBe(one.figures.states);
  });

  test("steps that commute are all made by threads, and a note says so", async () => {
    const { one, several } = await both(example("shards"), ...["-D", "PUTS=1", "--reduction", "all"]);
    expect(several.codes).toEqual(["session/reduction-off"]);
    expect(one.codes).toEqual([]);
    const answers = ({ verdicts }: typeof one): unknown =>
      verdicts.map(({ name, verdict }) => ({ name, verdict }));
    expect(answers(several)).toEqual(answers(one));
    expect(several.figures.states).toBeGreaterThan(10 * one.figures.states);
  });

  test("Ctrl-C: unknown, and the process ends", async () => {
    const file = example("raft");
    const result = await cli.run(["check", file, "--workers", "2", "--progress", "plain"], {
      meanwhile: async (signal, stderr) => {
        for (let waits = 0; !/\d,\d{3} states/.test(stderr()); waits++) {
          if (waits > 600) throw new Error(`no progress: ${stderr()}`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        signal("SIGINT");
      },
    });
    expect(result.exitCode).toBe(2);
    expect(result.stdout).toContain("the search was interrupted");
  });
});

describe("the journal", () => {
  test("gives everything one number in all threads, whoever says it first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ who: fc.nat(2), table: fc.nat(1), key: fc.string({ maxLength: 3 }) })),
        (said) => {
          const first = new Journal(1 << 16);
          const learned: string[][] = [];
          const threads = [first, new Journal(first.memory), new Journal(first.memory)].map(
            (journal, who) => {
              learned[who] = [];
              const table = (name: number) =>
                journal.table((number, key, note) => learned[who]!.push(`${name} ${number} ${key} ${note}`));
              return { journal, tables: [table(0), table(1)] };
            },
          );
          const numbers = new Map<string, number>();
          for (const { who, table, key } of said) {
            const number = threads[who]!.tables[table]!.number(key, () => `${key} by ${who}`);
            const name = `${table} ${key}`;
            expect(numbers.get(name) ?? number).toBe(number);
            numbers.set(name, number);
          }
          threads.forEach(({ journal }) => journal.catchUp());
          expect(learned[1]).toEqual(learned[0]);
          expect(learned[2]).toEqual(learned[0]);
          expect(learned[0]!.length).toBe(numbers.size);
        },
      ),
    );
  });

  test("grows, and says when there is no room, with room left to say that", () => {
    const journal = new Journal(1 << 21);
    const failures = journal.table(() => undefined);
    const texts = journal.table(() => undefined);
    const long = "x".repeat(1 << 16);
    expect(() => {
      for (let i = 0; i < 100; i++) texts.number(`${i}${long}`);
    }).toThrow(JournalFull);
    expect(journal.memory.byteLength).toBeGreaterThan(1 << 20);
    expect(failures.number("no room")).toBe(0);
  });
});
