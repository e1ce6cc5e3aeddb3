/** `everypath automaton 'FORMULA'`: the automaton of a formula, as text or in one of several formats. */
import type { Command } from "commander";
import { type Automaton, type Diagnostic, type Formula, Sources } from "../model/index.js";
import { checkJson, counted, palette, type Palette, renderDiagnostics } from "../report/index.js";
import { nothingChecked } from "../session/index.js";
import {
  AutomatonTooLarge,
  edgeCount,
  format,
  isStutterInvariant,
  marksOf,
  negate,
  parseLtl,
  plainNotation,
  renderDot,
  renderGuard,
  renderHoa,
  renderNeverClaim,
  renderSvg,
  renderTgba,
  translate,
  translateToBuchi,
} from "../transforms/ltl/index.js";
import { Exit } from "./exit.js";
import { hasColor, type Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { nth } from "../model/known.js";

export interface AutomatonFlags {
  readonly negate?: boolean;
  readonly buchi?: boolean;
  readonly exact?: boolean;
  readonly dot?: boolean;
  readonly svg?: boolean;
  readonly never?: boolean;
  readonly hoa?: boolean;
  readonly tgba?: boolean;
  readonly json?: boolean;
}

export const addAutomatonOptions = (command: Command): Command =>
  command
    .option("--negate", "the automaton of the opposite, as a search for violations needs it")
    .option("--buchi", "one acceptance condition, on states; --never implies it")
    .option("--exact", "the plain translation, without any simplification")
    .option("--dot", "print it for Graphviz")
    .option("--svg", "print a drawing")
    .option("--never", "print a never claim for Spin")
    .option("--hoa", "print it in the Hanoi omega-automata format")
    .option("--tgba", "print it in the text format of transition-based automata")
    .option("--json", "print one JSON object");

export function runAutomaton(
  text: string,
  flags: AutomatonFlags,
  terminal: Terminal,
  argv: readonly string[],
): number {
  refuseContradictions(flags, argv);
  const parsed = parseLtl(text);
  if ("diagnostics" in parsed) return reportMistakes(parsed.diagnostics, text, flags, terminal);
  const formula = flags.negate ? negate(parsed.formula) : parsed.formula;
  try {
    const automaton = automatonOf(formula, parsed.propositions, flags);
    terminal.stdout.write(
      render(automaton, formula, flags, palette(hasColor("auto", terminal.stdout, terminal.env))),
    );
    return Exit.holds;
  } catch (error) {
    if (!(error instanceof AutomatonTooLarge)) throw error;
    const span = { file: "formula", start: 0, end: text.length };
    const { message } = error;
    return reportMistakes(
      [{ code: "ltl/too-large", severity: "error", message, span }],
      text,
      flags,
      terminal,
    );
  }
}

function refuseContradictions(flags: AutomatonFlags, argv: readonly string[]): void {
  const formats = (["dot", "svg", "never", "hoa", "tgba", "json"] as const).filter((name) => flags[name]);
  if (formats.length > 1)
    throw usageError(
      argv,
      "one-format",
      `--${formats[0]} and --${formats[1]} are two formats; one is printed`,
      `--${formats[1]}`,
    );
  if (flags.exact && (flags.buchi || flags.never))
    throw usageError(
      argv,
      "exact-buchi",
      "--exact is the plain translation, not a Büchi automaton",
      "--exact",
      "leave out --exact, or --buchi and --never",
    );
}

function automatonOf(formula: Formula, propositions: readonly string[], flags: AutomatonFlags): Automaton {
  if (flags.buchi || flags.never) return translateToBuchi(formula, propositions);
  return translate(formula, propositions, { exact: flags.exact ?? false });
}

function render(automaton: Automaton, formula: Formula, flags: AutomatonFlags, colors: Palette): string {
  const title = format(formula, automaton.propositions);
  if (flags.dot) return renderDot(automaton, title);
  if (flags.svg) return renderSvg(automaton, title);
  if (flags.never) return renderNeverClaim(automaton, title);
  if (flags.hoa) return renderHoa(automaton, title);
  if (flags.tgba) return renderTgba(automaton);
  if (flags.json) return `${JSON.stringify(automatonJson(automaton, formula), null, 2)}\n`;
  return renderText(automaton, formula, colors);
}

/** Output of `automaton --json`. */
export interface AutomatonJson {
  readonly formula: string;
  readonly stutterInvariant: boolean;
  readonly propositions: readonly string[];
  /** The number of acceptance conditions. */
  readonly conditions: number;
  readonly initial: number;
  readonly stats: { readonly states: number; readonly edges: number };
  /** The edges of each state. */
  readonly states: readonly (readonly AutomatonEdgeJson[])[];
}

export interface AutomatonEdgeJson {
  readonly guard: string;
  readonly marks: readonly number[];
  readonly to: number;
}

const automatonJson = (automaton: Automaton, formula: Formula): AutomatonJson => ({
  formula: format(formula, automaton.propositions),
  stutterInvariant: isStutterInvariant(formula),
  propositions: automaton.propositions,
  conditions: automaton.conditions,
  initial: automaton.initial,
  stats: { states: automaton.states.length, edges: edgeCount(automaton) },
  states: automaton.states.map((edges) =>
    edges.map(({ guard, marks, to }) => ({
      guard: renderGuard(guard, plainNotation(automaton.propositions)),
      marks: marksOf(marks),
      to,
    })),
  ),
});

function renderText(automaton: Automaton, formula: Formula, colors: Palette): string {
  const { states, conditions, initial, propositions } = automaton;
  const sizes = [
    counted(states.length, "state"),
    counted(edgeCount(automaton), "edge"),
    counted(conditions, "acceptance condition"),
  ];
  const guards = states.map((edges) =>
    edges.map(({ guard }) => renderGuard(guard, plainNotation(propositions))),
  );
  const width = Math.min(40, Math.max(0, ...guards.flat().map((guard) => guard.length)));
  const lines = states.flatMap((edges, state) => [
    colors.bold(`state ${state}${state === initial ? ", initial" : ""}`),
    ...edges.map(({ marks, to }, i) => {
      const seen = marks === 0 ? "" : colors.good(`  {${marksOf(marks).join(" ")}}`);
      return `  ${nth(nth(guards, state), i).padEnd(width)}  -> ${to}${seen}`;
    }),
  ]);
  const invariant = isStutterInvariant(formula) ? "stutter invariant" : "not stutter invariant";
  return [
    colors.bold(format(formula, propositions)),
    `${sizes.join(", ")}; ${invariant}`,
    "",
    ...lines,
    "",
  ].join("\n");
}

function reportMistakes(
  diagnostics: readonly Diagnostic[],
  text: string,
  flags: AutomatonFlags,
  { stdout, stderr, env }: Terminal,
): number {
  const sources = new Sources();
  sources.add("formula", text);
  if (flags.json)
    stdout.write(`${JSON.stringify(checkJson(nothingChecked("", "", diagnostics, sources)), null, 2)}\n`);
  else stderr.write(renderDiagnostics(diagnostics, sources, palette(hasColor("auto", stderr, env))));
  return Exit.badInput;
}
