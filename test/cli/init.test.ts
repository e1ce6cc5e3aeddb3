/** `everypath init` writes a test that finds its race, or a system that finds its misunderstanding. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useCli } from "./built-cli.js";

const cli = useCli();
const made = (name: string): string => join(cli.directory, name);

test("init needs a project, writes for its framework, and overwrites nothing", async () => {
  expect(await cli.run(["init"])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("usage/no-project") as string,
  });
  cli.write("package.json", JSON.stringify({ devDependencies: { vitest: "^4", typescript: "^5" } }));
  const first = await cli.run(["init"]);
  expect(first).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("npx vitest run everypath.test.ts") as string,
  });
  expect(readFileSync(made("everypath.test.ts"), "utf8")).toContain('from "everypath/vitest"');
  expect(await cli.run(["init"])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("usage/file-exists") as string,
  });
  rmSync(made("everypath.test.ts"));
});

test("without TypeScript the test has no types", async () => {
  cli.write("package.json", "{}");
  expect(await cli.run(["init", "--framework", "jest"])).toMatchObject({ exitCode: 0 });
  expect(existsSync(made("everypath.test.mjs"))).toBe(true);
  const text = readFileSync(made("everypath.test.mjs"), "utf8");
  expect(text).not.toContain("left: number");
  expect(text).toContain('from "everypath/jest"');
});

test("--system writes a system of nodes with something to find", async () => {
  cli.write("package.json", "{}");
  const written = await cli.run(["init", "--system"]);
  expect(written).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("npx everypath check everypath.system.ts") as string,
  });
  const checked = await cli.run(["check", "everypath.system.ts"]);
  expect(checked.stdout).toContain("an order is counted once");
  expect(checked.exitCode).toBe(1);
});
