/**
 * Models with expectations in comments before the first declaration:
 *
 *     -- expect: holds, 12 states, 33 rules
 *     -- expect(-D N=4 --dialect cmurphi): violated (deadlock)
 *     -- rumur: has no multisets
 *
 * States and fired rules are Rumur's, without symmetry reduction unless `--reduction symmetry` is given; the last line
 * has the reason why Rumur does not apply. In parentheses: the kind of the property or, for run-time errors, of the
 * fault.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkInput,
  registry,
  type CheckOptions,
  type Checked,
  type Registry,
} from "../../../src/session/index.js";
import { inRepository } from "../../repository.js";

export interface Fixture {
  readonly name: string;
  readonly text: string;
  readonly expectations: readonly Expectation[];
  /** The reason why Rumur does not apply. */
  readonly withoutRumur: string | undefined;
}

export interface Expectation {
  /** Command-line arguments. */
  readonly arguments: string;
  readonly outcome: string;
}

const folder = inRepository("test/fixtures/murphi/models");

export function fixtures(): Fixture[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".m"))
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const found = [...text.matchAll(/^-- expect(?:\((.*)\))?: (.*)$/gm)];
      return {
        name,
        text,
        expectations: found.map(([, given, outcome]) => ({ arguments: given ?? "", outcome: outcome! })),
        withoutRumur: /^-- rumur: (.*)$/m.exec(text)?.[1],
      };
    });
}

/** Parses `-D N=4 --dialect cmurphi`. */
export function optionsOf(given: string): CheckOptions {
  const words = given.split(" ");
  const after = (option: string): string[] => words.filter((_, i) => words[i - 1] === option);
  const [dialect] = after("--dialect") as (CheckOptions["dialect"] & string)[];
  const [deadlock] = after("--deadlock") as (CheckOptions["deadlock"] & string)[];
  return {
    defines: after("-D"),
    ...(dialect ? { dialect } : {}),
    ...(deadlock ? { deadlock } : {}),
    reductions: given.includes("--reduction symmetry") ? ["symmetry"] : [],
  };
}

export async function check(
  name: string,
  text: string,
  options: CheckOptions = {},
  among: Registry = registry,
): Promise<Checked["report"]> {
  return (await checkInput({ file: name, text }, options, among)).report;
}

/** The outcome of a check, in the format of expectations. */
export async function outcomeOf(name: string, text: string, options: CheckOptions = {}): Promise<string> {
  const whole = await check(name, text, options);
  const { properties, runs, diagnostics } = whole;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ code, message }) => `${code}: ${message}`).join("; ");
  const violated = properties.find(({ verdict }) => verdict === "violated");
  if (violated) return `violated (${kindOf(violated)})`;
  if (properties.some(({ verdict }) => verdict !== "holds")) return "unknown";
  // Properties of single elements are searched on the whole system, in addition to the reduced search.
  const { stats } =
    runs.length === 1 ? whole : await check(name, text, { ...options, properties: runs[0]!.properties });
  return `holds, ${stats.states} states, ${stats.rumur?.rulesFired} rules`;
}

function kindOf({
  property,
  fault,
  reason,
}: {
  property: { kind: string };
  fault: string | undefined;
  reason: string;
}): string {
  if (property.kind === "invariant" && reason.startsWith("read of undefined")) return "undefined-value";
  return property.kind === "runtime" ? fault! : property.kind;
}
