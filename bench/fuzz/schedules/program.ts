/** Small random programs over services, timers, files, sockets and `fetch`, as data. */
import { randomBelow } from "../../../src/model/index.js";

export type Step =
  | { readonly do: "ask"; readonly service: number }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "immediate" }
  | { readonly do: "tick" }
  | { readonly do: "write"; readonly file: string; readonly text: string; readonly appends: boolean }
  | { readonly do: "read"; readonly file: string; readonly isSync: boolean }
  | { readonly do: "rename" }
  | { readonly do: "send"; readonly writes: readonly string[] }
  /** Delay until abortion in milliseconds; 0: never. */
  | { readonly do: "fetch"; readonly abortMs: number };

export interface Task {
  readonly steps: readonly Step[];
  /** Not awaited. */
  readonly isLeft: boolean;
}

export interface AsyncProgram {
  readonly tasks: readonly Task[];
  /** May requests to services fail? */
  readonly fails: boolean;
}

export function makeProgram(seed: number): AsyncProgram {
  const below = randomBelow(Math.imul(seed, 0x9e3779b1) | 1);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  if (seed % 10 === 4) return pick(scenes)(pick);
  const kinds = themes[below(themes.length)]!;
  let sockets = 0;
  const step = (): Step => {
    const kind = pick(kinds);
    switch (kind) {
      case "ask":
        return { do: "ask", service: below(2) };
      case "sleep":
        return { do: "sleep", ms: pick([1, 5, 10, 15, 20, 30]) };
      case "write":
        return { do: "write", file: pick(["a", "b"]), text: pick(["x", "yy"]), appends: below(3) === 0 };
      case "read":
        return { do: "read", file: pick(["a", "b"]), isSync: below(3) === 0 };
      case "send":
        if (sockets++ > 0) return { do: "immediate" };
        return { do: "send", writes: pick([["p"], ["p", "q"], ["p", "q", "r"]]) };
      case "fetch":
        return { do: "fetch", abortMs: pick([0, 0, 5, 15]) };
      default:
        return { do: kind };
    }
  };
  const shapes = [
    [2, 2],
    [2, 1],
    [1, 1, 1],
    [3, 1],
    [2, 1, 1],
  ];
  const tasks = pick(shapes).map((length) => ({
    steps: Array.from({ length }, step),
    isLeft: below(4) === 0,
  }));
  return { tasks, fails: below(4) === 0 };
}

const read = (file: string, isSync: boolean): Step => ({ do: "read", file, isSync });

type Pick = <T>(values: readonly T[]) => T;

const task = (...steps: readonly Step[]): Task => ({ steps, isLeft: false });

/** Rare situations: related delays, and files joined by one operation. */
const scenes: readonly ((pick: Pick) => AsyncProgram)[] = [
  (pick) => {
    const [before, ms] = [pick([2, 3, 5]), pick([10, 15])];
    const sleep = (after: number): Step => ({ do: "sleep", ms: after });
    // The second of two timers of one delay is due after the third.
    return {
      tasks: [task(sleep(before), sleep(ms)), task(sleep(ms)), task(sleep(ms + before - 1))],
      fails: false,
    };
  },
  (pick) => {
    const write = (file: string): Step => ({
      do: "write",
      file,
      text: pick(["x", "yy"]),
      appends: pick([true, false]),
    });
    const later = read(pick(["a", "b"]), false);
    return {
      tasks: pick([
        [task(write("a")), task({ do: "rename" }), task(later)],
        [task(write("a")), task({ do: "rename" }, later), task(write("b"))],
        [task(write("a"), { do: "rename" }), task(write("a")), task(later)],
      ]),
      fails: false,
    };
  },
  (pick) => {
    // An immediate observer sees a file written and renamed before either operation completes.
    const write: Step = { do: "write", file: "a", text: pick(["x", "yy"]), appends: pick([true, false]) };
    const ticks = pick([1, 2, 5]);
    const look: Step[] = [...Array.from({ length: ticks }, () => ({ do: "tick" }) as const), read("b", true)];
    return { tasks: [task(write), task({ do: "rename" }), task(...look)], fails: false };
  },
];

const themes: readonly (readonly Step["do"][])[] = [
  ["ask", "sleep", "immediate", "tick"],
  ["sleep", "sleep", "ask"],
  ["write", "read", "rename"],
  ["write", "read", "ask", "sleep"],
  ["send", "sleep", "immediate"],
  ["fetch", "sleep", "ask"],
  ["fetch", "read", "write", "immediate"],
  ["ask", "ask", "sleep"],
];
