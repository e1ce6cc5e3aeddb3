/** A copy of the repository whose sources may be changed; packages and the build are shared. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function copyOfRepository(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), "everypath-copy-"));
  for (const name of ["src", "test", "examples", "docs", "bench", "explorer", "scripts"])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist)$/.test(path),
    });
  for (const name of ["package.json", "tsconfig.json", "vitest.config.ts", "README.md", "CHANGELOG.md"])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name));
  for (const name of ["node_modules", "dist"]) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  return folder;
}
