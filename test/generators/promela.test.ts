import { describe, expect, test } from "vitest";
import { minimise } from "./minimise.js";
import { generateProgram } from "./promela.js";
import { tinyCase } from "./promela-tiny.js";
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

describe("tiny Promela programs", () => {
  const text = (seed: number): string => renderProgram(tinyCase(seed).program);

  test("the same seed gives the same program, another seed another", () => {
    expect(text(7)).toBe(text(7));
    expect(text(7)).not.toBe(text(8));
  });

  test("what reductions treat specially comes up", () => {
    const all = Array.from({ length: 600 }, (_, seed) => text(seed)).join("\n");
    for (const construct of tinyConstructs) expect(all).toMatch(construct);
  });
});

const tinyConstructs: readonly RegExp[] = [
  ...[
    /c!!\d/,
    /c\?\?\w/,
    /c\?<\w/,
    /\bxs c/,
    /\bxr c/,
    /r!\d/,
    /r\?x/,
    /\belse\b/,
    /\} unless \{/,
    /atomic \{/,
  ],
  ...[
    /d_step \{/,
    /d\[.*\]!/,
    /x = len\(c\)/,
    /c\?\[1\]/,
    /t!l/,
    /t\?q/,
    /a\[i\]/,
    /1 \/ x/,
    /2 % x/,
    /u\?_/,
  ],
  ...[
    /printf\("%d", a\[/,
    /run D\(/,
    /P0@there/,
    /P0:x/,
    /provided \(/,
    /priority \d/,
    /_nr_pr/,
    /\btimeout\b/,
  ],
];
