/**
 * Times of the language server's answers on texts of 2,000 lines: `npm run bench:lsp -- [--lines N] [--language NAME]`. The text of each language
 * is its example, repeated. Prints medians of elapsed and of processor time; exits with 1 if the latter is above the goal.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { known } from "../src/model/known.js";
import { registry } from "../src/session/registry.js";
import { languageExamples } from "../test/explorer/language-examples.js";
import { Client } from "../test/lsp/client.js";
import { argument } from "./arguments.js";
import { median } from "./statistics.js";

const LINES = Number(argument("lines") ?? 2000);
const only = argument("language");
const GOAL_MS = 100;
const ROUNDS = 5;

interface Cost {
  readonly wallMs: number;
  readonly processorMs: number;
}

let isMissed = false;
for (const { name } of registry.languages) {
  if (only !== undefined && only !== name) continue;
  const file = known(languageExamples[name]?.args[0], `an example of ${name}`);
  const costs = await measured(pathToFileURL(file).href, textOf(readFileSync(file, "utf8")));
  const parts = [...costs].map(([method, all]) => {
    const wall = median(all.map(({ wallMs }) => wallMs));
    return { method, wall, processor: median(all.map(({ processorMs }) => processorMs)) };
  });
  const slow = parts.filter(({ processor }) => processor > GOAL_MS);
  isMissed ||= slow.length > 0;
  const list = parts
    .map(({ method, wall, processor }) => `${method} ${wall.toFixed(0)} (${processor.toFixed(0)})`)
    .join(", ");
  console.log(`${slow.length === 0 ? "met" : "MISSED"}: ${name}: ${list}`);
}
console.log(`medians of ${ROUNDS}, ms (ms of processor); goal: at most ${GOAL_MS} of processor`);
process.exit(isMissed ? 1 : 0);

/** A text of at least the wanted number of lines. */
function textOf(example: string): string {
  const lines = example.split("\n").length;
  return Array.from({ length: Math.ceil(LINES / lines) }, () => example).join("\n");
}

async function measured(uri: string, text: string): Promise<ReadonlyMap<string, readonly Cost[]>> {
  const client = new Client();
  await client.initialize();
  await client.open(uri, text);
  const costs = new Map<string, Cost[]>();
  const time = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    const [began, before] = [performance.now(), process.cpuUsage()];
    await ask();
    const { user, system } = process.cpuUsage(before);
    const cost = { wallMs: performance.now() - began, processorMs: (user + system) / 1000 };
    costs.set(name, [...(costs.get(name) ?? []), cost]);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await time("change", () => client.change(uri, `${text}\n${" ".repeat(round)}`));
    const position = { line: Math.floor(LINES * (0.2 + 0.1 * round)), character: 4 };
    for (const method of ["hover", "definition", "references", "completion", "documentSymbol"])
      await time(method, () => client.reply(`textDocument/${method}`, { textDocument: { uri }, position }));
  }
  await client.request("shutdown");
  client.notify("exit");
  return costs;
}
