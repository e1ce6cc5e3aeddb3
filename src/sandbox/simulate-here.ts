/** `everypath simulate` in the process of the code: pipes lead to the terminal of the parent. */
import { runSimulate } from "../cli/simulate.js";
import type { Registry } from "../session/index.js";
import type { Screen, SimulateJob } from "./job.js";

export function simulateHere(
  { file, flags, argv, screens, env }: SimulateJob,
  registry: Registry,
): Promise<number> {
  const { stdin } = process;
  const terminal = {
    stdout: seenAs(process.stdout, screens.stdout),
    stderr: seenAs(process.stderr, screens.stderr),
  };
  return runSimulate(file, flags, { ...terminal, stdin, env }, argv, registry);
}

function seenAs(stream: NodeJS.WriteStream, { isTTY, columns }: Screen): NodeJS.WriteStream {
  return Object.defineProperties(stream, { isTTY: { value: isTTY }, columns: { value: columns } });
}
