/**
 * Models with expectations in their first comment, so that adding a case is adding a file:
 *
 *     // expect: holds, 13 states, 13 spin-transitions
 *     // expect(N=3): deadlock, 45915 states, 128654 spin-transitions
 *
 * The second form defines a macro on the command line.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../repository.js";
import type { ConformanceModel } from "./models.js";

export interface Expectation {
  /** `holds`, or the kinds of error joined by `+`. */
  readonly errors: readonly string[];
  readonly states: number;
  readonly transitions: number;
}

export type Fixture = ConformanceModel & { readonly expected: Expectation };

export const fixtureFolder = inRepository("test/fixtures/promela/conformance");

export function conformanceFixtures(): Fixture[] {
  const files = readdirSync(fixtureFolder).filter((name) => name.endsWith(".pml"));
  return files.sort().flatMap((name) => fixturesIn(join(fixtureFolder, name), name.replace(/\.pml$/, "")));
}

function fixturesIn(file: string, name: string): Fixture[] {
  const lines = [...readFileSync(file, "utf8").matchAll(/^\/\/ expect(?:\((.*?)\))?: (.*)$/gm)];
  if (lines.length === 0) throw new Error(`${file} does not state its expectation`);
  return lines.map(([, define, text]) => {
    const expected = parseExpectation(text!, file);
    return {
      name: define ? `${name} ${define}` : name,
      file,
      defines: define ? define.split(",").map((one) => one.trim()) : [],
      statesSeen: expected.states,
      choosesInAtomic: false,
      expected,
    };
  });
}

function parseExpectation(text: string, file: string): Expectation {
  const match = /^([\w+-]+), (\d+) states, (\d+) spin-transitions$/.exec(text.trim());
  if (!match) throw new Error(`${file}: cannot read the expectation "${text}"`);
  const errors = match[1] === "holds" ? [] : match[1]!.split("+").sort();
  return { errors, states: Number(match[2]), transitions: Number(match[3]) };
}
