/** `console`: records each line with its turn. */
import { format } from "./inspect.js";
import type { World } from "./world.js";

export function worldConsole(world: World): object {
  const counts = new Map<string, number>();
  let indent = "";
  const print = (level: string, args: readonly unknown[]): void => {
    const text = indent + format(args).replaceAll("\n", `\n${indent}`);
    world.print(level, text);
  };
  const at =
    (level: string) =>
    (...args: unknown[]): void =>
      print(level, args);
  return {
    log: at("log"),
    info: at("info"),
    debug: at("debug"),
    warn: at("warn"),
    error: at("error"),
    trace: at("trace"),
    dir: (value: unknown) => print("log", [value]),
    table: (value: unknown) => print("log", [value]),
    group: (...args: unknown[]) => {
      if (args.length > 0) print("log", args);
      indent += "  ";
    },
    groupCollapsed: (...args: unknown[]) => {
      if (args.length > 0) print("log", args);
      indent += "  ";
    },
    groupEnd: () => {
      indent = indent.slice(2);
    },
    assert: (condition: unknown, ...args: unknown[]) => {
      if (!condition) print("error", ["Assertion failed:", ...args]);
    },
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      print("log", [`${label}: ${counts.get(label)}`]);
    },
    countReset: (label = "default") => counts.delete(label),
    time: () => undefined,
    timeEnd: () => undefined,
    timeLog: () => undefined,
  };
}
