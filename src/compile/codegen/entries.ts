/** State of the generated module: the source state, the entries, a rendezvous in progress. */
import type { Program } from "../../model/index.js";
import { initialWords, type Layout } from "../layout.js";
import { sum } from "./scope.js";

/** Largest number of words copied without a loop. */
const MOST_UNROLLED = 32;

/** The first lines of the module: the source state and the entries. */
export function emitState(program: Program, layout: Layout, isFixedWidth: boolean): string {
  const words = initialWords(program, layout);
  const { processes } = layout;
  const largest = processes.kind === "blocks" ? Math.max(0, ...processes.records.map((t) => t.words)) : 0;
  const room = isFixedWidth ? words : layout.fixedWords + program.rules.maxProcesses * largest;
  return `"use strict";
// The state being expanded; words beyond the current width stay zero.
const s = new Int32Array(${room + 1});
let stride = ${words};
// The entries being written: entry n begins at w[o …].
let out, w, flags, labels, n = 0, o = 0, limit = 0, flagged = false, neededWidth = 0;
// Noted while an entry is built: fault is a site + 1.
let fault = 0, failed = 0, intermediate = false, timeout = false, isDry = false;
const failures = new Int32Array(${program.sites.length});
// Live processes and channels: first word of each block, each channel's shape, word and bit of its header and area.
let np = 0, nq = 0, end = 0;
const B = new Int32Array(${program.rules.maxProcesses + 1});
const QS = new Int32Array(${program.rules.maxChannels + 2});
const QH = new Int32Array(QS.length), QHB = new Int32Array(QS.length), QA = new Int32Array(QS.length), QAB = new Int32Array(QS.length);
// A rendezvous in progress: the message, and who offers it.
let offeredOn = 0, sender = 0, arrivalWord = 0, arrivalMask = 0, arrival = 0${messageNames(program)
    .map((m) => `, ${m} = 0`)
    .join("")};

function bad(site) {
  if (fault === 0) fault = site + 1;
  return 0;
}
/** A failure after which the step goes on: each site once, and none behind a fault that ended the step. */
function note(site) {
  if (fault !== 0) return; // sound: test/compile/faults.test.ts
  for (let i = 0; i < failed; i++) if (failures[i] === site) return;
  failures[failed++] = site;
}
function grow() {
  out.count = n;
  out.grow();
  load(out);
}
function load(target) {
  if (target.stride !== stride) target.widen(stride);
  out = target; w = out.words; flags = out.flags; labels = out.labels; n = out.count; o = n * stride; limit = out.capacity * stride;
}
/** Begins an entry as a copy of the source. */
function fork() {
  if (o === limit) grow();
${copy(words, isFixedWidth)}
}
/** Ends an entry that may have failed or stands inside an atomic sequence. */
function finish() {
  if (fault !== 0) {
    flags[n] = 1 | fault << 2;
    fault = 0;
    flagged = true;
    intermediate = false;
  } else if (intermediate) {
    flags[n] = 2;
    intermediate = false;
    flagged = true;
  }
  n++; o += stride;
  if (failed > 0) reportFailures();
}
/** Failed assertions go on; each is an entry of its own without a successor. */
function reportFailures() {
  const count = failed;
  failed = 0;
  for (let i = 0; i < count; i++) {
    fault = failures[i] + 1;
    failHere();
  }
}
function failHere() {
  fork();
  finish();
}`;
}

function copy(words: number, isFixedWidth: boolean): string {
  const loop = "  for (let i = 0; i < stride; i++) w[o + i] = s[i];";
  if (!isFixedWidth) {
    // Falls through from the last word to the first.
    const cases = Array.from(
      { length: MOST_UNROLLED },
      (_, i) => `case ${i + 1}: w[${sum("o", i)}] = s[${i}];`,
    );
    return `  switch (stride) {\n${[...cases.reverse(), "break;", `default: ${loop.trim()}`].join("\n")}\n  }`;
  }
  if (words > MOST_UNROLLED) return loop;
  return Array.from({ length: words }, (_, i) => `  w[${sum("o", i)}] = s[${i}];`).join("\n");
}

/** The function `take`, which sets the source state. */
export function emitTake(program: Program, layout: Layout, isFixedWidth: boolean): string {
  const words = initialWords(program, layout);
  if (!isFixedWidth || words > MOST_UNROLLED)
    return "  for (let i = 0; i < width; i++) s[i] = state[at + i];";
  return Array.from({ length: words }, (_, i) => `  s[${i}] = state[${sum("at", i)}];`).join("\n");
}

export function offerNames(program: Program): string {
  return ["offeredOn", "sender", "arrivalWord", "arrivalMask", "arrival", ...messageNames(program)].join(
    ", ",
  );
}

function messageNames(program: Program): string[] {
  const arity = Math.max(0, ...program.channelTypes.map((c) => c.fields.length));
  return Array.from({ length: arity }, (_, i) => `m${i}`);
}
