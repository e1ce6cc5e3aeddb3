/**
 * A generated Promela program as a tree of statements: enough structure to print and to minimise it without breaking
 * brackets. Simple statements are text.
 */
export interface Program {
  /** Declarations, macros, inlines, typedefs: one each. */
  readonly globals: readonly string[];
  readonly proctypes: readonly Proctype[];
}

export interface Proctype {
  /** `active proctype P()`, `init`. */
  readonly head: string;
  readonly locals: readonly string[];
  readonly body: readonly Statement[];
}

export type Statement =
  | { readonly kind: "line"; readonly text: string; readonly label?: string | undefined }
  /** `atomic`, `d_step`, `for (…)`. */
  | {
      readonly kind: "block";
      readonly head: string;
      readonly body: readonly Statement[];
      readonly label?: string | undefined;
    }
  | {
      readonly kind: "choice";
      readonly keyword: "if" | "do";
      readonly options: readonly (readonly Statement[])[];
      readonly label?: string | undefined;
    }
  | {
      readonly kind: "unless";
      readonly main: readonly Statement[];
      readonly escape: readonly Statement[];
      readonly label?: string | undefined;
    };

export const line = (text: string): Statement => ({ kind: "line", text });

export function renderProgram(program: Program): string {
  const proctypes = program.proctypes.map(
    ({ head, locals, body }) =>
      `${head} {\n${[...locals.map((local) => `\t${local};`), ...renderAll(body, 1)].join("\n")}\n}`,
  );
  return [...program.globals, ...proctypes].join("\n") + "\n";
}

/** All programs that are one step smaller, largest reductions first. */
export function* smallerPrograms(program: Program): Generator<Program> {
  for (const proctypes of smallerLists(program.proctypes, smallerProctypes)) yield { ...program, proctypes };
  for (const globals of smallerLists(program.globals)) yield { ...program, globals };
}

function* smallerProctypes(proctype: Proctype): Generator<readonly Proctype[]> {
  for (const body of smallerLists(proctype.body, smallerStatements))
    if (body.length > 0) yield [{ ...proctype, body }];
  for (const locals of smallerLists(proctype.locals)) yield [{ ...proctype, locals }];
  const plain = proctype.head
    .replace(/ (priority \d+|provided \(.*\))/g, "")
    .replace(/active \[\d\]/, "active");
  if (plain !== proctype.head) yield [{ ...proctype, head: plain }];
}

function* smallerStatements(statement: Statement): Generator<readonly Statement[]> {
  if (statement.label) yield [{ ...statement, label: undefined }];
  switch (statement.kind) {
    case "line":
      if (statement.text !== "skip") yield [{ ...statement, text: "skip" }];
      return;
    case "block":
      yield statement.body;
      for (const body of smallerLists(statement.body, smallerStatements))
        if (body.length > 0) yield [{ ...statement, body }];
      return;
    case "choice":
      yield* statement.options;
      for (const options of smallerLists(statement.options, smallerOptions))
        if (options.length > 0) yield [{ ...statement, options }];
      return;
    case "unless":
      yield statement.main;
      yield statement.escape;
      for (const main of smallerLists(statement.main, smallerStatements))
        if (main.length > 0) yield [{ ...statement, main }];
      for (const escape of smallerLists(statement.escape, smallerStatements))
        if (escape.length > 0) yield [{ ...statement, escape }];
      return;
  }
}

function* smallerOptions(option: readonly Statement[]): Generator<readonly (readonly Statement[])[]> {
  for (const smaller of smallerLists(option, smallerStatements)) if (smaller.length > 0) yield [smaller];
}

/** The list without a run of its items (long runs first), then with one item replaced by a smaller one. */
function* smallerLists<T>(
  list: readonly T[],
  smallerItems?: (item: T) => Iterable<readonly T[]>,
): Generator<readonly T[]> {
  for (let size = list.length; size >= 1; size = size >> 1)
    for (let start = 0; start + size <= list.length; start += size)
      yield [...list.slice(0, start), ...list.slice(start + size)];
  if (!smallerItems) return;
  for (const [index, item] of list.entries())
    for (const smaller of smallerItems(item))
      yield [...list.slice(0, index), ...smaller, ...list.slice(index + 1)];
}

const renderAll = (statements: readonly Statement[], depth: number): string[] =>
  statements.flatMap((statement) => renderStatement(statement, depth));

function renderStatement(statement: Statement, depth: number): string[] {
  const indent = "\t".repeat(depth);
  const label = statement.label ? `${statement.label}: ` : "";
  const [first, ...rest] = renderUnlabelled(statement, indent, depth);
  return [indent + label + first!, ...rest];
}

function renderUnlabelled(statement: Statement, indent: string, depth: number): string[] {
  switch (statement.kind) {
    case "line":
      return [`${statement.text};`];
    case "block":
      return [`${statement.head} {`, ...renderAll(statement.body, depth + 1), `${indent}};`];
    case "choice":
      return [
        statement.keyword,
        ...statement.options.flatMap((option) => renderOption(option, depth)),
        `${indent}${statement.keyword === "if" ? "fi" : "od"};`,
      ];
    case "unless":
      return [
        "{",
        ...renderAll(statement.main, depth + 1),
        `${indent}} unless {`,
        ...renderAll(statement.escape, depth + 1),
        `${indent}};`,
      ];
  }
}

function renderOption(option: readonly Statement[], depth: number): string[] {
  const [first, ...rest] = renderAll(option, depth + 1);
  return [`${"\t".repeat(depth)}:: ${first!.trimStart()}`, ...rest];
}
