/** Control queues, tables, bags and clashing rules, one condition after the other; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { Bags } from "../../../src/compile/network/bags.js";
import { clashingRules } from "../../../src/compile/network/clashes.js";
import { concreteConfig, type NetworkConfig } from "../../../src/compile/network/config.js";
import { ControlQueues } from "../../../src/compile/network/control-queues.js";
import { ruleKey, Symbols } from "../../../src/compile/network/symbols.js";
import type { Command, Rule } from "../../../src/model/network.js";
import { networkOf } from "../../languages/sdn/loading.js";

const networkWith = (body: string): string => `options { barriers = published; }
  network one { switch s1, s2 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
  packet { kind: enum {A, B}; } behaviour client c1 { send {kind: any}; } controller { on packetIn(p, sw, pt) { ${body} } }`;

const ruleA: Rule = { priority: 1, fields: [0], port: undefined, ports: [2], expires: false };
const ruleB: Rule = { priority: 1, fields: [1], port: undefined, ports: [2], expires: false };
const better: Rule = { ...ruleA, priority: 2 };
const alike: Rule = { ...ruleA, ports: [1] };
const add = (rule: Rule): Command => ({ kind: "add", switch: 0, rule });
const del = (rule: Rule): Command => ({ kind: "del", switch: 0, rule });
const barrier: Command = { kind: "barrier", switch: 0 };

class Switch {
  readonly symbols = new Symbols(networkOf(networkWith("drop();")));
  readonly queues: ControlQueues;

  constructor(config: Partial<NetworkConfig> = {}, clashing: ReadonlySet<string> | "any" = new Set()) {
    const known = clashing === "any" ? undefined : clashing;
    this.queues = new ControlQueues(this.symbols, { ...concreteConfig, ...config }, known);
  }

  table(...rules: readonly Rule[]): number {
    return this.queues.tables.of(rules.map((rule) => this.symbols.rule(rule)));
  }

  append(queue: number, table: number, ...commands: readonly Command[]) {
    return this.queues.append(queue, table, this.symbols.commandsTo(0, commands));
  }

  sent(...commands: readonly Command[]): number {
    return this.append(0, 0, ...commands)[0]!.queue;
  }

  message(command: Command): number {
    return this.symbols.commandLists[this.symbols.commandsTo(0, [command])]![0]!;
  }

  shown(queue: number): string[] {
    const names = new Map([ruleA, ruleB, better, alike].map((rule, i) => [ruleKey(rule), "ABCD"[i]!]));
    const name = (m: number): string =>
      `${m & 1 ? "-" : "+"}${names.get(ruleKey(this.symbols.rules[m >> 1]!))!}`;
    return this.queues
      .segments(queue)
      .map((segment) => (segment < 0 ? "|" : this.queues.messages.symbols(segment).map(name).join("")));
  }

  tables(installed: readonly { readonly table: number }[]): string[] {
    return installed.map(({ table }) => this.queues.tables.symbols(table).join()).sort();
  }
}

describe("control queues", () => {
  test("of the rules that match those with the highest priority", () => {
    const at = new Switch();
    const packet = at.symbols.packet(1, [0]);
    const best = (...rules: readonly Rule[]): number[] =>
      [...at.queues.best(at.table(...rules), packet)].sort((a, b) => a - b);
    const numbers = (...rules: readonly Rule[]): number[] => rules.map((rule) => at.symbols.rule(rule));
    expect(best(ruleA, ruleB, better)).toEqual(numbers(better));
    expect(best(ruleA, ruleB, alike)).toEqual(numbers(ruleA, alike).sort((a, b) => a - b));
    expect(best(ruleB)).toEqual([]);
  });

  test("messages stand between barriers, and are pending before the first", () => {
    const at = new Switch();
    const queue = at.sent(add(ruleA), del(ruleB), barrier, add(better));
    expect(at.shown(queue)).toEqual(["+A-B", "|", "+C"]);
    expect(at.queues.pending(queue)).toHaveLength(2);
    expect(at.queues.hasBarrier(queue)).toBe(true);
    const behind = at.sent(barrier, add(ruleA));
    expect(at.shown(behind)).toEqual(["|", "+A"]);
    expect(at.queues.pending(behind)).toEqual([]);
    expect(at.queues.hasBarrier(behind)).toBe(true);
    expect(at.queues.hasBarrier(at.sent(barrier))).toBe(true);
    expect(at.queues.hasBarrier(at.sent(add(ruleA)))).toBe(false);
    expect(at.queues.hasBarrier(0)).toBe(false);
    expect(at.shown(at.append(queue, 0, add(better), barrier, del(ruleA))[0]!.queue)).toEqual([
      "+A-B",
      "|",
      "+C",
      "|",
      "-A",
    ]);
  });

  test("executing takes a message out and changes the table", () => {
    const at = new Switch();
    const queue = at.sent(add(ruleA), barrier, del(ruleA));
    const after = at.queues.execute(queue, 0, at.message(add(ruleA)));
    expect(at.shown(after.queue)).toEqual(["|", "-A"]);
    expect(at.queues.tables.symbols(after.table)).toEqual([at.symbols.rule(ruleA)]);
    const two = at.queues.execute(at.sent(add(ruleA), add(ruleB), barrier), 0, at.message(add(ruleB)));
    expect(at.shown(two.queue)).toEqual(["+A", "|"]);
    const last = at.queues.execute(at.sent(del(ruleA)), after.table, at.message(del(ruleA)));
    expect(last).toEqual({ queue: 0, table: 0 });
  });

  test("a barrier: what is only added is there, what is only deleted is not, of the others either", () => {
    const at = new Switch();
    const [a, b, c] = [ruleA, ruleB, better].map((rule) => at.symbols.rule(rule));
    const queue = at.sent(add(ruleA), del(ruleA), add(ruleB), del(better), barrier, add(better));
    const flushed = at.queues.flush(queue, at.table(better));
    expect(at.tables(flushed)).toEqual([`${[a, b].join()}`, `${b}`].sort());
    expect(flushed.map((each) => at.shown(each.queue))).toEqual([["+C"], ["+C"]]);
    expect(at.tables(at.queues.flush(at.sent(barrier), at.table(better)))).toEqual([`${c}`]);
    const merging = new Switch({ mergesBarriers: true });
    merging.table(ruleA);
    expect(merging.tables(merging.append(0, 0, add(ruleA), del(ruleA), barrier))).toEqual(["", "0"]);
    expect(merging.tables(merging.append(0, 0, add(ruleA), del(ruleA)))).toEqual([""]);
    expect(merging.shown(merging.append(0, 0, add(ruleA))[0]!.queue)).toEqual(["+A"]);
  });

  test("with counted messages none is there twice, and none that changes nothing", () => {
    const at = new Switch({ countsMessages: true }, new Set([ruleKey(ruleB)]));
    const shown = (table: number, ...commands: readonly Command[]): string =>
      at.shown(at.append(0, table, ...commands)[0]!.queue).join("");
    const [none, hasA, hasB] = [0, at.table(ruleA), at.table(ruleB)];
    expect(shown(none, add(ruleA), add(ruleA))).toBe("+A");
    expect(shown(hasA, add(ruleA))).toBe("");
    expect(shown(none, del(ruleA))).toBe("");
    expect(shown(hasA, del(ruleA))).toBe("-A");
    expect(shown(none, add(ruleA), del(ruleA))).toBe("+A-A");
    expect(shown(hasB, add(ruleB))).toBe("+B");
    expect(shown(none, del(ruleB))).toBe("-B");
  });

  test("with counted messages those of clashing rules stay", () => {
    const left = (clashing: ReadonlySet<string> | "any"): number => {
      const at = new Switch({ countsMessages: true }, clashing);
      const message = at.message(add(ruleA));
      return at.queues.messages.symbols(at.queues.afterExecution(at.queues.messages.single(message), message))
        .length;
    };
    expect(left(new Set())).toBe(0);
    expect(left(new Set([ruleKey(ruleB)]))).toBe(0);
    expect(left(new Set([ruleKey(ruleA)]))).toBe(1);
    expect(left("any")).toBe(1);
  });
});

describe("bags", () => {
  test("count up to their limit, then any number", () => {
    const bags = new Bags(2, (a, b) => a - b);
    const [two, three, five] = [
      [7, 7],
      [7, 7, 7],
      [7, 7, 7, 7, 7],
    ].map((symbols) => bags.of(symbols));
    expect(bags.counts(two!)).toEqual([2]);
    expect(five).toBe(three);
    expect([bags.isMany(2), bags.isMany(3)]).toEqual([false, true]);
    expect(bags.counts(bags.take(two!, 7))).toEqual([1]);
    expect(bags.take(three!, 7)).toBe(three);
    expect(bags.take(bags.single(7), 7)).toBe(0);
    const sets = new Bags(0, (a, b) => a - b);
    expect(sets.take(sets.single(7), 7)).toBe(sets.single(7));
    expect(bags.without(three!, 7)).toBe(0);
    const all = new Bags(Infinity, (a, b) => a - b);
    expect(all.counts(all.of([7, 7, 7]))).toEqual([3]);
  });
});

describe("rules that clash", () => {
  const clashes = (body: string): number => clashingRules(networkOf(networkWith(body)))!.size;
  const [addA, deleteA] = ["install(s1, rule(1, {kind: A}, [2]));", "remove(s1, rule(1, {kind: A}, [2]));"];
  const either = (one: string, other: string): string => `if (p.kind == A) { ${one} } else { ${other} }`;

  test("are added and deleted, one of both with no barrier behind it", () => {
    expect(clashes(either(addA, deleteA))).toBe(1);
    expect(clashes(either(`${addA} barrier(s1);`, deleteA))).toBe(1);
    expect(clashes(either(addA, `${deleteA} barrier(s1);`))).toBe(1);
    expect(clashes(either(`${addA} barrier(s2);`, `${deleteA} barrier(s2);`))).toBe(1);
    expect(clashes(either(`barrier(s1); ${addA}`, `barrier(s1); ${deleteA}`))).toBe(1);
  });

  test("are added and deleted in front of one barrier, or expire", () => {
    expect(clashes(`${addA} ${deleteA} barrier(s1);`)).toBe(1);
    expect(clashes(`${deleteA} barrier(s2); ${addA} barrier(s1);`)).toBe(1);
    expect(clashes(`${deleteA} ${addA.replace("[2]", "[2], timeout")} barrier(s1);`)).toBe(1);
    expect(clashes(`${deleteA} barrier(s1); ${addA} barrier(s1);`)).toBe(0);
    expect(clashes(`${deleteA} ${addA.replace("A}", "B}")} barrier(s1);`)).toBe(0);
    expect(clashes(`${deleteA} ${addA.replace("s1", "s2")} barrier(s1); barrier(s2);`)).toBe(0);
    expect(clashes(deleteA.replace("[2]", "[2], timeout"))).toBe(0);
  });

  test("are not those with a barrier behind both, nor those that are only added or only deleted", () => {
    expect(clashes(either(`${addA} barrier(s1);`, `${deleteA} barrier(s1);`))).toBe(0);
    expect(clashes(either(addA, addA))).toBe(0);
    expect(clashes(either(deleteA, ""))).toBe(0);
  });
});
