/** Labels as a JavaScript expression: `table.get("10.0.0.2").next[3]`. */
import { nth } from "../../model/known.js";
export function accessExpression(labels: readonly string[]): string {
  const text = labels.map(accessPart).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}

function accessPart(label: string): string {
  const property = /^(?:get|set)?[0-7]?\.([^]*)$/.exec(label);
  if (property) return keyPart(nth(property, 1));
  const key = /^v(?:string:([^]*)|(\w+):([^]*))$/.exec(label);
  if (key) return key[1] === undefined ? `.get(${key[3]})` : `.get(${JSON.stringify(key[1])})`;
  const position = /^([kve])#?(\d+)$/.exec(label);
  if (position) return `${{ k: ".keys()", v: ".values()", e: "" }[nth(position, 1)]}[${position[2]}]`;
  if (label === "^") return ".__proto__";
  if (label.startsWith("@") || label.startsWith("sym@")) return `[Symbol(${label.replace(/^\w*@/, "")})]`;
  return label.startsWith("w") ? ".#private" : `.${label}`;
}

/** Access to a property: `.next`, `[3]`, `["a b"]`. */
export function keyPart(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
