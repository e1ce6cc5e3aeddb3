/**
 * `d_step`: a sequence that is one transition. Its nodes become locations inside a step, which take the first
 * executable edge at once; only the entry edge can block.
 */
import type { Edge, Expr, Location } from "../../../model/program.js";
import { constant, type Names } from "./expressions.js";
import { mayBeRendezvous } from "./messages.js";
import { bodyOf, destinationOf, type Chain, type Node } from "./nodes.js";
import { executable, lowerStatement, noAction, type Action } from "./statements.js";
import { nth } from "../../../model/known.js";

/** Allocates locations inside steps, after the ordinary ones. */
export interface StepRoom {
  readonly names: Names;
  /** First free location. */
  readonly first: number;
  readonly added: Location[];
}

export class StepBuilder {
  readonly #known = new Map<Node, number>();

  constructor(
    readonly step: Node,
    readonly exit: number,
    readonly keepsControl: boolean,
    readonly room: StepRoom,
  ) {}

  entries(): Edge[] {
    const first = this.#settle(bodyOf(this.step).first);
    if (!first) return [this.#edge(this.step, noAction, this.exit)];
    if (first.kind !== "selection") return [this.#edgeOf(first)];
    // The options must not become separate alternatives, so the step is entered before the choice.
    const { names } = this.room;
    const options = this.#options(first);
    const conditions = this.#guards(first);
    // sound: test/languages/promela/conditions.test.ts
    if (conditions.length === 0 || conditions.some(isTrue))
      return [this.#edge(this.step, noAction, this.#location(first))];
    const condition = conditions.reduce(either);
    const entry: Action = { ...noAction, guard: { kind: "condition", condition } };
    const edges = [this.#edge(this.step, entry, this.#location(first))];
    for (const { statement, next } of options)
      if (statement?.kind === "receive" && mayBeRendezvous(statement, names)) {
        // An expression cannot test the partner of a rendezvous.
        const idle: Expr = { kind: "unary", op: "!", operand: condition };
        const action: Action = {
          ...lowerStatement(statement, names),
          guard: { kind: "condition", condition: idle },
        };
        edges.push(this.#edge(this.step, action, this.#target(next)));
      }
    return edges;
  }

  /** The next node to execute after arriving here; undefined outside the step. */
  #settle(node: Node | undefined): Node | undefined {
    for (let at = node, hops = 0; at?.inStep && hops < 500; hops++) {
      if (at.kind === "join" || at.kind === "exit") at = at.next;
      else if (at.kind === "goto") at = destinationOf(at);
      else if (at.kind === "block") at = bodyOf(at).first;
      else if (at.kind === "unless") at = nth(at.branches, 0).first;
      else return at;
    }
    return undefined;
  }

  #target(node: Node | undefined): number {
    const settled = this.#settle(node);
    return settled ? this.#location(settled) : this.exit;
  }

  #location(node: Node): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const { room } = this;
    const number = room.first + room.added.length;
    this.#known.set(node, number);
    const edges: Edge[] = [];
    room.added.push({
      edges,
      inside: "step",
      isEnd: false,
      isProgress: false,
      isAccept: false,
      labels: node.labels.map(({ name }) => name),
      blockedSite: room.names.context.site("blocked-step", blockedMessage(node), node.span),
      span: node.span,
    });
    if (node.kind !== "selection") edges.push(this.#edgeOf(node));
    else edges.push(...this.#options(node).map((option) => this.#edgeOf(option)));
    return number;
  }

  /** First nodes of all options, including options of nested selections. */
  #options(selection: Node): Node[] {
    return selection.branches.flatMap((branch) => {
      const first = beginning(branch);
      return first.kind === "selection" ? this.#options(first) : [first];
    });
  }

  /**
   * Conditions under which a step that begins with a selection is executable. As in Spin, only conditions, messages and
   * `else` count: an option that begins otherwise, or with a block, is ignored unless all do.
   */
  #guards(selection: Node): Expr[] {
    return selection.branches.flatMap((branch): Expr[] => {
      const first = skipJoins(branch.first);
      if (first.kind === "selection") return this.#guards(first);
      if (first.kind === "block") {
        const inner = bodyOf(first).first;
        return inner.kind === "selection" ? this.#guards(inner) : [];
      }
      // sound: test/languages/promela/conditions.test.ts
      if (first.kind === "else") return [constant(1)];
      const { statement } = first;
      const isGuard = statement && ["expression", "send", "receive"].includes(statement.kind);
      return isGuard ? [executable(statement, this.room.names)] : [];
    });
  }

  #edgeOf(node: Node): Edge {
    if (node.kind === "else")
      return this.#edge(node, { ...noAction, guard: { kind: "else" } }, this.#target(node.next));
    if (node.statement)
      return this.#edge(node, lowerStatement(node.statement, this.room.names), this.#target(node.next));
    return this.#edge(node, noAction, this.#target(node)); // An option that begins with a jump.
  }

  #edge(node: Node, action: Action, to: number): Edge {
    return {
      to,
      ...action,
      escapeGroup: 0,
      keepsControl: this.keepsControl,
      text: node.text,
      span: node.span,
    };
  }
}

const isTrue = (condition: Expr): boolean => condition.kind === "constant" && condition.value !== 0;

const either = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "||", left, right, site: -1 });

function blockedMessage(node: Node): string {
  return node.kind === "selection"
    ? "d_step blocked: no option of this selection can be executed"
    : `d_step blocked: ${node.text} cannot be executed`;
}

function beginning(chain: Chain): Node {
  const node = skipJoins(chain.first);
  return node.kind === "block" ? beginning(bodyOf(node)) : node;
}

/** A loop begins with its join; an `unless` has no effect inside a step. */
function skipJoins(node: Node): Node {
  if (node.kind === "join" && node.next) return skipJoins(node.next);
  return node.kind === "unless" ? skipJoins(nth(node.branches, 0).first) : node;
}
