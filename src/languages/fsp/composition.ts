/** Terms of processes: primitive ones are parts, composite ones run their parts together. */
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import { END_NAME, ERROR_NAME, TAU, TAU_NAME, type Lts } from "../../model/lts.js";
import type { LtsTerm } from "../../model/lts-term.js";
import { suggest } from "../toolkit/spelling.js";
import type {
  Change,
  Composition,
  CompositeTree,
  Parameter,
  ProcessTree,
  ReferenceTree,
  Source,
} from "./ast.js";
import { Mistake, type Env, type Names, type Value } from "./names.js";
import { compileProcess, ltsOf, type Compiled } from "./process.js";
import { hiding, membership, renaming } from "./relabelling.js";

type Definition = ProcessTree | CompositeTree;
type Part = Extract<LtsTerm, { readonly kind: "part" }>;

const MOST_PARTS = 10_000;

export class Definitions {
  readonly #names: Names;
  readonly #all = new Map<string, Definition>();
  readonly #warn: (code: string, span: Span, message: string) => void;
  readonly #compiled = new Map<string, Compiled>();
  /** Processes whose terms are being built. */
  readonly #open = new Set<string>();
  #parts = 0;

  constructor({ items }: Source, names: Names, warn: (code: string, span: Span, message: string) => void) {
    this.#names = names;
    this.#warn = warn;
    for (const item of items) {
      if (item.kind !== "process" && item.kind !== "composite") continue;
      if (this.#all.has(item.name))
        throw new Mistake("fsp/twice", item.span, `process '${item.name}' is defined twice`);
      this.#all.set(item.name, item);
    }
  }

  /** The named process; by default the last composite one, or all processes side by side. */
  system(wanted: string | undefined, start: Span): { name: string; term: LtsTerm; span: Span } {
    const all = [...this.#all.values()];
    if (all.length === 0) throw new Mistake("fsp/no-process", start, "there is no process");
    // Errors in processes that the chosen one does not use are errors nevertheless.
    const terms = new Map(all.map((each) => [each.name, this.#instance(each, undefined, each.span)]));
    const chosen =
      wanted === undefined
        ? all.filter(({ kind, isProperty }) => kind === "composite" && !isProperty).at(-1)
        : this.#find(wanted, start);
    if (chosen) return { name: chosen.name, term: this.#only(terms, chosen.name), span: chosen.span };
    return { name: "DEFAULT", term: { kind: "parallel", parts: [...terms.values()] }, span: start };
  }

  #only(terms: ReadonlyMap<string, LtsTerm>, name: string): LtsTerm {
    const term = terms.get(name);
    if (!term) throw new Error(`no term of ${name}`);
    return term;
  }

  #find(name: string, span: Span): Definition {
    const found = this.#all.get(name);
    if (found) return found;
    const hint = suggest(name, this.#all.keys());
    throw new Mistake("fsp/unknown-process", span, `there is no process '${name}'`, hint);
  }

  // ---- definitions ----

  /** `args`: values of the parameters; absent: their defaults. */
  #instance(definition: Definition, args: readonly Value[] | undefined, span: Span): LtsTerm {
    const { name, parameters } = definition;
    const env = this.#bind(name, parameters, args, span);
    if (this.#open.has(name))
      throw new Mistake("fsp/recursive", span, `process '${name}' is a part of itself`);
    this.#open.add(name);
    const term =
      definition.kind === "process"
        ? this.#primitive(definition, env, args)
        : this.#composition(definition.body, env, definition.name);
    this.#open.delete(name);
    return this.#modified(definition, term);
  }

  #bind(name: string, parameters: readonly Parameter[], args: readonly Value[] | undefined, span: Span): Env {
    if (args && args.length !== parameters.length)
      throw new Mistake(
        "fsp/argument-count",
        span,
        `process '${name}' has ${parameters.length} parameters, not ${args.length}`,
      );
    const env = new Map<string, Value>();
    for (const [i, parameter] of parameters.entries())
      env.set(parameter.name, args ? nth(args, i) : this.#names.value(parameter.value, env));
    return env;
  }

  #modified({ name, isProperty, modifier, span }: Definition, term: LtsTerm): LtsTerm {
    const simple: LtsTerm = modifier ? { kind: "simplify", of: term, name, by: modifier, span } : term;
    return isProperty ? { kind: "property", of: simple, name, span } : simple;
  }

  #primitive(tree: ProcessTree, env: Env, args: readonly Value[] | undefined): Part {
    if (++this.#parts > MOST_PARTS)
      throw new Mistake("fsp/too-large", tree.span, `there are more than ${MOST_PARTS} processes`);
    const key = [tree.name, ...(args ?? [])].join(".");
    const known = this.#compiled.get(key);
    const compiled = known ?? this.#compile(tree, env);
    this.#compiled.set(key, compiled);
    const name = args && args.length > 0 ? `${tree.name}(${args.join(",")})` : tree.name;
    return { kind: "part", name, ...compiled, span: tree.span };
  }

  #compile(tree: ProcessTree, env: Env): Compiled {
    const names = this.#names;
    const { lts, alphabet } = compileProcess(tree, env, {
      names,
      warn: this.#warn,
      process: (reference, own) => this.#inlined(reference, own),
    });
    const extension = tree.extension ? names.set(tree.extension, env) : [];
    let changed: Compiled = { lts, alphabet: new Set([...alphabet, ...extension]) };
    for (const change of tree.changes) {
      if (change.kind === "high" || change.kind === "low")
        throw new Mistake(
          "fsp/priority",
          change.set.span,
          "priorities are for composite processes",
          `write ||NAME = (${tree.name}) ${change.kind === "high" ? "<<" : ">>"} …`,
        );
      const rename =
        change.kind === "relabel"
          ? renaming(change.pairs, names, env)
          : hidingNames(hiding({ kind: change.kind, set: change.set }, names, env));
      changed = renamed(changed, rename, tree.span);
    }
    return changed;
  }

  /** A process that another continues with. */
  #inlined(reference: ReferenceTree, env: Env): Compiled {
    const definition = this.#find(reference.name, reference.span);
    const refuse = (what: string): Mistake =>
      new Mistake(
        "fsp/not-sequential",
        reference.span,
        `'${reference.name}' ${what}: no process can continue with it`,
      );
    if (reference.indices.length > 0)
      throw new Mistake(
        "fsp/index-count",
        reference.span,
        `'${reference.name}' is not a local process, and so has no indices`,
      );
    if (definition.kind === "composite") throw refuse("is a composite process");
    if (definition.isProperty) throw refuse("is a property");
    if (definition.modifier === "deterministic") throw refuse("is made deterministic");
    const args = reference.args?.map((arg) => this.#names.value(arg, env));
    const bound = this.#bind(definition.name, definition.parameters, args, reference.span);
    if (this.#open.has(definition.name))
      throw new Mistake(
        "fsp/recursive",
        reference.span,
        `process '${definition.name}' continues with itself`,
      );
    this.#open.add(definition.name);
    const compiled = this.#compile(definition, bound);
    this.#open.delete(definition.name);
    return compiled;
  }

  // ---- compositions ----

  #composition(tree: Composition, env: Env, owner: string): LtsTerm {
    switch (tree.kind) {
      case "parallel":
        return parallel(tree.parts.map((part) => this.#composition(part, env, owner)));
      case "forall":
        return parallel(
          this.#names
            .combinations(tree.indices, env)
            .map((each) => this.#composition(tree.body, each.env, owner)),
        );
      case "if":
        if (this.#names.isTrue(tree.condition, env)) return this.#composition(tree.then, env, owner);
        return tree.otherwise ? this.#composition(tree.otherwise, env, owner) : parallel([]);
      case "instance":
        return this.#labelled(tree, env, owner);
    }
  }

  /** `{a, b}::c:P / {…}`: prefixed, then shared, then changed. */
  #labelled(tree: Extract<Composition, { kind: "instance" }>, env: Env, owner: string): LtsTerm {
    const prefixes = tree.prefix ? this.#names.labels(tree.prefix, env) : [{ name: undefined, env }];
    const instances = prefixes.map(({ name, env: own }): LtsTerm => {
      const of =
        tree.of.kind === "reference" ? this.#referred(tree.of, own) : this.#composition(tree.of, own, owner);
      return name === undefined ? of : prefixed(of, [name]);
    });
    const together = parallel(instances);
    const sharing = tree.sharing && this.#names.labels(tree.sharing, env).map(({ name }) => name);
    const shared = sharing ? prefixed(together, sharing) : together;
    return tree.changes.reduce((term, change) => this.#changed(term, change, env, owner, tree.span), shared);
  }

  #referred({ name, indices, args, span }: ReferenceTree, env: Env): LtsTerm {
    if (indices.length > 0)
      throw new Mistake("fsp/index-count", span, `process '${name}' has no indices here`, `write ${name}(…)`);
    const values = args?.map((arg) => this.#names.value(arg, env));
    return this.#instance(this.#find(name, span), values, span);
  }

  #changed(of: LtsTerm, change: Change, env: Env, name: string, span: Span): LtsTerm {
    const names = this.#names;
    switch (change.kind) {
      case "relabel":
        return { kind: "rename", of, names: renaming(change.pairs, names, env) };
      case "hide":
      case "keep":
        return { kind: "hide", of, hides: hiding({ kind: change.kind, set: change.set }, names, env) };
      case "high":
      case "low": {
        const has = membership(change.set, names, env);
        return { kind: "priority", of, name, isHigh: change.kind === "high", has, span };
      }
    }
  }
}

const parallel = (parts: readonly LtsTerm[]): LtsTerm =>
  parts.length === 1 ? nth(parts, 0) : { kind: "parallel", parts };

const prefixed = (of: LtsTerm, prefixes: readonly string[]): LtsTerm => ({
  kind: "rename",
  of,
  names: (label) => prefixes.map((prefix) => `${prefix}.${label}`),
  prefix: prefixes.length === 1 ? nth(prefixes, 0) : `{${prefixes.join(",")}}`,
});

const hidingNames =
  (hides: (label: string) => boolean) =>
  (label: string): readonly string[] =>
    hides(label) ? [TAU_NAME] : [label];

/** Each transition becomes one for every new name; τ, `√` and `ERROR` keep theirs. */
function renamed(
  { lts, alphabet }: Compiled,
  names: (label: string) => readonly string[],
  span: Span,
): Compiled {
  const of = lts.labels.map((label, number) =>
    number === TAU || label === END_NAME || label === ERROR_NAME ? [label] : names(label),
  );
  const edges = Array.from({ length: lts.states }, (_, s) => edgesOf(lts, s, of, span));
  const renamedAlphabet = new Set([...alphabet].flatMap(names));
  renamedAlphabet.delete(TAU_NAME);
  return { lts: ltsOf(edges, lts.error), alphabet: renamedAlphabet };
}

function edgesOf(lts: Lts, state: number, names: readonly (readonly string[])[], span: Span) {
  const { firsts, actions, targets, origins } = lts;
  return Array.from({ length: firsts[state + 1] - firsts[state] }, (_, i) => firsts[state] + i).flatMap((t) =>
    nth(names, actions[t]).map((label) => ({
      label,
      target: targets[t],
      span: origins?.spansOf(origins.numbers[t])[0] ?? span,
    })),
  );
}
