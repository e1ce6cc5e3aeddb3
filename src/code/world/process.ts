/** `process`: fixed values; refuses operations that would leave the world. */
import { format } from "./inspect.js";
import { refuse, UnsupportedError } from "./failure.js";
import { callable } from "./timers.js";
import type { World, WorldProcess } from "./world.js";

export function worldProcess(world: World): object {
  const process: Record<string | symbol, unknown> = {
    nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
      const run = callable(callback);
      world.nextTick(() => run(...args));
    },
    get env() {
      return environment(world);
    },
    argv: ["node", "main"],
    execArgv: [],
    platform: "linux",
    arch: "x64",
    pid: 1,
    title: "node",
    version: "v20.0.0",
    versions: { node: "20.0.0" },
    release: { name: "node" },
    exitCode: undefined,
    cwd: () => "/",
    uptime: () => (world.readClock() - world.options.epochMs) / 1000,
    hrtime: Object.assign((since?: [number, number]) => hrtime(world, since), {
      bigint: () => BigInt(Math.round((world.readClock() - world.options.epochMs) * 1e6)),
    }),
    memoryUsage: Object.assign(() => refuse("process.memoryUsage"), {
      rss: () => refuse("process.memoryUsage.rss"),
    }),
    stdout: writer(world, "log"),
    stderr: writer(world, "error"),
    emitWarning: (warning: unknown) => {
      if (world.process?.listenerCount("warning")) refuse('process.on("warning")'); // sound: test/code/conditions.test.ts
      world.print("warn", format([warning]));
    },
    exit: (code?: number) => {
      throw new UnsupportedError(`process.exit(${code ?? ""}) was called`);
    },
  };
  listening(process);
  for (const name of refused) process[name] = () => refuse(`process.${name}`);
  world.process = process as unknown as WorldProcess;
  return process;
}

type Listener = (...args: unknown[]) => void;

/** A minimal `EventEmitter`: every schedule creates a realm, and few programs listen to `process`. */
function listening(process: Record<string | symbol, unknown>): void {
  const all = new Map<string | symbol, readonly { listener: Listener; isOnce: boolean }[]>();
  const of = (event: string | symbol) => all.get(event) ?? [];
  const adding =
    (isOnce: boolean, isFirst: boolean) =>
    (event: string | symbol, listener: Listener): object => {
      const one = { listener: callable(listener), isOnce };
      all.set(event, isFirst ? [one, ...of(event)] : [...of(event), one]);
      return process;
    };
  const remove = (event: string | symbol, listener: Listener): object => {
    const last = of(event).findLastIndex((one) => one.listener === listener);
    all.set(
      event,
      of(event).filter((_, index) => index !== last),
    );
    return process;
  };
  // As in Node, so that the detection of changes finds listeners.
  Object.defineProperty(process, "_events", { value: all }); // sound: test/code/system/conditions.test.ts
  Object.assign(process, {
    on: adding(false, false),
    addListener: adding(false, false),
    once: adding(true, false),
    prependListener: adding(false, true),
    prependOnceListener: adding(true, true),
    off: remove,
    removeListener: remove,
    removeAllListeners: (event?: string | symbol) => {
      if (event === undefined) all.clear();
      else all.delete(event);
      return process;
    },
    listeners: (event: string | symbol) => of(event).map(({ listener }) => listener),
    listenerCount: (event: string | symbol) => of(event).length,
    eventNames: () => [...all.keys()].filter((event) => of(event).length > 0),
    emit: (event: string | symbol, ...args: unknown[]) => {
      const called = of(event);
      for (const { listener, isOnce } of called) {
        if (isOnce) remove(event, listener);
        Reflect.apply(listener, process, args);
      }
      return called.length > 0;
    },
  });
}

const refused = [
  ...["abort", "binding", "_linkedBinding", "dlopen", "kill", "chdir", "send", "setuid", "umask"],
  ...["cpuUsage", "resourceUsage", "getBuiltinModule", "loadEnvFile", "_getActiveHandles", "reallyExit"],
];

function environment(world: World): Record<string, string> {
  let env = world.parts.get("env") as Record<string, string> | undefined;
  if (!env) world.parts.set("env", (env = { NODE_ENV: "test", ...world.options.env }));
  return env;
}

function hrtime(world: World, since: [number, number] | undefined): [number, number] {
  const ns = Math.round((world.readClock() - world.options.epochMs) * 1e6);
  const seconds = Math.floor(ns / 1e9) - (since?.[0] ?? 0);
  const rest = (ns % 1e9) - (since?.[1] ?? 0);
  return rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest];
}

function writer(world: World, level: string): object {
  return {
    isTTY: false,
    columns: 80,
    write: (text: unknown) => {
      world.print(level, String(text).replace(/\n$/, ""));
      return true;
    },
  };
}
