/** Creates nodes, numbered in order of creation, and adds them to sequences. */
import type { Span } from "../../../model/diagnostic.js";
import type { LabelSymbol } from "../check.js";
import { attachEscape } from "./escapes.js";
import type { Chain, Destination, Node, NodeKind } from "./nodes.js";
import { skipAt, type Read } from "./reads.js";
import { lastOf } from "../../../model/known.js";

export class Placer {
  /** In order of their numbers, from 1. */
  readonly nodes: Node[] = [];
  readonly labels = new Map<LabelSymbol, Destination>();
  /** Sequences under construction, innermost last. */
  readonly #open: Partial<Chain>[] = [];

  open(): void {
    this.#open.push({});
  }

  close(): Chain {
    const { first, last } = this.#open.pop() ?? {};
    if (!first || !last) throw new Error("an empty sequence passed the checks");
    return { first, last, extent: last };
  }

  /** Creates the node of a statement and appends it to the innermost sequence. */
  place(read: Read): Node {
    const node = this.#makeFor(innermost(read));
    for (const label of labelsInwards(read).toReversed()) {
      node.labels.push(label);
      this.destination(label).node = node;
    }
    if (node.kind === "goto") this.#guardLabelledJump(node);
    if (!isSpread(node)) this.#append(node);
    return node;
  }

  destination(label: LabelSymbol): Destination {
    const known = this.labels.get(label) ?? { node: undefined };
    this.labels.set(label, known);
    return known;
  }

  #makeFor(read: Read): Node {
    switch (read.kind) {
      case "basic":
        return this.#make("statement", read.statement.span, { text: read.text, statement: read.statement });
      case "selection":
        return this.#placeSelection(read);
      case "unless":
        return this.#placeUnless(read);
      case "block":
      case "atomic":
      case "step":
        return this.#make(read.kind, read.span, { body: read.body, text: blockText[read.kind] });
      case "goto":
        return this.#make("goto", read.span, { text: read.text, destination: read.destination });
      case "else":
        return this.#make("else", read.span, { text: "else" });
      case "end":
        return this.#make("end", read.span, { text: "-end-" });
      case "labelled":
        throw new Error("labels are taken off before");
    }
  }

  #placeSelection(read: Extract<Read, { kind: "selection" }>): Node {
    const { span } = read;
    const isElse = (option: Chain): boolean => option.first.kind === "else";
    const branches = [...read.options.filter((o) => !isElse(o)), ...read.options.filter(isElse)];
    const selection = this.#make("selection", span, { branches, text: read.exit ? "do" : "if" });
    const join = this.#make("join", span, { text: ".(goto)" });
    for (const branch of branches) appendTo(branch, join);
    if (read.exit) {
      this.#append(join); // Control returns to the join after each iteration, so it precedes the loop.
      const exit = this.#make("exit", span, { text: "break" });
      read.exit.node = exit;
      this.#append(selection);
      this.#append(exit);
    } else {
      this.#append(selection);
      this.#append(join);
    }
    return selection;
  }

  #placeUnless(read: Extract<Read, { kind: "unless" }>): Node {
    const { span, main, escape } = read;
    const unless = this.#make("unless", span, { branches: [main, escape], text: "unless" });
    const join = this.#make("join", span, { text: ".(goto)" });
    appendTo(main, join);
    appendTo(escape, join);
    attachEscape(main, escape);
    this.#append(unless);
    this.#append(join);
    return unless;
  }

  /** Control passes over a jump, so a significant label needs a separate step. */
  #guardLabelledJump(jump: Node): void {
    if (!jump.labels.some(({ name }) => /^(end|accept|progress)/.test(name))) return;
    const label = jump.labels.pop(); // As in Spin, only the outermost label moves, of any kind.
    if (!label) return;
    const skip = this.#makeFor(skipAt(jump.span));
    skip.labels.push(label);
    this.destination(label).node = skip;
    this.#append(skip);
  }

  #make(kind: NodeKind, span: Span, parts: Partial<Node>): Node {
    const node: Node = {
      number: this.nodes.length + 1,
      kind,
      span,
      text: parts.text ?? "",
      statement: parts.statement,
      next: undefined,
      branches: parts.branches ?? [],
      body: parts.body,
      destination: parts.destination,
      escapes: [],
      labels: [],
      keepsControl: false,
      endsAtomic: false,
      inStep: false,
      isEmitted: false,
    };
    this.nodes.push(node);
    return node;
  }

  #append(node: Node): void {
    appendTo(lastOf(this.#open), node);
  }
}

const blockText = { block: "{", atomic: "atomic", step: "d_step" } as const;

/** Selections and `unless` append themselves, with their joins. */
const isSpread = (node: Node): boolean => node.kind === "selection" || node.kind === "unless";

const innermost = (read: Read): Read => (read.kind === "labelled" ? innermost(read.inner) : read);

const labelsInwards = (read: Read): readonly LabelSymbol[] =>
  read.kind === "labelled" ? [...read.labels, ...labelsInwards(read.inner)] : [];

function appendTo(chain: Partial<Chain>, node: Node): void {
  if (chain.last) chain.last.next = node;
  else chain.first = node;
  chain.last = node;
}
