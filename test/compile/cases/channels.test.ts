/** Channels that hold messages: see `cases.ts`. */
import { expectCases } from "../cases.js";

expectCases([
  {
    name: "a channel holds so many, in order",
    text: `chan c = [2] of { byte, short }; byte x; short y; active proctype S() { c!1,-1; c!2,-2; c!3,-3 } active proctype R() { c?x,y; assert(x == 1 && y == -1); c?x,y; c?x,y; assert(x == 3 && y == -3 && empty(c)) }`,
    states: 15,
  },
  {
    name: "values are cut by the channel, constants are not",
    text: `chan c = [2] of { byte, bit }; byte x; init { c!257,3; c?x,1; assert(x == 1); c!258,2; if :: c?258,_ -> assert(false) :: c?2,0 -> skip fi }`,
    states: 8,
  },
  {
    name: "missing fields are zero, more is an error",
    text: `chan c = [2] of { byte, byte }; byte x = 5, y = 5; proctype P(chan q) { if :: q!1,2,3 :: q?_,y,x :: skip fi } init { c!7; c?x,y; assert(x == 7 && y == 0); c!1,1; run P(c) }`,
    states: 9,
    faults: ["bad-message", "bad-message"],
    isOurs: true,
  },
  {
    name: "questions about channels",
    text: `chan c = [2] of { byte }; byte k; init { assert(empty(c) && nfull(c) && len(c) == 0); if :: full(c) -> k = 9 :: nempty(c) -> k = 8 :: empty(c) -> k = 7 fi; assert(k == 7); c!1; assert(nempty(c) && nfull(c) && len(c) == 1); c!2; assert(full(c) && nempty(c) && len(c) == 2); if :: nfull(c) -> k = 1 :: full(c) -> k = 2 fi; assert(k == 2) }`,
    states: 13,
  },
  {
    name: "what is polled stays",
    text: `chan c = [3] of { byte, byte }; byte x = 2; init { c!1,5; c!2,6; assert(c?[1,5] && !c?[2,6] && c??[2,6] && c??[eval(x),_] && !c??[3,_]); c?<x,_>; assert(x == 1 && len(c) == 2); c??<2,x>; assert(x == 6 && len(c) == 2) }`,
    states: 9,
  },
  {
    name: "a receive takes the first that fits, a random one any",
    text: `chan c = [3] of { byte, byte }; byte x, y = 2; init { c!1,10; c!2,20; c!3,30; c??eval(y),x; assert(x == 20 && len(c) == 2); c?_,x; assert(x == 10); c??3,x; assert(x == 30 && empty(c)) }`,
    states: 11,
  },
  {
    name: "a receive waits for what fits",
    text: `chan c = [2] of { byte }; byte x; active proctype S() { c!2; c!1 } active proctype R() { if :: c?1 -> x = 1 :: c??1 -> x = 2 fi; end: c?2 }`,
    states: 8,
  },
  {
    name: "sorted sends put before what is larger",
    text: `chan c = [4] of { byte, byte }; byte x, y; init { c!!3,1; c!!1,9; c!!3,0; c!!2,2; c?x,y; assert(x == 1); c?x,y; assert(x == 2); c?x,y; assert(x == 3 && y == 0); c?x,y; assert(y == 1) }`,
    states: 14,
  },
  {
    name: "targets are stored from left to right",
    text: `chan c = [1] of { byte, byte }; byte a[3], i; init { c!2,7; c?i,a[i]; assert(a[2] == 7 && a[0] == 0) }`,
    states: 5,
  },
  {
    name: "channels of an array",
    text: `chan c[2] = [1] of { byte }; byte i = 1, x; init { c[i]!5; assert(len(c[0]) == 0 && len(c[1]) == 1); c[1]?x; assert(x == 5); i = 2; if :: c[i]!1 :: c[i - 3]?x :: skip fi }`,
    states: 8,
    faults: ["array-bounds", "array-bounds"],
    isOurs: true,
  },
  {
    name: "a channel is passed on",
    text: `chan c = [1] of { chan }, d = [1] of { byte }; byte x; active proctype A() { chan q; c?q; q!4 } active proctype B() { c!d; d?x; assert(x == 4) }`,
    states: 8,
    isOurs: true,
  },
  {
    name: "no channel is there",
    text: `chan c; byte x; init { if :: c!1 :: c?x :: len(c) == 0 :: empty(c) :: c?[1] :: skip fi }`,
    states: 3,
    faults: ["bad-channel", "bad-channel", "bad-channel", "bad-channel", "bad-channel"],
    isOurs: true,
  },
  {
    name: "channels of several shapes by number",
    text: `chan a = [1] of { byte }, b = [2] of { short, bit }, r = [0] of { byte }; byte x; short y; proctype P(chan q) { if :: q!1 :: full(q) -> x = len(q) fi } init { run P(a); run P(b); _nr_pr == 1; run P(a); run P(b); _nr_pr == 1; assert(len(a) == 1 && len(b) >= 1) }`,
    states: 33,
    isOurs: true,
  },
  {
    name: "a channel dies with its process",
    text: `chan h = [1] of { chan }; byte x; proctype W() { chan l = [1] of { byte }; h!l; l?x } init { chan q; run W(); h?q; q!3; _nr_pr == 1; assert(x == 3); if :: q!1 :: len(q) == 0 :: skip fi }`,
    states: 11,
    faults: ["bad-channel", "bad-channel"],
    isOurs: true,
  },
  {
    name: "claims that are true",
    text: `chan c = [1] of { byte }; active proctype S() { xs c; c!1; c!2 } active proctype R() { xr c; c?1; c?2 }`,
    states: 7,
    isOurs: true,
  },
  {
    name: "a claim that others do not keep",
    text: `chan c = [1] of { byte }; active proctype A() { xr c; byte x; c?x } active proctype B() { c!1; if :: c?_ :: skip fi }`,
    states: 10,
    deadlocks: 1,
    faults: ["exclusive-access"],
    isOurs: true,
  },
  {
    name: "two claims on one channel",
    text: `chan c = [1] of { byte }; proctype A() { xs c; c!1 } init { atomic { run A(); run A() }; c?1; c?1 }`,
    states: 15,
    faults: ["exclusive-access"],
    isOurs: true,
  },
  {
    name: "a claim ends with its process",
    text: `chan c = [1] of { byte }; proctype A() { xs c; c!1 } init { run A(); _nr_pr == 1; c?1; run A(); c?1 }`,
    states: 12,
    isOurs: true,
  },
  {
    name: "a message of the wrong length is an error where it would be sent or received",
    text: `chan c = [1] of { byte }, d = [1] of { byte }, r = [0] of { byte }; proctype S(chan q) { if :: q!1,2 :: len(q) == 1 :: timeout fi } proctype R(chan q) { byte x, y; if :: q?x,y :: timeout fi } init { c!1; run S(c); run R(c); _nr_pr == 1; run R(d); run R(r); run S(r); _nr_pr == 1; run S(d) }`,
    states: 8,
    faults: ["bad-message"],
    isOurs: true,
  },
  {
    name: "nothing is compared in an empty channel",
    text: `chan c = [2] of { byte }; byte a[2], i = 2; init { if :: c??eval(a[i]) :: c?eval(a[i]) :: c?[eval(a[i])] :: c??[eval(a[i])] :: skip fi }`,
    states: 3,
  },
  {
    name: "everything is compared up to what fits",
    text: `chan c = [2] of { byte }; byte a[2], i = 2; init { c!1; if :: c??eval(a[i]) :: c?eval(a[i]) :: c?[eval(a[i])] :: c??[eval(a[i])] :: skip fi }`,
    states: 4,
    faults: ["array-bounds", "array-bounds", "array-bounds", "array-bounds"],
  },
  {
    name: "a message with a value that fails",
    text: `chan c = [1] of { byte, byte }; byte a[2], i = 2; init { if :: c!a[i],1 :: c!!1,a[i] :: skip fi; c!1,1; if :: c!a[i],1 :: skip fi }`,
    states: 5,
    faults: ["array-bounds", "array-bounds"],
    isOurs: true,
  },
  {
    name: "a target that is not there",
    text: `chan c = [1] of { byte }; byte a[2], i = 2; init { c!1; if :: c?a[i] :: c?<a[i]> :: c??a[i] :: skip fi }`,
    states: 4,
    faults: ["array-bounds", "array-bounds", "array-bounds"],
    isOurs: true,
  },
]);
