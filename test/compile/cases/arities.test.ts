/** Messages with fewer fields than their channel: see `cases.ts`. */
import { expectCases } from "../cases.js";

expectCases([
  {
    name: "a send with too few fields is an error where there is room",
    text: `chan c = [1] of { byte, byte }; init { if :: c!1 :: skip fi; c!1,2; if :: c!3 :: full(c) fi }`,
    states: 5,
    faults: ["bad-message"],
    isOurs: true,
  },
  {
    name: "a receive with too few fields is an error where it would take the message",
    text: `chan c = [1] of { byte, byte }; byte x; init { if :: c?x :: empty(c) fi; c!1,2; if :: c?2 :: c??2 :: skip fi; if :: c?1 :: c??1 :: c?x,_ fi }`,
    states: 6,
    faults: ["bad-message", "bad-message"],
    isOurs: true,
  },
  {
    name: "peeks and polls may leave fields out",
    text: `chan c = [1] of { byte, byte }; byte x; init { c!1,2; c?<x>; assert(x == 1); c??<1>; assert(c?[1] && c??[1] && !c?[2]); c?_,_ }`,
    states: 8,
  },
  {
    name: "a handshake needs all fields on both sides",
    text: `chan c = [0] of { byte, byte }; byte x; active proctype S() { if :: c!1 :: c!1,2 fi } active proctype R() { if :: c?2 :: c?x :: c?x,_ fi }`,
    states: 4,
    faults: ["bad-message", "bad-message"],
    isOurs: true,
  },
  {
    name: "a send with too few fields is an error where its message is lost",
    text: `chan c = [1] of { byte, byte }; init { c!1,2; if :: c!3 :: skip fi }`,
    rules: { loseWhenFull: true },
    states: 4,
    faults: ["bad-message"],
    isOurs: true,
  },
  {
    name: "a receive with too many fields is none where messages are lost, as long as there is no message",
    text: `chan a = [1] of { byte }; byte x, y; proctype P(chan q) { if :: q?x,y :: skip fi } init { run P(a) }`,
    rules: { loseWhenFull: true },
    states: 5,
    isOurs: true,
  },
  {
    name: "a channel that is known at run time only",
    text: `chan a = [0] of { byte }, b = [0] of { byte, byte }; byte x; proctype P(chan q) { q?x } init { run P(a); run P(b); if :: a!1 :: b!1,2 fi; end: false }`,
    states: 4,
    deadlocks: 1,
    faults: ["bad-message"],
    isOurs: true,
  },
]);
