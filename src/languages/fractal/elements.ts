/** Elements of XML as definitions. Reports everything that it does not interpret. */
import type { Span } from "../../model/index.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { XmlElement } from "../toolkit/xml.js";
import type {
  DeclaredContent,
  DeclaredInterface,
  DeclaredOperation,
  DeclaredPart,
  DeclaredPlan,
  Definition,
} from "./ast.js";
import { readTypes } from "./types.js";
import type { Types } from "./ast.js";

/** By element: attributes, and elements inside. The first attributes are needed. */
const known: Readonly<
  Record<string, { readonly needed: string[]; readonly other: string[]; readonly inside: string[] }>
> = {
  definition: {
    needed: ["name"],
    other: ["errors", "subcontrol"],
    inside: ["types", "interface", "content", "component", "binding", "deployment", "reconfiguration"],
  },
  component: {
    needed: ["name"],
    other: ["definition"],
    inside: ["interface", "content", "component", "binding", "deployment"],
  },
  interface: { needed: ["name", "role", "signature"], other: ["contingency", "cardinality"], inside: [] },
  content: { needed: [], other: ["class"], inside: ["behaviour"] },
  behaviour: { needed: [], other: ["file", "format"], inside: [] },
  binding: { needed: ["client", "server"], other: [], inside: [] },
  types: { needed: [], other: ["file"], inside: [] },
  deployment: { needed: [], other: ["start"], inside: ["op"] },
  reconfiguration: { needed: [], other: [], inside: ["op"] },
  op: {
    needed: ["name"],
    other: ["component", "in", "client", "server", "definition", "states", "by"],
    inside: [],
  },
};

export interface TypesHere {
  readonly types: Types;
  /** The text of a file beside this one, or undefined after a diagnostic. */
  textOf(path: string, span: Span): { readonly file: string; readonly text: string } | undefined;
}

export class Elements {
  readonly #error: ReportError;
  readonly #here: TypesHere;

  constructor(error: ReportError, here: TypesHere) {
    this.#error = error;
    this.#here = here;
  }

  definition(element: XmlElement): Definition {
    this.#check(element);
    const all = (name: string): XmlElement[] => element.children.filter((child) => child.name === name);
    const one = (name: string): XmlElement | undefined => {
      const [first, second] = all(name);
      if (second) this.#error("fractal/duplicate", second.span, `a second \`<${name}>\``);
      return first;
    };
    for (const types of all("types")) this.#types(types);
    const content = one("content");
    const deployment = one("deployment");
    const reconfiguration = one("reconfiguration");
    return {
      name: element.attributes.get("name") ?? "",
      interfaces: all("interface").map((each) => this.#interface(each)),
      content: content && this.#content(content),
      parts: all("component").map((each) => this.#part(each)),
      bindings: all("binding").map((each) => {
        this.#check(each);
        const { attributes, span } = each;
        return { client: attributes.get("client") ?? "", server: attributes.get("server") ?? "", span };
      }),
      deployment: deployment && this.#plan(deployment),
      reconfiguration: reconfiguration && this.#plan(reconfiguration),
      errors: element.attributes.get("errors"),
      subcontrol: element.attributes.get("subcontrol"),
      span: element.span,
    };
  }

  #types(element: XmlElement): void {
    this.#check(element);
    const file = element.attributes.get("file");
    if (file === undefined)
      return readTypes(element.text, element.span.file, element.span.end, this.#here.types, this.#error);
    const read = this.#here.textOf(file, element.span);
    if (read) readTypes(read.text, read.file, 0, this.#here.types, this.#error);
  }

  #interface(element: XmlElement): DeclaredInterface {
    this.#check(element);
    const { attributes, span } = element;
    const role = attributes.get("role") ?? "client";
    if (role !== "client" && role !== "server")
      this.#error("fractal/role", span, `'${role}' is no role`, "role is client or server");
    const cardinality = attributes.get("cardinality") ?? "singleton";
    if (cardinality !== "singleton")
      this.#error(
        "fractal/cardinality",
        span,
        "only singleton interfaces are checked",
        "declare each interface",
      );
    const contingency = attributes.get("contingency") ?? "optional";
    if (contingency !== "mandatory" && contingency !== "optional")
      this.#error("fractal/contingency", span, `contingency is mandatory or optional, not '${contingency}'`);
    const name = attributes.get("name") ?? "";
    if (name !== "" && !NAME.test(name))
      this.#error("fractal/name", span, `'${name}' is no name of an interface`);
    return {
      name,
      isServer: role === "server",
      type: attributes.get("signature") ?? "",
      isMandatory: contingency === "mandatory",
      span,
    };
  }

  #content(element: XmlElement): DeclaredContent {
    this.#check(element);
    const [behaviour, second] = element.children.filter(({ name }) => name === "behaviour");
    if (second) this.#error("fractal/duplicate", second.span, "a second `<behaviour>`");
    if (!behaviour) return { behaviour: undefined, span: element.span };
    this.#check(behaviour);
    const { attributes, text, span } = behaviour;
    const format = attributes.get("format") ?? "Aldebaran";
    if (format !== "Aldebaran" && format !== "pLTS")
      this.#error("fractal/format", span, `the format of a behaviour is Aldebaran or pLTS, not '${format}'`);
    return {
      behaviour: { file: attributes.get("file"), text, at: span.end, format, span },
      span: element.span,
    };
  }

  #part(element: XmlElement): DeclaredPart {
    const own = this.definition(element);
    const { attributes, span } = element;
    const name = attributes.get("name") ?? "";
    if (name !== "" && !NAME.test(name))
      this.#error("fractal/name", span, `'${name}' is no name of a component`);
    return { name, definition: attributes.get("definition"), own, span };
  }

  #plan(element: XmlElement): DeclaredPlan {
    this.#check(element);
    const start = element.attributes.get("start") ?? "yes";
    if (start !== "yes" && start !== "no")
      this.#error("fractal/start", element.span, `start is yes or no, not '${start}'`);
    const operations = element.children.map((child): DeclaredOperation => {
      this.#check(child);
      return { name: child.attributes.get("name") ?? "", attributes: child.attributes, span: child.span };
    });
    return { starts: start !== "no", operations, span: element.span };
  }

  #check({ name, attributes, children, text, span }: XmlElement): void {
    const rule = known[name];
    if (!rule) return;
    for (const needed of rule.needed)
      if ((attributes.get(needed) ?? "") === "")
        this.#error("fractal/missing", span, `\`<${name}>\` needs the attribute '${needed}'`);
    const allowed = [...rule.needed, ...rule.other];
    for (const attribute of attributes.keys())
      // sound: test/languages/fractal.test.ts
      if (!allowed.includes(attribute))
        this.#error(
          "fractal/unknown-attribute",
          span,
          `\`<${name}>\` has no attribute '${attribute}'`,
          suggest(attribute, allowed),
        );
    for (const child of children)
      // sound: test/languages/fractal.test.ts
      if (!rule.inside.includes(child.name))
        this.#error(
          "fractal/unknown-element",
          child.span,
          `\`<${child.name}>\` in \`<${name}>\` is not known: it may change the behaviour`,
          suggest(child.name, rule.inside),
        );
    if (text.trim() !== "" && name !== "types" && name !== "behaviour")
      this.#error("fractal/text", span, `text in \`<${name}>\` means nothing here`);
  }
}

const NAME = /^[A-Za-z_][\w-]*$/;
