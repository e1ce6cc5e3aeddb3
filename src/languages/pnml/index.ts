/**
 * Place/transition nets in the Petri Net Markup Language (`.pnml`).
 *
 * In: text. Out: a `Net` or diagnostics. `xml.ts` parses, `elements.ts` reads labels, this file interprets them.
 * Targets come from the command line. Supports reset and test arcs. Refuses inhibitor arcs, colours, capacities,
 * priorities and modules, each with a code and a position.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { MOST_TOKENS, type Net, type NetPlace } from "../../model/net.js";
import { errorsTo, inTextOrder, type Report, type ReportError } from "../toolkit/diagnostics.js";
import { stemOf } from "../toolkit/names.js";
import { transitionOf, type Draft } from "./draft.js";
import { child, descendantsOf, holderOf, kindOf, nameOf, valueOf } from "./elements.js";
import { isSingle, knownAttributes, knownChildren, mayHoldText } from "./known.js";
import { parseXml, type XmlElement } from "../toolkit/xml.js";
import { entryOf, known } from "../../model/known.js";

export interface LoadedPnml {
  /** Absent if a diagnostic is an error. */
  readonly net: Net | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadPnml(file: string, text: string): LoadedPnml {
  const { root, diagnostics: syntax } = parseXml(file, text, "pnml/syntax");
  if (!root) return { net: undefined, diagnostics: syntax };
  const diagnostics: Diagnostic[] = [];
  const net = new Meaning((diagnostic) => void diagnostics.push(diagnostic)).document(root, file);
  return { net: hasErrors(diagnostics) ? undefined : net, diagnostics: inTextOrder(diagnostics) };
}

class Meaning {
  readonly #report: Report;
  readonly #error: ReportError;
  readonly #places = new Map<string, number>();
  readonly #transitions = new Map<string, number>();
  /** Reference nodes by id; nodes without an id cannot be referred to. */
  readonly #references = new Map<string, XmlElement>();
  readonly #arcs = new Set<string>();
  /** The only token class named so far. */
  #tokenClass: string | undefined;
  readonly #priorities: { readonly value: number; readonly span: Span }[] = [];
  #times: Span | undefined;
  readonly #names: (NetPlace & { readonly id: string; readonly title: string })[] = [];
  readonly #initial: number[] = [];
  readonly #drafts: Draft[] = [];
  readonly #usedNames = new Set<string>();

  constructor(report: Report) {
    this.#report = report;
    this.#error = errorsTo(report);
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
    this.#checkContents(root);
    this.#checkContents(net);
    const elements = descendantsOf(net);
    for (const element of elements) this.#checkContents(element);
    for (const element of elements) this.#node(element);
    for (const element of this.#references.values()) this.#checkReference(element);
    for (const element of elements) if (element.name === "arc") this.#arc(element);
    for (const draft of this.#drafts) this.#checkWeights(draft);
    this.#checkPriorities();
    const name = nameOf(net) ?? stemOf(file);
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
        if (id !== undefined) this.#references.set(this.#identifier(id, element), element);
        return this.#checkUnmarked(element);
      case "instance":
      case "module":
        return this.#error(
          "pnml/modules",
          element.span,
          `\`<${element.name}>\`: this net is put together from modules`,
          "expand the modules first",
        );
      case "delay":
      case "interval":
        this.#times ??= element.span;
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
        return;
      case "arc":
        return;
    }
  }

  /** Reports all elements, attributes and text that could affect behaviour but are not interpreted. */
  #checkContents(element: XmlElement): void {
    const children = knownChildren(element.name);
    const single = new Set<string>();
    for (const { name, span } of element.children) {
      // sound: test/languages/pnml.test.ts
      if (children && !children.includes(name) && !NAMED.includes(name))
        this.#error(
          "pnml/unknown-element",
          span,
          `\`<${name}>\` in \`<${element.name}>\` is not known: it may change the behaviour of the net`,
          "if it changes nothing, remove it or put it into <toolspecific>",
        );
      // sound: test/languages/pnml.test.ts
      if (isSingle(name) && single.has(name))
        this.#error("pnml/duplicate-label", span, `\`<${element.name}>\` has a second \`<${name}>\``);
      single.add(name);
    }
    // sound: test/languages/pnml.test.ts
    if (element.text.trim() !== "" && !mayHoldText(element.name, single))
      this.#error("pnml/stray-text", element.span, `text in \`<${element.name}>\` means nothing here`);
    const attributes = knownAttributes(element.name);
    for (const name of element.attributes.keys())
      // sound: test/languages/pnml.test.ts
      if (attributes && !attributes.includes(name))
        this.#error(
          "pnml/unknown-attribute",
          element.span,
          `the attribute '${name}' of \`<${element.name}>\` is not known: it may change the behaviour of the net`,
          "write markings, weights and the like as elements: <initialMarking><text>1</text></initialMarking>",
        );
  }

  #identifier(id: string | undefined, { span, name }: XmlElement): string {
    if (id === undefined) this.#error("pnml/no-id", span, `\`<${name}>\` has no id`);
    else if ([this.#places, this.#transitions, this.#references, this.#arcs].some((ids) => ids.has(id)))
      this.#error("pnml/duplicate-id", span, `the id '${id}' is used twice`);
    return id ?? "";
  }

  #place(element: XmlElement, id: string): void {
    const capacity = valueOf(element, "capacity");
    // Tools write 0 for an unbounded place.
    // sound: test/languages/pnml.test.ts
    if (capacity && !/^(0*|inf(inity)?)$/i.test(capacity.text))
      this.#error("pnml/capacity", capacity.span, "a capacity makes it no place/transition net");
    this.#places.set(id, this.#names.length);
    const title = nameOf(element) ?? id;
    this.#names.push({ id, title, name: this.#unique(title, id), span: element.span });
    this.#initial.push(this.#count(child(element, "initialMarking"), 0));
  }

  #transition(element: XmlElement, id: string): void {
    const priority = valueOf(element, "priority");
    this.#priorities.push({
      value: priority && priority.text !== "" ? Number(priority.text) : 1,
      span: (priority ?? element).span,
    });
    if (valueOf(element, "timed")?.text === "true") this.#times ??= element.span;
    this.#transitions.set(id, this.#drafts.length);
    this.#drafts.push({
      name: nameOf(element) ?? id,
      span: element.span,
      takes: new Map(),
      gives: new Map(),
      tests: new Map(),
      resets: new Set(),
    });
  }

  /** Equal priorities impose no order. */
  #checkPriorities(): void {
    const [first] = this.#priorities;
    const other = this.#priorities.find(({ value }) => value !== first?.value); // sound: test/languages/pnml.test.ts
    if (other) this.#error("pnml/priority", other.span, "priorities make it no place/transition net");
    if (!this.#times) return;
    this.#report({
      code: "pnml/times",
      severity: "warning",
      message: "times are not read: every transition can wait as long as it likes, and happen at once",
      span: this.#times,
    });
  }

  /** Checks that a reference resolves to a node of its kind. */
  #checkReference(element: XmlElement): void {
    const id = entryOf(element.attributes, "id");
    const kind = element.name === "referencePlace" ? "place" : "transition";
    const node = this.#resolve(id);
    const nodes = kind === "place" ? this.#places : this.#transitions;
    // sound: test/languages/pnml.test.ts
    if (!nodes.has(node))
      this.#error(
        "pnml/bad-reference",
        element.span,
        node === id ? `'${id}' refers to no ${kind}` : `'${id}' refers to '${node}', which is not a ${kind}`,
      );
  }

  /** Reports tokens on a reference, which would be lost. */
  #checkUnmarked(element: XmlElement): void {
    const marking = child(element, "initialMarking");
    // sound: test/languages/pnml.test.ts
    if (marking && this.#count(marking, 0) > 0)
      this.#error("pnml/bad-reference", marking.span, "a reference cannot have tokens");
  }

  /** Follows references; the bound on hops ends a cycle. */
  #resolve(id: string): string {
    let meant = id;
    for (let hops = 0; this.#references.has(meant) && hops <= this.#references.size; hops++)
      meant = entryOf(this.#references, meant).attributes.get("ref") ?? "";
    return meant;
  }

  #checkWeights({ takes, gives, name, span }: Draft): void {
    const most = Math.max(0, ...takes.values(), ...gives.values());
    // sound: test/languages/pnml.test.ts
    if (most > MOST_TOKENS)
      this.#error("pnml/too-large", span, `the arcs of '${name}' move more than ${MOST_TOKENS} tokens`);
  }

  #arc(arc: XmlElement): void {
    const id = arc.attributes.get("id");
    // Duplicate arcs are ambiguous: a repetition, or twice the weight.
    if (id !== undefined) this.#arcs.add(this.#identifier(id, arc));
    const kind = kindOf(arc);
    // sound: test/languages/pnml.test.ts
    if (!["normal", "test", "read", "reset"].includes(kind)) {
      const what = kind === "inhibitor" ? "an inhibitor arc" : `an arc of type '${kind}'`;
      const code = kind === "inhibitor" ? "pnml/inhibitor" : "pnml/arc-type";
      this.#error(
        code,
        arc.span,
        `${what} is not supported: this is not a place/transition net`,
        "only normal, test and reset arcs are read",
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
    // sound: test/languages/pnml.test.ts
    if (!draft || (fromPlace === undefined) === (toPlace === undefined))
      return this.#error("pnml/bad-arc", arc.span, "an arc joins a place and a transition");
    // sound: test/languages/pnml.test.ts
    if (kind !== "normal" && fromPlace === undefined)
      return this.#error("pnml/bad-arc", arc.span, `a ${kind} arc leads from a place to a transition`);
    const place = known(fromPlace ?? toPlace, "the place of an arc");
    if (kind === "reset") return void draft.resets.add(place);
    const counts = kind !== "normal" ? draft.tests : fromPlace === undefined ? draft.gives : draft.takes;
    // Parallel normal arcs add up; of parallel test arcs the largest counts.
    const before = counts.get(place) ?? 0;
    counts.set(place, kind === "normal" ? before + weight : Math.max(before, weight));
  }

  /** Resolves one end of an arc to the id of a place or transition. */
  #end(arc: XmlElement, end: "source" | "target"): string | undefined {
    const id = this.#resolve(arc.attributes.get(end) ?? "");
    if (this.#places.has(id) || this.#transitions.has(id)) return id;
    this.#error(
      "pnml/unknown-node",
      arc.span,
      `the ${end} of the arc, '${id}', is not a place or transition`,
    );
    return undefined;
  }

  /** Parses a number, optionally prefixed with the token class. */
  #count(element: XmlElement | undefined, otherwise: number): number {
    const holder = element && holderOf(element);
    const text = holder?.text.trim() ?? "";
    if (!holder || text === "") return otherwise;
    const found = /^(?:([^,]*),)?\s*(\d+)$/.exec(text);
    if (!found)
      this.#error("pnml/bad-number", holder.span, `'${text.slice(0, 40)}' is not a number of tokens`);
    else if (Number(found[2]) > MOST_TOKENS)
      this.#error(
        "pnml/too-large",
        holder.span,
        `${found[2]} is too large: at most ${MOST_TOKENS} tokens can be counted`,
      );
    else {
      if (found[1] !== undefined && Number(found[2]) > 0) this.#checkUncoloured(found[1].trim(), holder.span);
      return Number(found[2]);
    }
    return otherwise;
  }

  #checkUncoloured(tokenClass: string, span: Span): void {
    this.#tokenClass ??= tokenClass;
    // sound: test/languages/pnml.test.ts
    if (this.#tokenClass !== tokenClass)
      this.#error(
        "pnml/coloured",
        span,
        `tokens are '${this.#tokenClass}' and '${tokenClass}': this net has colours`,
        "unfold it to a place/transition net first",
      );
  }

  /** Distinguishes places of equal title: properties refer to places by name. */
  #unique(name: string, id: string): string {
    let unique = name;
    while (this.#usedNames.has(unique)) unique = `${unique} (${id})`;
    this.#usedNames.add(unique);
    return unique;
  }
}

/** Elements with a specific error or warning. */
const NAMED = [
  "instance",
  "module",
  "delay",
  "interval",
  "hlinitialMarking",
  "hlinscription",
  "declaration",
  "condition",
];
