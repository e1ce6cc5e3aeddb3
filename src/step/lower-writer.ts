/**
 * The instructions of one function while it is lowered: bytes, locals by name and block, and open blocks.
 */
import { NO_RESULT, Op, signed, unsigned } from "./encode.js";
import { NotStepCode } from "./syntax.js";

export class Writer {
  readonly code: number[] = [];
  readonly #scopes: Map<string, number>[] = [];
  readonly #exits: Exit[] = [];
  #depth = 0;
  #locals: number;
  #mostLocals: number;

  constructor(parameters: readonly string[]) {
    this.#locals = this.#mostLocals = parameters.length;
    this.#scopes.push(new Map(parameters.map((name, i) => [name, i])));
  }

  // ---- bytes ----

  emit(op: number, operand?: number): void {
    this.code.push(op);
    if (operand !== undefined) unsigned(operand, this.code);
  }

  const(value: number): void {
    this.code.push(Op.const);
    signed(value, this.code);
  }

  // ---- locals ----

  /** Parameters included. */
  get mostLocals(): number {
    return this.#mostLocals;
  }

  local(name: string): number | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const local = this.#scopes[i]!.get(name);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  declare(name: string): number {
    const local = this.scratch();
    this.#scopes.at(-1)!.set(name, local);
    return local;
  }

  /** A local without a name, until `release`. */
  scratch(): number {
    const local = this.#locals++;
    this.#mostLocals = Math.max(this.#mostLocals, this.#locals);
    return local;
  }

  /** Gives the latest locals back. */
  release(count: number): void {
    this.#locals -= count;
  }

  /** Names declared by `emit` end with it. */
  scope(emit: () => void): void {
    const before = this.#locals;
    this.#scopes.push(new Map());
    emit();
    this.#scopes.pop();
    this.#locals = before;
  }

  // ---- blocks ----

  get depth(): number {
    return this.#depth;
  }

  /** Opens a block, a loop or a branch of an `if`. */
  open(op: number = Op.block, result: number = NO_RESULT): void {
    this.emit(op, result);
    this.#depth++;
  }

  end(): void {
    this.emit(Op.end);
    this.#depth--;
  }

  block(inside: () => void): void {
    this.open();
    inside();
    this.end();
  }

  /** To the end of the block, or the start of the loop, that was opened as number `depth`. */
  branch(op: number, depth: number): void {
    this.emit(op, this.#depth - depth);
  }

  /** Statements of `emit` can leave for the innermost block. */
  inside(how: Exit["how"], label: string | undefined, emit: () => void, isNearest = true): void {
    this.#exits.push({ how, label, isNearest, depth: this.#depth });
    emit();
    this.#exits.pop();
  }

  leave(how: Exit["how"], label: string | undefined): void {
    const exit = this.#exits.findLast(
      (e) => e.how === how && (label === undefined ? e.isNearest : e.label === label),
    );
    if (!exit) throw new NotStepCode(`${how} ${label ?? ""} leads nowhere`);
    this.branch(Op.br, exit.depth);
  }
}

/** Targets of `break` and `continue`. */
interface Exit {
  readonly how: "break" | "continue";
  readonly label: string | undefined;
  /** Found without its label. */
  readonly isNearest: boolean;
  readonly depth: number;
}
