/**
 * Builds the nodes of a body from its syntax tree.
 *
 * Nodes are numbered in Spin's order: a statement after all statements inside it, when it is added to the sequence.
 * Therefore a statement is first `read` (builds its inner sequences), then `placed`.
 */
import type { Declaration, LabelledStatement, Sequence, Statement, UnlessStatement } from "../ast.js";
import type { LabelSymbol, ProcessSymbol, VariableSymbol } from "../check.js";
import { markAtomic } from "./atomic.js";
import type { Context } from "./context.js";
import { readLoop } from "./loops.js";
import { isSkip, type Chain, type Destination, type Node } from "./nodes.js";
import { Placer } from "./placing.js";
import { declarationStep, skipAt, type Builder, type Read } from "./reads.js";
import { lastOf } from "../../../model/known.js";

/** Nodes of a process body, not yet connected across blocks. */
export interface Body {
  readonly chain: Chain;
  /** In order of their numbers, from 1. */
  readonly nodes: Node[];
  readonly labels: ReadonlyMap<LabelSymbol, Destination>;
  /** Locals initialised at their declaration, not at process creation. */
  readonly lateLocals: ReadonlySet<VariableSymbol>;
  /** Locals that the lowering introduces. */
  readonly counters: readonly VariableSymbol[];
}

export function buildBody(process: ProcessSymbol, context: Context): Body {
  return new BodyBuilder(context, process).build();
}

/** Adds a step for a label at a jump, which control passes over, so that remote references can observe it. */
export function makeObservable(body: Body, label: LabelSymbol): void {
  const node = body.labels.get(label)?.node;
  if (node?.kind !== "goto") return;
  const jump: Node = {
    ...node,
    ...{ number: body.nodes.length + 1, labels: [], escapes: [] },
    ...{ keepsControl: false, endsAtomic: false, inStep: false },
  };
  body.nodes.push(jump);
  node.kind = "statement";
  node.statement = skipAt(node.span).statement;
  node.text = "skip";
  node.next = jump;
}

class BodyBuilder implements Builder {
  readonly #placer = new Placer();
  /** Enclosing loops, innermost last. */
  readonly #loops: Destination[] = [];
  readonly #lateLocals = new Set<VariableSymbol>();
  readonly #counters = new Map<Sequence, VariableSymbol>();
  /** Enclosing braces, innermost last. */
  readonly #scopes: Sequence[] = [];
  /** Declarations before the first statement are initialised at creation; later ones are steps. */
  #hasBegun = false;

  constructor(
    readonly context: Context,
    readonly process: ProcessSymbol,
  ) {}

  build(): Body {
    const { span, body } = this.process.unit;
    this.#placer.open();
    this.placeScope(body);
    const brace = { file: span.file, start: Math.max(span.start, span.end - 1), end: span.end };
    this.place({ kind: "end", span: brace });
    const { nodes, labels } = this.#placer;
    const counters = [...this.#counters.values()];
    return { chain: this.#placer.close(), nodes, labels, lateLocals: this.#lateLocals, counters };
  }

  place(read: Read): Node {
    return this.#placer.place(read);
  }

  chainOf(fill: () => void): Chain {
    this.#hasBegun = true;
    this.#placer.open();
    fill();
    return this.#placer.close();
  }

  placeScope(sequence: Sequence): void {
    this.#scopes.push(sequence);
    this.#placeSteps(sequence);
    this.#scopes.pop();
  }

  openLoop(): Destination {
    const exit: Destination = { node: undefined };
    this.#loops.push(exit);
    return exit;
  }

  closeLoop(): void {
    this.#loops.pop();
  }

  counter(make: () => VariableSymbol): VariableSymbol {
    const scope = lastOf(this.#scopes);
    const counter = this.#counters.get(scope) ?? make();
    this.#counters.set(scope, counter);
    return counter;
  }

  #placeSteps(sequence: Sequence): void {
    for (const step of sequence.steps) {
      if (step.kind === "declaration") this.#placeDeclaration(step);
      else if (step.kind !== "exclusive") {
        const read = this.#read(step);
        this.#hasBegun = true;
        this.place(read);
      }
    }
  }

  /** After the first statement, and in inner blocks, a declaration is a step that assigns. */
  #placeDeclaration(declaration: Declaration): void {
    if (!this.#hasBegun) return;
    for (const declarator of declaration.variables) {
      const symbol = this.context.info.declared.get(declarator);
      if (!symbol || declarator.initializer?.kind === "channel") continue; // Channels are created with the process.
      if (declarator.initializer?.kind === "value") this.#lateLocals.add(symbol);
      this.place(declarationStep(symbol, this.context));
    }
  }

  /** Builds everything inside a statement. Loops also place their preceding statements. */
  #read(statement: Statement): Read {
    const { span } = statement;
    switch (statement.kind) {
      case "labelled":
        return this.#readLabelled(statement);
      case "unless":
        return this.#readUnless(statement);
      case "if":
      case "do": {
        const exit = statement.kind === "do" ? this.openLoop() : undefined;
        const options = statement.options.map((option) => this.chainOf(() => this.#placeSteps(option)));
        if (exit) this.closeLoop();
        options.forEach(dropRepeatedSkips);
        return { kind: "selection", span, options, exit };
      }
      case "forRange":
      case "forIn":
      case "select":
        return readLoop(this, statement);
      case "block":
      case "atomic":
      case "dStep": {
        const kind = statement.kind === "dStep" ? "step" : statement.kind;
        const body = this.chainOf(() => this.placeScope(statement.body));
        if (kind !== "block") markAtomic(body, kind === "step");
        return { kind, span, body };
      }
      case "else":
        return { kind: "else", span };
      case "break": {
        const destination = this.#loops.at(-1);
        if (!destination) throw new Error("a break outside a loop passed the checks");
        return { kind: "goto", span, text: "break", destination };
      }
      case "goto": {
        const label = this.context.info.labelUses.get(statement);
        if (!label) throw new Error(`the label ${statement.label.text} passed the checks without a place`);
        const destination = this.#placer.destination(label);
        return { kind: "goto", span, text: `goto ${statement.label.text}`, destination };
      }
      case "declaration":
      case "exclusive":
      case "embeddedC":
        throw new Error(`${statement.kind} passed the checks in a place where it is not allowed`);
      default:
        return { kind: "basic", statement, text: this.context.textAt(span) };
    }
  }

  #readLabelled(statement: LabelledStatement): Read {
    const labels = this.context.info.labelsAt.get(statement) ?? [];
    const inner = statement.statement;
    if (!inner) return { kind: "labelled", labels, inner: skipAt(statement.span) };
    if (inner.kind === "select") return readLoop(this, inner, labels);
    return { kind: "labelled", labels, inner: this.#read(inner) };
  }

  /** Braces around either part only group it; a label before the braces stays outside both. */
  #readUnless({ span, main: mainStatement, escape: escapeStatement }: UnlessStatement): Read {
    const main = this.#read(mainStatement);
    const escapeRead = this.#read(escapeStatement);
    const escape = escapeRead.kind === "block" ? escapeRead.body : this.#alone(escapeRead);
    if (main.kind === "block") return { kind: "unless", span, main: main.body, escape };
    if (main.kind !== "labelled" || !("body" in main.inner))
      return { kind: "unless", span, main: this.#alone(main), escape };
    const body = this.#alone({ kind: "unless", span, main: main.inner.body, escape });
    return { kind: "labelled", labels: main.labels, inner: { kind: main.inner.kind, span, body } };
  }

  #alone(read: Read): Chain {
    return this.chainOf(() => void this.place(read));
  }
}

/** Drops repeated skips (including prints), except at the ends of an option. */
function dropRepeatedSkips(option: Chain): void {
  let before: Node | undefined;
  let run = 0;
  for (let node: Node | undefined = option.first; node; node = node.next) {
    const isPrint = node.statement?.kind === "printf" || node.statement?.kind === "printm";
    run = (isPrint || isSkip(node)) && node.labels.length === 0 ? run + 1 : 0;
    const isInside = node !== option.first && node !== option.last;
    if (before && run > 1 && !isPrint && isInside) {
      before.next = node.next;
      node.isEmitted = true;
    } else before = node;
  }
}
