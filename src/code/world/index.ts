/**
 * What is evaluated first in every realm: makes the world, replaces the globals, and leaves a mailbox for the host.
 *
 * All files in this folder and in `builtins` run inside the realm; nothing of the host is there. The host enters by
 * scripts that call the mailbox, and gets numbers and strings (JSON) back.
 * Read `world.ts` first, then `globals.ts`.
 */
import { worldKey } from "./current.js";
import type { Failure, Refusal } from "./failure.js";
import { installGlobals } from "./globals.js";
import { Relied, World, type WorldOptions } from "./world.js";

const world = new World();
Object.defineProperty(globalThis, worldKey, { value: world });

/** Called by the host's scripts. Without a prototype, it takes a realm less time to make. */
const mailbox = {
  __proto__: null,
  begin: (options: string): void => {
    world.begin(JSON.parse(options) as WorldOptions);
    installGlobals(world);
  },
  turn: (): number => world.turn(),
  /** 1 if there was something for `process.nextTick`: promise jobs have run after it, so ask again. */
  tick: (): number => (world.tick() ? 1 : 0),
  /** A promise job runs. */
  job: (): void => void world.jobs++,
  reject: (reason: unknown): void => world.uncaught("rejection", reason),
  fail: (kind: "deadlock" | "livelock", message: string): void => {
    world.failure ??= { kind, name: "", message, stack: "", turn: world.turns };
  },
  fault: (error: unknown): void => world.fail("exception", error),
  /** 1 while the file awaits something at its top. */
  isLoading: (): number => (world.parts.get("loading") === true ? 1 : 0),
  /** 1 if a test runs that is not over. */
  isWaiting: (): number => (world.body === "running" ? 1 : 0),
  /** The file is there, or cannot be: then nothing is known about its tests. */
  loaded: (): void => {
    if (world.failure) world.refusal ??= unloaded(world.failure);
  },
  loading: (isLoading: boolean): void => void world.parts.set("loading", isLoading),
  /** What may happen next, for a host that decides itself: indices for `fire`. */
  enabled: (): string =>
    JSON.stringify(world.enabled().map(({ lane, label, due }) => ({ lane, label, due }))),
  fire: (index: number): void => world.fire(world.enabled()[index]!),
  advance: (now: number): void => {
    world.now = Math.max(world.now, now);
  },
  /** The little that a search needs: end, turns, fingerprint, tasks, `Relied`, choices (options, value, turn, is a turn), their costs if asked for. */
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
      told: world.told,
    }),
};

/** 0 passed, 1 failed, 2 the plan asked for what was not there, 3 something was used that is not under control. */
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

/** What was refused counts before what came of it. */
function failure(): Failure | undefined {
  const { refusal } = world;
  return refusal ? { kind: "unsupported", name: "UnsupportedError", ...refusal } : world.failure; // sound: test/code/conditions.test.ts
}

const relied = (): number => world.relied | (world.assertion && !world.failure ? Relied.caught : 0); // sound: test/code/conditions.test.ts

/** The fingerprint of the whole run, choices and clock included. */
function closing(): number {
  world.mark(`${world.now} ${world.chooser.made.length} ${world.failure?.message ?? ""}`);
  return world.fingerprint;
}

Object.defineProperty(globalThis, Symbol.for("everypath.mailbox"), { value: mailbox });
