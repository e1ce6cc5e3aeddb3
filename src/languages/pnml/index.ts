/**
 * Place/transition nets in the Petri Net Markup Language (`.pnml`), as a `Net`.
 *
 * In: text. Out: a net, or diagnostics. `xml.ts` reads the elements, this file gives them their meaning. Targets are asked on the
 * command line. What makes it no place/transition net (inhibitor and reset arcs, colours, capacities, priorities)
 * is refused, each by its name and where it stands.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { MOST_TOKENS, tokensOf, type Net, type NetPlace, type NetTransition } from "../../model/net.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import { parseXml, type XmlElement } from "./xml.js";

export interface LoadedPnml {
  /** Absent when a diagnostic is an error. */
  readonly net: Net | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadPnml(file: string, text: string): LoadedPnml {
  const { root, diagnostics: syntax } = parseXml(file, text);
  if (!root) return { net: undefined, diagnostics: syntax };
  const diagnostics: Diagnostic[] = [];
  const net = new Meaning((diagnostic) => void diagnostics.push(diagnostic)).document(root, file);
  return { net: hasErrors(diagnostics) ? undefined : net, diagnostics: inTextOrder(diagnostics) };
}

class Meaning {
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #places = new Map<string, number>();
  readonly #transitions = new Map<string, number>();
  /** Reference nodes, and what they stand for. */
  readonly #references = new Map<string, string>();
  readonly #names: (NetPlace & { readonly id: string })[] = [];
  readonly #initial: number[] = [];
  readonly #drafts: Draft[] = [];
  readonly #usedNames = new Set<string>();

  constructor(report: (diagnostic: Diagnostic) => void) {
    this.#report = report;
  }

  document(root: XmlElement, file: string): Net | undefined {
    if (root.name !== "pnml") {
      this.#error("pnml/not-pnml", root.span, `the outermost element is \`<${root.name}>\`, not \`<pnml>\``);
      return undefined;
    }
    const [net, second] = root.children.filter(({ name }) => name === "net");
    if (!net) {
      this.#error("pnml/not-pnml", root.span, "there is no `<net>`");
      return undefined;
    }
    if (second) this.#error("pnml/several-nets", second.span, "only one net in a file can be checked");
    this.#type(net);
    const elements = everything(net);
    for (const element of elements) this.#node(element);
    for (const element of elements) if (element.name === "arc") this.#arc(element);
    const name = nameOf(net) ?? file.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
    return {
      kind: "net",
      name,
      places: this.#names,
      transitions: this.#drafts.map(transitionOf),
      initial: this.#initial,
      properties: [],
    };
  }

  #type(net: XmlElement): void {
    const type = net.attributes.get("type") ?? "";
    const coloured = /symmetricnet|highlevelnet|hlpng|hlnet|coloured|colored/i.exec(type);
    if (!coloured) return;
    this.#error(
      "pnml/coloured",
      net.span,
      `a net of type '${type}' has colours`,
      "unfold it to a place/transition net first",
    );
  }

  #node(element: XmlElement): void {
    const id = element.attributes.get("id");
    switch (element.name) {
      case "place":
        return this.#place(element, this.#identifier(id, element));
      case "transition":
        return this.#transition(element, this.#identifier(id, element));
      case "referencePlace":
      case "referenceTransition":
        this.#references.set(this.#identifier(id, element), element.attributes.get("ref") ?? "");
        return;
      case "hlinitialMarking":
      case "hlinscription":
      case "declaration":
      case "condition":
        this.#error(
          "pnml/coloured",
          element.span,
          `\`<${element.name}>\`: this net has colours`,
          "unfold it to a place/transition net first",
        );
    }
  }

  #identifier(id: string | undefined, { span, name }: XmlElement): string {
    if (id === undefined) this.#error("pnml/no-id", span, `\`<${name}>\` has no id`);
    else if (this.#places.has(id) || this.#transitions.has(id) || this.#references.has(id))
      this.#error("pnml/duplicate-id", span, `the id '${id}' is used twice`);
    return id ?? "";
  }

  #place(element: XmlElement, id: string): void {
    this.#refuseValue(element, "capacity", "pnml/capacity", "a capacity", (value) => value > 0);
    this.#places.set(id, this.#names.length);
    this.#names.push({ id, name: this.#unique(nameOf(element) ?? id, id), span: element.span });
    this.#initial.push(this.#count(child(element, "initialMarking"), 0));
  }

  #transition(element: XmlElement, id: string): void {
    this.#refuseValue(element, "priority", "pnml/priority", "a priority", (value) => value > 1);
    this.#transitions.set(id, this.#drafts.length);
    this.#drafts.push({
      name: nameOf(element) ?? id,
      span: element.span,
      takes: new Map(),
      gives: new Map(),
      tests: new Map(),
    });
  }

  #arc(arc: XmlElement): void {
    const kind = kindOf(arc);
    if (!["normal", "test", "read"].includes(kind)) {
      const what =
        kind === "inhibitor" || kind === "reset"
          ? `${kind === "reset" ? "a reset" : "an inhibitor"} arc`
          : `an arc of type '${kind}'`;
      const code =
        kind === "inhibitor" ? "pnml/inhibitor" : kind === "reset" ? "pnml/reset" : "pnml/arc-type";
      this.#error(
        code,
        arc.span,
        `${what} is not supported: this is no place/transition net`,
        "a place/transition net has normal and test arcs only",
      );
      return;
    }
    const weight = this.#count(child(arc, "inscription"), 1);
    const from = this.#end(arc, "source");
    const to = this.#end(arc, "target");
    if (from === undefined || to === undefined) return;
    if (weight === 0) return this.#error("pnml/bad-number", arc.span, "an arc moves at least one token");
    const fromPlace = this.#places.get(from);
    const toPlace = this.#places.get(to);
    const draft = this.#drafts[this.#transitions.get(fromPlace === undefined ? from : to) ?? -1];
    if (!draft || (fromPlace === undefined) === (toPlace === undefined))
      return this.#error("pnml/bad-arc", arc.span, "an arc joins a place and a transition");
    const counts = kind !== "normal" ? draft.tests : fromPlace === undefined ? draft.gives : draft.takes;
    const place = fromPlace ?? toPlace!;
    // Several arcs between the same two take together; several tests ask for the largest.
    const before = counts.get(place) ?? 0;
    counts.set(place, kind === "normal" ? before + weight : Math.max(before, weight));
  }

  /** The id of a place or transition; references are followed. */
  #end(arc: XmlElement, end: "source" | "target"): string | undefined {
    let id = arc.attributes.get(end) ?? "";
    for (let hops = 0; this.#references.has(id) && hops <= this.#references.size; hops++)
      id = this.#references.get(id)!;
    if (this.#places.has(id) || this.#transitions.has(id)) return id;
    this.#error("pnml/unknown-node", arc.span, `the ${end} of the arc, '${id}', is no place or transition`);
    return undefined;
  }

  /** The number in `<text>`, or in `<value>` with the name of the only token class before it. */
  #count(element: XmlElement | undefined, otherwise: number): number {
    const holder = element && (child(element, "text") ?? child(element, "value"));
    if (!element || !holder) return otherwise;
    const text = holder.text.trim();
    const found = /^(?:[^,]*,)?\s*(\d+)$/.exec(text);
    if (!found) this.#error("pnml/bad-number", holder.span, `'${text.slice(0, 40)}' is no number of tokens`);
    else if (Number(found[1]) > MOST_TOKENS)
      this.#error(
        "pnml/too-large",
        holder.span,
        `${found[1]} is too large: at most ${MOST_TOKENS} tokens can be counted`,
      );
    else return Number(found[1]);
    return otherwise;
  }

  #refuseValue(
    element: XmlElement,
    name: string,
    code: string,
    what: string,
    isRefused: (value: number) => boolean,
  ): void {
    const holder = child(element, name);
    const text = (holder && (child(holder, "text") ?? child(holder, "value")))?.text.trim();
    if (!holder || text === undefined || !isRefused(Number(text))) return;
    this.#error(code, holder.span, `${what} makes it no place/transition net`);
  }

  /** Two places may have the same name in a drawing; here names are how one speaks of them. */
  #unique(name: string, id: string): string {
    const unique = this.#usedNames.has(name) ? `${name} (${id})` : name;
    this.#usedNames.add(unique);
    return unique;
  }

  #error(code: string, span: Span, message: string, hint?: string): void {
    this.#report({ code, severity: "error", message, span, ...(hint ? { hint } : {}) });
  }
}

interface Draft {
  readonly name: string;
  readonly span: Span;
  readonly takes: Map<number, number>;
  readonly gives: Map<number, number>;
  readonly tests: Map<number, number>;
}

function transitionOf({ name, span, takes, gives, tests }: Draft): NetTransition {
  const places = new Set([...takes.keys(), ...gives.keys(), ...tests.keys()]);
  const guard = new Map([...places].map((p) => [p, Math.max(takes.get(p) ?? 0, tests.get(p) ?? 0)]));
  const effect = new Map([...places].map((p) => [p, (gives.get(p) ?? 0) - (takes.get(p) ?? 0)]));
  return { name, span, guard: tokensOf(guard), effect: tokensOf(effect) };
}

/** All elements below, on whatever page; what tools add for themselves is left out. */
function everything(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [...root.children].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.name === "toolspecific") continue;
    found.push(next);
    for (let i = next.children.length - 1; i >= 0; i--) waiting.push(next.children[i]!);
  }
  return found;
}

const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((one) => one.name === name);

/** `<name><text>…</text></name>`, or `<value>` as some tools write it. */
function nameOf(element: XmlElement): string | undefined {
  const name = child(element, "name");
  const text = (name && (child(name, "text") ?? child(name, "value")))?.text.replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

/** `<type value="inhibitor"/>`, `<arctype><text>inhibitor</text></arctype>` or an attribute, as tools write it. */
function kindOf(arc: XmlElement): string {
  const type = child(arc, "type") ?? child(arc, "arctype");
  const said =
    arc.attributes.get("type") ??
    type?.attributes.get("value") ??
    (type && (child(type, "text") ?? type).text);
  return said?.trim().toLowerCase() || "normal";
}
