/**
 * Models that state what is expected of them, in comments before the first declaration:
 *
 *     -- expect: holds, 12 states, 33 rules
 *     -- expect(-D N=4 --dialect cmurphi): violated (deadlock)
 *     -- rumur: has no multisets
 *
 * States and rules fired are Rumur's, without symmetry reduction unless `--reduction symmetry` is given; the last line says why Rumur cannot be asked. What is violated is
 * told by the kind of the property or, of run-time errors, of the fault.
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
  /** Why Rumur cannot be asked. */
  readonly withoutRumur: string | undefined;
}

export interface Expectation {
  /** As on the command line. */
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

/** `-D N=4 --dialect cmurphi` as options. */
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

/** What a check found, as fixtures say it. */
export async function outcomeOf(name: string, text: string, options: CheckOptions = {}): Promise<string> {
  const whole = await check(name, text, options);
  const { properties, runs, diagnostics } = whole;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ code, message }) => `${code}: ${message}`).join("; ");
  const violated = properties.find(({ verdict }) => verdict === "violated");
  if (violated) return `violated (${kindOf(violated)})`;
  if (properties.some(({ verdict }) => verdict !== "holds")) return "unknown";
  // Properties that speak of single elements have a search of the whole system beside the reduced one.
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
