/**
 * Expressions and places as JavaScript text.
 *
 * A value is a 32-bit signed integer, a test a JavaScript boolean. What can fail calls `bad(site)`, which notes
 * the fault and gives 0; whoever emits the statement then looks at `fault` (see `Emitter.takeFaultFlag`).
 */
import type { Expr, Pattern, Place, Program, Span } from "../../model/index.js";
import type { Layout, ScalarSlot, Slot } from "../layout.js";
import type { Analysis } from "../analyse.js";
import { binary, unary } from "../../model/arithmetic.js";
import { deposit, extract, mask, sum, truncated, word, type Scope } from "./scope.js";
import type { ChannelShapes } from "./channels.js";

export class Emitter {
  readonly program: Program;
  readonly layout: Layout;
  readonly analysis: Analysis;
  readonly shapes: ChannelShapes;
  #temporaries = 0;
  #canFault = false;

  constructor(program: Program, layout: Layout, analysis: Analysis, shapes: ChannelShapes) {
    this.program = program;
    this.layout = layout;
    this.analysis = analysis;
    this.shapes = shapes;
  }

  /** A name for a value needed twice; the function being emitted declares them all. */
  temporary(): string {
    return `t${++this.#temporaries}`;
  }

  /** The declarations of the temporaries since the last call. */
  takeTemporaries(): string {
    const names = Array.from({ length: this.#temporaries }, (_, i) => `t${i + 1}`);
    this.#temporaries = 0;
    return names.length > 0 ? `let ${names.map((n) => `${n} = 0`).join(", ")};` : "";
  }

  /** Can anything emitted since the last call note a fault? */
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
    const known = this.constant(e);
    if (known !== undefined) return String(known);
    switch (e.kind) {
      case "constant":
        return String(e.value | 0);
      case "load":
        return this.load(e.place, scope);
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
        return this.scalar(this.layout.last!, scope, 0);
      case "control-point":
        return `numberAt(${scope.array}, ${sum(scope.array === "w" ? "o" : 0, this.#processBase(e.process, scope, e.site))})`;
      case "priority":
        return this.#priority(e, scope);
      case "remote":
        return this.#remote(e, scope);
    }
  }

  test(e: Expr, scope: Scope): string {
    const known = this.constant(e);
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
      case "timeout": // only the first statement of a sequence can wait for it
        return scope.array === "s" ? "timeout" : "false";
      case "no-progress":
        return `noProgress(${scope.array}, ${scope.array === "w" ? "o" : "0"})`;
      case "accepting":
        return `isAccepting(${scope.array}, ${scope.array === "w" ? "o" : "0"})`;
      case "enabled":
        if (scope.array === "w") throw new Unsupported("enabled() inside an indivisible sequence");
        return this.#enabled(e, scope);
      case "at":
        return this.#at(e, scope);
      default:
    }
    return `(${this.value(e, scope)} !== 0)`;
  }

  /** The value when it is known before the program runs. */
  constant(e: Expr): number | undefined {
    switch (e.kind) {
      case "constant":
        return e.value | 0;
      case "unary": {
        const v = this.constant(e.operand);
        if (v === undefined) return undefined;
        return unary(e.op, v);
      }
      case "binary": {
        const l = this.constant(e.left);
        const r = this.constant(e.right);
        if (l === undefined || r === undefined) return undefined;
        return r === 0 && (e.op === "/" || e.op === "%") ? undefined : binary(e.op, l, r);
      }
      default:
        return undefined;
    }
  }

  /** To ask about oneself is an error, as in Spin. */
  #enabled(e: Expr & { kind: "enabled" }, scope: Scope): string {
    const p = this.temporary();
    const isSelf = `(${p} = ${this.value(e.process, scope)}) === ${scope.pid}`;
    return `(${isSelf} ? ${this.bad(e.site)} !== 0 : canMove(${p}))`;
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
        const divisor = this.constant(e.right);
        if (divisor !== undefined && divisor !== 0) return `(${left()} ${e.op} ${divisor} | 0)`;
        const r = this.temporary();
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

  // ---- places ----

  load(place: Place, scope: Scope): string {
    const a = this.#address(place, scope);
    if (a.slot.bits === 0) return this.#constantSlot(a);
    if (a.bitText === undefined)
      return extract(word(scope, ...a.words), a.bit & 31, a.slot.bits, a.slot.signed);
    const t = this.temporary();
    const read = `${word(scope, ...a.words, `((${t} = ${a.bitText}) >> 5)`)} >>> ${t}`;
    const cut = `(${read} & ${mask(a.slot.bits)})`;
    return a.slot.signed ? `(${cut} << ${32 - a.slot.bits} >> ${32 - a.slot.bits})` : cut;
  }

  /** A scalar that needs no bits; its index is still checked. */
  #constantSlot({ slot, words, bitText }: Address): string {
    const indices = [...words, bitText ?? 0].filter((w) => /bad\(/.test(String(w)));
    return indices.length > 0 ? `(${indices.join(", ")}, ${slot.base})` : String(slot.base);
  }

  /** Statement that assigns `value` (text), truncating. */
  store(place: Place, value: string, scope: Scope): string {
    const a = this.#address(place, scope);
    if (a.slot.narrowedLeaf === undefined) return this.#deposit(a, value, scope);
    const [check, kept] = this.fit(a.slot, value);
    return a.slot.bits === 0
      ? `${this.#constantSlot(a)}; ${check}`
      : `${check} ${this.#deposit(a, kept, scope)}`;
  }

  /** For a narrowed slot: statements that check that `value` fits, and the text of the value after them. */
  fit(slot: ScalarSlot, value: string): [check: string, kept: string] {
    const cut = truncated(value, slot.declared.bits, slot.declared.signed);
    const known = literal(cut);
    if (known !== undefined) {
      const fits = slot.bits === 0 ? known === slot.base : known >= 0 && known < 2 ** slot.bits;
      return [fits ? "" : `wide(${slot.narrowedLeaf});`, cut];
    }
    const t = this.temporary();
    const isOutside = slot.bits === 0 ? `${t} !== ${slot.base}` : `${t} >>> ${slot.bits} !== 0`;
    return [`${t} = ${cut}; if (${isOutside}) wide(${slot.narrowedLeaf});`, t];
  }

  #deposit(a: Address, value: string, scope: Scope): string {
    if (a.bitText === undefined) return storeAt(scope, a.words, a.bit & 31, a.slot.bits, value, this);
    const t = this.temporary();
    const k = this.temporary();
    const at = scope.array === "w" ? sum("o", ...a.words, `(${t} >> 5)`) : sum(...a.words, `(${t} >> 5)`);
    const m = mask(a.slot.bits);
    return `${t} = ${a.bitText}; ${k} = ${at}; ${scope.array}[${k}] = ${scope.array}[${k}] & ~(${m} << ${t}) | (${value} & ${m}) << ${t};`;
  }

  /** Reads a control field or message field at a fixed bit, `base` words into the state. */
  scalar(slot: ScalarSlot, scope: Scope, base: string | number): string {
    return extract(word(scope, base, slot.bit >> 5), slot.bit & 31, slot.bits, slot.signed);
  }

  setScalar(slot: ScalarSlot, scope: Scope, base: string | number, value: string): string {
    return storeAt(scope, [base, slot.bit >> 5], slot.bit & 31, slot.bits, value, this);
  }

  #address(place: Place, scope: Scope): Address {
    const slots =
      place.scope === "global" ? this.layout.globals : this.layout.templates[scope.template]!.locals;
    let slot: Slot = slots[place.variable]!;
    let bit = slot.bit;
    const dynamicWords: string[] = place.scope === "global" ? [] : [scope.base];
    const dynamicBits: string[] = [];
    for (const step of place.path) {
      if (step.kind === "field") {
        slot = (slot as Slot & { kind: "record" }).fields[step.field]!;
        bit += slot.bit;
        continue;
      }
      const array: Slot & { kind: "array" } = slot as Slot & { kind: "array" };
      const index = this.index(step, scope);
      if (typeof index === "number") bit += index * array.stride;
      else if (array.stride % 32 === 0) dynamicWords.push(times(index, array.stride / 32));
      else dynamicBits.push(times(index, array.stride));
      slot = array.element;
      bit += slot.bit;
    }
    if (slot.kind !== "scalar") throw new Error("a place ends in a scalar");
    if (dynamicBits.length === 0)
      return { slot, bit, words: [...dynamicWords, bit >> 5], bitText: undefined };
    // The whole words of the fixed part stay out of the bit arithmetic.
    return { slot, bit, words: [...dynamicWords, bit >> 5], bitText: sum(...dynamicBits, bit & 31) };
  }

  /** An index, checked against the length unless it is known to be in range. */
  index(step: Place["path"][number] & { kind: "index" }, scope: Scope): number | string {
    const known = this.constant(step.index) ?? literal(this.value(step.index, scope));
    if (known !== undefined && known >= 0 && known < step.length) return known;
    const text = this.value(step.index, scope);
    if (this.#fitsBelow(step.index, step.length)) return text;
    const t = this.temporary();
    return `((${t} = ${text}) >>> 0 < ${step.length} ? ${t} : ${this.bad(step.site)})`;
  }

  /** Is the index, by the width of the variable it is read from, always in range? */
  #fitsBelow(e: Expr, length: number): boolean {
    return (
      e.kind === "load" && !e.place.type.signed && e.place.type.bits < 31 && 2 ** e.place.type.bits <= length
    );
  }

  // ---- other processes ----

  /** First word of a process's record; a process that is not there is a fault. */
  #processBase(process: Expr, scope: Scope, site: number): string {
    const t = this.temporary();
    return `B[(${t} = ${this.value(process, scope)}) >>> 0 < np ? ${t} : ${this.bad(site)}]`;
  }

  #priority(e: Expr & { kind: "priority" }, scope: Scope): string {
    const slots = this.layout.templates.map((t) => t.priority);
    if (!slots[0]) return "1";
    const base = this.temporary();
    const set = `(${base} = ${this.#processBase(e.process, scope, e.site)})`;
    return `(${set}, ${this.scalar(slots[0], scope, base)})`;
  }

  /** Base of the process that a remote reference names, or -1 when it does not exist. */
  #remoteBase(e: Expr & { kind: "at" | "remote" }, scope: Scope): string {
    const [array, offset] = [scope.array, scope.array === "w" ? "o" : "0"];
    if (!e.process) return `findProcess(${array}, ${offset}, ${e.template + 1})`;
    return `processOf(${array}, ${offset}, ${e.template + 1}, ${this.value(e.process, scope)})`;
  }

  #at(e: Expr & { kind: "at" }, scope: Scope): string {
    const base = this.temporary();
    const location = this.temporary();
    const read = `(${location} = ${this.scalar(this.layout.location, scope, base)}, true)`;
    const any = e.locations.map((l) => `${location} === ${l}`).join(" || ") || "false";
    return `((${base} = ${this.#remoteBase(e, scope)}) >= 0 && ${read} && (${any}))`;
  }

  #remote(e: Expr & { kind: "remote" }, scope: Scope): string {
    const base = this.temporary();
    const there: Scope = { array: scope.array, pid: "-1", base, template: e.template };
    return `((${base} = ${this.#remoteBase(e, scope)}) >= 0 ? ${this.load(e.place, there)} : ${this.bad(e.site)})`;
  }

  /** Do the matching fields of a message agree? `field(i)` is the text of field `i`. */
  matches(pattern: readonly Pattern[], scope: Scope, field: (index: number) => string): string[] {
    return pattern.flatMap((p, i) =>
      p.kind === "match" ? [`${field(i)} === ${this.value(p.value, scope)}`] : [],
    );
  }
}

/** Something the IR can say that the code generator cannot do. */
export class Unsupported extends Error {
  /** The statement that needs it. */
  readonly span: Span | undefined;

  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}

interface Address {
  readonly slot: ScalarSlot;
  readonly bit: number;
  readonly words: readonly (string | number)[];
  /** Position of the scalar in bits from `words`, when it is only known at run time. */
  readonly bitText: string | undefined;
}

function storeAt(
  scope: Scope,
  words: readonly (string | number)[],
  shift: number,
  bits: number,
  value: string,
  emitter: Emitter,
): string {
  const isPlain = words.every((w) => /^[\w ]+$/.test(String(w)));
  if (isPlain || bits === 32) return deposit(word(scope, ...words), shift, bits, value);
  const k = emitter.temporary();
  const at = scope.array === "w" ? sum("o", ...words) : sum(...words);
  return `${k} = ${at}; ${deposit(`${scope.array}[${k}]`, shift, bits, value)}`;
}

const times = (text: string, factor: number): string => (factor === 1 ? text : `${text} * ${factor}`);

const literal = (text: string): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined);
