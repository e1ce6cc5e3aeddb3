/**
 * The tests of a file as its second evaluation, inside the realm, declares them: bodies by name, with the hooks around
 * them. Only bodies given to `everySchedule` are kept; other tests are run by the framework, not here.
 */
import { world } from "../world/current.js";
import { makeScheduleWorld, type ScheduleWorld } from "./schedule-world.js";

export type Body = (world: ScheduleWorld) => unknown;
type Hook = () => unknown;
type HookName = "beforeAll" | "beforeEach" | "afterEach" | "afterAll";

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly hooks: Record<HookName, Hook[]>;
}

interface Registered {
  /** From the outermost suite to the test. */
  readonly names: readonly string[];
  readonly suite: Suite;
  readonly body: Body;
}

const newSuite = (name: string, parent: Suite | undefined): Suite => ({
  name,
  parent,
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
});

const root = newSuite("", undefined);
const registered: Registered[] = [];
let current = root;

export function suite(name: string, declare: () => unknown): void {
  const outer = current;
  current = newSuite(name, outer);
  try {
    declare();
  } finally {
    current = outer;
  }
}

export function register(name: string, body: Body): void {
  registered.push({ names: [...path(current), name], suite: current, body });
}

/**
 * The file itself lets a test run, and goes on when it is over. That of this realm is not over before the realm is, so what
 * follows it does not happen here; those before it have run in realms of their own, and are taken to have held.
 */
export function runInFile(name: string): Promise<object> {
  const wanted = (globalThis as unknown as { everypath_wanted?: string }).everypath_wanted ?? "[]";
  const names = [...path(current), name];
  const isWanted = isNamed(names, JSON.parse(wanted) as string[]);
  if (isWanted) return new Promise(() => undefined);
  return Promise.resolve({ verdict: "holds", message: "", stack: [], scope: [] });
}

/** Are these its names? The suites may be missing. */
const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length > 0 && wanted.every((name, i) => names.at(i - wanted.length) === name);

export const hook = (name: HookName, run: Hook): void => void current.hooks[name].push(run);

/** Starts the test of that name, if there is exactly one; answers how many there are. `names` may lack the suites. */
function start(names: readonly string[]): number {
  const found = registered.filter((test) => isNamed(test.names, names));
  const [only] = found;
  if (!only || found.length !== 1) return found.length;
  world.start(() => runTest(only));
  return 1;
}

async function runTest({ suite: inner, body }: Registered): Promise<void> {
  const suites = chain(inner);
  for (const { hooks } of suites) for (const run of hooks.beforeAll) await run();
  for (const { hooks } of suites) for (const run of hooks.beforeEach) await run();
  await body(makeScheduleWorld(world));
  for (const { hooks } of suites.toReversed()) for (const run of hooks.afterEach) await run();
  for (const { hooks } of suites.toReversed()) for (const run of hooks.afterAll) await run();
}

/** From the outermost. */
function chain(inner: Suite): Suite[] {
  return inner.parent ? [...chain(inner.parent), inner] : [inner];
}

const path = (inner: Suite): string[] =>
  chain(inner)
    .slice(1)
    .map(({ name }) => name);

/** The host starts a test by a script, and may ask which there are. */
Object.defineProperty(globalThis, Symbol.for("everypath.start"), {
  value: (names: string) => start(JSON.parse(names) as string[]),
});
Object.defineProperty(globalThis, Symbol.for("everypath.names"), {
  value: () => JSON.stringify(registered.map(({ names }) => names)),
});
