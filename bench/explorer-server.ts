/** The explorer of the built package, started by its command: its process, and the address it prints. */
import { spawn, type ChildProcess } from "node:child_process";
import { inRepository } from "../test/repository.js";

export function startExplorer(
  args: readonly string[],
  directory: string,
): Promise<{ child: ChildProcess; url: string }> {
  const command = [inRepository("dist/cli/index.js"), "explore", ...args, "--no-open"];
  const child = spawn(process.execPath, command, { cwd: directory });
  let printed = "";
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the explorer ended with ${code}`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      printed += part;
      const url = /(http:\S+)\n/.exec(printed)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
  });
}
