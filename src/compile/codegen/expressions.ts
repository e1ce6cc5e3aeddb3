/**
 * Expressions as JavaScript text.
 *
 * A value is a 32-bit signed integer, a test a JavaScript boolean. Operations that can fail call `bad(site)`, which
 * records the fault and returns 0; the emitter of the statement then tests `fault` (see `Emitter.takeFaultFlag`).
 */
import type { Expr, Pattern, Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import type { Layout } from "../layout.js";
import type { ChannelShapes } from "./channels.js";
import { constantOf } from "./constants.js";
import { Places } from "./places.js";
import { emitAt, emitEnabled, emitPriority, emitRemote, processNumber } from "./remote.js";
import { stateOf, type Scope } from "./scope.js";
import { Unsupported } from "./unsupported.js";

export class Emitter {
  readonly program: Program;
  readonly layout: Layout;
  readonly analysis: Analysis;
  readonly shapes: ChannelShapes;
  readonly places = new Places(this);
  #temporaries = 0;
  #canFault = false;

  constructor(program: Program, layout: Layout, analysis: Analysis, shapes: ChannelShapes) {
    this.program = program;
    this.layout = layout;
    this.analysis = analysis;
    this.shapes = shapes;
  }

  /** A name for a value used twice; the enclosing function declares them all. */
  temporary(): string {
    return `t${++this.#temporaries}`;
  }

  /** Declares the temporaries since the last call. */
  takeTemporaries(): string {
    const names = Array.from({ length: this.#temporaries }, (_, i) => `t${i + 1}`);
    this.#temporaries = 0;
    return names.length > 0 ? `let ${names.map((n) => `${n} = 0`).join(", ")};` : "";
  }

  /** Can anything emitted since the last call of `takeFaultFlag` record a fault? */
  get canFault(): boolean {
    return this.#canFault;
  }

  /** The same; the next call starts anew. */
  takeFaultFlag(): boolean {
    const canFault = this.#canFault;
    this.#canFault = false;
    return canFault;
  }

  bad(site: number): string {
    this.#canFault = true;
    return `bad(${site})`;
  }

  // ---- values ----

  value(e: Expr, scope: Scope): string {
    const known = constantOf(e, this.layout, scope);
    if (known !== undefined) return String(known);
    switch (e.kind) {
      case "constant":
        return String(e.value | 0);
      case "load":
        return this.places.load(e.place, scope);
      case "unary":
        if (e.op === "!") return this.#asNumber(this.test(e, scope));
        return e.op === "-" ? `(-${this.value(e.operand, scope)} | 0)` : `(~${this.value(e.operand, scope)})`;
      case "binary":
        return this.#binary(e, scope);
      case "conditional":
        return `(${this.test(e.test, scope)} ? ${this.value(e.then, scope)} : ${this.value(e.otherwise, scope)})`;
      case "length":
        return this.shapes.length(this, e.channel, scope, e.site);
      case "channel-test":
      case "poll":
      case "timeout":
      case "no-progress":
      case "accepting":
      case "enabled":
      case "at":
        return this.#asNumber(this.test(e, scope));
      case "self":
        return scope.pid;
      case "process-count":
        return "np";
      case "last":
        return this.places.scalar(this.layout.last!, scope, 0);
      case "control-point":
        return `numberOf(${stateOf(scope)}, ${processNumber(this, e.process, scope, e.site)})`;
      case "priority":
        return emitPriority(this, e, scope);
      case "remote":
        return emitRemote(this, e, scope);
    }
  }

  test(e: Expr, scope: Scope): string {
    const known = constantOf(e, this.layout, scope);
    if (known !== undefined) return String(known !== 0);
    switch (e.kind) {
      case "unary":
        if (e.op === "!") return `!${this.test(e.operand, scope)}`;
        break;
      case "binary":
        switch (e.op) {
          case "&&":
          case "||":
            return `(${this.test(e.left, scope)} ${e.op} ${this.test(e.right, scope)})`;
          case "==":
          case "!=":
            return `(${this.value(e.left, scope)} ${e.op}= ${this.value(e.right, scope)})`;
          case "<":
          case "<=":
          case ">":
          case ">=":
            return `(${this.value(e.left, scope)} ${e.op} ${this.value(e.right, scope)})`;
          default:
        }
        break;
      case "channel-test":
        return this.shapes.test(this, e.test, e.channel, scope, e.site);
      case "poll":
        return this.shapes.poll(this, e, scope);
      case "timeout": // only the first statement of a sequence can wait for it; inside an indivisible step it lasts
        // sound: test/compile/cases/control.test.ts
        return scope.array === "s" || scope.isInStep ? "timeout" : "false";
      case "no-progress":
        return `noProgress(${stateOf(scope)})`;
      case "accepting":
        return `isAccepting(${stateOf(scope)})`;
      case "enabled":
        if (scope.array === "w") throw new Unsupported("enabled() inside an indivisible sequence");
        return emitEnabled(this, e, scope);
      case "at":
        return emitAt(this, e, scope);
      default:
    }
    return `(${this.value(e, scope)} !== 0)`;
  }

  #asNumber(test: string): string {
    return test === "true" ? "1" : test === "false" ? "0" : `(${test} ? 1 : 0)`;
  }

  #binary(e: Expr & { kind: "binary" }, scope: Scope): string {
    const left = () => this.value(e.left, scope);
    const right = () => this.value(e.right, scope);
    switch (e.op) {
      case "+":
      case "-":
        return `(${left()} ${e.op} ${right()} | 0)`;
      case "*":
        return `Math.imul(${left()}, ${right()})`;
      case "/":
      case "%": {
        const divisor = constantOf(e.right, this.layout, scope);
        // sound: test/compile/cases/values.test.ts
        if (divisor !== undefined && divisor !== 0) return `(${left()} ${e.op} ${divisor} | 0)`;
        const r = this.temporary();
        // sound: test/compile/cases/values.test.ts
        return `((${r} = ${right()}) === 0 ? ${this.bad(e.site)} : ${left()} ${e.op} ${r} | 0)`;
      }
      case "<<":
      case ">>":
      case "&":
      case "^":
      case "|":
        return `(${left()} ${e.op} ${right()})`;
      default:
        return this.#asNumber(this.test(e, scope));
    }
  }

  /** Do the matching fields of a message agree? `field(i)` is the text of field `i`. */
  matches(pattern: readonly Pattern[], scope: Scope, field: (index: number) => string): string[] {
    return pattern.flatMap((p, i) =>
      // sound: test/compile/cases/channels.test.ts
      p.kind === "match" ? [`${field(i)} === ${this.value(p.value, scope)}`] : [],
    );
  }

  /**
   * Always-true tests before the message is read: a random receive or poll evaluates all operands first, as in Spin, so
   * that a fault in a later field does not depend on the first.
   */
  computed(pattern: readonly Pattern[], scope: Scope): string[] {
    const values = pattern.flatMap((p) => (p.kind === "match" ? [this.value(p.value, scope)] : []));
    // sound: test/compile/cases/channels.test.ts
    return values.filter((text) => text.includes("bad(")).map((text) => `(${text}, true)`);
  }
}
