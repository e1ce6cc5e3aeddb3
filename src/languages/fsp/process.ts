/**
 * A primitive process as a transition system. Every combination of indices of a local process is a state, so the alphabet has the
 * labels of unreachable ones as well, as in LTSA; a state outside of all ranges is ERROR.
 */
import type { Span } from "../../model/diagnostic.js";
import { entryOf, nth } from "../../model/known.js";
import { END_NAME, ERROR_NAME, LtsBuilder, type Lts } from "../../model/lts.js";
import type { Branch, Local, ProcessTree, ReferenceTree } from "./ast.js";
import { Mistake, type Env, type Names } from "./names.js";

export interface Compiled {
  readonly lts: Lts;
  /** Names of its actions, including actions that it never takes. */
  readonly alphabet: ReadonlySet<string>;
}

export interface ProcessContext {
  readonly names: Names;
  /** Another process, to continue with. */
  process(reference: ReferenceTree, env: Env): Compiled;
  warn(code: string, span: Span, message: string): void;
}

const MOST_STATES = 2_000_000;
const DEEPEST = 1_000;

/** Without the extension of the alphabet and relabelling, which follow. */
export function compileProcess(tree: ProcessTree, env: Env, context: ProcessContext): Compiled {
  return new Unfolding(tree, env, context).run();
}

interface Edge {
  readonly label: string;
  readonly target: number;
  readonly span: Span;
}

/** The rest of a branch, under its variables. */
interface Pending {
  readonly actions: Branch["actions"];
  readonly at: number;
  readonly then: Local;
  readonly env: Env;
}

class Unfolding {
  readonly #context: ProcessContext;
  readonly #tree: ProcessTree;
  readonly #bodies = new Map<string, { readonly body: Local; readonly env: Env }>();
  readonly #ids = new Map<string, number>();
  readonly #entering = new Set<string>();
  readonly #edges: Edge[][] = [];
  readonly #waiting: { readonly state: number; readonly pending: readonly Pending[] }[] = [];
  readonly #alphabet = new Set<string>();
  readonly #outside: { readonly from: number; readonly key: string; readonly span: Span }[] = [];
  /** Constant processes, once used. */
  readonly #constants = new Map<"stop" | "error" | "end", number>();
  #current = -1;

  constructor(tree: ProcessTree, env: Env, context: ProcessContext) {
    this.#tree = tree;
    this.#context = context;
    for (const { name, indices, body, span } of tree.locals)
      for (const each of context.names.combinations(indices, env)) {
        const key = keyOf(name, each.values);
        if (this.#bodies.has(key)) throw new Mistake("fsp/twice", span, `process '${key}' is defined twice`);
        this.#bodies.set(key, { body, env: each.env });
      }
  }

  run(): Compiled {
    const start = this.#named(this.#tree.name);
    this.#fill();
    for (const key of this.#bodies.keys()) {
      this.#current = -1;
      this.#named(key);
      this.#fill();
    }
    return { lts: this.#finish(start), alphabet: this.#alphabet };
  }

  #named(key: string): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const { body, env } = entryOf(this.#bodies, key);
    if (this.#entering.has(key))
      throw new Mistake("fsp/no-action", body.span, `process '${key}' becomes itself without an action`);
    if (this.#entering.size > DEEPEST)
      throw new Mistake("fsp/too-deep", body.span, `more than ${DEEPEST} processes follow without an action`);
    this.#entering.add(key);
    const id = this.#enter(body, env, key);
    this.#entering.delete(key);
    this.#ids.set(key, id);
    return id;
  }

  /** The state in which a process begins. */
  #enter(local: Local, env: Env, key?: string): number {
    switch (local.kind) {
      case "stop":
      case "error":
      case "end":
        return this.#constant(local.kind);
      case "if":
        if (this.#context.names.isTrue(local.condition, env)) return this.#enter(local.then, env, key);
        return local.otherwise ? this.#enter(local.otherwise, env, key) : this.#constant("stop");
      case "reference":
        return this.#isLocal(local) ? this.#local(local, env) : this.#inline(local, undefined, env);
      case "sequence":
        return this.#inline(local.first, local.then, env);
      case "choice": {
        const state = this.#fresh(local.span);
        // The state is known before its branches are read: they may lead back.
        if (key !== undefined) this.#ids.set(key, state);
        this.#waiting.push({ state, pending: this.#branches(local.branches, env) });
        return state;
      }
    }
  }

  #isLocal({ name, args }: ReferenceTree): boolean {
    return args === undefined && this.#tree.locals.some((each) => each.name === name);
  }

  #local({ name, indices, span }: ReferenceTree, env: Env): number {
    const key = keyOf(
      name,
      indices.map((index) => this.#context.names.value(index, env)),
    );
    if (this.#bodies.has(key)) return this.#named(key);
    const counts = this.#tree.locals.filter((each) => each.name === name).map((each) => each.indices.length);
    if (!counts.includes(indices.length))
      throw new Mistake(
        "fsp/index-count",
        span,
        `process '${name}' has ${counts.join(" or ")} indices, not ${indices.length}`,
      );
    this.#outside.push({ from: this.#current, key, span });
    return this.#constant("error");
  }

  #branches(branches: readonly Branch[], env: Env): Pending[] {
    return branches
      .filter(({ guard }) => guard === undefined || this.#context.names.isTrue(guard, env))
      .map(({ actions, then }) => ({ actions, at: 0, then, env }));
  }

  #fill(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      this.#current = next.state;
      for (const pending of next.pending) this.#take(next.state, pending);
    }
  }

  #take(state: number, { actions, at, then, env }: Pending): void {
    const label = nth(actions, at);
    for (const { name, env: bound } of this.#context.names.labels(label, env)) {
      this.#alphabet.add(name);
      const target = at + 1 < actions.length ? this.#fresh(label.span) : this.#enter(then, bound);
      if (at + 1 < actions.length)
        this.#waiting.push({ state: target, pending: [{ actions, at: at + 1, then, env: bound }] });
      this.#edges[state]?.push({ label: name, target, span: label.span });
    }
  }

  /** A copy of another process, whose END is the start of `then`. */
  #inline(reference: ReferenceTree, then: Local | undefined, env: Env): number {
    const { lts, alphabet } = this.#context.process(reference, env);
    for (const label of alphabet) this.#alphabet.add(label);
    const end = lts.labels.indexOf(END_NAME);
    const isEnd = (s: number): boolean =>
      end >= 0 && lts.firsts[s + 1] > lts.firsts[s] && lts.actions[lts.firsts[s]] === end;
    let after: number | undefined;
    const copies = Array.from({ length: lts.states }, (_, s): number => {
      if (s === lts.error) return this.#constant("error");
      if (!isEnd(s)) return this.#fresh(reference.span);
      return (after ??= then ? this.#enter(then, env) : this.#constant("end"));
    });
    for (let s = 0; s < lts.states; s++) {
      if (s === lts.error || isEnd(s)) continue;
      for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++)
        this.#edges[copies[s]]?.push({
          label: nth(lts.labels, lts.actions[t]),
          target: nth(copies, lts.targets[t]),
          span: lts.origins?.spansOf(lts.origins.numbers[t])[0] ?? reference.span,
        });
    }
    return nth(copies, nth(lts.initial, 0));
  }

  #constant(kind: "stop" | "error" | "end"): number {
    const known = this.#constants.get(kind);
    if (known !== undefined) return known;
    const { span } = this.#tree;
    const state = this.#fresh(span);
    this.#constants.set(kind, state);
    const label = kind === "end" ? END_NAME : ERROR_NAME;
    if (kind !== "stop") this.#edges[state]?.push({ label, target: state, span });
    return state;
  }

  #fresh(span: Span): number {
    if (this.#edges.length >= MOST_STATES)
      throw new Mistake(
        "fsp/too-large",
        span,
        `process '${this.#tree.name}' has more than ${MOST_STATES} states`,
      );
    return this.#edges.push([]) - 1;
  }

  /** The reachable states, in breadth-first order. */
  #finish(start: number): Lts {
    const numbers = new Map([[start, 0]]);
    const order = [start];
    for (const state of order)
      for (const { target } of this.#edges[state] ?? [])
        if (!numbers.has(target)) {
          numbers.set(target, order.length);
          order.push(target);
        }
    for (const { from, key, span } of this.#outside)
      if (from < 0 || numbers.has(from))
        this.#context.warn("fsp/out-of-range", span, `process '${key}' is not defined: it is ERROR`);
    return ltsOf(
      order.map((state) =>
        (this.#edges[state] ?? []).map((edge) => ({ ...edge, target: entryOf(numbers, edge.target) })),
      ),
      numbers.get(this.#constants.get("error") ?? -1) ?? -1,
    );
  }
}

/** With positions; state 0 is the initial one. */
export function ltsOf(edges: readonly (readonly Edge[])[], error: number): Lts {
  const builder = new LtsBuilder();
  const spans: Span[] = [];
  for (const [state, own] of edges.entries())
    for (const { label, target, span } of own) {
      builder.add(state, builder.labels.of(label), target);
      spans.push(span);
    }
  const { lts, order } = builder.finishWithOrder(edges.length, [0], error);
  const numbers = new Int32Array(spans.length);
  for (let i = 0; i < spans.length; i++) numbers[order[i]] = i;
  return { ...lts, origins: { numbers, spansOf: (number) => [nth(spans, number)] } };
}

const keyOf = (name: string, values: readonly (number | string)[]): string => [name, ...values].join(".");
