import { describe, expect, test } from "vitest";
import { minimise } from "./minimise.js";
import { generateProgram } from "./promela.js";
import { line, renderProgram, smallerPrograms } from "./promela-tree.js";

describe("random Promela programs", () => {
  test("the same seed gives the same program, another seed another", () => {
    expect(renderProgram(generateProgram(7))).toBe(renderProgram(generateProgram(7)));
    expect(renderProgram(generateProgram(7))).not.toBe(renderProgram(generateProgram(8)));
  });

  test("all constructs come up", () => {
    const text = Array.from({ length: 300 }, (_, seed) => renderProgram(generateProgram(seed))).join("\n");
    for (const construct of constructs) expect(text).toMatch(construct);
  });
});

const constructs: readonly RegExp[] = [
  ...[
    /atomic \{/,
    /d_step \{/,
    /\} unless \{/,
    /\btimeout\b/,
    /\belse\b/,
    /\bgoto \w+/,
    /\bbreak\b/,
    /\bend_here:/,
  ],
  ...[
    /for \(\w+ : /,
    /for \(\w+ in /,
    /select \(/,
    /\brun \w+\(/,
    /provided \(/,
    /priority \d/,
    /set_priority\(/,
  ],
  ...[/unsigned \w+ : /, /short /, /typedef /, /mtype:fruit/, /hidden /, /\w+@there/, /\w+:own/, /enabled\(/],
  ...[
    /\w!\w/,
    /!!/,
    /\?\?/,
    /\?</,
    /\?\[/,
    /eval\(/,
    /= \[0\] of/,
    /of \{ chan \}/,
    /chan inside/,
    /\binit\b/,
  ],
  ...[
    / -> .* : /,
    /#define/,
    /inline /,
    /printm\(/,
    /_nr_pr/,
    /_pid/,
    /assert\(/,
    /xr buffer/,
    /active \[2\]/,
  ],
];

describe("minimise", () => {
  test("keeps only what the failure needs", async () => {
    const program = generateProgram(3);
    const [first, ...others] = program.proctypes;
    const failing = {
      ...program,
      proctypes: [{ ...first!, body: [...first!.body, line("needle = 1")] }, ...others],
    };
    const smallest = await minimise(
      failing,
      smallerPrograms,
      async (candidate) => renderProgram(candidate).includes("needle"),
      10_000,
    );
    expect(smallest.globals).toEqual([]);
    expect(smallest.proctypes).toHaveLength(1);
    expect(smallest.proctypes[0]!.body).toEqual([line("needle = 1")]);
  });
});
