/** What the test frameworks have in common, as collectors: suites are entered, hooks kept, other tests passed over. */
import { format } from "../world/inspect.js";
import { hook, suite } from "./registry.js";

const modes = ["only", "skip", "concurrent", "sequential", "shuffle", "todo", "fails", "failing"];

type Declare = (...args: unknown[]) => unknown;

export const describe = withModes((...args: unknown[]) => {
  const [name, ...rest] = args;
  suite(nameOf(name), rest.find((x) => typeof x === "function") as () => unknown);
});

/** Tests that are no schedules are the framework's own matter. */
export const test = withModes(() => undefined);

export const beforeAll = (run: () => unknown): void => hook("beforeAll", run);
export const beforeEach = (run: () => unknown): void => hook("beforeEach", run);
export const afterEach = (run: () => unknown): void => hook("afterEach", run);
export const afterAll = (run: () => unknown): void => hook("afterAll", run);

/** `describe.only`, `test.skip`, `describe.each(table)(name, …)`, `test.skipIf(condition)(name, …)`. */
function withModes(declare: Declare): Declare & Record<string, unknown> {
  const whole = declare as Declare & Record<string, unknown>;
  for (const mode of modes) whole[mode] = declare;
  whole["skipIf"] = whole["runIf"] = () => declare;
  whole["each"] = whole["for"] =
    (table: readonly unknown[]) =>
    (name: unknown, ...rest: unknown[]) => {
      const body = rest.find((x) => typeof x === "function") as (...args: unknown[]) => unknown;
      for (const [index, row] of table.entries()) {
        const args = Array.isArray(row) ? (row as unknown[]) : [row];
        declare(rowName(nameOf(name), args, index), () => body(...args));
      }
    };
  return whole;
}

const nameOf = (name: unknown): string => (typeof name === "function" ? name.name : String(name));

/** `%s`, `%i`, `%#`, `$property`, as the frameworks do. */
function rowName(name: string, args: readonly unknown[], index: number): string {
  const numbered = name.replaceAll("%#", String(index)).replaceAll("%$", String(index + 1));
  const [first] = args;
  const filled = numbered.replace(/\$([\w.]+)/g, (all, path: string) => {
    const value = path.split(".").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], first);
    return value === undefined ? all : String(value);
  });
  const wanted = (filled.match(/%[sdifjoO]/g) ?? []).length;
  return format([filled, ...args.slice(0, wanted)]);
}
