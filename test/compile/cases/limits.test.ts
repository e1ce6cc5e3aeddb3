/** Limits on processes, channels and steps: see `cases.ts`. */
import { expectCases } from "../cases.js";

expectCases([
  {
    name: "a d_step that turns in a circle",
    text: `byte x; active proctype A() { d_step { do :: x = 1 - x od } }`,
    states: 1,
    faults: ["blocked-step"],
    isOurs: true,
  },
  {
    name: "an atomic sequence that turns in a circle",
    text: `byte x; active proctype A() { atomic { do :: x = 1 - x od } } active proctype B() { x = 7 }`,
    states: 3,
  },
  {
    name: "no more than 255 processes",
    text: `proctype P() { end: false } init { do :: run P() od }`,
    states: 255,
    faults: ["too-many-processes"],
    isOurs: true,
  },
  {
    name: "too many channels",
    text: `proctype P() { chan c[100] = [1] of { byte }; end: false } init { run P(); run P(); run P() }`,
    states: 3,
    faults: ["too-many-channels"],
    isOurs: true,
  },
]);
