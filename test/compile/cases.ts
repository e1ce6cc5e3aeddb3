/**
 * Small models on which implementations easily differ from Spin, with the results of Spin 6.5.2's verifier without
 * reductions (`spin -o1 -o2 -o3 -a`, `gcc -DSAFETY -DNOREDUCE`, `pan -c0`): stored states, invalid end states, and kinds
 * of error. Compares interpreter and generated code on each. The folder `cases` has more.
 */
import { expect, test } from "vitest";
import { compile } from "../../src/compile/index.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { Sources, type FaultKind, type Rules } from "../../src/model/index.js";
import { compareDeclared } from "./differential.js";

export interface Case {
  readonly name: string;
  readonly text: string;
  readonly states: number;
  readonly deadlocks?: number;
  readonly faults?: readonly FaultKind[];
  readonly rules?: Partial<Rules>;
  /** Our expectation, where pan rejects the model, crashes or continues after the fault. */
  readonly isOurs?: boolean;
}

/** `narrow.test.ts` compares guessed layouts, so that a mutant takes little time here. */
export function expectCases(all: readonly Case[]): void {
  for (const { name, text, states, deadlocks = 0, faults = [], rules = {} } of all)
    test(name, () => {
      const sources = new Sources();
      sources.add(name, text);
      const { program } = loadPromela({
        file: name,
        text,
        defines: [],
        readFile: () => undefined,
        sources,
        rules,
      });
      const found = compareDeclared(compile(program!, sources), name)!;
      expect({
        states: found.states.size,
        deadlocks: found.observed.filter((seen) => seen.startsWith("0,false")).length,
        faults: found.faults.map((site) => program!.sites[site]!.fault).sort(),
      }).toEqual({ states, deadlocks, faults: [...faults].sort() });
    });
}

export const cases: readonly Case[] = [
  {
    name: "a rendezvous channel is empty and not full",
    text: `chan c = [0] of { byte }; byte r;
      active proctype S() { if :: nfull(c) -> r = 1 :: full(c) -> r = 2 fi; assert(r == 1 && empty(c)) }`,
    states: 5,
  },
  {
    name: "timeout does not last inside an atomic sequence",
    text: `byte x;
      active proctype A() { atomic { timeout -> x = 1; timeout -> x = 2 } }
      active proctype B() { x == 1 -> x = 5 }`,
    states: 7,
  },
  {
    name: "an atomic sequence loses control when its provided clause fails",
    text: `byte x;
      active proctype A() provided (x != 1) { atomic { x = 1; x = 2; x = 3 } }
      active proctype B() { x == 1 -> x = 5 }`,
    states: 8,
  },
  {
    name: "an atomic sequence loses control to a higher priority",
    text: `byte x;
      active proctype A() priority 1 { atomic { x = 1; x = 2; x = 3 } }
      active proctype B() priority 5 { x == 1 -> x = 5 }`,
    states: 7,
  },
  {
    name: "enabled does not look at the provided clause",
    text: `byte x, r;
      active proctype A() provided (x == 1) { x = 2 }
      active proctype B() { if :: enabled(0) -> r = 1 :: else -> r = 2 fi; x = 1; assert(r == 1) }`,
    states: 9,
  },
  {
    name: "a rendezvous receive of the wrong length is no error until somebody sends",
    text: `chan a = [0] of { byte }; chan b = [0] of { byte, byte }; byte x;
      proctype R(chan q) { byte v; if :: q?v :: x == 1 fi }
      active proctype A() { run R(b); x = 1 }`,
    states: 6,
  },
  {
    // pan follows it down to its depth bound.
    name: "an atomic sequence that never ends",
    text: `byte x;
      active proctype A() { atomic { x = 1; do :: x = 0; x = 1 od } }
      active proctype B() { x = 5 }`,
    states: 3,
  },
  {
    // Spin reports the claims only with partial-order reduction on; it continues after them either way.
    name: "a claim that is not true is an error, and the search goes on",
    text: `chan c = [1] of { byte }; byte x;
      active [2] proctype S() { xs c; x = 1; c!1 }`,
    states: 10,
    deadlocks: 2,
    faults: ["exclusive-access"],
  },
  {
    name: "matches are tested before anything is stored",
    text: `chan q = [1] of { byte, byte }; byte b = 2;
      active proctype A() { q!3,2; if :: q?b,eval(b) fi; assert(b == 3) }`,
    states: 5,
  },
  {
    name: "sorted sends and random receives",
    text: `chan q = [4] of { byte, short }; short y;
      active proctype A() { q!!2,-1; q!!1,9; q!!2,-5; q??2,y; assert(y == -5); q?<_,y>; assert(y == 9 && len(q) == 2) }`,
    states: 9,
  },
  {
    name: "an else beside a rendezvous send",
    text: `chan c = [0] of { byte }; byte r;
      active proctype S() { if :: c!1 -> r = 1 :: else -> r = 2 fi }
      active proctype R() { byte v; c?v }`,
    states: 6,
  },
  {
    name: "_last is the receiver after a rendezvous",
    text: `chan c = [0] of { byte }; byte r;
      active proctype R() { c?1; r = 1 }
      active proctype S() { c!1 }
      active proctype T() { r == 1; assert(_last != 1) }`,
    states: 8,
  },
  {
    name: "processes die youngest first and their numbers are used again",
    text: `byte seen;
      proctype C() { seen = _pid }
      init { run C(); run C(); _nr_pr == 1; run C(); _nr_pr == 1; assert(seen == 1) }`,
    states: 24,
  },
];
