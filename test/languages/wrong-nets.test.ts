/**
 * Invalid nets, systems and parallel programs. The first comments of each file have the expected diagnostics: `expect:
 * code line:column`, a line for each. Binary inputs must not crash.
 */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, checkJson, readInput } from "../../src/index.js";
import { inRepository } from "../repository.js";

const languages = ["mist", "pnml", "bvas", "rpp"] as const;

for (const language of languages) {
  const folder = inRepository("test/fixtures", language, "bad");
  describe(`wrong ${language}`, () => {
    for (const name of readdirSync(folder))
      test(name, async () => {
        const input = readInput(`${folder}/${name}`);
        if ("code" in input) throw new Error(input.message);
        const expected = [...input.text.matchAll(/expect: (\S+ \d+:\d+)/g)].map((match) => match[1]!);
        const { diagnostics } = checkJson(await check(input));
        expect(expected).not.toEqual([]);
        const own = diagnostics.filter(({ code }) => code.startsWith(`${language}/`));
        expect(own.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(expected);
        for (const { message } of own) expect(message.length).toBeGreaterThan(5);
      });
  });
}

describe("inputs that are no models", () => {
  const extension = { mist: "spec", pnml: "pnml", bvas: "bvas", rpp: "rpp" };
  const binary = Array.from({ length: 4000 }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join("");
  const inputs = (language: (typeof languages)[number]): Record<string, string> => ({
    nothing: "",
    binary,
    "ten megabytes of one letter": "a".repeat(10_000_000),
    "ten megabytes of brackets": "<({[".repeat(2_500_000),
    ...Object.fromEntries(
      readdirSync(inRepository("examples/nets"))
        .filter((name) => name.endsWith(`.${extension[language]}`))
        .flatMap((name) => {
          const text = readFileSync(inRepository("examples/nets", name), "utf8");
          return [0.3, 0.6, 0.9].map((part) => [`${name} cut at ${part}`, text.slice(0, text.length * part)]);
        }),
    ),
  });
  for (const language of languages)
    for (const [what, text] of Object.entries(inputs(language)))
      test(`${language}: ${what}`, async () => {
        const { diagnostics } = await check({ file: `wrong.${extension[language]}`, text });
        expect(diagnostics.length).toBeGreaterThan(0);
        expect(diagnostics.length).toBeLessThan(100);
      });
});
