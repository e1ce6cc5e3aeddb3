/**
 * The control of a χ term: its residual terms, and their steps as the rules of the operational semantics give them, with the conditions on data
 * left open. χ has no recursion, so the residual terms are finitely many.
 *
 * Values of scopes are not part of a residual term. A scope outside all stars is entered at most once at a time, so one set of words
 * holds its values; a star begins each round with the scopes of its body as they were declared (`fresh`). Words of scopes that are not live
 * hold their initial values.
 *
 * In: a term whose variables have different names. Residual terms are numbered by structure: equal terms are one.
 */
import type { ChiExpr, ChiPlace, ChiTerm, ChiVariable } from "./chi.js";
import { renderChi, renderChiExpr, renderChiPlace } from "./chi-text.js";
import type { Span } from "./diagnostic.js";

/** `fresh`: variables that are read as they were declared. */
export type ChiCondition =
  | { readonly kind: "always" }
  | { readonly kind: "never" }
  | { readonly kind: "test"; readonly expr: ChiExpr; readonly fresh: readonly ChiVariable[] }
  | { readonly kind: "and" | "or"; readonly left: ChiCondition; readonly right: ChiCondition };

/** An expression or a place, evaluated before the step. */
export interface ChiRead<T> {
  readonly of: T;
  readonly fresh: readonly ChiVariable[];
}

export type ChiAction =
  | { readonly kind: "tau" }
  | { readonly kind: "assign"; readonly to: ChiRead<ChiPlace>; readonly value: ChiRead<ChiExpr> }
  | { readonly kind: "send"; readonly channel: string; readonly value: ChiRead<ChiExpr> | undefined }
  | { readonly kind: "receive"; readonly channel: string; readonly to: ChiRead<ChiPlace> | undefined }
  | {
      readonly kind: "communicate";
      readonly channel: string;
      readonly value: ChiRead<ChiExpr> | undefined;
      readonly to: ChiRead<ChiPlace> | undefined;
    };

export interface ChiMove {
  readonly when: ChiCondition;
  readonly action: ChiAction;
  readonly target: ChiNode;
  /** Reset before the action writes: variables of scopes that are entered again or left. */
  readonly resets: readonly ChiVariable[];
  readonly spans: readonly Span[];
}

export interface ChiNode {
  readonly number: number;
  readonly term: ChiTerm;
  readonly parts: readonly ChiNode[];
}

const ALWAYS: ChiCondition = { kind: "always" };
const NEVER: ChiCondition = { kind: "never" };

export class ChiControl {
  readonly #nodes = new Map<string, ChiNode>();
  readonly #moves = new Map<ChiNode, readonly ChiMove[]>();
  readonly #ends = new Map<ChiNode, ChiCondition>();
  readonly #live = new Map<ChiNode, ReadonlySet<ChiVariable>>();
  readonly #eps = this.#node({ kind: "eps" }, []);

  get count(): number {
    return this.#nodes.size;
  }

  of(term: ChiTerm): ChiNode {
    switch (term.kind) {
      case "guard":
        return this.#node(term, [this.of(term.then)]);
      case "seq":
        return this.#node(term, [this.of(term.first), this.of(term.then)]);
      case "alt":
      case "par":
        return this.#node(term, [this.of(term.left), this.of(term.right)]);
      case "star":
      case "scope":
      case "encap":
        return this.#node(term, [this.of(term.body)]);
      default:
        return this.#node(term, []);
    }
  }

  /** `shape`: its operator; the parts of the term itself are not looked at. */
  #node(shape: ChiTerm, parts: readonly ChiNode[]): ChiNode {
    const key = `${keyOf(shape)}(${parts.map(({ number }) => number).join()})`;
    const known = this.#nodes.get(key);
    if (known) return known;
    const node = { number: this.#nodes.size, term: shape, parts };
    this.#nodes.set(key, node);
    return node;
  }

  /** The condition on data under which a residual term terminates. */
  ends(node: ChiNode): ChiCondition {
    const known = this.#ends.get(node);
    if (known) return known;
    const found = this.#endsOf(node);
    this.#ends.set(node, found);
    return found;
  }

  #endsOf({ term, parts: [a, b] }: ChiNode): ChiCondition {
    switch (term.kind) {
      case "eps":
      case "star":
        return ALWAYS;
      case "guard":
        return both({ kind: "test", expr: term.when, fresh: [] }, a ? this.ends(a) : NEVER);
      case "seq":
      case "par":
        return a && b ? both(this.ends(a), this.ends(b)) : NEVER;
      case "alt":
        return a && b ? either(this.ends(a), this.ends(b)) : NEVER;
      case "scope":
      case "encap":
        return a ? this.ends(a) : NEVER;
      case "delta":
      case "skip":
      case "assign":
      case "send":
      case "receive":
        return NEVER;
    }
  }

  moves(node: ChiNode): readonly ChiMove[] {
    const known = this.#moves.get(node);
    if (known) return known;
    const seen = new Set<string>();
    const found = this.#movesOf(node)
      .map((move) => this.#leaving(node, move))
      .filter((move) => {
        const key = moveKey(move);
        return !seen.has(key) && seen.add(key);
      });
    this.#moves.set(node, found);
    return found;
  }

  /** Scopes that the move leaves are reset. */
  #leaving(node: ChiNode, move: ChiMove): ChiMove {
    const kept = this.#liveIn(move.target);
    const left = [...this.#liveIn(node)].filter(
      (variable) => !kept.has(variable) && !move.resets.includes(variable),
    );
    return left.length === 0 ? move : { ...move, resets: [...move.resets, ...left] };
  }

  /** Variables of scopes outside the bodies of stars. */
  #liveIn(node: ChiNode): ReadonlySet<ChiVariable> {
    const known = this.#live.get(node);
    if (known) return known;
    const inner = node.term.kind === "star" ? [] : node.parts.flatMap((part) => [...this.#liveIn(part)]);
    const live = new Set(node.term.kind === "scope" ? [...node.term.variables, ...inner] : inner);
    this.#live.set(node, live);
    return live;
  }

  #movesOf(node: ChiNode): readonly ChiMove[] {
    const { term, parts } = node;
    const [a, b] = parts;
    const move = (action: ChiAction, span: Span): ChiMove[] => [
      { when: ALWAYS, action, target: this.#eps, resets: [], spans: [span] },
    ];
    switch (term.kind) {
      case "eps":
      case "delta":
        return [];
      case "skip":
        return move({ kind: "tau" }, term.span);
      case "assign":
        return move({ kind: "assign", to: read(term.to), value: read(term.value) }, term.span);
      case "send":
        return move(
          { kind: "send", channel: term.channel, value: term.value && read(term.value) },
          term.span,
        );
      case "receive":
        return move({ kind: "receive", channel: term.channel, to: term.to && read(term.to) }, term.span);
      case "guard": {
        const when: ChiCondition = { kind: "test", expr: term.when, fresh: [] };
        return a ? this.moves(a).map((own) => ({ ...own, when: both(when, own.when) })) : [];
      }
      case "alt":
        return a && b ? [...this.moves(a), ...this.moves(b)] : [];
      case "seq":
        return a && b ? this.#sequence(a, b) : [];
      case "star":
        return a ? this.#round(node, a) : [];
      case "par":
        return a && b ? this.#parallel(a, b) : [];
      case "scope":
        return a ? this.moves(a).map((own) => ({ ...own, target: this.#node(term, [own.target]) })) : [];
      case "encap":
        return a
          ? this.moves(a)
              .filter(({ action: { kind } }) => kind !== "send" && kind !== "receive")
              .map((own) => ({ ...own, target: this.#node(term, [own.target]) }))
          : [];
    }
  }

  #sequence(a: ChiNode, b: ChiNode): ChiMove[] {
    const ended = this.ends(a);
    const own = this.moves(a).map((move) => ({ ...move, target: this.#node(SEQ, [move.target, b]) }));
    // Rule 9: the second part begins at once, without a step of the first.
    // sound: test/languages/chi/traps.test.ts
    const next =
      ended.kind === "never" ? [] : this.moves(b).map((move) => ({ ...move, when: both(ended, move.when) }));
    return [...own, ...next];
  }

  /** Each round of a star begins with the scopes of its body as they were declared. */
  #round(star: ChiNode, body: ChiNode): ChiMove[] {
    const fresh = [...this.#liveIn(body)];
    return this.moves(body).map((move) => ({
      ...move,
      when: withFresh(move.when, fresh),
      action: actionWithFresh(move.action, fresh),
      target: this.#node(SEQ, [move.target, star]),
      // sound: test/languages/chi/traps.test.ts
      resets: [...new Set([...move.resets, ...fresh])],
    }));
  }

  #parallel(a: ChiNode, b: ChiNode): ChiMove[] {
    const left = this.moves(a);
    const right = this.moves(b);
    const together = (from: readonly ChiMove[], to: readonly ChiMove[], isLeft: boolean): ChiMove[] =>
      from.flatMap((sender) =>
        to.flatMap((receiver): ChiMove[] => {
          const { action: sent } = sender;
          const { action: got } = receiver;
          if (sent.kind !== "send" || got.kind !== "receive" || sent.channel !== got.channel) return [];
          const targets = isLeft ? [sender.target, receiver.target] : [receiver.target, sender.target];
          return [
            {
              when: both(sender.when, receiver.when),
              action: { kind: "communicate", channel: sent.channel, value: sent.value, to: got.to },
              target: this.#node(PAR, targets),
              resets: [...new Set([...sender.resets, ...receiver.resets])],
              spans: [...sender.spans, ...receiver.spans],
            },
          ];
        }),
      );
    return [
      ...left.map((move) => ({ ...move, target: this.#node(PAR, [move.target, b]) })),
      ...right.map((move) => ({ ...move, target: this.#node(PAR, [a, move.target]) })),
      ...together(left, right, true),
      ...together(right, left, false),
    ];
  }

  /** The residual term itself. */
  termOf({ term, parts }: ChiNode): ChiTerm {
    const [a, b] = parts.map((part) => this.termOf(part));
    switch (term.kind) {
      case "guard":
        return a ? { ...term, then: a } : term;
      case "seq":
        return a && b ? { kind: "seq", first: a, then: b } : term;
      case "alt":
      case "par":
        return a && b ? { kind: term.kind, left: a, right: b } : term;
      case "star":
      case "scope":
      case "encap":
        return a ? { ...term, body: a } : term;
      default:
        return term;
    }
  }
}

const SEQ: ChiTerm = { kind: "seq", first: { kind: "eps" }, then: { kind: "eps" } };
const PAR: ChiTerm = { kind: "par", left: { kind: "eps" }, right: { kind: "eps" } };

const read = <T>(of: T): ChiRead<T> => ({ of, fresh: [] });

/** The operator alone, with its data. */
function keyOf(term: ChiTerm): string {
  switch (term.kind) {
    case "assign":
    case "send":
    case "receive":
      return `${term.kind} ${renderChi(term)}`;
    case "guard":
      return `guard ${renderChiExpr(term.when)}`;
    case "scope":
      return `scope ${term.variables.map(({ name }) => name).join()}`;
    default:
      return term.kind;
  }
}

const readKey = (own: ChiRead<ChiExpr> | undefined): string =>
  own
    ? `${own.of.kind === "place" ? renderChiPlace(own.of) : renderChiExpr(own.of)}/${freshKey(own.fresh)}`
    : "";

const freshKey = (fresh: readonly ChiVariable[]): string => fresh.map(({ name }) => name).join();

function conditionKey(condition: ChiCondition): string {
  switch (condition.kind) {
    case "always":
    case "never":
      return condition.kind;
    case "test":
      return `[${renderChiExpr(condition.expr)}/${freshKey(condition.fresh)}]`;
    case "and":
    case "or":
      return `(${conditionKey(condition.left)} ${condition.kind} ${conditionKey(condition.right)})`;
  }
}

/** Equal for moves that have the same effect. */
function moveKey({ when, action, target, resets }: ChiMove): string {
  const value = "value" in action ? readKey(action.value) : "";
  const to = "to" in action ? readKey(action.to) : "";
  const channel = "channel" in action ? action.channel : "";
  return `${conditionKey(when)} ${action.kind} ${channel} ${value} ${to} ${target.number} ${freshKey(resets)}`;
}

export function both(left: ChiCondition, right: ChiCondition): ChiCondition {
  if (left.kind === "never" || right.kind === "always") return left;
  return right.kind === "never" || left.kind === "always" ? right : { kind: "and", left, right };
}

export function either(left: ChiCondition, right: ChiCondition): ChiCondition {
  if (left.kind === "always" || right.kind === "never") return left;
  return right.kind === "always" || left.kind === "never" ? right : { kind: "or", left, right };
}

function withFresh(condition: ChiCondition, fresh: readonly ChiVariable[]): ChiCondition {
  if (fresh.length === 0) return condition;
  switch (condition.kind) {
    case "always":
    case "never":
      return condition;
    case "test":
      return { ...condition, fresh: merged(condition.fresh, fresh) };
    case "and":
    case "or":
      return {
        ...condition,
        left: withFresh(condition.left, fresh),
        right: withFresh(condition.right, fresh),
      };
  }
}

const merged = (a: readonly ChiVariable[], b: readonly ChiVariable[]): readonly ChiVariable[] => [
  ...new Set([...a, ...b]),
];

function actionWithFresh(action: ChiAction, fresh: readonly ChiVariable[]): ChiAction {
  const more = <T>(own: ChiRead<T>): ChiRead<T> => ({ ...own, fresh: merged(own.fresh, fresh) });
  switch (action.kind) {
    case "tau":
      return action;
    case "assign":
      return { ...action, to: more(action.to), value: more(action.value) };
    case "send":
      return { ...action, value: action.value && more(action.value) };
    case "receive":
      return { ...action, to: action.to && more(action.to) };
    case "communicate":
      return { ...action, value: action.value && more(action.value), to: action.to && more(action.to) };
  }
}
