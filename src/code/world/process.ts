/** `process`: fixed values, and refusals by name for what would leave the world. */
import { format } from "./inspect.js";
import { refuse, UnsupportedError } from "./failure.js";
import { callable } from "./timers.js";
import type { World } from "./world.js";

export function worldProcess(world: World): object {
  const listeners = new Map<string, ((...args: unknown[]) => void)[]>();
  world.parts.set("process listeners", listeners);
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
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
    stdout: writer(world, "log"),
    stderr: writer(world, "error"),
    emitWarning: (warning: unknown) => world.print("warn", format([warning])),
    exit: (code?: number) => {
      throw new UnsupportedError(`process.exit(${code ?? ""}) was called`);
    },
    listeners: (event: string) => [...(listeners.get(event) ?? [])],
    listenerCount: (event: string) => listeners.get(event)?.length ?? 0,
    emit: (event: string, ...args: unknown[]) => {
      const all = listeners.get(event) ?? [];
      for (const listener of [...all]) listener(...args);
      return all.length > 0;
    },
  };
  const add = (event: string, listener: (...args: unknown[]) => void): object => {
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    return process;
  };
  const remove = (event: string, listener: (...args: unknown[]) => void): object => {
    listeners.set(
      event,
      (listeners.get(event) ?? []).filter((other) => other !== listener),
    );
    return process;
  };
  for (const name of ["on", "once", "addListener", "prependListener"]) process[name] = add;
  for (const name of ["off", "removeListener"]) process[name] = remove;
  for (const name of refused) process[name] = () => refuse(`process.${name}`);
  return process;
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
