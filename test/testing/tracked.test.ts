/** All parts of a script are tracked, except code that reports to the world itself. */
import { expect, test } from "vitest";
import { trackedScript } from "../../src/session/schedules/tracked.js";
import type { TestFile } from "../../src/session/schedules/test-file.js";

/** Like a bundle: one function. */
const script = "(() => { const o = { a: 1 }; globalThis.read = () => o.a; })();";

async function isWatched(file: string): Promise<boolean> {
  const places = { place: () => ({ file, line: 1, column: 1 }) };
  const tracked = await trackedScript({ script, places } as unknown as TestFile);
  if ("refused" in tracked) throw new Error(tracked.refused);
  return tracked.script.includes("everypath$.g(");
}

test("code of users, and what prints objects, is watched; the world is not", async () => {
  expect(await isWatched("/home/me/app.ts")).toBe(true);
  expect(await isWatched("/home/me/world/timers.ts")).toBe(true);
  for (const place of ["/x/src/code", "/x/inside/code"]) {
    expect(await isWatched(`${place}/world/timers.ts`)).toBe(false);
    expect(await isWatched(`${place}/world/inspect.ts`)).toBe(true);
    expect(await isWatched(`${place}/heap/image.ts`)).toBe(true);
    expect(await isWatched(`${place}/realm/schedule-world.ts`)).toBe(false);
  }
});
