/** Rendezvous: see `cases.ts`. */
import { expectCases } from "../cases.js";

expectCases([
  {
    name: "a handshake moves both",
    text: `chan c = [0] of { byte, short }; byte x; short y; active proctype S() { c!1,-1; assert(x == 1 || x == 0) } active proctype R() { c?x,y; assert(x == 1 && y == -1) }`,
    states: 8,
  },
  {
    name: "a handshake needs what fits",
    text: `chan c = [0] of { byte, byte }; byte x, v = 2; active proctype S() { if :: c!1,5 :: c!2,6 fi } active proctype R() { if :: c?eval(v),x -> assert(x == 6) :: c?3,_ -> assert(false) fi }`,
    states: 5,
  },
  {
    name: "a message of a handshake is cut",
    text: `chan c = [0] of { byte, bit }; int x, y; active proctype S() { c!300,3 } active proctype R() { c?x,y; assert(x == 44 && y == 1) }`,
    states: 5,
  },
  {
    name: "every receiver may answer, no sender itself",
    text: `chan c = [0] of { byte }; byte who; active proctype S() { if :: c!1 :: c?_ fi } active [2] proctype R() { c?1; who = _pid; end: false }`,
    states: 5,
    deadlocks: 2,
  },
  {
    name: "several offers at once",
    text: `chan c = [0] of { byte }, d = [0] of { byte }; byte x; active proctype S() { if :: c!1 :: d!2 fi } active proctype R() { if :: c?x :: d?x fi; assert(x != 0) }`,
    states: 9,
    isOurs: true,
  },
  {
    name: "a handshake in an atomic sequence hands control over",
    text: `chan c = [0] of { byte }; byte x, y; active proctype S() { atomic { x = 1; c!1; x = 2 } } active proctype R() { atomic { c?1; y = 1; assert(x == 1); y = 2 } } active proctype T() { assert(y != 1) }`,
    states: 12,
  },
  {
    name: "an offer in a d_step",
    text: `chan c = [0] of { byte }; active proctype S() { byte k; d_step { k = 1; c!1 } } active proctype R() { c?1 }`,
    states: 1,
    faults: ["blocked-step"],
  },
  {
    name: "a receive that answers leads into a d_step",
    text: `chan c = [0] of { byte }; byte x, y; active proctype S() { c!4 } active proctype R() { d_step { c?x; y = x + 1; x = 0 }; assert(x == 0 && y == 5) } active proctype T() { assert(x == 0) }`,
    states: 11,
  },
  {
    name: "channels of handshakes in an array",
    text: `chan c[2] = [0] of { byte }; byte x; active [2] proctype S() { c[_pid]!_pid + 1 } active proctype R() { do :: c[0]?x -> assert(x == 1) :: c[1]?x -> assert(x == 2) :: timeout -> break od }`,
    states: 17,
  },
  {
    name: "an escape with a handshake",
    text: `chan c = [0] of { byte }; byte x; active proctype A() { { x = 1; end: c?1; x = 2 } unless { c?2; x = 9 } } active proctype B() { if :: c!1 :: c!2 fi }`,
    states: 14,
    isOurs: true,
  },
  {
    name: "claims on a handshake",
    text: `chan c = [0] of { byte }; active proctype A() { xs c; c!1 } active proctype B() { c?_ ; c!2 } active proctype C() { c?_ }`,
    states: 8,
    deadlocks: 1,
    faults: ["exclusive-access"],
    isOurs: true,
  },
  {
    name: "a handshake of the wrong length",
    text: `chan c = [0] of { byte }, d = [0] of { byte, byte }; byte x; proctype R(chan q) { byte a, b; end: if :: q?a,b :: q?a fi } init { run R(c); run R(d); if :: d!1,2 :: c!3 fi }`,
    states: 7,
    faults: ["bad-message"],
    isOurs: true,
  },
  {
    name: "a handshake whose values fail",
    text: `chan c = [0] of { byte }; byte a[2], i = 2; active proctype S() { if :: c!a[i] :: c!1 :: skip fi } active proctype R() { byte x; end: if :: c?eval(a[i]) :: c?a[i] :: c?x fi }`,
    states: 5,
    faults: ["array-bounds", "array-bounds", "array-bounds"],
    isOurs: true,
  },
  {
    name: "a channel in an array beside a handshake",
    text: `chan c[2] = [0] of { byte }; byte i = 2; active proctype S() { end: c[0]!1 } active proctype R() { byte x; if :: c[i]?x :: skip fi; c[i - 2]?x }`,
    states: 5,
    faults: ["array-bounds"],
  },
  {
    name: "nobody answers by what only looks",
    text: `chan c = [0] of { byte }; byte x; active proctype S() { if :: c!1 -> x = 1 :: else -> x = 2 fi } active proctype R() { if :: c?<x> :: x == 2 fi }`,
    states: 6,
    faults: ["bad-channel"],
  },
  {
    name: "a receiver that may not move",
    text: `chan c = [0] of { byte }; byte x, y; active proctype S() { if :: c!1 -> x = 1 :: y == 1 -> x = 2 fi } active proctype R() provided (y == 1) { c?1 } active proctype T() { y = 1 }`,
    states: 14,
    deadlocks: 1,
  },
  {
    name: "an offer of the wrong length",
    text: `chan r = [0] of { byte }; proctype S(chan q) { if :: q!1,2 :: skip fi } init { run S(r) }`,
    states: 5,
    faults: ["bad-message"],
    isOurs: true,
  },
  {
    name: "an offer that begins a d_step",
    text: `chan c = [0] of { byte }; byte x; active proctype S() { if :: d_step { c!1; x = 1 } :: skip fi } active proctype R() { end: c?1 }`,
    states: 2,
    faults: ["blocked-step"],
    isOurs: true,
  },
  {
    name: "an answer that is too long for every channel",
    text: `chan c = [0] of { byte }; byte x; proctype R(chan q) { byte a, b; end: q?a,b; x = a } init { run R(c); if :: c!3 :: skip fi }`,
    states: 3,
    faults: ["bad-message"],
    isOurs: true,
  },
  {
    name: "a random receive computes all before it compares with an offer",
    text: `chan c = [0] of { byte, byte }; byte a[2], i = 2; active proctype P() { if :: c!1,1 :: skip fi } active proctype Q() { end: if :: c??2,eval(a[i]) :: c?2,eval(a[i]) fi }`,
    states: 2,
    faults: ["array-bounds"],
    isOurs: true,
  },
]);
