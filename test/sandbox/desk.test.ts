/** The explorer's requests about code: the end of the process is a reply, and pending requests are kept. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Answered } from "../../src/explorer/model-service.js";
import { openCodeDesk, type CodeDesk } from "../../src/explorer/code-desk.js";

const folder = mkdtempSync(join(tmpdir(), "everypath-desk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const system = (condition: string): string => `
  import { defineSystem } from "everypath/system";
  export default defineSystem<any>({
    nodes: { a: () => ({ n: 0 }) },
    actions: { turn: { times: 2, run: (node) => void node.n++ } },
    always: { small: ({ nodes }) => { ${condition} } },
  });
`;

interface Opened {
  readonly desk: CodeDesk;
  readonly file: string;
  answerTo(id: number): Promise<Answered>;
}

async function open(text: string): Promise<Opened> {
  const file = join(folder, "system.ts");
  writeFileSync(file, text);
  const waiting = new Map<number, (answered: Answered) => void>();
  const desk = await openCodeDesk({ file, text }, {}, (answered) => waiting.get(answered.id)?.(answered));
  return {
    desk: desk!,
    file,
    answerTo: (id) =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        desk!.ask({ id, question: "walk", asks: { schedule: "" } });
      }),
  };
}

test("answers, as long as the files are what they were", { timeout: 240_000 }, async () => {
  const { desk, file, answerTo } = await open(system("return true;"));
  const both = await Promise.all([answerTo(1), answerTo(2)]);
  for (const answered of both)
    expect(answered).toMatchObject({
      answer: {
        values: [
          ["a.n", "0"],
          ["network", "empty"],
        ],
      },
    });
  expect(desk.isCurrent()).toBe(true);
  writeFileSync(file, system("return false;"));
  expect(desk.isCurrent()).toBe(false);
  desk.close();
});

test("a question that the process does not survive is answered by why", { timeout: 240_000 }, async () => {
  const { desk, answerTo } = await open(system("for (;;);"));
  const answered = answerTo(1);
  desk.close();
  expect(await answered).toMatchObject({ isBug: false, error: expect.stringContaining("SIGKILL") as string });
  expect(desk.isCurrent()).toBe(false);
});

test("what cannot be bundled is not run", async () => {
  const file = join(folder, "broken.ts");
  writeFileSync(file, "export default defineSystem({");
  expect(await openCodeDesk({ file, text: "" }, {}, () => undefined)).toBeUndefined();
});
