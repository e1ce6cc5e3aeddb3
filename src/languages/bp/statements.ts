/** Lowers the statements of one thread; calls are inlined with new locals at every call site. */
import type { BooleanExpr } from "../../model/boolean.js";
import type { Span } from "../../model/diagnostic.js";
import type { Action, Block, FunctionTree, Named, Statement, ThreadTree, Tree } from "./ast.js";
import type { Flow, OpenLocation, OpenStep } from "./flow.js";
import { declareAll, type Declarations } from "./declarations.js";
import { and, not, StepExpressions, TRUE, type Scope } from "./scope.js";

/** More than this many steps come from calls inside calls inside calls. */
const MOST_STEPS = 200_000;

interface Context {
  readonly scope: Scope;
  readonly isAtomic: boolean;
  /** Assumed after every statement, in the scope of the block that states it. */
  readonly enforced: readonly { readonly condition: Tree; readonly scope: Scope }[];
  readonly frame: Frame;
}

/** One activation of a function, or the body of a thread. */
interface Frame {
  readonly name: string;
  readonly results: number;
  /** Where `return` leads, with the variables of the caller that receive the results. */
  readonly returnTo: OpenLocation;
  readonly targets: readonly number[];
  readonly caller: Context | undefined;
  readonly labels: Map<string, OpenLocation>;
  readonly jumps: { readonly from: OpenLocation; readonly target: Named; readonly step: OpenStep }[];
  /** Prefix of the names of locals. */
  readonly prefix: string;
}

type Assignments = OpenStep["assignments"];

export class ThreadLowering {
  readonly #declarations: Declarations;
  readonly #globals: Scope;
  readonly #thread: number;
  readonly #name: string;
  readonly #labels = new Map<string, Named[]>();
  #hasAssertions = false;
  #steps = 0;
  #isTooLarge = false;

  constructor(declarations: Declarations, globals: Scope, thread: number, name: string) {
    this.#declarations = declarations;
    this.#globals = globals;
    this.#thread = thread;
    this.#name = name;
  }

  lower({ body, span }: ThreadTree): Flow {
    const run = "name" in body ? this.#declarations.functions.get(body.name) : undefined;
    if ("name" in body && !run) this.#unknownFunction(body);
    if (run) this.#declarations.called.add(run.name);
    if (run && run.parameters.length > 0)
      this.#error("bp/arity", span, `\`${run.name}\` has parameters and cannot run as a thread`);
    const block: Block = "name" in body ? (run?.body ?? { variables: [], statements: [], end: span }) : body;
    const end = this.#location(block.end, false);
    const frame = this.#frame(run, this.#name, end, [], undefined, `${this.#name}.`);
    const scope = this.#globals.inner();
    for (const tree of block.variables)
      declareAll(tree, scope, this.#declarations, this.#thread, frame.prefix);
    const first = this.#statements(block, end, { scope, isAtomic: false, enforced: [], frame });
    this.#jump(frame);
    return { first, labels: this.#labels, hasAssertions: this.#hasAssertions };
  }

  /** Reports the errors of a function that nothing calls. */
  inspect({ name, parameters, span }: FunctionTree): void {
    const [at, next] = [this.#location(span, false), this.#location(span, false)];
    const frame = this.#frame(undefined, name, next, [], undefined, "");
    const context = { scope: this.#globals, isAtomic: false, enforced: [], frame };
    const args = parameters.map((parameter): Tree => ({ kind: "star", span: parameter.span }));
    this.#call({ kind: "call", targets: [], callee: { name, span }, args }, at, next, span, context);
  }

  #error(code: string, span: Span, message: string, hint?: string): void {
    this.#declarations.error(code, span, message, hint);
  }

  #unknownFunction({ name, span }: Named): void {
    this.#error("bp/unknown-function", span, `there is no function \`${name}\``);
  }

  #frame(
    callee: FunctionTree | undefined,
    name: string,
    returnTo: OpenLocation,
    targets: readonly number[],
    caller: Context | undefined,
    prefix: string,
  ): Frame {
    const results = callee?.results ?? 0;
    return { name, results, returnTo, targets, caller, labels: new Map(), jumps: [], prefix };
  }

  /** Sets the targets of all jumps of an activation. */
  #jump({ jumps, labels }: Frame): void {
    for (const { from, target, step } of jumps) {
      const to = labels.get(target.name);
      if (to) from.steps.push({ ...step, to });
      else this.#error("bp/unknown-label", target.span, `there is no label \`${target.name}\` here`);
    }
  }

  #location(span: Span, isAtomic: boolean): OpenLocation {
    return { steps: [], isAtomic, labels: [], span };
  }

  #statements(
    { statements }: Block,
    exit: OpenLocation,
    context: Context,
    entryIsAtomic?: boolean,
  ): OpenLocation {
    let next = exit;
    for (let index = statements.length - 1; index >= 0; index--) {
      const statement = statements[index];
      if (!statement) continue;
      const before = statements
        .slice(0, index + 1)
        .flatMap(({ what }) =>
          what.kind === "enforce" ? [{ condition: what.condition, scope: context.scope }] : [],
        );
      const own = { ...context, enforced: [...context.enforced, ...before] };
      const isAtomic = index === 0 && entryIsAtomic !== undefined ? entryIsAtomic : context.isAtomic;
      next = this.#statement(statement, next, own, isAtomic);
    }
    return next;
  }

  #statement(statement: Statement, next: OpenLocation, context: Context, isAtomic: boolean): OpenLocation {
    const { what, labels, span } = statement;
    const at = what.kind === "nothing" ? next : this.#location(span, isAtomic);
    for (const label of labels) this.#label(label, at, context.frame);
    const entry = this.#action(what, at, next, context, span);
    if (entry !== at) at.steps.push({ ...this.#step(entry, span, context), text: "atomic" });
    return at;
  }

  #label(label: Named, at: OpenLocation, { labels }: Frame): void {
    if (labels.has(label.name))
      this.#error("bp/duplicate-label", label.span, `the label \`${label.name}\` is used twice`);
    labels.set(label.name, at);
    at.labels.push(label.name);
    this.#labels.set(label.name, [...(this.#labels.get(label.name) ?? []), label]);
  }

  /** Gives `at` its steps, and returns it; or the location at which the action begins, one step after `at`. */
  #action(what: Action, at: OpenLocation, next: OpenLocation, context: Context, span: Span): OpenLocation {
    switch (what.kind) {
      case "nothing":
        break;
      case "skip":
      case "enforce":
        at.steps.push(this.#step(next, span, context));
        break;
      case "atomic_begin":
      case "atomic_end":
        at.steps.push({
          ...this.#step(next, span, context),
          control: what.kind === "atomic_begin" ? "begin" : "end",
        });
        break;
      case "goto":
        for (const target of what.targets)
          context.frame.jumps.push({ from: at, target, step: this.#step(next, span, context) });
        break;
      case "assume":
        at.steps.push(this.#test(what.condition, true, next, span, context));
        break;
      case "assert":
        this.#assert(what.condition, at, next, span, context);
        break;
      case "assign":
        at.steps.push(this.#assign(what, next, span, context));
        break;
      case "dead":
        at.steps.push(
          this.#step(next, span, context, (expressions) => ({
            assignments: this.#distinct(what.targets, context.scope).map((variable) => ({
              variable,
              value: expressions.choice(),
            })),
          })),
        );
        break;
      case "return":
        at.steps.push(this.#return(what.values, span, context));
        break;
      case "call":
        this.#call(what, at, next, span, context);
        break;
      case "if": {
        const then = this.#block(what.then, next, context);
        const otherwise = what.otherwise ? this.#block(what.otherwise, next, context) : next;
        at.steps.push(
          this.#test(what.condition, true, then, what.head, context),
          this.#test(what.condition, false, otherwise, what.head, context),
        );
        break;
      }
      case "while":
        at.steps.push(
          this.#test(what.condition, true, this.#block(what.body, at, context), what.head, context),
          this.#test(what.condition, false, next, what.head, context),
        );
        break;
      case "atomic":
        return this.#atomic(what.body, next, context, at);
    }
    return at;
  }

  /** A first statement that nothing jumps back to is itself the entry of the section. */
  #atomic(body: Block, next: OpenLocation, context: Context, at: OpenLocation): OpenLocation {
    const [first] = body.statements;
    const isSimple = first?.labels.length === 0 && body.variables.length === 0 && SIMPLE.has(first.what.kind);
    const inner = { ...context, isAtomic: true };
    if (!isSimple) return this.#block(body, next, inner);
    const entry = this.#statements(body, next, inner, at.isAtomic);
    at.steps.push(...entry.steps);
    return at;
  }

  /** A block inside a function: its locals are initialised whenever it is entered. */
  #block(block: Block, exit: OpenLocation, context: Context): OpenLocation {
    if (block.variables.length === 0) return this.#statements(block, exit, context);
    const scope = context.scope.inner();
    const own = { ...context, scope };
    const { frame } = context;
    const declared = block.variables.flatMap((tree) =>
      declareAll(tree, scope, this.#declarations, this.#thread, frame.prefix),
    );
    const first = this.#statements(block, exit, own);
    const span = block.variables[0]?.span ?? block.end;
    const entry = this.#location(span, context.isAtomic);
    entry.steps.push(
      this.#step(first, span, own, (expressions) => ({
        assignments: declared.map(({ variable, initial }) => ({
          variable,
          value: initial === "*" ? expressions.choice() : { kind: "constant", value: initial },
        })),
      })),
    );
    return entry;
  }

  #step(
    to: OpenLocation,
    span: Span,
    { enforced }: Context,
    effect: (expressions: StepExpressions) => {
      assignments?: Assignments;
      constraint?: BooleanExpr;
    } = () => ({}),
  ): OpenStep {
    if (++this.#steps > MOST_STEPS && !this.#isTooLarge) {
      this.#isTooLarge = true;
      this.#error(
        "bp/too-large",
        span,
        `with its calls inlined, the thread has more than ${MOST_STEPS} steps`,
      );
    }
    const expressions = new StepExpressions(this.#declarations.error);
    const { assignments = [], constraint = TRUE } = effect(expressions);
    const whole = enforced.reduce(
      (so, { condition, scope }) => and(so, expressions.lower(condition, scope, { after: true })),
      constraint,
    );
    const text = this.#declarations.text.slice(span.start, span.end).replace(/\s+/g, " ").replace(/;$/, "");
    return { to, choices: expressions.choices, assignments, constraint: whole, text, span };
  }

  #test(condition: Tree, isTrue: boolean, to: OpenLocation, span: Span, context: Context): OpenStep {
    const step = this.#step(to, span, context, (expressions) => {
      const tested = expressions.lower(condition, context.scope);
      return { constraint: isTrue ? tested : not(tested) };
    });
    return isTrue ? step : { ...step, text: `${step.text}: false` };
  }

  #assert(condition: Tree, at: OpenLocation, next: OpenLocation, span: Span, context: Context): void {
    this.#hasAssertions = true;
    const failed = this.#location(span, false);
    const bad = this.#test(condition, false, failed, span, { ...context, enforced: [] });
    const { start, end } = condition.span;
    failed.failed = this.#declarations.text.slice(start, end).replace(/\s+/g, " ");
    const text = this.#declarations.text.slice(span.start, span.end).replace(/\s+/g, " ").replace(/;$/, "");
    at.steps.push(this.#test(condition, true, next, span, context), { ...bad, text });
  }

  #assign(
    { targets, values, constraint }: Extract<Action, { kind: "assign" }>,
    next: OpenLocation,
    span: Span,
    context: Context,
  ): OpenStep {
    if (targets.length !== values.length)
      this.#error("bp/arity", span, `${targets.length} variables are assigned ${values.length} values`);
    const variables = this.#distinct(targets, context.scope);
    return this.#step(next, span, context, (expressions) => ({
      assignments: values.flatMap((tree, index) => {
        const value = expressions.lower(tree, context.scope);
        const variable = variables[index];
        return variable === undefined ? [] : [{ variable, value }];
      }),
      constraint: constraint ? expressions.lower(constraint, context.scope, { takesPrimes: true }) : TRUE,
    }));
  }

  #distinct(targets: readonly Named[], scope: Scope): number[] {
    const found: number[] = [];
    for (const target of targets) {
      const variable = scope.variable(target);
      if (variable === undefined) continue;
      if (found.includes(variable))
        this.#error("bp/assigned-twice", target.span, `\`${target.name}\` is assigned twice in one step`);
      found.push(variable);
    }
    return found;
  }

  #return(values: readonly Tree[], span: Span, context: Context): OpenStep {
    const { name, results, returnTo, targets, caller } = context.frame;
    if (values.length !== results)
      this.#error("bp/arity", span, `\`${name}\` returns ${results} values, not ${values.length}`);
    return this.#step(returnTo, span, caller ?? { ...context, enforced: [] }, (expressions) => ({
      assignments: values.flatMap((tree, index) => {
        const value = expressions.lower(tree, context.scope);
        const variable = targets[index];
        return variable === undefined ? [] : [{ variable, value }];
      }),
    }));
  }

  #call(
    { callee, targets, args }: Extract<Action, { kind: "call" }>,
    at: OpenLocation,
    next: OpenLocation,
    span: Span,
    context: Context,
  ): void {
    const called = this.#declarations.functions.get(callee.name);
    if (!called) return this.#unknownFunction(callee);
    this.#declarations.called.add(callee.name);
    const { parameters, results, body, name } = called;
    if (args.length !== parameters.length)
      this.#error("bp/arity", span, `\`${name}\` has ${parameters.length} parameters, not ${args.length}`);
    if (targets.length > 0 && targets.length !== results)
      this.#error("bp/arity", span, `\`${name}\` returns ${results} values, not ${targets.length}`);
    if (this.#isTooLarge) return;
    const receiving = this.#distinct(targets, context.scope);
    const frame = this.#frame(called, name, next, receiving, context, `${context.frame.prefix}${name}.`);
    const scope = this.#globals.inner();
    const own: Context = { scope, isAtomic: context.isAtomic, enforced: [], frame };
    const passed = declareAll(
      { names: parameters, values: undefined, span: called.span },
      scope,
      this.#declarations,
      this.#thread,
      frame.prefix,
    );
    const locals = body.variables.flatMap((tree) =>
      declareAll(tree, scope, this.#declarations, this.#thread, frame.prefix),
    );
    const end = this.#location(body.end, context.isAtomic);
    const first = this.#statements(body, end, own);
    this.#jump(frame);
    if (results === 0) end.steps.push(this.#step(next, body.end, context));
    else if (isReached(first, end))
      this.#error("bp/no-return", body.end, `\`${name}\` can end without returning its values`);
    at.steps.push(
      this.#step(first, span, { ...context, enforced: [] }, (expressions) => ({
        assignments: [
          ...args.flatMap((tree, index) => {
            const value = expressions.lower(tree, context.scope);
            const parameter = passed[index];
            return parameter ? [{ variable: parameter.variable, value }] : [];
          }),
          ...locals.map(({ variable, initial }): Assignments[number] => ({
            variable,
            value: initial === "*" ? expressions.choice() : { kind: "constant", value: initial },
          })),
        ],
      })),
    );
  }
}

const SIMPLE: ReadonlySet<Action["kind"]> = new Set(["skip", "assume", "assert", "assign", "dead"]);

function isReached(first: OpenLocation, wanted: OpenLocation): boolean {
  const seen = new Set([first]);
  for (const location of seen) for (const { to } of location.steps) seen.add(to);
  return seen.has(wanted);
}
