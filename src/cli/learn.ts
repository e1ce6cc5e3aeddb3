/** `everypath learn FILE`: the protocol of a class, learned by calling it. */
import { Option, type Command } from "commander";
import { renderAut } from "../languages/aut/index.js";
import { assumptionSystem, hasErrors, type Lts } from "../model/index.js";
import {
  counted,
  diagnosticJson,
  ltsFsp,
  palette,
  renderDiagnostics,
  renderLtsDot,
  renderLtsSvg,
  version,
  type DiagnosticJson,
} from "../report/index.js";
import { readInput } from "../session/index.js";
import { CALL, learnClass, type LearnResult, type LearnedProtocol } from "../session/learn/index.js";
import { Exit } from "./exit.js";
import { Interrupt, hasColor, type ColorChoice, type Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { collect, count, duration, oneOf } from "./values.js";

export interface LearnFlags {
  readonly class?: string;
  readonly call?: readonly string[];
  readonly arguments?: string;
  readonly maxStates?: number;
  readonly time?: number;
  readonly accept?: "bounded";
  readonly fsp?: boolean;
  readonly aut?: boolean;
  readonly dot?: boolean;
  readonly svg?: boolean;
  readonly json?: boolean;
  readonly color: ColorChoice;
}

export const addLearnOptions = (command: Command): Command =>
  command
    .option("--class <name>", "the exported class; absent: the only one")
    .addOption(
      new Option(
        "--call <call>",
        "a call such as 'push(1)'; repeatable; absent: all methods, none of which may have parameters",
      ).argParser(collect),
    )
    .option("--arguments <expressions>", "arguments of the constructor, such as '3, true'")
    .addOption(
      new Option("--max-states <n>", "compare at most n states (100000)").argParser(count("--max-states")),
    )
    .addOption(
      new Option("--time <duration>", "stop after this time, such as 90s or 5m").argParser(
        duration("--time"),
      ),
    )
    .addOption(
      new Option(
        "--accept <scope>",
        "bounded: exit with 0 if only sequences of bounded length were compared",
      ).argParser(oneOf("--accept", ["bounded"])),
    )
    .option("--fsp", "print only the process in FSP")
    .option("--aut", "print it in the format of Aldebaran")
    .option("--dot", "print it for Graphviz")
    .option("--svg", "print a drawing")
    .option("--json", "print one JSON object")
    .addOption(
      new Option("--color <when>", "auto, always or never")
        .default("auto")
        .argParser(oneOf("--color", ["auto", "always", "never"])),
    );

export async function runLearn(
  file: string,
  flags: LearnFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const formats = (["fsp", "aut", "dot", "svg", "json"] as const).filter((name) => flags[name]);
  if (formats.length > 1)
    throw usageError(
      argv,
      "one-format",
      `--${formats[0]} and --${formats[1]} are two formats; one is printed`,
      `--${formats[1]}`,
    );
  const wrong = flags.call?.find((call) => !CALL.test(call));
  if (wrong !== undefined)
    throw usageError(
      argv,
      "bad-value",
      `'${wrong}' is not a call of a method`,
      wrong,
      "write --call 'push(1)'",
    );
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, file);
  const interrupt = new Interrupt(terminal);
  try {
    const result = await learnClass(input, {
      ...(flags.class === undefined ? {} : { className: flags.class }),
      ...(flags.call ? { calls: flags.call } : {}),
      ...(flags.arguments === undefined ? {} : { construct: flags.arguments }),
      ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
      ...(flags.time === undefined ? {} : { timeMs: flags.time }),
      control: { isStopped: () => interrupt.isStopped },
    });
    return printed(result, flags, terminal);
  } finally {
    interrupt.release();
  }
}

function printed(result: LearnResult, flags: LearnFlags, { stdout, stderr, env }: Terminal): number {
  const { protocol, diagnostics, sources } = result;
  if (!flags.json && diagnostics.length > 0)
    stderr.write(renderDiagnostics(diagnostics, sources, palette(hasColor(flags.color, stderr, env))));
  stdout.write(flags.json ? `${JSON.stringify(learnJson(result), null, 2)}\n` : textOf(result, flags));
  if (hasErrors(diagnostics)) return Exit.badInput;
  // sound: test/session/learn.test.ts
  return protocol && (protocol.isComplete || flags.accept === "bounded") ? Exit.holds : Exit.unknown;
}

/** Undefined: every first call is refused. */
const systemOf = ({ calls, states, edges }: LearnedProtocol): Lts | undefined =>
  assumptionSystem({ name: "", of: "", alphabet: calls, states, edges });

function textOf({ file, protocol }: LearnResult, flags: LearnFlags): string {
  const lts = protocol && systemOf(protocol);
  if (!protocol || !lts) return protocol ? `${file}: no object can be made\n` : "";
  const fsp = `${ltsFsp("PROTOCOL", lts, protocol.calls).join("\n")}\n`;
  if (flags.fsp) return fsp;
  if (flags.aut) return renderAut(lts);
  if (flags.dot) return renderLtsDot(lts);
  if (flags.svg) return renderLtsSvg(`protocol of ${file}`, [{ title: `protocol of ${file}`, lts }]);
  const { isComplete, depth, visited, queries, candidates } = protocol;
  const scope = isComplete
    ? `complete: all ${counted(visited, "state")} of the object were compared`
    : `bounded: all sequences of at most ${counted(depth, "call")} were compared`;
  const figures = `${counted(candidates, "candidate")}, ${counted(queries, "membership query", "membership queries")}`;
  return `${file}: a protocol of ${counted(protocol.states, "state")}, ${scope}; ${figures}\n\n${fsp}`;
}

/** Output of `learn --json`. */
export interface LearnJson {
  readonly everypath: string;
  readonly file: string;
  /** Null if there is none. */
  readonly protocol: null | LearnedProtocol;
  readonly diagnostics: readonly DiagnosticJson[];
}

const learnJson = ({ file, protocol, diagnostics, sources }: LearnResult): LearnJson => ({
  everypath: version,
  file,
  protocol: protocol ?? null,
  diagnostics: diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)),
});
