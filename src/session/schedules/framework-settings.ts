/** Reads the framework's configuration for test files; features that need the framework itself are problems, by name. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Problem } from "./declared-tests.js";
import type { Framework, TestFileRequest } from "./test-file.js";
import { projectSettings } from "./vite-settings.js";

type Settings = Omit<TestFileRequest, "file" | "framework">;

export async function frameworkSettings(file: string, framework: Framework): Promise<Settings | Problem> {
  if (framework === "jest") return jestProblem(file) ?? {};
  if (framework !== "vitest") return {};
  try {
    const { hasGlobalSetup, ...settings } = await projectSettings(file);
    return hasGlobalSetup ? { problem: "Vitest's globalSetup runs outside of every realm" } : settings; // sound: test/session/schedules/check.test.ts
  } catch (error) {
    return { problem: `the configuration of Vite cannot be read: ${(error as Error).message}` };
  }
}

/** Options of Jest that change the meaning of a test file. */
const JEST_OPTIONS =
  /\b(setupFiles|setupFilesAfterEnv|globalSetup|moduleNameMapper|modulePaths|moduleDirectories|resolver|automock|globals|fakeTimers|preset|projects)\b/;

/** Jest's configuration may be code and is not run: its text is searched for these names. */
function jestProblem(file: string): Problem | undefined {
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) {
    const configs = ["js", "ts", "mjs", "cjs", "json"].map((extension) =>
      join(at, `jest.config.${extension}`),
    );
    const manifest = join(at, "package.json");
    const texts = [...configs.filter(existsSync).map((path) => readFileSync(path, "utf8")), jestIn(manifest)];
    const option = texts.map((text) => JEST_OPTIONS.exec(text)?.[1]).find((name) => name !== undefined);
    if (option !== undefined) return { problem: `Jest's option ${option} needs Jest` }; // sound: test/session/schedules/check.test.ts
    if (existsSync(manifest)) return undefined;
  }
  return undefined;
}

function jestIn(manifest: string): string {
  if (!existsSync(manifest)) return "";
  const { jest } = JSON.parse(readFileSync(manifest, "utf8")) as { jest?: unknown };
  return JSON.stringify(jest ?? {});
}
