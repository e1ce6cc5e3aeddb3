/**
 * Recursively parallel programs (`.rpp`): tasks that post tasks and wait for the first to return. Is an error
 * reachable?
 *
 * In: text. Out: a `Bvas` whose target is the failure of the main task, or diagnostics. `syntax.ts` parses, `graph.ts`
 * builds a graph of each task, `lower.ts` the system.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import type { Bvas } from "../../model/bvas.js";
import { errorsTo, inTextOrder, type Report } from "../toolkit/diagnostics.js";
import { stemOf } from "../toolkit/names.js";
import { scan } from "../toolkit/scan.js";
import { graphOf, type TaskGraph } from "./graph.js";
import { lowerTasks } from "./lower.js";
import type { Named } from "../toolkit/source-parser.js";
import { grammar, type ParallelProgram, type Statement } from "./syntax.js";
import { SCAN_RULES } from "./vocabulary.js";

export interface LoadedRpp {
  /** Absent if a diagnostic is an error. */
  readonly bvas: Bvas | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadRpp(file: string, text: string): LoadedRpp {
  const scanned = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const tooDeep = nesting(scanned.tokens);
  if (tooDeep) return { bvas: undefined, diagnostics: [tooDeep] };
  const program = grammar().parseProgram(scanned.tokens, scanned.end, report);
  if (!program || hasErrors(diagnostics)) return { bvas: undefined, diagnostics: inTextOrder(diagnostics) };
  resolve(program, scanned.end, report);
  const graphs = program.tasks.map((task) => graphOf(task, report));
  const main = graphs.find(({ name }) => name === program.main?.name);
  if (!main || hasErrors(diagnostics)) return { bvas: undefined, diagnostics: inTextOrder(diagnostics) };
  for (const graph of graphs) unhandled(graph, graphs, report);
  return { bvas: lowerTasks(stemOf(file), graphs, main), diagnostics: inTextOrder(diagnostics) };
}

function resolve(program: ParallelProgram, end: Span, report: Report): void {
  const error = errorsTo(report);
  const names = new Set<string>();
  for (const { name, span } of program.tasks) {
    if (names.has(name)) error("rpp/duplicate-task", span, `there is a task \`${name}\` already`);
    names.add(name);
  }
  const known = ({ name, span }: Named): void => {
    if (!names.has(name)) error("rpp/unknown-task", span, `there is no task \`${name}\``);
  };
  if (program.main) known(program.main);
  else error("rpp/no-main", end, "which task is the main one?", "end the file with main NAME;");
  for (const { body } of program.tasks)
    for (const statement of within(body)) if (statement.kind === "post") known(statement.task);
}

function within(statements: readonly Statement[]): Statement[] {
  return statements.flatMap((statement) => {
    switch (statement.kind) {
      case "choose":
        return [statement, ...statement.branches.flatMap(within)];
      case "loop":
        return [statement, ...within(statement.body)];
      case "ewait":
        return [statement, ...statement.branches.flatMap(({ body }) => within(body))];
      default:
        return [statement];
    }
  });
}

/** Warns of values without a branch: the task would wait forever. */
function unhandled({ waits, name }: TaskGraph, graphs: readonly TaskGraph[], report: Report): void {
  for (const { region, span, branches, otherwise } of waits) {
    if (otherwise !== undefined) continue;
    const posts = graphs.flatMap(({ edges }) => edges.flatMap((edge) => edge.posts ?? []));
    const children = new Set(posts.filter((post) => post.region === region).map((post) => post.task));
    const values = graphs
      .filter((graph) => children.has(graph.name))
      .flatMap((graph) => graph.returns.map(({ value }) => value));
    const missing = [...new Set(values)].filter((value) => !branches.has(value));
    if (missing.length > 0)
      report({
        code: "rpp/unhandled-value",
        severity: "warning",
        message: `\`${name}\` stops here when it gets ${missing.map((value) => `\`${value}\``).join(" or ")}`,
        span,
        hint: "a branch `on *:` is for every value that has none",
      });
  }
}

/** Refuses nesting that would overflow the stack. */
function nesting(tokens: readonly { readonly image: string; readonly span: Span }[]): Diagnostic | undefined {
  let depth = 0;
  for (const { image, span } of tokens) {
    if (image === "{" && ++depth > DEEPEST)
      return {
        code: "rpp/too-deep",
        severity: "error",
        message: `blocks are nested more than ${DEEPEST} deep`,
        span,
      };
    if (image === "}") depth--;
  }
  return undefined;
}

const DEEPEST = 200;
