/**
 * Sites of faults. A search must know all sites in advance, but exceptions are only discovered during execution: so
 * sites are preallocated and assigned on discovery.
 */
import type { FaultKind, Property, Site, Span } from "../../model/index.js";
import type { Journal, Table } from "../../model/journal.js";
import { nth, entryOf } from "../../model/known.js";

export class Sites {
  readonly all: Site[] = [];
  readonly #span: Span;
  readonly #known = new Map<string, number>();
  /** By kind and owner. */
  readonly #free = new Map<string, number[]>();
  /** Numbering shared by several threads. */
  readonly #shared: Table | undefined;

  /** `span`: position of faults without a known one. `owners`: names of properties with separate sites. */
  constructor(span: Span, owners: readonly string[], journal?: Journal) {
    this.#span = span;
    this.#shared = journal?.table((_, key, note) => this.#take(key, JSON.parse(note) as Found));
    for (const owner of owners) this.#stock("event", STOCK_OF_OWNER, owner);
    for (const kind of ["assertion", "error"] as const) this.#stock(kind, STOCK);
  }

  /**
   * The number of a site: calls distinguish errors with equal messages. After exhaustion, errors share the last site.
   */
  find(kind: "assertion" | "error", message: string, stack: readonly Span[]): number {
    const calls = stack.slice(0, CALLS).map(({ file, start }) => `${file} ${start}`);
    return this.#number([kind, message, ...calls], { kind, message, span: stack[0] ?? this.#span });
  }

  /** Site of a property of messages violated in that way, with the message of the first violation. */
  ofMessage(property: string, message: string, kind: string): number {
    return this.#number(["event", property, kind], {
      kind: "event",
      message,
      span: this.#span,
      owner: property,
    });
  }

  #stock(kind: FaultKind, count: number, owner?: string): void {
    const first = this.all.length;
    for (let i = 0; i < count; i++) this.all.push(new FoundSite(kind, this.#span, owner));
    this.#free.set(
      `${kind} ${owner ?? ""}`,
      Array.from({ length: count }, (_, i) => first + i),
    );
  }

  #number(words: readonly string[], found: Found): number {
    const key = JSON.stringify(words);
    if (!this.#known.has(key)) this.#note(key, found);
    return entryOf(this.#known, key);
  }

  #note(key: string, found: Found): void {
    if (this.#shared) this.#shared.number(key, () => JSON.stringify(found));
    else this.#take(key, found);
  }

  #take(key: string, { kind, message, span, owner }: Found): void {
    const free = entryOf(this.#free, `${kind} ${owner ?? ""}`);
    const number = this.#known.get(key) ?? (free.length > 1 ? free.shift()! : nth(free, 0));
    (this.all[number] as FoundSite).fill(message, span);
    this.#known.set(key, number);
  }
}

const STOCK = 64;
const STOCK_OF_OWNER = 16;
/** Number of innermost calls that distinguish errors. */
const CALLS = 3;

interface Found {
  readonly kind: FaultKind;
  readonly message: string;
  readonly span: Span;
  readonly owner?: string;
}

class FoundSite implements Site {
  readonly fault: FaultKind;
  readonly owner?: string;
  message = "";
  span: Span;

  constructor(fault: FaultKind, span: Span, owner?: string) {
    this.fault = fault;
    this.span = span;
    if (owner !== undefined) this.owner = owner;
  }

  fill(message: string, span: Span): void {
    this.message = message;
    this.span = span;
  }
}

export const generalProperties: readonly Property[] = [
  { name: "assertions", kind: "assertion", span: undefined },
  { name: "exceptions", kind: "runtime", span: undefined },
];
