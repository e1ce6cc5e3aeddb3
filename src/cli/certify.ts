/** `everypath certify CERTIFICATE [FILE]`: check proofs without searching. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Option, type Command } from "commander";
import { hasErrors, type Certificate } from "../model/index.js";
import { diagnosticJson, type DiagnosticJson, palette, renderDiagnostics, version } from "../report/index.js";
import {
  certifyInput,
  parseCertificate,
  readInput,
  readProblem,
  registry,
  type Certified,
} from "../session/index.js";
import { Exit } from "./exit.js";
import { addOutputOptions, type OutputFlags } from "./options.js";
import type { SolverName } from "../solvers/index.js";
import { hasColor, type Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { oneOf } from "./values.js";

export interface CertifyFlags extends OutputFlags {
  readonly solver?: SolverName;
}

export const addCertifyOptions = (command: Command): Command =>
  addOutputOptions(
    command.addOption(
      new Option(
        "--solver <name>",
        "of invariants: auto (the default), z3 (embedded), native, cvc5, or all, which must all accept",
      ).argParser(oneOf("--solver", ["auto", "z3", "native", "cvc5", "all"])),
    ),
  );

export async function runCertify(
  path: string,
  fileArgument: string | undefined,
  flags: CertifyFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const certificate = readCertificate(path, argv);
  const file = fileArgument ?? join(dirname(path), certificate.file);
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, fileArgument ?? path);
  const claims = certificate.claims?.map((claim) => join(dirname(path), claim));
  const placed = claims ? { ...certificate, claims } : certificate;
  const certified = await certifyInput(input, placed, registry, flags.solver);
  if (flags.json) terminal.stdout.write(`${JSON.stringify(asJson(certified), null, 2)}\n`);
  else printText(certified, flags, terminal);
  if (hasErrors(certified.diagnostics)) return Exit.badInput;
  return certified.proofs.every(({ isAccepted }) => isAccepted) ? Exit.holds : Exit.violated;
}

function readCertificate(path: string, argv: readonly string[]): Certificate {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(argv, "cannot-read", `cannot read '${path}': ${readProblem(error)}`, path);
  }
  const certificate = parseCertificate(text);
  if ("problem" in certificate)
    throw usageError(argv, "bad-certificate", `'${path}' is no certificate: ${certificate.problem}`, path);
  return certificate;
}

function printText(
  { file, proofs, unproved, diagnostics, sources }: Certified,
  flags: CertifyFlags,
  terminal: Terminal,
): void {
  const { stdout, stderr, env } = terminal;
  if (diagnostics.length > 0)
    stderr.write(renderDiagnostics(diagnostics, sources, palette(hasColor(flags.color, stderr, env))));
  const colors = palette(hasColor(flags.color, stdout, env));
  for (const { property, isAccepted, reason } of proofs) {
    const verdict = isAccepted ? colors.good("accepted") : colors.bad("rejected");
    const text = isAccepted ? `${property} holds for every execution (${reason})` : `${property}: ${reason}`;
    stdout.write(`${colors.bold(file)}: ${verdict}: ${text}\n`);
  }
  for (const name of unproved) stdout.write(`${colors.bold(file)}: no proof of ${name}\n`);
}

/** Output of `certify --json`. */
export interface CertifyJson {
  readonly everypath: string;
  readonly file: string;
  readonly language: string;
  readonly isAccepted: boolean;
  readonly proofs: Certified["proofs"];
  /** Names of properties without a proof. */
  readonly unproved: readonly string[];
  readonly diagnostics: readonly DiagnosticJson[];
}

const asJson = ({ file, language, proofs, unproved, diagnostics, sources }: Certified): CertifyJson => ({
  everypath: version,
  file,
  language,
  isAccepted: proofs.length > 0 && proofs.every(({ isAccepted }) => isAccepted),
  proofs,
  unproved,
  diagnostics: diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)),
});
