/**
 * Message-passing programs (`.mpp`): principals that exchange messages over unbounded, unordered channels.
 *
 * In: text. Out: a `MessageProgram` or diagnostics. `lexer.ts` and `grammar.ts` parse (policies with the grammar shared
 * with Promela, in `toolkit/provenance`), `scope.ts` resolves names, `flow.ts` builds the control-flow graphs.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import type { MessageProgram, Principal } from "../../model/messages.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import { resolveProperty } from "../toolkit/provenance/resolve.js";
import type { Declaration } from "./ast.js";
import { buildFlow } from "./flow.js";
import { MppGrammar } from "./grammar.js";
import { lex } from "./lexer.js";
import { ProgramScope } from "./scope.js";

export { programOfNet } from "./from-net.js";

export interface LoadedMpp {
  /** Absent if a diagnostic is an error. */
  readonly program: MessageProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadMpp(file: string, text: string): LoadedMpp {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const tokens = lex(file, text, report);
  const end: Span = { file, start: text.length, end: text.length };
  const declarations = grammar().parseProgram(tokens, end, report);
  if (hasErrors(found)) return { program: undefined, diagnostics: inTextOrder(found) };
  const scope = new ProgramScope(declarations, ({ start, end: stop }) => text.slice(start, stop), report);
  const program = lower(declarations, scope, end);
  const diagnostics = inTextOrder(found);
  return { program: hasErrors(diagnostics) ? undefined : program, diagnostics };
}

function lower(declarations: readonly Declaration[], scope: ProgramScope, end: Span): MessageProgram {
  const nodes = declarations.filter((declaration) => declaration.kind === "principal");
  const flows = nodes.map((node) => buildFlow(node, scope));
  const spawned = new Set(
    flows.flat(2).flatMap(({ action }) => (action.kind === "spawn" ? [action.principal] : [])),
  );
  const principals = nodes.map(({ name, span, variables }, index): Principal => ({
    name: name.text,
    span,
    isSpawned: spawned.has(index),
    variables: variables.map((variable) => variable.text),
    locations: nth(flows, index),
  }));
  if (principals.every(({ isSpawned }) => isSpawned))
    scope.error(
      "nobody-starts",
      nodes[0]?.span ?? end,
      nodes.length === 0
        ? "there is no principal"
        : "every principal is spawned by another, so none runs initially",
      "a principal that no `spawn` names runs from the start on",
    );
  const properties = declarations
    .filter((declaration) => declaration.kind === "property")
    .flatMap((node) => resolveProperty(node, scope) ?? []);
  for (const { principal, when, span } of properties)
    if (when && when.principal !== principal && (spawned.has(when.principal) || spawned.has(principal)))
      scope.error(
        "when-of-spawned",
        span!,
        "`when` cannot relate a spawned principal to another one",
        "use a variable of the same principal",
      );
  const { messages, channels, operations, domain, tests } = scope;
  return { messages, channels, operations, principals, domain, tests, properties };
}

let shared: MppGrammar | undefined;

/** Constructed on first use and kept: construction takes longer than parsing. */
const grammar = (): MppGrammar => (shared ??= new MppGrammar());
