/** Creation and removal of processes: see `cases.ts`. */
import { expectCases } from "../cases.js";

expectCases([
  {
    name: "a process that is not there",
    text: `byte x; proctype P() { byte k = 1; l: x = k } init { assert(!P@l); run P(); _nr_pr == 1; if :: x == 1 -> assert(!P@l) :: P:k == 1 fi }`,
    states: 9,
    faults: ["bad-process"],
    isOurs: true,
  },
  {
    name: "the number of a new process",
    text: `byte a, b; proctype P(byte k) { assert(_pid == k && _nr_pr > k) ; end: false } init { a = run P(1); b = run P(2); assert(a == 1 && b == 2) }`,
    states: 11,
    isOurs: true,
  },
  {
    name: "a process ends when younger ones have",
    text: `byte x; proctype Y() { x = 1; x == 3 } proctype O() { x = x | 2 } init { run O(); run Y(); _nr_pr == 1; assert(x == 3) }`,
    states: 17,
    deadlocks: 2,
    isOurs: true,
  },
  {
    name: "a process starts with what it is given",
    text: `byte t; proctype P(byte k; chan c) { byte l = k + 1; c!l } init { chan c = [2] of { byte }; run P(1, c); run P(2, c); c?t; assert(t == 2 || t == 3); c?t }`,
    states: 47,
    isOurs: true,
  },
  {
    name: "more channels of more processes",
    text: `byte n; proctype P(byte k) { chan mine = [1] of { byte }; byte x; mine!k; mine?x; assert(x == k); n++ } init { atomic { run P(1); run P(2) }; n == 2 }`,
    states: 36,
    isOurs: true,
  },
  {
    name: "states become wider",
    text: `byte n; proctype P() { int a[3]; a[2] = n; n++; if :: n < 4 -> run P() :: else fi; end: false } init { run P() }`,
    states: 17,
    isOurs: true,
  },
  {
    name: "a process that ends in the middle of others",
    text: `byte x; proctype A() { x++ } proctype B() { x++; x == 3 } init { run A(); run B(); run A(); _nr_pr == 1; run A() }`,
    states: 39,
  },
]);
