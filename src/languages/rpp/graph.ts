/**
 * Builds control-flow graphs of tasks. Only statements with an effect become edges: the branches of `choose` leave one
 * location, and the end of a loop's body is its start.
 */
import type { Span } from "../../model/diagnostic.js";
import { errorsTo, type Report, type ReportError } from "../toolkit/diagnostics.js";
import type { Statement, TaskTree } from "./syntax.js";

export interface TaskGraph {
  readonly name: string;
  readonly span: Span;
  /** Reachable locations; 0 is initial. */
  readonly locations: readonly number[];
  readonly edges: readonly Edge[];
  readonly waits: readonly Wait[];
  readonly returns: readonly ReturnEdge[];
  readonly errors: readonly { readonly from: number; readonly span: Span }[];
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly span: Span;
  readonly text: string;
  readonly posts?: { readonly task: string; readonly region: string };
}

export interface Wait {
  readonly from: number;
  readonly region: string;
  readonly span: Span;
  /** Successor location by value. */
  readonly branches: ReadonlyMap<string, number>;
  /** Successor location for all other values; undefined: none. */
  readonly otherwise: number | undefined;
}

export interface ReturnEdge {
  readonly from: number;
  readonly value: string;
  readonly span: Span;
}

export function graphOf(task: TaskTree, report: Report): TaskGraph {
  return new Builder(report).build(task);
}

class Builder {
  readonly #report: Report;
  readonly #error: ReportError;
  #locations = 1;
  readonly #edges: Edge[] = [];
  readonly #waits: Wait[] = [];
  readonly #returns: ReturnEdge[] = [];
  readonly #errors: { readonly from: number; readonly span: Span }[] = [];
  /** Locations with several outgoing statements. */
  readonly #shared = new Set<number>();

  constructor(report: Report) {
    this.#report = report;
    this.#error = errorsTo(report);
  }

  build({ name, span, body }: TaskTree): TaskGraph {
    this.#sequence(body, 0, undefined, undefined, span);
    return {
      name,
      span,
      locations: this.#used(),
      edges: this.#edges,
      waits: this.#waits,
      returns: this.#returns,
      errors: this.#errors,
    };
  }

  /**
   * Lowers statements between two locations. `to` undefined means the end of the task; `after` is the target of
   * `break`.
   */
  #sequence(
    statements: readonly Statement[],
    from: number,
    to: number | undefined,
    after: number | undefined,
    span: Span,
  ): void {
    let at = from;
    for (const [index, statement] of statements.entries()) {
      const isLast = index === statements.length - 1;
      const next = isLast && to !== undefined ? to : undefined;
      const end = this.#statement(statement, at, next, after, isLast && to === undefined);
      if (end === undefined) {
        const following = statements[index + 1];
        if (following) this.#unreachable(following.span);
        return;
      }
      at = end;
    }
    if (statements.length === 0 && to !== undefined && to !== from)
      this.#edges.push({ from, to, span, text: "skip" });
  }

  /** Returns the final location of the statement; undefined if control does not continue. */
  #statement(
    statement: Statement,
    from: number,
    next: number | undefined,
    after: number | undefined,
    endsTask: boolean,
  ): number | undefined {
    const { span } = statement;
    const target = (): number => next ?? this.#locations++;
    switch (statement.kind) {
      case "skip": {
        const to = target();
        if (to !== from) this.#edges.push({ from, to, span, text: "skip" });
        return to;
      }
      case "post": {
        const to = target();
        const { task, region } = statement;
        const posts = { task: task.name, region: region.name };
        this.#edges.push({ from, to, span, text: `post ${task.name} in ${region.name}`, posts });
        return to;
      }
      case "return":
        this.#returns.push({ from, value: statement.value.name, span });
        return undefined;
      case "error":
        this.#errors.push({ from, span });
        return undefined;
      case "break":
        if (after === undefined) this.#error("rpp/stray-break", span, "`break` is outside a loop");
        else if (after !== from) this.#edges.push({ from, to: after, span, text: "break" });
        return undefined;
      case "await":
        this.#error(
          "rpp/wait-for-all",
          span,
          "waiting for all tasks of a region is not possible: it would need a test for zero",
          "`ewait` waits for the first task to return",
        );
        return from;
      case "choose": {
        const to = target();
        this.#shared.add(from);
        for (const branch of statement.branches) this.#sequence(branch, from, to, after, span);
        return to;
      }
      case "loop":
        return this.#loop(statement, from, next, endsTask);
      case "ewait": {
        const to = target();
        const branches = new Map<string, number>();
        for (const { value, body, span: place } of statement.branches) {
          const begin = body.length === 0 ? to : this.#locations++;
          if (branches.has(value))
            this.#error("rpp/duplicate-value", place, `\`${value}\` has a branch already`);
          branches.set(value, begin);
          if (body.length > 0) this.#sequence(body, begin, to, after, place);
        }
        const otherwise = branches.get("*");
        branches.delete("*");
        this.#waits.push({ from, region: statement.region.name, span, branches, otherwise });
        return to;
      }
    }
  }

  #loop(
    { body, span }: Statement & { readonly kind: "loop" },
    from: number,
    next: number | undefined,
    endsTask: boolean,
  ): number | undefined {
    const leaves = breaksOut(body);
    // A separate head keeps iterations from returning to the choice.
    const head = this.#shared.has(from) ? this.#locations++ : from;
    if (head !== from) this.#edges.push({ from, to: head, span, text: "loop" });
    const to = leaves || (next !== undefined && !endsTask) ? (next ?? this.#locations++) : undefined;
    this.#sequence(body, head, head, leaves ? to : head, span);
    return leaves ? to : undefined;
  }

  /** Excludes the location after a choice whose branches all end the task or leave the loop. */
  #used(): number[] {
    const mentioned = [
      ...this.#edges.flatMap(({ from, to }) => [from, to]),
      ...this.#waits.flatMap(({ from, branches, otherwise }) => [from, ...branches.values(), otherwise ?? 0]),
      ...[...this.#returns, ...this.#errors].map(({ from }) => from),
    ];
    return [...new Set([0, ...mentioned])].toSorted((a, b) => a - b);
  }

  #unreachable(span: Span): void {
    this.#report({
      code: "rpp/unreachable",
      severity: "warning",
      message: "this is never reached",
      span,
    });
  }
}

/** Whether a `break` leaves this loop (and not a nested one). */
function breaksOut(statements: readonly Statement[]): boolean {
  return statements.some((statement) => {
    switch (statement.kind) {
      case "break":
        return true;
      case "choose":
        return statement.branches.some(breaksOut);
      case "ewait":
        return statement.branches.some(({ body }) => breaksOut(body));
      default:
        return false;
    }
  });
}
