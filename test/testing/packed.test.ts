/**
 * From `npm i -D everypath` to a race found in a real Vitest run: a scratch project with the package from `npm pack`,
 * and the first example of the guide to async code. Installs other packages from the registry; skipped without one.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../repository.js";

const run = promisify(execFile);
const hasRegistry = spawnSync("npm", ["view", "vitest", "version"], { timeout: 15_000 }).status === 0;
const skipped = hasRegistry ? "" : " (SKIPPED: no npm registry can be reached)";

describe.skipIf(!hasRegistry)(`a project that installs the package${skipped}`, () => {
  const flags = ["--no-fund", "--no-audit", "--prefer-offline", "--ignore-scripts"];
  const project = mkdtempSync(join(tmpdir(), "everypath-project-"));
  afterAll(() => rmSync(project, { recursive: true, force: true }), 60_000);

  beforeAll(async () => {
    if (!isBuilt()) execFileSync(process.execPath, [inRepository("scripts/build.mjs")], { stdio: "inherit" });
    const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", project], {
      cwd: inRepository("."),
    });
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ name: "scratch", private: true, type: "module" }),
    );
    const tarball = join(project, stdout.trim().split("\n").at(-1)!);
    const vitest = `vitest@${versionOf("vitest")}`;
    await run("npm", ["i", "-D", ...flags, tarball, vitest, "tsx@4"], { cwd: project });
  }, 240_000);

  const vitest = (file: string) =>
    spawnSync("npx", ["vitest", "run", file], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", CI: "", VITEST: "" },
    });

  test("finds the race of the guide's first example", { timeout: 240_000 }, () => {
    writeFileSync(join(project, "stock.test.ts"), quickExample());
    const { status, stdout, stderr } = vitest("stock.test.ts");
    expect(status).toBe(1);
    const printed = stdout + stderr;
    expect(printed).toContain("expected [ true, true ] to have length 1");
    expect(printed).toMatch(/replay\('[\d.*]*#\w+'\)/);
    expect(printed).toMatch(/stock\.test\.ts:\d+:\d+/);
    expect(printed).toContain("─▶│");
  });

  test("follows aliases of the Vite configuration, and set-up files", { timeout: 240_000 }, () => {
    const config = `export default { resolve: { alias: { "@": import.meta.dirname + "/lib" } }, test: { setupFiles: ["./set-up.ts"] } };`;
    writeFileSync(join(project, "vitest.config.mjs"), config);
    writeFileSync(join(project, "set-up.ts"), `globalThis.wasSetUp = true;`);
    spawnSync("mkdir", ["-p", join(project, "lib")]);
    writeFileSync(join(project, "lib/answer.ts"), `export const answer: number = 42;`);
    const text = `
      import { expect } from "vitest";
      import { everySchedule } from "everypath/vitest";
      import { answer } from "@/answer";
      everySchedule("aliases", async () => { expect([answer, globalThis.wasSetUp]).toEqual([42, true]); });
    `;
    writeFileSync(join(project, "alias.test.ts"), text);
    const { status, stdout, stderr } = vitest("alias.test.ts");
    rmSync(join(project, "vitest.config.mjs"));
    expect(stdout + stderr).toContain("1 passed");
    expect(status).toBe(0);
  });

  test("works in node:test", { timeout: 240_000 }, () => {
    const text = quickExample()
      .replace('"everypath/vitest"', '"everypath/node-test"')
      .replace('import { expect } from "vitest";', 'import assert from "node:assert/strict";')
      .replace(
        "expect(sold.filter(Boolean)).toHaveLength(1);",
        "assert.equal(sold.filter(Boolean).length, 1);",
      );
    writeFileSync(join(project, "stock.node.ts"), text);
    const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "--test", "stock.node.ts"], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    expect(stdout).toContain("expected 2 to be 1");
    expect(stdout).toContain("replay('");
    expect(status).toBe(1);
  });

  test("works in Jest", { timeout: 300_000 }, async () => {
    await run("npm", ["i", "-D", ...flags, "jest@30"], { cwd: project });
    const text = quickExample()
      .replace('"everypath/vitest"', '"everypath/jest"')
      .replace('import { expect } from "vitest";', 'import { expect } from "@jest/globals";')
      .replace(/: number/g, "");
    writeFileSync(join(project, "stock.jest.mjs"), text);
    const { status, stderr } = spawnSync("npx", ["jest", "--testMatch", "**/*.jest.mjs"], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", CI: "", NODE_OPTIONS: "--experimental-vm-modules" },
    });
    expect(stderr).toContain("expected [ true, true ] to have length 1");
    expect(stderr).toContain("replay('");
    expect(stderr).toMatch(/stock\.jest\.mjs:\d+:\d+/);
    expect(status).toBe(1);
  });

  test("works without a framework", { timeout: 240_000 }, () => {
    const text = `
      import { everySchedule } from "everypath/code";
      const found = everySchedule("a wait", async (world) => { await Promise.all([world.pause("a"), world.pause("b")]); });
      if (found) console.log((await found.run()).message);
    `;
    writeFileSync(join(project, "alone.mjs"), text);
    const { stdout } = spawnSync(process.execPath, ["alone.mjs"], { cwd: project, encoding: "utf8" });
    expect(stdout).toContain("Every schedule was run: 2 schedules");
  });
});

function quickExample(): string {
  const [, text] = /```ts\n(import \{ expect \} from "vitest";[\s\S]*?)```/.exec(
    readFileSync(inRepository("docs/code.md"), "utf8"),
  )!;
  expect(text!.trim().split("\n").length).toBeLessThanOrEqual(11);
  return text!;
}

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(inRepository(`node_modules/${name}/package.json`), "utf8")) as { version: string })
    .version;

/** Whether the build is newer than every source. */
function isBuilt(): boolean {
  const built = inRepository("dist/index.js");
  if (!existsSync(built)) return false;
  const time = statSync(built).mtimeMs;
  return ["src", "scripts"].every((folder) =>
    readdirSync(inRepository(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs < time),
  );
}
