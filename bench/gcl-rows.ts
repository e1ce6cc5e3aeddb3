/** The published programs of guarded commands, with their parameters and default properties. */
import { readFileSync } from "node:fs";
import { loadGcl } from "../src/languages/gcl/index.js";
import type { GuardedProgram } from "../src/model/index.js";
import { inRepository } from "../test/repository.js";

export interface GclInput {
  readonly file: string;
  readonly parameters?: Readonly<Record<string, number>>;
}

export const pathOf = ({ file }: GclInput): string =>
  inRepository(`test/fixtures/gcl/conformance/${file}.gcl`);

export const nameOf = ({ file, parameters = {} }: GclInput): string =>
  [file, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`)].join(" ");

export function programOf(input: GclInput): GuardedProgram {
  const path = pathOf(input);
  const given = Object.entries(input.parameters ?? {}).map(([name, value]) => ({ name, value: `${value}` }));
  const { program, diagnostics } = loadGcl(path, readFileSync(path, "utf8"), { parameters: given });
  if (!program) throw new Error(`${input.file}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return program;
}

export const published: readonly GclInput[] = [
  { file: "mutex-input" },
  { file: "mutex-step" },
  { file: "nondet-exactness-trap" },
  { file: "ticket", parameters: { N: 2 } },
  { file: "ticket", parameters: { N: 3 } },
  { file: "ticket-reach", parameters: { X: 10 } },
  { file: "rax" },
  { file: "rax-deadlock" },
  { file: "rax-fixed" },
  { file: "rax-reach", parameters: { X: 5 } },
  { file: "mesi" },
  { file: "berkley" },
  { file: "bakery2" },
  { file: "ticket2-e-a" },
  { file: "ticket2-e-b" },
  { file: "mesi-symbolic" },
  { file: "berkley-symbolic" },
  { file: "synapse" },
  { file: "ticket-symbolic" },
  { file: "ticket-independent" },
  { file: "peterson2" },
];
