/** Collectors common to the test frameworks: enter suites, record hooks, skip other tests. */
import type { Mode } from "./named.js";
import { declared, hook, suite } from "./registry.js";
import { rowName, rowsOf } from "./rows.js";

/** Modifiers that do not affect whether a test runs, then modes, which do. */
const others = ["concurrent", "sequential", "shuffle", "fails", "failing"];
const modes = ["only", "skip", "todo"] as const;

type Declare = (...args: unknown[]) => unknown;
type DeclareAs = (mode: Mode, ...args: unknown[]) => unknown;

export const describe = /* @__PURE__ */ withModes((mode, name, ...rest) => {
  suite(nameOf(name), rest.find((x) => typeof x === "function") as (() => unknown) | undefined, mode);
});

/** Other tests belong to the framework. */
export const test = /* @__PURE__ */ withModes((mode) => declared(mode));

export const beforeAll = (run: (context: never) => unknown): void => hook("beforeAll", run);
export const beforeEach = (run: (context: never) => unknown): void => hook("beforeEach", run);
export const afterEach = (run: (context: never) => unknown): void => hook("afterEach", run);
export const afterAll = (run: (context: never) => unknown): void => hook("afterAll", run);

/** `describe.only`, `test.concurrent.skip`, `describe.each(table)(name, …)`, `test.skipIf(condition)(name, …)`. */
function withModes(declare: DeclareAs, mode: Mode = "run"): Declare & Record<string, Declare> {
  const whole = ((...args: unknown[]) => declare(modeIn(args) ?? mode, ...args)) as Declare &
    Record<string, Declare>;
  const as = (next: Mode): Declare => withModes(declare, next);
  for (const name of modes) Object.defineProperty(whole, name, { get: () => as(name), configurable: true });
  for (const name of others) whole[name] = whole;
  whole["skipIf"] = (isSkipped) => (isSkipped ? as("skip") : whole); // sound: test/session/schedules/selecting.test.ts
  whole["runIf"] = (isRun) => (isRun ? whole : as("skip")); // sound: test/session/schedules/selecting.test.ts
  whole["extend"] = whole["override"] = whole["scoped"] = () => whole;
  whole["each"] =
    (...table: unknown[]) =>
    (name: unknown, ...rest: unknown[]) => {
      const body = bodyIn(rest);
      for (const row of rowsOf(nameOf(name), table))
        declare(modeIn(rest) ?? mode, row.name, () => body(...row.args));
    };
  whole["for"] =
    (table) =>
    (name: unknown, ...rest: unknown[]) => {
      const body = bodyIn(rest);
      for (const [index, row] of (table as readonly unknown[]).entries())
        declare(modeIn(rest) ?? mode, rowName(nameOf(name), [row].flat(), index), () => body(row));
    };
  return whole;
}

/** `describe(name, { skip: true }, …)`, as in Vitest and `node:test`. */
function modeIn(args: readonly unknown[]): Mode | undefined {
  const options = args.find((x) => typeof x === "object" && x !== null) as
    Record<string, unknown> | undefined;
  return (["skip", "todo", "only"] as const).find((mode) => options?.[mode]);
}

const bodyIn = (args: readonly unknown[]): ((...args: unknown[]) => unknown) =>
  args.find((x) => typeof x === "function") as (...args: unknown[]) => unknown;

const nameOf = (name: unknown): string => (typeof name === "function" ? name.name : String(name));
