/** An interactive run: lists the enabled steps, reads a number, `r`, `u` or `q`. Also works through a pipe. */
import { createInterface } from "node:readline";
import { formatPosition, visible, type TraceStyle } from "../report/index.js";
import { Random, freshSeed, type SteppedRun } from "../session/index.js";
import type { Chooser } from "./chooser.js";
import type { Terminal } from "./terminal.js";

export function chooseInteractively(
  stdin: Terminal["stdin"],
  output: Terminal["stdout"],
  style: TraceStyle,
): Chooser {
  const lines = createInterface({ input: stdin, crlfDelay: Infinity });
  const answers = lines[Symbol.asyncIterator]();
  const random = new Random(freshSeed());
  return {
    async next(simulation) {
      for (let isListed = false; ;) {
        if (!isListed) output.write(listChoices(simulation, style));
        isListed = true;
        output.write(style.colors.bold(`choose 1-${simulation.count}, r random, u undo, q quit> `));
        const { value, done } = await answers.next();
        const answer = done ? "q" : (value as string).trim();
        if (stdin.isTTY !== true) output.write(`${answer}\n`);
        if (answer === "q") return { outcome: "open", reason: "left by the user" };
        if (answer === "r" || answer === "") return random.below(simulation.count);
        if (answer === "u") {
          output.write(simulation.undo() ? "one step taken back\n" : "this is the beginning\n");
          isListed = false;
        } else if (/^\d+$/.test(answer) && Number(answer) >= 1 && Number(answer) <= simulation.count) {
          return Number(answer) - 1;
        } else output.write(`'${visible(answer)}' is none of these\n`);
      }
    },
    close: () => lines.close(),
  };
}

function listChoices(simulation: SteppedRun, { colors, sources }: TraceStyle): string {
  const steps = Array.from({ length: simulation.count }, (_, choice) => simulation.describe(choice));
  const names = Math.max(0, ...steps.map((step) => step.participants.join(" + ").length));
  const lines = steps.map((step, choice) => {
    const who = step.participants.join(" + ").padEnd(names);
    const where = step.sources[0] ? formatPosition(step.sources[0], sources) : "";
    return `${`${choice + 1}`.padStart(6)}) ${colors.name(who)}  ${visible(step.action)}  ${colors.dim(where)}\n`;
  });
  return lines.join("");
}
