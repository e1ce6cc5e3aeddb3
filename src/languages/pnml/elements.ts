/** Access to the elements and labels of a net, in the spellings of several tools. */
import type { Span } from "../../model/diagnostic.js";
import { isAside } from "./known.js";
import type { XmlElement } from "../toolkit/xml.js";
import { nth } from "../../model/known.js";

/** All elements of all pages, except the contents of drawings and tool data. */
export function descendantsOf(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [...root.children].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    if (isAside(next.name)) continue;
    for (let i = next.children.length - 1; i >= 0; i--) waiting.push(nth(next.children, i));
  }
  return found;
}

export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((one) => one.name === name);

/** Element with the content of a label: `<text>`, or `<value>` or the label itself, as some tools write it. */
export const holderOf = (label: XmlElement): XmlElement =>
  child(label, "text") ?? child(label, "value") ?? label; // sound: test/languages/pnml.test.ts

/** Text and position of a label such as `<capacity>`. */
export function valueOf(
  element: XmlElement,
  name: string,
): { readonly text: string; readonly span: Span } | undefined {
  const label = child(element, name);
  return label && { text: holderOf(label).text.trim(), span: label.span };
}

export function nameOf(element: XmlElement): string | undefined {
  const name = child(element, "name");
  const text = name && holderOf(name).text.replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

/** Reads `<type value="inhibitor"/>`, `<arctype><text>inhibitor</text></arctype>` and the attribute; tools differ. */
export function kindOf(arc: XmlElement): string {
  const labels = [child(arc, "type"), child(arc, "arctype")].filter((label) => label !== undefined);
  const said = [
    arc.attributes.get("type"),
    ...labels.flatMap((label) => [label.attributes.get("value"), holderOf(label).text]),
  ];
  const kinds = new Set(said.map((kind) => kind?.trim().toLowerCase() ?? ""));
  kinds.delete("");
  return [...kinds].join(", ") || "normal"; // sound: test/languages/pnml.test.ts
}
