/**
 * Tests that the second evaluation of a file, inside the realm, declares: bodies by name, with their hooks. Keeps only
 * bodies of `everySchedule`; the framework runs other tests.
 */
import { world } from "../world/current.js";
import { refuse } from "../world/failure.js";
import { isNamed, plainValue, type DeclaredFile, type Mode } from "./named.js";
import { makeScheduleWorld, type ScheduleWorld } from "./schedule-world.js";

export type Body = (world: ScheduleWorld) => unknown;
type Hook = (context: never) => unknown;
type HookName = "beforeAll" | "beforeEach" | "afterEach" | "afterAll";

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly mode: Mode;
  readonly hooks: Record<HookName, Hook[]>;
}

interface Registered {
  /** From the outermost suite to the test. */
  readonly names: readonly string[];
  readonly suite: Suite;
  readonly body: Body;
  readonly mode: Mode;
  readonly options: unknown;
  readonly stack: string;
}

const newSuite = (name: string, parent: Suite | undefined, mode: Mode): Suite => ({
  name,
  parent,
  mode,
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
});

const root = newSuite("", undefined, "run");
const registered: Registered[] = [];
let current = root;
/** Suites whose declaring function has not completed. */
let unfinished = 0;
let hasOnly = false;

export function suite(name: string, declare: (() => unknown) | undefined, mode: Mode): void {
  const outer = current;
  declared(mode);
  current = newSuite(name, outer, mode);
  try {
    const declaring = declare?.();
    if (declaring instanceof Promise) void awaitSuite(declaring);
  } finally {
    current = outer;
  }
}

/** Declarations after a suite's first `await` cannot be distinguished from the file's. */
async function awaitSuite(declaring: Promise<unknown>): Promise<void> {
  unfinished++;
  const declarations = (): number => registered.length + hooks;
  // After one job, the file or enclosing suite has made its synchronous declarations.
  await undefined;
  const before = declarations();
  await declaring;
  if (declarations() !== before) refuse("a suite that declares something after an await"); // sound: test/code/collect.test.ts
  unfinished--;
}

export function register(name: string, body: Body, mode: Mode = "run", options: unknown = {}): void {
  declared(mode);
  const names = [...path(current), name];
  registered.push({ names, suite: current, body, mode, options, stack: isListed() ? stackHere() : "" });
}

/** Records a test or suite, of either kind. */
export function declared(mode: Mode): void {
  if (mode === "only") hasOnly = true; // sound: test/session/schedules/selecting.test.ts
}

/** The selected test, as JSON; undefined if the tests of the file are listed. */
const wanted = (): string | undefined =>
  (globalThis as unknown as { everypath_wanted?: string }).everypath_wanted;
const isListed = (): boolean => wanted() === undefined;
const stackHere = (): string => String(new Error("declared").stack);

/**
 * Runs a test from within the file, which continues after it. The test of this realm ends with the realm, so the code
 * after it does not run; earlier tests have run in other realms, and are assumed to have passed.
 */
export function runInFile(name: string): Promise<object> {
  const names = [...path(current), name];
  const isWanted = isNamed(names, JSON.parse(wanted() ?? "[]") as string[]);
  if (isWanted) return new Promise(() => undefined);
  return Promise.resolve({ verdict: "holds", message: "", stack: [], scope: [] });
}

let hooks = 0;

export function hook(name: HookName, run: Hook): void {
  hooks++;
  current.hooks[name].push(run);
}

/** Prepends the hook, as Vitest does for hooks after tests. */
export function hookBefore(name: HookName, run: Hook): void {
  hooks++;
  current.hooks[name].unshift(run); // sound: test/code/collect.test.ts
}

/** Vitest calls the last one first. */
const finishing: Hook[] = [];

export const onTestFinished = (run: Hook): void => void finishing.push(run);

/** Starts the test of that name, if it is unique; returns the number of matches. `names` may omit the suites. */
function start(names: readonly string[]): number {
  const found = registered.filter((test) => isNamed(test.names, names));
  const [only] = found;
  if (!only || found.length !== 1) return found.length;
  world.start(() => runTest(only));
  return 1;
}

async function runTest({ suite: inner, body }: Registered): Promise<void> {
  if (unfinished > 0) refuse("a suite that waits while it declares its tests"); // sound: test/code/collect.test.ts
  const suites = chain(inner);
  const cleaning: Record<"beforeAll" | "beforeEach", Hook[]> = { beforeAll: [], beforeEach: [] };
  for (const name of ["beforeAll", "beforeEach"] as const)
    for (const { hooks } of suites)
      for (const run of hooks[name]) {
        const cleanUp = await run(parameterOf(name));
        // Vitest calls the function that a hook returns at the end.
        if (typeof cleanUp === "function") cleaning[name].unshift(cleanUp as Hook);
      }
  await body(makeScheduleWorld(world));
  for (const { hooks } of suites.toReversed())
    for (const run of hooks.afterEach) await run(parameterOf("afterEach"));
  for (const run of [...cleaning.beforeEach, ...finishing.toReversed()])
    await run(parameterOf("onTestFinished")); // sound: test/code/collect.test.ts
  for (const { hooks } of suites.toReversed())
    for (const run of hooks.afterAll) await run(parameterOf("afterAll"));
  for (const run of cleaning.beforeAll) await run(parameterOf("beforeAll")); // sound: test/code/collect.test.ts
}

/** A context or completion callback, which worlds do not support. */
function parameterOf(name: string): never {
  const refused = (): never => refuse(`the parameter of ${name}`, "a world does not have it");
  return new Proxy(refused, { get: refused, set: refused, has: refused }) as never; // sound: test/code/collect.test.ts
}

function chain(inner: Suite): Suite[] {
  return inner.parent ? [...chain(inner.parent), inner] : [inner];
}

const path = (inner: Suite): string[] =>
  chain(inner)
    .slice(1)
    .map(({ name }) => name);

/** The host starts a test by a script, and may list the tests. */
Object.defineProperty(globalThis, Symbol.for("everypath.start"), {
  value: (names: string) => start(JSON.parse(names) as string[]),
});
Object.defineProperty(globalThis, Symbol.for("everypath.names"), {
  value: () => JSON.stringify(registered.map(({ names }) => names)),
});
Object.defineProperty(globalThis, Symbol.for("everypath.tests"), {
  value: () => {
    const tests = registered.map(({ names, suite: inner, mode, options, stack }) => ({
      names,
      modes: [...chain(inner).slice(1), { mode }].map((each) => each.mode),
      options: JSON.stringify(options, plainValue),
      stack,
    }));
    return JSON.stringify({ tests, hasOnly } satisfies DeclaredFile);
  },
});
