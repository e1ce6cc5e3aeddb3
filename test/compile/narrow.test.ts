/** Guessed layouts: the states do not depend on the guess; a value that does not fit restarts the search. */
import { describe, expect, test } from "vitest";
import { compareGuesses } from "./differential.js";

describe("a wrong guess changes nothing", () => {
  test.each([
    [
      "globals, elements and fields",
      `typedef R { byte x; byte y[2] }; byte g = 3, a[3]; short s; R r; active proctype A() { byte i; do :: i < 3 -> a[i] = 2 * i + 1; i++ :: else -> break od; g = 9; s = -4; s = 200; r.y[1] = 7; r.x = g + s }`,
    ],
    [
      "locals of two processes",
      `byte done; active [2] proctype A() { byte k = 2; short l; do :: k < 5 -> k++; l = l + k :: else -> break od; done++ }`,
    ],
    [
      "messages and how many there are",
      `chan c = [4] of { byte, short }; byte x; short y; active proctype S() { c!1,-3; c!2,300; c!!0,5; c!200,6 } active proctype R() { c?x,y; c?x,y; c??200,y; c?x,y }`,
    ],
    [
      "messages that are lost to nobody",
      `chan c = [3] of { bit, byte }; byte n; active proctype S() { byte k; do :: k < 3 -> c!k,k + 4; k++ :: else -> break od } active proctype R() { end: do :: c?_,n od }`,
    ],
    [
      "a handshake",
      `chan c = [0] of { byte }; byte x; active proctype S() { c!1; c!17; c!300 } active proctype R() { byte y; c?x; c?y; c?x; x = x + y }`,
    ],
    [
      "indivisible steps",
      `byte x, y; active proctype A() { d_step { x = 5; y = x * 3; x = y + 1 }; atomic { x = 40; y = 2; x = 3 } } active proctype B() { y = 100 }`,
    ],
    [
      "processes that come and go",
      `byte n; proctype P(byte k) { byte l = k * 2; n = n + l } init { run P(1); run P(2); _nr_pr == 1; run P(30); n = 0 }`,
    ],
    [
      "processes of another kind",
      `byte n; proctype P() { n++ } proctype Q(byte k) { n = k } init { if :: run P() :: run Q(7) fi; if :: run Q(9) :: run P() fi; _nr_pr == 1 }`,
    ],
    [
      "channels of processes",
      `byte x; proctype P(byte k) { chan c = [2] of { byte }; c!k; c!k + 1; c?x; c?x } init { run P(3); _nr_pr == 1; run P(70) }`,
    ],
    [
      "claims",
      `chan c = [1] of { byte }; proctype S(byte k) { xs c; c!k } init { byte x; run S(1); c?x; _nr_pr == 1; run S(2); c?x }`,
    ],
    [
      "indices that are constants",
      `byte a[2], i, k = 1; active proctype A() { a[i] = 1; i = 1; a[i] = k; if :: k == 1 -> i = 2 :: skip fi; if :: i == 2 -> a[i - 1] = 3 :: else fi }`,
    ],
    [
      "an index out of range",
      `byte a[2], i; active proctype A() { do :: i < 3 -> a[i] = 1; i++ :: break od }`,
    ],
    [
      "a channel by number",
      `chan c = [1] of { chan }, d = [1] of { byte }, e = [2] of { byte }; byte x; active proctype A() { chan q; c!d; c?q; q!1; q?x; c!e; c?q; q!5; q!6; q?x }`,
    ],
    [
      "elements that hold nothing",
      `typedef R { byte y[2] }; R r[2]; byte i, x, z[3]; active proctype A() { do :: i < 3 -> i++ :: x = r[i].y[i]; break :: r[i].y[1] = 0; break :: r[1].y[i] = 0; break :: x = z[i]; break :: z[i] = 0; break od }`,
    ],
    [
      "random receives and polls",
      `chan c = [3] of { byte }; byte x; active proctype A() { if :: c??[5] -> x = 1 :: else fi; c!4; c!5; c!6; if :: c??[6] -> x = 2 :: else -> x = 9 fi; c??5; if :: c?[4] && len(c) == 2 -> x = 3 fi }`,
    ],
    [
      "the number of a channel that is not there yet",
      `chan c = [1] of { byte }; proctype Q() { chan d = [1] of { byte }; byte y; d?y } proctype P(chan q) { q!1 } init { run P(2); run Q() }`,
    ],
    [
      "the number of a channel that is not there yet, and a process that stays",
      `byte n; chan c = [1] of { byte }; proctype Q() { chan d = [1] of { byte }; byte y; d?y; n = y } proctype P(chan q) { q!1; end: false } init { run P(2); run Q() }`,
    ],
    [
      "the priority of a process that is gone",
      `byte x; proctype P() { byte k = 3; x = k } init { run P(); _nr_pr == 1; if :: set_priority(1, 2) :: skip fi; x = 1; x = 7 }`,
    ],
    [
      "a provided clause that fails before its process is there",
      `byte z, n; proctype P() provided (1 / z == 1) { n = 3 } init { z = 1; run P() }`,
    ],
    [
      "a claim that is not true",
      `chan c = [1] of { byte }; byte x; proctype S(byte k) { xs c; c!k } init { run S(1); c?x; _nr_pr == 1; run S(2); if :: c?x :: c!3 fi }`,
    ],
    [
      "constant indices of elements that hold nothing",
      `byte z[3], x, y, t; active proctype A() { if :: x = z[3] :: x = z[0 - 1] :: x = z[2] :: x = 1 + z[0]; y = 3; t = 2 fi }`,
    ],
    [
      "polls of a channel that never holds anything",
      `chan c = [2] of { byte }; byte a[2], i, x; active proctype A() { if :: c??[eval(a[i])] -> x = 1; x = 5 :: else -> x = 2 fi; i = 2; if :: c??[eval(a[i])] -> x = 3 :: x = 4 fi }`,
    ],
    [
      "records of which a part is initialised",
      `typedef R { byte x = 2; byte y }; R r; byte z; active proctype A() { R l; l.y = 5; r.y = 6; z = l.y + r.y }`,
    ],
  ])("%s", (name, text) => {
    expect(compareGuesses(text, name)).toBeGreaterThan(2);
  });
});
