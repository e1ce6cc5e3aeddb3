/** Prose that `npm run prose` extracts, and the habits that it counts there. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commentsOf, markdownOf, messagesOf, modelCommentsOf, type Block } from "../bench/prose/extract.js";
import { proseOf } from "../bench/prose/files.js";
import { hitsIn, masked, wordsIn } from "../bench/prose/habits.js";
import { inRepository } from "./repository.js";

const texts = (blocks: readonly Block[]): string[] => blocks.map(({ text }) => text);

describe("habits", () => {
  test.each([
    ["clause as noun", "What is put off in some state is counted.", "Counts postponed transitions."],
    ["clause as noun", "Reports what the search found.", "Reports the result of the search."],
    ["clause as noun", "Whoever rewrites the code runs it again.", "Run it again after changing the code."],
    ["clause as noun", "How many states there are.", "Number of states."],
    ["clause as noun", "Where a message goes is decided here.", "Decides the destination of a message."],
    ["clause as noun", "That it holds is tested.", "A test covers it."],
    ["clause as noun", "A page says how a net is drawn.", "A page describes the drawing of nets."],
    ["clause as noun", "The states are those that were stored.", "Returns the stored states."],
    ["clause as noun", "Its depth is that of the search.", "Its depth equals the search depth."],
    ["clause as noun", "for the how-manieth time it was allocated", "allocation sequence number"],
    [
      "passive say",
      "A certificate that leaves out a location is told so.",
      "Rejects certificates that omit a process's location.",
    ],
    ["passive say", "Nothing is asked of it.", "It has no properties."],
    ["passive say", "Fails, and says so.", "Fails with a message."],
    [
      "code as person",
      "nobody asks which language it came from",
      "the engine does not depend on the language",
    ],
    ["code as person", "The engine knows the language.", "The engine has the language's name."],
    [
      "so many",
      "'1000' is no number for --workers",
      "--workers must be between 1 and 64; there is no larger value",
    ],
    ["so many", "so many states are kept", "limits the number of states"],
    ["so many", "such a state", "this state"],
    ["so many", "a folder of its own", "a separate folder"],
    ["so many", "the text, as it is", "the unchanged text"],
    [
      "so many",
      "explores states of which it has said the same most rarely",
      "explores states with the rarest `guide` value first",
    ],
    ["so many", "is gone on with until it repeats itself", "is extended until a state repeats"],
    [
      "so many",
      "Of several, the first of 70, 3, 1, 2, 0.",
      "If several apply, the first in this order wins: 70, 3, 1, 2, 0.",
    ],
    ["so many", "leave --port away", "omit --port"],
    ["trailing too", "is stopped there, too", "also stops there"],
    [
      "trailing too",
      "It is stored, also where nothing changed.",
      "Stores it also after an unchanged state, with both figures.",
    ],
    ["odd verb", "Parts of an element stand side by side.", "Parts of an element are adjacent."],
    ["odd verb", "Numbers states as they are met first.", "Numbers states in the order of discovery."],
    ["odd verb", "The search goes on as JavaScript.", "The search continues as JavaScript."],
    ["odd verb", "Words that do not tell states apart.", "Words that do not distinguish states."],
    ["odd verb", "The search begins again.", "The search restarts."],
    ["odd verb", "Unneeded matches are left out.", "Unneeded matches are omitted."],
    ["odd verb", "Takes 13 bytes a state.", "Takes 13 bytes per state."],
  ])("%s: %s", (habit, before, after) => {
    expect(hitsIn(before).map((hit) => hit.habit)).toContain(habit);
    expect(hitsIn(after)).toEqual([]);
  });

  test("questions are common English", () => {
    expect(hitsIn("What does it print? Nothing.")).toEqual([]);
    expect(hitsIn("What it prints is nothing.")).toHaveLength(1);
  });

  test("good English has few of them", () => {
    const pages = ["fast-check", "vite", "vitest", "react", "typescript", "chevrotain"].map((name) => {
      const file = inRepository("node_modules", name, "README.md");
      return proseOf(file, readFileSync(file, "utf8"), true);
    });
    const all = pages.flat();
    const words = all.reduce((sum, page) => sum + page.words, 0);
    const hits = all.reduce((sum, page) => sum + page.hits.length, 0);
    expect(words).toBeGreaterThan(1000);
    expect((1000 * hits) / words).toBeLessThan(1);
  });

  test("a passage counts once, at its offset", () => {
    const [hit, ...others] = hitsIn("First. What is said so is gone.");
    expect(others.map(({ at }) => at).every((at) => at > 7)).toBe(true);
    expect(hit).toMatchObject({ at: 7, habit: "clause as noun" });
  });
});

describe("extraction", () => {
  test("comments, not what looks like one in strings, templates and regular expressions", () => {
    const source = [
      'const a = "// no comment", b = `/* nor ${1 /* inside */} this */`, c = /\\/\\/ nor this/;',
      "// One sentence on",
      "// two lines with `code`.",
      "call(); // behind",
      "/**",
      " * A paragraph.",
      " *",
      " * Another.",
      " */",
      "export {};",
    ].join("\n");
    expect(texts(commentsOf("a.ts", source))).toEqual([
      "inside",
      `One sentence on two lines with ${masked}.`,
      "behind",
      "A paragraph.",
      "Another.",
    ]);
  });

  test("no directives, marks or code samples", () => {
    const source =
      "// eslint-disable-next-line no-console\n\n// sound: test/a.test.ts\n\n/**\n * Before.\n * ```ts\n * what();\n * ```\n */\nx();\n";
    expect(texts(commentsOf("a.ts", source))).toEqual(["Before."]);
  });

  test("text of JSX is a message, and no comment", () => {
    const source = "const a = <p>Nothing is known about // this state</p>; /* A comment. */";
    expect(texts(commentsOf("a.tsx", source))).toEqual(["A comment."]);
    expect(texts(messagesOf("a.tsx", source))).toEqual(["Nothing is known about // this state"]);
  });

  test("literals that are sentences, joined where they are added up", () => {
    const source =
      'import a from "what is not a sentence";\nf("promela/syntax", "two words", `the channel ${name} is full` + " in every state", "if (a) { return what; }");';
    expect(texts(messagesOf("a.ts", source))).toEqual([`the channel ${masked} is full in every state`]);
  });

  test("paragraphs, items and cells of pages without code and addresses", () => {
    const page =
      "# Title\n\nOne [link](https://what.example/what)\nand `code`.\n\n```sh\nwhat\n```\n\n| a | b |\n| --- | --- |\n| `--x` | does it |\n\n- item\n- other\n";
    expect(texts(markdownOf(page))).toEqual([
      "Title",
      `One [link and ${masked}.`,
      "a",
      "b",
      masked,
      "does it",
      "item",
      "other",
    ]);
  });

  test("sentences inside placeholders count once", () => {
    const source = 'f(`there is ${none ? "no way at all out" : x} of it` + g("what the caller asked for"));';
    expect(texts(messagesOf("a.ts", source))).toEqual([
      `there is ${masked} of it ${masked}`,
      "no way at all out",
      "what the caller asked for",
    ]);
  });

  test("a bar inside code does not cut a cell", () => {
    expect(texts(markdownOf("| `a|what` | says it |\n"))).toEqual([masked, "says it"]);
  });

  test("comments of models", () => {
    expect(texts(modelCommentsOf('x = "// no"; /* expected:\n holds */ -- Murphi\n// end', true))).toEqual([
      "expected: holds",
      "Murphi",
      "end",
    ]);
  });

  test("hits have the place in the file", () => {
    const [prose] = proseOf("src/a.ts", "/**\n * Counts states. Also\n * what is lost.\n */\nf();\n");
    expect(prose?.words).toBe(6);
    expect(prose?.hits).toMatchObject([{ habit: "clause as noun", line: 3, column: 4 }]);
  });

  test("code is no word", () => {
    expect(wordsIn(`Prints ${masked} to the user's file.`)).toBe(5);
  });
});
