/**
 * Expressions and places as JavaScript text.
 *
 * A value is a 32-bit signed integer, a test a JavaScript boolean. What can fail calls `bad(site)`, which notes
 * the fault and gives 0; whoever emits the statement then looks at `fault` (see `Emitter.takeFaultFlag`).
 */
import type { Expr, Pattern, Place, Program, Span } from "../../model/index.js";
import {
  bitInSeries,
  type Layout,
  type RecordLayout,
  type ScalarSlot,
  type Series,
  type Slot,
} from "../layout.js";
import type { Analysis } from "../analyse.js";
import { binary, unary } from "../../model/arithmetic.js";
import {
  based,
  deposit,
  extract,
  positionOf,
  sum,
  truncated,
  within,
  word,
  type Position,
  type Scope,
} from "./scope.js";
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
    const known = this.constant(e, scope);
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
        return `numberOf(${state(scope)}, ${this.#processNumber(e.process, scope, e.site)})`;
      case "priority":
        return this.#priority(e, scope);
      case "remote":
        return this.#remote(e, scope);
    }
  }

  test(e: Expr, scope: Scope): string {
    const known = this.constant(e, scope);
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
        return `noProgress(${state(scope)})`;
      case "accepting":
        return `isAccepting(${state(scope)})`;
      case "enabled":
        if (scope.array === "w") throw new Unsupported("enabled() inside an indivisible sequence");
        return this.#enabled(e, scope);
      case "at":
        return this.#at(e, scope);
      default:
    }
    return `(${this.value(e, scope)} !== 0)`;
  }

  /** The value when it is known before the program runs: also that of a variable which this process never changes. */
  constant(e: Expr, scope: Scope): number | undefined {
    switch (e.kind) {
      case "constant":
        return e.value | 0;
      case "self":
        return literal(scope.pid);
      case "load":
        return this.#constantLoad(e.place, scope);
      case "unary": {
        const v = this.constant(e.operand, scope);
        if (v === undefined) return undefined;
        return unary(e.op, v);
      }
      case "binary": {
        const l = this.constant(e.left, scope);
        if (l === undefined) return undefined;
        if (e.op === "&&" && l === 0) return 0;
        if (e.op === "||" && l !== 0) return 1;
        const r = this.constant(e.right, scope);
        if (r === undefined) return undefined;
        return r === 0 && (e.op === "/" || e.op === "%") ? undefined : binary(e.op, l, r);
      }
      case "conditional": {
        const test = this.constant(e.test, scope);
        return test === undefined ? undefined : this.constant(test !== 0 ? e.then : e.otherwise, scope);
      }
      default:
        return undefined;
    }
  }

  /** A variable that takes no room always has the same value: a store of another one does not go unnoticed. */
  #constantLoad(place: Place, scope: Scope): number | undefined {
    const { bits, base } = this.#slotOf(place, scope);
    if (bits > 0) return undefined;
    const isInRange = place.path.every((step) => {
      if (step.kind === "field") return true;
      const index = this.constant(step.index, scope);
      return index !== undefined && index >= 0 && index < step.length;
    });
    return isInRange ? base : undefined;
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
        const divisor = this.constant(e.right, scope);
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
    return based(extract(word(scope, ...a.words), a.shift, a.slot.bits, a.slot.signed), a.slot.base);
  }

  /** A scalar that needs no bits; its index is still checked. */
  #constantSlot({ slot, words, shift }: Address): string {
    const indices = [...words, shift].filter((w) => /bad\(/.test(String(w)));
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

  /** For a narrowed slot: statements that check that `value` fits, and the text of what is stored after them. */
  fit(slot: ScalarSlot, value: string): [check: string, kept: string] {
    const cut = truncated(value, slot.declared.bits, slot.declared.signed);
    const known = literal(cut);
    if (known !== undefined) {
      const raw = known - slot.base;
      const fits = raw >= 0 && raw < 2 ** slot.bits;
      return [fits ? "" : `wide(${slot.narrowedLeaf});`, String(raw)];
    }
    const t = this.temporary();
    const isOutside = slot.bits === 0 ? `${t} !== 0` : `${t} >>> ${slot.bits} !== 0`;
    return [`${t} = ${based(cut, -slot.base)}; if (${isOutside}) wide(${slot.narrowedLeaf});`, t];
  }

  #deposit({ slot, words, shift }: Address, value: string, scope: Scope): string {
    return this.#storeAt(scope, words, shift, slot.bits, value);
  }

  /** Reads a control field whose record starts at that word, or one that stands `bit` bits behind a position. */
  scalar(slot: ScalarSlot, scope: Scope, from: string | number | Position): string {
    const { word: w, shift } = place(from, slot.bit);
    return based(extract(word(scope, w), shift, slot.bits, slot.signed), slot.base);
  }

  setScalar(slot: ScalarSlot, scope: Scope, from: string | number | Position, value: string): string {
    const { word: w, shift } = place(from, slot.bit);
    return this.#storeAt(scope, [w], shift, slot.bits, based(value, -slot.base));
  }

  #storeAt(
    scope: Scope,
    words: readonly (string | number)[],
    shift: number | string,
    bits: number,
    value: string,
  ): string {
    const isPlain = (text: string | number): boolean => /^[\w +]+$/.test(String(text));
    if (bits === 32 || (words.every(isPlain) && isPlain(shift)))
      return deposit(word(scope, ...words), shift, bits, value);
    const k = this.temporary();
    const at = scope.array === "w" ? sum("o", ...words) : sum(...words);
    if (isPlain(shift)) return `${k} = ${at}; ${deposit(`${scope.array}[${k}]`, shift, bits, value)}`;
    const t = this.temporary();
    return `${k} = ${at}; ${t} = ${shift}; ${deposit(`${scope.array}[${k}]`, t, bits, value)}`;
  }

  #address(place: Place, scope: Scope): Address {
    const slots = place.scope === "global" ? this.layout.globals : scope.record!.locals;
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
      if (typeof index === "number") bit += bitInSeries(array, index);
      else {
        const [words, bits] = this.inSeries(array, index, array.length);
        dynamicWords.push(...words);
        dynamicBits.push(...bits);
      }
      slot = array.element;
      bit += slot.bit;
    }
    if (slot.kind !== "scalar") throw new Error("a place ends in a scalar");
    const shift = dynamicBits.length === 0 ? bit & 31 : sum(...dynamicBits, bit & 31);
    return { slot, words: [...dynamicWords, bit >> 5], shift };
  }

  /** Where number `index` (text) of a series of `length` stands: words and bits to add. */
  inSeries(series: Series, index: string, length: number): [words: string[], bits: string[]] {
    const { stride, perWord } = series;
    if (stride % 32 === 0 && stride > 0) return [[times(index, stride / 32)], []];
    if (length <= perWord) return [[], [times(index, stride)]];
    const t = this.temporary();
    const set = `(${t} = ${index})`;
    if (Number.isInteger(Math.log2(perWord)))
      return [[`(${set} >> ${Math.log2(perWord)})`], [times(`(${t} & ${perWord - 1})`, stride)]];
    return [[`(${set} / ${perWord} | 0)`], [times(`${t} % ${perWord}`, stride)]];
  }

  /** An index, checked against the length unless it is known to be in range. */
  index(step: Place["path"][number] & { kind: "index" }, scope: Scope): number | string {
    const known = this.constant(step.index, scope);
    if (known !== undefined && known >= 0 && known < step.length) return known;
    const text = this.value(step.index, scope);
    if (this.#fitsBelow(step.index, step.length, scope)) return text;
    const t = this.temporary();
    return `((${t} = ${text}) >>> 0 < ${step.length} ? ${t} : ${this.bad(step.site)})`;
  }

  /** Is the index, by the room of the variable it is read from, always in range? */
  #fitsBelow(e: Expr, length: number, scope: Scope): boolean {
    if (e.kind !== "load") return false;
    const { bits, signed, base } = this.#slotOf(e.place, scope);
    return !signed && bits < 31 && base + 2 ** bits <= length;
  }

  #slotOf(place: Place, scope: Scope): ScalarSlot {
    const slots = place.scope === "global" ? this.layout.globals : scope.record!.locals;
    let slot: Slot = slots[place.variable]!;
    for (const step of place.path) {
      if (slot.kind === "record" && step.kind === "field") slot = slot.fields[step.field]!;
      else if (slot.kind === "array") slot = slot.element;
    }
    if (slot.kind !== "scalar") throw new Error("a place ends in a scalar");
    return slot;
  }

  // ---- other processes ----

  /** Number of a process; one that is not there is a fault. */
  #processNumber(process: Expr, scope: Scope, site: number): string {
    const t = this.temporary();
    return `((${t} = ${this.value(process, scope)}) >>> 0 < np ? ${t} : ${this.bad(site)})`;
  }

  #priority(e: Expr & { kind: "priority" }, scope: Scope): string {
    if (!this.program.rules.usesPriorities) return "1";
    return `priorityOf(${state(scope)}, ${this.#processNumber(e.process, scope, e.site)})`;
  }

  /** The process that a remote reference names, or -1 when it does not exist. */
  #remoteProcess(e: Expr & { kind: "at" | "remote" }, scope: Scope): string {
    if (!e.process) return `findProcess(${state(scope)}, ${e.template})`;
    return `processOf(${state(scope)}, ${e.template}, ${this.value(e.process, scope)})`;
  }

  #at(e: Expr & { kind: "at" }, scope: Scope): string {
    const process = this.temporary();
    const location = this.temporary();
    const read = `(${location} = locationOf(${state(scope)}, ${process}), true)`;
    const any = e.locations.map((l) => `${location} === ${l}`).join(" || ") || "false";
    return `((${process} = ${this.#remoteProcess(e, scope)}) >= 0 && ${read} && (${any}))`;
  }

  #remote(e: Expr & { kind: "remote" }, scope: Scope): string {
    const process = this.temporary();
    const there = (base: string, record: RecordLayout): string =>
      this.load(e.place, { array: scope.array, pid: "-1", base, record });
    const { kind, records } = this.layout.processes;
    const load =
      kind === "blocks"
        ? there(`B[${process}]`, records[e.template]!)
        : records
            .flatMap((r, p) =>
              r.template === e.template ? [`${process} === ${p} ? ${there("0", r)} : `] : [],
            )
            .join("") + "0";
    return `((${process} = ${this.#remoteProcess(e, scope)}) >= 0 ? ${load} : ${this.bad(e.site)})`;
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
  readonly words: readonly (string | number)[];
  /** Bit in the word: text when it is only known at run time. */
  readonly shift: number | string;
}

/** What stands `bit` bits behind the word or position. */
const place = (from: string | number | Position, bit: number): Position =>
  typeof from === "object" ? within(from, bit) : positionOf(from, bit);

/** The array and the offset of a state in it, as arguments. */
const state = ({ array }: Scope): string => (array === "w" ? "w, o" : "s, 0");

const times = (text: string, factor: number): string => (factor === 1 ? text : `${text} * ${factor}`);

const literal = (text: string): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined);
