import { expect, test } from "vitest";
import {
  ProgressReporter,
  formatBytes,
  formatRate,
  formatSeconds,
  type ProgressStyle,
} from "../../src/report/index.js";

const progress = { states: 1_234_567, transitions: 3e6, depth: 42, frontier: 9000, bytes: 123e6, seconds: 2 };

function record(style: ProgressStyle, times: readonly number[], columns = 80): string {
  let written = "";
  let now = 0;
  const reporter = new ProgressReporter({ write: (text) => (written += text), columns }, style, () => now);
  for (const time of times) {
    now = time;
    reporter.update(progress);
  }
  reporter.finish();
  return written;
}

test("a line that is rewritten, and removed at the end", () => {
  const text = "1,234,567 states, 617 k states/s, depth 42, 9,000 waiting, 123 MB, 2.00 s";
  expect(record("line", [500])).toBe(`\r${text}\r${" ".repeat(text.length)}\r`);
});

test("a short run prints nothing", () => {
  expect(record("line", [10, 200, 399])).toBe("");
  expect(record("plain", [10, 4999])).toBe("");
});

test("plain lines come every five seconds", () => {
  expect(record("plain", [5000, 5100, 9999, 10_000]).trimEnd().split("\n")).toHaveLength(2);
});

test("the line never wraps", () => {
  expect(record("line", [500], 40).split("\r")[1]!.length).toBe(39);
});

test("none is silent", () => {
  expect(record("none", [1e9])).toBe("");
});

test("figures for people", () => {
  expect([0, 999, 1500, 2_000_000, 123_456_789_000].map(formatBytes)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.5 kB",
    "2.0 MB",
    "123 GB",
  ]);
  expect([0.0123, 0.5, 12.34, 65, 3700].map(formatSeconds)).toEqual([
    "0.012 s",
    "0.50 s",
    "12.3 s",
    "1 min 5 s",
    "1 h 1 min",
  ]);
  expect([840, 12_000, 3_400_000].map(formatRate)).toEqual([
    "840 states/s",
    "12 k states/s",
    "3.4 M states/s",
  ]);
});
