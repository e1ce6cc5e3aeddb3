// Checks the types of sources, tests, page and extension: node scripts/types.mjs.
// By the compiler of TypeScript 7, which is native and takes a fifth of the time; its library has no parser for our use,
// so `typescript` stays beside it as version 5.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs the compiler; throws if it finds errors. */
export function tsc(...args) {
  const compiler = `${root}/node_modules/typescript7/bin/tsc`;
  execFileSync(process.execPath, [compiler, ...args], { cwd: root, stdio: "inherit" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  tsc("-p", "tsconfig.json", "--noEmit");
  tsc("-p", "explorer/tsconfig.json");
  tsc("-p", "editors/vscode/tsconfig.json");
}
