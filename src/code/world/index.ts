/**
 * Evaluated first in every realm: creates the world, replaces the globals, and exposes a mailbox to the host.
 *
 * All files in this folder and in `builtins` run inside the realm, without access to the host. The host enters through
 * scripts that call the mailbox, and receives numbers and strings (JSON).
 * Read `world.ts` first, then `globals.ts`.
 */
import { worldKey } from "./current.js";
import type { Failure, Refusal } from "./failure.js";
import { installGlobals } from "./globals.js";
import { Relied, World, type WorldOptions } from "./world.js";
import { nth } from "../../model/known.js";

const world = new World();
Object.defineProperty(globalThis, worldKey, { value: world });

/** Called by the host's scripts. Omits the prototype, which makes realms cheaper. */
const mailbox = {
  __proto__: null,
  begin: (options: string): void => {
    world.begin(JSON.parse(options) as WorldOptions);
    installGlobals(world);
  },
  /** The host's function stays in this closure, and its errors are replaced: both lead to the host. */
  connect: (host: (text: string) => string): void => {
    world.pure = (text) => {
      try {
        return host(`${text}`);
      } catch {
        throw new RangeError("Maximum call stack size exceeded"); // sound: test/code/escapes.test.ts
      }
    };
  },
  turn: (): number => world.turn(),
  /** 1 if `process.nextTick` callbacks ran; promise jobs have run after them, so the host calls again. */
  tick: (): number => (world.tick() ? 1 : 0),
  job: (): void => void world.jobs++,
  reject: (reason: unknown): void => world.uncaught("rejection", reason),
  fail: (kind: "deadlock" | "livelock", message: string): void => {
    world.failure ??= { kind, name: "", message, stack: "", turn: world.turns };
  },
  fault: (error: unknown): void => world.fail("exception", error),
  /** 1 during a top-level `await` of the file. */
  isLoading: (): number => (world.parts.get("loading") === true ? 1 : 0),
  /** 1 while a test is running. */
  isWaiting: (): number => (world.body === "running" ? 1 : 0),
  /** Evaluation of the file has ended. If it failed, its tests are unknown. */
  loaded: (): void => {
    if (world.failure) world.refusal ??= unloaded(world.failure);
  },
  loading: (isLoading: boolean): void => void world.parts.set("loading", isLoading),
  /** Enabled items, for a host that schedules: indices are arguments of `fire`. */
  enabled: (): string =>
    JSON.stringify(world.enabled().map(({ lane, label, due }) => ({ lane, label, due }))),
  fire: (index: number): void => world.fire(nth(world.enabled(), index)),
  advance: (now: number): void => {
    world.now = Math.max(world.now, now);
  },
  /** Ending, turns, fingerprint, tasks, `Relied`, choices (options, value, turn, is a turn); on request, costs. */
  summary: (withCosts: boolean): string => {
    const { made } = world.chooser;
    const choices = made.flatMap((m) => [m.options, m.value, m.turn, m.isTurn ? 1 : 0]);
    const numbers = [ending(), world.turns, closing(), world.tasks, relied(), ...choices];
    return withCosts ? JSON.stringify([numbers, made.map(({ costs }) => costs ?? null)]) : numbers.join();
  },
  report: (): string =>
    JSON.stringify({
      made: world.chooser.made,
      diverged: world.chooser.diverged,
      unused: world.chooser.unused,
      turns: world.turns,
      now: world.now,
      body: world.body,
      pending: world.pending.map(({ lane, label }) => `${lane}: ${label}`),
      failure: failure(),
      relied: relied(),
      caught: world.failure ? undefined : world.assertion,
      output: world.output,
      events: world.events,
      repeating: (world.relied & Relied.endless) !== 0 ? world.repeating() : undefined,
    }),
};

/** 0: passed, 1: failed, 2: the plan does not fit the program, 3: an unsupported feature was used. */
function ending(): number {
  if (world.chooser.diverged !== undefined) return 2;
  if (world.refusal) return 3; // sound: test/code/conditions.test.ts
  return world.failure ? 1 : 0; // sound: test/code/conditions.test.ts
}

const unloaded = ({ kind, name, message, stack, turn }: Failure): Refusal => ({
  message:
    kind === "unsupported" ? message : `the file cannot be loaded: ${name ? `${name}: ` : ""}${message}`,
  stack,
  turn,
});

/** A refusal takes precedence over its consequences. */
function failure(): Failure | undefined {
  const { refusal } = world;
  return refusal ? { kind: "unsupported", name: "UnsupportedError", ...refusal } : world.failure; // sound: test/code/conditions.test.ts
}

const relied = (): number => world.relied | (world.assertion && !world.failure ? Relied.caught : 0); // sound: test/code/conditions.test.ts

/** Fingerprint of the whole run, including choices and clock. */
function closing(): number {
  world.mark(`${world.now} ${world.chooser.made.length} ${world.failure?.message ?? ""}`);
  return world.fingerprint;
}

Object.defineProperty(globalThis, Symbol.for("everypath.mailbox"), { value: mailbox });
