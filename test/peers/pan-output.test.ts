import { describe, expect, test } from "vitest";
import { errorKind, parsePanOutput } from "./pan-output.js";

const output = `pan:1: invalid end state (at depth 5631)
pan: wrote m.pml1.trail
pan:3: assertion violated (x==1) (at depth 7)

(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
	never claim         	- (not selected)

State-vector 188 byte, depth reached 12226, errors: 81
    91920 states, stored
   213540 states, matched
   305460 transitions (= stored+matched)
        5 atomic steps
hash conflicts:     53026 (resolved)

Stats on memory usage (in Megabytes):
   18.936	equivalent memory usage for states (stored*(State-vector + overhead))
    6.649	actual memory usage for states (compression: 35.11%)
         	state-vector as stored = 56 byte + 20 byte overhead
   12.000	memory used for hash table (-w20)
   45.777	memory used for DFS stack (-m1000000)
   64.714	total actual memory usage

unreached in proctype cpu0
	m.pml:42, state 13, "bus!req,id"
	m.pml:50, state 20, "-end-"
	(2 of 20 states)
unreached in init
	(0 of 2 states)

pan: elapsed time 0.48 seconds
`;

describe("the report of pan", () => {
  test("is read in full", () =>
    expect(parsePanOutput(output)).toEqual({
      states: 91_920,
      nominalStates: 91_920,
      matched: 213_540,
      transitions: 305_460,
      atomicSteps: 5,
      depth: 12_226,
      errors: 81,
      errorKinds: new Set(["deadlock", "assertion"]),
      errorMessages: ["invalid end state", "assertion violated (x==1)"],
      unreached: [
        { proctype: "cpu0", line: 42, statement: "bus!req,id" },
        { proctype: "cpu0", line: 50, statement: "-end-" },
      ],
      vectorBytes: 188,
      seconds: 0.48,
      memoryMegabytes: 64.714,
      stateMegabytes: 6.649,
      tableMegabytes: 12,
      stackMegabytes: 45.777,
      incomplete: undefined,
    }));

  test("says why a search is incomplete", () => {
    const incomplete = (line: string): unknown => parsePanOutput(`${line}\n${output}`)!.incomplete;
    expect(incomplete("error: max search depth too small")).toBe("depth");
    expect(incomplete("pan: resizing hashtable to -w26.. pan: reached -DMEMLIM bound")).toBe("memory");
    expect(incomplete("pan: error, VECTORSZ too small, recompile pan.c")).toBe("vector");
    expect(incomplete("Warning: Search not completed")).toBe("aborted");
  });

  test("is absent when pan died", () => expect(parsePanOutput("Floating point exception")).toBeUndefined());

  test.each([
    ["assertion violated - invalid array index", "array-bounds"],
    ["block in d_step seq, line 4", "blocked-step"],
    ["ref to uninitialized chan name (qfull)", "bad-channel"],
    ["error, partial order reduction invalid", "exclusive-access"],
    ["too many processes", "too-many-processes"],
    ["something new", "other"],
  ])("%s is %s", (message, kind) => expect(errorKind(message)).toBe(kind));
});
