/**
 * Lowers the syntax tree to a `BooleanProgram`: inlines calls, unfolds `if`, `while` and `assert`, spreads `enforce`.
 *
 * Statements are lowered backwards: each receives the location that follows it. Every expression is evaluated once by the step that
 * uses it, so the branches of `if (*)` share one choice.
 */
import type { BooleanProgram, BooleanProperty } from "../../model/boolean.js";
import { PropertyNames } from "../../model/verdict.js";
import { nth } from "../../model/known.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { FunctionTree, Initial, Named, Source, ThreadTree } from "./ast.js";
import { declareAll, type Declarations } from "./declarations.js";
import { finished, type Finished } from "./flow.js";
import { Scope } from "./scope.js";
import { ThreadLowering } from "./statements.js";

export interface LowerOptions {
  /** Values of variables without an initial value. */
  readonly defaultInitial: Initial;
  /** Questions such as `T:cs,U:cs`. */
  readonly targets: readonly { readonly text: string; readonly span: Named["span"] }[];
}

export function lower(
  name: string,
  text: string,
  source: Source,
  options: LowerOptions,
  error: ReportError,
): BooleanProgram {
  const functions = new Map<string, FunctionTree>();
  for (const each of source.functions) {
    if (functions.has(each.name))
      error("bp/duplicate-name", each.span, `the function \`${each.name}\` is declared twice`);
    functions.set(each.name, each);
  }
  const declarations: Declarations = {
    error,
    text,
    functions,
    variables: [],
    taken: new Map(),
    called: new Set(),
    defaultInitial: options.defaultInitial,
  };
  const globals = new Scope(error);
  for (const tree of source.variables) declareAll(tree, globals, declarations, undefined, "");
  const threads = threadsOf(source, declarations).flatMap(({ tree, count }, declaration) =>
    Array.from({ length: count }, (_, instance) => {
      const own = count > 1 || tree.count > 1 ? `${tree.name}[${instance}]` : tree.name;
      return { declaration, name: own, tree };
    }),
  );
  const lowered = threads.map(({ declaration, name: own, tree }, number) => {
    const lowering = new ThreadLowering(declarations, globals, number, own);
    return { name: own, declaration, span: tree.span, ...finished(lowering.lower(tree), error) };
  });
  // Errors in functions that no thread calls are errors as well.
  for (const each of source.functions)
    if (!declarations.called.has(each.name))
      new ThreadLowering({ ...declarations, variables: [] }, globals, 0, each.name).inspect(each);
  return {
    name,
    variables: declarations.variables,
    threads: lowered.map(({ name: own, declaration, span, locations }) => ({
      name: own,
      declaration,
      span,
      locations,
    })),
    properties: propertiesOf(lowered, options.targets, error),
  };
}

/** The declared threads; without any, the function `main` is the only one. */
function threadsOf(
  { threads }: Source,
  { functions, error }: Declarations,
): { readonly tree: ThreadTree; readonly count: number }[] {
  const main = functions.get("main");
  if (threads.length === 0 && main) return [{ tree: { ...main, count: 1, body: main }, count: 1 }];
  const names = new Set<string>();
  return threads.flatMap((tree) => {
    if (names.has(tree.name))
      error("bp/duplicate-name", tree.span, `the thread \`${tree.name}\` is declared twice`);
    names.add(tree.name);
    if (tree.count < 1 || tree.count > MOST_INSTANCES) {
      error("bp/instances", tree.span, `a thread has 1 to ${MOST_INSTANCES} instances, not ${tree.count}`);
      return [];
    }
    return [{ tree, count: tree.count }];
  });
}

const MOST_INSTANCES = 64;

type Lowered = Finished & { readonly name: string; readonly declaration: number };

function propertiesOf(
  threads: readonly Lowered[],
  targets: LowerOptions["targets"],
  error: ReportError,
): BooleanProperty[] {
  const places = (isWanted: (location: Finished["locations"][number]) => boolean): BooleanProperty["bad"] =>
    threads.flatMap(({ locations }, thread) =>
      locations.flatMap((location, number) => (isWanted(location) ? [[{ thread, location: number }]] : [])),
    );
  const names = new PropertyNames();
  const found: BooleanProperty[] = [];
  if (threads.some(({ hasAssertions }) => hasAssertions))
    found.push({
      name: "assertions",
      kind: "assertion",
      span: undefined,
      bad: places(({ failed }) => failed !== undefined),
    });
  const errors = threads.flatMap(({ labels }) => labels.get(ERROR) ?? []);
  if (errors.length > 0)
    found.push({
      name: names.take(ERROR),
      kind: "invariant",
      span: nth(errors, 0).span,
      bad: places(({ labels }) => labels.includes(ERROR)),
    });
  for (const { text, span } of targets) {
    const bad = targetOf(text, span, threads, error);
    found.push({ name: names.take(text), kind: "invariant", span, bad });
  }
  return found;
}

const ERROR = "ERROR";

/** `T:label`, or several with commas, which threads reach together. */
function targetOf(
  text: string,
  span: Named["span"],
  threads: readonly Lowered[],
  error: ReportError,
): BooleanProperty["bad"] {
  const parts = text.split(",").map((part) => {
    const [, name = "", label = ""] = /^\s*([\w[\]]+)\s*:\s*(\w+)\s*$/.exec(part) ?? [];
    const number = threads.findIndex((thread) => thread.name === name);
    const thread = threads[number];
    if (!thread) {
      const names = threads.map((each) => each.name);
      const what = name === "" ? `\`${part}\` is no target` : `there is no thread \`${name}\``;
      error("bp/bad-target", span, what, suggest(name, names) ?? "write THREAD:LABEL");
      return [];
    }
    if (!thread.labels.has(label))
      error(
        "bp/bad-target",
        span,
        `the thread \`${name}\` has no label \`${label}\``,
        suggest(label, [...thread.labels.keys()]),
      );
    return thread.locations.flatMap(({ labels }, location) =>
      labels.includes(label) ? [{ thread: number, location }] : [],
    );
  });
  return parts.reduce<BooleanProperty["bad"]>(
    (so, places) => so.flatMap((before) => places.map((place) => [...before, place])),
    [[]],
  );
}
