/** Renders values as text, like Node. */

/** Formats like `console.log`: the first argument may contain `%s`, `%d`, `%i`, `%f`, `%j`, `%o`, `%O`, `%c`, `%%`. */
export function format(args: readonly unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== "string") return args.map(plain).join(" ");
  const text = first.replace(/%([sdifjoOc%])/g, (all, kind: string) => {
    if (kind === "%") return "%";
    if (rest.length === 0) return all;
    return substituted(kind, rest.shift());
  });
  return [text, ...rest.map(plain)].join(" ");
}

function substituted(kind: string, value: unknown): string {
  switch (kind) {
    case "s":
      return typeof value === "object" && value !== null ? inspect(value, 0) : String(value);
    case "d":
      return typeof value === "bigint" ? `${value}n` : String(Number(value));
    case "i":
      return String(parseInt(String(value), 10));
    case "f":
      return String(parseFloat(String(value)));
    case "j":
      return JSON.stringify(value) ?? "undefined";
    case "c":
      return "";
    default:
      return inspect(value);
  }
}

const plain = (value: unknown): string => (typeof value === "string" ? value : inspect(value));

export function inspect(value: unknown, depth = 2): string {
  return show(value, depth, []);
}

function show(value: unknown, depth: number, above: readonly object[]): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return showFunction(value);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (above.includes(value)) return "[Circular *1]";
  try {
    return showObject(value, depth, [...above, value]);
  } catch {
    return "[object that cannot be read]";
  }
}

const quote = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`;

function showFunction(value: { name: string }): string {
  const kind = Function.prototype.toString.call(value).startsWith("class") ? "class" : "Function";
  if (kind === "class") return `[class ${value.name || "(anonymous)"}]`;
  return value.name ? `[Function: ${value.name}]` : "[Function (anonymous)]";
}

function showObject(value: object, depth: number, above: readonly object[]): string {
  const inner = (other: unknown): string => show(other, depth - 1, above);
  if (value instanceof Error) return above.length > 1 ? `[${String(value)}]` : (value.stack ?? String(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "Promise { … }";
  const name = prefixOf(value);
  if (depth < 0) return Array.isArray(value) ? "[Array]" : `[${name.trim() || "Object"}]`;
  if (Array.isArray(value)) return bracket("[", [...elements(value, inner)], "]");
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return `${name}(${(value as Uint8Array).length}) ${bracket("[", Array.from(value as Uint8Array, inner), "]")}`;
  if (value instanceof Map)
    return `Map(${value.size}) ${bracket(
      "{",
      [...value].map(([key, item]) => `${inner(key)} => ${inner(item)}`),
      "}",
    )}`;
  if (value instanceof Set) return `Set(${value.size}) ${bracket("{", [...value].map(inner), "}")}`;
  return name + bracket("{", properties(value, inner), "}");
}

function* elements(array: readonly unknown[], inner: (value: unknown) => string): Iterable<string> {
  for (let i = 0; i < Math.min(array.length, 100); i++) yield i in array ? inner(array[i]) : "<empty>";
  if (array.length > 100) yield `... ${array.length - 100} more items`;
}

function properties(value: object, inner: (value: unknown) => string): string[] {
  return Reflect.ownKeys(value).flatMap((key) => {
    const property = Object.getOwnPropertyDescriptor(value, key)!;
    if (!property.enumerable) return [];
    const name = typeof key === "symbol" ? `[${String(key)}]` : /^[\w$]+$/.test(key) ? key : quote(key);
    if (property.get) return [`${name}: [Getter]`];
    return [`${name}: ${inner(property.value)}`];
  });
}

/** The class name followed by a space; empty for plain objects. */
function prefixOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  if (prototype === null) return "[Object: null prototype] ";
  const name = prototype.constructor?.name ?? "";
  return name === "Object" || name === "" ? "" : `${name} `;
}

function bracket(open: string, parts: readonly string[], close: string): string {
  if (parts.length === 0) return `${open}${close}`;
  const line = `${open} ${parts.join(", ")} ${close}`;
  return line.length <= 76 ? line : `${open}\n  ${parts.join(",\n").replaceAll("\n", "\n  ")}\n${close}`;
}
