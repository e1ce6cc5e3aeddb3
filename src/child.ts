/** The program of the process in which code under test runs: every kind of job, each loaded when one comes. */
import { serve } from "./sandbox/child.js";

serve({
  check: async () => (await import("./session/apart/here.js")).checkHere,
  replay: async () => (await import("./session/apart/here.js")).replayHere,
  lts: async () => (await import("./session/apart/here.js")).ltsHere,
  specification: async () => (await import("./session/apart/here.js")).specificationHere,
  simulate: async () => (await import("./cli/simulate-here.js")).simulateHere,
  desk: async () => (await import("./explorer/desk-here.js")).deskHere,
  solve: async () => (await import("./session/apart/solving-here.js")).solveHere,
  learn: async () => (await import("./session/learn/here.js")).learnHere,
  tests: async () => (await import("./session/schedules/work.js")).listHere,
  schedules: async () => (await import("./session/schedules/work.js")).searchHere,
});
