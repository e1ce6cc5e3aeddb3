/**
 * What can go wrong in a system of nodes. A search wants to know all places of faults before it begins, but which
 * exceptions code throws is only known when it does: so there is a stock of places, which are filled as they are met.
 */
import type { FaultKind, Property, Site, Span } from "../../model/index.js";

export class Sites {
  readonly all: Site[] = [];
  readonly #span: Span;
  readonly #known = new Map<string, number>();
  readonly #free = new Map<FaultKind, number[]>();

  /** `span`: where faults stand whose place is not known yet. `owners`: properties with a place each, by their names. */
  constructor(span: Span, owners: readonly string[]) {
    this.#span = span;
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
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const free = this.#free.get(kind)!;
    const number = free.length > 1 ? free.shift()! : free[0]!;
    (this.all[number] as FoundSite).fill(message, span ?? this.#span);
    this.#known.set(key, number);
    return number;
  }

  /** The place of a property of messages, with what was wrong the first time. */
  ofMessage(property: string, message: string): number {
    const number = this.#known.get(`event ${property}`)!;
    const site = this.all[number] as FoundSite;
    if (site.message === "") site.fill(message, site.span);
    return number;
  }
}

const STOCK = 64;

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
