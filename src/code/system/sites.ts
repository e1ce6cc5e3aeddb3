/**
 * What can go wrong in a system of nodes. A search wants to know all places of faults before it begins, but which
 * exceptions code throws is only known when it does: so there is a stock of places, which are filled as they are met.
 */
import type { FaultKind, Property, Site, Span } from "../../model/index.js";
import type { Journal, Table } from "./journal.js";

export class Sites {
  readonly all: Site[] = [];
  readonly #span: Span;
  readonly #known = new Map<string, number>();
  readonly #free = new Map<FaultKind, number[]>();
  /** Where several threads number places together. */
  readonly #shared: Table | undefined;

  /** `span`: where faults stand whose place is not known yet. `owners`: properties with a place each, by their names. */
  constructor(span: Span, owners: readonly string[], journal?: Journal) {
    this.#span = span;
    this.#shared = journal?.table((_, key, note) => this.#take(key, JSON.parse(note) as Found));
    for (const owner of owners) {
      this.#known.set(`event ${owner}`, this.all.length);
      this.all.push(new FoundSite("event", span, owner));
    }
    for (const kind of ["assertion", "error"] as const) {
      const first = this.all.length;
      for (let i = 0; i < STOCK; i++) this.all.push(new FoundSite(kind, span));
      this.#free.set(
        kind,
        Array.from({ length: STOCK }, (_, i) => first + i),
      );
    }
  }

  /** The number of the place; what comes after the stock is used up shares the last place. */
  find(kind: "assertion" | "error", message: string, span: Span | undefined): number {
    const key = `${kind} ${message} ${span?.file ?? ""} ${span?.start ?? 0}`;
    if (!this.#known.has(key)) this.#note(key, { kind, message, span: span ?? this.#span });
    return this.#known.get(key)!;
  }

  /** The place of a property of messages, with what was wrong the first time. */
  ofMessage(property: string, message: string): number {
    const number = this.#known.get(`event ${property}`)!;
    const { message: told, span } = this.all[number]!;
    if (told === "") this.#note(`event ${property}`, { kind: "event", message, span });
    return number;
  }

  #note(key: string, found: Found): void {
    if (this.#shared) this.#shared.number(key, () => JSON.stringify(found));
    else this.#take(key, found);
  }

  #take(key: string, { kind, message, span }: Found): void {
    const free = this.#free.get(kind) ?? [];
    const number = this.#known.get(key) ?? (free.length > 1 ? free.shift()! : free[0]!);
    (this.all[number] as FoundSite).fill(message, span);
    this.#known.set(key, number);
  }
}

const STOCK = 64;

interface Found {
  readonly kind: FaultKind;
  readonly message: string;
  readonly span: Span;
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
