/** What the test frameworks have in common, as collectors: suites are entered, hooks kept, other tests passed over. */
import { hook, suite } from "./registry.js";
import { rowName, rowsOf } from "./rows.js";

const modes = ["only", "skip", "concurrent", "sequential", "shuffle", "todo", "fails", "failing"];

type Declare = (...args: unknown[]) => unknown;

export const describe = /* @__PURE__ */ withModes((...args: unknown[]) => {
  const [name, ...rest] = args;
  suite(nameOf(name), rest.find((x) => typeof x === "function") as (() => unknown) | undefined);
});

/** Tests that are no schedules are the framework's own matter. */
export const test = /* @__PURE__ */ withModes(() => undefined);

export const beforeAll = (run: (context: never) => unknown): void => hook("beforeAll", run);
export const beforeEach = (run: (context: never) => unknown): void => hook("beforeEach", run);
export const afterEach = (run: (context: never) => unknown): void => hook("afterEach", run);
export const afterAll = (run: (context: never) => unknown): void => hook("afterAll", run);

/** `describe.only`, `test.skip`, `describe.each(table)(name, …)`, `test.skipIf(condition)(name, …)`. */
function withModes(declare: Declare): Declare & Record<string, unknown> {
  const whole = declare as Declare & Record<string, unknown>;
  for (const mode of modes) whole[mode] = declare;
  whole["skipIf"] = whole["runIf"] = () => declare;
  whole["extend"] = whole["override"] = whole["scoped"] = () => whole;
  whole["each"] =
    (...table: unknown[]) =>
    (name: unknown, ...rest: unknown[]) => {
      const body = bodyIn(rest);
      for (const row of rowsOf(nameOf(name), table)) declare(row.name, () => body(...row.args));
    };
  whole["for"] =
    (table: readonly unknown[]) =>
    (name: unknown, ...rest: unknown[]) => {
      const body = bodyIn(rest);
      for (const [index, row] of table.entries())
        declare(rowName(nameOf(name), [row].flat(), index), () => body(row));
    };
  return whole;
}

const bodyIn = (args: readonly unknown[]): ((...args: unknown[]) => unknown) =>
  args.find((x) => typeof x === "function") as (...args: unknown[]) => unknown;

const nameOf = (name: unknown): string => (typeof name === "function" ? name.name : String(name));
