/**
 * Data as text, so that equal texts mean equal data: distinguishes `NaN`, `-0`, `undefined`, bigints, maps and
 * sets. Values with hidden state have no text. Also runs inside realms.
 */

/** `order`: whether values that differ only in the order of keys and entries are equal (`ignored`) or not (`seen`). */
export function dataText(value: unknown, order: "seen" | "ignored"): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value); // sound: test/model/data-text.test.ts
    case "bigint":
      return `${value}n`; // sound: test/model/data-text.test.ts
    case "object":
      return value === null ? "null" : objectText(value, order);
    case "boolean":
    case "undefined":
      return String(value);
    default:
      throw new NoData(`a ${typeof value}`);
  }
}

/** Copies arrays, plain objects, maps and sets deeply. Other values are returned unchanged. */
export function copyOfData<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const copied = (): unknown => {
    if (Array.isArray(value)) return value.map(copyOfData);
    const tag = tagOf(value);
    if (tag === "Map")
      return new Map(entriesOf(value).map(([key, held]) => [copyOfData(key), copyOfData(held)]));
    if (tag === "Set") return new Set(membersOf(value).map(copyOfData));
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, copyOfData(held)]));
  };
  return copied() as T;
}

/** Two values that cannot be compared. */
class NoData extends TypeError {
  constructor(what: string) {
    super(`${what} cannot be compared: states, views and answers are data, such as JSON, maps and sets`);
  }
}

function objectText(value: object, order: "seen" | "ignored"): string {
  const text = (held: unknown): string => dataText(held, order);
  const inOrder = (all: readonly string[]): string => (order === "seen" ? all : [...all].sort()).join(); // sound: test/model/data-text.test.ts
  if (Array.isArray(value)) return `[${Array.from(value, text).join()}]`;
  const tag = tagOf(value);
  if (tag === "Map")
    return `Map{${inOrder(entriesOf(value).map(([key, held]) => `${text(key)}:${text(held)}`))}}`;
  if (tag === "Set") return `Set{${inOrder(membersOf(value).map(text))}}`;
  if (!isPlain(value)) throw new NoData(`a ${tag === "Object" ? "value with a class" : tag}`); // sound: test/model/data-text.test.ts
  // As in JSON, a field that is undefined is none.
  const fields = Object.entries(value).filter(([, held]) => held !== undefined);
  return `{${inOrder(fields.map(([key, held]) => `${JSON.stringify(key)}:${text(held)}`))}}`;
}

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice("[object ".length, -1);

/** Also an object of another realm. */
function isPlain(value: object): boolean {
  const above: unknown = Object.getPrototypeOf(value);
  // sound: test/model/data-text.test.ts
  if (above !== null && Object.getPrototypeOf(above) !== null) return false;
  return tagOf(value) === "Object" && Object.getOwnPropertySymbols(value).length === 0; // sound: test/model/data-text.test.ts
}

const entriesOf = (value: object): [unknown, unknown][] => [...(value as Map<unknown, unknown>)];
const membersOf = (value: object): unknown[] => [...(value as Set<unknown>)];
