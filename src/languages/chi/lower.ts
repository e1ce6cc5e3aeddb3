/** Resolves names, types expressions and expands process definitions. */
import {
  INTEGER,
  chiDefault,
  type ChiChannel,
  type ChiExpr,
  type ChiTerm,
  type ChiType,
  type ChiValue,
  type ChiVariable,
} from "../../model/chi.js";
import type { Span } from "../../model/diagnostic.js";
import type { FormalTree, Item, Named, ProcessTree, Source, Tree, VariablesTree } from "./ast.js";
import { assignable, constantValue, expected, typed } from "./expressions.js";
import type { Names } from "./scope.js";
import { CALLED, called, declareValues, isCompatible, typeOf, type Meaning } from "./scope.js";

export interface Lowered {
  readonly globals: readonly ChiVariable[];
  readonly channels: readonly ChiChannel[];
  readonly system: ChiTerm | undefined;
}

/** More terms would come from definitions that call each other twice at every level. */
const MOST_TERMS = 50_000;

/** `overrides`: values of constants by `-D`. */
export function lower(source: Source, names: Names, overrides: ReadonlyMap<string, string>): Lowered {
  const globals: ChiVariable[] = [];
  const channels: ChiChannel[] = [];
  for (const item of source.items) declareItem(item, names, overrides, globals, channels);
  const systems = source.items.flatMap((item) => (item.kind === "system" ? [item] : []));
  const [system, ...others] = systems;
  for (const { span } of others) names.error("chi/declared-twice", span, "there is a second system");
  const expander = new Expander(
    names,
    globals.map(({ name }) => name),
  );
  // Definitions that nothing calls are also checked.
  const isOk = source.items
    .flatMap((item) => (item.kind === "proc" ? [new Expander(names, []).isWellDefined(item)] : []))
    .every(Boolean);
  return { globals, channels, system: system && isOk ? expander.term(system.body, names) : undefined };
}

function declareItem(
  item: Item,
  names: Names,
  overrides: ReadonlyMap<string, string>,
  globals: ChiVariable[],
  channels: ChiChannel[],
): void {
  const integer = (tree: Tree): number | undefined => constantValue(tree, INTEGER, names)?.[0];
  switch (item.kind) {
    case "const": {
      const given = overrides.get(item.name);
      const found = typed(item.value, names);
      const value = found && constantValue(item.value, found.type, names);
      if (!found || !value) return;
      names.declare(item, {
        kind: "constant",
        value: given === undefined ? value : [Number(given)],
        type: found.type,
      });
      return;
    }
    case "type": {
      declareValues(item.type, names);
      const type = typeOf(item.type, names, integer);
      if (type) names.declare(item, { kind: "type", type });
      return;
    }
    case "var":
      globals.push(...declareVariables(item, names, (name) => name));
      return;
    case "chan": {
      if (item.type) declareValues(item.type, names);
      const type: ChiType | undefined = item.type ? typeOf(item.type, names, integer) : { kind: "unit" };
      for (const name of item.names) {
        if (!type) continue;
        const channel = { name: name.name, type, span: name.span };
        channels.push(channel);
        names.declare(name, { kind: "channel", channel });
      }
      return;
    }
    case "proc":
      names.declare(item, { kind: "process", item });
      return;
    case "system":
    case "check":
      return;
  }
}

/** `unique`: renames a variable apart from all others. */
function declareVariables(
  { names: all, type: tree, initial }: VariablesTree,
  names: Names,
  unique: (name: string) => string,
): ChiVariable[] {
  declareValues(tree, names);
  const type = typeOf(tree, names, (size) => constantValue(size, INTEGER, names)?.[0]);
  if (!type) return [];
  const value: ChiValue | undefined = initial ? constantValue(initial, type, names) : chiDefault(type);
  return all.map((name) => {
    const own = unique(name.name);
    names.declare(name, {
      kind: "variable",
      place: { kind: "place", name: own, path: [], type, span: name.span },
    });
    return { name: own, type, initial: value ?? chiDefault(type), span: name.span };
  });
}

class Expander {
  readonly #globals: Names;
  readonly #taken: Set<string>;
  /** Definitions that are being expanded. */
  readonly #active: string[] = [];
  #count = 0;

  constructor(globals: Names, taken: readonly string[]) {
    this.#globals = globals;
    this.#taken = new Set(taken);
  }

  /** Reports calls of a definition by itself, through others or not. */
  isWellDefined(item: Extract<Item, { kind: "proc" }>): boolean {
    const cycle = this.#cycleFrom(item, [item.name]);
    if (!cycle) return this.#isTyped(item);
    const how = `${cycle.names.join(" calls ")}`;
    this.#globals.error(
      "chi/recursive",
      cycle.span,
      `${how}: process definitions are not recursive`,
      "repeat with `*`",
    );
    return false;
  }

  /** Types the body with a variable for each parameter. */
  #isTyped({ formals, body }: Extract<Item, { kind: "proc" }>): boolean {
    const inner = this.#globals.inner();
    for (const formal of formals) {
      const { name, span } = formal;
      const type = typeOf(
        formal.type,
        this.#globals,
        (size) => constantValue(size, INTEGER, this.#globals)?.[0],
      );
      if (!type) return false;
      const place = { kind: "place", name, path: [], type, span } as const;
      inner.declare(
        formal,
        formal.isChannel ? { kind: "channel", channel: { name, type, span } } : { kind: "variable", place },
      );
    }
    return this.term(body, inner) !== undefined;
  }

  #cycleFrom(
    item: Extract<Item, { kind: "proc" }>,
    path: readonly string[],
  ): { readonly names: readonly string[]; readonly span: Span } | undefined {
    for (const { name, span } of callsIn(item.body)) {
      if (name === path[0]) return { names: [...path, name], span };
      if (path.includes(name)) continue;
      const found = this.#globals.find(name);
      const inner = found?.kind === "process" ? this.#cycleFrom(found.item, [...path, name]) : undefined;
      if (inner) return inner;
    }
    return undefined;
  }

  term(tree: ProcessTree, names: Names): ChiTerm | undefined {
    if (++this.#count > MOST_TERMS) {
      if (this.#count === MOST_TERMS + 1)
        names.error("chi/too-large", tree.span, `the expanded system has more than ${MOST_TERMS} terms`);
      return undefined;
    }
    const { span } = tree;
    switch (tree.kind) {
      case "eps":
      case "delta":
        return { kind: tree.kind };
      case "skip":
        return { kind: "skip", span };
      case "assign": {
        const to = assignable(tree.to, names);
        const value = to ? expected(tree.value, to.type, names) : (typed(tree.value, names), undefined);
        return to && value && { kind: "assign", to, value, span };
      }
      case "send":
      case "receive":
        return this.#communication(tree, names);
      case "guard": {
        const when = expected(tree.when, { kind: "bool" }, names);
        const then = this.term(tree.then, names);
        return when && then && { kind: "guard", when, then };
      }
      case "seq":
      case "alt":
      case "par":
        return this.#operator(tree, names);
      case "star": {
        const body = this.term(tree.body, names);
        return body && { kind: "star", body };
      }
      case "encap": {
        const body = this.term(tree.body, names);
        return body && { kind: "encap", body };
      }
      case "scope": {
        const inner = names.inner();
        const variables = tree.variables.flatMap((all) =>
          declareVariables(all, inner, (name) => this.#unique(name)),
        );
        const body = this.term(tree.body, inner);
        return body && { kind: "scope", variables, body };
      }
      case "call":
        return this.#call(tree, names);
    }
  }

  #operator(tree: Extract<ProcessTree, { kind: "seq" | "alt" | "par" }>, names: Names): ChiTerm | undefined {
    const left = this.term(tree.left, names);
    const right = this.term(tree.right, names);
    if (!left || !right) return undefined;
    return tree.kind === "seq" ? { kind: "seq", first: left, then: right } : { kind: tree.kind, left, right };
  }

  #unique(name: string): string {
    let own = name;
    for (let n = 2; this.#taken.has(own); n++) own = `${name}_${n}`;
    this.#taken.add(own);
    return own;
  }

  #communication(
    tree: Extract<ProcessTree, { kind: "send" | "receive" }>,
    names: Names,
  ): ChiTerm | undefined {
    const { span } = tree;
    const channel = channelOf(tree.channel, names);
    if (!channel) return undefined;
    const { type } = channel;
    const data = tree.kind === "send" ? tree.value : tree.to;
    if ((type.kind === "unit") !== (data === undefined)) {
      const why = data ? "carries no data" : `carries ${called(type)}`;
      names.error("chi/type", span, `channel '${tree.channel.name}' ${why}`);
      return undefined;
    }
    if (tree.kind === "send") {
      const value = tree.value && expected(tree.value, type, names);
      return tree.value && !value ? undefined : { kind: "send", channel: channel.name, value, span };
    }
    const to = tree.to && assignable(tree.to, names);
    if (tree.to && !to) return undefined;
    if (to && !isCompatible(to.type, type)) {
      names.error(
        "chi/type",
        to.span,
        `channel '${tree.channel.name}' carries ${called(type)}, not ${called(to.type)}`,
      );
      return undefined;
    }
    return { kind: "receive", channel: channel.name, to, span };
  }

  #call(tree: Extract<ProcessTree, { kind: "call" }>, names: Names): ChiTerm | undefined {
    const found = names.resolve(tree.name);
    if (!found) return undefined;
    const { name, span } = tree.name;
    if (found.kind !== "process") {
      names.error("chi/type", span, `'${name}' is ${CALLED[found.kind]}, not a process`);
      return undefined;
    }
    const { item } = found;
    if (item.formals.length !== tree.of.length) {
      const wanted = item.formals.length === 1 ? "one argument" : `${item.formals.length} arguments`;
      names.error("chi/arguments", tree.span, `'${name}' takes ${wanted}, not ${tree.of.length}`);
      return undefined;
    }
    if (this.#active.includes(name)) return undefined; // `isWellDefined` reports it
    const inner = this.#globals.inner();
    const isBound = item.formals
      .map((formal, i) => this.#bind(formal, tree.of[i], names, inner))
      .every(Boolean);
    this.#active.push(name);
    const term = isBound ? this.term(item.body, inner) : undefined;
    this.#active.pop();
    return term;
  }

  #bind(formal: FormalTree, given: Tree | undefined, names: Names, inner: Names): boolean {
    const type = typeOf(
      formal.type,
      this.#globals,
      (size) => constantValue(size, INTEGER, this.#globals)?.[0],
    );
    if (!type || !given) return false;
    const meaning = formal.isChannel
      ? channelArgument(given, type, names)
      : valueArgument(given, type, names);
    if (meaning) inner.declare(formal, meaning);
    return meaning !== undefined;
  }
}

function channelArgument(given: Tree, type: ChiType, names: Names): Meaning | undefined {
  if (given.kind !== "place" || given.path.length > 0) {
    names.error("chi/type", given.span, "expected the name of a channel");
    return undefined;
  }
  const channel = channelOf(given.name, names);
  if (!channel) return undefined;
  if (isCompatible(channel.type, type)) return { kind: "channel", channel };
  names.error(
    "chi/type",
    given.span,
    `channel '${given.name.name}' carries ${called(channel.type)}, not ${called(type)}`,
  );
  return undefined;
}

/** A variable is passed by reference, other expressions by name: all variables have different names. */
function valueArgument(given: Tree, type: ChiType, names: Names): Meaning | undefined {
  const expr: ChiExpr | undefined = expected(given, type, names);
  return expr && { kind: "expression", expr, type: expr.kind === "place" ? expr.type : type };
}

function channelOf(named: Named, names: Names): ChiChannel | undefined {
  const found = names.resolve(named);
  if (found?.kind === "channel") return found.channel;
  if (found) names.error("chi/type", named.span, `'${named.name}' is ${CALLED[found.kind]}, not a channel`);
  return undefined;
}

function callsIn(tree: ProcessTree): Named[] {
  switch (tree.kind) {
    case "call":
      return [tree.name];
    case "guard":
      return callsIn(tree.then);
    case "seq":
    case "alt":
    case "par":
      return [...callsIn(tree.left), ...callsIn(tree.right)];
    case "star":
    case "scope":
    case "encap":
      return callsIn(tree.body);
    default:
      return [];
  }
}
