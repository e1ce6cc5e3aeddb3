/**
 * Models with expectations, one per line, each with options of `check`. A reduction or front end was once wrong on the
 * models in `witnesses`; a reduction without one of its conditions is wrong on the models in `reductions`:
 *
 *     // expect: violated (assertion, deadlock)
 *     // expect(--ltl '<> (g == 7)' --fairness weak): holds
 *     // expect: rejected (promela/syntax)
 *
 * The parentheses list all errors that `--errors all` finds: the kind of a fault (`array-bounds`), otherwise the kind
 * of the property (`deadlock`, `invariant`, `ltl`); after `rejected`, the codes of the diagnostics.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { addCheckOptions, checkOptions, type CheckFlags } from "../../src/cli/check-options.js";
import type { CheckOptions, CheckReport } from "../../src/index.js";
import { hasErrors } from "../../src/index.js";
import { inRepository } from "../repository.js";

export interface Witness {
  readonly name: string;
  readonly text: string;
  readonly options: CheckOptions;
  readonly expected: string;
}

export function witnesses(kind: "witnesses" | "reductions" = "witnesses"): Witness[] {
  const folder = inRepository(`test/fixtures/promela/${kind}`);
  const files = readdirSync(folder).filter((name) => name.endsWith(".pml"));
  return files.sort().flatMap((name) => witnessesIn(join(folder, name), name.replace(/\.pml$/, "")));
}

function witnessesIn(file: string, name: string): Witness[] {
  const text = readFileSync(file, "utf8");
  const lines = [...text.matchAll(/^\/\/ expect(?:\((.*)\))?: (\w+(?: \(.*\))?)$/gm)];
  const stated = text.match(/^\/\/ expect/gm) ?? [];
  if (lines.length === 0 || lines.length !== stated.length)
    throw new Error(`${file}: cannot read what it expects`);
  return lines.map(([, options = "", expected]) => ({
    name: options === "" ? name : `${name} ${options}`,
    text,
    options: parseOptions(options),
    expected: expected!,
  }));
}

/** Splits words as a shell would, and parses them with the command's parser. */
export function parseOptions(text: string): CheckOptions {
  const words = [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  const command = addCheckOptions(new Command().exitOverride()).argument("<file>");
  command.parse(["m.pml", ...words], { from: "user" });
  return checkOptions(command.opts<CheckFlags>());
}

/** The answer in the format of expectations. */
export function answerOf(report: CheckReport): string {
  const { diagnostics, properties } = report;
  if (hasErrors(diagnostics)) {
    const codes = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    return `rejected (${[...new Set(codes)].sort().join(", ")})`;
  }
  const violated = properties.filter(({ verdict }) => verdict === "violated");
  if (violated.length === 0) return properties.some((p) => p.verdict === "unknown") ? "unknown" : "holds";
  const kinds = violated.map(({ property, fault }) => fault ?? property.kind);
  return `violated (${[...new Set(kinds)].sort().join(", ")})`;
}
