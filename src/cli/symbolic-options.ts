/** Options of engines that use a solver or compose parts. */
import { Option, type Command } from "commander";
import { basicEquivalences } from "../engines/lts/relations.js";
import { CONCOLIC_STRATEGIES } from "../engines/programs/concolic/options.js";
import type { CheckOptions } from "../session/index.js";
import { count, oneOf } from "./values.js";

type Symbolic = Pick<
  CheckOptions,
  | "solver"
  | "dumpSmt"
  | "explore"
  | "model"
  | "draws"
  | "closure"
  | "refineFrom"
  | "refineAtoms"
  | "fixpoint"
  | "unwind"
  | "strategy"
  | "relation"
  | "hierarchy"
  | "rule"
  | "order"
  | "alphabet"
  | "wantsAssumptions"
>;

export interface SymbolicFlags extends Symbolic {
  readonly assumptions?: string;
  readonly dot?: string;
  readonly emitPromela?: string;
  readonly certifyLaws?: string;
  readonly emitSeq?: string;
}

export const addSymbolicOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--solver <name>",
        "auto (the default: a native Z3, else the embedded one), z3 (embedded), native, cvc5, or all, which must agree",
      ).argParser(oneOf("--solver", ["auto", "z3", "native", "cvc5", "all"])),
    )
    .option("--dump-smt <dir>", "write the queries that reach a solver to this folder, in SMT-LIB")
    .addOption(
      new Option(
        "--explore <mode>",
        "guarded commands: path, path-memo, concrete-cache or subsume; how paths are pruned",
      ).argParser(oneOf("--explore", ["path", "path-memo", "concrete-cache", "subsume"])),
    )
    .addOption(
      new Option(
        "--model <name>",
        "guarded commands: list the abstract states of ase, weak or must for the predicates of the text alone",
      ).argParser(oneOf("--model", ["ase", "weak", "must"])),
    )
    .option("--dot <file>", "guarded commands: write the abstract states, for Graphviz")
    .addOption(
      new Option(
        "--closure <check>",
        "guarded commands: trap (the default) or printed; how a proof is found",
      ).argParser(oneOf("--closure", ["trap", "printed"])),
    )
    .addOption(
      new Option(
        "--refine-from <edges>",
        "guarded commands: loop (the default) or all; edges that give predicates",
      ).argParser(oneOf("--refine-from", ["loop", "all"])),
    )
    .addOption(
      new Option(
        "--refine-atoms <atoms>",
        "guarded commands: needed (the default) or all; atoms that become predicates",
      ).argParser(oneOf("--refine-atoms", ["needed", "all"])),
    )
    .addOption(
      new Option(
        "--fixpoint <method>",
        "Boolean programs: qbf (the default), bdd or sat-enum; how covered states are recognised",
      ).argParser(oneOf("--fixpoint", ["qbf", "bdd", "sat-enum"])),
    )
    .option(
      "--unwind <n>",
      "C, bounded model checking: most rounds of a loop; default: unbounded",
      count("--unwind"),
    )
    .addOption(
      new Option(
        "--strategy <name>",
        `C, governed regions: ${CONCOLIC_STRATEGIES.join(", ")}; which run comes next (default: idfs)`,
      ).argParser(oneOf("--strategy", CONCOLIC_STRATEGIES)),
    )
    .addOption(
      new Option(
        "--relation <name>",
        "compositions: minimise by strong, divergence-branching, branching or weak; one that changes an answer is refused",
      ).argParser(oneOf("--relation", basicEquivalences)),
    )
    .addOption(
      new Option(
        "--rule <name>",
        "learned assumptions: asym (the default), sym or circ; which premises prove a property",
      ).argParser(oneOf("--rule", ["asym", "sym", "circ"])),
    )
    .addOption(
      new Option(
        "--order <name>",
        "learned assumptions: property (the default), interface or given; which part comes first",
      ).argParser(oneOf("--order", ["property", "interface", "given"])),
    )
    .addOption(
      new Option(
        "--alphabet <which>",
        "learned assumptions: interface (the default), or refined: only actions that counterexamples need",
      ).argParser(oneOf("--alphabet", ["interface", "refined"])),
    )
    .option("--assumptions <file>", "learned assumptions: write them as .fsp, .aut, .dot, .svg or .json")
    .option("--hierarchy <file>", "compositions: the order of parts, in JSON; otherwise chosen greedily")
    .option("--emit-promela <file>", "Boolean programs, χ: write the program in Promela")
    .option("--certify-laws <file>", "χ: write the normal form, and each law on the way to it, compared")
    .option("--emit-seq <file>", "task programs in C: write the sequential program");

export const symbolicOptions = ({
  solver,
  dumpSmt,
  explore,
  model,
  dot,
  html,
  closure,
  refineFrom,
  refineAtoms,
  fixpoint,
  unwind,
  strategy,
  relation,
  hierarchy,
  rule,
  order,
  alphabet,
  assumptions,
}: SymbolicFlags & { readonly html?: string }): Symbolic => ({
  ...(solver ? { solver } : {}),
  ...(dumpSmt === undefined ? {} : { dumpSmt }),
  ...(explore ? { explore } : {}),
  ...(model ? { model } : {}),
  ...(dot !== undefined ? { draws: "file" } : html !== undefined ? { draws: "page" } : {}),
  ...(closure ? { closure } : {}),
  ...(refineFrom ? { refineFrom } : {}),
  ...(refineAtoms ? { refineAtoms } : {}),
  ...(fixpoint ? { fixpoint } : {}),
  ...(unwind === undefined ? {} : { unwind }),
  ...(strategy === undefined ? {} : { strategy }),
  ...(relation === undefined ? {} : { relation }),
  ...(hierarchy === undefined ? {} : { hierarchy }),
  ...(rule === undefined ? {} : { rule }),
  ...(order === undefined ? {} : { order }),
  ...(alphabet === undefined ? {} : { alphabet }),
  ...(assumptions === undefined ? {} : { wantsAssumptions: true }),
});
